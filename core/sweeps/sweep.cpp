// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/text.h"
#include "prediction/recalibration.h"
#include "runs/provenance.h"
#include "sources/image_sources.h"
#include "study/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>

namespace credence {
namespace {

void put_setting(SweepSettings& settings, const std::string& path, FieldValue value)
{
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const auto& one) { return one.first == path; });
    if (found == settings.end())
        settings.emplace_back(path, std::move(value));
    else
        found->second = std::move(value);
}

/// The position of "=" in "training.steps=300".
std::size_t place_of_equals(const std::string& assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("found \"" + one_line(assignment, 80)
                    + "\", expected a setting and its value, for example training.steps=300.");
    return equals;
}

/// Returns true if a list such as "one τ, N = 10,000, frequentist" has this entry, which can contain commas.
bool is_listed(const std::string& list, const std::string& entry)
{
    return (", " + list + ", ").find(", " + entry + ", ") != std::string::npos;
}

bool moves(const SweepAxis& axis, const std::string& path)
{
    return std::any_of(axis.values.begin(), axis.values.end(), [&](const SweepValue& value) {
        return std::any_of(value.set.begin(), value.set.end(), [&](const auto& one) { return one.first == path; });
    });
}

void set_all(Study& study, const SweepSettings& settings)
{
    for (const auto& [path, value] : settings)
        field(path).set(study, value);
}

/// The names of the values of all axes; axes with one value are omitted if others remain.
std::string words_at(const Sweep& sweep, const std::vector<std::size_t>& at)
{
    const bool all_single = sweep.n_cells() == 1;
    std::string words;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        const auto& axis = sweep.axes[i];
        if (axis.values.size() == 1 && !all_single)
            continue;
        words += (words.empty() ? "" : ", ") + axis.words(at[i]);
    }
    return words.empty() ? sweep.base.study.name : words;
}

/// "uci/{table}/index_test_{split}.txt" with the labels of the cell's values on these axes.
void put_labels(const Sweep& sweep, const std::vector<std::size_t>& at, std::string& path)
{
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        const std::string mark  = "{" + sweep.axes[i].name + "}";
        const std::string label = sweep.axes[i].values[at[i]].label;
        for (auto found = path.find(mark); found != std::string::npos; found = path.find(mark, found + label.size()))
            path.replace(found, mark.size(), label);
    }
}

/// True if runs of this Study are scored on rows or images that are neither trained on nor test data.
bool has_validation(const Study& study)
{
    return is_images(study.data.source) ? study.data.images.validation_images > 0
                                        : study.split.calibration_fraction > 0;
}

Study study_at(const Sweep& sweep, const std::vector<std::size_t>& at)
{
    const SweepBase* base = &sweep.base;
    for (std::size_t i = 0; i < at.size(); ++i)
        if (const auto& own = sweep.axes[i].values[at[i]].base)
            base = &*own;
    Study study = base->study;
    set_all(study, sweep.set);
    for (std::size_t i = 0; i < at.size(); ++i)
        set_all(study, sweep.axes[i].values[at[i]].set);
    set_all(study, sweep.after);
    put_labels(sweep, at, study.data.file);
    put_labels(sweep, at, study.split.test_rows);
    study.name = base->study.name + ": " + words_at(sweep, at);
    study.note = "A cell of the sweep " + shown_title(sweep) + ".";
    return study;
}

/// Advances to the next combination; the last axis varies fastest. Returns false after the last
/// combination.
bool next_place(const Sweep& sweep, std::vector<std::size_t>& at)
{
    for (std::size_t i = at.size(); i-- > 0;) {
        if (++at[i] < sweep.axes[i].values.size())
            return true;
        at[i] = 0;
    }
    return false;
}

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

bool SweepAxis::is_numeric() const
{
    return std::all_of(values.begin(), values.end(), [](const SweepValue& value) { return value.number.has_value(); });
}

