// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

/// A curvature as stored in the archive: a small head, and all numbers consecutively as in memory
/// (little endian).
nlohmann::json curvature_head(const CurvatureData& data);
std::string curvature_numbers(const CurvatureData& data);

/// A head that matches a layout: kinds and counts of the numbers, before any of them is read.
struct CurvatureHead {
    CurvatureData data;               ///< without its numbers
    std::vector<std::size_t> sizes;   ///< of the arrays, in the order of storage

    std::size_t bytes() const;   ///< size of the numbers
};
/// @throws Error if head and layout do not match
CurvatureHead curvature_head_from(const nlohmann::json& head, const ParameterLayout& layout);

/// The same curvature, bit for bit. @throws Error for a wrong count, or an invalid number
CurvatureData curvature_from(CurvatureHead head, const std::string& numbers);

}   // namespace credence
