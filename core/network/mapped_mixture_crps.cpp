// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/noise_distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace credence {
namespace {

/// A polynomial of degree 5 in t on [0, 1], given value and two derivatives at both ends.
struct QuinticPiece {
    std::array<double, 6> c;

    /// @param h  the width of the interval, which maps to [0, 1]
    QuinticPiece(const MixturePoint& from, const MixturePoint& to, double h)
    {
        const double a1 = h * from.density, a2 = 0.5 * h * h * from.slope, b1 = h * to.density,
                     b2   = 0.5 * h * h * to.slope;
        const double rise = to.cdf - from.cdf - a1 - a2, steep = b1 - a1 - 2 * a2, bend = b2 - a2;
        c = {from.cdf,
             a1,
             a2,
             10 * rise - 4 * steep + bend,
             -15 * rise + 7 * steep - 2 * bend,
             6 * rise - 3 * steep + bend};
    }
    double operator()(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))); }
    double slope(double t) const { return c[1] + t * (2 * c[2] + t * (3 * c[3] + t * (4 * c[4] + t * 5 * c[5]))); }
    /// The t with the value v between those at 0 and 1, by Newton steps inside a bracket.
    double inverse(double v) const
    {
        double low = 0, high = 1, t = (v - c[0]) / ((*this)(1) - c[0]);
        for (int i = 0; i < 50; ++i) {
            const double gap       = (*this)(t)-v;
            (gap < 0 ? low : high) = t;
            double next            = t - gap / slope(t);
            if (!(next > low && next < high))
                next = 0.5 * (low + high);
            const double step = next - t;
            t                 = next;
            if (std::fabs(step) < 1e-5)   // an error of the boundary has a second-order effect
                break;
        }
        return t;
    }
};

class MappedMixtureCrps {
public:
    MappedMixtureCrps(const NoiseDistribution& noise, std::span<const double> f, std::span<const double> s, double y,
                      std::span<const double> levels, std::span<const double> frequencies)
        : noise_(noise), f_(f), s_(s), y_(y), levels_(levels), frequencies_(frequencies)
    {
        const auto moments = noise.mixture_moments(f, s);
        centre_            = moments.mean;
        unit_              = moments.sd;
        for (const double one : s)
            step_ += 1.5 * one / static_cast<double>(s.size());
        std::tie(low_, high_) = std::tuple(*std::ranges::min_element(f), *std::ranges::max_element(f));
        step_                 = std::min(step_, unit_);
        // Narrow components far apart: bisection finds them without stepping through the gaps
        // between them.
        if (const double least = (high_ - low_) / most_steps; step_ < least) {
            step_            = least;
            error_of_halves_ = 1;
        }
    }

    double value()
    {
        const auto middle = at(centre_);
        tail(-1, middle);
        tail(1, middle);
        return sum_;
    }

private:
    static constexpr double exact      = 4e-8;   // error of an interval, in standard deviations
    static constexpr int most_halvings = 24;
    static constexpr int most_steps    = 256;   // between the outermost means

    MixturePoint at(double x) const { return noise_.tabulated_mixture(f_, s_, x); }

    /// Returns the index of the segment of R that contains a level.
    std::size_t segment(double level) const
    {
        return static_cast<std::size_t>(std::upper_bound(levels_.begin() + 1, levels_.end() - 1, level)
                                        - levels_.begin())
               - 1;
    }
    double slope_of_segment(std::size_t k) const
    {
        return (frequencies_[k + 1] - frequencies_[k]) / (levels_[k + 1] - levels_[k]);
    }
    double mapped(double level) const
    {
        const auto k = segment(level);
        return frequencies_[k] + slope_of_segment(k) * (level - levels_[k]);
    }
    double largest_slope(double from, double to) const
    {
        double most = 0;
        for (std::size_t k = segment(from); k <= segment(to); ++k)
            most = std::max(most, slope_of_segment(k));
        return most;
    }

