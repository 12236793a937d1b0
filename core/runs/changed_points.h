// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "study/study.h"

#include <string>
#include <vector>

namespace credence {

/// Returns the data behind a change of their points. Scales stay those of the data at the beginning, so that the net goes on seeing what it saw; rows that came are training rows behind
/// the others; of each point that went, one row goes, of the training part if it is there, else of the test part. So no row changes from one part to the other.
/// @param before  points in the plane with classes, or of a curve
/// @throws Error  (field "data.changes") for a class that the net has no output for, a point that is not there, fewer than two training rows left
SplitData with_change(const SplitData& before, const PointsChange& change);

/// Returns the rows as points, in their order.
std::vector<DrawnPoint> points_of(const Dataset& data);

/// Returns the Study that has all points of these data from its start, drawn, and no changes.
Study with_points_from_start(Study study, const SplitData& data);

/// Tells what has changed until a step: "Points changed at step 1,200 (3 added, 1 erased)."; empty: nothing
std::string changes_in_words(const DataSpec& data, long step);

}   // namespace credence
