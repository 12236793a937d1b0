// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

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

}   // namespace credence
