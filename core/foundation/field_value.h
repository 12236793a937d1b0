// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace credence {

/// The value of one setting. Each field always uses the same alternative. An enum is stored as the
/// string of its name, one of Field::choices.
using FieldValue = std::variant<bool, long, double, std::string, std::vector<long>, std::vector<double>>;

}   // namespace credence
