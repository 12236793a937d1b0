// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/decision_map.h"
#include "prediction/class_predictions.h"
#include "prediction/regression.h"
#include "runs/experiment.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// How the next rows to label are chosen: those with the largest value of the acquisition function.
enum class Acquisition {
    bald,       ///< classes: H(p̄) − E H(p_s), the mutual information of label and weights (Houlsby et al. 2011)
    entropy,    ///< classes: H(p̄) (Settles 2009)
    margin,     ///< classes: 1 − (p̄_(1) − p̄_(2)), the two largest mean probabilities (Settles 2009)
    variance,   ///< regression: variance of f over the samples, divisor S (MacKay 1992)
    random,     ///< a uniform random number for each row: the baseline
};
inline constexpr std::array all_acquisitions{Acquisition::bald, Acquisition::entropy, Acquisition::margin,
                                             Acquisition::variance, Acquisition::random};
std::string title_of(Acquisition function);   ///< "BALD"
std::string name_of(Acquisition function);    ///< "bald", as on the command line and in files
/// @throws Error  that lists the names
Acquisition acquisition_named(const std::string& name);

/// The values of all rows, nats for BALD and entropy [N]. @throws Error for `variance` and `random`
std::vector<double> acquisition_values(Acquisition function, const ClassPredictions& predictions);
/// The variance of f of all rows, in squared units of the target [N].
std::vector<double> variance_values(const RegressionSamples& samples);
/// Indices of the k largest values, the largest first; equal values in the order of their indices.
/// All of them if there are fewer. @throws Error if a value is not a number
std::vector<std::uint32_t> largest(std::span<const double> values, std::size_t k);

/// Everything that determines an active-learning experiment: same plan, same bits, on any number of
/// threads. The time limit and the patience of the Study's training are ignored.
struct ActiveLearningPlan {
    Study study;                            ///< data, network, posterior and training of each round; its seed is
                                            ///< that of the first repetition
    int starting_labels  = 10;              ///< random rows, as many of each class as possible
    int labels_per_round = 5;               ///< rows added after each training
    int rounds           = 8;               ///< additions; there is one training more
    int repetitions      = 3;               ///< with the seeds s, s + 1, …: starting rows and training
    std::size_t pool     = 2000;            ///< at most this many training rows can be labelled, chosen at random
    int samples          = 50;              ///< of the posterior, for acquisition and scores
    std::vector<Acquisition> functions{};   ///< empty: all that suit the data and the posterior
};

/// State after one training of a repetition.
struct LabellingRound {
    std::size_t labels = 0;                 ///< rows trained on
    double score       = 0;                 ///< on the test rows: accuracy, 0 to 1; regression: RMSE, target units
    double nll         = 0;                 ///< on the test rows, nats per example
    std::vector<std::uint32_t> queried{};   ///< the rows to label next, of the pool, the best first
    std::vector<double> values{};           ///< their acquisition values
    std::vector<float> map{};   ///< two inputs, first repetition: values over LabellingResult::grid [ny × nx]

    bool operator==(const LabellingRound&) const = default;
};

/// One repetition with one acquisition function.
struct LabellingRun {
    Acquisition function = Acquisition::random;
    std::uint64_t seed   = 1;
    std::vector<std::uint32_t> start{};     ///< the first labelled rows, of the pool, ascending
    std::vector<LabellingRound> rounds{};   ///< those finished so far

    bool operator==(const LabellingRun&) const = default;
};

/// The outcome of a plan, or its state so far.
struct LabellingResult {
    ActiveLearningPlan plan{};                        ///< with the functions used
    std::shared_ptr<const Experiment> experiment{};   ///< untrained, on the pool; at most 2,000 test rows
    std::vector<std::uint32_t> pool{};                ///< the rows of the training set that can be labelled, ascending
    std::optional<MapGrid> grid{};                    ///< data with two inputs
    std::vector<LabellingRun> runs{};                 ///< [repetitions × functions]

    Task task() const { return experiment->task(); }
    /// The first repetition with this function. @throws Error if the plan does not have it
    const LabellingRun& first_run(Acquisition function) const;
};

struct LabellingEvents {
    /// Share of all trainings that have finished; on one thread at a time.
    std::function<void(double share)> progress{};
    /// The state so far, throttled; on one thread at a time.
    std::function<void(const LabellingResult& so_far)> shown{};
};

/// Labels rows round by round. Each round trains the Study's network from its initial weights on the
/// labelled rows and scores it on the test rows. Then it labels the rows of the pool with the largest
/// acquisition values. Inputs are standardised by all training rows, whose inputs are known from the
/// start. Repetitions and functions run in parallel, in the threads of the enclosing Threads::run.
/// @return  empty: stopped
/// @throws Error  for a plan that does not suit the data or the posterior, and if a training diverges
std::optional<LabellingResult> run_active_learning(const ActiveLearningPlan& plan, std::stop_token stop = {},
                                                   const LabellingEvents& events = {});

/// Draws test accuracy (regression: RMSE) and NLL against the number of labelled rows, one curve for
/// each acquisition function: the mean over the repetitions. For three repetitions or more the band
/// is mean ± standard deviation (divisor n − 1), for two it is minimum to maximum. The table has the
/// values of the last round.
Chart learning_chart(const LabellingResult& result);
/// Draws the acquisition values over the plane after a round of the first repetition, for data with
/// two inputs. Labelled rows are filled, the pool is hollow, and the rows to label next are numbered.
/// @param round  0: after the first training
Chart query_map(const LabellingResult& result, Acquisition function, std::size_t round);
/// The queried rows of the first repetition: round, number, row of the training set, class or
/// target, acquisition value.
Chart query_table(const LabellingResult& result, Acquisition function);

/// function, seed, labels, accuracy or rmse, nll: one row for each training.
Table labelling_table(const LabellingResult& result);
/// function, seed, round (0: the starting rows), number, row, acquisition value: one row for each
/// labelled row of all runs, and for the next ones.
Table queries_table(const LabellingResult& result);

}   // namespace credence
