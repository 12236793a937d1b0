// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "foundation/error.h"
#include "laplace/fit_curvature.h"
#include "runs/laplace_fit.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

namespace credence {

/// The evidence of each prior precision, and its effect on the confidence.
struct LaplaceEvidence {
    std::vector<double> precision;                  ///< λ, rising [n]
    std::vector<double> log_evidence;               ///< ln p(D|λ), nats [n]
    double best_precision = 1, best = 0;            ///< the maximum
    double now = 1, log_evidence_now = 0;           ///< of the displayed posterior
    double weight_decay_precision            = 0;   ///< N · weight decay, used to train the point estimate; 0: none
    std::vector<double> confidence_precision = {},
                        confidence           = {};   ///< mean of max p̄ over training inputs; empty: not requested
    std::optional<double> map_confidence     = {};   ///< of the point estimate
    std::optional<double> target             = {};   ///< target confidence
};

/// One or two panels over λ on a logarithmic axis.
Chart to_chart(const LaplaceEvidence& evidence);

using namespace view_support;

namespace {

Rule upright(double at, std::string label, Tone tone, LineStyle style)
{
    return {.direction = Rule::Direction::vertical, .at = at, .label = std::move(label), .tone = tone, .style = style};
}

/// Two decades on both sides of the maximum, extended to the displayed precision: the curve
/// decreases without bound on both sides.
Range evidence_range(const LaplaceEvidence& evidence)
{
    double lowest = evidence.best;
    for (std::size_t i = 0; i < evidence.precision.size(); ++i)
        if (std::fabs(std::log10(evidence.precision[i] / evidence.best_precision)) <= 2.01)
            lowest = std::min(lowest, evidence.log_evidence[i]);
    const double top  = std::max(evidence.best, evidence.log_evidence_now);
    const double near = std::max(1.0, top - lowest);
    const double room = std::clamp(1.1 * (top - evidence.log_evidence_now), near, 5 * near);
    return {top - 1.03 * room, top + 0.12 * room};
}

/// The results that do not depend on the displayed precision: cached while a slider moves over one
/// curvature.
struct Curves {
    std::weak_ptr<const Curvature> of;
    int samples                   = 0;
    LaplacePredictive predictive  = LaplacePredictive::weights;   // for the confidence
    std::vector<double> precision = {}, log_evidence = {}, confidence_precision = {}, confidence = {};
    double best_precision                = 1;
    std::optional<double> map_confidence = {};
};

/// λ from 10^first to 10^last, `per_decade` in each.
std::vector<double> decades(int first, int last, int per_decade)
{
    std::vector<double> values;
    for (int i = 0; i <= (last - first) * per_decade; ++i)
        values.push_back(std::pow(10, first + static_cast<double>(i) / per_decade));
    return values;
}

/// Empty: stopped.
std::optional<Curves> make_curves(const RunSnapshot& run, const LaplaceGaussian<float>& posterior, std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    const auto& curvature  = posterior.curvature();
    Curves curves{.of         = curvature,
                  .samples    = experiment.study.prediction.samples,
                  .predictive = experiment.study.posterior.laplace.predictive};
    curves.best_precision = curvature->best_precision();
    const int middle      = static_cast<int>(std::lround(std::log10(curves.best_precision)));
    const int first = std::max(-6, middle - 5), last = std::min(8, middle + 5);
    for (const double precision : decades(first, last, 8)) {
        if (stop.stop_requested())
            return {};
        const double value = curvature->log_evidence(precision);
        if (!std::isfinite(value))
            continue;   // an exact Hessian needs a larger λ
        curves.precision.push_back(precision);
        curves.log_evidence.push_back(value);
    }
    if (experiment.task() == Task::classification && !experiment.data->image) {   // for images this takes too long
        for (const double precision : decades(first, last, 2)) {
            if (!std::isfinite(curvature->log_evidence(precision)))
                continue;
            const auto value = mean_confidence(experiment, posterior.with_precision(precision), stop);
            if (!value)
                return {};
            curves.confidence_precision.push_back(precision);
            curves.confidence.push_back(*value);
        }
        const auto map = mean_confidence(experiment,
                                         std::make_shared<LaplaceGaussian<float>>(curvature, largest_precision), stop);
        if (!map)
            return {};
        curves.map_confidence = map;
    }
    return curves;
}

std::optional<Curves> curves_of(const RunSnapshot& run, const LaplaceGaussian<float>& posterior, std::stop_token stop)
{
    static std::mutex mutex;
    static Curves last;
    {
        const std::lock_guard lock(mutex);
        const Study& study = run.experiment->study;
        if (last.of.lock() == posterior.curvature() && last.samples == study.prediction.samples
            && last.predictive == study.posterior.laplace.predictive)
            return last;
    }
    auto made = make_curves(run, posterior, stop);
    if (made) {
        const std::lock_guard lock(mutex);
        last = *made;
    }
    return made;
}

std::optional<std::string> why_not_laplace_evidence(const Experiment& experiment)
{
    if (method_of(experiment.study).training.fits_curvature)
        return {};
    return "The evidence of the prior precision needs the posterior \"Laplace approximation\".";
}

std::optional<Chart> make_laplace_evidence(const RunSnapshot& run, const ViewOptions&, const std::stop_token& stop)
{
    const auto& study    = run.experiment->study;
    const auto posterior = laplace_of(*run.snapshot);
    if (!posterior)
        throw Error(
            "This is the point estimate. Its curvature is fitted after training; you can also fit it in the Laplace "
            "panel.");
    const auto curves = curves_of(run, *posterior, stop);
    if (!curves)
        return {};
    const auto& curvature = *posterior->curvature();
    const double decay    = study.training.layer_l2.empty() ? study.training.l2 : 0;   // several decays have no single
                                                                                       // line
    LaplaceEvidence figure{.precision              = curves->precision,
                           .log_evidence           = curves->log_evidence,
                           .best_precision         = curves->best_precision,
                           .best                   = curvature.log_evidence(curves->best_precision),
                           .now                    = posterior->precision(),
                           .log_evidence_now       = curvature.log_evidence(posterior->precision()),
                           .weight_decay_precision = decay * static_cast<double>(curvature.n_data()),
                           .confidence_precision   = curves->confidence_precision,
                           .confidence             = curves->confidence,
                           .map_confidence         = curves->map_confidence};
    if (study.posterior.laplace.precision_from == PrecisionFrom::confidence)
        figure.target = study.posterior.laplace.confidence;
    if (study.posterior.laplace.precision_from == PrecisionFrom::confidence_below && curves->map_confidence)
        figure.target = *curves->map_confidence * (1 - study.posterior.laplace.confidence_below / 100);
    Chart chart = to_chart(figure);
    if (curves->best_precision <= smallest_precision || curves->best_precision >= largest_precision)
        chart.caption += " The evidence has no maximum in this range; it still increases at the end.";
    if (keeps_largest(curvature.options(), curvature.covered()))
        chart.caption +=
            " Only the " + std::to_string(curvature.options().rank)
            + " largest directions of the curvature are used and all others are treated as flat, so the evidence "
              "and its maximum are biased. Do not "
              "compare it across numbers of directions or with other structures.";
    return with_setting(std::move(chart), run);
}

/// Mean confidence on the training data against λ.
Panel confidence_panel(const LaplaceEvidence& evidence, const Axis& lambda)
{
    Panel sure{.x = lambda, .y = {.label = "Mean of max p̄, training data"}};
    sure.series.push_back(Line{.name  = "Laplace approximation",
                               .x     = evidence.confidence_precision,
                               .y     = evidence.confidence,
                               .tone  = {Tone::Kind::training},
                               .width = 2});
    if (evidence.map_confidence)
        sure.series.push_back(
            Rule{.direction = Rule::Direction::horizontal, .at = *evidence.map_confidence, .label = "point estimate"});
    if (evidence.target)
        sure.series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                   .at        = *evidence.target,
                                   .label     = "target",
                                   .tone      = {Tone::Kind::accent},
                                   .style     = LineStyle::dotted});
    sure.series.push_back(upright(evidence.now, "on show", {Tone::Kind::accent}, LineStyle::dashed));
    sure.weight = 0.8;
    return sure;
}

}   // namespace

