// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/score_against_axis.h"

#include "foundation/error.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace credence {
namespace {

constexpr std::size_t swept_colours    = 8;     // afterwards the colours repeat with other line styles
constexpr std::size_t most_swept_names = 24;    // series in a legend
constexpr double room_of_a_category    = 0.7;   // share of the spacing used by all series side by side
constexpr double numbers_that_spread   = 100;   // an axis is logarithmic if largest/smallest exceeds this

/// Counts for the sentence about the runs in the caption.
struct SeedCounts {
    std::set<std::size_t> runs{};   // at one value, with a finite score
    std::size_t not_finite = 0;
};

LineStyle style_of_series(std::size_t number)
{
    constexpr std::array styles{LineStyle::solid, LineStyle::dashed, LineStyle::dotted};
    return styles[number / swept_colours % styles.size()];
}

/// Position of value `v` in series `s` of `n_series`.
double place_of_value(const SweptAxis& axis, std::size_t v, std::size_t s, std::size_t n_series)
{
    if (!axis.numbers.empty())
        return axis.numbers[v];
    const double step = room_of_a_category / static_cast<double>(n_series);
    return static_cast<double>(v) + step * (static_cast<double>(s) - static_cast<double>(n_series - 1) / 2);
}

/// The axis values from left to right.
std::vector<std::size_t> from_left_to_right(const SweptAxis& axis)
{
    std::vector<std::size_t> order(axis.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!axis.numbers.empty())
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return axis.numbers[a] < axis.numbers[b]; });
    return order;
}

/// The parts of one drawn series.
struct DrawnSeries {
    Band band{};           // numbers
    IntervalBars bars{};   // categories
    Points runs{}, means{};
    Line line{};
};

DrawnSeries drawn_series(const SweptAxis& axis, const SweptSeries& series, std::size_t s, std::size_t n_series,
                         SeedCounts& counts)
{
    const Tone tone = category(static_cast<int>(s));
    DrawnSeries out{.band  = {.tone = tone, .opacity = 0.18},
                    .bars  = {},
                    .runs  = {.tone = tone, .marker = Marker::circle, .size = 3, .filled = false},
                    .means = {.name = series.name, .tone = tone, .size = 6},
                    .line  = {.name = series.name, .tone = tone, .style = style_of_series(s), .width = 2}};
    for (const std::size_t v : from_left_to_right(axis)) {
        const auto& values = series.of_seeds[v];
        counts.not_finite += static_cast<std::size_t>(
            std::count_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); }));
        const auto over = mean_and_sd(values);
        if (!over)
            continue;
        counts.runs.insert(over->n);
        const double x = place_of_value(axis, v, s, n_series), sd = over->sd.value_or(0);
        out.means.x.push_back(x);
        out.means.y.push_back(over->mean);
        out.band.lower.push_back(over->mean - sd);
        out.band.upper.push_back(over->mean + sd);
        if (over->n > 1) {
            out.bars.bars.push_back({.position = x,
                                     .lower    = over->mean - sd,
                                     .centre   = over->mean,
                                     .upper    = over->mean + sd,
                                     .tone     = tone});
            for (const double value : values)
                if (std::isfinite(value)) {
                    out.runs.x.push_back(x);
                    out.runs.y.push_back(value);
                }
        }
    }
    out.band.x = out.line.x = out.means.x;
    out.line.y              = out.means.y;
    return out;
}

void check_series(const SweptAxis& axis, const SweptPanel& panel)
{
    if (!axis.numbers.empty() && axis.numbers.size() != axis.values.size())
        throw Error("The axis \"" + axis.label + "\" has " + std::to_string(axis.numbers.size()) + " numbers, expected "
                    + std::to_string(axis.values.size()) + ", one for each value.");
    for (const auto& series : panel.series)
        if (series.of_seeds.size() != axis.values.size())
            throw Error(panel.title + " of \"" + series.name + "\" has " + std::to_string(series.of_seeds.size())
                        + " entries, expected one for each of the " + std::to_string(axis.values.size())
                        + " values of \"" + axis.label + "\".");
}

/// Empty: none of its runs has finished.
std::optional<Panel> swept_panel(const SweptAxis& axis, const SweptPanel& value, SeedCounts& counts)
{
    check_series(axis, value);
    Panel panel{.title  = value.title,
                .x      = axis_of(axis),
                .y      = {.label = value.label, .unit = value.unit},
                .legend = value.series.size() <= most_swept_names};
    const bool numbers = !axis.numbers.empty();
    std::vector<DrawnSeries> all;
    for (std::size_t s = 0; s < value.series.size(); ++s)
        all.push_back(drawn_series(axis, value.series[s], s, value.series.size(), counts));
    for (auto& series : all)
        if (numbers && !series.bars.bars.empty())
            panel.series.push_back(std::move(series.band));
    for (auto& series : all)   // above all bands
        if (!numbers && !series.bars.bars.empty())
            panel.series.push_back(std::move(series.bars));
    for (auto& series : all)
        if (!series.runs.x.empty())
            panel.series.push_back(std::move(series.runs));
    for (auto& series : all)
        if (!series.means.x.empty()) {
            panel.series.push_back(std::move(series.means));   // first: the legend shows the marker
            if (numbers)
                panel.series.push_back(std::move(series.line));
        }
    return panel.series.empty() ? std::nullopt : std::optional(std::move(panel));
}

