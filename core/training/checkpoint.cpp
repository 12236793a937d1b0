// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/checkpoint.h"

#include <algorithm>

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
        goes_on_ = true;
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

}   // namespace credence
