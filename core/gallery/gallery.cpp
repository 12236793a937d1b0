// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include "bandits/bandit_study.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "runs/provenance.h"
#include "simplex/simplex_presets.h"
#include "study/fields.h"
#include "study/presets.h"
#include "sweeps/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace credence {

std::vector<std::pair<std::string, std::string>> gallery_texts();   // compiled in by cmake/EmbedTexts.cmake

namespace {

constexpr auto reproduce = "credence reproduce ";

/// "about 3 hours", "about 1 minute"
std::string about(double count, const char* unit, int decimals)
{
    std::string number = fixed_text(count, decimals);
    if (number.ends_with(".0"))
        number.resize(number.size() - 2);
    return "about " + number + ' ' + unit + (number == "1" ? "" : "s");
}

std::string command_of_tests(const MadeByTests& tests)
{
    return "ctest --preset release -R '^(" + joined(tests.names, {}, "|") + ")$'";
}

/// Decimals of the printed text; empty: it is not a plain number.
std::optional<int> printed_decimals(std::string text)
{
    const std::string minus = "−";
    if (text.starts_with(minus))
        text.replace(0, minus.size(), "-");
    if (!number_from(text) || text.find_first_of("eE") != std::string::npos)
        return {};
    const auto point = text.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

std::string our_value(const PrintedValue& value, double number)
{
    const double shown  = value.name.ends_with("(%)") ? 100 * number : number;
    const auto decimals = printed_decimals(value.printed);
    return decimals ? fixed_text(shown, *decimals) : number_text(shown, 4);
}

/// Returns true if this cell is one of those averaged for the value.
bool is_meant(const PrintedValue& value, const Sweep& sweep, const SweepCell& cell)
{
    return std::all_of(value.cell.begin(), value.cell.end(), [&](const auto& wanted) {
        for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
            if (sweep.axes[axis].name == wanted.first)
                return sweep.axes[axis].values[cell.at[axis]].label == wanted.second;
        return false;
    });
}

/// "agree": after a number of entries.
const char* counted_words(EntryStatus status, int count)
{
    switch (status) {
    case EntryStatus::agrees: return count == 1 ? "agrees" : "agree";
    case EntryStatus::differs: return count == 1 ? "differs" : "differ";
    case EntryStatus::other_settings: return "with other settings";
    case EntryStatus::other_data: return "with other data";
    case EntryStatus::shown: return "shown";
    case EntryStatus::open: return "not measured";
    case EntryStatus::impossible: return "impossible";
    }
    return "";
}

/// Returns true if the value names every axis except the seeds and the axis of a choice.
bool names_all_axes(const PrintedValue& value, const Sweep& sweep)
{
    return std::all_of(sweep.axes.begin(), sweep.axes.end(), [&](const SweepAxis& axis) {
        return sweep.is_replicate(axis) || axis.values.size() == 1 || (sweep.choose && sweep.choose->axis == axis.name)
               || std::any_of(value.cell.begin(), value.cell.end(),
                              [&](const auto& wanted) { return wanted.first == axis.name; });
    });
}

/// The combinations whose scores are results: the chosen ones if the sweep chooses.
std::vector<SweepCombination> reported_combinations(const SweepResults& results)
{
    if (!results.sweep.choose)
        return combinations_of(results);
    std::vector<SweepCombination> chosen;
    for (auto& choice : choices_of(results))
        if (choice.chosen)
            chosen.push_back(std::move(*choice.chosen));
    return chosen;
}

/// The Studies that the command of an entry trains: the preset's, or the cells that its values
/// name, all cells if they name none. Empty: it is not made by training a Study.
std::vector<Study> studies_of(const GalleryEntry& entry)
{
    std::vector<Study> studies;
    if (std::holds_alternative<MadeByPreset>(entry.how))
        return {study_of(entry)};
    if (!std::holds_alternative<MadeBySweep>(entry.how))
        return studies;
    const Sweep sweep = sweep_of(entry);
    for (const auto& cell : cells_of(sweep))
        if (names_cell(entry, sweep, cell))
            studies.push_back(cell.study);
    return studies;
}

/// The numbers of "1", "1, 2, 3" and "1 to 5"; empty: another text.
std::set<long> seeds_from(std::string text)
{
    const auto range = text.find(" to ");
    if (range != std::string::npos)
        text.replace(range, 4, ", ");
    std::set<long> seeds;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto number = number_from(part.substr(std::min(part.size(), part.find_first_not_of(' '))));
        if (!number)
            return {};
        seeds.insert(std::lround(*number));
    }
    if (range != std::string::npos && seeds.size() == 2)
        for (long seed = *seeds.begin() + 1; seed < *seeds.rbegin(); ++seed)
            seeds.insert(seed);
    return seeds;
}

std::string seeds_list(const std::set<long>& seeds)
{
    return joined(seeds, [](long seed) { return std::to_string(seed); });
}

}   // namespace

