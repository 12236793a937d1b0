// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/laplace_fit.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "laplace/fit_curvature.h"
#include "posterior/point_estimate.h"
#include "prediction/posterior_predictive.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr int most_inputs = 500, most_draws = 50;   // for the mean confidence

/// At most `most_inputs` rows of the training inputs, evenly spaced.
std::vector<float> some_training_inputs(const Experiment& experiment)
{
    const auto& data    = *experiment.data;
    const std::size_t d = data.training.n_features;
    std::vector<float> inputs;
    for (const std::size_t row : evenly_spaced(data.training.n_rows, most_inputs)) {
        const auto first = data.training_inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
    }
    return inputs;
}

/// Mean of max p̄ over some training inputs. Empty if stopped.
std::optional<double> mean_of_largest(const Experiment& experiment, const PosteriorPredictive& predictive,
                                      std::stop_token stop)
{
    const auto inputs  = some_training_inputs(experiment);
    const int n        = static_cast<int>(inputs.size() / experiment.data->training.n_features);
    const auto summary = predictive.summarise(inputs, n, stop);
    if (stop.stop_requested())
        return {};
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const auto first = summary.mean.begin() + static_cast<std::ptrdiff_t>(i) * summary.n_outputs;
        sum += *std::max_element(first, first + summary.n_outputs);
    }
    return sum / n;
}

/// Mean of max p̄ over the same inputs for the network at θ_MAP.
std::optional<double> confidence_of_map(const Experiment& experiment, const Curvature& curvature, std::stop_token stop)
{
    const auto& map                = curvature.data().map;
    Model model                    = experiment.model;
    model.linearised_at_prediction = false;
    return mean_of_largest(experiment,
                           PosteriorPredictive(model,
                                               std::make_shared<PointEstimate<float>>(
                                                   curvature.layout(), std::vector<float>(map.begin(), map.end())),
                                               1, experiment.study.seed),
                           stop);
}

/// The λ at which the mean confidence meets the target. Confidence grows with λ up to that of the
/// MAP estimate; bisection in ln λ, with the same samples throughout.
std::optional<ChosenPrecision> precision_of_confidence(const Experiment& experiment,
                                                       const std::shared_ptr<const Curvature>& curvature,
                                                       const LaplaceOptions& options, std::stop_token stop)
{
    const auto map = confidence_of_map(experiment, *curvature, stop);
    if (!map)
        return {};
    const bool is_below = options.precision_from == PrecisionFrom::confidence_below;
    const double target = is_below ? *map * (1 - options.confidence_below / 100) : options.confidence;

    const auto confidence = [&](double log_precision) {
        return mean_confidence(experiment, std::make_shared<LaplaceGaussian<float>>(curvature, std::exp(log_precision)),
                               stop);
    };
    const auto refused = [&](double precision, double reached) {
        return ChosenPrecision{
            precision,
            "No prior precision gives the target confidence " + number_text(target, 4)
                + (is_below ? ", " + number_text(options.confidence_below, 4) + " % below that of the point estimate"
                            : "")
                + "; at λ = " + number_text(precision, 3) + " it is " + number_text(reached, 4)
                + ", the nearest value.",
            ComparedConfidence{*map, reached}};
    };
    constexpr double step = 1.1512925464970228;   // half a decade
    double above          = std::log(largest_precision);
    auto reached          = confidence(above);
    if (!reached)
        return {};
    if (*reached < target)
        return refused(largest_precision, *reached);
    double below = above, reached_above = *reached;
    // Searches downwards: where samples leave the nearly linear range of the network, confidence is
    // not monotonic.
    while (*reached >= target) {
        above         = below;
        reached_above = *reached;
        if (below <= std::log(smallest_precision))
            return refused(smallest_precision, *reached);
        below   = std::max(std::log(smallest_precision), below - step);
        reached = confidence(below);
        if (!reached)
            return {};
    }
    for (int i = 0; i < 7; ++i) {   // half a decade / 2^7: 1 % of λ
        const double middle = 0.5 * (above + below);
        reached             = confidence(middle);
        if (!reached)
            return {};
        if (*reached >= target) {
            above         = middle;
            reached_above = *reached;
        } else {
            below = middle;
        }
    }
    return ChosenPrecision{std::exp(above), {}, ComparedConfidence{*map, reached_above}};
}

}   // namespace

std::shared_ptr<const LaplaceGaussian<float>> laplace_of(const Snapshot& snapshot)
{
    return laplace_of(snapshot.posterior);
}

