// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"
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

/// Weight of the KL relative to the mean minibatch loss.
enum class KlWeighting {
    constant,   ///< ν, the same at every step (Posch and Pilz 2021); theory: 1/N
    uniform,   ///< β = 1/M for each of the M minibatches of an epoch (Blundell et al. 2015, (8)); on the mean scale β/m
    /// β_i = 2^{M-i}/(2^M - 1) for minibatch i = 1..M (Blundell et al. 2015, (9)): the first
    /// minibatches of an epoch follow the prior
    geometric,
};

/// β_i of minibatch i = 1..M, 0 for weights below the smallest double (M may exceed 1023).
double minibatch_weight(KlWeighting weighting, int i, int M);

struct TrainerOptions {
    long steps                  = 5000;   ///< optimiser steps, not epochs
    double max_seconds          = 0;      ///< stop after this wall time; 0: no limit
    long patience               = 0;      ///< stop after this many steps without a lower smoothed data loss; 0: off
    int batch_size              = 100;    ///< clipped to the size of the training set
    int samples_per_step        = 1;      ///< weight samples averaged in each step, 1–10
    KlWeighting kl_weighting    = KlWeighting::constant;
    double kl_weight            = 0;   ///< constant: ν; otherwise a factor on β, 1 is the ELBO (a Study's default)
    Complexity::Kind complexity = Complexity::Kind::closed;
    double kl_gradient_limit    = 0;   ///< Steinbrener et al. 2020, section 3.2: 1000; 0: none
    double kappa                = 1;   ///< Posch and Pilz 2021: 50
    double l2                   = 0;   ///< point_estimate, bernoulli_dropout: weight decay
    /// Weight decay per layer, for its weights and biases, instead of l2; a shorter list repeats
    /// its last number. Empty: l2 for all.
    std::vector<double> layer_l2 = {};
    /// Multiplies the learning rate of the means of biases. Caffe's recipe for LeNet, which Posch
    /// and Pilz 2021 follow, has 2 for the bias blob of each layer.
    /// σ, τ and ρ of biases are separate blobs, with Caffe's default multiplier 1: they use the
    /// unscaled rate.
    double bias_rate = 1;
    OptimizerOptions optimizer{};
    std::optional<LangevinOptions> langevin = {};   ///< replaces the optimiser by an update with noise: a chain
    ScheduleOptions schedule{};
    std::uint64_t seed      = 1;
    double snapshot_seconds = 0.05;   ///< at most 20 Snapshots a second
    int errors_every        = 1;      ///< interval of recorded steps at which the evaluator is called; also at the last
    /// Numbers of rows (of the test set and of the training set) and of samples used by the
    /// evaluator. 0 rows: all test rows, and as many training rows.
    /// The default 1,000 × 8 can be lowered if it is expensive compared with training on images,
    /// see error_plan in runs/experiment.cpp; other numbers are used unchanged.
    int error_images = 1000, error_draws = 8;
};

enum class StopReason {
    not_started,
    steps_done,
    time_limit,
    no_progress,
    converged,   ///< the chains meet the stopping rule of the Study
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
    std::string bad_block;     ///< not_finite: the first block with a value that is not finite
    /// The last good snapshot: its parameters and loss are finite. If the run ended not_finite, its
    /// loss exceeded the initial loss by at most ten times (at least 10 nats), or had been higher
    /// for more than eight consecutive recorded steps.
    std::shared_ptr<const Snapshot> last;
};

struct TrainingProgress {
    long step = 0, steps = 0;
    double epoch            = 0;
    double steps_per_second = 0;
    std::optional<double> seconds_left;
    std::optional<double> curvature =
        {};   ///< share of the curvature computed after the last step (Laplace approximation); empty: still training
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
    /// Slow motion: limits the steps per second from now on; 0: no limit. Steps are delayed but
    /// unchanged, so the numbers of the run are the same.
    /// @param steps_per_second  finite, not negative
    void set_rate(double steps_per_second);
    double rate() const;   ///< steps per second; 0: no limit

    /// For the Trainer: true if a step must ask for permission, that is if paused or in slow
    /// motion.
    bool holds_back() const { return paused() || rate() > 0; }
    /// True if steps are slow enough to show each one: paused, or in slow motion with at most 1 /
    /// `seconds` steps per second.
    bool shows_each(double seconds) const { return paused() || (rate() > 0 && rate() * seconds <= 1); }
    /// Ends the training between two steps, paused or not. No computation is interrupted, so the
    /// run can be resumed from its checkpoint.
    void leave();
    bool leaves() const;

