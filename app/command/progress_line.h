// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/progress.h"
#include "training/run_plan.h"
#include "training/trainer.h"

#include <functional>
#include <string>

/// One line on the terminal that is written over and over: "step 1,200 of 5,000 · epoch 60 · 1,850 steps/s · 0:02 left". Silent where standard error
/// is no terminal or a dumb one; never longer than the terminal is wide.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();   ///< wipes the line
    void show(const std::string& text);
    void setBeginning(const std::string& text) { m_beginning = text; }   ///< of every line from now on
    void wipe();   ///< until the next one, for a sentence in its place

private:
    bool m_terminal;
    bool m_written = false;
    std::string m_beginning;
};

/// @param plan  of the run: of chains their draws are told in place of epochs
std::string progressText(const credence::TrainingProgress& progress, const credence::RunPlan& plan);

/// What a ProgressScope (foundation/progress.h) may tell: shows "what · 40 % · 0:12 left" on a line that outlives it, ten times a second at most.
std::function<void(double share)> shareOn(ProgressLine& line, const std::string& what);

/// "40 % · 0:12 left", as far as it is known
std::string shareText(const credence::WorkProgress::State& state);

/// "0:06", "1:02:03"
std::string clockText(double seconds);

/// The first `columns` characters of a text in UTF-8, the last of them "…" if some are left out: a longer line would wrap and could not be wiped.
std::string shortened(const std::string& text, std::size_t columns);
