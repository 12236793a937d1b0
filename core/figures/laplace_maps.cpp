// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/laplace_maps.h"

#include "charts/class_name.h"
#include "charts/number_text.h"
#include "foundation/parallel.h"
#include "prediction/class_predictions.h"
#include "simplex/softmax_draws.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {

std::vector<float> entropies_by_draws(std::span<const LogitGaussian> logits, int n_draws, std::uint64_t seed)
{
    if (logits.empty())
        return {};
    const int K = logits.front().n_classes();
    std::vector<float> mu, covariance;
    for (const auto& z : logits) {
        mu.insert(mu.end(), z.mu().begin(), z.mu().end());
        const auto sigma = z.covariance();
        covariance.insert(covariance.end(), sigma.begin(), sigma.end());
    }
    std::vector<float> mean(mu.size());
    softmax_mean_by_draws(K, mu, covariance, n_draws, seed, mean);
    std::vector<float> out;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const std::vector<double> p(mean.begin() + static_cast<std::ptrdiff_t>(i) * K,
                                    mean.begin() + static_cast<std::ptrdiff_t>(i + 1) * K);
        out.push_back(static_cast<float>(entropy(p)));
    }
    return out;
}

std::vector<float> entropies_of_means(std::span<const LogitGaussian> logits)
{
    std::vector<float> out;
    for (const auto& z : logits)
        out.push_back(static_cast<float>(entropy(softmax(z.mu()))));
    return out;
}

LaplaceMaps::Bridge bridge_maps(std::span<const LogitGaussian> logits, BridgeVariant variant)
{
    const std::size_t n = logits.size();
    LaplaceMaps::Bridge out;
    for (auto* values : {&out.mean_entropy, &out.entropy, &out.variance, &out.weighted_entropy})
        values->resize(n);
    parallel_for(n, [&](std::size_t i) {
        const auto law         = bridge(logits[i], variant);
        const auto K           = static_cast<double>(law.log_alpha.size());
        const double log_total = log_sum_exp(std::vector<double>{law.log_total, std::log(K)});   // ln(α_0 + K)
        std::vector<double> weighted;
        for (const double a : law.log_alpha)
            weighted.push_back(std::exp(log_sum_exp(std::vector<double>{a, 0.0}) - log_total));
        double variance = 0;
        for (const double v : law.variance())
            variance += v;
        out.mean_entropy[i]     = static_cast<float>(entropy(law.mean()));
        out.entropy[i]          = law.overflows() ? -std::numeric_limits<float>::infinity()
                                                  : static_cast<float>(law.dirichlet().entropy());
        out.variance[i]         = static_cast<float>(variance);
        out.weighted_entropy[i] = static_cast<float>(entropy(weighted));
    });
    return out;
}

std::vector<char> near_and_far(const MapGrid& grid, const MapPoints& points)
{
    const auto column = [](double value, Range range, int n) {
        return n > 1 ? (value - range.first) / (range.second - range.first) * (n - 1) : 0.0;
    };
    const auto n = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
    std::vector<double> distance(n, std::numeric_limits<double>::infinity());
    std::vector<char> places(n, 0);
    for (std::size_t p = 0; p < points.x.size(); ++p) {
        const double px = column(points.x[p], grid.x, grid.nx), py = column(points.y[p], grid.y, grid.ny);
        for (int iy = 0; iy < grid.ny; ++iy)
            for (int ix = 0; ix < grid.nx; ++ix) {
                auto& d = distance[static_cast<std::size_t>(iy) * grid.nx + ix];
                d       = std::min(d, std::hypot(ix - px, iy - py));
            }
        const auto cx = static_cast<long>(std::lround(px)), cy = static_cast<long>(std::lround(py));
        if (cx >= 0 && cx < grid.nx && cy >= 0 && cy < grid.ny)
            places[static_cast<std::size_t>(cy) * grid.nx + static_cast<std::size_t>(cx)] = 1;
    }
    if (points.x.empty() || n == 0)
        return places;
    auto sorted        = distance;
    const auto quarter = sorted.begin() + static_cast<std::ptrdiff_t>(n - std::max<std::size_t>(1, n / 4));
    std::nth_element(sorted.begin(), quarter, sorted.end());
    for (std::size_t i = 0; i < n; ++i)
        if (places[i] == 0 && distance[i] >= *quarter)
            places[i] = 2;
    return places;
}

NearFar means_near_and_far(std::span<const float> values, std::span<const char> places)
{
    double sum[2] = {0, 0};
    long n[2]     = {0, 0};
    for (std::size_t i = 0; i < values.size(); ++i)
        if (places[i] != 0) {
            sum[places[i] - 1] += values[i];
            ++n[places[i] - 1];
        }
    const auto mean = [&](int k) {
        return n[k] > 0 ? sum[k] / static_cast<double>(n[k]) : std::numeric_limits<double>::quiet_NaN();
    };
    return {mean(0), mean(1)};
}

