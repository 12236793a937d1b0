// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/attack_curve.h"

#include <algorithm>

namespace credence {

Chart to_chart(std::span<const AttackCurve> curves, const std::string& unit, std::span<const double> listed)
{
    Chart chart{.id = "attack_curve", .title = "Attacks", .columns = 2};
    Axis strength{.label = "ε", .unit = unit};
    if (!curves.empty() && curves.front().epsilons.size() > 1)
        strength.range = Range{curves.front().epsilons.front(), curves.front().epsilons.back()};
    Panel accuracy{.x = strength, .y = {.label = "Accuracy", .range = Range{0, 1}}};
    Panel entropy{.x = strength, .y = {.label = "Mean predictive entropy", .unit = "nats"}};
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const auto& curve = curves[c];
        const auto line   = [&](const std::vector<double>& y, bool control) {
            return Line{.name  = curve.name + (control ? ", random signs" : ""),
                          .x     = curve.epsilons,
                          .y     = y,
                          .tone  = category(static_cast<int>(c)),
                          .style = control ? LineStyle::dashed : LineStyle::solid,
                          .width = control ? 1.2 : 2.0};
        };
        for (const bool control : {false, true}) {
            const auto& scores = control ? curve.control : curve.attacked;
            accuracy.series.push_back(line(scores.accuracy, control));
            entropy.series.push_back(line(scores.entropy, control));
        }
    }
    chart.panels = {std::move(accuracy), std::move(entropy)};

    Table table{.columns = {{"Run"},
                            {"ε", unit},
                            {"Accuracy", "", 4},
                            {"Mean entropy", "nats", 4},
                            {"Accuracy, random signs", "", 4},
                            {"Mean entropy, random signs", "nats", 4},
                            {"Exactly zero in the gradients", "%", 2},
                            {"Inputs without a gradient", "%", 2}},
                .rows    = {}};
    for (const auto& curve : curves)
        for (const double epsilon : listed) {
            const auto found = std::find(curve.epsilons.begin(), curve.epsilons.end(), epsilon);
            if (found == curve.epsilons.end())
                continue;
            const auto i = static_cast<std::size_t>(found - curve.epsilons.begin());
            table.rows.push_back({curve.name, epsilon, curve.attacked.accuracy[i], curve.attacked.entropy[i],
                                  curve.control.accuracy[i], curve.control.entropy[i], 100 * curve.zero_share,
                                  100 * curve.zero_rows});
        }
    chart.table = std::move(table);
    return chart;
}

}   // namespace credence
