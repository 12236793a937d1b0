// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/family_settings.h"

#include "study/fields.h"
#include "study/method.h"

#include <set>

namespace credence {
namespace {

/// The usual value of the setting in this study; its default if the method does not name it.
FieldValue usual_value(const Study& study, const Field& setting)
{
    for (const auto& [path, value] : method_of(study).usual(study))
        if (setting.path == path)
            return parse_value(setting, value);
    static const Study standard;
    return setting.get(standard);
}

/// Changes the method's settings from their usual values in `before` to those in `after`; keeps
/// what the user set.
Study with_moved_settings(const Study& before, Study after)
{
    std::set<std::string> paths;
    for (const auto& study : {before, after})
        for (const auto& usual : method_of(study).usual(study))
            paths.insert(usual.path);
    for (const auto& path : paths) {
        const Field& setting = field(path);
        if (setting.get(before) == usual_value(before, setting))
            setting.set(after, usual_value(after, setting));
    }
    return after;
}

}   // namespace

FamilyChange with_family_defaults(const Study& study, const std::string& family)
{
    Study changed            = study;
    changed.posterior.family = family;
    changed                  = with_moved_settings(study, changed);
    return {changed, differences(study, changed)};
}

Study with_network_kind(const Study& study, NetworkKind kind)
{
    Study changed        = study;
    changed.network.kind = kind;
    return with_moved_settings(study, changed);
}

}   // namespace credence
