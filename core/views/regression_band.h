// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/regression.h"

#include <optional>

namespace credence {

/// A regression's predictions along one input, in the data's units (Blundell et al. 2015, Fig. 5).
struct RegressionBand {
    std::vector<double> x;                                        ///< [n]
    std::vector<double> median, lower_quartile, upper_quartile;   ///< of f over draws [n]
    std::vector<double> lower, upper;                             ///< `level` credible interval of f [n]
    std::vector<double> predictive_lower, predictive_upper;       ///< `level` interval of y, noise included [n]
    double level = 0.95;
    std::vector<std::vector<double>> functions;   ///< posterior function draws [n_functions][n]
    std::vector<double> data_x, data_y, test_x, test_y;
    std::vector<double> noise_free;   ///< the true curve of a toy problem [n]; can be empty
    std::string x_name = "x", y_name = "y";
};

/// @param samples      at x [S × n]
/// @param n_functions  the first draws, at most S
RegressionBand regression_band(std::vector<double> x, const RegressionSamples& samples, double level, int n_functions);

/// The displayed range of y: the data, and the credible interval of f up to the steepest tenth of
/// its ends, but at most 1.5 data heights beyond the data on each side, so that the data take at
/// least a quarter of the picture. Empty without data or if all y are equal.
std::optional<Range> height_of(const RegressionBand& band);

Chart to_chart(const RegressionBand& band);

}   // namespace credence
