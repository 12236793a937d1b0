// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "foundation/enum_names.h"
#include "study/study.h"
#include "sweeps/sweep_results.h"

#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

/// A paper whose results are compared with ours.
struct Paper {
    std::string id;            ///< "P": the prefix of its entries' ids
    std::string short_title;   ///< "Posch and Pilz 2021"
    std::string title;
    std::string citation;   ///< authors, venue and year
};

enum class EntryKind { table, figure, claim, algorithm, formula };
enum class EntryStatus {
    agrees,           ///< measured with the printed settings: within the stated standard error, or better
    differs,          ///< measured with the printed settings: the difference names by how much, and why
    other_settings,   ///< measured with settings other than the printed ones: the difference names each
    other_data,       ///< measured on other data, or with another network: the difference names it
    shown,            ///< a picture, formula or option without a printed number to compare
    open,             ///< possible, but not measured yet
    impossible,       ///< requirements are not available: the difference names them
};
inline constexpr EnumNames<EntryKind, 5> entry_kinds{{{EntryKind::table, "table"},
                                                      {EntryKind::figure, "figure"},
                                                      {EntryKind::claim, "claim"},
                                                      {EntryKind::algorithm, "algorithm"},
                                                      {EntryKind::formula, "formula"}}};
inline constexpr EnumNames<EntryStatus, 7> entry_statuses{{{EntryStatus::agrees, "agrees"},
                                                           {EntryStatus::differs, "differs"},
                                                           {EntryStatus::other_settings, "other settings"},
                                                           {EntryStatus::other_data, "other data"},
                                                           {EntryStatus::shown, "shown"},
                                                           {EntryStatus::open, "open"},
                                                           {EntryStatus::impossible, "impossible"}}};
const char* title_of(EntryStatus status);   ///< "Other settings": for people
/// What the status means, in one sentence: for tooltips and the page of the papers.
const char* meaning_of(EntryStatus status);

/// The tool pages of the window that a paper's figure can be seen on.
enum class GalleryPage { simplex, beta, double_well, bandit };
inline constexpr EnumNames<GalleryPage, 4> gallery_pages{{{GalleryPage::simplex, "simplex"},
                                                          {GalleryPage::beta, "beta"},
                                                          {GalleryPage::double_well, "double_well"},
                                                          {GalleryPage::bandit, "bandit"}}};

// The ways to reproduce a result.
struct MadeBySweep {
    std::string id;   ///< of resources/sweeps
    std::vector<std::string> set =
        {};   ///< settings of our runs, "training.steps=300", or kept values of an axis, "seed=1"
};
struct MadeByPreset {
    std::string id;
    std::vector<std::string> set;   ///< settings changed on top of it, "training.steps=300"
};
struct MadeByComparison {
    std::string id;   ///< of runs/comparison.h
};
struct MadeByBandit {
    std::vector<std::string> ids;   ///< of bandit_presets
};
struct MadeByCommand {
    std::string line;   ///< "credence bridge --compare-sampling"
};
struct MadeByPage {
    GalleryPage page = GalleryPage::simplex;
    std::string preset;   ///< of the page; empty: its initial state
};
struct MadeByTests {
    std::vector<std::string> names;   ///< "Tridiagonal.PrintedFactorTimesItsTransposeIsTheCovariance"
};
struct MadeByNothing {};   ///< for entries that are open or impossible
using How = std::variant<MadeByNothing, MadeBySweep, MadeByPreset, MadeByComparison, MadeByBandit, MadeByCommand,
                         MadeByPage, MadeByTests>;

/// One printed number and ours, as table texts.
struct PrintedValue {
    std::string name;      ///< "Gauss cor., error (%)"
    std::string printed;   ///< "0.70"; "-": not given in the paper
    std::string ours;      ///< empty: not done
    /// The corresponding score of the run, by its name in the table of scores ("Error"); empty:
    /// none. It lets a new run be compared with both (measured_text).
    std::string score;
    std::vector<std::pair<std::string, std::string>>
        cell;   ///< for a sweep: the cells that are averaged, as axis and value
};

