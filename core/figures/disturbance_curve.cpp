// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/disturbance_curve.h"

#include "charts/pictures.h"

#include <algorithm>

namespace credence {

Chart to_chart(const DisturbanceCurve& curve)
{
    constexpr double least = 0.05;   // smallest p̄ for which a class is drawn
    const auto& all        = curve.predictions;
    Chart chart{.id = "disturbance_curve", .title = "Disturbance", .columns = 1};
    if (!curve.pictures.empty()) {
        Panel pictures  = picture_panel(curve.input, curve.pictures, static_cast<int>(curve.pictures.size()), 1);
        pictures.weight = 0.4;
        chart.panels.push_back(std::move(pictures));
    }
    const Axis strength{.label = curve.quantity,
                        .unit  = curve.unit,
                        .range = curve.at.empty() ? Range{0, 1} : Range{curve.at.front(), curve.at.back()}};
    const auto mark_now = [&](Panel& panel) {
        if (curve.now)
            panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                        .at        = *curve.now,
                                        .label     = "on show",
                                        .tone      = {Tone::Kind::accent}});
    };

    Panel probabilities{.x = strength, .y = {.label = "Mean probability p̄", .range = Range{0, 1}}};
    for (int k = 0; k < all.n_classes; ++k) {
        const bool is_true = curve.true_class == k;
        Line line{.name  = curve.class_names[static_cast<std::size_t>(k)] + (is_true ? " (true)" : ""),
                  .x     = curve.at,
                  .tone  = category(k),
                  .style = k < 8 ? LineStyle::solid : LineStyle::dashed,
                  .width = is_true ? 3.0 : 1.5};
        double most = 0;
        for (int i = 0; i < all.n_inputs; ++i) {
            line.y.push_back(all.mean_of(i)[static_cast<std::size_t>(k)]);
            most = std::max(most, line.y.back());
        }
        if (most >= least || is_true)
            probabilities.series.push_back(std::move(line));
    }
    mark_now(probabilities);
    chart.panels.push_back(std::move(probabilities));

    Panel doubt{.x = strength, .y = {.label = "Entropy", .unit = "nats"}};
    doubt.series.push_back(
        Line{.name = "predictive", .x = curve.at, .y = all.entropy, .tone = {Tone::Kind::neutral}, .width = 2});
    doubt.series.push_back(Line{.name  = "aleatoric part",
                                .x     = curve.at,
                                .y     = all.expected_entropy,
                                .tone  = {Tone::Kind::data},
                                .style = LineStyle::dashed});
    doubt.series.push_back(
        Line{.name = "epistemic part", .x = curve.at, .y = all.mutual_information, .tone = {Tone::Kind::posterior}});
    mark_now(doubt);
    doubt.weight = 0.8;
    chart.panels.push_back(std::move(doubt));
    chart.caption = "Mean probability of each class and entropy of " + curve.input + " against " + curve.quantity
                    + (curve.unit.empty() ? "" : " [" + curve.unit + "]")
                    + ". Classes that stay below 5 % everywhere are left out.";
    return chart;
}

}   // namespace credence
