// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

/// One of the papers whose results are held beside ours.
struct Paper {
    std::string id;            ///< "P": its entries' ids begin with it
    std::string short_title;   ///< "Posch and Pilz 2021"
    std::string title;
    std::string citation;   ///< authors, where and when
};

enum class EntryKind { table, figure, claim, algorithm, formula };
enum class EntryStatus {
    done,         ///< ours stand beside the printed ones
    substitute,   ///< done on other data, or with another net: the difference says which
    open,         ///< it can be done and is not done yet
    impossible,   ///< what it needs is not to be had: the difference says what
};
const char* name_of(EntryKind kind);        ///< "table": as in the file
const char* name_of(EntryStatus status);    ///< "done"
const char* title_of(EntryStatus status);   ///< "Done on other data": for people

/// The tool pages of the window that a paper's figure can be seen on.
enum class GalleryPage { simplex, beta, double_well, bandit };
const char* name_of(GalleryPage page);   ///< "double_well"

// The ways to make a result again.
struct MadeBySweep {
    std::string id;   ///< of resources/sweeps
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
    std::string preset;   ///< of the page; empty: as it opens
};
struct MadeByTests {
    std::vector<std::string> names;   ///< "Tridiagonal.PrintedFactorTimesItsTransposeIsTheCovariance"
};
struct MadeByNothing {};   ///< of entries that are open or impossible
using How = std::variant<MadeByNothing, MadeBySweep, MadeByPreset, MadeByComparison, MadeByBandit, MadeByCommand,
                         MadeByPage, MadeByTests>;

/// One printed number beside ours, as texts that stand in a table.
struct PrintedValue {
    std::string name;      ///< "Gauss cor., error (%)"
    std::string printed;   ///< "0.70"; "-": the paper names none
    std::string ours;      ///< empty: not done
    /// The score of the run that it is, by its name in the table of scores ("Error"); empty: it is none of these. With it a new run is held beside both (measured_values.h).
    std::string score;
    std::vector<std::pair<std::string, std::string>>
        cell;   ///< of a sweep: the cells that it is the mean of, axis and value
};

/// What our numbers come from.
struct OurRuns {
    std::string seeds;                ///< "1 to 3"
    std::string date;                 ///< "2026-11-22"
    std::string commit;               ///< "39f1c08"
    std::string time;                 ///< "15 minutes of one core"
    std::string settings;             ///< where they are not the paper's: "40,000 of 100,000 steps"; may be empty
    std::string seeds_text() const;   ///< "seed 1", "seeds 1 to 3"
};

/// A table, figure, claim, algorithm or formula of a paper: what is printed, how we make it, what came out, and why the two differ.
struct GalleryEntry {
    std::string id;       ///< "P.table1.h100"
    std::string paper;    ///< "P"
    std::string number;   ///< "Table I, h = 100"
    EntryKind kind = EntryKind::table;
    std::string shows;   ///< one or two sentences
    How how;
    std::vector<std::string> views;   ///< ids of the views that show it; may be empty
    std::optional<long> row;          ///< test row, or image, that views of one input are made of; empty: the first
    std::vector<std::string> quick;   ///< of a preset: settings of a version that takes little time; empty: none
    std::optional<double> minutes, quick_minutes;   ///< wall time on two cores
    std::vector<PrintedValue> values;
    std::optional<OurRuns> ours;
    EntryStatus status = EntryStatus::open;
    std::string difference;   ///< between printed and ours, or why it is not done: one sentence
    std::string picture;      ///< file in the sources; empty: none
    std::string document;     ///< file in the sources, perhaps with an anchor, where more is written; empty: none
};

/// All entries of all papers, in the order of a reader.
struct Gallery {
    std::vector<Paper> papers;
    std::vector<GalleryEntry> entries;

    const Paper& paper_of(const GalleryEntry& entry) const;
    const GalleryEntry& entry(const std::string& id) const;   ///< @throws Error that names near ids
    std::vector<const GalleryEntry*> of_paper(const std::string& paper) const;
};

/// Reads JSON, strictly: a key that is missing or unknown, an id that stands twice or names no preset, sweep, view, comparison or bandit of the program is refused.
/// @param origin  for sentences. @throws Error "gallery.json, P.table1.h100: views names “certainties”, expected ids of views (see: credence list --views)."
Gallery gallery_from_text(std::string_view text, const std::string& origin);

/// resources/gallery.json as it was when the program was built; or the file that the environment variable CREDENCE_GALLERY names, for tests and for a gallery of
/// one's own. @throws Error if that one cannot be read
const Gallery& gallery();

/// How many entries are how far.
struct GalleryCounts {
    int done = 0, substitute = 0, open = 0, impossible = 0;
    int all() const { return done + substitute + open + impossible; }
    /// "98 of 120 done, 12 of them on other data; 15 not done yet, 7 cannot be done"
    std::string text() const;
};
GalleryCounts counts_of(const std::vector<const GalleryEntry*>& entries);
GalleryCounts counts_of(const Gallery& gallery);

/// Is there a version that takes little time? Of presets the settings of the entry, of sweeps those of the sweep, of bandits and comparisons none.
bool has_quick_version(const GalleryEntry& entry);
/// Can `credence reproduce` make it: by training, and not by a page, tests or another command?
bool is_run(const GalleryEntry& entry);
/// The Study of an entry that is made by a preset, checked. @throws Error that begins with the entry's id if it is made in another way, or if its settings are wrong
Study study_of(const GalleryEntry& entry, bool quick = false);
/// What anyone can type to make it again: "credence reproduce P.table1.h100", "ctest --preset release -R '^…$'". Empty: nothing can.
std::string command_of(const GalleryEntry& entry);
/// "about 12 minutes", "about 2 hours", "less than a minute"; empty where nobody knows
std::string time_text(std::optional<double> minutes);
/// Where an entry that is seen on a page stands in the window: "tab Simplex, preset “Fig. 1.1: Dirichlet(2, 2, 6)”", "Tools ▸ Double well".
std::string place_of(const MadeByPage& page);

}   // namespace credence
