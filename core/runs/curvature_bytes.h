// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

/// A curvature as the archive of runs keeps it: a small head and all numbers in one row, as they are in memory (little endian).
nlohmann::json curvature_head(const CurvatureData& data);
std::string curvature_numbers(const CurvatureData& data);

/// A head that fits a layout: what the numbers are, and how many, before any of them is read.
struct CurvatureHead {
    CurvatureData data;               ///< without its numbers
    std::vector<std::size_t> sizes;   ///< of the arrays, in the order in which they are kept

    std::size_t bytes() const;   ///< that the numbers take
};
/// @throws Error if head and layout do not fit together
CurvatureHead curvature_head_from(const nlohmann::json& head, const ParameterLayout& layout);

/// The same curvature, bit for bit. @throws Error if there are more or fewer numbers, or one that cannot be
CurvatureData curvature_from(CurvatureHead head, const std::string& numbers);

}   // namespace credence
