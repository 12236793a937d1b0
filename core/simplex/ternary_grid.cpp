// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/ternary_grid.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/parallel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace credence {

namespace {

constexpr int strips_per_cell = 8;       ///< on the edge opposite to the corner of the rays
constexpr double negligible   = 1e-13;   ///< strips with less probability are omitted

struct Strip {
    double s, weight;   ///< direction of the ray, and the probability around it
};

void require(int n_classes, int n)
{
    if (n_classes != 3)
        throw Error("Density on the triangle: a distribution over " + std::to_string(n_classes)
                    + " classes found, expected 3.");
    if (n < 1 || n > 2000)
        throw Error("Density on the triangle: " + std::to_string(n) + " cells per side requested, expected 1 to 2000.");
}

/// Follows one ray from π_1 = 0 to 1. It leaves an up cell through a line of π_2 or π_3 into a down
/// cell, and that through a line of π_1.
/// @param at_first, at_second, at_third  distribution function of π_1 where the ray crosses π_1 =
/// i/n, π_2 = j/n, π_3 = k/n
template <class First, class Second, class Third>
void walk(int n, Strip strip, double* mass, const First& at_first, const Second& at_second, const Third& at_third)
{
    const double r = 1 - strip.s;
    int i = 0, j = std::min(n - 1, static_cast<int>(n * strip.s)), k = n - 1 - j;
    double before = 0;
    for (;;) {
        // up: 1 − j/(n s) against 1 − k/(n r)
        double* const up    = mass + i * (2 * n - i) + 2 * j;
        const bool last     = j == 0 && k == 0;
        const bool second   = j > 0 && (k == 0 || j * r > k * strip.s);   // the line of π_2 comes first: j/s > k/r
        const double leaves = last ? 1 : second ? at_second(j) : at_third(k);
        if (leaves > before) {
            *up += strip.weight * (leaves - before);
            before = leaves;
        }
        if (last)
            return;
        second ? --j : --k;
        const double next = at_first(i + 1);
        if (next > before) {
            mass[i * (2 * n - i) + 2 * j + 1] += strip.weight * (next - before);
            before = next;
        }
        ++i;
    }
}

/// Sums over the rays in fixed parts, so that the result is independent of the number of threads.
template <class Ray>
TernaryGrid sum_of_rays(int n, const std::vector<Strip>& strips, const Ray& ray)
{
    constexpr std::size_t parts = 8;
    std::vector<std::vector<double>> mass(parts);
    parallel_for(parts, [&](std::size_t p) {
        mass[p].assign(static_cast<std::size_t>(n) * n, 0);
        for (std::size_t s = p; s < strips.size(); s += parts)   // neighbours have equal cost, so parts are interleaved
            ray(strips[s], mass[p].data());
    });
    TernaryGrid grid{n, std::move(mass[0])};
    double sum = 0;
    for (const Strip& strip : strips)
        sum += strip.weight;
    for (std::size_t c = 0; c < grid.mass.size(); ++c) {
        for (std::size_t p = 1; p < parts; ++p)
            grid.mass[c] += mass[p][c];
        grid.mass[c] /= sum;
    }
    return grid;
}

/// Φ by a cubic through values and slopes of a table, error 1e-12.
class NormalTable {
public:
    NormalTable()
    {
        for (int i = 0; i <= size; ++i) {
            const double z = -reach + i * step;
            value_[i]      = 0.5 * std::erfc(-z / std::numbers::sqrt2);
            slope_[i]      = step * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
        }
    }
    double operator()(double z) const
    {
        if (!(z > -reach))
            return 0;
        if (!(z < reach))
            return 1;
        const double at = (z + reach) / step;
        const int i     = std::min(size - 1, static_cast<int>(at));
        const double x = at - i, rise = value_[i + 1] - value_[i];
        return value_[i]
               + x
                     * (slope_[i]
                        + x * (3 * rise - 2 * slope_[i] - slope_[i + 1] + x * (slope_[i] + slope_[i + 1] - 2 * rise)));
    }

private:
    static constexpr int size     = 4096;
    static constexpr double reach = 9, step = 2 * reach / size;
    double value_[size + 1], slope_[size + 1];
};

/// ln 0, ln 1, … ln n
std::vector<double> logs_to(int n)
{
    std::vector<double> logs(static_cast<std::size_t>(n) + 1);
    for (int i = 0; i <= n; ++i)
        logs[i] = std::log(static_cast<double>(i));
    return logs;
}

/// Distribution function of a Beta distribution on a fine grid, linear between grid points: the
/// probability is uniform within a fraction of a cell.
class BetaTable {
public:
    BetaTable(const Beta& distribution, int n) : size_(n * std::max(4, 2048 / n))
    {
        value_.resize(static_cast<std::size_t>(size_) + 1);
        parallel_chunks(value_.size(), 128, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                value_[i] = cdf(distribution, static_cast<double>(i) / size_);
        });
    }
    double operator()(double x) const
    {
        const double at = x * size_;
        const int i     = std::clamp(static_cast<int>(at), 0, size_ - 1);
        return value_[i] + (at - i) * (value_[i + 1] - value_[i]);
    }

private:
    int size_;
    std::vector<double> value_;
};

}   // namespace

