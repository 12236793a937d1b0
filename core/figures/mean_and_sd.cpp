// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/mean_and_sd.h"

#include <cmath>

namespace credence {

std::optional<MeanAndSd> mean_and_sd(std::span<const double> values)
{
    MeanAndSd out;
    double sum = 0;
    for (const double value : values)
        if (std::isfinite(value)) {
            sum += value;
            ++out.n;
        }
    if (out.n == 0)
        return {};
    out.mean       = sum / static_cast<double>(out.n);
    double squares = 0;
    for (const double value : values)
        if (std::isfinite(value))
            squares += (value - out.mean) * (value - out.mean);
    if (out.n > 1)
        out.sd = std::sqrt(squares / static_cast<double>(out.n - 1));
    return out;
}

}   // namespace credence
