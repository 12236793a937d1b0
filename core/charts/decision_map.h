// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/dataset.h"
#include "prediction/credible.h"

#include <optional>

namespace credence {

/// The quantities of the decision map.
enum class MapQuantity {
    class_probability,    ///< p̄ of one class
    predictive_entropy,   ///< H(p̄), nats
    aleatoric,            ///< E H(p_s), expected entropy, nats
    epistemic,            ///< H(p̄) − E H(p_s), mutual information, nats
    certainty,            ///< regions: certain or not by criterion (i)/(ii)
    set_size,             ///< regions: number of classes in the conformal set
};

/// A grid of cells over two inputs, in the data's units.
struct MapGrid {
    int nx = 0, ny = 0;
    Range x, y;   ///< centres of the first and last cell

    /// `cells` along each side of a region given by its edges.
    static MapGrid over(Range x_edges, Range y_edges, int cells);
    /// Centres of all cells [ny·nx × 2], row by row from y.first.
    std::vector<double> inputs() const;
};

/// Edges of n cells in a row whose first and last centres are `centres`; half a unit on both sides
/// of a single cell.
Range cell_edges(Range centres, int n, bool logarithmic = false);

/// Range of the data widened by `share` of its length on each side; of length 1 if all values are
/// equal.
Range widened_range(std::span<const double> values, double share);

/// Data points on the map.
struct MapPoints {
    std::vector<double> x, y;
    std::vector<int> label;
    std::size_t left_out = 0;   ///< not drawn: more than a picture can show
};
/// At most `limit` rows, evenly spaced. @param data two features, classes
MapPoints map_points(const Dataset& data, std::size_t limit = 3000);

/// The predictive distribution over a plane of two inputs.
struct DecisionMap {
    MapGrid grid;
    ClassPredictions predictions;         ///< of each cell, in the order of grid.inputs()
    std::optional<Certainty> certainty;   ///< of each cell; only on request: it needs the samples themselves
    std::vector<int> set_sizes;           ///< of each cell; only on request: it needs calibration rows
    double level = 0.95;                  ///< α of `certainty` and of the conformal sets
    MapPoints points;
    std::string x_name = "x1", y_name = "x2";
    std::vector<std::string> class_names;   ///< [K]
};

/// The value of this quantity in each cell [ny × nx]. Certainty: 0 by both criteria, 1 by (i) only,
/// 2 by (ii) only, 3 uncertain. Set size: the number of classes, at most 4.
std::vector<float> map_values(const DecisionMap& map, MapQuantity quantity, int map_class);
/// The colour scale: probability 0 to 1; entropy and its aleatoric part 0 to ln K; epistemic part 0
/// to its largest value.
Range map_scale(const DecisionMap& map, MapQuantity quantity);

/// @param scale  a common scale for maps side by side; empty: map_scale
Panel decision_panel(const DecisionMap& map, MapQuantity quantity, int map_class, std::optional<Range> scale = {});
Chart to_chart(const DecisionMap& map, MapQuantity quantity, int map_class);
std::string title_of(MapQuantity quantity);   ///< "Predictive entropy"
std::string name_of(MapQuantity quantity);    ///< "predictive_entropy", as in files and on the command line
/// @param what   start of the error sentence: the option or field that has the name
/// @throws Error "--quantity is "x", expected one of class_probability, predictive_entropy,
/// aleatoric, epistemic, certainty, set_size."
MapQuantity map_quantity_named(const std::string& wanted, const std::string& what = "--quantity");

}   // namespace credence
