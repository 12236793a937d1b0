// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence_summary.h"
#include "charts/chart.h"
#include "views/chain_draws.h"

#include <string>
#include <vector>

/// What chains say of themselves, as a table and in words.
namespace credence::view_support {

inline constexpr double agreeing_r_hat =
    1.01;   ///< below it chains may be used (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021)

struct JudgedWeights {
    ConvergenceSummary summary;
    std::size_t n = 0, n_all = 0;   ///< weights judged, and weights that there are
};

/// Borrowed for as long as the table is made.
struct JudgedChains {
    const ChainMoment& chains;
    const std::vector<std::string>& places;   ///< names of the probe points
    const std::string& what;                  ///< all of them: "24 × 24 places of the plane"
    std::vector<std::string> class_names;     ///< empty: a regression
    const ConvergenceSummary& summary;        ///< place by place, and in it class by class
    const JudgedWeights& weights;
};

/// Rows: what was asked, the number, what to hold it against, where or why not. What is not defined is an empty cell with its sentence.
Table chain_table(const JudgedChains& judged);
/// The most important of it, for captions: files with a picture's numbers carry it too.
std::string chain_sentences(const JudgedChains& judged);

}   // namespace credence::view_support
