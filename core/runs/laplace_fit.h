// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/laplace_gaussian.h"
#include "runs/experiment.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace credence {

using LaplaceProgress = std::function<void(double share, std::optional<double> seconds_left)>;

/// The Laplace approximation of this snapshot; null: its posterior is of another kind, or its
/// curvature is not fitted yet.
std::shared_ptr<const LaplaceGaussian<float>> laplace_of(const Snapshot& snapshot);

/// Checks Laplace settings before training.
/// @throws Error (with the field) for a target confidence without classes, or a curvature too large
/// for this network
void check_laplace(const Experiment& experiment, const LaplaceOptions& options);

/// Mean of max p̄ over the same training inputs, for the point estimate and for a Laplace
/// approximation around it.
struct ComparedConfidence {
    double map     = 0;   ///< of softmax f(x; θ_MAP)
    double reached = 0;   ///< of the Laplace approximation: mean_confidence
    double percent_below() const { return 100 * (1 - reached / map); }
};

/// A prior precision, and a note about it.
struct ChosenPrecision {
    double value = 1;
    std::string note;   ///< a sentence if the request could not be met, otherwise empty
    std::optional<ComparedConfidence> confidence = {};   ///< if λ was chosen by confidence
};

/// Chooses λ: by hand, at the maximum of the evidence, or where `mean_confidence` meets the target,
/// a number or
///     (1 − percent/100) × the mean of max softmax f(x; θ_MAP)      (Hobbhahn 2020, appendix D, with 5 %)
/// Empty if `stop` was requested.
std::optional<ChosenPrecision> choose_precision(const Experiment& experiment,
                                                std::shared_ptr<const Curvature> curvature,
                                                const LaplaceOptions& options, std::stop_token stop = {});

/// Mean of max p̄ over the training inputs (at most 500, evenly spaced), p̄ over at most 50 samples
/// that are the same for every λ, so that it varies smoothly.
/// Empty if `stop` was requested.
std::optional<double> mean_confidence(const Experiment& experiment, std::shared_ptr<const Posterior> posterior,
                                      std::stop_token stop = {});

/// Computes mean_confidence together with that of the point estimate, whose weights are the
/// posterior's means.
std::optional<ComparedConfidence> compared_confidence(const Experiment& experiment,
                                                      std::shared_ptr<const LaplaceGaussian<float>> posterior);

/// "Mean confidence on the training data 0.9434, 5.0 % below the 0.9931 of the point estimate"
std::string words_of(const ComparedConfidence& confidence);

/// The result of fit_laplace.
struct LaplaceFit {
    std::shared_ptr<const Snapshot> snapshot;            ///< null: stopped
    std::string note;                                    ///< as in ChosenPrecision
    std::optional<ComparedConfidence> confidence = {};   ///< as in ChosenPrecision
};

/// Sums the curvature over all training data at the weights of `at` (a point estimate or an earlier
/// fit) and chooses the precision.
/// An existing curvature is not computed again: changing only the precision is fast.
/// Runs in the threads of the enclosing Threads::run. Same Study, same bits, for any number of threads.
/// @throws Error as fit_curvature does
LaplaceFit fit_laplace(const Experiment& experiment, const Snapshot& at, const LaplaceOptions& options,
                       std::stop_token stop = {}, const LaplaceProgress& progress = {});

/// Describes the approximation for captions, messages and tables: "Kronecker-factored, all layers,
/// λ = 3.2".
std::string laplace_words(const LaplaceGaussian<float>& posterior);

}   // namespace credence
