// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include "foundation/number_text.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace credence {
namespace {

struct MethodResult {
    std::string method;
    std::optional<MeanAndError> printed, ours;
};

std::vector<MethodResult> results_of_methods(const GalleryEntry& entry, const std::string& score)
{
    std::vector<MethodResult> results;
    for (const auto& value : entry.values)
        if (value.name.starts_with(score + ", "))
            results.push_back({value.name.substr(score.size() + 2), mean_and_error_from(value.printed),
                               mean_and_error_from(value.ours)});
    return results;
}

/// Means with errors at positions of one axis, drawn as points and lines.
struct Dots {
    std::string name;
    Tone tone;
    Marker marker                 = Marker::circle;
    bool filled                   = true;
    std::vector<double> x         = {};
    std::vector<MeanAndError> y   = {};
    std::vector<std::string> what = {};   ///< for the note about means outside the axis
};

/// The range of the means, without outliers that would make all others indistinguishable.
Range range_of_most(const std::vector<Dots>& all)
{
    std::vector<double> means, distances;
    for (const auto& dots : all)
        for (const auto& y : dots.y)
            means.push_back(y.mean);
    const double middle = quantile(means, 0.5);
    for (const double mean : means)
        distances.push_back(std::abs(mean - middle));
    const double usual    = quantile(distances, 0.5);
    constexpr double most = 25;   // times the median distance; an overfitted NLL is a hundred times as far
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const auto& dots : all)
        for (const auto& y : dots.y)
            if (usual == 0 || std::abs(y.mean - middle) <= most * usual)
                range = {std::min(range.first, y.mean - y.error.value_or(0)),
                         std::max(range.second, y.mean + y.error.value_or(0))};
    const double margin = range.second > range.first ? 0.06 * (range.second - range.first) : 1;
    return {range.first - margin, range.second + margin};
}

/// Draws the dots; those outside the axis are named in the note.
void add_dots(Panel& panel, const std::vector<Dots>& all)
{
    const Range range = range_of_most(all);
    panel.y.range     = range;
    std::string outside;
    for (const auto& dots : all) {
        Points points{.name = dots.name, .tone = dots.tone, .marker = dots.marker, .size = 6, .filled = dots.filled};
        IntervalBars errors{.thin = true};
        for (std::size_t i = 0; i < dots.x.size(); ++i) {
            const auto& [mean, error] = dots.y[i];
            if (mean < range.first || mean > range.second) {
                outside += (outside.empty() ? "Outside the axis: " : ", ") + dots.what[i] + (mean < 0 ? " −" : " ")
                           + number_text(std::abs(mean), 3);
                continue;
            }
            points.x.push_back(dots.x[i]);
            points.y.push_back(mean);
            if (error)
                errors.bars.push_back({dots.x[i], mean - *error, mean, mean + *error, dots.tone});
        }
        panel.series.emplace_back(std::move(errors));
        panel.series.emplace_back(std::move(points));
    }
    panel.note = outside;
}

bool has_errors(const std::vector<MethodResult>& results)
{
    return std::ranges::any_of(results, [](const MethodResult& one) { return one.printed && one.printed->error; });
}

Panel panel_of_score(const std::vector<MethodResult>& results, const std::string& score)
{
    Panel panel{.title = score, .x = {}, .y = {.label = score}};
    Dots printed{.name = "printed", .tone = {Tone::Kind::muted}, .marker = Marker::diamond, .filled = false};
    Dots ours{.name = "ours", .tone = {Tone::Kind::posterior}};
    constexpr double apart = 0.12;
    for (const auto& result : results) {
        const double at = static_cast<double>(panel.x.categories.size());
        panel.x.categories.push_back(result.method);
        for (const auto& [value, dots, x] :
             {std::tuple{&result.printed, &printed, at - apart}, std::tuple{&result.ours, &ours, at + apart}})
            if (*value) {
                dots->x.push_back(x);
                dots->y.push_back(**value);
                dots->what.push_back(result.method);
            }
    }
    panel.x.range = Range{-0.5, static_cast<double>(panel.x.categories.size()) - 0.5};
    add_dots(panel, {printed, ours});
    return panel;
}