const char* title_of(EntryStatus status)
{
    switch (status) {
    case EntryStatus::agrees: return "Agrees";
    case EntryStatus::differs: return "Differs";
    case EntryStatus::other_settings: return "Other settings";
    case EntryStatus::other_data: return "Other data";
    case EntryStatus::shown: return "Shown";
    case EntryStatus::open: return "Not measured";
    case EntryStatus::impossible: return "Impossible";
    }
    return "";
}

const char* meaning_of(EntryStatus status)
{
    switch (status) {
    case EntryStatus::agrees:
        return "Measured with the published settings; within the stated error of the published result, or better.";
    case EntryStatus::differs:
        return "Measured with the published settings; the result differs, and the entry states by how much.";
    case EntryStatus::other_settings:
        return "Measured with settings other than the published ones; the entry names each difference.";
    case EntryStatus::other_data: return "Measured on other data or with another network; the entry names them.";
    case EntryStatus::shown:
        return "A picture, formula or option without a published number to compare; formulas rest on tests.";
    case EntryStatus::open: return "Possible, but not measured yet.";
    case EntryStatus::impossible: return "Cannot be measured; the entry names what is not available.";
    }
    return "";
}

std::string OurRuns::seeds_text() const
{
    if (seeds.starts_with("none"))   // "none (no sampling)"
        return "no seeds" + seeds.substr(4);
    const bool one = seeds.find_first_not_of("0123456789") == std::string::npos;
    return (one ? "seed " : "seeds ") + seeds;
}

std::string OurRuns::hashes_text() const
{
    constexpr std::size_t most = 3;
    std::string words;
    for (std::size_t i = 0; i < std::min(most, hashes.size()); ++i)
        words += (i == 0 ? (hashes.size() == 1 ? "Study " : "Studies ") : ", ") + hashes[i];
    return hashes.size() > most ? words + " and " + std::to_string(hashes.size() - most) + " more" : words;
}

const Paper& Gallery::paper_of(const GalleryEntry& entry) const { return *find_listed(papers, entry.paper); }

const GalleryEntry& Gallery::entry(const std::string& id) const
{
    if (const auto* found = find_listed(entries, id))
        return *found;
    std::vector<std::string> ids;
    for (const auto& one : entries)
        ids.push_back(one.id);
    std::string sentence = "There is no entry \"" + id + "\" in the gallery of the papers";
    const auto near      = near_matches(id, ids);
    for (std::size_t i = 0; i < near.size(); ++i)
        sentence += (i == 0 ? "; did you mean " : " or ") + near[i];
    throw Error(sentence + (near.empty() ? "" : "?") + (near.empty() ? " (see: credence reproduce --list)." : ""));
}

std::vector<const GalleryEntry*> Gallery::of_paper(const std::string& paper) const
{
    std::vector<const GalleryEntry*> found;
    for (const auto& one : entries)
        if (one.paper == paper)
            found.push_back(&one);
    return found;
}

