// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/laplace_evidence.h"

#include "charts/number_text.h"

#include <algorithm>
#include <cmath>

namespace credence {
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
        trained > 0 && inside(trained))   // named in the legend: a label at the line would cover the maximum
        curve.series.push_back(Line{.name  = "N · weight decay, λ = " + number_text(trained, 3),
                                    .x     = {trained, trained},
                                    .y     = {curve.y.range->first, curve.y.range->second},
                                    .tone  = {Tone::Kind::muted},
                                    .style = LineStyle::dotted});
    chart.panels.push_back(std::move(curve));

    if (!evidence.confidence.empty()) {
        Panel sure{.x = lambda, .y = {.label = "Mean of max p̄, training data"}};
        sure.series.push_back(Line{.name  = "Laplace approximation",
                                   .x     = evidence.confidence_precision,
                                   .y     = evidence.confidence,
                                   .tone  = {Tone::Kind::training},
                                   .width = 2});
        if (evidence.map_confidence)
            sure.series.push_back(Rule{
                .direction = Rule::Direction::horizontal, .at = *evidence.map_confidence, .label = "point estimate"});
        if (evidence.target)
            sure.series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                       .at        = *evidence.target,
                                       .label     = "target",
                                       .tone      = {Tone::Kind::accent},
                                       .style     = LineStyle::dotted});
        sure.series.push_back(upright(evidence.now, "on show", {Tone::Kind::accent}, LineStyle::dashed));
        sure.weight = 0.8;
        chart.panels.push_back(std::move(sure));
    }
    chart.caption =
        "Log evidence of the data against the prior precision λ of the Laplace approximation: its maximum is ln p(D) = "
        + number_text(evidence.best, 5) + " nats at λ = " + number_text(evidence.best_precision, 3) + "; displayed λ = "
        + number_text(evidence.now, 3) + " with " + number_text(evidence.log_evidence_now, 5) + " nats."
        + (evidence.confidence.empty() ? "" : " Below: mean confidence, the mean of max p̄ over the training inputs.");
    return chart;
}

}   // namespace credence
