// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The family's title without its explanation: "Mean field", "One τ per block".
std::string family_title(const std::string& family);

/// The same as short as a figure wants it that has many of them side by side: "Laplace", "One τ".
std::string axis_title(const std::string& family);

/// A name that speaks of the family, for another family: ("Two moons, mean field", point_estimate) → "Two moons, point estimate".
/// A name that does not speak of it stays as it is.
std::string named_for_family(const std::string& name, const std::string& before, const std::string& after);

/// A name for a Study by its data and family, as presets are named: "Two moons, mean field", "Stroke digits, one τ per block", "MNIST, point estimate".
std::string named_for_source(const Study& study);

/// Titles for what stands side by side: the Study's name; where names are equal, with the family's title, "moons (point estimate)"; where that is
/// equal too, with a number, "moons (2)".
std::vector<std::string> distinct_names(std::span<const Study* const> studies);

/// Classes or a number to predict, as far as the settings say it. A table whose task is found out from its target has none here.
std::optional<Task> stated_task(const DataSpec& data);

}   // namespace credence
