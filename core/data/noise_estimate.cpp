// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"

#include "foundation/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace credence {
namespace {

constexpr std::size_t most_neighbour_rows = 2000;
constexpr double most_differences         = 2e8;

/// Half the squared difference of each row's target from that of its nearest neighbour; −1: all rows
/// have the same inputs and the same target.
std::vector<double> half_squares(const SplitData& data, std::size_t target, std::span<const std::size_t> rows)
{
    const std::size_t d = data.training.n_features, T = data.training.n_targets();
    const float* const targets = data.training_targets.data() + target;   // of row i: [i · T]
    std::vector<double> squares(rows.size());
    constexpr std::size_t chunk = 50;
    parallel_chunks(rows.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const float* const x = data.training_inputs.data() + rows[i] * d;
            const double y       = targets[rows[i] * T];
            double nearest = std::numeric_limits<double>::infinity(), found = -1;
            for (std::size_t j = 0; j < rows.size(); ++j) {
                if (i == j)
                    continue;
                const float* const z = data.training_inputs.data() + rows[j] * d;
                float distance       = 0;
                for (std::size_t k = 0; k < d; ++k)
                    distance += (x[k] - z[k]) * (x[k] - z[k]);
                const double difference = targets[rows[j] * T] - y;
                if (distance < nearest && !(distance == 0 && difference == 0))
                    nearest = distance, found = 0.5 * difference * difference;
            }
            squares[i] = found;
        }
    });
    return squares;
}

}   // namespace

std::optional<double> noise_by_neighbours(const SplitData& data, std::size_t target)
{
    constexpr std::size_t fewest = 10;
    const std::size_t n = data.training.n_rows, d = data.training.n_features;
    if (data.training.task != Task::regression || n < fewest || d == 0)
        return {};
    const auto affordable = static_cast<std::size_t>(std::sqrt(most_differences / static_cast<double>(d)));
    const std::size_t m   = std::min({n, most_neighbour_rows, std::max(affordable, fewest)});
    std::vector<std::size_t> rows(m);
    for (std::size_t i = 0; i < m; ++i)
        rows[i] = i * n / m;
    double sum        = 0;
    std::size_t count = 0;
    for (const double square : half_squares(data, target, rows))
        if (square >= 0)
            sum += square, ++count;
    if (count < fewest)
        return {};
    return std::sqrt(sum / static_cast<double>(count)) * data.target_scales().sd.at(target);
}

}   // namespace credence
