// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "study/study.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

struct FieldChoice {
    std::string name;             ///< in JSON: "mean_field"
    std::string title;            ///< on screen: "Mean field (Bayes by Backprop)"
    std::string help;             ///< one line on when to choose it
    std::optional<Task> only{};   ///< the task of the data that it needs; empty: it suits both
};

/// True if the choice suits the task of the data. Sources that state no task accept every choice.
bool suits(const FieldChoice& choice, const Study& study);

/// One setting of a Study. JSON, `--set`, range checks, and the editors and help texts of the Study
/// panel all use this description.
struct Field {
    std::string path{};    ///< "training.learning_rate": group and key; "name", "note" and "seed" have no group
    std::string label{};   ///< "Learning rate η"
    std::string unit{};    ///< "steps", "nats"; empty for pure numbers
    std::string help{};    ///< what it does, formula, range, source (paper and equation)
    double min    = -std::numeric_limits<double>::infinity();   ///< of a number, or of each number of a list
    double max    = std::numeric_limits<double>::infinity();
    bool min_open = false;   ///< the minimum itself is not allowed
    bool max_open = false;
    std::vector<FieldChoice> choices{};
    bool advanced = false;   ///< collapsed at first
    /// Written to JSON only if it applies or differs from its default. Set it for every new
    /// setting, so that the hashes of Studies that do not use it stay the same.
    bool written_if_used    = false;
    bool written_if_changed = false;   ///< written to JSON only if it differs from its default
    std::function<FieldValue(const Study&)> get{};
    std::function<void(Study&, const FieldValue&)> set{};   ///< @throws Error with this path if out of range
    std::function<bool(const Study&)>
        applies{};   ///< true if it has an effect under the other settings, else it is hidden; never empty
    std::function<std::string(const Study&)>
        caution{};   ///< a warning if the value changes the meaning of the result; may be empty or return an empty text

    /// "study" (name, note, seed), "data", "split", "network", "posterior", "prior", "training",
    /// "prediction"
    std::string group() const;
    std::string key() const;   ///< "learning_rate"
};

/// All settings in the order of the Study panel.
const std::vector<Field>& study_fields();
const Field& field(std::string_view path);   ///< @throws Error that suggests similar paths

/// Text as the user types it ("0.01", "50, 50", "mean_field", "true") and back. @throws Error with
/// the field's path, the value found and the values expected
FieldValue parse_value(const Field& field, const std::string& text);
std::string value_text(const FieldValue& value);
/// Reads a value of the field's kind from JSON. Its range is checked when it is set. @throws Error
/// with the field's path
FieldValue value_from_json(const Field& field, const nlohmann::json& json);
std::string expectation(
    const Field&
        field);   ///< "a number greater than 0", "one of mean_field, …": the end of every error, also for tooltips

/// Returns the sentence with setting paths replaced by labels ("network.hidden" becomes "Hidden
/// layers"), for the window, which does not show paths.
std::string with_labels(const std::string& sentence);

/// Returns up to three entries of `known` that are similar to `name`, most similar first.
std::vector<std::string> near_matches(const std::string& name, const std::vector<std::string>& known);

/// One setting in which two studies differ.
struct Change {
    std::string path;   ///< of the field; "points" for drawn points, "data.changes" for their changes during training
    std::string label, from, to;
    std::string text() const { return label + ": " + from + " → " + to; }
};
std::vector<Change> changes_between(const Study& a, const Study& b);

/// Returns the settings in which two studies differ, as "label: a → b"; for undo texts and the
/// table of runs. Ignores name and note, which do not affect a run.
std::vector<std::string> differences(const Study& a, const Study& b);

/// A setting that had another path in older versions. Old files can still be read, but the old path
/// is not accepted as input.
struct FormerPath {
    std::string was, is;
    std::string remark;   ///< explanation for users who type the old path
};
/// @return  null: no setting had this path
const FormerPath* former_path(std::string_view path);

/// Returns the field with the typed path. @throws Error  also for a former path; the error states
/// the current one
const Field& typed_field(std::string_view path);

/// Returns the JSON of a Study with all settings under their current paths.
nlohmann::json with_present_paths(nlohmann::json study);

}   // namespace credence
