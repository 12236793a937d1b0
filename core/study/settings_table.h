// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "study/fields.h"

#include <span>

namespace credence {

/// The value of a setting as people read it: a choice by its title, "Adam", all others as they are typed.
std::string shown_value(const Field& field, const Study& study);

/// The settings that have an effect, by their labels, in the order of the Study panel: setting, value, unit. Without name and note.
Table settings_table(const Study& study);

/// The settings in which studies differ, a column for each of them: the values where a setting has an effect, else an empty cell. Without rows: they differ in name and note alone.
/// @param names  of the columns, as many as studies
Table differing_settings(std::span<const Study* const> studies, std::span<const std::string> names);

/// ", prior N(0, 1²)" of the first weights, or ", prior Scale mixture".
std::string prior_words(const Study& study);

/// The settings that differ from those of a new study and that setting_of does not name by itself: "Noise 0.44, Minibatch m 32". Empty: none.
std::string unusual_settings(const Study& study);

}   // namespace credence
