// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence.h"
#include "charts/chart.h"
#include "views/chain_draws.h"

#include <string>
#include <vector>

/// Chain diagnostics as a table and as sentences.
namespace credence::view_support {

inline constexpr double agreeing_r_hat =
    1.01;   ///< below it chains may be used (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021)

struct JudgedWeights {
    ConvergenceSummary summary;
    std::size_t n = 0, n_all = 0;   ///< weights with diagnostics, and all weights
};

/// Borrowed while the table is made.
struct JudgedChains {
    const ChainSnapshot& chains;
    const std::vector<std::string>& places;   ///< names of the probe points
    const std::string& what;                  ///< all of them: "24 × 24 places of the plane"
    std::vector<std::string> class_names;     ///< empty: a regression
    const ConvergenceSummary& summary;        ///< point by point, and within a point class by class
    const JudgedWeights& weights;
};

/// Rows: diagnostic, value, reference value, and where or why not. An undefined value is an empty
/// cell with its reason.
Table chain_table(const JudgedChains& judged);
/// The main results for captions; files with a picture's numbers contain them too.
std::string chain_sentences(const JudgedChains& judged);

}   // namespace credence::view_support