std::optional<double> axis_number(const FieldValue& value)
{
    if (const auto* whole = std::get_if<long>(&value))
        return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    if (const auto* wholes = std::get_if<std::vector<long>>(&value); wholes && wholes->size() == 1)
        return static_cast<double>(wholes->front());
    if (const auto* numbers = std::get_if<std::vector<double>>(&value); numbers && numbers->size() == 1)
        return numbers->front();
    return {};
}

std::string SweepAxis::title() const
{
    for (const auto& f : study_fields())
        if (f.path == name)
            return f.label;
    return name;
}

std::string SweepAxis::words(std::size_t i) const
{
    const SweepValue& value = values[i];
    if (!is_seed() && !value.number && value.label != "true" && value.label != "false")
        return value.label;
    std::string of = title();
    if (of.size() > 1 && std::islower(static_cast<unsigned char>(of[1])) != 0)
        of.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(of.front())));
    return of + " " + value.label;
}

const SweepAxis* Sweep::replicate_axis() const
{
    const auto found = std::ranges::find(axes, replicates, &SweepAxis::name);
    return found == axes.end() ? nullptr : &*found;
}

std::string Sweep::replicate_word() const { return replicates == "seed" ? "seeds" : "replicates"; }

std::size_t Sweep::n_cells() const
{
    std::size_t n = 1;
    for (const auto& axis : axes)
        n *= axis.values.size();
    return n;
}

std::string shown_title(const Sweep& sweep)
{
    if (!sweep.title.empty())
        return sweep.title;
    return sweep.id.empty() ? "Sweep of " + sweep.base.study.name : sweep.id;
}

Sweep quick_version(const Sweep& sweep)
{
    if (sweep.quick.empty() && sweep.quick_axes.empty())
        throw Error("The sweep " + shown_title(sweep)
                    + " has no quick version; expected \"quick\": {…} with its settings.");
    Sweep quick = sweep;
    for (auto& axis : quick.axes)
        for (const auto& other : sweep.quick_axes)
            if (other.name == axis.name)
                axis = other;
    for (const auto& [path, setting] : sweep.quick)
        put_setting(quick.after, path, setting);
    quick.quick.clear();
    quick.quick_axes.clear();
    return quick;
}

void set_for_all(Sweep& sweep, const std::string& assignment)
{
    const auto equals = place_of_equals(assignment);
    const Field& f    = typed_field(assignment.substr(0, equals));
    for (const auto& axis : sweep.axes)
        if (moves(axis, f.path))
            throw Error(f.path, f.path + " is varied by the axis " + one_line(axis.name, 80)
                                    + "; expected a setting that is the same in all cells.");
    Study trial;
    f.set(trial, parse_value(f, assignment.substr(equals + 1)));
    resolve_paths(trial, std::filesystem::current_path());
    put_setting(sweep.set, f.path, f.get(trial));
}

void set_after_axes(Sweep& sweep, const std::string& assignment)
{
    const auto equals = place_of_equals(assignment);
    const auto path = assignment.substr(0, equals), wanted = assignment.substr(equals + 1);
    for (auto& axis : sweep.axes)
        if (axis.name == path) {
            std::erase_if(axis.values, [&](const SweepValue& value) { return !is_listed(wanted, value.label); });
            if (axis.values.empty())
                throw Error(path + " is \"" + one_line(wanted, 80) + "\", expected values of this axis of the sweep "
                            + shown_title(sweep) + ".");
            return;
        }
    const Field& f = typed_field(path);
    Study trial;
    f.set(trial, parse_value(f, wanted));
    put_setting(sweep.after, f.path, f.get(trial));
}

