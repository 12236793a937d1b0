// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Places at which functions are compared: the same at every call, inside the data, between them and outside.
namespace credence {

/// Of one input: the stretch that belongs to the source, or all x widened by half on each side.
Range range_along_x(const Experiment& experiment);
/// Evenly over a stretch, ends included.
std::vector<double> places_along_x(Range range, std::size_t n = 201);
/// Of two inputs: the region of a map, x and y: the data's range widened by 40 % on each side.
std::pair<Range, Range> region_of(const Experiment& experiment);
/// Numbers of at most n rows of so many, evenly over them, the first among them.
std::vector<std::size_t> rows_evenly(std::size_t n_rows, std::size_t n);

struct ProbePlaces {
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
};
/// A few places for diagnostics that are worked out while a run goes on: of two inputs a grid over region_of, of one input places over range_along_x, else rows of the test set, or
/// of the training set where there is none.
/// @param most  of them, 4 or more
ProbePlaces few_probe_places(const Experiment& experiment, std::size_t most = 25);

}   // namespace credence
