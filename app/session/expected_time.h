// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QString>

#include <optional>

class SavedRuns;

/// The time that a whole run of this Study is expected to take, in seconds: the median time per step of up to
/// five newest runs in the program's own folder that finished with the same data, network and method, times the
/// number of steps. Other numbers of steps, seeds and schedules are allowed.
/// @return  empty: there is no such run
std::optional<double> expectedTime(const credence::Study& study, const SavedRuns& runs);

/// "≈ 4 s", "≈ 12 min", "≈ 4.5 h"
QString expectedTimeText(double seconds);
