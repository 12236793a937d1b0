// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/displayed_run.h"
#include "session/trainings.h"

#include <memory>
#include <optional>
#include <vector>

/// Is `after` the same Study as `before` up to this training step, with at most later point
/// changes?
bool isSameUntil(const credence::Study& before, const credence::Study& after, long step);

/// Runs held between two steps because their points change: the one that the next start continues,
/// and earlier ones, which undo restores with their networks.
class PausedRuns {
public:
    /// Holds a run. @param shown  as displayed, with its report. @param left  its checkpoint of
    /// that step
    void hold(DisplayedRun shown, LeftRun left, bool wasRunning);
    /// Saves a state for undo and redo. @param shown  with its report
    void remember(DisplayedRun shown, std::shared_ptr<const CheckpointSlot::Files> files);
    /// Undo and redo: holds a run of this Study again. @return  false: there was none, or no folder
    /// for its checkpoint
    bool bringBack(const credence::Study& study, bool wasRunning);
    /// Was a run of this Study held that differs from the current one in points changed during
    /// training?
    bool stood(const credence::Study& study, const credence::Study& now) const;

    /// The held run that a start with this Study would continue; null: none.
    const DisplayedRun* pausedRunOf(const credence::Study& study) const;
    bool any() const { return m_paused.has_value(); }
    long step() const { return m_paused->shown.report->steps; }                          ///< @pre any
    const credence::Study& study() const { return m_paused->shown.experiment->study; }   ///< @pre any
    /// The rows on which it was trained until it was held. @pre any
    const std::shared_ptr<const credence::SplitData>& data() const { return m_paused->shown.experiment->data; }
    bool wasRunning() const { return m_paused && m_paused->wasRunning; }
    /// Releases the held run and its checkpoint to the caller. `files` is null if the checkpoint is
    /// already in its folder. @pre any
    LeftRun goOn();
    void drop();         ///< Drops the held run.
    QString release();   ///< Stops the held run; its folder keeps the checkpoint. @return  the folder's name

private:
    struct PausedRun {
        DisplayedRun shown;
        LeftRun left;   ///< with `files` if they must be written first
        bool wasRunning = false;
    };
    struct Before {
        DisplayedRun shown;
        std::shared_ptr<const CheckpointSlot::Files> files;   ///< of its checkpoint
    };
    std::optional<PausedRun> m_paused;
    std::vector<Before> m_before;   // newest last
};
