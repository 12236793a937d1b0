// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/shown_run.h"
#include "session/training_run.h"

#include <memory>
#include <optional>
#include <vector>

/// Is `after` the same Study as `before`, up to this step of its training: do at most its points change later?
bool isSameUntil(const credence::Study& before, const credence::Study& after, long step);

/// Runs that stand between two steps because their points change: the one that the next start goes on with, and those before it, which undo brings back with their nets.
class HeldRuns {
public:
    /// A run stands. @param shown  as it is on show, with its report. @param left  its checkpoint of that step
    void hold(ShownRun shown, LeftRun left, bool wasRunning);
    /// Keeps a state that undo and redo come back to. @param shown  with its report
    void remember(ShownRun shown, std::shared_ptr<const RunPlace::Files> files);
    /// Undo and redo: a run of this Study stood once; it stands again. @return  false: none stood, or there is no place for its checkpoint
    bool bringBack(const credence::Study& study, bool wasRunning);
    /// Did a run of this Study stand, which differs from the current one in points that changed during training?
    bool stood(const credence::Study& study, const credence::Study& now) const;

    /// What stands, if a start with this Study goes on with it; null: nothing.
    const ShownRun* standing(const credence::Study& study) const;
    bool any() const { return m_standing.has_value(); }
    long step() const { return m_standing->shown.report->steps; }                          ///< @pre any
    const credence::Study& study() const { return m_standing->shown.experiment->study; }   ///< @pre any
    /// The rows that it was trained on until it stood. @pre any
    const std::shared_ptr<const credence::SplitData>& data() const { return m_standing->shown.experiment->data; }
    bool wasRunning() const { return m_standing && m_standing->wasRunning; }
    /// It is continued: its checkpoint is the caller's. `files` is null where the checkpoint is in its place already. @pre any
    LeftRun goOn();
    void drop();         ///< nothing goes on with it
    QString release();   ///< it is stopped; its place keeps its state. @return the name of it

private:
    struct Standing {
        ShownRun shown;
        LeftRun left;   ///< `files` where they have to be written first
        bool wasRunning = false;
    };
    struct Before {
        ShownRun shown;
        std::shared_ptr<const RunPlace::Files> files;   ///< of its checkpoint
    };
    std::optional<Standing> m_standing;
    std::vector<Before> m_before;   // newest last
};
