// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace credence {

/// A smooth function on [0, end] by cubic Hermite interpolation from exact values and slopes at evenly
/// spaced points: the error is at most h⁴/384 times the largest fourth derivative, h = 1/per_unit.
class HermiteTable {
public:
    /// @param value_and_slope  the function and its derivative
    HermiteTable(double end, int per_unit, const std::function<std::pair<double, double>(double)>& value_and_slope)
        : per_unit_(per_unit), n_(static_cast<int>(end * per_unit))
    {
        for (int i = 0; i <= n_; ++i) {
            const auto [value, slope] = value_and_slope(i / per_unit_);
            points_.push_back({value, slope / per_unit_});
        }
    }

    double end() const { return n_ / per_unit_; }
    /// @param x  in [0, end)
    double operator()(double x) const
    {
        const double at = x * per_unit_;
        const int i     = static_cast<int>(at);
        const double t = at - i, rest = 1 - t;
        const auto &a = points_[i], &b = points_[i + 1];
        return rest * rest * ((1 + 2 * t) * a.first + t * a.second) + t * t * ((3 - 2 * t) * b.first - rest * b.second);
    }

private:
    double per_unit_;
    int n_;
    std::vector<std::pair<double, double>> points_;   // value, slope per step
};

}   // namespace credence
