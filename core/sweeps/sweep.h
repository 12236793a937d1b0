// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "study/study.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// Settings of a Study by their paths, in order: {"training.steps", 300}.
using SweepSettings = std::vector<std::pair<std::string, FieldValue>>;

/// The Study that cells begin with.
struct SweepBase {
    std::string
        name;   ///< id of a preset, or the file as the sweep names it; empty: the Study stands in the sweep itself
    bool is_preset = false;
    Study study;   ///< as it was when the sweep was read
    bool operator==(const SweepBase&) const = default;
};

/// One value of an axis: a setting, or several that move together.
struct SweepValue {
    std::string label;   ///< as it stands in tables: "0.01", "one τ"; differs from those of the other values
    SweepSettings set;   ///< may be empty where there is a base
    std::optional<SweepBase> base;   ///< in place of the sweep's
    /// Where the axis is one setting with numbers (or lists of one number): this number, for a figure's axis.
    std::optional<double> number;
    bool operator==(const SweepValue&) const = default;
};

/// Returns the number with which a value stands on a figure's axis: of a number itself, of a list of one number that one. Empty: it has none.
std::optional<double> axis_number(const FieldValue& value);

struct SweepAxis {
    std::string name;   ///< path of a field, or a free name where the values have labels
    std::vector<SweepValue> values;
    bool is_seed() const { return name == "seed"; }
    bool is_numeric() const;     ///< every value has a number
    std::string title() const;   ///< label of the field ("Learning rate η"), or the free name
    /// What value `i` is called among others: "one τ"; of numbers and switches with what they are of, "dropout rate 0.02".
    std::string words(std::size_t i) const;
    bool operator==(const SweepAxis&) const = default;
};

/// What stays of each cell beside its scores.
struct SweepKeep {
    bool archive = true;              ///< run.credence, of which every view can be drawn later
    std::vector<std::string> views;   ///< ids: data/<view>.csv of each cell
    bool operator==(const SweepKeep&) const = default;
};

/// The value of an axis that has the best mean of a score on the validation set; its test scores are the result.
struct SweepChoice {
    std::string axis;
    std::string by                            = "NLL";   ///< name of a score as results.json has it
    bool operator==(const SweepChoice&) const = default;
};

/// Many Studies as one value: those of all combinations of the values of the axes, the last axis fastest. See docs/sweeps.md for the file.
struct Sweep {
    std::string id;      ///< the file's name without .json; empty: none
    std::string title;   ///< empty: see shown_title
    std::string note;
    SweepBase base;
    SweepSettings set;   ///< of every cell, before the axes
    std::vector<SweepAxis> axes;
    std::string replicates =
        "seed";   ///< axis whose values are replicates: means are taken over it, and comparisons are paired by it
    SweepSettings after;   ///< of every cell, after the axes
    SweepKeep keep;
    SweepSettings quick;                 ///< joins `after` in the quick version
    std::vector<SweepAxis> quick_axes;   ///< axes that have other values in the quick version
    std::optional<SweepChoice> choose;

    bool is_replicate(const SweepAxis& axis) const { return axis.name == replicates; }
    const SweepAxis* replicate_axis() const;   ///< null: one run of each combination
    std::string replicate_word() const;        ///< what tables call its values: "seeds", of any other axis "replicates"
    std::size_t n_cells() const;               ///< product of the axes' lengths
    bool operator==(const Sweep&) const = default;
};

inline constexpr std::size_t most_cells = 10'000;

/// The title, or the id, or "Sweep of " and the base's name.
std::string shown_title(const Sweep& sweep);

/// Reads a sweep. Every setting is looked up and its range checked; what cells are together is checked by cells_of.
/// @param origin  begins every sentence: the file's name
/// @param folder  relative paths (bases, files of data) count from it
/// @throws Error  that says what was wrong, where, what was expected and found
Sweep sweep_from_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder);
Sweep load_sweep(const std::filesystem::path& file);   ///< its id is the file's name
/// Indented JSON with a final newline, which says all by itself: bases that are no presets stand in it as Studies, paths are absolute, ranges are lists.
std::string to_text(const Sweep& sweep);
void save_sweep(const Sweep& sweep, const std::filesystem::path& file);   ///< whole or not at all

/// The sweeps that the program brings with it, compiled in from resources/sweeps/*.json, in the order of the list.
const std::vector<Sweep>& sweeps();
const Sweep& shipped_sweep(const std::string& id);   ///< @throws Error that lists the ids
/// The sweep of a file (a path or *.json), that of a folder in which one was run, or a shipped one by its id.
Sweep find_sweep(const std::string& name);

/// The axes with their quick values, and the quick settings after them. @throws Error if the sweep has no quick version
Sweep quick_version(const Sweep& sweep);
/// "training.steps=300" for every cell, before the axes. @throws Error also if an axis moves this setting
void set_for_all(Sweep& sweep, const std::string& assignment);

/// One Study of a sweep.
struct SweepCell {
    std::size_t index = 0;         ///< in the order of the cells, from 0
    std::vector<std::size_t> at;   ///< which value of each axis
    Study study;
    std::string hash;   ///< study_hash
};

/// All cells, in order, each checked alone and with its method's rules of settings.
/// @throws Error  of the first bad one, with its values; of two cells that are the same run; of more than most_cells
std::vector<SweepCell> cells_of(const Sweep& sweep);

/// "one τ, seed 2": the labels of the cell's values; axes with one value are left out, if that leaves any.
std::string cell_words(const Sweep& sweep, const SweepCell& cell);

}   // namespace credence
