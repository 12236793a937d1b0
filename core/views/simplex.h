// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/triangle.h"
#include "simplex/laplace_bridge.h"
#include "simplex/logit_gaussian.h"
#include "simplex/ternary_grid.h"

#include <array>
#include <optional>

namespace credence {

/// How classes that are not at a corner are handled, if there are more than three.
enum class OtherClasses {
    left_out,   ///< the three renormalised, π_k/(π_a + π_b + π_c): exact for both distributions
    merged,     ///< two classes and all others as one: exact for the Dirichlet, by moments of
                ///< samples for the Gaussian
};

struct SimplexOptions {
    BridgeVariant variant = BridgeVariant::projected;   ///< also of beta_marginals and list_lengths
    std::vector<int> classes{};   ///< three at the corners (merged: the first two); empty: those with the largest μ
    OtherClasses others = OtherClasses::left_out;
    int cells           = 140;   ///< per side: 0.4 mm of a triangle in print
    int samples         = 0;     ///< samples of the exact distribution, as points over the density
    std::uint64_t seed  = 1;
};

/// The numbers next to the two triangles: the properties of the distribution that the bridge
/// preserves, and those that it loses.
struct BridgeNumbers {
    double kl = 0;                                                      ///< KL(exact ‖ Dirichlet), nats
    std::optional<double> best_kl;                                      ///< for the Dirichlet that minimises it, nats
    std::optional<double> total_variation, hellinger;                   ///< both in [0, 1]
    std::vector<double> mean, bridge_mean, variance, bridge_variance;   ///< of each displayed class
    std::vector<char> proposition1;   ///< does Var π_k grow with Var z_k? for each displayed class
    double standard_error = 0;        ///< of kl; 0: by quadrature, not by sampling
};

/// The exact distribution of softmax(z) for z ~ N(μ, Σ) over three classes, and the Dirichlet of
/// its Laplace Bridge, as probabilities of the same cells; both densities are with respect to (π_1,
/// π_2). docs/maths.md, sections 6 and 7; Hobbhahn 2020, Figs. 1.1, 2.2, 2.3.
struct SimplexDensity {
    std::array<std::string, 3> names{};
    std::vector<int> classes{};   ///< indices into the original classes; merged: the two single
                                  ///< ones
    int n_classes         = 3;    ///< of the original distribution
    OtherClasses others   = OtherClasses::left_out;
    BridgeVariant variant = BridgeVariant::projected;
    LogitGaussian logits;              ///< over the three
    std::optional<Dirichlet> bridge;   ///< over the three
    std::string no_bridge{};           ///< why there is none
    TernaryGrid exact{}, approximate{};
    std::vector<double> samples{};          ///< [samples × 3]
    std::optional<BridgeNumbers> numbers;   ///< can be computed after the picture
};
/// Computes the density without numbers: about 5 ms for 140 cells per side.
/// @param names  of the classes
/// @throws Error for fewer than three classes, unknown classes, or a covariance without a density
SimplexDensity simplex_density(const LogitGaussian& distribution, const std::vector<std::string>& names,
                               const SimplexOptions& options = {});

/// Computes the numbers. Takes milliseconds for standard deviations up to about 10, longer beyond.
/// Empty if there is no Dirichlet.
/// @param most_nodes  of the quadrature (see ExpectationOptions); beyond this, sampling with its
/// standard error
std::optional<BridgeNumbers> bridge_numbers(const SimplexDensity& value, long most_nodes = 4'000'000);
std::optional<BridgeNumbers> bridge_numbers(const LogitGaussian& logits, const Dirichlet& bridge,
                                            long most_nodes = 4'000'000);

enum class ColourScaling { automatic, linear, logarithmic };

/// How the two distributions are drawn.
struct SimplexLook {
    bool over_one_another = false;                      ///< one panel: the exact density with contours of both
                                                        ///< distributions, instead of two panels
    bool contours                             = true;   ///< lines that enclose 50 % and 90 % of each distribution
    ColourScaling scaling                     = ColourScaling::automatic;
    bool table                                = true;   ///< the numbers below the picture
    bool operator==(const SimplexLook&) const = default;
};
Chart to_chart(const SimplexDensity& value, const SimplexLook& look = {});

/// How the distribution of the class probabilities is drawn.
struct SimplexChoice {
    SimplexOptions density{};   ///< the view uses the seed of the study
    SimplexLook look{};
};

/// The table next to the triangles: one row per number. @param names  of the displayed classes
Table numbers_table(const BridgeNumbers& numbers, const std::vector<double>& alpha, std::span<const std::string> names);

/// The variant as displayed in titles: "projected, normalised".
std::string title_of(BridgeVariant variant);
std::string short_title_of(BridgeVariant variant);   ///< for a button: "conditioned, norm."

/// A Gaussian over three logits that can be moved by hand on the triangle: the position of
/// softmax(μ), and the two axes of the covariance in the plane Σz = 0 (softmax is invariant to the
/// direction perpendicular to it). An axis of one standard deviation extends from μ to μ + axis.
class LogitHandles {
public:
    using Logits = std::array<double, 3>;   ///< sums to 0

    /// @throws Error unless there are three logits
    explicit LogitHandles(LogitGaussian distribution);

    const LogitGaussian& distribution() const { return distribution_; }
    TrianglePlace mean() const;   ///< softmax(μ)
    const Logits& axis(int which) const
    {
        return axes_[static_cast<std::size_t>(which)];
    }                                     ///< 0: the longer axis when the handles were made, 1: perpendicular
    double length(int which) const;       ///< standard deviation along the axis
    TrianglePlace end(int which) const;   ///< softmax(μ + axis)
    /// softmax(μ + one standard deviation in every direction): a closed curve.
    Line ellipse(int points = 96) const;

    /// Moves the distribution so that softmax(μ) is there; Σ and the mean of μ are unchanged. A
    /// point on the border is moved slightly inside.
    LogitHandles with_mean(TrianglePlace place) const;
    /// Stretches and turns the covariance so that this axis becomes `to`; the other axis keeps its
    /// length and stays perpendicular. The part of Σ along (1, 1, 1) is unchanged.
    LogitHandles with_axis(int which, const Logits& to) const;
    /// Changes only the length of the axis.
    LogitHandles with_length(int which, double length) const;

    /// From softmax(μ) to a point of the triangle, in logits: ln π − ln softmax(μ), centred.
    Logits towards(TrianglePlace place) const;

private:
    LogitHandles(LogitGaussian distribution, std::array<Logits, 2> axes)
        : distribution_(std::move(distribution)), axes_(axes)
    {}

    LogitGaussian distribution_;
    std::array<Logits, 2> axes_;
};

}   // namespace credence
