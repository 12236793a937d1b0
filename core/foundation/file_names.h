// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace credence {

/// Converts names to file names that are valid on every system: lower-case letters a to z, digits
/// and hyphens, at most about 60 characters. "Two moons, τ = 0.1" becomes "two-moons-0-1". File
/// names are non-empty and distinct: a second "Two moons" becomes "two-moons-2".
/// @return  one file name per entry of `names`, in the same order
std::vector<std::string> distinct_file_names(std::span<const std::string> names);

}   // namespace credence
