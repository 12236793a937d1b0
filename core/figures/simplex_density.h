// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/laplace_bridge.h"
#include "simplex/ternary_grid.h"

#include <optional>

namespace credence {

/// What becomes of the classes that are not at a corner, where there are more than three.
enum class OtherClasses {
    left_out,   ///< the three among themselves, π_k/(π_a + π_b + π_c): exact for both laws
    merged,     ///< two classes and all others as one: exact for the Dirichlet, by moments of draws for the Gaussian
};

struct SimplexOptions {
    BridgeVariant variant = BridgeVariant::projected;
    std::vector<int> classes{};   ///< three at the corners (merged: the first two); empty: those with the largest μ
    OtherClasses others = OtherClasses::left_out;
    int cells           = 140;   ///< a side: 0.4 mm of a triangle in print
    int samples         = 0;     ///< draws of the exact law, as points over the density
    std::uint64_t seed  = 1;
};

/// The numbers beside the two triangles: what the bridge keeps of the law and what it loses.
struct BridgeNumbers {
    double kl = 0;                                                      ///< KL(exact ‖ Dirichlet), nats
    std::optional<double> best_kl;                                      ///< of the Dirichlet that minimises it, nats
    std::optional<double> total_variation, hellinger;                   ///< both in [0, 1]
    std::vector<double> mean, bridge_mean, variance, bridge_variance;   ///< of each class shown
    std::vector<char> proposition1;   ///< does Var π_k grow with Var z_k? of each class shown
    double standard_error = 0;        ///< of kl; 0: integrated, not drawn
};

/// The exact law of softmax(z) for z ~ N(μ, Σ) over three classes, and the Dirichlet of its Laplace Bridge, as probabilities of the same cells: densities
/// of both are with respect to (π_1, π_2). docs/maths.md, sections 6 and 7; Hobbhahn 2020, Figs. 1.1, 2.2, 2.3.
struct SimplexDensity {
    std::array<std::string, 3> names{};
    std::vector<int> classes{};   ///< which of the law's classes they are; merged: the two single ones
    int n_classes         = 3;    ///< of the law itself
    OtherClasses others   = OtherClasses::left_out;
    BridgeVariant variant = BridgeVariant::projected;
    LogitGaussian logits;              ///< over the three
    std::optional<Dirichlet> bridge;   ///< over the three
    std::string no_bridge{};           ///< why there is none
    TernaryGrid exact{}, approximate{};
    std::vector<double> samples{};          ///< [samples × 3]
    std::optional<BridgeNumbers> numbers;   ///< they may come later than the picture
};
/// Without numbers: about 5 ms for 140 cells a side.
/// @param names  of the law's classes. @throws Error for fewer than three classes, classes that do not exist, or a covariance without a density
SimplexDensity simplex_density(const LogitGaussian& law, const std::vector<std::string>& names,
                               const SimplexOptions& options = {});

/// Milliseconds for standard deviations up to about 10, longer beyond. Empty if there is no Dirichlet.
/// @param most_nodes  of the quadrature (see ExpectationOptions): beyond, draws, whose standard error is told
std::optional<BridgeNumbers> bridge_numbers(const SimplexDensity& value, long most_nodes = 4'000'000);
std::optional<BridgeNumbers> bridge_numbers(const LogitGaussian& logits, const Dirichlet& bridge,
                                            long most_nodes = 4'000'000);

enum class ColourScaling { automatic, linear, logarithmic };

/// How the two laws are drawn.
struct SimplexLook {
    bool over_one_another = false;   ///< one panel: the exact density with both laws' contours, in place of two panels
    bool contours         = true;    ///< lines that hold 50 % and 90 % of each law
    ColourScaling scaling = ColourScaling::automatic;
    bool table            = true;   ///< the numbers below the picture
    bool operator==(const SimplexLook&) const = default;
};
Chart to_chart(const SimplexDensity& value, const SimplexLook& look = {});
/// "μ = (1, 1, −2), Σ = (1, 0, 0.5; 0, 2, 0.3; 0.5, 0.3, 0.5)"
std::string law_text(const LogitGaussian& law);
/// The table beside the triangles: a row a number. @param names  of the classes shown
Table numbers_table(const BridgeNumbers& numbers, const std::vector<double>& alpha, std::span<const std::string> names);

/// "projected, normalised": the variant as it stands in titles.
std::string title_of(BridgeVariant variant);
std::string short_title_of(BridgeVariant variant);   ///< for a button: "conditioned, norm."

}   // namespace credence