int TernaryGrid::cell_of(double first, double second) const
{
    const int i        = std::clamp(static_cast<int>(std::floor(first * n)), 0, n - 1);
    const int j        = std::clamp(static_cast<int>(std::floor(second * n)), 0, n - 1 - i);
    const double third = 1 - first - second;
    const bool down    = i + j < n - 1 && third * n < n - 1 - i - j;
    return i * (2 * n - i) + 2 * j + (down ? 1 : 0);
}

std::array<std::array<double, 3>, 3> TernaryGrid::corners(int cell) const
{
    // i = floor(n − √(n² − cell)): i (2n − i) <= cell
    int i = std::clamp(static_cast<int>(n - std::sqrt(static_cast<double>(n) * n - cell)), 0, n - 1);
    while (i > 0 && i * (2 * n - i) > cell)
        --i;
    while (i + 1 < n && (i + 1) * (2 * n - i - 1) <= cell)
        ++i;
    const int rest = cell - i * (2 * n - i), j = rest / 2;
    const bool down  = rest % 2 == 1;
    const auto point = [&](int a, int b) {
        return std::array<double, 3>{static_cast<double>(a) / n, static_cast<double>(b) / n,
                                     static_cast<double>(n - a - b) / n};
    };
    if (down)
        return {point(i + 1, j), point(i, j + 1), point(i + 1, j + 1)};
    return {point(i, j), point(i + 1, j), point(i, j + 1)};
}

double TernaryGrid::total() const { return std::accumulate(mass.begin(), mass.end(), 0.0); }

TernaryGrid ternary_grid(const Dirichlet& distribution, int n)
{
    require(distribution.n_classes(), n);
    // Slices of constant π_1, whose probabilities are differences of a Beta distribution function;
    // π_2/(1 − π_1) has the same Beta distribution in each.
    constexpr int slices = 4;   // per strip of π_1
    const int n_slices   = n * slices;
    const Beta of_first  = distribution.marginal(0);
    std::vector<double> below(static_cast<std::size_t>(n_slices) + 1);
    parallel_chunks(below.size(), 128, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            below[i] = cdf(of_first, static_cast<double>(i) / n_slices);
    });
    const BetaTable of_share({distribution.alpha()[1], distribution.alpha()[2]}, n);
    TernaryGrid grid{n, std::vector<double>(static_cast<std::size_t>(n) * n, 0)};
    parallel_chunks(static_cast<std::size_t>(n), 16, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<int>(begin); i < static_cast<int>(end); ++i)
            for (int slice = 0; slice < slices; ++slice) {
                const double weight = below[i * slices + slice + 1] - below[i * slices + slice];
                if (!(weight > negligible))
                    continue;
                const double left = 1 - (i + (slice + 0.5) / slices) / n;   // π_2 + π_3
                double* const row = grid.mass.data() + i * (2 * n - i);
                double before     = 0;
                for (int j = 0; j < n - i;
                     ++j) {   // up cell j ends at π_3 = (n − 1 − i − j)/n, down cell j at π_2 = (j + 1)/n
                    const double up_end = j == n - 1 - i ? 1 : of_share(1 - (n - 1 - i - j) / (n * left));
                    row[2 * j] += weight * (up_end - before);
                    before = up_end;
                    if (j < n - 1 - i) {
                        const double down_end = of_share((j + 1) / (n * left));
                        row[2 * j + 1] += weight * (down_end - before);
                        before = down_end;
                    }
                }
            }
    });
    const double sum = grid.total();
    for (double& m : grid.mass)
        m /= sum;
    return grid;
}

