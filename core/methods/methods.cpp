// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/method.h"

#include "foundation/find_listed.h"

namespace credence {

std::vector<Method> listed_methods();   // made from core/methods/list.cmake

const std::vector<Method>& methods()
{
    static const std::vector<Method> all = listed_methods();
    return all;
}

const char* title_of(MethodGroup group)
{
    switch (group) {
    case MethodGroup::variational: return "Variational";
    case MethodGroup::sampling: return "Sampling";
    case MethodGroup::post_hoc: return "Laplace and post hoc";
    case MethodGroup::baselines: return "Ensembles and baselines";
    }
    return "";
}

const Method& method(std::string_view id)
{
    if (const auto* found = find_listed(methods(), id))
        return *found;
    throw Error("posterior.family",
                "posterior.family is \"" + std::string(id) + "\", expected one of " + listed_ids(methods()) + ".");
}

}   // namespace credence