/// The origin of our numbers.
struct OurRuns {
    std::string seeds;      ///< "1 to 3"
    std::string date;       ///< "2026-11-22"
    std::string commit;     ///< "39f1c08"
    std::string time;       ///< "15 minutes of one core"
    std::string settings;   ///< if they differ from the paper's: "40,000 of 100,000
                            ///< steps"; can be empty
    /// Settings of the runs as far as they are known, "training.steps=15000": compared with those
    /// of the preset or sweep that the entry names (see differing_settings).
    std::vector<std::string> study;
    /// Study hashes from the files of the runs (see recorded_runs): those of the Studies that the
    /// entry's command trains. Empty: not recorded.
    std::vector<std::string> hashes = {};
    std::string seeds_text() const;    ///< "seed 1", "seeds 1 to 3", "no seeds (no sampling)"
    std::string hashes_text() const;   ///< "Study 1e43ff4a49af5f45", "Studies …, … and 3 more"; can be empty
};

/// A table, figure, claim, algorithm or formula of a paper: what is printed, how we reproduce it,
/// our result, and why the two differ.
struct GalleryEntry {
    std::string id;       ///< "P.table1.h100"
    std::string paper;    ///< "P"
    std::string number;   ///< "Table I, h = 100"
    EntryKind kind = EntryKind::table;
    std::string shows;   ///< one or two sentences
    How how;
    std::vector<std::string> views;                 ///< ids of the views that show it; can be empty
    std::optional<long> row;                        ///< test row or image for views of one input; empty: the
                                                    ///< first
    std::vector<std::string> quick;                 ///< for a preset: settings of a fast version; empty: none
    std::optional<double> minutes, quick_minutes;   ///< wall time on two cores
    std::vector<PrintedValue> values;
    std::optional<OurRuns> ours;
    EntryStatus status = EntryStatus::open;
    std::string difference;   ///< between printed and ours, or why it is not measured
    std::string picture;      ///< file in the sources; empty: none
    std::string document;     ///< file in the sources, possibly with an anchor, with more details;
                              ///< empty: none
};

/// All entries of all papers, in reading order.
struct Gallery {
    std::vector<Paper> papers;
    std::vector<GalleryEntry> entries;

    const Paper& paper_of(const GalleryEntry& entry) const;
    const GalleryEntry& entry(const std::string& id) const;   ///< @throws Error that suggests similar ids
    std::vector<const GalleryEntry*> of_paper(const std::string& paper) const;
};

/// Reads JSON strictly: missing or unknown keys, duplicate ids, and unknown presets, sweeps, views,
/// comparisons or bandits are errors.
/// @param origin  for error messages. @throws Error "gallery.json, P.table1.h100: views names
/// “certainties”, expected ids of views (see: credence list --views)."
Gallery gallery_from_text(std::string_view text, const std::string& origin);

/// The built-in resources/gallery.json; or the file that the environment variable CREDENCE_GALLERY
/// names, for tests and custom galleries. @throws Error if that file cannot be read
const Gallery& gallery();

/// Number of entries by status.
struct GalleryCounts {
    std::array<int, std::size(entry_statuses.entries)> each{};   ///< in the order of entry_statuses
    int operator[](EntryStatus status) const { return each[static_cast<std::size_t>(status)]; }
    int all() const;
    /// "120 entries: 30 agree, 5 differ, 40 with other settings, 10 with other data, 20 shown, 14 not
    /// measured, 1 impossible"; statuses without entries are left out.
    std::string text() const;
};
GalleryCounts counts_of(const std::vector<const GalleryEntry*>& entries);
GalleryCounts counts_of(const Gallery& gallery);

