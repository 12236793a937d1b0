// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "views/attacker.h"
#include "views/decision_map.h"
#include "views/views.h"

#include "charts/chart.h"

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_arrows = 80;

/// Returns the two inputs of row i in the data's units.
std::pair<double, double> place_of_row(const Experiment& experiment, std::span<const float> inputs, std::size_t i)
{
    const auto row = experiment.data->inputs.undone(inputs.subspan(2 * i, 2));
    return {row[0], row[1]};
}

/// Inputs before and after an attack, standardised [n × 2], with their classes and decisions [n].
struct MovedInputs {
    const std::vector<float>&from, &to;
    const std::vector<int>&labels, &was, &is;
};

/// Adds points and arrows to the map. @return  number of changed decisions
long add_arrows(Panel& panel, const Experiment& experiment, const MovedInputs& moved)
{
    Line kept{.name = "decision stays", .tone = {Tone::Kind::neutral}, .width = 1.2, .halo = true};
    Line changed{.name = "decision changes", .tone = {Tone::Kind::wrong}, .width = 1.8, .halo = true};
    Points unmoved{.name = "no gradient", .tone = {Tone::Kind::muted}, .marker = Marker::cross, .size = 6};
    std::vector<Points> classes;
    for (std::size_t k = 0; k < experiment.data->training.n_classes(); ++k)
        classes.push_back(
            {.name = experiment.data->training.class_names[k], .tone = category(static_cast<int>(k)), .size = 4});
    long changes = 0;
    for (std::size_t i = 0; i < moved.labels.size(); ++i) {
        const auto from = place_of_row(experiment, moved.from, i), to = place_of_row(experiment, moved.to, i);
        auto& own = classes[static_cast<std::size_t>(moved.labels[i])];
        own.x.push_back(from.first);
        own.y.push_back(from.second);
        changes += moved.was[i] != moved.is[i];
        if (moved.from[2 * i] == moved.to[2 * i] && moved.from[2 * i + 1] == moved.to[2 * i + 1]) {
            unmoved.x.push_back(from.first);
            unmoved.y.push_back(from.second);
            continue;
        }
        add_arrow(moved.was[i] == moved.is[i] ? kept : changed, from, to, *panel.x.range, *panel.y.range);
    }
    for (auto& own : classes)
        if (!own.x.empty())
            panel.series.push_back(std::move(own));
    for (auto* arrows : {&kept, &changed})
        if (!arrows->x.empty())
            panel.series.push_back(std::move(*arrows));
    if (!unmoved.x.empty())
        panel.series.push_back(std::move(unmoved));
    return changes;
}

std::optional<Chart> make_attack_arrows(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto map         = map_over(run, options, options.map.region.value_or(region_of(experiment)), stop);
    if (!map)
        return {};
    const auto set      = scored_set(experiment);
    const auto attacker = attacker_of(run, options);
    std::vector<float> inputs;
    std::vector<int> labels;
    for (const std::size_t row : evenly_spaced(set.data->n_rows, most_arrows)) {
        inputs.insert(inputs.end(), {set.inputs[2 * row], set.inputs[2 * row + 1]});
        labels.push_back(set.data->labels[row]);
    }
    const int n = static_cast<int>(labels.size());
    std::vector<float> attacked;
    const auto gradients = attacker.attack.run(
        inputs, labels, std::span(&options.attack.epsilon, 1),
        [&](std::size_t, std::span<const float> x) { attacked.assign(x.begin(), x.end()); }, stop);
    if (!gradients)
        return {};
    const auto before = attacker.fresh.summarise(inputs, n, stop), after = attacker.fresh.summarise(attacked, n, stop);
    if (stop.stop_requested())
        return {};
    const auto was = class_predictions(before).predicted, is = class_predictions(after).predicted;

    Chart chart{.id = "attack_arrows", .title = "Attack on the map"};
    chart.panels.push_back(decision_panel(*map, options.map.quantity, options.map.class_index));
    auto& panel = chart.panels.front();
    std::erase_if(panel.series, [](const Series& series) {
        return std::holds_alternative<Points>(series);
    });   // the arrows are drawn separately
    const long changes = add_arrows(panel, experiment, {inputs, attacked, labels, was, is});
    chart.caption      = "Effect of an attack of strength ε = " + number_text(options.attack.epsilon, 3) + " on "
                    + std::to_string(n) + " points of the " + set.name + ", over the map of "
                    + title_of(options.map.quantity) + ". The attack changes " + std::to_string(changes)
                    + " decisions. " + attack_text(run, attacker)
                    + zeros_text(attacker, gradients->zero_share, gradients->zero_rows);
    return with_setting(std::move(chart), run, attacker.fresh.n_samples());
}

}   // namespace

View attack_arrows_view()
{
    return {
        .id    = "attack_arrows",
        .title = "Attack on the map",
        .group = ViewGroup::attacks,
        .help =
            "Each arrow leads from a test point to the same point after an attack, drawn over the decision map. Both "
            "inputs move by at most ε, in the units of the data. Fast gradient sign uses only the signs of the "
            "gradient, so its arrows are diagonal; projected gradient can change direction on its way. Red arrows "
            "change the decision, the others do not. A cross marks a point whose gradient is exactly zero, so it does "
            "not move. The map is computed from all samples. Check whether the arrows lead to regions of high "
            "uncertainty, or to regions where the network is confident and wrong. Set ε, the kind of attack and the "
            "gradient next to the view Attack, and quantity and class above the decision map. Source: Goodfellow, "
            "Shlens and Szegedy 2015.",
        .coarse_while_live = true,
        .why_not           = why_no_plane,
        .make              = make_attack_arrows};
}

}   // namespace credence
