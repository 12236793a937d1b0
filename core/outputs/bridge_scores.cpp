// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_scores.h"

#include "charts/chart.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "prediction/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {

namespace {

double mean_of(const std::vector<float>& values)
{
    double sum = 0;
    for (const float v : values)
        sum += v;
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(values.size());
}

BridgeScores::Bars bars_by(const SetByMethods& set, const std::vector<int>& classes_of_inputs,
                           std::vector<std::string> classes)
{
    BridgeScores::Bars bars{.set = set.name, .classes = std::move(classes), .mean = {}};
    for (std::size_t k = 0; k < bars.classes.size(); ++k) {
        std::vector<float> of_class;
        for (std::size_t i = 0; i < set.variance.size(); ++i)
            if (classes_of_inputs[i] == static_cast<int>(k))
                of_class.push_back(set.variance[i]);
        bars.mean.push_back(mean_of(of_class));
    }
    return bars;
}

constexpr std::size_t most_classes_as_bars = 40;   // readable as bars

/// Sets next to each other if their classes are the same, one after another otherwise.
Panel variance_panel(const std::vector<BridgeScores::Bars>& all, const std::string& title, bool side_by_side)
{
    Panel panel{.title = title,
                .x     = {.label = side_by_side ? "Predicted class" : "True class"},
                .y     = {.label = "Mean Var π of the predicted class"}};
    const double width = side_by_side ? 0.8 / static_cast<double>(all.size()) : 0.8;
    double first       = 0;
    for (std::size_t s = 0; s < all.size(); ++s) {
        Bars bars{.name = all[s].set, .width = width, .tone = category(static_cast<int>(s)), .opacity = 0.75};
        for (std::size_t k = 0; k < all[s].mean.size(); ++k) {
            if (std::isnan(all[s].mean[k]))
                continue;
            double position = 0;
            if (side_by_side)
                position = static_cast<double>(k)
                           + (static_cast<double>(s) - 0.5 * static_cast<double>(all.size() - 1)) * width;
            else {
                position = first;
                first += 1;
                panel.x.categories.push_back(all[s].classes[k]);
            }
            bars.position.push_back(position);
            bars.height.push_back(all[s].mean[k]);
        }
        panel.series.push_back(std::move(bars));
    }
    if (side_by_side && !all.empty()) {
        panel.x.categories = all.front().classes;
        first              = static_cast<double>(panel.x.categories.size());
    }
    panel.x.range = Range{-0.6, std::max(first - 0.4, 0.6)};
    return panel;
}

}   // namespace

BridgeScores bridge_scores(std::span<const SetByMethods> sets, const std::vector<std::string>& class_names,
                           const BridgeScoresOptions& options)
{
    BridgeScores out;
    out.variant = options.variant;
    out.n_draws = options.n_draws;
    if (sets.empty() || sets.front().n == 0)
        throw Error("Sampling and bridge: there are no inputs, expected at least one.");
    long total = 0;
    for (const auto& set : sets) {
        if (set.methods.size() != sets.front().methods.size() || set.n == 0)
            throw Error("Sampling and bridge: " + set.name + " has " + std::to_string(set.methods.size())
                        + " methods for " + std::to_string(set.n) + " inputs, expected those of " + sets.front().name
                        + ", " + std::to_string(sets.front().methods.size()) + ".");
        out.sets.push_back(set.name);
        out.n.push_back(set.n);
        out.proposition1.push_back(set.proposition1);
        out.mean_variance.push_back(mean_of(set.variance));
        if (set.labels.size() == static_cast<std::size_t>(set.n) && set.classes.size() <= most_classes_as_bars)
            out.by_true.push_back(bars_by(set, set.labels, set.classes));
        if (static_cast<std::size_t>(set.K) <= most_classes_as_bars)
            out.by_predicted.push_back(bars_by(set, set.predicted, class_names_of(class_names, set.K)));
        total += set.n;
    }
    for (std::size_t w = 0; w < sets.front().methods.size(); ++w) {
        BridgeScores::Method method{.name     = sets.front().methods[w].name,
                                    .mmc      = {},
                                    .auroc    = {},
                                    .accuracy = {},
                                    .seconds  = 0,
                                    .bridge   = sets.front().methods[w].bridge};
        const auto& own = sets.front().methods[w].score;
        for (std::size_t s = 0; s < sets.size(); ++s) {
            const auto& here = sets[s].methods[w];
            method.mmc.push_back(mean_of(here.confidence));
            method.seconds += here.seconds;
            if (s > 0)
                method.auroc.push_back(auroc(own, here.score));
        }
        method.seconds *= 1e4 / static_cast<double>(total);
        const auto& labels = sets.front().labels;
        if (!labels.empty()) {
            long right = 0;
            for (std::size_t i = 0; i < labels.size(); ++i)
                right += labels[i] == sets.front().methods[w].predicted[i];
            method.accuracy = static_cast<double>(right) / static_cast<double>(labels.size());
        }
        out.methods.push_back(std::move(method));
    }
    return out;
}

