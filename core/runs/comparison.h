// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <functional>
#include <string>
#include <vector>

namespace credence {

/// Compares every method on one problem with reference chains of the true posterior: Studies that
/// differ only in their method. Window and command line run them one after the other and compare
/// all with the first (views/compare_runs.h).
struct MethodComparison {
    std::string id;      ///< "two_moons_truth" (credence compare ID)
    std::string title;   ///< "Two moons"
    std::string help;    ///< what the comparison shows
    /// Returns the Studies, the reference first. Generates the data, which takes some tens of
    /// milliseconds: call it on a worker thread.
    std::function<std::vector<Study>()> studies;
};

/// All comparisons, in the order of the menu.
const std::vector<MethodComparison>& comparisons();
const MethodComparison& comparison(const std::string& id);   ///< @throws Error that lists the ids

/// Returns the comparison whose reference is this Study, as stored in figures; null: none.
/// Generates data as MethodComparison::studies does.
const MethodComparison* comparison_with_reference(const Study& reference);

/// Returns `reference` itself, then a Study of each other method that accepts these data and this
/// network, in the order of the list. Each has the data, split, network, prior, seed and prediction
/// settings of `reference`, and samples or approximates the same posterior:
///
///     methods with a KL:        beta = 1/M for each of M minibatches, the ELBO itself
///     point estimates under it: weight decay 1/(N sigma_0^2), the maximum of the posterior under
///                               N(0, sigma_0^2) with N training rows
///     Laplace approximations:   the same decay, and a fixed prior precision 1/sigma_0^2
///     chains:                   the number of chains of `reference`
///
/// Steps, learning rates and all other settings are those of the method's first preset, otherwise
/// its usual ones (Method::usual). For regression, learning rates of methods whose steps are
/// proportional to the gradient are multiplied by s^2/2, s the given noise in standardised units:
/// they were chosen for classification, whose loss has curvature of at most 1/2 in the logits,
/// while a squared error has 1/s^2. A method that refuses the Study (Method::refuses, rules of
/// settings) is left out.
/// @param reference  a Gaussian prior with mean 0 and one sigma_0 for all weights and biases
/// @throws Error (with the field) if `reference` cannot be run, or has another prior
std::vector<Study> studies_of_methods(const Study& reference);

/// True if both are the same run, ignoring names and notes.
bool same_run(Study a, const Study& b);

struct Experiment;

/// A method of a quick comparison.
struct QuickMethod {
    Study study;             ///< named for data and method: "concrete, SWAG"
    double seconds = 0;      ///< estimated wall time, see runs/estimated_time.h
    bool suggested = true;   ///< false: not trained unless the user asks for it
    std::string note;        ///< a sentence on why it is not suggested or cannot be trained; may be empty
    bool possible = true;    ///< false: the method refuses these data or this network
};

/// Returns Studies of the usual methods on the data, split and network of `experiment`: point
/// estimate, deep ensemble, mean field, Laplace, SWAG and NUTS. The Study's own method keeps all
/// its settings. The others have their usual settings (Method::usual), except for the network. NUTS
/// is suggested for at most 500 training rows and 2,000 weights; each chain makes 300 warm-up
/// transitions and 200 draws.
///
/// SWAG averages iterates of the Study's optimiser at its learning rate, which stays constant.
std::vector<QuickMethod> quick_comparison(const Experiment& experiment);

}   // namespace credence