Chart to_chart(const LaplaceEvidence& evidence)
{
    Chart chart{.id = "laplace_evidence", .title = "Evidence of the prior precision", .columns = 1};
    const Axis lambda{.label       = "Prior precision λ",
                      .range       = Range{evidence.precision.front(), evidence.precision.back()},
                      .logarithmic = true};
    const auto inside = [&](double at) { return at >= evidence.precision.front() && at <= evidence.precision.back(); };

    Panel curve{.x = lambda,
                .y = {.label = "Log evidence ln p(D|λ)", .unit = "nats", .range = evidence_range(evidence)}};
    curve.series.push_back(Line{.name  = "ln p(D|λ)",
                                .x     = evidence.precision,
                                .y     = evidence.log_evidence,
                                .tone  = {Tone::Kind::posterior},
                                .width = 2});
    curve.series.push_back(Points{.name   = "maximum, λ = " + number_text(evidence.best_precision, 3),
                                  .x      = {evidence.best_precision},
                                  .y      = {evidence.best},
                                  .tone   = {Tone::Kind::posterior},
                                  .marker = Marker::circle,
                                  .size   = 8,
                                  .filled = false});
    curve.series.push_back(Points{.name   = "displayed, λ = " + number_text(evidence.now, 3),
                                  .x      = {evidence.now},
                                  .y      = {evidence.log_evidence_now},
                                  .tone   = {Tone::Kind::accent},
                                  .marker = Marker::diamond,
                                  .size   = 9});
    curve.series.push_back(upright(evidence.now, "", {Tone::Kind::accent}, LineStyle::dashed));
    if (const double trained = evidence.weight_decay_precision;
        trained > 0 && inside(trained))   // named in the legend, since a label at the line would cover the maximum
        curve.series.push_back(Line{.name  = "N · weight decay, λ = " + number_text(trained, 3),
                                    .x     = {trained, trained},
                                    .y     = {curve.y.range->first, curve.y.range->second},
                                    .tone  = {Tone::Kind::muted},
                                    .style = LineStyle::dotted});
    chart.panels.push_back(std::move(curve));

    if (!evidence.confidence.empty())
        chart.panels.push_back(confidence_panel(evidence, lambda));
    chart.caption =
        "Log evidence of the data against the prior precision λ of the Laplace approximation: its maximum is ln p(D) = "
        + number_text(evidence.best, 5) + " nats at λ = " + number_text(evidence.best_precision, 3) + "; displayed λ = "
        + number_text(evidence.now, 3) + " with " + number_text(evidence.log_evidence_now, 5) + " nats."
        + (evidence.confidence.empty() ? "" : " Below: mean confidence, the mean of max p̄ over the training inputs.");
    return chart;
}

View laplace_evidence_view()
{
    return {
        .id    = "laplace_evidence",
        .title = "Laplace",
        .group = ViewGroup::weights,
        .help =
            "The prior precision λ of a Laplace approximation N(θ_MAP, (curvature + λI)⁻¹): a small λ gives a wide "
            "posterior. Above: the log evidence of λ, ln p(D|λ) ≈ −nll − ½λ‖θ‖² + ½P ln λ − ½ ln det(curvature + "
            "λI), nats. The circle is its maximum, the diamond is the displayed precision, and the dotted line is "
            "the precision used to train the point estimate, N times its weight decay. Below: mean of max p̄ over "
            "the training inputs; it rises from 1/K towards that of the point estimate. With the largest directions "
            "only, all other directions are treated as flat, so the evidence cannot be compared across numbers of "
            "directions. Source: MacKay 1992; Hobbhahn 2020, section 3.1.",
        .when_pruned = WhenPruned::whole,
        .why_not     = why_not_laplace_evidence,
        .make        = make_laplace_evidence};
}

}   // namespace credence
