// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace credence {

/// The name of class `k`, or its number if the data have no name for it.
inline std::string class_name(std::span<const std::string> names, int k)
{
    return k >= 0 && static_cast<std::size_t>(k) < names.size() ? names[static_cast<std::size_t>(k)]
                                                                : std::to_string(k);
}

/// The names of all K classes.
inline std::vector<std::string> class_names_of(std::vector<std::string> names, int K)
{
    for (int k = static_cast<int>(names.size()); k < K; ++k)
        names.push_back(std::to_string(k));
    return names;
}

}   // namespace credence
