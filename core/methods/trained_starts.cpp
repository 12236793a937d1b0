// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/trained_starts.h"

#include "foundation/error.h"
#include "methods/chain_walk.h"

namespace credence::method_parts {
namespace {

/// The trainings to the starting points, which are not recorded.
class WaysToStarts final : public Walkers {
public:
    WaysToStarts(const Experiment& experiment, const Chains& chains, int count) : warm_up_(chains.warm_up)
    {
        for (int k = 0; k < count; ++k)
            walks_.push_back(std::make_unique<ChainWalk>(
                experiment, chains, k, starting_weights(experiment, chains.start, k), chains.warm_up, nullptr));
    }

    std::size_t count() const override { return walks_.size(); }
    long done(std::size_t k) const override { return walks_[k]->done(); }
    bool ended(std::size_t k) const override { return walks_[k]->ended(); }
    void step(std::size_t k) override { walks_[k]->step(); }
    long next_meeting(long) const override { return warm_up_; }
    std::optional<StopReason> met(long) override { return {}; }
    void show() override {}
    void tell_progress() const override {}

    void serialise(StateBytes& state)
    {
        for (const auto& walk : walks_)
            walk->serialise(state);
    }

    std::vector<float> end_of(std::size_t k)
    {
        if (const auto bad = walks_[k]->trainer().standing().not_finite)
            throw Error(
                "Chain " + std::to_string(k + 1)
                + ": on the way to its trained start the loss or the parameters became NaN or infinite, first at step "
                + std::to_string(bad->step) + " in " + bad->block + ".");
        const auto weights = walks_[k]->weights();
        return {weights.begin(), weights.end()};
    }

private:
    long warm_up_;
    std::vector<std::unique_ptr<ChainWalk>> walks_;
};

}   // namespace

std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint)
{
    std::vector<std::vector<float>> starts;
    const bool one = chains.start == ChainStart::one_trained;
    if (!one && chains.start != ChainStart::trained) {
        for (int k = 0; k < chains.count; ++k)
            starts.push_back(starting_weights(experiment, chains.start, k));
        return starts;
    }
    WaysToStarts ways(experiment, chains, one ? 1 : chains.count);
    const Checkpoint::Part part(checkpoint, "ways to the starts", [&](StateBytes& state) {
        time.serialise(state);
        ways.serialise(state);
    });
    if (walk_side_by_side(ways, time, stop, control, checkpoint) != StopReason::steps_done)
        return {};
    for (int k = 0; k < chains.count; ++k)
        starts.push_back(one && k > 0 ? starts.front() : ways.end_of(static_cast<std::size_t>(k)));
    return starts;
}

}   // namespace credence::method_parts
