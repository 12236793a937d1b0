// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/former_paths.h"

#include "foundation/error.h"

#include <nlohmann/json.hpp>

namespace credence {
namespace {

const FormerPath former[] = {
    {"posterior.warm_up", "posterior.start_steps",
     "It is the number of Adam steps to the trained network from which a chain starts; the warm-up of NUTS and HMC is "
     "posterior.warmup."},
};

std::string group_of(const std::string& path) { return path.substr(0, path.find('.')); }
std::string key_of(const std::string& path) { return path.substr(path.find('.') + 1); }

}   // namespace

const FormerPath* former_path(const std::string& path)
{
    for (const auto& one : former)
        if (one.was == path)
            return &one;
    return nullptr;
}

const Field& typed_field(const std::string& path)
{
    if (const auto* one = former_path(path))
        throw Error(one->is, path + " is now called " + one->is + ". " + one->remark);
    return field(path);
}

nlohmann::json with_present_paths(nlohmann::json study)
{
    for (const auto& one : former) {
        if (!study.is_object() || !study.contains(group_of(one.was)))
            continue;
        auto& group = study[group_of(one.was)];
        if (!group.is_object() || !group.contains(key_of(one.was)) || group.contains(key_of(one.is)))
            continue;
        group[key_of(one.is)] = group[key_of(one.was)];
        group.erase(key_of(one.was));
    }
    return study;
}

}   // namespace credence
