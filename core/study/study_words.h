// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "study/fields.h"
#include "study/study.h"

#include <span>
#include <string>
#include <string_view>

namespace credence {

/// Describes the settings of one part of a Study in one line of at most 60 characters: "Two moons ·
/// 500 points · noise 0.1".
/// @param group  "data" (with the split), "network", "posterior" (with the prior), "training" or
///        "prediction"; empty text for any other
/// @param weights  of the network, which depends on the data; 0: not known
std::string study_sentence(const Study& study, std::string_view group, std::size_t weights = 0);

/// Returns the value of a setting as shown to users: a choice by its title, "Adam", all others as
/// typed.
std::string shown_value(const Field& field, const Study& study);

/// Returns the settings that have an effect, by their labels, in the order of the Study panel:
/// setting, value, unit. Without name and note.
Table settings_table(const Study& study);

/// Returns the settings in which studies differ, with one column per study; a cell is empty if the
/// setting has no effect there. No rows: they differ in name and note only.
/// @param names  of the columns, as many as studies
Table differing_settings(std::span<const Study* const> studies, std::span<const std::string> names);

/// Returns ", prior N(0, 1²)" of the first weights, or ", prior Scale mixture".
std::string prior_words(const Study& study);

/// Returns the settings that differ from a new study and are not named elsewhere in captions:
/// "Noise 0.44, Minibatch m 32". Empty: none.
std::string unusual_settings(const Study& study);

}   // namespace credence
