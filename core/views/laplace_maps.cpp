// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plane.h"
#include "views/view_support.h"

#include "charts/number_text.h"
#include "figures/laplace_maps.h"
#include "foundation/error.h"
#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "prediction/linearised_logits.h"
#include "runs/kept_results.h"
#include "runs/laplace_fit.h"
#include "study/method.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

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

    bool gone() const { return of.expired(); }
    bool operator==(const CurvatureKey& other) const
    {
        return structure == other.structure && !of.owner_before(other.of) && !other.of.owner_before(of);
    }
};

/// The run's curvature in another structure, at the same weights and for the same layers. Fitted
/// once for all prior precisions. Null: stopped.
std::shared_ptr<const Curvature> curvature_like(const RunSnapshot& moment, const std::shared_ptr<const Curvature>& own,
                                                const CurvatureOptions& options, std::stop_token stop)
{
    if (options == own->options())
        return own;
    static KeptResults<CurvatureKey, Curvature> kept(4);
    return kept.find_or_make({own, options.structure}, stop, [&]() -> std::shared_ptr<const Curvature> {
        const auto& map = own->data().map;
        return fit_curvature(moment.experiment->model, std::vector<float>(map.begin(), map.end()),
                             *moment.experiment->data, options, stop);
    });
}

/// Only the maps; empty if stopped.
std::shared_ptr<const LaplaceMaps> make_maps(const RunSnapshot& moment, const LaplaceGaussian<float>& posterior,
                                             const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto& training   = experiment.data->training;
    const auto& own        = posterior.curvature();
    const auto region      = options.region.value_or(region_of(experiment));
    auto out               = std::make_shared<LaplaceMaps>();
    out->grid              = MapGrid::over(region.first, region.second, std::min(options.map_cells, most_cells));
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
        const auto curvature = curvature_like(moment, own, wanted, stop);
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
    if (!why_no_plane(experiment) && method_of(experiment.study).fits_curvature)
        return {};
    return "These maps need two inputs, classes and the posterior \"Laplace approximation\". Try the preset Four "
           "Gaussians, Laplace approximation.";
}

std::optional<Chart> make_laplace_maps(const RunSnapshot& moment, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    const auto posterior = laplace_of(*moment.snapshot);
    if (!posterior)
        throw Error("At this step there is no curvature yet. It is fitted after training.");
    const auto maps = make_maps(moment, *posterior, options, stop);
    if (!maps)
        return {};
    return with_setting(to_chart(*maps), moment);
}

}   // namespace

View laplace_maps_view()
{
    return {
        .id    = "laplace_maps",
        .title = "Laplace maps",
        .help =
            "One network over the plane with several posteriors at the same weights. Above, on one scale, the "
            "predictive entropy H(p̄) in nats: of the point estimate (MAP), and of Laplace approximations with "
            "diagonal, Kronecker-factored and full curvature, all with the run's prior precision λ. Missing "
            "curvatures are fitted here, once. p̄ is the mean softmax of 1,000 samples of the linearised logits "
            "N(f(x), JΣJᵀ). Below, without sampling, the Dirichlet of the Laplace Bridge (projected) for the run's "
            "own structure: the entropy of its mean E π = α/α₀; its differential entropy −∫ p ln p, highest where "
            "every π is equally likely, low where the Dirichlet is narrow or concentrated in the corners; the sum of "
            "its variances, (1 − Σ m²)/(α₀ + 1); and the entropy of the weighted estimate (α_k + 1)/(α₀ + K), which "
            "shrinks the mean towards 1/K by adding one pseudo-count per class. Two maps differ from Hobbhahn's "
            "figure. His last map is the point estimate weighted by its variance, without a formula; ours is the "
            "estimate above. His full curvature is the exact Hessian; ours is the Gauss–Newton matrix unless the "
            "setting Curvature is Exact Hessian, which for all layers is limited to 2,000 weights (his network has "
            "31,004), or for larger networks to the largest directions (Directions kept). For ReLU networks the two "
            "diagonals are equal. A point estimate is confident almost everywhere, even far from the data; the "
            "others should be uncertain there. Numbers: mean over the cells with training points → mean over the "
            "quarter of cells farthest from all of them. Source: Hobbhahn 2020, Fig. 5.4.",
        .cost        = Cost::slow,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_not_laplace_maps,
        .make        = make_laplace_maps};
}

}   // namespace credence
