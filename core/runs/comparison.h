// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <functional>
#include <string>
#include <vector>

namespace credence {

/// Every method on one problem, beside chains that stand for the true posterior: Studies that differ in their method alone. Window and command line run one after the other and
/// hold all against the first (views/compare_truth.h).
struct MethodComparison {
    std::string id;      ///< "two_moons_truth" (credence compare ID)
    std::string title;   ///< "Two moons"
    std::string help;    ///< what one learns from it
    /// The truth first. Data are made for it, some tens of milliseconds: call it on a worker.
    std::function<std::vector<Study>()> studies;
};

/// All comparisons, in the order of the menu.
const std::vector<MethodComparison>& comparisons();
const MethodComparison& comparison(const std::string& id);   ///< @throws Error that lists the ids

/// Returns the comparison whose truth is a run of this Study, as figures of it carry; null: none. Makes data as MethodComparison::studies does.
const MethodComparison* comparison_with_truth(const Study& truth);

/// Returns `truth` itself, then a Study of each other method of the list that takes these data and this net, in its order. Each has the data, split, net, prior, seed and way of
/// predicting of `truth`, and samples or approximates the same posterior:
///
///     methods with a KL:        beta = 1/M for each of M minibatches, the ELBO itself
///     point estimates under it: weight decay 1/(N sigma_0^2), the maximum of the posterior under N(0, sigma_0^2) with N training rows
///     Laplace approximations:   the same decay, and by hand the prior precision 1/sigma_0^2
///     chains:                   as many as `truth` has
///
/// Steps, rates and all other settings are those of the method's first preset, else its usual ones (Method::usual). Of a number to predict, rates of methods that move by the
/// gradient itself are multiplied by s^2/2, s the given noise in standardised units: they were made for classes, whose loss curves by at most 1/2 in the logits, where a
/// squared error curves by 1/s^2. A method that refuses (Method::refuses, rules of settings) is left out.
/// @param truth  a Gaussian prior with mean 0 and one sigma_0 for all weights and biases
/// @throws Error (with the field) if `truth` cannot be run, or has another prior
std::vector<Study> studies_beside(const Study& truth);

/// Would they be the same run? Names and notes may differ.
bool same_run(Study a, const Study& b);

}   // namespace credence
