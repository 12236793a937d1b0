// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "study/fields.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "sweeps/sweep_results.h"
#include "views/views.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace credence {
namespace {

using Json = nlohmann::ordered_json;

std::string shown_json(const Json& json)
{
    return one_line(json.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

[[noreturn]] void refuse_found(const std::string& where, const Json& found, const std::string& expected)
{
    throw Error(where + " is " + shown_json(found) + ", expected " + expected + ".");
}

/// Returns the result of `make`; adds the location to its errors.
template <class Make>
auto with_origin(const std::string& where, Make make)
{
    try {
        return make();
    } catch (const Error& error) {
        throw Error(error.field(), where + ": " + error.what());
    }
}

void require_keys(const std::string& where, const Json& json, const std::vector<std::string>& known)
{
    for (const auto& [key, unused] : json.items())
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw Error(where + "unknown key \"" + one_line(key, 80) + "\", expected " + joined(known) + ".");
        }
}

std::string text_of(const Json& json, const char* key)
{
    if (!json.contains(key))
        return {};
    if (!json.at(key).is_string())
        refuse_found(key, json.at(key), "a text");
    return json.at(key).get<std::string>();
}

bool is_field(const std::string& name)
{
    return std::any_of(study_fields().begin(), study_fields().end(), [&](const Field& f) { return f.path == name; });
}

/// Reads one value of a setting: of its kind, in its range, with absolute paths. Texts are read as
/// typed for --set; a number is accepted as a list of one.
FieldValue setting_value(const std::string& path, const Json& json, const std::filesystem::path& folder)
{
    const Field& f        = field(path);
    const FieldValue kind = f.get(Study{});
    const bool is_list    = std::holds_alternative<std::vector<long>>(kind)
                         || std::holds_alternative<std::vector<double>>(kind);
    if (path == "name" || path == "note")
        throw Error(path, path + " does not affect a run; expected a setting.");
    const FieldValue value = json.is_string() && !std::holds_alternative<std::string>(kind)
                                 ? parse_value(f, json.get<std::string>())
                                 : value_from_json(f, is_list && json.is_number() ? nlohmann::json::array({json})
                                                                                  : nlohmann::json(json));
    Study trial;
    f.set(trial, value);
    if (std::holds_alternative<std::string>(kind))
        resolve_paths(trial, folder);
    return f.get(trial);
}

/// Reads the parts of one file. Errors contain the location in the file; the caller adds the file's
/// name.
class SweepReader {
public:
    explicit SweepReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Sweep sweep(const Json& json) const
    {
        if (!json.is_object() || !json.contains("base"))
            refuse_found("the file", json, R"(a sweep: an object with "base" and "axes")");
        require_keys("", json,
                     {"credence_sweep", "title", "note", "base", "set", "axes", "replicates", "after", "keep", "quick",
                      "choose"});
        if (json.contains("credence_sweep") && json.at("credence_sweep") != Json(1))
            refuse_found("credence_sweep", json.at("credence_sweep"), "1, the version that this program reads");
        Sweep sweep;
        sweep.title = text_of(json, "title");
        sweep.note  = text_of(json, "note");
        sweep.base  = base("base", json.at("base"));
        if (json.contains("set"))
            sweep.set = settings("set", json.at("set"));
        if (json.contains("axes"))
            sweep.axes = axes(json.at("axes"));
        if (json.contains("replicates")) {
            sweep.replicates = text_of(json, "replicates");
            if (!sweep.replicate_axis())
                refuse_found("replicates", json.at("replicates"),
                             R"(the name of an axis of this sweep, for example "split.seed")");
        }
        if (json.contains("after"))
            sweep.after = settings("after", json.at("after"));
        if (json.contains("keep"))
            sweep.keep = keep(json.at("keep"));
        if (json.contains("quick"))
            read_quick(json.at("quick"), sweep);
        if (json.contains("choose"))
            sweep.choose = choice(json.at("choose"), sweep);
        return sweep;
    }

private:
    SweepBase base(const std::string& where, const Json& json) const
    {
        return with_origin(where, [&] {
            if (json.is_object()) {
                SweepBase made{.name = {}, .is_preset = false, .study = study_from_json(nlohmann::json(json))};
                resolve_paths(made.study, folder_);
                return made;
            }
            if (!json.is_string())
                refuse_found("it", json, "the id of a preset, or the file of a Study");
            const std::string name = json.get<std::string>();
            if (name.ends_with(".json") || name.find('/') != std::string::npos)
                return SweepBase{.name = name, .is_preset = false, .study = load_study(folder_ / name)};
            return SweepBase{.name = name, .is_preset = true, .study = preset(name)};
        });
    }

    SweepSettings settings(const std::string& where, const Json& json) const
    {
        if (!json.is_object())
            refuse_found(where, json, R"(an object of settings: {"training.steps": 300, …})");
        SweepSettings made;
        for (const auto& item : json.items())
            made.emplace_back(item.key(),
                              with_origin(where, [&] { return setting_value(item.key(), item.value(), folder_); }));
        return made;
    }

    SweepValue plain_value(const std::string& path, const Json& json) const
    {
        SweepValue value;
        value.set    = {{path, setting_value(path, json, folder_)}};
        value.number = axis_number(value.set.front().second);
        value.label  = value_text(value.set.front().second);
        if (value.label.empty())
            value.label = "none";
        return value;
    }

    SweepValue labelled_value(const std::string& where, const Json& json) const
    {
        require_keys(where + ": ", json, {"label", "set", "base"});
        SweepValue value;
        value.label = with_origin(where, [&] { return text_of(json, "label"); });
        if (value.label.empty())
            throw Error(where + ": found a value without a label, expected {\"label\": \"…\", \"set\": {…}}.");
        if (!json.contains("set") && !json.contains("base"))
            throw Error(where + ": the value \"" + one_line(value.label, 60)
                        + "\" has neither \"set\" nor \"base\", expected one of them or both.");
        const std::string place = where + ", \"" + one_line(value.label, 60) + "\"";
        if (json.contains("set"))
            value.set = settings(place, json.at("set"));
        if (json.contains("base"))
            value.base = base(place + ", base", json.at("base"));
        return value;
    }

    SweepAxis axis(const std::string& name, const Json& json) const
    {
        const std::string where = "axes, " + one_line(name, 80);
        SweepAxis made{.name = name, .values = {}};
        if (is_field(name)) {
            const bool whole = std::holds_alternative<long>(field(name).get(Study{}))
                               || std::holds_alternative<std::vector<long>>(field(name).get(Study{}));
            const Json expanded = json.is_object() ? Json(with_origin(where, [&] { return range_values(json, whole); }))
                                                   : json;
            if (!expanded.is_array())
                refuse_found(where, json, "a list of values, or a range {\"from\": …, \"to\": …}");
            for (const auto& value : expanded)
                made.values.push_back(with_origin(where, [&] { return plain_value(name, value); }));
        } else {
            if (!json.is_array()
                || !std::all_of(json.begin(), json.end(), [](const Json& value) { return value.is_object(); }))
                refuse_name(where, name);
            for (const auto& value : json)
                made.values.push_back(labelled_value(where, value));
        }
        if (name == "split.test_rows")
            shorten_to_file_names(made);
        require_distinct(where, made);
        return made;
    }

    /// Labels without folders, if they stay distinct: "index_test_7.txt".
    static void shorten_to_file_names(SweepAxis& axis)
    {
        const auto name_of_file = [](const SweepValue& value) {
            return std::filesystem::path(value.label).filename().string();
        };
        std::set<std::string> names;
        for (const auto& value : axis.values)
            names.insert(name_of_file(value));
        if (names.size() == axis.values.size())
            for (auto& value : axis.values)
                value.label = name_of_file(value);
    }

    /// Most likely a misspelt path.
    [[noreturn]] static void refuse_name(const std::string& where, const std::string& name)
    {
        std::vector<std::string> paths;
        for (const auto& f : study_fields())
            paths.push_back(f.path);
        const auto near = name.size() > 80 ? std::vector<std::string>{} : near_matches(name, paths);
        throw Error(where + ": there is no setting with this name"
                    + (near.empty() ? "" : " (did you mean " + near.front() + "?)")
                    + R"(, expected one, or values with labels: [{"label": "…", "set": {…}}, …].)");
    }

    static void require_distinct(const std::string& where, const SweepAxis& axis)
    {
        if (axis.values.empty())
            throw Error(where + ": found no value, expected at least one.");
        if (axis.values.size() > most_cells)
            throw Error(where + ": found " + std::to_string(axis.values.size()) + " values, expected at most "
                        + std::to_string(most_cells) + ".");
        std::set<std::string> labels;
        for (const auto& value : axis.values)
            if (!labels.insert(value.label).second)
                throw Error(where + ": the value " + one_line(value.label, 60)
                            + " occurs twice, expected each value once.");
    }

    std::vector<SweepAxis> axes(const Json& json) const
    {
        if (!json.is_object())
            refuse_found("axes", json, R"(an object: {"training.steps": [300, 600], "seed": [1, 2, 3]})");
        std::vector<SweepAxis> made;
        std::size_t with_base = 0, cells = 1;
        for (const auto& [name, values] : json.items()) {
            made.push_back(axis(name, values));
            const auto& list = made.back().values;
            with_base += std::any_of(list.begin(), list.end(), [](const SweepValue& v) { return v.base.has_value(); });
            cells *= list.size();
            if (cells > most_cells)
                throw Error("axes: found more than " + std::to_string(most_cells)
                            + " cells in total, expected at most that many.");
        }
        if (with_base > 1)
            throw Error("axes: values of two axes have a base, expected at most one such axis.");
        return made;
    }

    static SweepKeep keep(const Json& json)
    {
        if (!json.is_object())
            refuse_found("keep", json, R"(an object: {"archive": true, "views": ["certainty"]})");
        require_keys("keep: ", json, {"archive", "views"});
        SweepKeep made;
        if (json.contains("archive")) {
            if (!json.at("archive").is_boolean())
                refuse_found("keep, archive", json.at("archive"), "true or false");
            made.archive = json.at("archive").get<bool>();
        }
        if (json.contains("views")) {
            const Json& views = json.at("views");
            if (!views.is_array()
                || !std::all_of(views.begin(), views.end(), [](const Json& id) { return id.is_string(); }))
                refuse_found("keep, views", views, "a list of ids (see: credence list --views)");
            for (const auto& id : views)
                made.views.push_back(with_origin("keep, views", [&] { return view(id.get<std::string>()).id; }));
        }
        return made;
    }

    /// A key that is an axis sets other values for it (for an axis without setting, the remaining
    /// labels); every other key is a setting.
    void read_quick(const Json& json, Sweep& sweep) const
    {
        if (!json.is_object())
            refuse_found("quick", json, R"(an object of settings: {"training.steps": 300, …})");
        for (const auto& [key, value] : json.items()) {
            const auto axis_of_key = std::find_if(sweep.axes.begin(), sweep.axes.end(),
                                                  [&, name = key](const SweepAxis& a) { return a.name == name; });
            if (axis_of_key == sweep.axes.end())
                sweep.quick.emplace_back(key, with_origin("quick", [&, path = key, json_value = value] {
                                             return setting_value(path, json_value, folder_);
                                         }));
            else if (is_field(key))
                sweep.quick_axes.push_back(with_origin("quick", [&, path = key, json_value = value] {
                    return axis(path, json_value.is_array() || json_value.is_object() ? json_value
                                                                                      : Json::array({json_value}));
                }));
            else
                sweep.quick_axes.push_back(quick_labels(*axis_of_key, value));
        }
    }

    static SweepAxis quick_labels(const SweepAxis& whole, const Json& json)
    {
        SweepAxis made{.name = whole.name, .values = {}};
        const Json labels = json.is_array() ? json : Json::array({json});
        for (const auto& label : labels) {
            const auto found = std::find_if(whole.values.begin(), whole.values.end(),
                                            [&](const SweepValue& value) { return Json(value.label) == label; });
            if (found == whole.values.end())
                refuse_found("quick, " + whole.name, label, "labels of this axis");
            made.values.push_back(*found);
        }
        require_distinct("quick, " + whole.name, made);
        return made;
    }

    static SweepChoice choice(const Json& json, const Sweep& sweep)
    {
        if (!json.is_object())
            refuse_found("choose", json, R"(an object: {"axis": "training.learning_rate", "by": "NLL"})");
        require_keys("choose: ", json, {"axis", "by", "each_replicate"});
        SweepChoice made{.axis = with_origin("choose", [&] { return text_of(json, "axis"); })};
        if (json.contains("by"))
            made.by = with_origin("choose", [&] { return text_of(json, "by"); });
        if (json.contains("each_replicate")) {
            if (!json.at("each_replicate").is_boolean())
                refuse_found("choose, each_replicate", json.at("each_replicate"), "true or false");
            made.each_replicate = json.at("each_replicate").get<bool>();
        }
        const bool known = std::any_of(sweep.axes.begin(), sweep.axes.end(), [&](const SweepAxis& a) {
            return a.name == made.axis && !sweep.is_replicate(a);
        });
        if (!known)
            refuse_found("choose, axis", made.axis, "the name of an axis of this sweep other than " + sweep.replicates);
        if (!less_is_better(made.by))
            refuse_found("choose, by", made.by, "a score with a better direction: NLL, Error, Accuracy, RMSE, …");
        return made;
    }

    std::filesystem::path folder_;
};

}   // namespace

Sweep sweep_from_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder)
{
    const auto json = parse_json<Json>(text, origin, "a sweep");
    return with_origin(origin, [&] { return SweepReader(folder).sweep(json); });
}

Sweep load_sweep(const std::filesystem::path& file)
{
    Sweep sweep = sweep_from_text(read_file(file, "a sweep in JSON"), file.string(),
                                  std::filesystem::absolute(file).parent_path());
    sweep.id    = file.stem().string();
    return sweep;
}

}   // namespace credence
