// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/picture_link.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "views/views.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace credence {
namespace {

constexpr auto link_version_key = "credence_link";
constexpr int link_version      = 1;
constexpr auto what_is_read     = "a link in JSON";

void require_link(const JsonObject& object, const nlohmann::json& json)
{
    const auto version = json.find(link_version_key);
    if (version == json.end())
        throw Error(
            object.where() + ": found no key " + link_version_key
            + ", expected a link: an object with \"credence_link\": 1 and the keys view, step, pause, input, row, "
              "quantity, class, run, study.");
    if (*version != nlohmann::json(link_version))
        throw Error(object.where() + ": this link has version " + one_line(version->dump(), 60)
                    + ", but this program reads version " + std::to_string(link_version) + ".");
}

/// Empty: no such key.
std::optional<long> whole_number(JsonObject& object, const char* key)
{
    const auto* value = object.find(key);
    if (!value)
        return {};
    if (!value->is_number_integer() || *value < 0 || *value > (1L << 53))
        object.refuse(key, *value, "a whole number from 0");
    return value->get<long>();
}

std::vector<double> numbers_of_input(JsonObject& object)
{
    if (!object.find("input"))
        return {};
    const auto& list = object.list("input");
    if (list.empty() || !std::all_of(list.begin(), list.end(), [](const auto& one) { return one.is_number(); }))
        object.refuse("input", list, "a list of numbers");
    return list.get<std::vector<double>>();
}

Study study_of_link(const nlohmann::json& json, const std::string& origin, const std::filesystem::path& folder)
{
    try {
        Study study = study_from_json(json);
        resolve_paths(study, folder);
        return study;
    } catch (const Error& error) {
        throw Error(error.field(), origin + ": study: " + error.what());
    }
}

}   // namespace

std::string to_text(const PictureLink& link, const std::filesystem::path& folder)
{
    nlohmann::ordered_json json;
    json[link_version_key] = link_version;
    if (!link.view.empty())
        json["view"] = link.view;
    if (link.step)
        json["step"] = *link.step;
    if (link.pause)
        json["pause"] = true;
    if (!link.input.empty())
        json["input"] = link.input;
    else if (link.row)
        json["row"] = *link.row;
    if (link.quantity) {
        json["quantity"] = name_of(*link.quantity);
        if (*link.quantity == MapQuantity::class_probability)
            json["class"] = link.map_class;
    }
    if (!link.run.empty())
        json["run"] = link.run.lexically_proximate(folder).generic_string();
    if (link.study) {
        Study saved = *link.study;
        resolve_paths(saved, std::filesystem::current_path());
        json["study"] = parse_json<nlohmann::ordered_json>(to_text(saved), "study", "a Study");
    }
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

PictureLink picture_link_from_text(const std::string& text, const std::string& origin,
                                   const std::filesystem::path& folder)
{
    const auto json = parse_json(text, origin, "a link");
    JsonObject object(origin, json);
    require_link(object, json);
    object.find(link_version_key);
    PictureLink link;
    link.view = object.text_or_nothing("view");
    if (!link.view.empty())
        try {
            view(link.view);
        } catch (const Error& error) {
            throw Error(origin + ": view: " + error.what());
        }
    link.step = whole_number(object, "step");
    if (const auto* pause = object.find("pause")) {
        if (!pause->is_boolean())
            object.refuse("pause", *pause, "true or false");
        link.pause = pause->get<bool>();
    }
    link.input = numbers_of_input(object);
    if (const auto row = whole_number(object, "row"))
        link.row = static_cast<std::size_t>(*row);
    if (!link.input.empty() && link.row)
        object.refuse("row", json.at("row"), "either input or row, not both");
    if (const std::string quantity = object.text_or_nothing("quantity"); !quantity.empty())
        link.quantity = map_quantity_named(quantity, origin + ": quantity");
    if (const auto number = whole_number(object, "class"))
        link.map_class = static_cast<int>(
            std::min(*number, 100'000L));   // a spin box limits it to the existing classes
    if (const std::string run = object.text_or_nothing("run"); !run.empty())
        link.run = (folder / run).lexically_normal();   // an absolute path stays
    if (const auto* study = object.find("study"))
        link.study = study_of_link(*study, origin, folder);
    object.nothing_else();
    if (link.run.empty() && !link.study)
        throw Error(origin + ": found neither run nor study, expected one of them.");
    return link;
}

bool is_picture_link(const std::filesystem::path& file)
{
    try {
        const auto json = parse_json(read_file(file, what_is_read), file.string(), "a link");
        return json.is_object() && json.contains(link_version_key);
    } catch (const Error&) {   // another reader reports the error
        return false;
    }
}

PictureLink load_picture_link(const std::filesystem::path& file)
{
    const auto folder = std::filesystem::absolute(file).parent_path();
    auto link         = picture_link_from_text(read_file(file, what_is_read), file.string(), folder);
    if (!link.run.empty() && is_folder(link.run))
        link.run /= "run.credence";
    if (link.run.empty() || is_file(link.run))
        return link;
    if (!link.study)
        throw Error(file.string() + ": the run " + link.run.string()
                    + " does not exist; expected it or a Study inside the link.");
    link.run.clear();
    return link;
}

void save_picture_link(const PictureLink& link, const std::filesystem::path& file)
{
    write_whole(file, to_text(link, std::filesystem::absolute(file).parent_path()));
}

std::size_t nearest_step(const std::vector<long>& steps, std::optional<long> wanted)
{
    if (!wanted)
        return steps.size() - 1;
    const auto nearest = std::min_element(
        steps.begin(), steps.end(), [&](long a, long b) { return std::labs(a - *wanted) < std::labs(b - *wanted); });
    return static_cast<std::size_t>(nearest - steps.begin());
}

}   // namespace credence
