// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/triangle.h"
#include "simplex/logit_gaussian.h"

#include <array>

namespace credence {

/// A Gaussian over three logits as the hand moves it on the triangle: the place of softmax(μ), and the two axes of the covariance in the plane Σz = 0, which
/// is all that softmax sees. An axis of one standard deviation leads from μ to μ + axis.
class LogitHandles {
public:
    using Logits = std::array<double, 3>;   ///< adds up to 0

    /// @throws Error unless there are three logits
    explicit LogitHandles(LogitGaussian law);

    const LogitGaussian& law() const { return law_; }
    TrianglePlace mean() const;   ///< softmax(μ)
    const Logits& axis(int which) const
    {
        return axes_[static_cast<std::size_t>(which)];
    }                                     ///< 0: the longer one when the handles were made, 1: across
    double length(int which) const;       ///< standard deviation along the axis
    TrianglePlace end(int which) const;   ///< softmax(μ + axis)
    /// softmax(μ + one standard deviation in every direction): a closed curve.
    Line ellipse(int points = 96) const;

    /// The law moved so that softmax(μ) stands there; Σ and the mean of μ stay. A place on the border is taken a little inside.
    LogitHandles with_mean(TrianglePlace place) const;
    /// The covariance stretched and turned so that this axis becomes `to`, the other one staying as long and across; what Σ holds along (1, 1, 1) stays.
    LogitHandles with_axis(int which, const Logits& to) const;
    /// The same with the axis scaled alone.
    LogitHandles with_length(int which, double length) const;

    /// From softmax(μ) to a place of the triangle, in logits: ln π − ln softmax(μ), centred.
    Logits towards(TrianglePlace place) const;

private:
    LogitHandles(LogitGaussian law, std::array<Logits, 2> axes) : law_(std::move(law)), axes_(axes) {}

    LogitGaussian law_;
    std::array<Logits, 2> axes_;
};

}   // namespace credence
