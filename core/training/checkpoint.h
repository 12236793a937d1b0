// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "foundation/state_bytes.h"
#include "posterior/variational_family.h"
#include "training/trainer.h"

#include <functional>
#include <string>
#include <vector>

namespace credence {

/// A saved state does not match the run that should resume from it. The run can start from the
/// beginning.
class CheckpointError : public Error {
public:
    using Error::Error;
};

/// Saves the run's state between steps and restores it on resume, both on the training thread.
///
/// Each object with a state creates a Part that exists while the object runs; its loop calls
/// `between_steps`. A saved part is restored when it is created, so a resumed run follows the same
/// code path as a new one, from another starting point.
class Checkpoint {
public:
    struct State {
        std::string part, bytes;
    };
    using Serialise = std::function<void(StateBytes&)>;

    /// The state of one object. Parts are destroyed in the reverse order of their creation.
    class Part {
    public:
        /// @param checkpoint  null: nothing is saved or restored
        /// @param serialise   reads or writes its state; valid as long as the part lives
        /// @throws CheckpointError  the saved state does not match
        Part(Checkpoint* checkpoint, std::string name, Serialise serialise);
        ~Part();
        Part(const Part&)            = delete;
        Part& operator=(const Part&) = delete;

        bool resumed() const { return resumed_; }   ///< true if its state was found and restored

    private:
        Checkpoint* checkpoint_;
        bool resumed_ = false;
    };

    /// @param found  the parts of an interrupted run; empty: a new run
    explicit Checkpoint(std::vector<State> found = {}) : found_(std::move(found)) {}
    virtual ~Checkpoint()                    = default;
    Checkpoint(const Checkpoint&)            = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    /// Called between two steps: saves all parts if a checkpoint is due.
    /// @param step  number of finished steps, as reported by progress
    void between_steps(long step)
    {
        if (is_due(steps_before_ + step))
            save_parts(step);
    }
    /// Called when the run is stopped on request and could be resumed: saves all parts.
    void at_stop(long step) { save_parts(step); }
    /// Sets the number of steps before those counted by the current loop.
    void count_from(long steps_before) { steps_before_ = steps_before; }
    long steps_before() const { return steps_before_; }

protected:
    virtual bool is_due(long step) = 0;
    virtual void begin_saving() {}   ///< called before the parts are serialised
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

// Reads and writes the results of a training with StateBytes.

void serialise(StateBytes& state, TrainingPoint& point);
void serialise(StateBytes& state, TrainingHistory& history);
/// A snapshot of a family's parameters or of a set of draws; may be null. Statistics of Hamiltonian
/// chains (SampleOrigin::statistics) are not stored with it; those of the last snapshot are
/// recomputed at the end.
/// @param family  kind of the parameters
void serialise(StateBytes& state, std::shared_ptr<const Snapshot>& snapshot, const VariationalFamily<float>& family);
void serialise(StateBytes& state, std::vector<std::shared_ptr<const Snapshot>>& snapshots,
               const VariationalFamily<float>& family);
/// Includes its last snapshot.
void serialise(StateBytes& state, TrainingReport& report, const VariationalFamily<float>& family);

}   // namespace credence