std::string counts_in_words(const SeedCounts& counts, bool numbers)
{
    const std::size_t least = *counts.runs.begin(), most = *counts.runs.rbegin();
    std::string words = most == 1 ? "one run per setting"
                        : least == most
                            ? "mean over " + std::to_string(most) + " seeds"
                            : "mean over " + std::to_string(least) + " to " + std::to_string(most) + " seeds";
    if (most > 1)
        words += std::string("; ") + (numbers ? "band" : "bars") + ": mean ± standard deviation; small marks: each run";
    words += ".";
    if (counts.not_finite > 0)
        words += " " + std::to_string(counts.not_finite)
                 + (counts.not_finite == 1 ? " number is not finite and is" : " numbers are not finite and are")
                 + " left out.";
    return words;
}

/// The spread of a block's weights relative to their means.
std::optional<double> relative_spread(const BlockUncertainty& block)
{
    if (block.tau)
        return block.tau;
    return block.median_relative_sd > 0 ? std::optional(block.median_relative_sd) : std::nullopt;
}

template <class Visit>
void for_each_block(const TauAgainstAxis& value, Visit visit)
{
    for (const auto& series : value.series)
        for (const auto& runs : series.of_seeds)
            for (const auto& layers : runs)
                for (const auto& block : layers)
                    visit(block);
}

std::vector<std::string> blocks_with_spread(const TauAgainstAxis& value)
{
    std::vector<std::string> names;
    for_each_block(value, [&](const BlockUncertainty& block) {
        if (relative_spread(block) && std::find(names.begin(), names.end(), block.block) == names.end())
            names.push_back(block.block);
    });
    return names;
}

std::vector<double> spreads_of(const std::vector<LayerUncertainty>& runs, const std::string& name)
{
    std::vector<double> out;
    for (const auto& layers : runs)
        for (const auto& block : layers)
            if (const auto spread = relative_spread(block); spread && block.block == name)
                out.push_back(*spread);
    return out;
}

}   // namespace

Axis axis_of(const SweptAxis& axis)
{
    Axis out{.label = axis.label, .unit = axis.unit};
    if (axis.numbers.empty()) {
        out.categories = axis.values;
        out.range      = Range{-0.5, static_cast<double>(axis.values.size()) - 0.5};
        return out;
    }
    const auto [least, most] = std::minmax_element(axis.numbers.begin(), axis.numbers.end());
    out.logarithmic          = *least > 0 && *most > numbers_that_spread * *least;
    return out;
}

Chart to_chart(const ScoresAgainstAxis& value)
{
    Chart chart{.id = "sweep_scores", .title = "Scores against an axis"};
    SeedCounts counts;
    std::size_t n_series = 0;
    for (const auto& panel : value.panels)
        if (auto drawn = swept_panel(value.axis, panel, counts)) {
            n_series = std::max(n_series, panel.series.size());
            chart.panels.push_back(std::move(*drawn));
        }
    if (chart.panels.empty()) {
        chart.message = "No run of this sweep has a score yet.";
        return chart;
    }
    chart.columns = static_cast<int>(std::min<std::size_t>(3, chart.panels.size()));
    if (chart.panels.size() == 4)
        chart.columns = 2;
    chart.caption = "Against " + value.axis.label + ": " + counts_in_words(counts, !value.axis.numbers.empty());
    if (n_series > most_swept_names)
        chart.caption += " " + std::to_string(n_series)
                         + " settings of the other axes are too many for a legend; the table has their names.";
    return chart;
}

Chart to_chart(const TauAgainstAxis& value)
{
    bool some_tau = false, some_without = false;
    for_each_block(value, [&](const BlockUncertainty& block) {
        some_tau     = some_tau || block.tau;
        some_without = some_without || (!block.tau && relative_spread(block));
    });
    const std::string label = !some_without ? "τ" : some_tau ? "τ, or median of σ/|μ|" : "Median of σ/|μ|";
    ScoresAgainstAxis panels{.axis = value.axis, .panels = {}};
    for (const auto& name : blocks_with_spread(value)) {
        SweptPanel panel{.title = name, .label = label, .unit = {}, .series = {}};
        for (const auto& series : value.series) {
            SweptSeries drawn{.name = series.name, .of_seeds = {}};
            for (const auto& runs : series.of_seeds)
                drawn.of_seeds.push_back(spreads_of(runs, name));
            panel.series.push_back(std::move(drawn));
        }
        panels.panels.push_back(std::move(panel));
    }
    Chart chart = to_chart(panels);
    chart.id    = "sweep_tau";
    chart.title = "τ against an axis";
    if (!chart.message.empty())
        chart.message = "No run of this sweep has a relative weight spread.";
    else
        chart.caption = "Relative standard deviation of each block of weights after training"
                        + std::string(some_without && some_tau
                                          ? ": τ of methods that have one, the median of σ/|μ| of the others. "
                                          : ". ")
                        + chart.caption;
    return chart;
}

}   // namespace credence
