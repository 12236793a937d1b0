// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Inputs at which functions are compared: the same at every call, inside the data, between them
/// and outside.
namespace credence {

/// For one input: the range given by the source, or that of the data widened by half on each side.
Range range_along_x(const Experiment& experiment);
/// Evenly spaced over a range, ends included.
std::vector<double> places_along_x(Range range, std::size_t n = 201);
/// For two inputs: the region of a map, x and y: the data's range widened by 40 % on each side.
std::pair<Range, Range> region_of(const Experiment& experiment);

struct ProbePlaces {
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
};
/// A few inputs for diagnostics during a run: for two inputs a grid over region_of, for one input
/// points over range_along_x, otherwise rows of the test set, or of the training set if there is
/// none.
/// @param most  largest number, 4 or more
ProbePlaces few_probe_places(const Experiment& experiment, std::size_t most = 25);

}   // namespace credence
