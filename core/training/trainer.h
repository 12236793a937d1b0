// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "foundation/parallel.h"
#include "network/network.h"
#include "posterior/variational_family.h"
#include "training/langevin.h"
#include "training/optimizer.h"
#include "training/snapshot.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace credence {

class Checkpoint;
class StateBytes;

/// With which weight the KL enters beside the mean minibatch loss.
enum class KlWeighting {
    constant,   ///< ν, the same at every step (Posch and Pilz 2021); theory: 1/N
    uniform,   ///< β = 1/M for each of the M minibatches of an epoch (Blundell et al. 2015, (8)); on the mean scale β/m
    geometric,   ///< β_i = 2^{M-i}/(2^M - 1) for minibatch i = 1..M (Blundell et al. 2015, (9)): the first minibatches of an epoch follow the prior
};

/// β_i of minibatch i = 1..M, 0 for weights below the smallest double (M may exceed 1023).
double minibatch_weight(KlWeighting weighting, int i, int M);

struct TrainerOptions {
    long steps                  = 5000;   ///< optimiser steps, not epochs
    double max_seconds          = 0;      ///< stop after this wall time; 0: no limit
    long patience               = 0;      ///< stop after this many steps without a lower smoothed data loss; 0: off
    int batch_size              = 100;    ///< clipped to the size of the training set
    int samples_per_step        = 1;      ///< weight draws averaged in each step, 1–10
    KlWeighting kl_weighting    = KlWeighting::constant;
    double kl_weight            = 0;   ///< constant: ν; else a factor on β, 1 is the ELBO itself
    Complexity::Kind complexity = Complexity::Kind::closed;
    double kl_gradient_limit    = 0;   ///< Steinbrener et al. 2020, section 3.2: 1000; 0: none
    double kappa                = 1;   ///< Posch and Pilz 2021: 50
    double l2                   = 0;   ///< point_estimate, bernoulli_dropout: weight decay
    /// The same with a number for each layer, for its weights and its biases, in place of l2; a shorter list repeats its last number. Empty: l2 for all.
    std::vector<double> layer_l2 = {};
    /// Multiplies the learning rate of the means of biases. Caffe's recipe for LeNet, which Posch and Pilz 2021 follow, names 2 for the bias blob of each layer.
    /// σ, τ and ρ of biases are blobs of their own, which in Caffe have the multiplier 1 unless something else is said: they learn at the plain rate.
    double bias_rate = 1;
    OptimizerOptions optimizer{};
    std::optional<LangevinOptions> langevin =
        {};   ///< moves the parameters in place of the optimiser, with noise: a chain
    ScheduleOptions schedule{};
    std::uint64_t seed      = 1;
    double snapshot_seconds = 0.05;   ///< at most 20 Snapshots a second
    int errors_every        = 1;      ///< the evaluator is asked at every so many-th recorded step, and at the last
    /// What the evaluator looks at: so many rows of the test set, and of the training set, by so many draws. 0 rows: all test rows, and as many training rows.
    /// 1,000 by 8 may be lowered where they are dear beside the training of images, see error_plan in runs/experiment.cpp; any other numbers are kept.
    int error_images = 1000, error_draws = 8;
};

enum class StopReason {
    not_started,
    steps_done,
    time_limit,
    no_progress,
    converged,   ///< chains agree: the stop rule of the Study is met
    cancelled,
    not_finite,
};
const char* sentence_of(StopReason reason);

struct TrainingReport {
    StopReason stop     = StopReason::not_started;
    std::string message = "Training has not started.";
    long steps          = 0;
    double seconds      = 0;   ///< wall time, pauses excluded
    long bad_step       = 0;   ///< not_finite: the first step whose loss or parameters were not finite
    std::string bad_block;     ///< not_finite: the block where it began
    /// The last good one: parameters and loss are finite, and a run that ended not_finite had not begun to run away: its loss was at most ten times the
    /// start's (at least 10 nats) above it, unless it had been higher for more than eight recorded steps in a row.
    std::shared_ptr<const Snapshot> last;
};

struct TrainingProgress {
    long step = 0, steps = 0;
    double epoch            = 0;
    double steps_per_second = 0;
    std::optional<double> seconds_left;
    std::optional<double> curvature =
        {};   ///< share done of the curvature that a Laplace approximation sums after the last step; empty: training itself
};

/// Pause, resume and single step from another thread; acts within one step.
class TrainingControl {
public:
    TrainingControl();
    ~TrainingControl();
    void pause();
    void resume();
    void step_once();   ///< while paused: one step, then pause again
    bool paused() const;
    /// Slow motion: at most so many steps a second from now on; 0: as fast as it goes. Steps wait and do not change: the numbers of the run are the same.
    /// @param steps_per_second  finite, not negative
    void set_rate(double steps_per_second);
    double rate() const;   ///< steps per second; 0: as fast as it goes

    /// Trainer's side: does a step have to ask? While it is paused and in slow motion.
    bool holds_back() const { return paused() || rate() > 0; }
    /// Has a step time to be looked at? While it is paused, and in slow motion of at most 1 / `seconds` steps a second.
    bool shows_each(double seconds) const { return paused() || (rate() > 0 && rate() * seconds <= 1); }
    /// Ends the training at its next moment between two steps, paused or not: nothing that is being computed is cut short, so that it can go on from its checkpoint.
    void leave();
    bool leaves() const;