namespace {

/// Probabilities by a cubature of degree four within each cell (Dunavant 1985), for the cells in
/// which the density changes by less than a factor e; −1 for the others.
std::vector<double> smooth_cells(const LogisticNormal& distribution, int n)
{
    constexpr double a = 0.445948490915965, wa = 0.223381589678011, b = 0.091576213509771, wb = 0.109951743655322;
    constexpr double offsets[4] = {a, 1 - 2 * a, b, 1 - 2 * b};
    constexpr int points[6][3]  = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3}};
    std::vector<double> logs(8 * static_cast<std::size_t>(n));   // of (i + offset)/n and of (i + 1 − offset)/n
    for (int o = 0; o < 4; ++o)
        for (int i = 0; i < n; ++i) {
            logs[static_cast<std::size_t>(o) * n + i]     = std::log((i + offsets[o]) / n);
            logs[static_cast<std::size_t>(o + 4) * n + i] = std::log((i + 1 - offsets[o]) / n);
        }
    const auto& m    = distribution.alr_mean();
    const auto& C    = distribution.alr_covariance();
    const double det = C[0] * (C[3] - C[1] / C[0] * C[1]), p11 = C[3] / det, p12 = -C[1] / det, p22 = C[0] / det;
    const double log_peak = distribution.log_density_of_alr(m), log_area = -std::log(2.0 * n * n);
    std::vector<double> mass(static_cast<std::size_t>(n) * n);
    parallel_chunks(static_cast<std::size_t>(n), 8, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<int>(begin); i < static_cast<int>(end); ++i)
            for (int j = 0; j < n - i; ++j)
                for (const bool down : {false, true}) {
                    const int k = n - 1 - i - j - (down ? 1 : 0);
                    if (k < 0)
                        continue;
                    const double* const table = logs.data() + (down ? 4 * static_cast<std::size_t>(n) : 0);
                    double l[6];
                    for (int p = 0; p < 6; ++p) {
                        const double l1 = table[points[p][0] * n + i], l2 = table[points[p][1] * n + j],
                                     l3 = table[points[p][2] * n + k];
                        const double y1 = l1 - l3 - m[0], y2 = l2 - l3 - m[1];
                        l[p] = log_peak - 0.5 * (p11 * y1 * y1 + 2 * p12 * y1 * y2 + p22 * y2 * y2) - l1 - l2 - l3;
                    }
                    const auto [low, high] = std::minmax_element(l, l + 6);
                    double& out            = mass[static_cast<std::size_t>(i * (2 * n - i) + 2 * j + (down ? 1 : 0))];
                    if (*high + log_area < -50)
                        out = 0;
                    else if (*high - *low > 1)
                        out = -1;
                    else
                        out = (wa * (std::exp(l[0]) + std::exp(l[1]) + std::exp(l[2]))
                               + wb * (std::exp(l[3]) + std::exp(l[4]) + std::exp(l[5])))
                              / (2.0 * n * n);
                }
    });
    return mass;
}

