// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/trainer.h"

#include <string>

/// One line on the terminal that is written over and over: "step 1,200 of 5,000 · epoch 60 · 1,850 steps/s · 0:02 left". Silent where standard error
/// is no terminal or a dumb one; never longer than the terminal is wide.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();   ///< wipes the line
    void show(const credence::TrainingProgress& progress);
    void show(const std::string& text);
    void setBeginning(const std::string& text) { m_beginning = text; }   ///< of every line from now on
    void wipe();   ///< until the next one, for a sentence in its place

private:
    bool m_terminal;
    bool m_written = false;
    std::string m_beginning;
};

std::string progressText(const credence::TrainingProgress& progress);

/// "0:06", "1:02:03"
std::string clockText(double seconds);

/// The first `columns` characters of a text in UTF-8, the last of them "…" if some are left out: a longer line would wrap and could not be wiped.
std::string shortened(const std::string& text, std::size_t columns);
