// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "foundation/state_bytes.h"

#include <functional>
#include <string>
#include <vector>

namespace credence {

/// A state that was found does not fit the run that should go on from it. The run can begin anew.
class CheckpointError : public Error {
public:
    using Error::Error;
};

/// Where the state of a run goes between two steps, and whence it comes when the run goes on after it was interrupted. All of it on the training thread.
///
/// What has a state makes a Part of it for as long as it runs; its loop calls `between_steps`. A part that was found is set at once where it is made, so that a run that goes on takes the
/// same way as one that begins, only from another place.
class Checkpoint {
public:
    struct State {
        std::string part, bytes;
    };
    using Serialise = std::function<void(StateBytes&)>;

    /// Something that has a state. Parts end in the reverse order in which they begin.
    class Part {
    public:
        /// @param checkpoint  null: nothing is kept, nothing was found
        /// @param serialise   passes its state, for as long as the part lives
        /// @throws CheckpointError  what was found does not fit
        Part(Checkpoint* checkpoint, std::string name, Serialise serialise);
        ~Part();
        Part(const Part&)            = delete;
        Part& operator=(const Part&) = delete;

        bool goes_on() const { return goes_on_; }   ///< its state was found and is set

    private:
        Checkpoint* checkpoint_;
        bool goes_on_ = false;
    };

    /// @param found  the parts of the run that was interrupted; empty: it begins
    explicit Checkpoint(std::vector<State> found = {}) : found_(std::move(found)) {}
    virtual ~Checkpoint()                    = default;
    Checkpoint(const Checkpoint&)            = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    /// Everything stands between two steps: all parts are saved, if it is time to. @param step  finished so far, as progress tells it
    void between_steps(long step)
    {
        if (is_due(steps_before_ + step))
            save_parts(step);
    }
    /// The run ends here since it was asked to, and could go on: all parts are saved.
    void at_stop(long step) { save_parts(step); }
    /// So many steps of the run came before those that the loop of now counts.
    void count_from(long steps_before) { steps_before_ = steps_before; }

protected:
    virtual bool is_due(long step) = 0;
    virtual void begin_saving() {}   ///< before the parts are asked
    virtual void save(long step, std::vector<State> parts) = 0;
    virtual StateBytes::Pieces* pieces()                   = 0;   ///< may be null

private:
    void save_parts(long step);

    struct Known {
        std::string name;
        Serialise serialise;
    };
    std::vector<State> found_;
    std::vector<Known> parts_;
    long steps_before_ = 0;
};

}   // namespace credence
