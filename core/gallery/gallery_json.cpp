// SPDX-License-Identifier: GPL-3.0-or-later
// Strict reader of the gallery file.
#include "bandits/bandit_study.h"
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "gallery/gallery.h"
#include "runs/comparison.h"
#include "simplex/simplex_presets.h"
#include "study/fields.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace credence {
namespace {

using Json = nlohmann::json;

/// The enum value with this name.
template <class Value, std::size_t N>
Value value_named(JsonObject& object, const char* key, const EnumNames<Value, N>& names)
{
    const std::string name = object.text(key);
    if (const auto value = names.find(name))
        return *value;
    object.refuse(key, name, "one of " + names.list());
}

/// @throws Error  that explains the two names of earlier versions
EntryStatus status_from(JsonObject& entry)
{
    const std::string name = entry.text("status");
    if (name == "done" || name == "substitute")
        throw Error(entry.where() + ": status is “" + name
                    + "” of earlier versions, which does not state whether the results agree. Expected one of "
                    + entry_statuses.list() + '.');
    return value_named(entry, "status", entry_statuses);
}

template <class Entry>
void require_listed(const JsonObject& object, const char* key, const std::string& id, const std::vector<Entry>& all,
                    const std::string& expected)
{
    if (!find_listed(all, id))
        object.refuse(key, id, expected);
}

/// A value as typed on the command line: "0.01", "true", "50, 50".
std::string typed(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return joined(value, typed);
}

/// Settings by path, in alphabetical order; for a sweep also values of its axes.
std::vector<std::string> assignments_of(JsonObject& object, const char* key, const Sweep* sweep = nullptr)
{
    std::vector<std::string> assignments;
    const Json* settings = object.find(key);
    if (!settings)
        return assignments;
    if (!settings->is_object())
        object.refuse(key, *settings, "an object with settings");
    for (const auto& [path, value] : settings->items()) {
        const auto& fields = study_fields();
        const auto named   = [&path = path](const auto& axis) { return axis.name == path; };
        if (std::none_of(fields.begin(), fields.end(), [&path = path](const Field& f) { return f.path == path; })
            && !(sweep && std::any_of(sweep->axes.begin(), sweep->axes.end(), named)))
            object.refuse(key, path, "paths of settings");
        assignments.push_back(path + '=' + typed(value));
    }
    return assignments;
}

MadeByPage page_from(const JsonObject& entry, JsonObject& how)
{
    MadeByPage made;
    made.page   = value_named(how, "page", gallery_pages);
    made.preset = how.text_or_nothing("preset");
    if (made.preset.empty())
        return made;
    const auto& betas = beta_presets();
    switch (made.page) {
    case GalleryPage::simplex:
        require_listed(entry, "how", made.preset, simplex_presets(),
                       "a preset of the page, one of " + listed_ids(simplex_presets()));
        break;
    case GalleryPage::beta:
        if (std::none_of(betas.begin(), betas.end(), [&](const BetaPreset& one) { return one.title == made.preset; }))
            entry.refuse("how", made.preset, "the title of a Beta of the page");
        break;
    case GalleryPage::bandit:
        require_listed(entry, "how", made.preset, bandit_presets(), "a bandit (see: credence bandit --list)");
        break;
    case GalleryPage::double_well: entry.refuse("how", made.preset, "no preset for this page");
    }
    return made;
}

How how_from(JsonObject& entry, EntryStatus status)
{
    const Json* json = entry.find("how");
    if (!json) {
        if (status == EntryStatus::open || status == EntryStatus::impossible)
            return MadeByNothing{};
        entry.need("how");
    }
    JsonObject how(entry.where() + ", how", *json);
    const auto ways = {"sweep", "preset", "comparison", "bandit", "command", "page", "tests"};
    const auto n    = std::count_if(ways.begin(), ways.end(), [&](const char* way) {
        return json->contains(way) && !(std::string(way) == "preset" && json->contains("page"));
    });
    if (n != 1)
        throw Error(how.where() + ": found " + std::to_string(n)
                    + " ways to make it, expected one of sweep, preset, comparison, bandit, command, page, tests.");
    How made;
    if (json->contains("sweep")) {
        MadeBySweep sweep{how.text("sweep"), {}};
        require_listed(how, "sweep", sweep.id, sweeps(), "a sweep of the program");
        sweep.set = assignments_of(how, "set", &shipped_sweep(sweep.id));
        made      = std::move(sweep);
    } else if (json->contains("page")) {
        made = page_from(entry, how);
    } else if (json->contains("preset")) {
        MadeByPreset preset{how.text("preset"), {}};
        require_listed(how, "preset", preset.id, presets(), "a preset (see: credence list)");
        preset.set = assignments_of(how, "set");
        made       = std::move(preset);
    } else if (json->contains("comparison")) {
        made = MadeByComparison{how.text("comparison")};
        require_listed(how, "comparison", std::get<MadeByComparison>(made).id, comparisons(),
                       "one of " + listed_ids(comparisons()));
    } else if (json->contains("bandit")) {
        MadeByBandit bandits{how.texts("bandit")};
        for (const auto& id : bandits.ids)
            require_listed(how, "bandit", id, bandit_presets(), "ids of bandits (see: credence bandit --list)");
        if (bandits.ids.empty())
            how.refuse("bandit", json->at("bandit"), "at least one bandit");
        made = std::move(bandits);
    } else if (json->contains("command")) {
        made = MadeByCommand{how.text("command")};
    } else {
        made = MadeByTests{how.texts("tests")};
        if (std::get<MadeByTests>(made).names.empty())
            how.refuse("tests", json->at("tests"), "at least one test");
    }
    how.nothing_else();
    return made;
}

std::optional<double> minutes_from(JsonObject& entry, const char* key)
{
    const Json* value = entry.find(key);
    if (!value)
        return {};
    if (!value->is_number() || !(value->get<double>() > 0))
        entry.refuse(key, *value, "minutes, a number above 0");
    return value->get<double>();
}

PrintedValue value_from(const std::string& where, const Json& json)
{
    JsonObject object(where, json);
    PrintedValue value{.name    = object.text("name"),
                       .printed = object.text("printed"),
                       .ours    = object.text_or_nothing("ours"),
                       .score   = object.text_or_nothing("score"),
                       .cell    = {}};
    if (const Json* cell = object.find("cell")) {
        if (!cell->is_object())
            object.refuse("cell", *cell, "an object with axes and values");
        for (const auto& [axis, label] : cell->items())
            value.cell.emplace_back(axis, typed(label));
    }
    object.nothing_else();
    return value;
}

std::optional<OurRuns> ours_from(JsonObject& entry)
{
    const Json* json = entry.find("ours");
    if (!json)
        return {};
    JsonObject object(entry.where() + ", ours", *json);
    OurRuns ours{.seeds    = object.text("seeds"),
                 .date     = object.text("date"),
                 .commit   = object.text("commit"),
                 .time     = object.text("time"),
                 .settings = object.text_or_nothing("settings"),
                 .study    = assignments_of(object, "study")};
    if (object.find("hashes"))
        ours.hashes = object.texts("hashes");
    object.nothing_else();
    return ours;
}

/// "P.table1.h100": the paper, then lower case, digits and dots.
bool is_entry_id(const std::string& id, const std::string& paper)
{
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    return id.size() > paper.size() + 1 && id.starts_with(paper + '.')
           && id.find_first_not_of(letters, paper.size()) == std::string::npos;
}

GalleryEntry entry_from(const std::string& origin, std::size_t number, const Json& json,
                        const std::vector<Paper>& papers)
{
    const bool named = json.is_object() && json.contains("id") && json.at("id").is_string();
    JsonObject object(origin + ", " + (named ? json.at("id").get<std::string>() : "entry " + std::to_string(number)),
                      json);
    GalleryEntry entry;
    entry.id    = object.text("id");
    entry.paper = object.text("paper");
    require_listed(object, "paper", entry.paper, papers, "one of " + listed_ids(papers));
    if (!is_entry_id(entry.id, entry.paper))
        object.refuse("id", entry.id, "“" + entry.paper + ".” and small letters, digits and dots");
    entry.number = object.text("number");
    entry.kind   = value_named(object, "kind", entry_kinds);
    entry.shows  = object.text("shows");
    entry.status = status_from(object);
    entry.how    = how_from(object, entry.status);
    if (object.find("views"))
        entry.views = object.texts("views");
    for (const auto& id : entry.views)
        require_listed(object, "views", id, views(), "ids of views (see: credence list --views)");
    if (const Json* row = object.find("row")) {
        if (!row->is_number_unsigned() || row->get<std::uint64_t>() > 10'000'000)
            object.refuse("row", *row, "the number of a test row");
        entry.row = row->get<long>();
    }
    entry.quick = assignments_of(object, "quick");
    if (!entry.quick.empty() && !std::holds_alternative<MadeByPreset>(entry.how))
        object.refuse("quick", json.at("quick"), "settings where a preset makes the entry alone");
    entry.minutes       = minutes_from(object, "minutes");
    entry.quick_minutes = minutes_from(object, "quick_minutes");
    if (is_run(entry))
        object.need("minutes");
    if (object.find("values"))
        for (const Json& value : object.list("values"))
            entry.values.push_back(
                value_from(object.where() + ", value " + std::to_string(entry.values.size() + 1), value));
    entry.ours       = ours_from(object);
    entry.difference = object.text("difference");
    entry.picture    = object.text_or_nothing("picture");
    entry.document   = object.text_or_nothing("document");
    object.nothing_else();
    return entry;
}

Paper paper_from(const std::string& where, const Json& json)
{
    JsonObject object(where, json);
    Paper paper{.id          = object.text("id"),
                .short_title = object.text("short"),
                .title       = object.text("title"),
                .citation    = object.text("citation")};
    object.nothing_else();
    return paper;
}

template <class Entry>
void add_once(std::vector<Entry>& all, Entry entry, const std::string& origin)
{
    if (find_listed(all, entry.id))
        throw Error(origin + ": found the id " + quoted_text(entry.id) + " twice, expected each once.");
    all.push_back(std::move(entry));
}

}   // namespace

Gallery gallery_from_text(std::string_view text, const std::string& origin)
{
    const Json json = parse_json(text, origin, "a gallery of papers");
    JsonObject object(origin, json);
    if (const Json& version = object.need("gallery"); version != 1)
        object.refuse("gallery", version, "1");
    Gallery all;
    for (const Json& paper : object.list("papers"))
        add_once(all.papers, paper_from(origin + ", paper " + std::to_string(all.papers.size() + 1), paper), origin);
    for (const Json& entry : object.list("entries"))
        add_once(all.entries, entry_from(origin, all.entries.size() + 1, entry, all.papers), origin);
    object.nothing_else();
    return all;
}

}   // namespace credence
