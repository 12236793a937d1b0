// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decision_map.h"

#include "charts/chart.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "prediction/class_predictions.h"
#include "prediction/linearised_logits.h"
#include "runs/laplace_fit.h"
#include "runs/result_cache.h"
#include "simplex/logistic_normal.h"
#include "study/method.h"
#include "views/view_support.h"

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
        const auto distribution = bridge(logits[i], variant);
        const auto K            = static_cast<double>(distribution.log_alpha.size());
        const double log_total = log_sum_exp(std::vector<double>{distribution.log_total, std::log(K)});   // ln(α_0 + K)
        std::vector<double> weighted;
        for (const double a : distribution.log_alpha)
            weighted.push_back(std::exp(log_sum_exp(std::vector<double>{a, 0.0}) - log_total));
        double variance = 0;
        for (const double v : distribution.variance())
            variance += v;
        out.mean_entropy[i]     = static_cast<float>(entropy(distribution.mean()));
        out.entropy[i]          = distribution.overflows() ? -std::numeric_limits<float>::infinity()
                                                           : static_cast<float>(distribution.dirichlet().entropy());
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

using namespace view_support;

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
    const auto shown = evenly_spaced(maps.points.x.size(), most_points);
    for (int k = 0; k < static_cast<int>(maps.class_names.size()); ++k) {
        Points points{.name = class_name(maps.class_names, k), .tone = category(k), .size = 2};
        for (const std::size_t i : shown)
            if (maps.points.label[i] == k) {
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

constexpr int most_cells = 50, n_draws = 1000;

const char* name_of(CurvatureStructure structure)
{
    switch (structure) {
    case CurvatureStructure::diagonal: return "Diagonal";
    case CurvatureStructure::kronecker: return "Kronecker";
    case CurvatureStructure::full: return "Full";
    }
    return "";
}

/// A curvature that the view fits in addition to the run's own.
struct CurvatureKey {
    std::weak_ptr<const Curvature> of;
    CurvatureStructure structure;

    bool expired() const { return of.expired(); }
    bool operator==(const CurvatureKey& other) const
    {
        return structure == other.structure && !of.owner_before(other.of) && !other.of.owner_before(of);
    }
};

/// Returns the run's curvature in another structure, at the same weights and for the same layers.
/// It is fitted once for all prior precisions. Null: stopped.
std::shared_ptr<const Curvature> curvature_like(const RunSnapshot& run, const std::shared_ptr<const Curvature>& own,
                                                const CurvatureOptions& options, std::stop_token stop)
{
    if (options == own->options())
        return own;
    static ResultCache<CurvatureKey, Curvature> kept(4);
    return kept.find_or_make({own, options.structure}, stop, [&]() -> std::shared_ptr<const Curvature> {
        const auto& map = own->data().map;
        return fit_curvature(run.experiment->model, std::vector<float>(map.begin(), map.end()), *run.experiment->data,
                             options, stop);
    });
}

/// Only the maps; empty if stopped.
std::shared_ptr<const LaplaceMaps> make_maps(const RunSnapshot& run, const LaplaceGaussian<float>& posterior,
                                             const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    const auto& training   = experiment.data->training;
    const auto& own        = posterior.curvature();
    const auto region      = options.map.region.value_or(region_of(experiment));
    auto out               = std::make_shared<LaplaceMaps>();
    out->grid              = MapGrid::over(region.first, region.second, std::min(options.map.cells, most_cells));
    out->points            = map_points(training);
    out->n_draws           = n_draws;
    out->precision         = posterior.precision();
    out->exact_hessian     = own->options().kind == CurvatureKind::hessian;
    out->bridge_of         = name_of(own->options().structure);
    out->class_names       = training.class_names;
    out->x_name            = training.feature_names[0];
    out->y_name            = training.feature_names[1];
    const auto inputs      = standardised(experiment, out->grid.inputs());
    const int n            = out->grid.nx * out->grid.ny;

    std::vector<LaplaceMaps::Predictive> made;
    for (const auto structure :
         {CurvatureStructure::diagonal, CurvatureStructure::kronecker, CurvatureStructure::full}) {
        CurvatureOptions wanted = own->options();
        wanted.structure        = structure;
        if (structure == CurvatureStructure::kronecker)
            wanted.kind = CurvatureKind::ggn;   // an exact Hessian has no Kronecker factors
        const bool largest = structure == CurvatureStructure::full && wanted.rank > 0;
        made.push_back(
            {.name    = name_of(structure) + (largest ? " (" + std::to_string(wanted.rank) + ")" : std::string()),
             .entropy = {},
             .refusal = {}});
        if (const auto refusal = wanted == own->options()
                                     ? std::nullopt
                                     : refusal_of_curvature(experiment.model, static_cast<long>(training.n_rows),
                                                            wanted)) {
            made.back().refusal = *refusal;
            continue;
        }
        const auto curvature = curvature_like(run, own, wanted, stop);
        if (!curvature)
            return nullptr;
        if (!(posterior.precision() + std::min(0.0, curvature->smallest_eigenvalue()) > 0)) {   // exact Hessians only
            made.back().refusal = "the exact Hessian plus λ is not positive: choose a larger λ.";
            continue;
        }
        const auto logits = linearised_logits(
            experiment.model, LaplaceGaussian<float>(curvature, posterior.precision()), inputs, n, stop);
        if (stop.stop_requested() || logits.empty())
            return nullptr;
        made.back().entropy = entropies_by_draws(logits, n_draws, experiment.study.seed);
        if (structure == own->options().structure) {
            out->bridge                  = bridge_maps(logits, out->variant);
            out->normalised_mean_entropy = bridge_maps(logits, BridgeVariant::projected_normalised).mean_entropy;
            out->predictive.push_back({.name = "MAP", .entropy = entropies_of_means(logits), .refusal = {}});
        }
    }
    out->predictive.insert(out->predictive.end(), made.begin(), made.end());
    return out;
}

std::optional<std::string> why_not_laplace_maps(const Experiment& experiment)
{
    if (!why_no_plane(experiment) && method_of(experiment.study).training.fits_curvature)
        return {};
    return "These maps need two inputs, classes and the posterior \"Laplace approximation\". Try the preset Four "
           "Gaussians, Laplace approximation.";
}

std::optional<Chart> make_laplace_maps(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto posterior = laplace_of(*run.snapshot);
    if (!posterior)
        throw Error("At this step there is no curvature yet. It is fitted after training.");
    const auto maps = make_maps(run, *posterior, options, stop);
    if (!maps)
        return {};
    return with_setting(to_chart(*maps), run);
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
        + " samples of the linearised logits. "
        + (maps.exact_hessian
               ? "Diagonal and full use the exact Hessian, Kronecker the Gauss–Newton curvature."
               : "All three use the Gauss–Newton curvature; for the full one Hobbhahn uses the exact Hessian.")
        + " Below: the Dirichlet of the Laplace Bridge (" + name(maps.variant) + ", no samples) for the structure "
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

View laplace_maps_view()
{
    return {
        .id    = "laplace_maps",
        .title = "Laplace maps",
        .group = ViewGroup::predictions,
        .help =
            "One network over the plane with several posteriors at the same weights. Above, on one scale, the "
            "predictive entropy H(p̄) in nats: of the point estimate (MAP), and of Laplace approximations with "
            "diagonal, Kronecker-factored and full curvature, all with the run's prior precision λ. Missing curvatures "
            "are fitted here, once. p̄ is the mean softmax of 1,000 samples of the linearised logits N(f(x), JΣ_θJᵀ). "
            "Below, without sampling, are four maps of the Dirichlet of the Laplace Bridge (projected) for the run's "
            "own structure. The first is the entropy of its mean E π = α/α₀. The second is its differential entropy −∫ "
            "p ln p, which is highest where every π is equally likely, and low where the Dirichlet is narrow or "
            "concentrated in the corners. The third is the sum of its variances, (1 − Σ m²)/(α₀ + 1). The last is the "
            "entropy of the weighted estimate (α_k + 1)/(α₀ + K), which shrinks the mean towards 1/K by adding one "
            "pseudo-count per class. Two maps differ from Hobbhahn's figure. His last map is the point estimate "
            "weighted by its variance, without a formula; ours is the estimate above. His full curvature is the exact "
            "Hessian; ours is the Gauss–Newton matrix unless the setting Curvature is Exact Hessian. For all layers, "
            "that setting is limited to 2,000 weights (his network has 31,004), or for larger networks to the largest "
            "directions (Directions kept). For ReLU networks the two diagonals are equal. A point estimate is "
            "confident almost everywhere, even far from the data; the others should be uncertain there. Numbers: mean "
            "over the cells with training points → mean over the quarter of cells farthest from all of them. Source: "
            "Hobbhahn 2020, Fig. 5.4.",
        .cost        = Cost::slow,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_not_laplace_maps,
        .make        = make_laplace_maps};
}

}   // namespace credence
