// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/probe_places.h"
#include "views/views.h"

#include <optional>
#include <string>
#include <vector>

/// Points at which functions are compared: the same in every call, inside the data, between them
/// and outside.
namespace credence::view_support {

struct ProbePoints {
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
    std::optional<MapGrid> grid{};      ///< two inputs: the cells whose centres these are
    std::vector<double> x{};            ///< one input, original units
    std::vector<std::size_t> rows{};    ///< more inputs: rows of the scored set
    std::string what{};                 ///< "24 × 24 points of the plane", "201 points along x", "200 rows of the
                                        ///< test set"
    std::vector<std::string> names{};   ///< "(0.5, 1.2)", "x = 0.5", "row 17 of the test set" [n]
};

struct ProbeOptions {
    int cells        = 24;     ///< two inputs: along each side, at most options.map.cells
    std::size_t most = 1000;   ///< points
};

/// Two inputs: a grid over the region of the decision map. One input: the points of the regression
/// band. More inputs: at most 200 rows of the scored set, evenly spaced.
/// @param view  its region overrides the default
ProbePoints probe_points(const Experiment& experiment, const ViewOptions& view, const ProbeOptions& options);

}   // namespace credence::view_support
