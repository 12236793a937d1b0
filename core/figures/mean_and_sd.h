// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace credence {

/// One number over several runs that differ only in their seed.
struct MeanAndSd {
    double mean = 0;
    std::optional<double> sd{};   ///< divisor n − 1; empty for one run
    std::size_t n = 0;            ///< runs
};

/// Returns mean and standard deviation of the finite `values`: a diverged run has no score. Empty:
/// none is finite.
std::optional<MeanAndSd> mean_and_sd(std::span<const double> values);

}   // namespace credence