/// Returns true if there is a fast version: for presets the entry's settings, for sweeps the
/// sweep's own; none for bandits and comparisons.
bool has_quick_version(const GalleryEntry& entry);
/// Returns true if `credence reproduce` can run it by training, not by a page, tests or another
/// command.
bool is_run(const GalleryEntry& entry);
/// The checked Study of an entry that is made by a preset. @throws Error that starts with the
/// entry's id if it is made in another way, or if its settings are invalid
Study study_of(const GalleryEntry& entry, bool quick = false);
/// The sweep of an entry with its settings. @throws Error that starts with the entry's id if it is
/// made in another way, or if a setting is invalid
Sweep sweep_of(const GalleryEntry& entry, bool quick = false);
/// Returns true if this cell of the entry's sweep is among those that its values name; true for all
/// cells if they name none.
bool names_cell(const GalleryEntry& entry, const Sweep& sweep, const SweepCell& cell);
/// The settings of our recorded runs (OurRuns::study, hashes and seeds) that the preset or sweep of
/// the entry has otherwise: "training.steps is 100000, our runs have 15000". A sweep's cells are
/// those of names_cell. Settings without effect in a cell are left out.
std::vector<std::string> differing_settings(const GalleryEntry& entry);
/// The command that reproduces it: "credence reproduce P.table1.h100", "ctest --preset release -R
/// '^…$'". Empty: there is none.
std::string command_of(const GalleryEntry& entry);
/// "about 12 minutes", "about 2 hours", "less than a minute"; empty if unknown
std::string time_text(std::optional<double> minutes);
/// The location of a page entry in the window: "view Simplex, preset “Fig. 1.1: Dirichlet(2, 2,
/// 6)”", "Tools › Double well".
std::string place_of(const MadeByPage& page);

/// Returns a run's result for a printed value in the same format: as many decimals as printed,
/// times 100 if the value's name ends in "(%)". Empty: the value names no score, or the run does
/// not have it.
std::string measured_text(const PrintedValue& value, const CellScores& scores);

/// The same for a sweep: the mean over the seeds of the cells that the value names, "0.80 ± 0.05 (3
/// seeds)", with the standard error for other replicates than seeds; of the chosen cells if the sweep
/// chooses. Also empty if the value does not name every axis except the seed and the one of the
/// choice, and if none of its cells is done.
std::string measured_text(const PrintedValue& value, const SweepResults& results);

/// Returns the gallery as a Markdown page for GitHub: for each paper its entries by status, then a
/// short section per entry: status, what it shows, a table of printed and our numbers, seeds, the
/// difference, and how to reproduce it. Links are relative to the folder docs.
std::string papers_document(const Gallery& gallery);

struct MeanAndError {
    double mean = 0;
    std::optional<double> error;   ///< as printed after "±"; empty: none
    bool operator==(const MeanAndError&) const = default;
};
/// Reads "−0.90 ± 0.01" and "2.64 ± 0.09 (12 of 20 splits)"; empty: another text.
std::optional<MeanAndError> mean_and_error_from(const std::string& text);

/// Dot plots of an entry whose values are named "RMSE, METHOD" or "NLL, METHOD" and have means with
/// errors: a panel per score, printed and ours by method. For a figure without values: the NLL of all
/// such entries of its paper, minus the printed value of the first method. Empty: the entry has no such values.
std::optional<Chart> benchmark_chart(const Gallery& gallery, const GalleryEntry& entry);

// Provenance of our own runs (recorded_runs.cpp)

/// The settings that determine the cost of a run; an entry's preset or sweep is compared with them.
inline constexpr const char* recorded_settings[] = {"training.steps", "prediction.samples"};

/// Returns the provenance of finished runs in the form of `ours` in resources/gallery.json, from
/// their own files: seeds, date, commit, Study hashes and recorded_settings that all runs share.
/// @param folders  with study.json, results.json and times.json each
/// @param processor_seconds  of all these runs; empty: the wall times of their training are stated
/// @throws Error that names the file; also if `folders` is empty
OurRuns recorded_runs(const std::vector<std::filesystem::path>& folders, std::optional<double> processor_seconds = {});

/// Returns the object of an entry to copy into resources/gallery.json: `ours`, and for each value
/// its name and the result of these runs.
/// @param measured  one text per value of the entry; empty: no result
std::string recorded_text(const GalleryEntry& entry, const OurRuns& runs, const std::vector<std::string>& measured);

/// Returns the folders of those cells of a sweep that the entry's values name (all cells if they
/// name none), without cells that are not done.
std::vector<std::filesystem::path> folders_of(const GalleryEntry& entry, const SweepResults& results,
                                              const SweepFolder& folder);

}   // namespace credence