    /// Waits while paused or slowed down. Returns when a step is allowed; false if stop was requested
    /// or the training is leaving.
    bool wait_for_permission(const std::stop_token& stop);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Callbacks of a training, called on the training thread. They must return at once.
struct TrainingEvents {
    std::function<void(std::shared_ptr<const Snapshot>)>
        snapshot;   ///< live, throttled by time; includes the start and the end
    /// At the recorded steps (0, every steps/200, the last), which are the same in every run of a
    /// Study. Used for the step slider and for files.
    std::function<void(std::shared_ptr<const Snapshot>)> recorded;
    std::function<void(const TrainingProgress&)> progress;   ///< throttled like snapshots
    /// Saves the state between two steps and restores it on resume. Not owned; null: no
    /// checkpoints.
    Checkpoint* checkpoint = nullptr;
};

/// Errors at a recorded step; empty: not computed.
struct TrainingErrors {
    std::optional<double> training, test;
};
/// Returns early with empty errors if stop is requested.
using Evaluator = std::function<TrainingErrors(std::shared_ptr<const Posterior>, const std::stop_token&)>;

/// Hooks for methods that extend the loop.
struct TrainerHooks {
    /// After each step, on the training thread. @param step  steps finished so far
    std::function<void(long step, const VariationalFamily<float>& now)> after_step;
    /// Returns the posterior that Snapshots contain instead of the current parameters, for example
    /// the draws stored so far; null: those parameters.
    std::function<std::shared_ptr<const Posterior>(const VariationalFamily<float>& now)> shown;
    /// True if another training follows. A stop during the record of the last step then cancels the
    /// run, and the resumed run makes that record.
    bool is_followed = false;
};

/// Where values became NaN or infinite.
struct NotFinite {
    long step = 0;       ///< the first step whose loss or parameters were not finite, 1-based
    std::string block;   ///< the first block with a value that is not finite
};

/// State of a training between two steps, for a caller that drives it step by step.
struct TrainerStatus {
    /// True if the loss of the current parameters, on the minibatch and with the noise of the last
    /// step, exceeds the initial loss by more than ten times (at least 10 nats).
    bool far_from_start = false;
    std::optional<NotFinite> not_finite;   ///< empty: parameters and loss are finite
};

/// Regression rows that grow or change during training, such as those gathered by an agent. Not
/// owned.
struct GrowingRows {
    std::span<const float> inputs;    ///< [n × inputs of the network]
    std::span<const float> targets;   ///< [n], as the network sees them; 1 ≤ n < 2^32
};

/// Rows that replace the previous ones during training. They have the same features and classes and
/// are standardised in the same way.
struct RowsFrom {
    long step = 0;   ///< the first step with them is step + 1
    std::shared_ptr<const SplitData> data;
    Evaluator evaluator = {};   ///< for these rows; empty: the previous evaluator stays in use
};

/// The common loop of all gradient methods. The same options, data and initial state give the same
/// bits on any number of threads.
class Trainer {
public:
    /// @param later  rows that replace the data during training, in ascending order of steps. A
    /// change ends the epoch: the next minibatch is the first of a new permutation, `batch_size`
    /// and the KL weight adapt to the new rows, and the patience starts again.
    Trainer(Model model, Prior prior, std::shared_ptr<const SplitData> data,
            std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options, std::vector<RowsFrom> later = {});
    /// For rows that arrive during training: call `set_rows` before the first step and whenever
    /// they change. Driven by `step` only.
    /// The minibatch of a step has min(batch_size, n) of the n rows, drawn with replacement: row
    /// ⌊n·u/2³²⌋ for word u of the key (seed, minibatches, step). There are no epochs.
    /// KlWeighting::uniform is kl_weight/n relative to the mean loss, and a chain samples the
    /// posterior given these n rows.
    Trainer(Model model, Prior prior, std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options);
    ~Trainer();
    void set_rows(const GrowingRows& rows);   ///< must stay valid until they are set again. Allocates nothing
    /// Called at the recorded steps; without an evaluator, the errors stay empty
    void set_evaluator(Evaluator evaluator);
    void set_hooks(TrainerHooks hooks);

    /// Runs in the threads of the enclosing Threads::run until the last step, a stopping rule, a
    /// `stop` request, or a loss or parameter that is not finite.
    TrainingReport run(std::stop_token stop = {}, TrainingControl* control = nullptr,
                       const TrainingEvents& events = {});

    /// One optimiser step; returns its mean minibatch loss, nats per example. Allocates nothing
    /// after the first.
    double step();
    long steps_done() const;

    // For an external loop that drives several trainings in parallel; `run` records, shows and
    // pauses a single training.
    /// Makes one step.
    /// @return  why the training ends with this step: steps_done, no_progress, not_finite; empty:
    /// it continues
    std::optional<StopReason> advance();
    /// Evaluates the current parameters with a forward pass. The initial parameters count as
    /// finite: the first step reports their errors.
    TrainerStatus status();
    TrainingPoint point() const;    ///< current, without KL, errors and layers; seconds count `run` only
    TrainingPoint finish_point();   ///< the same with the KL; starts a new mean loss

    /// Reads or writes the whole state between two steps: parameters, optimiser state, running
    /// means and limits, history, last good snapshot. Restored in another Trainer with the same
    /// model, data, start and options, training continues with the same bits. Not for rows set by
    /// `set_rows`.
    void serialise(StateBytes& state);

    const VariationalFamily<float>& posterior() const;
    const TrainingHistory& history() const;   ///< the recorded steps

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}   // namespace credence