const Gallery& gallery()
{
    static const Gallery all = [] {
        const char* const other = std::getenv("CREDENCE_GALLERY");
        if (!other || !*other)
            return gallery_from_text(gallery_texts().front().second, "gallery.json");
        const std::filesystem::path file = other;
        return gallery_from_text(read_file(file, "a gallery of papers, as CREDENCE_GALLERY names it"),
                                 file.filename().string());
    }();
    return all;
}

std::string GalleryCounts::text() const
{
    std::string words     = std::to_string(all()) + (all() == 1 ? " entry" : " entries");
    const char* separator = ": ";
    for (const auto& [status, name] : entry_statuses)
        if (const int count = (*this)[status]; count > 0) {
            words += std::exchange(separator, ", ") + std::to_string(count) + ' ' + counted_words(status, count);
        }
    return words;
}

int GalleryCounts::all() const { return std::accumulate(each.begin(), each.end(), 0); }

GalleryCounts counts_of(const std::vector<const GalleryEntry*>& entries)
{
    GalleryCounts counts;
    for (const auto* entry : entries)
        ++counts.each[static_cast<std::size_t>(entry->status)];
    return counts;
}

GalleryCounts counts_of(const Gallery& gallery)
{
    std::vector<const GalleryEntry*> all;
    for (const auto& entry : gallery.entries)
        all.push_back(&entry);
    return counts_of(all);
}

bool has_quick_version(const GalleryEntry& entry)
{
    if (const auto* sweep = std::get_if<MadeBySweep>(&entry.how)) {
        const Sweep& shipped = shipped_sweep(sweep->id);
        return !shipped.quick.empty() || !shipped.quick_axes.empty();
    }
    return std::holds_alternative<MadeByPreset>(entry.how) && !entry.quick.empty();
}

bool is_run(const GalleryEntry& entry)
{
    return std::holds_alternative<MadeBySweep>(entry.how) || std::holds_alternative<MadeByPreset>(entry.how)
           || std::holds_alternative<MadeByComparison>(entry.how) || std::holds_alternative<MadeByBandit>(entry.how);
}

Study study_of(const GalleryEntry& entry, bool quick)
{
    const auto* made = std::get_if<MadeByPreset>(&entry.how);
    if (!made)
        throw Error(entry.id + " is not made by a single Study.");
    try {
        Study study = preset(made->id);
        for (const auto& assignment : made->set)
            set_field(study, assignment);
        if (quick)
            for (const auto& assignment : entry.quick)
                set_field(study, assignment);
        check(study);
        return study;
    } catch (const Error& error) {
        throw Error(error.field(), entry.id + ": " + error.what());
    }
}

Sweep sweep_of(const GalleryEntry& entry, bool quick)
{
    const auto* made = std::get_if<MadeBySweep>(&entry.how);
    if (!made)
        throw Error(entry.id + " is not made by a sweep.");
    Sweep sweep = shipped_sweep(made->id);
    try {
        for (const auto& assignment : made->set)
            set_after_axes(sweep, assignment);
    } catch (const Error& error) {
        throw Error(error.field(), entry.id + ": " + error.what());
    }
    return quick ? quick_version(sweep) : sweep;
}

bool names_cell(const GalleryEntry& entry, const Sweep& sweep, const SweepCell& cell)
{
    bool none = true;
    for (const auto& value : entry.values) {
        if (!value.cell.empty() && is_meant(value, sweep, cell))
            return true;
        none = none && value.cell.empty();
    }
    return none;
}

