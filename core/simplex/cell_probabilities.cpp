// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/cell_probabilities.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/parallel.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace credence {

namespace {

/// One cell, or part of one: π_1 in [a, b], π_2 in [c, d].
struct Cell {
    double a, b, c, d;

    /// Given s = π_2/(1 − π_1): the interval of π_1, empty if low >= high.
    std::array<double, 2> interval(double s) const { return {std::max(a, 1 - d / s), std::min(b, 1 - c / s)}; }
    /// Where that interval changes its form, within (0, 1), with 0 and 1 at the ends.
    std::vector<double> turns() const
    {
        std::vector<double> s{0, 1};
        for (const double top : {c, d})
            for (const double left : {a, b})
                if (const double at = top / (1 - left); left < 1 && at > 1e-12 && at < 1 - 1e-12)
                    s.push_back(at);
        std::sort(s.begin(), s.end());
        return s;
    }
};

double normal_between(double low, double high)
{
    if (!(low < high))
        return 0;
    if (low > 0)
        return normal_between(-high, -low);
    return 0.5 * (std::erfc(-high / std::numbers::sqrt2) - std::erfc(-low / std::numbers::sqrt2));
}

double logit(double x) { return std::log(x) - std::log1p(-x); }

double cell_probability(const LogisticNormal& law, const Cell& cell)
{
    // t = ln(π_2/π_3) is Gaussian, and so is y = ln(π_1/π_3) given t; logit π_1 = y − softplus(t)
    const auto& m = law.alr_mean();
    const auto& C = law.alr_covariance();
    const double sd_t = std::sqrt(C[3]), slope = C[1] / C[3], sd_y = std::sqrt(C[0] - C[1] * slope);
    const auto at = [&](double t) {
        const auto [low, high] = cell.interval(sigmoid(t));
        if (!(low < high))
            return 0.0;
        const double u = (t - m[1]) / sd_t, shift = softplus(t) - m[0] - slope * (t - m[1]);
        return std::exp(-0.5 * u * u) / (sd_t * std::sqrt(2 * std::numbers::pi)) * normal_between((logit(low) + shift) / sd_y, (logit(high) + shift) / sd_y);
    };
    const auto turns = cell.turns();
    double sum = 0;
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
        const double from = std::max(m[1] - 9 * sd_t, turns[i] <= 0 ? -INFINITY : logit(turns[i]));
        const double to   = std::min(m[1] + 9 * sd_t, turns[i + 1] >= 1 ? INFINITY : logit(turns[i + 1]));
        if (from < to)
            sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(at, from, to, 12, 1e-12);
    }
    return sum;
}

/// s ~ Beta(α_2, α_3) and π_1 ~ Beta(α_1, α_2 + α_3) are independent.
class DirichletFan {
public:
    explicit DirichletFan(const Dirichlet& law)
        : of_s_{law.alpha()[1], law.alpha()[2]}, of_first_(law.marginal(0)), log_B_(log_beta_function(of_s_.a, of_s_.b)),
          least_(of_s_.a < 1 ? 0 : quantile(of_s_, 1e-17).value), rest_(of_s_.b < 1 ? 0 : upper_quantile(of_s_, 1e-17).complement)
    {
    }
    double probability(const Cell& cell) const
    {
        auto turns = cell.turns();
        if (turns.size() == 2)
            turns.insert(turns.begin() + 1, 0.5);
        double sum = 0;
        for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
            const double low = std::max(least_, turns[i]), high = std::min(1 - rest_, turns[i + 1]);
            const auto   mid = cell.interval(0.5 * (turns[i] + turns[i + 1]));
            if (!(low < high && mid[0] < mid[1]))
                continue;
            if (low == 0 && of_s_.a < 1)
                sum += edge(of_s_, high, [&](double s) { return first_in(cell, s); });
            else if (high == 1 && of_s_.b < 1)
                sum += edge({of_s_.b, of_s_.a}, 1 - low, [&](double r) { return first_in(cell, 1 - r); });
            else
                sum += integral([&](double s) { return s > 0 && s < 1 ? std::exp((of_s_.a - 1) * std::log(s) + (of_s_.b - 1) * std::log1p(-s) - log_B_) * first_in(cell, s) : 0.0; }, low, high);
        }
        return sum;
    }

