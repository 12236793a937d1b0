// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "study/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Returns the data after a change of their points. Added points become the last training rows. For each erased point one row is removed, from the training part if it is there, else
/// from the test part. No row changes from one part to the other, and the scales stay those of the first data, so that the network sees old rows as before.
/// @param before  points in the plane with classes, or of a curve
/// @throws Error  (field "data.changes") for a class that the net has no output for, a point that is not there, fewer than two training rows left
SplitData with_change(const SplitData& before, const PointsChange& change);

/// Returns data whose first rows are for training and whose others are test rows, standardised as `split` does. @param n_training  at least 1
SplitData split_before(const Dataset& all, std::size_t n_training, SplitOptions options);

/// Returns the rows as points, in their order.
std::vector<DrawnPoint> points_of(const Dataset& data);

/// Returns whether every test row of these data is one of `before`: then a network that was trained on `before` has seen none of them.
bool keeps_test_rows_of(const SplitData& before, const SplitData& data);

/// Returns the Study that has these training and test rows from its start, as drawn points, and no changes.
Study with_points_from_start(Study study, const SplitData& data);

/// Returns which points of `after` are not in `before`, and the other way round. The step is 0.
PointsChange change_between(const SplitData& before, const SplitData& after);

/// What a report says of a run that started from a trained network, and whether it does, also in the words of earlier builds.
inline constexpr std::string_view continued_words =
    "It continued from the network that was trained before points were drawn or erased";
bool continued_network(const TrainingReport& report);

/// Tells what has changed until a step: "Points changed at step 1,200 (3 added, 1 erased)."; empty: nothing
std::string changes_in_words(const DataSpec& data, long step);

}   // namespace credence
