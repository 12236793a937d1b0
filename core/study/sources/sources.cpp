// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/source.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"

namespace credence {

std::vector<Source> listed_sources();   // made from core/study/sources/list.cmake

const std::vector<Source>& sources()
{
    static const std::vector<Source> all = listed_sources();
    return all;
}

const Source& source(const std::string& id)
{
    if (const auto* found = find_listed(sources(), id))
        return *found;
    throw Error("data.source", "data.source is \"" + id + "\", expected one of " + listed_ids(sources()) + ".");
}

bool is_images(const std::string& source_id) { return source(source_id).gives_images(); }

}   // namespace credence