void check_laplace(const Experiment& experiment, const LaplaceOptions& options)
{
    if (matches_confidence(options.precision_from) && experiment.task() != Task::classification)
        throw Error("posterior.laplace_precision_from",
                    std::string("posterior.laplace_precision_from is ")
                        + (options.precision_from == PrecisionFrom::confidence ? "confidence" : "confidence_below_map")
                        + ", but the data have no classes; expected evidence or hand.");
    if (const auto refusal = refusal_of_curvature(experiment.model, static_cast<long>(experiment.data->training.n_rows),
                                                  options.curvature))
        throw Error(options.curvature.kind == CurvatureKind::hessian ? "posterior.laplace_curvature"
                                                                     : "posterior.laplace_structure",
                    *refusal);
}

std::optional<double> mean_confidence(const Experiment& experiment, std::shared_ptr<const Posterior> posterior,
                                      std::stop_token stop)
{
    const int draws = std::min(most_draws, experiment.study.prediction.samples);
    return mean_of_largest(
        experiment, PosteriorPredictive(experiment.model, std::move(posterior), draws, experiment.study.seed), stop);
}

std::optional<ComparedConfidence> compared_confidence(const Experiment& experiment,
                                                      std::shared_ptr<const LaplaceGaussian<float>> posterior)
{
    const auto map     = confidence_of_map(experiment, *posterior->curvature(), {});
    const auto reached = map ? mean_confidence(experiment, std::move(posterior)) : std::nullopt;
    return reached ? std::optional(ComparedConfidence{*map, *reached}) : std::nullopt;
}

std::string words_of(const ComparedConfidence& confidence)
{
    const double below = confidence.percent_below();
    return "Mean confidence on the training data " + number_text(confidence.reached, 4) + ", "
           + fixed_text(std::abs(below), 1) + " % " + (below < 0 ? "above" : "below") + " the "
           + number_text(confidence.map, 4) + " of the point estimate";
}

std::optional<ChosenPrecision> choose_precision(const Experiment& experiment,
                                                std::shared_ptr<const Curvature> curvature,
                                                const LaplaceOptions& options, std::stop_token stop)
{
    switch (options.precision_from) {
    case PrecisionFrom::hand: return ChosenPrecision{options.precision, {}};
    case PrecisionFrom::evidence: {
        const double best = curvature->best_precision();
        const bool inside = best > smallest_precision && best < largest_precision;
        return ChosenPrecision{best,
                               inside ? std::string()
                                      : "The evidence has no maximum between λ = " + number_text(smallest_precision, 3)
                                            + " and " + number_text(largest_precision, 3) + "; it still grows at λ = "
                                            + number_text(best, 3) + ", the end of the range."};
    }
    case PrecisionFrom::confidence:
    case PrecisionFrom::confidence_below: return precision_of_confidence(experiment, curvature, options, stop);
    }
    return ChosenPrecision{options.precision, {}};
}

LaplaceFit fit_laplace(const Experiment& experiment, const Snapshot& at, const LaplaceOptions& options,
                       std::stop_token stop, const LaplaceProgress& progress)
{
    check_laplace(experiment, options);
    const auto before = laplace_of(at);
    auto curvature    = before && before->curvature()->options() == options.curvature ? before->curvature() : nullptr;
    if (!curvature)
        curvature = fit_curvature(experiment.model, at.posterior->means(), *experiment.data, options.curvature, stop,
                                  progress);
    if (!curvature)
        return {};
    const auto chosen = choose_precision(experiment, curvature, options, stop);
    if (!chosen)
        return {};
    auto snapshot          = std::make_shared<Snapshot>();
    snapshot->posterior    = std::make_shared<LaplaceGaussian<float>>(curvature, chosen->value);
    snapshot->point        = at.point;
    snapshot->point.layers = snapshot->posterior->describe();
    return {std::move(snapshot), chosen->note, chosen->confidence};
}

std::string laplace_words(const LaplaceGaussian<float>& posterior)
{
    const auto& options   = posterior.curvature()->options();
    const char* structure = options.structure == CurvatureStructure::diagonal    ? "diagonal"
                            : options.structure == CurvatureStructure::kronecker ? "Kronecker-factored"
                                                                                 : "full";
    const bool largest    = keeps_largest(options, posterior.curvature()->covered());
    return (largest ? std::to_string(options.rank) + " largest directions" : std::string(structure))
           + (options.kind == CurvatureKind::hessian ? " Hessian" : "")
           + (options.layers == CurvatureLayers::last ? ", last layer" : ", all layers")
           + ", λ = " + number_text(posterior.precision(), 3);
}

}   // namespace credence
