// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <optional>
#include <vector>

namespace credence {

/// Returns the test rows of drawn points if the Study lists them (data.test_points in JSON); then
/// all of `data.points` are training rows. Empty: the Study's split chooses the test rows. They are
/// stored in DataSpec::own, packed as numbers.
std::optional<std::vector<DrawnPoint>> test_points(const DataSpec& data);
void set_test_points(DataSpec& data, const std::optional<std::vector<DrawnPoint>>& points);

}   // namespace credence
