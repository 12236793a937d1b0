// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_against_sampling.h"

#include "charts/chart.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

using Figure = BridgeAgainstSampling;

std::vector<double> as_numbers(const std::vector<long>& values) { return {values.begin(), values.end()}; }

Line level(const std::string& name, const std::vector<long>& draws, double at, Tone tone, LineStyle style)
{
    return {.name  = name,
            .x     = {static_cast<double>(draws.front()), static_cast<double>(draws.back())},
            .y     = {at, at},
            .tone  = tone,
            .style = style,
            .width = 1.5};
}

std::string matching_draws(const Figure& figure, const Figure::Bridge& bridge)
{
    if (bridge.fewer_than_fewest)
        return "fewer than " + std::to_string(figure.draws.front());
    if (!bridge.draws_to_match)
        return "more than " + std::to_string(figure.draws.back());
    const double power = std::pow(10, std::floor(std::log10(*bridge.draws_to_match)) - 1);
    return "about "
           + std::to_string(
               std::lround(std::round(*bridge.draws_to_match / std::max(1.0, power)) * std::max(1.0, power)));
}

std::string words(BridgeVariant variant)
{
    std::string text = name(variant);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

bool has_published(const Figure& figure)
{
    return std::any_of(figure.distributions.begin(), figure.distributions.end(),
                       [](const auto& distribution) { return distribution.what.published.has_value(); });
}

/// The times of one distribution represent all: sampling time does not depend on the values.
Panel panel_of_times(const Figure& figure)
{
    Panel panel{.title = "Wall time on this machine",
                .x     = {.label = "Draws", .logarithmic = true},
                .y     = {.label = "Time", .unit = "ms", .logarithmic = true}};
    const auto milliseconds = [](std::vector<double> seconds) {
        for (double& s : seconds)
            s *= 1e3;
        return seconds;
    };
    for (std::size_t i = 0; i < figure.distributions.size(); ++i)
        panel.series.push_back(Line{.name    = i ? "" : "sampling",
                                    .x       = as_numbers(figure.draws),
                                    .y       = milliseconds(figure.distributions[i].seconds),
                                    .tone    = {Tone::Kind::neutral},
                                    .width   = 2,
                                    .opacity = 0.7});
    std::vector<double> bridge_seconds;
    for (const auto& distribution : figure.distributions)
        for (const auto& bridge : distribution.bridges)
            if (bridge.variant == BridgeVariant::plain)
                bridge_seconds.push_back(bridge.seconds);
    if (!bridge_seconds.empty())
        panel.series.push_back(
            level("one bridge", figure.draws, 1e3 * median(bridge_seconds), category(0), LineStyle::dashed));
    return panel;
}

}   // namespace

std::string bridge_and_draw_times(const BridgeAgainstSampling& figure)
{
    std::vector<double> bridge, draw;
    for (const auto& distribution : figure.distributions)
        if (distribution.seconds_of_bridge > 0 && distribution.seconds_of_draw > 0) {
            bridge.push_back(distribution.seconds_of_bridge);
            draw.push_back(distribution.seconds_of_draw);
        }
    if (bridge.empty())
        return {};
    const double of_bridge = median(bridge), of_draw = median(draw);
    return " One thread, " + std::to_string(figure.at_once) + " at once: one plain bridge "
           + number_text(1e6 * of_bridge, 2) + " µs, one sample of the Gaussian over the logits "
           + number_text(1e6 * of_draw, 2) + " µs, so a bridge costs " + number_text(of_bridge / of_draw, 2)
           + " samples (less than one in Hobbhahn 2020, section 3).";
}

Chart to_chart(const BridgeAgainstSampling& figure)
{
    Chart chart{.id = "bridge_against_sampling", .title = "Laplace Bridge against sampling", .columns = 2};
    constexpr LineStyle styles[] = {LineStyle::dashed, LineStyle::solid, LineStyle::dotted, LineStyle::dashed,
                                    LineStyle::dotted};
    for (const auto& distribution : figure.distributions) {
        Panel panel{.title = distribution.what.name,
                    .x     = {.label = "Draws", .logarithmic = true},
                    .y     = {.label = "KL(p‖q)", .unit = "nats", .logarithmic = true}};
        panel.legend = &distribution == &figure.distributions.front();
        panel.series.push_back(Band{.name  = "",
                                    .x     = as_numbers(figure.draws),
                                    .lower = distribution.kl_lower,
                                    .upper = distribution.kl_upper,
                                    .tone  = {Tone::Kind::neutral}});
        panel.series.push_back(Line{.name  = "histogram",
                                    .x     = as_numbers(figure.draws),
                                    .y     = distribution.kl_median,
                                    .tone  = {Tone::Kind::neutral},
                                    .width = 2});
        for (const auto& bridge : distribution.bridges)
            panel.series.push_back(level(words(bridge.variant), figure.draws, bridge.kl,
                                         category(static_cast<int>(bridge.variant)),
                                         styles[static_cast<int>(bridge.variant)]));
        panel.series.push_back(
            level("best Dirichlet", figure.draws, distribution.best_kl, {Tone::Kind::muted}, LineStyle::solid));
        if (distribution.what.published)
            panel.series.push_back(level("plain, published", figure.draws, *distribution.what.published,
                                         {Tone::Kind::wrong}, LineStyle::dotted));
        chart.panels.push_back(std::move(panel));
    }
    if (!figure.distributions.empty())
        chart.panels.push_back(panel_of_times(figure));
    chart.caption =
        "KL from the distribution p of softmax(z), z Gaussian, to a histogram of samples ("
        + std::to_string(figure.n_cells) + " cells of the triangle, n_b + ½ counts per cell; median and quartiles of "
        + std::to_string(figure.repeats)
        + " histograms), compared with the Dirichlet of each variant of the Laplace Bridge (exact KL). Times: one "
          "thread, median, measured on this machine.";
    if (has_published(figure))
        chart.caption += std::string(
                             " The values of the notebooks released with Hobbhahn 2020 differ from the exact ones: ")
                         + why_published_values_differ;
    return chart;
}

Chart numbers_chart(const BridgeAgainstSampling& figure)
{
    Chart chart{.id = "bridge_against_sampling_numbers", .title = "Laplace Bridge against sampling: numbers"};
    Table table{.columns = {{"Gaussian"},
                            {"Dirichlet by"},
                            {"Exact KL", "nats", 6},
                            {"KL in the notebooks", "nats"},
                            {"Samples to match"},
                            {"Time", "µs", 3}},
                .rows    = {}};
    for (const auto& distribution : figure.distributions) {
        for (const auto& bridge : distribution.bridges) {
            const bool published = bridge.variant == BridgeVariant::plain && distribution.what.published;
            table.rows.push_back({distribution.what.name, words(bridge.variant), bridge.kl,
                                  published ? fixed_text(*distribution.what.published, 4) : "",
                                  matching_draws(figure, bridge), 1e6 * bridge.seconds});
        }
        table.rows.push_back({distribution.what.name, std::string("best possible"), distribution.best_kl, std::string(),
                              std::string(), std::string()});
    }
    chart.table = std::move(table);
    chart.caption =
        "KL from the distribution p of softmax(z) to the Dirichlet of each variant of the Laplace Bridge: exact; "
        "number of samples that a histogram of "
        + std::to_string(figure.n_cells)
        + " cells needs to be as close; and time per bridge, one thread, measured on this machine.";
    chart.caption += bridge_and_draw_times(figure);
    if (has_published(figure))
        chart.caption += std::string(" Why the values of the released notebooks differ: ")
                         + why_published_values_differ;
    return chart;
}

}   // namespace credence
