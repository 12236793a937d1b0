// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Returns the list entry with this id; null if there is none.
template <class Entry>
const Entry* find_listed(const std::vector<Entry>& all, std::string_view id)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const Entry& entry) { return entry.id == id; });
    return found == all.end() ? nullptr : &*found;
}

/// Returns the ids, separated by commas, for error messages: "mean_field, laplace".
template <class Entry>
std::string listed_ids(const std::vector<Entry>& all)
{
    return joined(all, &Entry::id);
}

}   // namespace credence
