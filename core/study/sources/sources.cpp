// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/source.h"

#include "foundation/error.h"

#include <algorithm>

namespace credence {

std::vector<Source> listed_sources();   // made from core/study/sources/list.cmake

const std::vector<Source>& sources()
{
    static const std::vector<Source> all = listed_sources();
    return all;
}

const Source& source(const std::string& id)
{
    const auto found = std::find_if(sources().begin(), sources().end(), [&](const Source& s) { return s.id == id; });
    if (found != sources().end())
        return *found;
    std::string names;
    for (const Source& s : sources())
        names += (names.empty() ? "" : ", ") + s.id;
    throw Error("data.source", "data.source is \"" + id + "\", expected one of " + names + ".");
}

bool is_images(const std::string& source_id) { return source(source_id).gives_images(); }

}   // namespace credence