    /// Integrates one side of the centre, in steps that grow beyond the means f, until the rest of
    /// the tail is negligible. y can be beyond it.
    void tail(double sign, const MixturePoint& middle)
    {
        double x  = centre_;
        auto here = middle;
        for (double step = step_;; step *= low_ < x && x < high_ ? 1 : 1.5) {
            const double next = x + sign * step;
            const auto there  = at(next);
            if (sign < 0)
                add(next, x, there, here, most_halvings);
            else
                add(x, next, here, there, most_halvings);
            x                 = next;
            here              = there;
            const double gap  = sign < 0 ? mapped(here.cdf) : 1 - mapped(here.cdf);
            const double to_y = sign * (y_ - x);
            if (to_y > 0
                    ? gap * to_y <= exact * unit_                              // R(F) is 0 or 1 from here to y
                    : gap * gap * std::fabs(x - centre_) <= exact * unit_) {   // more than the rest of a tail |x|^−ν
                sum_ += std::max(to_y, 0.0);
                break;
            }
        }
    }

    void add(double from, double to, const MixturePoint& low, const MixturePoint& high, int halvings)
    {
        const double h = to - from, middle = 0.5 * (from + to);
        const auto between = at(middle);
        const QuinticPiece whole(low, high, h);
        // The first term is the largest error of the polynomial; the second detects steps that the
        // first cannot.
        const double error = std::fabs(whole(0.5) - between.cdf) + std::fabs(whole.slope(0.5) - h * between.density);
        const double gap   = std::max(y_ > from ? mapped(high.cdf) : 0, y_ < to ? 1 - mapped(low.cdf) : 0);
        if (halvings > 0 && 2 * gap * largest_slope(low.cdf, high.cdf) * error * h * error_of_halves_ > exact * unit_) {
            add(from, middle, low, between, halvings - 1);
            add(middle, to, between, high, halvings - 1);
            return;
        }
        integrate(from, middle, low, between);
        integrate(middle, to, between, high);
    }

    /// The integral over one piece, exactly: between y and the knots of R it is that of a polynomial of degree 10.
    void integrate(double from, double to, const MixturePoint& low, const MixturePoint& high)
    {
        const double h = to - from;
        const QuinticPiece F(low, high, h);
        borders_.assign({0, 1});
        for (std::size_t k = 1; k + 1 < levels_.size(); ++k)
            if (low.cdf < levels_[k] && levels_[k] < high.cdf)
                borders_.push_back(F.inverse(levels_[k]));
        if (from < y_ && y_ < to)
            borders_.push_back((y_ - from) / h);
        if (borders_.size() > 2)
            std::ranges::sort(borders_);
        for (std::size_t i = 0; i + 1 < borders_.size(); ++i) {
            const double start = borders_[i], width = borders_[i + 1] - start, middle = start + 0.5 * width;
            const auto k      = segment(F(middle));
            const double b    = slope_of_segment(k);
            const double step = from + h * middle < y_ ? 0 : 1;
            double part       = 0;
            for (std::size_t node = 0; node < gauss_at.size(); ++node)
                for (const double side : {-0.5, 0.5}) {
                    const double gap = frequencies_[k] + b * (F(middle + side * width * gauss_at[node]) - levels_[k])
                                       - step;
                    part += gauss_weight[node] * gap * gap;
                }
            sum_ += 0.5 * h * width * part;
        }
    }

    /// Gauss–Legendre with six nodes: exact to degree 11.
    static constexpr std::array gauss_at{0.2386191860831969086, 0.6612093864662645137, 0.9324695142031520278};
    static constexpr std::array gauss_weight{0.4679139345726910474, 0.3607615730481386076, 0.1713244923791703450};

    const NoiseDistribution& noise_;
    std::span<const double> f_, s_;
    double y_, centre_ = 0, unit_ = 1, step_ = 0, low_ = 0, high_ = 0, sum_ = 0;
    std::span<const double> levels_, frequencies_;
    std::vector<double> borders_;
    /// Mean error of the halves of an interval, relative to its largest one: of a smooth F they have 1/64,
    /// and the mean is 16/35 of the largest. 1 if steps can be wider than a component.
    double error_of_halves_ = 16.0 / 35 / 64;
};

}   // namespace

double mapped_mixture_crps(const NoiseDistribution& noise, std::span<const double> f, std::span<const double> s,
                           double y, std::span<const double> levels, std::span<const double> frequencies)
{
    return MappedMixtureCrps(noise, f, s, y, levels, frequencies).value();
}

}   // namespace credence
