// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "runs/train.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

// Methods whose posterior is a set of draws, made by several trainings one after the other.
namespace credence::method_parts {

/// The draws of a run, in one memory that all sets made of them on the way share.
class KeptDraws {
public:
    /// @param most  draws that there will be
    KeptDraws(const ParameterLayout& layout, std::size_t most);

    /// Keeps these weights, unless one of them is not finite: then the training is about to end and to say so.
    void keep(std::span<const float> weights, int chain, long step);
    std::size_t count() const { return origin_.steps.size(); }
    /// Null: none are kept yet.
    std::shared_ptr<const SampleSet> set() const;
    /// These weights as one more draw, which is not kept.
    std::shared_ptr<const SampleSet> set_with(std::span<const float> weights, int chain, long step) const;

private:
    ParameterLayout layout_;
    std::shared_ptr<aligned_vector<float>> memory_;
    SampleOrigin origin_;
    mutable std::shared_ptr<const SampleSet> set_;   // of now; null: not made yet
};

/// Trainings one after the other, as one: steps, epochs and seconds go on counting, and progress is that of the whole.
class JoinedTraining {
public:
    JoinedTraining(long steps_of_all, TrainingEvents events) : steps_of_all_(steps_of_all), events_(std::move(events))
    {}

    /// @return  false: the whole ends here, since it was cancelled, a number was not finite, or the time is over
    bool run(Trainer& trainer, const std::stop_token& stop, TrainingControl* control);
    long steps() const { return whole_.report.steps; }
    double seconds() const { return whole_.report.seconds; }
    StopReason stop() const { return whole_.report.stop; }
    Training& result() { return whole_; }

private:
    std::shared_ptr<const Snapshot> moved(const std::shared_ptr<const Snapshot>& part);
    TrainingPoint moved(TrainingPoint point) const;

    long steps_of_all_;
    TrainingEvents events_;
    Training whole_;
    double epochs_ = 0;
    std::vector<std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>>> newest_;   // part, whole
};

/// Keeps these weights as a draw of the chain of now, after the step of now.
using Keep = std::function<void(std::span<const float> weights)>;

/// Chains, or the members of an ensemble.
struct Chains {
    int count = 1;
    TrainerOptions options;         ///< of each; its seed is seed_of_chain's
    long warm_up         = 0;       ///< steps of Adam to the maximum of the posterior before each; 0: none
    bool starts_in_prior = false;   ///< else at the network's initialisation
    std::size_t draws    = 1;       ///< of each
    std::vector<long>
        kept;   ///< steps after which `keep` is called, rising; empty: after the last one, whichever it is
    /// Keeps what is to be kept of the state of now; empty: its means.
    std::function<void(const VariationalFamily<float>& now, std::uint64_t seed, const Keep& keep)> keep = {};
    const char* one = "chain";   ///< what messages call each
};
/// The chains that the settings of chain_settings.h describe, under the Study's prior.
Chains chains_of(const Experiment& experiment, const LangevinOptions& langevin);

/// Where chain k begins: a draw from the prior or the network's initialisation, as the Study says. [weights]
std::vector<float> starting_weights(const Experiment& experiment, int k);

/// Runs them one after the other. Snapshots have the draws kept so far, before any the state of now; those of an ensemble the members so far and the one in training.
/// What is stopped keeps the draws that it has.
Training run_chains(const Experiment& experiment, const Chains& chains, std::stop_token stop, TrainingControl* control,
                    const TrainingEvents& events);

}   // namespace credence::method_parts
