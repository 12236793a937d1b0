// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "sources/image_sources.h"
#include "study/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace credence {
namespace {

constexpr int format_version = 1;
constexpr auto version_key   = "credence";
constexpr auto points_path = "data.points", test_points_path = "data.test_points", changes_path = "data.changes";

/// A found value as text for an error.
template <class Json>
std::string shown(const Json& json)
{
    return one_line(json.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

template <class Json>
[[noreturn]] void refuse(const std::string& path, const Json& found, const std::string& expected)
{
    throw Error(path, path + " is " + shown(found) + ", expected " + expected + ".");
}

template <class Json>
Json json_of(const FieldValue& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

template <class Json>
Json points_to(const std::vector<DrawnPoint>& points)
{
    Json list = Json::array();
    for (const auto& p : points)
        list.push_back({p.x, p.y, p.label});
    return list;
}

template <class Json>
Json study_to(const Study& study)
{
    static const Study standard;
    Json json;
    json[version_key] = format_version;
    for (const auto& f : study_fields()) {
        const bool optional = f.written_if_changed || (f.written_if_used && !f.applies(study));
        if (optional && f.get(study) == f.get(standard))
            continue;
        Json& place    = f.group() == "study" ? json : json[f.group()];
        place[f.key()] = json_of<Json>(f.get(study));
    }
    json["data"]["points"] = points_to<Json>(study.data.points);
    if (const auto tests = study.data.test_points)
        json["data"]["test_points"] = points_to<Json>(*tests);
    for (const auto& change : study.data.changes) {
        Json one;
        one["step"]   = change.step;
        one["added"]  = points_to<Json>(change.added);
        one["erased"] = points_to<Json>(change.erased);
        json["data"]["changes"].push_back(std::move(one));
    }
    return json;
}

bool is_whole(const nlohmann::json& json)
{
    if (json.is_number_unsigned())
        return json.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<long>::max());
    if (json.is_number_integer())
        return true;
    return json.is_number_float() && std::nearbyint(json.get<double>()) == json.get<double>()
           && std::fabs(json.get<double>()) < 9e15;
}

std::vector<DrawnPoint> points_from(const nlohmann::json& json, const char* path = points_path)
{
    const auto expected = "a list of points [x, y, label]";
    if (!json.is_array())
        refuse(path, json, expected);
    std::vector<DrawnPoint> points;
    for (const auto& item : json) {
        if (!item.is_array() || item.size() < 2 || item.size() > 3 || !item[0].is_number() || !item[1].is_number()
            || (item.size() == 3 && !is_whole(item[2])))
            refuse(path, item, expected);
        const long label = item.size() == 3 ? item[2].get<long>() : 0;
        if (label < 0 || label > 99)
            refuse(path, item, "a label from 0 to 99");
        points.push_back({item[0].get<double>(), item[1].get<double>(), static_cast<int>(label)});
    }
    return points;
}

std::vector<PointsChange> changes_from(const nlohmann::json& json)
{
    const auto expected = "a list of changes {\"step\": …, \"added\": [points], \"erased\": [points]}";
    if (!json.is_array())
        refuse(changes_path, json, expected);
    std::vector<PointsChange> changes;
    for (const auto& item : json) {
        if (!item.is_object() || !item.contains("step") || !is_whole(item.at("step")))
            refuse(changes_path, item, expected);
        PointsChange change{.step = item.at("step").get<long>()};
        for (const auto& [key, value] : item.items())
            if (key == "added" || key == "erased")
                (key == "added" ? change.added : change.erased) = points_from(value, changes_path);
            else if (key != "step")
                refuse(changes_path, item, expected);
        changes.push_back(std::move(change));
    }
    return changes;
}

[[noreturn]] void refuse_key(const std::string& path, const std::vector<std::string>& known)
{
    std::string sentence = "unknown key \"" + one_line(path, 80) + "\"";
    const auto near      = path.size() > 80 ? std::vector<std::string>{} : near_matches(path, known);
    for (std::size_t i = 0; i < near.size(); ++i)
        sentence += (i == 0 ? "; did you mean " : " or ") + near[i];
    throw Error(path, sentence + (near.empty() ? "." : "?"));
}

/// The JSON keys of the settings. Created once, since lists of runs read thousands of studies.
struct SettingKeys {
    struct Place {
        const Field* field;
        std::string group, key;
    };
    std::vector<Place> places;
    std::vector<std::string> paths{version_key, points_path, test_points_path, changes_path}, groups;
    std::unordered_set<std::string> is_path, is_group;

    SettingKeys()
    {
        for (const auto& f : study_fields()) {
            places.push_back({&f, f.group(), f.key()});
            paths.push_back(f.path);
            if (f.group() != "study" && is_group.insert(f.group()).second)
                groups.push_back(f.group());
        }
        is_path.insert(paths.begin(), paths.end());
    }
};

const SettingKeys& setting_keys()
{
    static const SettingKeys keys;
    return keys;
}

/// Refuses keys that a Study does not have.
void require_known_keys(const nlohmann::json& json)
{
    const auto& [places, paths, groups, is_path, is_group] = setting_keys();
    for (const auto& [key, value] : json.items()) {
        if (!is_group.contains(key)) {
            if (!is_path.contains(key)) {
                std::vector<std::string> known = paths;
                known.insert(known.end(), groups.begin(), groups.end());
                refuse_key(key, known);
            }
            continue;
        }
        if (!value.is_object())
            refuse(key, value, "an object with the settings of " + key);
        for (const auto& [inner, unused] : value.items())
            if (!is_path.contains(key + "." + inner))
                refuse_key(key + "." + inner, paths);
    }
}

}   // namespace

FieldValue value_from_json(const Field& f, const nlohmann::json& json)
{
    static const Study standard;   // for the type of each value
    const FieldValue kind = f.get(standard);
    if (std::holds_alternative<bool>(kind) && json.is_boolean())
        return json.get<bool>();
    if (std::holds_alternative<long>(kind) && is_whole(json))
        return json.get<long>();
    if (std::holds_alternative<double>(kind) && json.is_number())
        return json.get<double>();
    if (std::holds_alternative<std::string>(kind) && json.is_string())
        return json.get<std::string>();
    if (std::holds_alternative<std::vector<long>>(kind) && json.is_array()
        && std::all_of(json.begin(), json.end(), is_whole))
        return json.get<std::vector<long>>();
    const auto is_number = [](const nlohmann::json& j) { return j.is_number(); };
    if (std::holds_alternative<std::vector<double>>(kind) && json.is_array()
        && std::all_of(json.begin(), json.end(), is_number))
        return json.get<std::vector<double>>();
    refuse(f.path, json, expectation(f));
}

bool operator==(const Study& a, const Study& b)
{
    const auto same = [&](const Field& f) { return f.get(a) == f.get(b); };
    return a.data.points == b.data.points && a.data.test_points == b.data.test_points
           && a.data.changes == b.data.changes && std::all_of(study_fields().begin(), study_fields().end(), same);
}

nlohmann::json to_json(const Study& study) { return study_to<nlohmann::json>(study); }

Study study_from_json(const nlohmann::json& found_json)
{
    const auto json = with_present_paths(found_json);
    if (!json.is_object())
        throw Error("found " + shown(json)
                    + ", expected a Study: an object with the keys name, data, network, posterior, training, …");
    if (const auto found = json.find(version_key);
        found != json.end() && (!is_whole(*found) || found->get<long>() != format_version))
        throw Error(version_key, "this Study has version " + shown(*found) + ", but this program reads version "
                                     + std::to_string(format_version) + ".");
    require_known_keys(json);
    Study study;
    for (const auto& [field, group, key] : setting_keys().places) {
        const auto named   = group == "study" ? json.end() : json.find(group);
        const auto* inside = group == "study" ? &json : named != json.end() ? &*named : nullptr;
        if (!inside)
            continue;
        if (const auto value = inside->find(key); value != inside->end())
            field->set(study, value_from_json(*field, *value));
    }
    if (const auto data = json.find("data"); data != json.end()) {
        if (data->contains("points"))
            study.data.points = points_from(data->at("points"));
        if (data->contains("test_points"))
            study.data.test_points = points_from(data->at("test_points"), test_points_path);
        if (data->contains("changes"))
            study.data.changes = changes_from(data->at("changes"));
        if (data->contains("kind") && !data->contains("noise"))   // the only default that depends on another setting
            study.data.toy.noise = default_noise(study.data.toy.kind);
    }
    return study;
}

std::string to_text(const Study& study)
{
    return study_to<nlohmann::ordered_json>(study).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
           + "\n";
}

Study study_from_text(const std::string& text, const std::string& origin)
{
    const auto json = parse_json(text, origin, "a Study");
    try {
        return study_from_json(json);
    } catch (const Error& e) {
        throw Error(e.field(), origin + ": " + e.what());
    }
}

void resolve_paths(Study& study, const std::filesystem::path& folder)
{
    const auto resolve = [&](std::string& path) {
        path = (std::filesystem::absolute(folder) / path).lexically_normal().string();
    };
    for (std::string* table : {&study.data.file, &study.prediction.points, &study.split.test_rows})
        if (!table->empty())
            resolve(*table);
    for (std::string* set : {&study.data.images.set, &study.prediction.other_data}) {
        std::error_code ignored;   // "x.npz" can also be the name of a set in a data folder
        if (names_a_path(*set)
            && (set->find('/') != std::string::npos || std::filesystem::exists(folder / *set, ignored)))
            resolve(*set);
    }
}

Study load_study(const std::filesystem::path& file)
{
    Study study = study_from_text(read_file(file, "a Study in JSON"), file.string());
    resolve_paths(study, std::filesystem::absolute(file).parent_path());
    return study;
}

void save_study(const Study& study, const std::filesystem::path& file)
{
    Study saved = study;
    resolve_paths(saved, std::filesystem::current_path());
    write_whole(file, to_text(saved));
}

void set_field(Study& study, const std::string& assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("found \"" + assignment
                    + "\", expected a setting and its value, for example training.learning_rate=0.01.");
    const Field& f = typed_field(assignment.substr(0, equals));
    f.set(study, parse_value(f, assignment.substr(equals + 1)));
}

}   // namespace credence
