// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <string>
#include <vector>

namespace credence {

/// An axis of a sweep as the x axis of a picture.
struct SweptAxis {
    std::string label{};                 ///< "Learning rate"
    std::string unit{};                  ///< empty for pure numbers
    std::vector<std::string> values{};   ///< as they are read [n]
    std::vector<double> numbers{};       ///< [n]; empty: the values are no numbers, and stand side by side
};

/// One number of all runs that share their settings but for the axis and the seed.
struct SweptSeries {
    std::string name{};   ///< of the settings of the other axes: "mean_field, 300"; empty: there is one series
    std::vector<std::vector<double>>
        of_seeds{};   ///< for each value of the axis those of its runs [n][seeds]; none: no run is done
};

/// One score, or τ of one block.
struct SweptPanel {
    std::string title{};   ///< "NLL"
    std::string label{};   ///< of the y axis
    std::string unit{};    ///< "nats"
    std::vector<SweptSeries>
        series{};   ///< the same ones, in the same order, in every panel: colours go by their number
};

/// Scores of a sweep against one of its axes: the mean over the seeds, mean ± standard deviation around it, and each run.
struct ScoresAgainstAxis {
    SweptAxis axis{};
    std::vector<SweptPanel> panels{};
};

/// Returns the axis of a picture: logarithmic where all numbers are above 0 and the largest is more than 100 times the smallest; values that are no numbers are categories.
Axis axis_of(const SweptAxis& axis);

/// Draws a panel a score. Numbers: lines through the means, bands of mean ± sd (divisor n − 1) where two runs or more are done, a small mark a run. Values that are
/// no numbers: mean ± sd as bars side by side, and the marks of the runs. Runs without a finite score are left out and counted in the caption. No runs: a message.
/// @throws Error  if a series has not an entry for each value of the axis
Chart to_chart(const ScoresAgainstAxis& value);

}   // namespace credence
