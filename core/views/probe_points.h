// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/probe_places.h"
#include "views/views.h"

#include <optional>
#include <string>
#include <vector>

/// Places at which functions are compared: the same at every call, inside the data, between them and outside.
namespace credence::view_support {

struct ProbePoints {
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
    std::optional<MapGrid> grid{};     ///< of two inputs: the cells of which these are the centres
    std::vector<double> x{};           ///< of one input, original units
    std::vector<std::size_t> rows{};   ///< of more inputs: of the scored set
    std::string what{};   ///< "24 × 24 places of the plane", "201 places along x", "200 rows of the test set"
    std::vector<std::string> names{};   ///< "(0.5, 1.2)", "x = 0.5", "row 17 of the test set" [n]
};

struct ProbeOptions {
    int cells        = 24;     ///< two inputs: along each side, at most options.map_cells
    std::size_t most = 1000;   ///< points
};

/// Of two inputs a grid over the region of the decision map, of one input the places of the regression band, else rows of the scored set, at most 200 and evenly over it.
/// @param view  its region takes the place of the usual one
ProbePoints probe_points(const Experiment& experiment, const ViewOptions& view, const ProbeOptions& options);

}   // namespace credence::view_support