std::vector<std::string> differing_settings(const GalleryEntry& entry)
{
    std::vector<std::string> differences;
    if (!entry.ours)
        return differences;
    const auto our_seeds = seeds_from(entry.ours->seeds);
    if (entry.ours->study.empty() && entry.ours->hashes.empty()
        && our_seeds.empty())   // nothing to compare; a sweep can have thousands of cells
        return differences;
    const auto studies = studies_of(entry);
    if (studies.empty() && std::holds_alternative<MadeBySweep>(entry.how))
        differences.push_back("the sweep has none of the cells that the values name");
    for (const auto& assignment : entry.ours->study) {
        const Field& setting = field(assignment.substr(0, assignment.find('=')));
        for (const auto& study : studies) {
            if (!setting.applies(study))
                continue;
            Study measured = study;
            set_field(measured, assignment);
            const auto there = value_text(setting.get(study)), here = value_text(setting.get(measured));
            const auto words = setting.path + " is " + there + ", our runs have " + here;
            if (there != here && std::find(differences.begin(), differences.end(), words) == differences.end())
                differences.push_back(words);
        }
    }
    std::set<std::string> hashes;
    if (!entry.ours->hashes.empty())
        for (const auto& study : studies)
            hashes.insert(study_hash(study));
    for (const auto& hash : entry.ours->hashes)
        if (!hashes.contains(hash))
            differences.push_back("the Study " + hash + " of our runs is not among those of the command");
    std::set<long> seeds;
    for (const auto& study : studies)
        seeds.insert(static_cast<long>(study.seed));
    if (!seeds.empty() && !our_seeds.empty() && seeds != our_seeds)
        differences.push_back("seed is " + seeds_list(seeds) + ", our runs have " + seeds_list(our_seeds));
    return differences;
}

std::string command_of(const GalleryEntry& entry)
{
    if (is_run(entry))
        return reproduce + entry.id;
    if (const auto* command = std::get_if<MadeByCommand>(&entry.how))
        return command->line;
    if (const auto* tests = std::get_if<MadeByTests>(&entry.how))
        return command_of_tests(*tests);
    return std::holds_alternative<MadeByPage>(entry.how) ? "credence" : "";
}

std::string time_text(std::optional<double> minutes)
{
    if (!minutes)
        return {};
    if (*minutes < 1)
        return "less than a minute";
    return *minutes < 90 ? about(std::round(*minutes), "minute", 0) : about(*minutes / 60, "hour", 1);
}

std::string place_of(const MadeByPage& page)
{
    switch (page.page) {
    case GalleryPage::simplex: {
        const auto* chosen = find_listed(simplex_presets(), page.preset);
        return chosen ? "view Simplex, preset “" + chosen->title + "”" : "view Simplex";
    }
    case GalleryPage::beta:
        return page.preset.empty() ? "view Simplex, page Beta"
                                   : "view Simplex, page Beta, preset “" + page.preset + "”";
    case GalleryPage::double_well: return "Tools › Double well";
    case GalleryPage::bandit: return "Tools › Bandit";
    }
    return {};
}

std::string measured_text(const PrintedValue& value, const CellScores& scores)
{
    const auto number = value.score.empty() ? std::nullopt : scores.value({.name = value.score, .unit = {}});
    return number ? our_value(value, *number) : std::string();
}

std::string measured_text(const PrintedValue& value, const SweepResults& results)
{
    if (value.score.empty() || !names_all_axes(value, results.sweep))
        return {};
    const bool of_seeds = results.sweep.replicates == "seed";
    for (const auto& combination : reported_combinations(results)) {
        if (combination.cells.empty() || !is_meant(value, results.sweep, results.cells[combination.cells.front()]))
            continue;
        const auto seeds = over_seeds(results, combination, {.name = value.score, .unit = {}});
        if (!seeds.mean)
            return {};
        std::string text = our_value(value, *seeds.mean);
        if (seeds.sd)   // splits: the standard error, as papers print
            text += " ± " + our_value(value, of_seeds ? *seeds.sd : *seeds.sd / std::sqrt(seeds.n));
        text += " (" + std::to_string(seeds.n) + ' ' + results.sweep.replicate_word();
        if (seeds.n == 1)
            text.pop_back();
        return text + ")";
    }
    return {};
}

}   // namespace credence
