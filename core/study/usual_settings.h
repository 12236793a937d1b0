// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>
#include <vector>

namespace credence {

/// A study with another posterior, and the resulting changes.
struct FamilyChange {
    Study study;
    std::vector<std::string> changes;   ///< as worded by `differences`: "Prior sd of weights: 0.5 → 1"
};

/// Sets `posterior.family` and the usual settings of that method for tables or images:
/// Method::usual.
///
/// Changes only settings that have the usual value of the study's current method; settings changed
/// by the user are kept. A value that happens to equal the usual one of the new method counts as
/// usual from then on. The presets two_moons_* are converted into one another, except for name and
/// note; so are stroke_digits_lenet_* and mnist_lenet_*.
FamilyChange with_family_defaults(const Study& study, const std::string& family);

/// Sets another network, with the family's usual settings for it (initial τ of LeNet's first dense
/// layer, its dropout) if they still have the usual values of the previous network.
Study with_network_kind(const Study& study, NetworkKind kind);

/// Returns the study with another data source and suitable initial settings for it; keeps seeds,
/// posterior family and prediction settings. Between sources of one kind, only data.source changes.
/// From toys and tables to images:
///
///     LeNet with 100 hidden units for strokes and 500 for data sets, Caffe's initialisation,
///     minibatches of 64, momentum 0.9,
///     learning rate 0.01 (1 + 1e-4 i)^-0.75, biases at twice the rate (Posch and Pilz 2021); 1,500
///     steps for strokes, 10,000
///     for data sets; the family's settings for images
///
/// and back: network, training and prior of the default study, with the family's settings.
Study with_data_source(const Study& study, const std::string& source);

/// Returns initial settings for a table of this size: one hidden layer of 50 units, two above
/// 10,000 rows; learning rate 0.003 with cosine decay to 0; the steps of 60 epochs of minibatches
/// of 100, at least 10,000 and at most 30,000. Posterior, prior, split and seed are kept.
Study with_table_settings(const Study& study, std::size_t n_rows);

/// Returns the settings of a table that has just been imported: `with_table_settings`, with inputs
/// and a numeric target standardised. From 200 rows on, a fifth of the rows that are not test rows
/// are calibration rows. σ scaling of a numeric target, or a temperature for classes, is fitted on
/// them. Conformal scores that need another task, and class weights and groups of another table, are
/// reset. The noise of a numeric target is estimated from the training rows (noise_by_neighbours),
/// with two digits and at least 5 % of the target's standard deviation. A target in any units then
/// trains at the same rate.
Study with_first_table_settings(const Study& study, const Dataset& table);

/// Returns the initial settings of a study with this data, network and posterior: those of the
/// default study. Settings that identify the data (problem, data set, file, drawn points) are kept.
Study with_default_settings(const Study& study);

}   // namespace credence
