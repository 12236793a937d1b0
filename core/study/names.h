// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"
#include "study/study.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Returns the family's title without its explanation: "Mean field", "One τ per block".
std::string family_title(const std::string& family);

/// Returns a short title for axes with many families: "Laplace", "One τ".
std::string axis_title(const std::string& family);

/// Returns the name adapted to another family: ("Two moons, mean field", point_estimate) → "Two
/// moons, point estimate". A name that does not mention the family is returned unchanged.
std::string named_for_family(const std::string& name, const std::string& before, const std::string& after);

/// Returns the name without a method at its end: "concrete" for ("concrete, SWAG", swag).
std::string name_without_family(const std::string& name, const std::string& family);
/// Returns "concrete, SWAG" for ("concrete", swag).
std::string name_with_family(const std::string& name, const std::string& family);

/// Returns a name for a Study from its data and family, like those of presets: "Two moons, mean
/// field", "Stroke digits, one τ per block", "MNIST, point estimate".
std::string named_for_source(const Study& study);

/// Returns a few words for a setting in which the Study differs from another one: "seed 7", "steps
/// 20000", or "training" for a setting with a long name or value.
std::string short_text(const Change& change, const Study& study);

/// Returns distinct titles: the Study's name; if names are equal, with the family's title, "moons
/// (point estimate)"; if these are equal too, with one or two settings that differ, "moons (seed 7)",
/// or with a number, "moons (2)".
std::vector<std::string> distinct_names(std::span<const Study* const> studies);

/// Classification or regression, if the settings determine it. Empty for a table whose task depends
/// on its target.
std::optional<Task> stated_task(const DataSpec& data);

}   // namespace credence
