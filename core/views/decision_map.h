// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/decision_map.h"
#include "runs/experiment.h"
#include "runs/probe_places.h"
#include "simplex/laplace_bridge.h"
#include "views/views.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Views over the plane of two inputs.
namespace credence::view_support {

/// Returns why a run has no map: it needs two inputs and classes.
std::optional<std::string> why_no_plane(const Experiment& experiment);

/// A panel with a map over the plane of two inputs and at most 3,000 training points on it, by
/// class where there are classes.
/// @param heat  with its values; the grid gives the position of its cells
Panel plane_panel(const Experiment& experiment, const MapGrid& grid, HeatMap heat);

/// Adds the test points of a classification run to the panel's map: hollow, below the training
/// points.
void add_test_points(Panel& panel, const Experiment& experiment);

/// Predicts over a region. Empty: stopped.
std::optional<DecisionMap> map_over(const RunSnapshot& run, const ViewOptions& options, std::pair<Range, Range> region,
                                    std::stop_token stop);

}   // namespace credence::view_support

namespace credence {

/// Draws the decision maps of several runs side by side, on one region and one colour scale.
/// @return  empty if `stop` was requested; a run without a map becomes a message
std::optional<Chart> compare_decision_maps(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           std::stop_token stop = {});

/// The uncertainty of one network over the plane, by point estimate and by Laplace approximations
/// of several structures, and maps of the Laplace Bridge Dirichlet for one of them (Hobbhahn 2020,
/// Fig. 5.4).
struct LaplaceMaps {
    struct Predictive {
        std::string name;             ///< "MAP", "Diagonal", "Kronecker", "Full"
        std::vector<float> entropy;   ///< H(p̄) of each cell, nats; empty if it could not be
                                      ///< computed
        std::string refusal;          ///< the reason if it could not
    };
    /// Of Dir α at each cell.
    struct Bridge {
        std::vector<float> mean_entropy;   ///< H(E π), nats
        std::vector<float> entropy;        ///< differential entropy of the Dirichlet, nats: −∫ p ln p over K − 1
                                           ///< coordinates; its maximum, −lnΓ(K), is the uniform Dirichlet
        std::vector<float> variance;       ///< Σ_k Var π_k = (1 − Σ m²)/(α_0 + 1)
        std::vector<float> weighted_entropy;   ///< H of (α_k + 1)/(α_0 + K), nats: the mean shrunk towards 1/K by
                                               ///< one pseudo-count per class
    };
    MapGrid grid;
    MapPoints points;
    std::vector<Predictive> predictive;
    Bridge bridge;
    std::vector<float> normalised_mean_entropy;   ///< H(E π) of the normalised variant of the same correction,
                                                  ///< nats: only for the caption
    std::string bridge_of;                        ///< its structure: "Kronecker"
    BridgeVariant variant = BridgeVariant::projected;
    int n_draws           = 1000;
    double precision      = 1;       ///< λ of all of them
    bool exact_hessian    = false;   ///< used by "Diagonal" and "Full"; otherwise all three use the
                                     ///< Gauss–Newton curvature
    std::string x_name = "x1", y_name = "x2";
    std::vector<std::string> class_names;   ///< [K]
};

/// H of the mean of softmax(z) over samples from each Gaussian, nats [n].
std::vector<float> entropies_by_draws(std::span<const LogitGaussian> logits, int n_draws, std::uint64_t seed);
/// H(softmax(μ)), nats [n].
std::vector<float> entropies_of_means(std::span<const LogitGaussian> logits);
LaplaceMaps::Bridge bridge_maps(std::span<const LogitGaussian> logits, BridgeVariant variant);

/// Classifies the cells: 1 contains a data point, 2 belongs to the quarter of all cells farthest
/// from every point (in cell widths), 0 otherwise [cells].
std::vector<char> near_and_far(const MapGrid& grid, const MapPoints& points);

/// Means of a quantity over the cells with data and over those far away.
struct NearFar {
    double near = 0, far = 0;
};
NearFar means_near_and_far(std::span<const float> values, std::span<const char> places);

/// Eight maps in two rows, each with its means near the data and far away.
Chart to_chart(const LaplaceMaps& maps);

/// Finds the row whose two inputs are nearest to a point of the map; the first if several are
/// equally near. Distances are relative to the axis lengths, as seen on screen:
///
///     d² = ((x_i − x)/L_x)² + ((y_i − y)/L_y)²,  L the range of the inputs
///
/// @param own  with n ≥ 1 rows of two inputs. @throws Error if it has other inputs
std::size_t nearest_point(const ImportedOutputs::Part& own, double x, double y);

}   // namespace credence
