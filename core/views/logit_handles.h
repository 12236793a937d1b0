// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/triangle.h"
#include "simplex/logit_gaussian.h"

#include <array>

namespace credence {

/// A Gaussian over three logits as moved by hand on the triangle: the position of softmax(μ), and
/// the two axes of the covariance in the plane Σz = 0, to which softmax is invariant otherwise. An
/// axis of one standard deviation leads from μ to μ + axis.
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
    /// The same, scaling only the axis.
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