namespace {

/// Limit for such small maps.
constexpr std::size_t most_points = 100;

Panel tile(const LaplaceMaps& maps, std::size_t place, const std::string& title, const std::string& name,
           std::vector<float> z, Range scale, const std::string& unit)
{
    Panel panel{.title  = title,
                .x      = {.label = place >= 4 ? maps.x_name : "", .range = cell_edges(maps.grid.x, maps.grid.nx)},
                .y      = {.label = place % 4 == 0 ? maps.y_name : "", .range = cell_edges(maps.grid.y, maps.grid.ny)},
                .series = {},
                .weight = 0.8};   // four per row on a page and in the window
    if (!z.empty())
        panel.series.push_back(HeatMap{.name    = name,
                                       .unit    = unit,
                                       .nx      = maps.grid.nx,
                                       .ny      = maps.grid.ny,
                                       .x       = maps.grid.x,
                                       .y       = maps.grid.y,
                                       .z       = std::move(z),
                                       .z_range = scale});
    const std::size_t n = maps.points.x.size(), shown = std::min(n, most_points);
    for (int k = 0; k < static_cast<int>(maps.class_names.size()); ++k) {
        Points points{.name = class_name(maps.class_names, k), .tone = category(k), .size = 2};
        for (std::size_t j = 0; j < shown; ++j)
            if (const std::size_t i = j * n / shown; maps.points.label[i] == k) {
                points.x.push_back(maps.points.x[i]);
                points.y.push_back(maps.points.y[i]);
            }
        if (!points.x.empty())
            panel.series.push_back(std::move(points));
    }
    return panel;
}

/// From the 5 % quantile of the cells up to the largest possible value.
Range entropy_scale(const std::vector<float>& values, double largest)
{
    std::vector<float> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
    if (finite.empty())
        return {largest - 1, largest};
    const auto low = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 20);
    std::nth_element(finite.begin(), low, finite.end());
    return {std::min(std::floor(static_cast<double>(*low)), largest - 1), largest};
}

}   // namespace

Chart to_chart(const LaplaceMaps& maps)
{
    const auto K = static_cast<double>(maps.class_names.size());
    const Range nats{0, std::log(K)};
    const auto& b     = maps.bridge;
    const auto places = near_and_far(maps.grid, maps.points);
    Chart chart{.id = "laplace_maps", .title = "Laplace maps", .columns = 4};
    std::string refusals;
    /// "Kronecker", and below it "0.05 → 0.13": the means near the data and far away.
    const auto add = [&](const std::string& title, const std::string& name, const std::vector<float>& z, Range scale,
                         const std::string& unit) {
        std::vector<float> shown = z;
        for (float& v : shown)
            v = std::clamp(v, static_cast<float>(scale.first), static_cast<float>(scale.second));
        const auto means = means_near_and_far(shown, places);
        const auto text  = [](double value) { return (value < 0 ? "−" : "") + number_text(std::abs(value), 2); };
        chart.panels.push_back(tile(maps, chart.panels.size(),
                                    z.empty() ? title : title + "\n" + text(means.near) + " → " + text(means.far), name,
                                    std::move(shown), scale, unit));
    };
    for (const auto& map : maps.predictive) {
        add(map.entropy.empty() ? map.name + ":\ntoo large" : map.name, "H", map.entropy, nats, "nats");
        if (map.entropy.empty())
            refusals += " " + map.name + ": " + map.refusal;
    }
    const double most     = b.variance.empty() ? 0 : *std::max_element(b.variance.begin(), b.variance.end());
    const Range dirichlet = entropy_scale(b.entropy, -std::lgamma(K));
    add("Bridge mean", "H", b.mean_entropy, nats, "nats");
    add("Entropy", "h", b.entropy, dirichlet, "nats");
    add("Variance", "Σ Var", b.variance, {0, std::max(most, 1e-6)}, "");
    add("Weighted", "H", b.weighted_entropy, nats, "nats");
    chart.caption =
        "Above: predictive entropy H(p̄) of one network for its point estimate (MAP) and for Laplace approximations "
        "of three structures at the same weights and the same prior precision λ = "
        + number_text(maps.precision, 3) + "; p̄ by " + std::to_string(maps.n_draws)
        + " draws of the linearised logits. "
        + (maps.exact_hessian
               ? "Diagonal and full use the exact Hessian, Kronecker the Gauss–Newton curvature."
               : "All three use the Gauss–Newton curvature; for the full one Hobbhahn uses the exact Hessian.")
        + " Below: the Dirichlet of the Laplace Bridge (" + name(maps.variant) + ", no draws) for the structure "
        + maps.bridge_of + ": entropy of its mean, its differential entropy h (also low in the corners; colours end at "
        + number_text(dirichlet.first, 4)
        + "), the sum of its variances, and the entropy of the weighted estimate (α + 1)/(α₀ + K), our own "
          "weighting: Hobbhahn weights "
          "the point estimate by its variance and prints no formula. Numbers: mean over the cells with data → over the "
          "quarter of cells farthest from them.";
    if (!maps.normalised_mean_entropy.empty()) {
        const auto means = means_near_and_far(maps.normalised_mean_entropy, places);
        chart.caption += " Mean of the normalised bridge: " + number_text(means.near, 3) + " → "
                         + number_text(means.far, 3) + " nats.";
    }
    chart.caption += refusals;
    return chart;
}

}   // namespace credence
