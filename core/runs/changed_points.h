// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"
#include "study/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Returns the data after a change of their points. Added points become the last training rows.
/// Each erased point removes one row, from the training part if possible, otherwise from the test
/// part. No row moves between the parts, and the initial scales are kept, so that the network's
/// view of old rows does not change.
/// @param before  points in the plane with classes, or of a curve
/// @throws Error  (field "data.changes") for a class without a network output, a missing point, or
/// fewer than two remaining training rows
SplitData with_change(const SplitData& before, const PointsChange& change);

/// Splits a table whose first rows are training rows and whose other rows are test rows;
/// standardises as `split` does.
/// @param n_training  at least 1
SplitData split_before(const Dataset& all, std::size_t n_training, SplitOptions options);

/// Returns the rows as points, in their order.
std::vector<DrawnPoint> points_of(const Dataset& data);

/// Returns true if every test row of these data is also a test row of `before`, and every
/// calibration row also a calibration row. A network trained on `before` has then seen none of them.
bool keeps_test_rows_of(const SplitData& before, const SplitData& data);

/// Returns a Study that has these training and test rows from the first step, as drawn points,
/// without changes.
Study with_points_from_start(Study study, const SplitData& data);

/// Returns which points of `after` are not in `before`, and vice versa. The step is 0.
PointsChange change_between(const SplitData& before, const SplitData& after);

/// The sentence in a report of a run that continued from a trained network, and whether a report
/// has it, including the wording of earlier versions.
inline constexpr std::string_view continued_words =
    "It continued from the network that was trained before points were drawn or erased";
bool continued_network(const TrainingReport& report);

/// Returns the changes up to a step: "Points changed at step 1,200 (3 added, 1 erased)."; empty:
/// none
std::string changes_in_words(const DataSpec& data, long step);

}   // namespace credence
