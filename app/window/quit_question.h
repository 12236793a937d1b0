// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QWidget;
class UnfinishedWork;

/// Asks whether the window may close while work is in progress, in a non-modal dialog. Asked again,
/// it shows the same dialog.
/// @param quit  called if it may; discarded work has been dropped by then
void askToQuit(const UnfinishedWork& work, QWidget* window, std::function<void()> quit);