std::vector<SweepCell> cells_of(const Sweep& sweep)
{
    if (sweep.n_cells() > most_cells)
        throw Error("The sweep " + shown_title(sweep) + " has " + std::to_string(sweep.n_cells())
                    + " cells, expected at most " + std::to_string(most_cells) + ".");
    std::vector<SweepCell> cells;
    std::map<std::string, std::size_t> by_hash;
    std::vector<std::size_t> at(sweep.axes.size(), 0);
    do {
        SweepCell cell{.index = cells.size(), .at = at, .study = {}, .hash = {}};
        try {
            cell.study = study_at(sweep, at);
            check(cell.study);
        } catch (const Error& error) {
            throw Error(error.field(), "Cell " + std::to_string(cell.index + 1) + " of the sweep " + shown_title(sweep)
                                           + " (" + words_at(sweep, at) + "): " + error.what());
        }
        cell.hash = study_hash(cell.study);
        if (const auto [before, is_new] = by_hash.emplace(cell.hash, cell.index); !is_new)
            throw Error("The cells " + words_at(sweep, cells[before->second].at) + " and " + words_at(sweep, at)
                        + " of the sweep " + shown_title(sweep)
                        + " are the same run; expected different settings in all cells.");
        if (sweep.choose && !has_validation(cell.study)) {
            const bool images = is_images(cell.study.data.source);
            throw Error(images ? "data.validation_images" : "split.calibration_fraction",
                        "The sweep " + shown_title(sweep) + " chooses by scores on "
                            + (images ? "validation images" : "calibration rows") + ", but the cell "
                            + words_at(sweep, at) + " has none; expected "
                            + (images ? "data.validation_images" : "split.calibration_fraction") + " greater than 0.");
        }
        if (sweep.choose && cell.study.prediction.recalibration != RecalibrationKind::none)
            throw Error("prediction.recalibration",
                        "The sweep " + shown_title(sweep) + " chooses by scores on "
                            + (is_images(cell.study.data.source) ? "validation images" : "calibration rows")
                            + ", but prediction.recalibration of the cell " + words_at(sweep, at) + " is "
                            + name_of(cell.study.prediction.recalibration)
                            + ", which is fitted on the same rows; expected none.");
        cells.push_back(std::move(cell));
    } while (next_place(sweep, at));
    return cells;
}

std::string cell_words(const Sweep& sweep, const SweepCell& cell) { return words_at(sweep, cell.at); }

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
    if (sweep.choose) {
        json["choose"] = {{"axis", sweep.choose->axis}, {"by", sweep.choose->by}};
        if (sweep.choose->each_replicate)
            json["choose"]["each_replicate"] = true;
    }
    return json.dump(2, ' ', false, SweepJson::error_handler_t::replace) + "\n";
}

void save_sweep(const Sweep& sweep, const std::filesystem::path& file) { write_whole(file, to_text(sweep)); }

namespace {

/// The data folder with the tables of built-in sweeps; the first data folder if none has them.
std::filesystem::path folder_with_tables()
{
    const auto folders = data_folders();
    std::error_code ignored;
    for (const auto& folder : folders)
        if (std::filesystem::is_directory(folder / "uci", ignored))
            return folder;
    return folders.front();
}

}   // namespace

std::vector<std::pair<std::string, std::string>> sweep_texts();   // compiled in by cmake/EmbedTexts.cmake

const std::vector<Sweep>& sweeps()
{
    static const std::vector<Sweep> list = [] {
        std::vector<Sweep> made;
        const auto folder = folder_with_tables();
        for (const auto& [id, text] : sweep_texts()) {
            made.push_back(sweep_from_text(text, id + ".json", folder));
            made.back().id = id;
        }
        return made;
    }();
    return list;
}

const Sweep& shipped_sweep(std::string_view id)
{
    if (const auto* found = find_listed(sweeps(), id))
        return *found;
    throw Error("There is no sweep \"" + std::string(id) + "\", expected a file or one of " + listed_ids(sweeps())
                + ".");
}

Sweep find_sweep(const std::string& name)
{
    std::error_code ignored;
    if (const std::filesystem::path folder = name; std::filesystem::is_regular_file(folder / "sweep.json", ignored)) {
        Sweep sweep = load_sweep(folder / "sweep.json");
        sweep.id    = std::filesystem::absolute(folder / "x").lexically_normal().parent_path().filename().string();
        return sweep;
    }
    const bool path = name.find('/') != std::string::npos || name.ends_with(".json")
                      || std::filesystem::is_regular_file(name, ignored);
    return path ? load_sweep(name) : shipped_sweep(name);
}

}   // namespace credence
