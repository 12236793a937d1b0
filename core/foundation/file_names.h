// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace credence {

/// Makes names into names of files, the same on every system: small letters a to z, digits and hyphens, at most about 60 characters, "Two moons, τ = 0.1" becomes
/// "two-moons-0-1". None is empty, and no two are alike: the second "Two moons" becomes "two-moons-2".
/// @return  as many as `names`, in their order
std::vector<std::string> distinct_file_names(std::span<const std::string> names);

}   // namespace credence
