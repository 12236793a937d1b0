// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/run_place.h"
#include "session/shown_run.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Is `after` the same Study as `before`, up to this step of its training: do at most its points change later?
bool isSameUntil(const credence::Study& before, const credence::Study& after, long step);

/// Runs that stand between two steps because their points change: the one that the next start goes on with, and those before it, which undo brings back with their nets.
class HeldRuns {
public:
    /// A run stands. @param shown  as it is on show, its report behind it. @param place  its checkpoint of that step
    void hold(ShownRun shown, std::unique_ptr<RunPlace> place, bool wasRunning);
    /// Undo: a run of this Study stood once; it stands again. @return  false: none stood, or its checkpoint cannot be written
    bool bringBack(const credence::Study& study, bool wasRunning);
    bool stood(const credence::Study& study,
               const credence::Study& now) const;   ///< and its points are the others of now?

    /// What stands, if a start with this Study goes on with it; null: nothing.
    const ShownRun* standing(const credence::Study& study) const;
    bool any() const { return m_standing.has_value(); }
    long step() const { return m_standing->shown.report->steps; }                          ///< @pre any
    const credence::Study& study() const { return m_standing->shown.experiment->study; }   ///< @pre any
    /// The rows that it was trained on until it stood. @pre any
    const std::shared_ptr<const credence::SplitData>& data() const { return m_standing->shown.experiment->data; }
    bool wasRunning() const { return m_standing && m_standing->wasRunning; }
    /// It goes on: its checkpoint is the caller's. @pre any
    std::unique_ptr<RunPlace> goOn();
    void drop();         ///< nothing goes on with it
    QString release();   ///< it is stopped; its place keeps its state. @return the name of it

private:
    struct Standing {
        ShownRun shown;
        std::unique_ptr<RunPlace> place;
        bool wasRunning = false;
    };
    struct Before {
        ShownRun shown;
        std::map<std::string, std::string> files;   ///< of its checkpoint, by name
    };
    std::optional<Standing> m_standing;
    std::vector<Before> m_before;   // newest last
};
