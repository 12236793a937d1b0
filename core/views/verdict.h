// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/intervals.h"

namespace credence {

/// The prediction for one input in words: which class, how confident, and whether it is certain by
/// criteria (i) and (ii).
struct Verdict {
    std::string input;               ///< "test image 3"
    Intervals intervals;             ///< of all classes, with predicted and true class and both verdicts
    double entropy            = 0;   ///< H(p̄), nats
    double expected_entropy   = 0;   ///< E H(p_s), nats: aleatoric part
    double mutual_information = 0;   ///< nats: epistemic part
};
Verdict verdict_of(const SampleView<float>& probabilities, int input, double level,
                   const std::vector<std::string>& class_names, const std::string& name,
                   std::optional<int> true_class = {});

/// "test image 3: true 5, predicted 3 (p̄ = 0.61, entropy 0.90 nats)"
std::string headline(const Verdict& verdict);

/// A table of rows "What", "Value", "Unit"; `verdict_cell` looks a row up.
Chart to_chart(const Verdict& verdict);

/// Rows of the table, for code that shows some of them separately.
namespace verdict_row {
inline constexpr const char* headline    = "In short";
inline constexpr const char* predicted   = "Predicted class";
inline constexpr const char* true_class  = "True class";
inline constexpr const char* overlap     = "Criterion (i), no overlap";
inline constexpr const char* probability = "Criterion (ii), probability";
}   // namespace verdict_row
/// Returns true if the row `overlap` or `probability` gives the verdict certain.
bool verdict_is_certain(const Chart& chart, const std::string& row);
/// The text of a row; empty if it does not exist.
std::string verdict_cell(const Chart& chart, const std::string& row);

}   // namespace credence
