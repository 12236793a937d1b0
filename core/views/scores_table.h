// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

namespace credence {

/// Scores of a run on its test set (training set where there is no test set): name, value, unit.
/// @param options  of classes: samples and rows, as views of the whole test set take them
Table scores(const RunMoment& moment, std::stop_token stop = {}, const ViewOptions& options = {});

}   // namespace credence
