// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/progress.h"
#include "training/run_plan.h"
#include "training/trainer.h"

#include <functional>
#include <string>

/// A status line in the terminal that is overwritten: "step 1,200 of 5,000 · epoch 60 · 1,850
/// steps/s · 0:02 left". Silent if standard error is not a terminal or a dumb one; never wider than
/// the terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();   ///< clears the line
    void show(const std::string& text);
    void setBeginning(const std::string& text) { m_beginning = text; }   ///< prefix of every line from now on
    void wipe();   ///< clears the line until the next update, so that a sentence can be printed

private:
    bool m_terminal;
    bool m_written = false;
    std::string m_beginning;
};

/// @param plan  of the run: chains show draws instead of epochs
std::string progressText(const credence::TrainingProgress& progress, const credence::RunPlan& plan);

/// Returns a ProgressScope callback (foundation/progress.h) that shows "what · 40 % · 0:12 left",
/// at most ten times a second. The line must outlive it.
std::function<void(double share)> shareOn(ProgressLine& line, const std::string& what);

/// "40 % · 0:12 left"; unknown parts are omitted
std::string shareText(const credence::WorkProgress::State& state);

/// "0:06", "1:02:03"
std::string clockText(double seconds);

/// Returns the first `columns` characters of a UTF-8 text, with "…" as the last if it was cut. A
/// longer line would wrap and could not be cleared.
std::string shortened(const std::string& text, std::size_t columns);