TernaryGrid by_rays(const LogisticNormal& distribution, int n)
{
    static const NormalTable Phi;
    // t = ln(π_2/π_3) is Gaussian, and so is y = ln(π_1/π_3) given t; logit π_1 = y − softplus(t)
    const auto& m     = distribution.alr_mean();
    const auto& C     = distribution.alr_covariance();
    const double sd_t = std::sqrt(C[3]), slope = C[1] / C[3], sd_y = std::sqrt(C[0] - C[1] * slope);
    // Borders of the strips, in standard deviations of t: equal in s, and fine enough for the
    // distribution of t and its effect on y
    const double step      = std::clamp(0.5 * sd_y / (std::fabs(slope) * sd_t + 1e-300), 0.005, 0.125);
    constexpr double reach = 8.5;
    std::vector<double> borders;
    for (double u = -reach; u < reach; u += step)
        borders.push_back(u);
    borders.push_back(reach);
    const int n_strips = n * strips_per_cell;
    for (int i = 1; i < n_strips; ++i)
        if (const double u = (std::log(static_cast<double>(i) / (n_strips - i)) - m[1]) / sd_t; std::fabs(u) < reach)
            borders.push_back(u);
    std::sort(borders.begin(), borders.end());
    const auto density = [](double u) { return std::exp(-0.5 * u * u) / std::sqrt(2 * std::numbers::pi); };
    std::vector<Strip> strips;
    std::vector<double> places;   // t of each strip
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        const double low = borders[b], high = borders[b + 1], middle = 0.5 * (low + high);
        const double mirrored_low = low > 0 ? -high : low, mirrored_high = low > 0 ? -low : high;
        const double weight = high - low < 1e-4 ? density(middle) * (high - low)
                                                : 0.5
                                                      * (std::erfc(-mirrored_high / std::numbers::sqrt2)
                                                         - std::erfc(-mirrored_low / std::numbers::sqrt2));
        if (!(weight > negligible))
            continue;
        const double u = high - low < 1e-4 ? middle
                                           : std::clamp((density(low) - density(high)) / weight, low,
                                                        high);   // mean of u in the strip
        strips.push_back({static_cast<double>(places.size()), weight});
        places.push_back(m[1] + sd_t * u);
    }
    const std::vector<double> log_of = logs_to(n);
    return sum_of_rays(n, strips, [&](const Strip& indexed, double* mass) {
        const double t = places[static_cast<std::size_t>(indexed.s)], s = sigmoid(t), r = sigmoid(-t);
        const double shift = softplus(t) - m[0] - slope * (t - m[1]), over_sd = 1 / sd_y, ns = n * s, nr = n * r;
        const auto Phi_of_logit = [&](double logit) { return Phi((logit + shift) * over_sd); };
        walk(
            n, {s, indexed.weight}, mass, [&](int i) { return i == n ? 1.0 : Phi_of_logit(log_of[i] - log_of[n - i]); },
            [&](int j) { return ns > j ? Phi_of_logit(std::log(ns - j) - log_of[j]) : 0.0; },
            [&](int k) { return nr > k ? Phi_of_logit(std::log(nr - k) - log_of[k]) : 0.0; });
    });
}

}   // namespace

TernaryGrid ternary_grid(const LogisticNormal& distribution, int n)
{
    require(distribution.n_classes(), n);
    TernaryGrid grid                 = by_rays(distribution, n);
    const std::vector<double> smooth = smooth_cells(distribution, n);
    double of_smooth = 0, of_rays = 0;
    for (std::size_t c = 0; c < smooth.size(); ++c)
        smooth[c] >= 0 ? of_smooth += smooth[c] : of_rays += grid.mass[c];
    // The sharp cells contain the remaining probability. If the two results disagree, the rays are
    // used without rescaling.
    const double scale = of_rays > 0 ? (1 - of_smooth) / of_rays : 0;
    if (of_smooth > 1.0005 || (of_rays > 1e-4 && !(scale > 0.8 && scale < 1.25))
        || (of_rays <= 1e-4 && of_smooth < 0.9995))
        return grid;
    const double each = of_rays > 1e-4 ? 1 : 1 / (of_smooth + of_rays);
    for (std::size_t c = 0; c < smooth.size(); ++c)
        grid.mass[c] = smooth[c] >= 0 ? each * smooth[c] : (of_rays > 1e-4 ? scale : each) * grid.mass[c];
    return grid;
}

}   // namespace credence
