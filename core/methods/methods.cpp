// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/method.h"

#include <algorithm>

namespace credence {

std::vector<Method> listed_methods();   // made from core/methods/list.cmake

const std::vector<Method>& methods()
{
    static const std::vector<Method> all = listed_methods();
    return all;
}

const Method& method(const std::string& id)
{
    const auto found = std::find_if(methods().begin(), methods().end(), [&](const Method& m) { return m.id == id; });
    if (found != methods().end())
        return *found;
    std::string names;
    for (const Method& m : methods())
        names += (names.empty() ? "" : ", ") + m.id;
    throw Error("posterior.family", "posterior.family is \"" + id + "\", expected one of " + names + ".");
}

}   // namespace credence
