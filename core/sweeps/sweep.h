// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "study/study.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// Settings of a Study by their paths, in order: {"training.steps", 300}.
using SweepSettings = std::vector<std::pair<std::string, FieldValue>>;

/// The Study that cells are derived from.
struct SweepBase {
    std::string name;   ///< id of a preset, or the file as named in the sweep; empty: the Study is part of the sweep
    bool is_preset = false;
    Study study;   ///< as read with the sweep
    bool operator==(const SweepBase&) const = default;
};

/// One value of an axis: a setting, or several that change together.
struct SweepValue {
    std::string label;               ///< as shown in tables: "0.01", "one τ"; unique within the axis
    SweepSettings set;               ///< may be empty if there is a base
    std::optional<SweepBase> base;   ///< replaces the sweep's base
    /// For axes with numbers (or lists of one number): this number, for the axis of a figure.
    std::optional<double> number;
    bool operator==(const SweepValue&) const = default;
};

/// Returns the position of a value on a figure's axis: a number, or the number in a list of one.
/// Empty: none.
std::optional<double> axis_number(const FieldValue& value);

struct SweepAxis {
    std::string name;   ///< path of a field, or any name if the values have labels
    std::vector<SweepValue> values;
    bool is_seed() const { return name == "seed"; }
    bool is_numeric() const;     ///< every value has a number
    std::string title() const;   ///< label of the field ("Learning rate η"), or the name
    /// Describes value `i` next to other labels: "one τ"; numbers and switches with their setting,
    /// "dropout rate 0.02".
    std::string words(std::size_t i) const;
    bool operator==(const SweepAxis&) const = default;
};

/// Files stored for each cell in addition to its scores.
struct SweepKeep {
    bool archive = true;              ///< run.credence, from which every view can be drawn later
    std::vector<std::string> views;   ///< ids: data/<view>.csv of each cell
    bool operator==(const SweepKeep&) const = default;
};

/// Selects the value of an axis with the best mean validation score. The test scores of that value
/// are the result.
struct SweepChoice {
    std::string axis;
    std::string by      = "NLL";   ///< name of a score as in results.json
    bool each_replicate = false;   ///< selects separately for each replicate instead of by the mean
    bool operator==(const SweepChoice&) const = default;
};

/// Many Studies as one value: one for each combination of the values of the axes, where the last
/// axis varies fastest. See docs/sweeps.md for the file.
struct Sweep {
    std::string id;      ///< the file's name without .json; empty: none
    std::string title;   ///< empty: see shown_title
    std::string note;
    SweepBase base;
    SweepSettings set;   ///< for every cell, before the axes
    std::vector<SweepAxis> axes;
    std::string replicates =
        "seed";   ///< axis whose values are replicates: means are taken over it, and comparisons are paired by it
    SweepSettings after;   ///< for every cell, after the axes
    SweepKeep keep;
    SweepSettings quick;                 ///< added to `after` in the quick version
    std::vector<SweepAxis> quick_axes;   ///< axes with other values in the quick version
    std::optional<SweepChoice> choose;

    bool is_replicate(const SweepAxis& axis) const { return axis.name == replicates; }
    const SweepAxis* replicate_axis() const;   ///< null: one run per combination
    std::string replicate_word() const;   ///< name of its values in tables: "seeds", for any other axis "replicates"
    std::size_t n_cells() const;          ///< product of the axes' lengths
    bool operator==(const Sweep&) const = default;
};

inline constexpr std::size_t most_cells = 10'000;

/// The title, or the id, or "Sweep of " and the base's name.
std::string shown_title(const Sweep& sweep);

/// Reads a sweep. Checks that every setting exists and is in range; combinations of settings are
/// checked by cells_of.
/// @param origin  name of the file, starts every error
/// @param folder  relative paths (bases, data files) start from it
/// @throws Error  with location, value found and value expected
Sweep sweep_from_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder);
Sweep load_sweep(const std::filesystem::path& file);   ///< its id is the file's name
/// Returns indented, self-contained JSON with a final newline: bases other than presets are
/// included as Studies, paths are absolute, ranges are lists.
std::string to_text(const Sweep& sweep);
void save_sweep(const Sweep& sweep, const std::filesystem::path& file);   ///< atomically

/// The built-in sweeps, compiled in from resources/sweeps/*.json, in the order of the list.
const std::vector<Sweep>& sweeps();
const Sweep& shipped_sweep(std::string_view id);   ///< @throws Error that lists the ids
/// Finds a sweep by its file (a path or *.json), by a folder in which one was run, or by the id of
/// a built-in sweep.
Sweep find_sweep(const std::string& name);

/// Applies the quick values of the axes and the quick settings. @throws Error if the sweep has no
/// quick version
Sweep quick_version(const Sweep& sweep);
/// Applies "training.steps=300" to every cell, before the axes. @throws Error also if an axis
/// varies this setting
void set_for_all(Sweep& sweep, const std::string& assignment);
/// Applies "training.steps=300" to every cell, after the axes; "seed=1, 2" restricts the axis seed
/// to these values. @throws Error if the axis has none of them
void set_after_axes(Sweep& sweep, const std::string& assignment);

/// One Study of a sweep.
struct SweepCell {
    std::size_t index = 0;         ///< in the order of the cells, from 0
    std::vector<std::size_t> at;   ///< index of the value on each axis
    Study study;
    std::string hash;   ///< study_hash
};

/// Returns all cells, in order, after checking each, including the rules of its method.
/// @throws Error  for the first invalid cell, with its values; for two cells that are the same run;
/// for more than most_cells
std::vector<SweepCell> cells_of(const Sweep& sweep);

/// "one τ, seed 2": the labels of the cell's values; axes with one value are omitted if others remain.
std::string cell_words(const Sweep& sweep, const SweepCell& cell);

/// Expands a range in a sweep file to a list, including both ends:
///
///     {"from": a, "to": b, "step": s}                      a, a + s, …, b; without a step it is 1
///     {"from": a, "to": b, "points": n}                    a + (b − a) i / (n − 1),  i = 0 … n − 1
///     {"from": a, "to": b, "points": n, "scale": "log"}    a (b / a)^(i / (n − 1))
///
/// Intermediate numbers are rounded to 12 digits, so that 0.1 + 2 · 0.1 is 0.3; for whole-number
/// settings to the nearest whole number.
/// @throws Error  with the expected values
nlohmann::ordered_json range_values(const nlohmann::ordered_json& range, bool whole);

}   // namespace credence
