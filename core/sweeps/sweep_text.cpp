// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/write_whole.h"
#include "sweeps/sweep.h"

#include <nlohmann/json.hpp>

namespace credence {
namespace {

using SweepJson = nlohmann::ordered_json;

SweepJson value_json(const FieldValue& value)
{
    return std::visit([](const auto& v) { return SweepJson(v); }, value);
}

SweepJson settings_json(const SweepSettings& settings)
{
    SweepJson json = SweepJson::object();
    for (const auto& [path, value] : settings)
        json[path] = value_json(value);
    return json;
}

SweepJson base_json(const SweepBase& base)
{
    return base.is_preset ? SweepJson(base.name) : SweepJson::parse(to_text(base.study));
}

/// True if the values of this axis are plain settings without labels.
bool is_plain(const SweepAxis& axis)
{
    for (const auto& value : axis.values)
        if (value.base || value.set.size() != 1 || value.set.front().first != axis.name)
            return false;
    return true;
}

SweepJson axis_json(const SweepAxis& axis)
{
    SweepJson list = SweepJson::array();
    for (const auto& value : axis.values) {
        if (is_plain(axis)) {
            list.push_back(value_json(value.set.front().second));
            continue;
        }
        SweepJson one{{"label", value.label}};
        if (value.base)
            one["base"] = base_json(*value.base);
        if (!value.set.empty())
            one["set"] = settings_json(value.set);
        list.push_back(std::move(one));
    }
    return list;
}

}   // namespace

std::string to_text(const Sweep& sweep)
{
    SweepJson json{{"credence_sweep", 1}};
    if (!sweep.title.empty())
        json["title"] = sweep.title;
    if (!sweep.note.empty())
        json["note"] = sweep.note;
    json["base"] = base_json(sweep.base);
    if (!sweep.set.empty())
        json["set"] = settings_json(sweep.set);
    json["axes"] = SweepJson::object();
    for (const auto& axis : sweep.axes)
        json["axes"][axis.name] = axis_json(axis);
    if (sweep.replicates != "seed")
        json["replicates"] = sweep.replicates;
    if (!sweep.after.empty())
        json["after"] = settings_json(sweep.after);
    json["keep"] = {{"archive", sweep.keep.archive}, {"views", sweep.keep.views}};
    if (!sweep.quick.empty() || !sweep.quick_axes.empty()) {
        json["quick"] = settings_json(sweep.quick);
        for (const auto& axis : sweep.quick_axes)
            if (is_plain(axis))
                json["quick"][axis.name] = axis_json(axis);
            else
                for (const auto& value : axis.values)
                    json["quick"][axis.name].push_back(value.label);
    }
    if (sweep.choose)
        json["choose"] = {{"axis", sweep.choose->axis}, {"by", sweep.choose->by}};
    return json.dump(2, ' ', false, SweepJson::error_handler_t::replace) + "\n";
}

void save_sweep(const Sweep& sweep, const std::filesystem::path& file) { write_whole(file, to_text(sweep)); }

}   // namespace credence
