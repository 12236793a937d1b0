// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/snapshot.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace credence {

std::optional<double> loss_roughness(const TrainingHistory& history)
{
    std::vector<double> step, loss;
    for (const auto& point : history)
        if (point.data_loss) {
            if (!(*point.data_loss >= 0) || !std::isfinite(*point.data_loss))
                return {};
            step.push_back(static_cast<double>(point.step));
            loss.push_back(*point.data_loss);
        }
    if (loss.size() < 3)
        return {};
    double sum = 0;
    for (std::size_t i = 1; i + 1 < loss.size(); ++i) {
        const double w     = (step[i + 1] - step[i]) / (step[i + 1] - step[i - 1]);
        const double chord = w * loss[i - 1] + (1 - w) * loss[i + 1];
        const double level = (loss[i] + chord) / 2;
        if (level > 0)   // if three losses are 0, there is no deviation
            sum += std::fabs(loss[i] - chord) / (level * std::sqrt(1 + w * w + (1 - w) * (1 - w)));
    }
    return std::sqrt(std::numbers::pi / 2) * sum / static_cast<double>(loss.size() - 2);
}

}   // namespace credence