private:
    /// On the unit interval, where the rule's points never round to its ends.
    template <class F>
    static double integral(const F& f, double low, double high)
    {
        thread_local boost::math::quadrature::tanh_sinh<double> rule(10);
        return (high - low) * rule.integrate([&](double x) { return f(low + (high - low) * x); }, 0.0, 1.0, 1e-12);
    }
    double first_in(const Cell& cell, double s) const
    {
        const auto [low, high] = s > 0 ? cell.interval(s) : std::array{cell.a, cell.c == 0 ? cell.b : cell.a};
        return low < high ? cdf(of_first_, high) - cdf(of_first_, low) : 0.0;
    }
    /// ∫_0^end of the Beta density times f, with v = s^a < 1 instead of s: the pole of the density at 0 is gone.
    template <class F>
    double edge(const Beta& law, double end, const F& f) const
    {
        const double most = std::pow(end, law.a);
        const auto   at   = [&](double v) {
            const double s = v > 0 ? std::min(end, std::pow(v, 1 / law.a)) : 0;
            return s < 1 ? std::exp((law.b - 1) * std::log1p(-s)) * f(s) : 0.0;
        };
        return integral(at, 0.0, most) * std::exp(-std::log(law.a) - log_B_);
    }

    Beta   of_s_, of_first_;
    double log_B_, least_, rest_;   ///< what lies below `least_` and above 1 − `rest_` weighs 1e-17
};

double cell_probability(const Dirichlet& law, const Cell& cell) { return DirichletFan(law).probability(cell); }

template <class Law>
std::vector<double> probabilities_of(const Law& law, int B)
{
    if (law.n_classes() != 3 || B < 1)
        throw Error("Cells of the triangle: a law over " + std::to_string(law.n_classes()) + " classes and " + std::to_string(B) + " cells a side found, expected 3 classes and at least one cell.");
    std::vector<Cell> cells;
    for (int i = 0; i < B; ++i)
        for (int j = 0; i + j < B; ++j)
            cells.push_back({static_cast<double>(i) / B, static_cast<double>(i + 1) / B, static_cast<double>(j) / B, static_cast<double>(j + 1) / B});
    std::vector<double> p(cells.size());
    parallel_for(cells.size(), [&](std::size_t b) { p[b] = std::max(0.0, cell_probability(law, cells[b])); });
    return p;
}

}  // namespace

int n_square_cells(int B) { return B * (B + 1) / 2; }

std::vector<double> cell_probabilities(const LogisticNormal& law, int B) { return probabilities_of(law, B); }
std::vector<double> cell_probabilities(const Dirichlet& law, int B) { return probabilities_of(law, B); }

std::vector<long> cell_counts(std::span<const double> probabilities, int B)
{
    std::vector<long> counts(static_cast<std::size_t>(n_square_cells(B)), 0);
    for (std::size_t s = 0; s + 2 < probabilities.size(); s += 3) {
        const int i = std::clamp(static_cast<int>(probabilities[s] * B), 0, B - 1);
        const int j = std::clamp(static_cast<int>(probabilities[s + 1] * B), 0, B - 1 - i);
        ++counts[static_cast<std::size_t>(i * B - i * (i - 1) / 2 + j)];
    }
    return counts;
}

std::vector<double> histogram_probabilities(std::span<const long> counts)
{
    const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0L)) + 0.5 * static_cast<double>(counts.size());
    std::vector<double> q;
    for (const long n : counts)
        q.push_back((static_cast<double>(n) + 0.5) / total);
    return q;
}

double kl_of_cells(std::span<const double> p, std::span<const double> q)
{
    if (p.size() != q.size())
        throw Error("KL of cells: " + std::to_string(p.size()) + " and " + std::to_string(q.size()) + " cells found, expected the same number.");
    double sum = 0;
    for (std::size_t b = 0; b < p.size(); ++b)
        if (p[b] > 0)
            sum += p[b] * std::log(p[b] / q[b]);
    return sum;
}

}  // namespace credence
