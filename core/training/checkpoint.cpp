// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/checkpoint.h"

#include "foundation/error.h"
#include "posterior/sample_set.h"

#include <algorithm>
#include <limits>

namespace credence {

Checkpoint::Part::Part(Checkpoint* checkpoint, std::string name, Serialise serialise) : checkpoint_(checkpoint)
{
    if (!checkpoint_)
        return;
    auto& found        = checkpoint_->found_;
    const auto of_this = [&](const State& state) { return state.part == name; };
    if (const auto at = std::find_if(found.begin(), found.end(), of_this); at != found.end()) {
        StateBytes state(std::move(at->bytes), checkpoint_->pieces());
        found.erase(at);
        try {
            serialise(state);
            state.end();
        } catch (const Error& error) {
            throw CheckpointError(error.what());
        }
        resumed_ = true;
    }
    checkpoint_->parts_.push_back({std::move(name), std::move(serialise)});
}

Checkpoint::Part::~Part()
{
    if (checkpoint_)
        checkpoint_->parts_.pop_back();
}

void Checkpoint::save_parts(long step)
{
    begin_saving();
    std::vector<State> states;
    for (const Known& part : parts_) {
        StateBytes state(pieces());
        part.serialise(state);
        states.push_back({part.name, state.bytes()});
    }
    save(steps_before_ + step, std::move(states));
}

namespace {

constexpr long most = std::numeric_limits<long>::max();
enum class Kind { none, parameters, draws };

/// Returns the numbers of a posterior as a mutable span. They are only read, since the checkpoint
/// is being written.
std::span<float> passed(std::span<const float> numbers) { return {const_cast<float*>(numbers.data()), numbers.size()}; }

void serialise(StateBytes& state, BlockUncertainty& block)
{
    state.value(block.block);
    state.within(block.kind, 0, static_cast<long>(BlockKind::biases));
    state.value(block.tau);
    state.value(block.rho);
    state.value(block.dropout_rate);
    state.value(block.mean_abs);
    state.value(block.median_sd);
    state.value(block.median_relative_sd);
}

std::shared_ptr<const Posterior> draws_of(StateBytes& state, const Posterior* posterior, const ParameterLayout& layout)
{
    const auto* written = static_cast<const SampleSet*>(posterior);
    SampleOrigin origin = written ? written->origin() : SampleOrigin{};
    std::uint64_t n     = written ? written->n_draws() : 0;
    state.value(n);
    state.list(origin.chains);
    state.list(origin.steps);
    if (written) {
        state.lasting(passed(written->numbers()));
        return nullptr;
    }
    // Each stored draw has an origin, so the number of available bytes limits the number of draws.
    if (n == 0 || (origin.chains.size() != n && origin.steps.size() != n && n > StateBytes::piece))
        throw Error("The saved state has a set of " + std::to_string(n)
                    + " draws without the numbers of their "
                      "chains.");
    aligned_vector<float> numbers(static_cast<std::size_t>(n) * layout.size());
    state.lasting(numbers);
    return std::make_shared<SampleSet>(layout, std::move(numbers), std::move(origin));
}

}   // namespace

void serialise(StateBytes& state, TrainingPoint& point)
{
    state.within(point.step, 0, most);
    state.value(point.epoch);
    state.value(point.seconds);
    state.value(point.learning_rate);
    state.value(point.data_loss);
    state.value(point.kl);
    state.value(point.kl_weight);
    state.value(point.training_error);
    state.value(point.test_error);
    state.list(point.prior);
    state.list(point.layers, [](StateBytes& s, BlockUncertainty& block) { serialise(s, block); });
}

void serialise(StateBytes& state, TrainingHistory& history)
{
    state.list(history, [](StateBytes& s, TrainingPoint& point) { serialise(s, point); });
}

void serialise(StateBytes& state, std::shared_ptr<const Snapshot>& snapshot, const VariationalFamily<float>& family)
{
    Kind kind = Kind::none;
    if (snapshot)
        kind = sample_set_of(*snapshot->posterior) ? Kind::draws : Kind::parameters;
    state.within(kind, 0, static_cast<long>(Kind::draws));
    if (kind == Kind::none) {
        snapshot = nullptr;
        return;
    }
    Snapshot copy = state.reading() ? Snapshot{} : *snapshot;
    serialise(state, copy.point);
    if (kind == Kind::draws) {
        auto read = draws_of(state, copy.posterior.get(), family.layout());
        if (state.reading())
            copy.posterior = std::move(read);
    } else if (state.reading()) {
        std::shared_ptr<VariationalFamily<float>> parameters = family.clone();
        state.lasting(parameters->parameters());
        copy.posterior = std::move(parameters);
    } else {
        state.lasting(passed(copy.posterior->numbers()));
    }
    if (state.reading())
        snapshot = std::make_shared<const Snapshot>(std::move(copy));
}

void serialise(StateBytes& state, std::vector<std::shared_ptr<const Snapshot>>& snapshots,
               const VariationalFamily<float>& family)
{
    state.list(snapshots, [&](StateBytes& s, std::shared_ptr<const Snapshot>& each) { serialise(s, each, family); });
}

void serialise(StateBytes& state, TrainingReport& report, const VariationalFamily<float>& family)
{
    state.within(report.stop, 0, static_cast<long>(StopReason::not_finite));
    state.value(report.message);
    state.within(report.steps, 0, most);
    state.value(report.seconds);
    state.within(report.bad_step, 0, most);
    state.value(report.bad_block);
    serialise(state, report.last, family);
}

}   // namespace credence
