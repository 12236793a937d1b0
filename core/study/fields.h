// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "study/study.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace credence {

struct FieldChoice {
    std::string name;    ///< in JSON: "mean_field"
    std::string title;   ///< on screen: "Mean field (Bayes by Backprop)"
    std::string help;    ///< one line on when to pick it
};

/// One setting of a Study, described once: JSON, `--set`, range checks, the Study panel's editors and help marks all read this.
struct Field {
    std::string path{};    ///< "training.learning_rate": group and key; "name", "note" and "seed" stand alone
    std::string label{};   ///< "Learning rate η"
    std::string unit{};    ///< "steps", "nats"; empty for pure numbers
    std::string help{};    ///< what it does, formula, range, source (paper and equation)
    double min    = -std::numeric_limits<double>::infinity();   ///< of a number, or of each number of a list
    double max    = std::numeric_limits<double>::infinity();
    bool min_open = false;   ///< the minimum itself is not allowed
    bool max_open = false;
    std::vector<FieldChoice> choices{};
    bool advanced = false;   ///< folded away at first
    std::function<FieldValue(const Study&)> get{};
    std::function<void(Study&, const FieldValue&)> set{};   ///< @throws Error with this path if out of range
    std::function<bool(const Study&)>
        applies{};   ///< shown only if it has an effect under the other settings; never empty
    std::function<std::string(const Study&)>
        caution{};   ///< a sentence, where the value makes of the result something else than one expects; empty, also as a function: nothing

    /// "study" (name, note, seed), "data", "split", "network", "posterior", "prior", "training", "prediction"
    std::string group() const;
    std::string key() const;   ///< "learning_rate"
};

/// All settings in the order of the Study panel.
const std::vector<Field>& study_fields();
const Field& field(const std::string& path);   ///< @throws Error that names near paths

/// Text as the user types it ("0.01", "50, 50", "mean_field", "true") and back. @throws Error with the field's path: what was found and expected
FieldValue parse_value(const Field& field, const std::string& text);
std::string value_text(const FieldValue& value);
/// The value as JSON has it, of the field's kind. Its range is looked at where it is set. @throws Error with the field's path
FieldValue value_from_json(const Field& field, const nlohmann::json& json);
std::string expectation(
    const Field&
        field);   ///< "a number greater than 0", "one of mean_field, …": the end of every refusal, also for tool tips

/// The sentence with every setting called by its label instead of its path ("network.hidden" becomes "Hidden layers"): for a window, where nobody
/// sees paths.
std::string with_labels(const std::string& sentence);

/// Paths (or other names) of `known` that are close to `name`, nearest first, at most three.
std::vector<std::string> near_matches(const std::string& name, const std::vector<std::string>& known);

/// One setting in which two studies differ.
struct Change {
    std::string path;   ///< of the field; "points" for drawn points, "data.changes" for what they became while training
    std::string label, from, to;
    std::string text() const { return label + ": " + from + " → " + to; }
};
std::vector<Change> changes_between(const Study& a, const Study& b);

/// The settings in which two studies differ, as "label: a → b"; for undo texts and the table of runs. Name and note are left out: they say nothing
/// about a run.
std::vector<std::string> differences(const Study& a, const Study& b);

}   // namespace credence
