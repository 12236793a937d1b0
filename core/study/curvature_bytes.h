// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

/// A curvature as the archive of runs keeps it: a small head and all numbers in one row, as they are in memory (little endian).
nlohmann::json curvature_head(const CurvatureData& data);
std::string    curvature_numbers(const CurvatureData& data);

/// The same curvature, bit for bit. @throws Error if head, numbers and layout do not fit together
CurvatureData curvature_from(const nlohmann::json& head, const std::string& numbers, const ParameterLayout& layout);

}  // namespace credence
