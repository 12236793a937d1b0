// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/posterior_predictive.h"
#include "prediction/regression.h"

#include <optional>

namespace credence {

/// Credible intervals of the class probabilities at one input, and the verdicts of the two
/// criteria.
struct Intervals {
    double level  = 0.95;
    int n_samples = 0;
    std::vector<std::string> names;           ///< [K]
    std::vector<double> lower, mean, upper;   ///< [K]
    int predicted = 0;
    std::optional<int> true_class;
    bool disjoint = false;   ///< criterion (i)
    bool probable = false;   ///< criterion (ii)
};
Intervals intervals(const SampleView<float>& probabilities, int input, double level,
                    const std::vector<std::string>& class_names, std::optional<int> true_class = {});

/// "Certain by (i): the 95 % interval of 3 overlaps no other class's interval."
std::string verdict_by_overlap(const Intervals& intervals);
/// "Uncertain by (ii): its mean probability 0.61 is below 0.95."
std::string verdict_by_probability(const Intervals& intervals);
/// The first word of both verdicts if the prediction is certain.
inline constexpr const char* certain_label = "Certain";
/// Returns both verdicts, one after the other.
std::string verdict(const Intervals& intervals);
Chart to_chart(const Intervals& intervals);

/// The prediction for one input in words: the class, its confidence, and whether it is certain by
/// criteria (i) and (ii).
struct Verdict {
    std::string input;               ///< "test image 3"
    Intervals intervals;             ///< of all classes, with predicted and true class and both verdicts
    double entropy            = 0;   ///< H(p̄), nats
    double expected_entropy   = 0;   ///< E H(p_s), nats: aleatoric part
    double mutual_information = 0;   ///< nats: epistemic part
    std::string conformal{};         ///< "{3, 8}"; empty: no conformal score is set
};
Verdict verdict_of(const SampleView<float>& probabilities, int input, double level,
                   const std::vector<std::string>& class_names, const std::string& name,
                   std::optional<int> true_class = {});

/// "test image 3: true 5, predicted 3 (p̄ = 0.61, entropy 0.90 nats), conformal set {3, 8}"
std::string headline(const Verdict& verdict);

/// A table of rows "What", "Value", "Unit"; `verdict_cell` looks a row up.
Chart to_chart(const Verdict& verdict);

/// Rows of the table, for code that shows some of them separately.
namespace verdict_row {
inline constexpr const char* headline    = "In short";
inline constexpr const char* predicted   = "Predicted class";
inline constexpr const char* true_class  = "True class";
inline constexpr const char* conformal   = "Conformal set";
inline constexpr const char* overlap     = "Criterion (i), no overlap";
inline constexpr const char* probability = "Criterion (ii), probability";
inline constexpr const char* epistemic   = "Epistemic part";
inline constexpr const char* aleatoric   = "Aleatoric part";
inline constexpr const char* observed    = "Observed";    ///< regression
inline constexpr const char* mean        = "Predicted";   ///< regression: of f
}   // namespace verdict_row
/// Returns true if the row `overlap` or `probability` gives the verdict certain.
bool verdict_is_certain(const Chart& chart, const std::string& row);
/// The text of a row; empty if it does not exist.
std::string verdict_cell(const Chart& chart, const std::string& row);
/// The verdict in a few short lines of name and value: "Predicted" and "41.8 MPa", "90 % interval"
/// and "34.9 to 48.6 MPa", "Epistemic / aleatoric" and "1.9 / 3.7 MPa".
std::vector<std::pair<std::string, std::string>> verdict_lines(const Chart& verdict);

/// A regression's predictions along one input, in the data's units (Blundell et al. 2015, Fig. 5).
struct RegressionBand {
    std::vector<double> x;                                        ///< [n]
    std::vector<double> median, lower_quartile, upper_quartile;   ///< of f over draws [n]
    std::vector<double> lower, upper;                             ///< `level` credible interval of f [n]
    /// `level` interval of y, noise included [n]; empty: not drawn
    std::vector<double> predictive_lower, predictive_upper;
    double level = 0.95;
    std::vector<std::vector<double>> functions;   ///< posterior function draws [n_functions][n]
    std::vector<double> data_x, data_y, test_x, test_y;
    std::vector<double> noise_free;   ///< the true curve of a toy problem [n]; can be empty
    std::string x_name = "x", y_name = "y";
};

/// @param samples      at x [S × n]
/// @param n_functions  the first draws, at most S
RegressionBand regression_band(std::vector<double> x, const RegressionSamples& samples, double level, int n_functions);

/// Returns the displayed range of y: the data, and the credible interval of f up to the steepest
/// tenth of its ends. It extends at most 1.5 data heights beyond the data on each side, so that the
/// data take at least a quarter of the picture. Empty without data or if all y are equal.
std::optional<Range> height_of(const RegressionBand& band);

Chart to_chart(const RegressionBand& band);

}   // namespace credence
