// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"

#include <optional>

namespace credence {

/// Estimates the standard deviation of the noise of a numeric target without a model:
///
///     s² = 1/(2n) Σ_i (y_i − y_{j(i)})²
///
/// j(i) is the training row nearest to row i in standardised inputs. The estimate is too large where the target
/// changes much between neighbours, and exact in the limit of many rows. Neighbours that repeat a row, including
/// its target, are skipped: copies contain no information about the noise. With many rows or inputs, evenly
/// spaced rows are used, so that at most 2e8 differences are computed.
///
/// @return  target units; empty: a classification, or fewer than 10 different rows
/// Source: Rice 1984; Liitiäinen, Corona and Lendasse 2010
std::optional<double> noise_by_neighbours(const SplitData& data);

}   // namespace credence