    /// The same: returns when a step may be made; false if stop was requested, or it leaves.
    bool wait_for_permission(const std::stop_token& stop);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Called on the training thread; must return at once.
struct TrainingEvents {
    std::function<void(std::shared_ptr<const Snapshot>)>
        snapshot;   ///< live, throttled by time; the first is the start, the last is the end
    /// At the recorded steps (0, every steps/200, the last): the same steps in every run of one Study. For the time machine and for files.
    std::function<void(std::shared_ptr<const Snapshot>)> recorded;
    std::function<void(const TrainingProgress&)> progress;   ///< throttled like snapshots
    /// Where the state goes between two steps, and whence it comes if the run goes on after it was interrupted. Borrowed; null: nowhere.
    Checkpoint* checkpoint = nullptr;
};

/// Errors over the training and the test set of a posterior: what TrainingPoint records. Made by the caller, since predictions stand above training.
struct TrainingErrors {
    std::optional<double> training, test;
};
/// Returns early with empty errors if stop is requested.
using Evaluator = std::function<TrainingErrors(std::shared_ptr<const Posterior>, const std::stop_token&)>;

/// What a method does beside the loop.
struct TrainerHooks {
    /// After each step, on the training thread. @param step  finished so far
    std::function<void(long step, const VariationalFamily<float>& now)> after_step;
    /// What Snapshots have in place of the parameters of now, such as the draws kept so far; null: those parameters.
    std::function<std::shared_ptr<const Posterior>(const VariationalFamily<float>& now)> shown;
};

/// Where numbers ceased to be finite.
struct NotFinite {
    long step = 0;       ///< the first step whose loss or parameters were not finite, 1-based
    std::string block;   ///< where it began
};

/// How a training that is driven step by step stands between two steps.
struct TrainerStanding {
    /// The loss of the parameters of now, on the minibatch and with the noise of the last step, is more than ten times the start's (at least 10 nats) above it.
    bool far_from_start = false;
    std::optional<NotFinite> not_finite;   ///< empty: parameters and loss are finite
};

/// Rows of numbers to predict that become more, or change, while a training goes on: those that an agent has gathered. Borrowed.
struct GrowingRows {
    std::span<const float> inputs;    ///< [n × inputs of the net]
    std::span<const float> targets;   ///< [n], as the network sees them; 1 ≤ n < 2^32
};

/// Rows that a training goes on with, in place of those before: of the same features and classes, standardised as these are.
struct RowsFrom {
    long step = 0;   ///< the first step with them is step + 1
    std::shared_ptr<const SplitData> data;
    Evaluator evaluator = {};   ///< of these rows; empty: errors are those of the evaluator before
};

/// One loop for all gradient methods. Same options, data and start: same bits, for any number of threads.
class Trainer {
public:
    /// @param later  rows that come in their place while it trains, by step, none descending. A change ends the epoch: the next minibatch is the first of a permutation
    ///               of its own, `batch_size` is clipped and the KL weighted for the rows of now, and the patience begins anew.
    Trainer(Model model, Prior prior, std::shared_ptr<const SplitData> data,
            std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options, std::vector<RowsFrom> later = {});
    /// Of rows that come as it goes on: `set_rows` says which there are, before the first step and whenever they have changed. Driven by `step` alone.
    /// The minibatch of a step has min(batch_size, n) of the n rows, drawn with replacement: row ⌊n·u/2³²⌋ for word u of the key (seed, minibatches, step). There are no epochs.
    /// KlWeighting::uniform is kl_weight/n beside the mean loss, and a chain samples the posterior given these n rows.
    Trainer(Model model, Prior prior, std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options);
    ~Trainer();
    void set_rows(const GrowingRows& rows);    ///< until they are set again they stay where they are. Allocates nothing
    void set_evaluator(Evaluator evaluator);   ///< called at the recorded steps; without it the errors stay empty
    void set_hooks(TrainerHooks hooks);

    /// Runs in the threads of the enclosing Threads::run, until a stop rule, `stop`, or a loss or parameters that are not finite.
    TrainingReport run(std::stop_token stop = {}, TrainingControl* control = nullptr,
                       const TrainingEvents& events = {});

    /// One optimiser step; returns its mean minibatch loss, nats per example. Allocates nothing after the first.
    double step();
    long steps_done() const;

    // For a loop elsewhere that drives several trainings side by side: `run` records, shows and waits for one alone.
    /// Makes one step. @return  why the training ends with it: steps_done, no_progress, not_finite; empty: it goes on
    std::optional<StopReason> advance();
    /// Looks at the parameters of now by a forward pass. Those of the start count as finite: its first step says what is wrong.
    TrainerStanding standing();
    TrainingPoint point() const;   ///< of now, without KL, errors and layers; seconds are those of `run` alone
    TrainingPoint take_point();    ///< the same with the KL; the mean loss begins anew

    /// Passes the whole state between two steps: parameters, what the updates have learnt, means and limits so far, history, last good snapshot. What is set in another Trainer of the
    /// same model, data, start and options goes on with the same bits. Not for rows that are set.
    void serialise(StateBytes& state);

    const VariationalFamily<float>& posterior() const;
    const TrainingHistory& history() const;   ///< the recorded steps

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}   // namespace credence
