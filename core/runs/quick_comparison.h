// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>
#include <vector>

namespace credence {

struct Experiment;

/// A method of a quick comparison.
struct QuickMethod {
    Study study;             ///< named for data and method: "concrete, SWAG"
    double seconds = 0;      ///< estimated wall time, see runs/estimated_time.h
    bool suggested = true;   ///< false: not trained unless the user asks for it
    std::string note;        ///< why it is not suggested or cannot be trained: a sentence; empty: nothing
    bool possible = true;    ///< false: the method refuses these data or this network
};

/// Returns Studies of the usual methods on the data, split and network of `experiment`: point estimate, deep
/// ensemble, mean field, Laplace, SWAG and NUTS. The Study's own method keeps all its settings; the others have
/// their usual ones (Method::usual), but for the network. NUTS is suggested for at most 500 training rows and
/// 2,000 weights; each
/// chain makes 300 transitions of warm-up and 200 draws.
///
/// SWAG averages iterates of the Study's optimiser at its learning rate, which stays constant.
std::vector<QuickMethod> quick_comparison(const Experiment& experiment);

}   // namespace credence
