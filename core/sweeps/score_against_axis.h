// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "posterior/posterior.h"

#include <string>
#include <vector>

namespace credence {

/// An axis of a sweep as the x axis of a picture.
struct SweptAxis {
    std::string label{};                 ///< "Learning rate"
    std::string unit{};                  ///< empty for pure numbers
    std::vector<std::string> values{};   ///< as displayed [n]
    std::vector<double> numbers{};       ///< [n]; empty: the values are categories, drawn side by side
};

/// One number of all runs whose settings differ only in the axis and the seed.
struct SweptSeries {
    std::string name{};   ///< the settings of the other axes: "mean_field, 300"; empty: there is
                          ///< one series
    std::vector<std::vector<double>>
        of_seeds{};   ///< for each value of the axis, one number per run [n][seeds]; empty: no run
                      ///< has finished
};

/// One score, or τ of one block.
struct SweptPanel {
    std::string title{};   ///< "NLL"
    std::string label{};   ///< of the y axis
    std::string unit{};    ///< "nats"
    std::vector<SweptSeries>
        series{};   ///< the same series in the same order in every panel, since the index gives the
                    ///< colour
};

/// Scores of a sweep against one of its axes: the mean over the seeds, mean ± standard deviation
/// around it, and each run.
struct ScoresAgainstAxis {
    SweptAxis axis{};
    std::vector<SweptPanel> panels{};
};

/// Returns the axis of a picture: logarithmic if all numbers are above 0 and the largest is more
/// than 100 times the smallest; non-numeric values are categories.
Axis axis_of(const SweptAxis& axis);

/// Draws one panel per score. Numeric values: lines through the means, bands of mean ± sd (divisor
/// n − 1) if at least two runs have finished, and a small mark per run. Categories: mean ± sd as
/// bars side by side, and the marks of the runs. Runs without a finite score are omitted and
/// counted in the caption. Without runs, returns a message.
/// @throws Error  if a series lacks an entry for a value of the axis
Chart to_chart(const ScoresAgainstAxis& value);

/// The block uncertainties of the runs' posteriors, for one combination of the other axes.
struct SweptLayers {
    std::string name{};
    std::vector<std::vector<LayerUncertainty>>
        of_seeds{};   ///< for each value of the axis, one entry per run [n][seeds]
};

/// The uncertainty of each block of weights against one axis of a sweep (Posch and Pilz 2021, Table
/// II; Steinbrener et al. 2020, Table 3).
struct TauAgainstAxis {
    SweptAxis axis{};
    std::vector<SweptLayers> series{};
};

/// Draws one panel per block, by name, as to_chart(ScoresAgainstAxis) does: τ, or the median of
/// σ/|μ| for a posterior with one σ per weight. Posteriors without spread have neither. Without
/// any: a message.
Chart to_chart(const TauAgainstAxis& value);

}   // namespace credence