std::optional<double> speed_ratio(const BridgeScores& scores)
{
    std::optional<double> sampling, bridge;
    for (const auto& method : scores.methods) {
        if (method.name.ends_with(name_of_logit_samples))
            sampling = method.seconds;
        if (method.bridge && method.seconds > 0)
            bridge = bridge ? std::min(*bridge, method.seconds) : method.seconds;
    }
    if (!sampling || !bridge)
        return {};
    return *sampling / *bridge;
}

std::optional<double> draws_for_one_bridge(const BridgeScores& scores)
{
    std::optional<double> sampling, bridge;
    for (const auto& method : scores.methods) {
        if (method.name.ends_with(name_of_logit_samples))
            sampling = method.seconds;
        if (method.bridge && !bridge)   // the plain one is the first
            bridge = method.seconds;
    }
    if (!sampling || !bridge || !(*sampling > 0) || scores.n_draws < 1)
        return {};
    return *bridge * scores.n_draws / *sampling;
}

Chart to_chart(const BridgeScores& scores)
{
    Chart chart{.id = "bridge_scores", .title = "Sampling and bridge", .columns = 2};
    if (!scores.by_true.empty())
        chart.panels.push_back(variance_panel(scores.by_true, "Variance by true class", false));
    if (!scores.by_predicted.empty())
        chart.panels.push_back(variance_panel(scores.by_predicted, "Variance by predicted class", true));

    Table table{.columns = {{"Method"}, {"MMC, " + scores.sets.front(), "", 4}, {"Accuracy", "", 4}}, .rows = {}};
    for (std::size_t s = 1; s < scores.sets.size(); ++s) {
        table.columns.push_back({"MMC, " + scores.sets[s], "", 4});
        table.columns.push_back({"AUROC, " + scores.sets[s], "", 4});
    }
    table.columns.push_back({bridge_scores_wall_times[0], "ms"});
    double sampling = std::numeric_limits<double>::quiet_NaN();
    for (const auto& method : scores.methods)
        if (method.name.ends_with(name_of_logit_samples))
            sampling = method.seconds;
    table.columns.push_back({bridge_scores_wall_times[1]});
    for (const auto& method : scores.methods) {
        std::vector<Cell> row{method.name, method.mmc.front()};
        row.push_back(method.accuracy ? Cell(*method.accuracy) : Cell(std::string("–")));
        for (std::size_t s = 1; s < scores.sets.size(); ++s) {
            row.push_back(method.mmc[s]);
            row.push_back(method.auroc[s - 1]);
        }
        row.push_back(rounded_number(1e3 * method.seconds, 3));
        row.push_back(std::isnan(sampling) || method.seconds <= 0 ? Cell(std::string("–"))
                                                                  : Cell(rounded_number(sampling / method.seconds, 3)));
        table.rows.push_back(std::move(row));
    }
    const auto extra = [&](const std::string& name, const std::vector<double>& values) {
        std::vector<Cell> row(table.columns.size(), Cell(std::string()));
        row[0] = name;
        for (std::size_t s = 0; s < values.size(); ++s)
            row[1 + 2 * s] = number_text(values[s], 3);   // variances can be tiny
        table.rows.push_back(std::move(row));
    };
    const std::string variant = std::string(name(scores.variant)) + " bridge";
    extra("Mean Var π of the predicted class, " + variant, scores.mean_variance);
    extra("Share fulfilling Proposition 1, " + variant, scores.proposition1);
    chart.table = std::move(table);

    chart.caption =
        "Class probabilities from Gaussians over the logits, by sampling and by the Laplace Bridge: mean confidence "
        "(MMC), and AUROC of confidence against "
        + scores.sets.front() + ". Times were measured on this machine, without computing the Gaussians";
    if (!scores.gaussian.empty())
        chart.caption += ", which were obtained " + scores.gaussian + " in " + number_text(scores.gaussian_seconds, 3)
                         + " s for 10,000 inputs";
    chart.caption += ".";
    if (const auto ratio = speed_ratio(scores))
        chart.caption += " The fastest variant of the bridge is " + number_text(*ratio, 3) + " times as fast as "
                         + std::to_string(scores.n_draws) + " samples.";
    if (const auto draws = draws_for_one_bridge(scores))
        chart.caption += " One plain bridge took as long as " + number_text(*draws, 2)
                         + " samples of the same Gaussian (less than one in Hobbhahn 2020, section 3).";
    if (!chart.panels.empty())
        chart.caption += " Bars: mean variance of the predicted class's probability under the Dirichlet of the "
                         + variant + ".";
    return chart;
}

}   // namespace credence