/// NLL of every table minus the printed NLL of its first method.
std::optional<Chart> chart_of_all_tables(const Gallery& gallery, const GalleryEntry& figure)
{
    const std::string score = "NLL";
    Panel panel{.title = score, .x = {}, .y = {.label = score + " relative to ", .unit = "nats per example"}};
    std::vector<std::vector<MethodResult>> tables;
    std::vector<Dots> all;   // one series per method and origin
    std::string reference;
    int methods = 0;   // each has a colour
    for (const auto* entry : gallery.of_paper(figure.paper)) {
        auto results = results_of_methods(*entry, score);
        if (results.empty() || !results.front().printed)
            continue;
        reference = results.front().method;
        panel.x.categories.push_back(entry->number);
        tables.push_back(std::move(results));
    }
    if (tables.empty())
        return {};
    const auto series_of = [&](const std::string& method, bool printed) -> Dots& {
        const std::string name = method + (printed ? ", printed" : "");
        if (const auto found = std::ranges::find(all, name, &Dots::name); found != all.end())
            return *found;
        const auto other = std::ranges::find(all, method + ", printed", &Dots::name);
        const Tone tone  = !printed && other != all.end() ? other->tone : category(methods++);
        return all.emplace_back(
            Dots{.name = name, .tone = tone, .marker = printed ? Marker::diamond : Marker::circle, .filled = !printed});
    };
    for (std::size_t t = 0; t < tables.size(); ++t)
        for (const auto& result : tables[t])
            for (const bool printed : {true, false})
                if (const auto& value = printed ? result.printed : result.ours; value && result.method != reference) {
                    auto& dots = series_of(result.method, printed);
                    dots.x.push_back(static_cast<double>(t));
                    dots.y.push_back({value->mean - tables[t].front().printed->mean, value->error});
                    dots.what.push_back(panel.x.categories[t] + ", " + dots.name);
                }
    constexpr double width = 0.8;   // of the positions of one table
    for (std::size_t i = 0; i < all.size(); ++i)
        for (double& x : all[i].x)
            x += width * ((static_cast<double>(i) + 0.5) / static_cast<double>(all.size()) - 0.5);
    panel.y.label += reference + ", printed";
    panel.x.range = Range{-0.5, static_cast<double>(tables.size()) - 0.5};
    panel.series.emplace_back(Rule{.label = reference});
    if (all.empty())
        return {};
    add_dots(panel, all);
    return Chart{.id      = "benchmark",
                 .title   = figure.shows,
                 .caption = "Difference from the printed NLL of " + reference
                            + ", mean ± standard error over the splits; below 0 is better. Hollow: printed.",
                 .panels = {std::move(panel)}};
}

}   // namespace

std::optional<MeanAndError> mean_and_error_from(const std::string& text)
{
    std::string plain = text.substr(0, text.find(" ("));
    for (const std::string minus = "−"; plain.find(minus) != std::string::npos;)
        plain.replace(plain.find(minus), minus.size(), "-");
    const std::string sign = " ± ";
    const auto at          = plain.find(sign);
    const auto mean        = number_from(plain.substr(0, at));
    if (!mean || at == std::string::npos)
        return mean ? std::optional(MeanAndError{*mean, {}}) : std::nullopt;
    const auto error = number_from(plain.substr(at + sign.size()));
    return error ? std::optional(MeanAndError{*mean, error}) : std::nullopt;
}

std::optional<Chart> benchmark_chart(const Gallery& gallery, const GalleryEntry& entry)
{
    if (entry.kind == EntryKind::figure && entry.values.empty() && entry.picture.empty())
        return chart_of_all_tables(gallery, entry);
    Chart chart{.id      = "benchmark",
                .title   = gallery.paper_of(entry).short_title + ", " + entry.number,
                .caption = "Mean ± standard error over the splits; lower is better. Hollow: printed.",
                .columns = 2};
    for (const std::string score : {"RMSE", "NLL"})
        if (const auto results = results_of_methods(entry, score); has_errors(results))
            chart.panels.push_back(panel_of_score(results, score));
    return chart.panels.empty() ? std::nullopt : std::optional(std::move(chart));
}

}   // namespace credence
