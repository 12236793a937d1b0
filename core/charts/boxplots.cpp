// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/boxplots.h"

#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/class_predictions.h"

#include <algorithm>
#include <numeric>

namespace credence {
namespace {

constexpr std::size_t most_side_by_side = 60, shown_of_more = 30;

void add_box(Boxplots& out, const std::string& name, std::span<const double> draws)
{
    Box box      = box_of(draws);
    box.position = static_cast<double>(out.boxes.size());
    out.boxes.push_back(std::move(box));
    out.names.push_back(name);
    out.means.push_back(mean_of(draws));
}

constexpr std::size_t few = 5;   // classes whose marks fit at the axis

/// The drawn classes, renumbered from 0, if there are too many to draw all.
Boxplots of_classes_drawn(const Boxplots& all)
{
    if (!all.predicted)
        return all;
    const auto shown = classes_side_by_side(all.means, all.true_class);
    Boxplots out     = all;
    out.names.clear();
    out.boxes.clear();
    out.means.clear();
    for (const auto k : shown) {
        out.boxes.push_back(all.boxes[k]);
        out.boxes.back().position = static_cast<double>(out.names.size());
        out.names.push_back(all.names[k]);
        out.means.push_back(all.means[k]);
    }
    out.predicted  = place_among(shown, all.predicted);
    out.true_class = place_among(shown, all.true_class);
    return out;
}

}   // namespace

std::vector<std::size_t> classes_side_by_side(std::span<const double> means, std::optional<int> true_class)
{
    std::vector<std::size_t> classes(means.size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    if (means.size() <= most_side_by_side)
        return classes;
    std::partial_sort(classes.begin(), classes.begin() + shown_of_more, classes.end(),
                      [&](std::size_t a, std::size_t b) { return means[a] != means[b] ? means[a] > means[b] : a < b; });
    classes.resize(shown_of_more);
    if (true_class && !place_among(classes, true_class))
        classes.push_back(static_cast<std::size_t>(*true_class));
    return classes;
}

std::optional<int> place_among(std::span<const std::size_t> shown, std::optional<int> k)
{
    if (!k)
        return {};
    const auto found = std::find(shown.begin(), shown.end(), static_cast<std::size_t>(*k));
    return found == shown.end() ? std::optional<int>() : static_cast<int>(found - shown.begin());
}

std::string text_of_classes_side_by_side(std::size_t n_classes)
{
    return n_classes <= most_side_by_side ? std::string()
                                          : " Of " + std::to_string(n_classes) + " classes the "
                                                + std::to_string(shown_of_more) + " most probable are drawn.";
}

Box box_of(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    Box box;
    box.lower_quartile = quantile_of_sorted(sorted, 0.25);
    box.median         = quantile_of_sorted(sorted, 0.5);
    box.upper_quartile = quantile_of_sorted(sorted, 0.75);
    const double reach = 1.5 * (box.upper_quartile - box.lower_quartile);
    box.lower_whisker  = box.lower_quartile;
    box.upper_whisker  = box.upper_quartile;
    for (const double v : sorted) {
        if (v < box.lower_quartile - reach || v > box.upper_quartile + reach)
            box.outliers.push_back(v);
        else {
            box.lower_whisker = std::min(box.lower_whisker, v);
            box.upper_whisker = std::max(box.upper_whisker, v);
        }
    }
    return box;
}

Boxplots boxplots(const SampleView<float>& probabilities, int input, const std::vector<std::string>& class_names,
                  std::optional<int> true_class)
{
    probabilities.check();
    Boxplots out;
    out.n_samples  = probabilities.n_samples;
    out.true_class = true_class;
    std::vector<double> draws(probabilities.n_samples);
    for (int k = 0; k < probabilities.n_outputs; ++k) {
        for (int s = 0; s < probabilities.n_samples; ++s)
            draws[s] = probabilities.at(s, input, k);
        add_box(out, class_name(class_names, k), draws);
        out.boxes.back().tone = category(k);
    }
    out.predicted = argmax(out.means);
    return out;
}

Boxplots boxplots(std::span<const double> f, const std::string& target_name, std::optional<double> true_value)
{
    Boxplots out;
    out.n_samples  = static_cast<int>(f.size());
    out.true_value = true_value;
    out.quantity   = target_name;
    add_box(out, "f(x)", f);
    out.boxes.back().tone = {Tone::Kind::posterior};
    return out;
}

std::vector<std::string> marked_names(const std::vector<std::string>& names, std::optional<int> predicted,
                                      std::optional<int> true_class)
{
    std::vector<std::string> out = names;
    const auto mark              = [&](int k, const char* sign, const char* word) {
        out[static_cast<std::size_t>(k)] += std::string(sign) + (names.size() > few ? "" : word);
    };
    if (true_class)
        mark(*true_class, " ✓", predicted == true_class ? " predicted" : " true");
    if (predicted && predicted != true_class)
        mark(*predicted, true_class ? " ✗" : "", " predicted");
    return out;
}

std::string marks_in_words(const std::vector<std::string>& names, std::optional<int> predicted,
                           std::optional<int> true_class)
{
    if (names.size() <= few || !predicted)
        return {};
    const std::string text = "predicted " + names[static_cast<std::size_t>(*predicted)];
    return true_class ? "true " + names[static_cast<std::size_t>(*true_class)] + ", " + text : text;
}

Chart to_chart(const Boxplots& all)
{
    const Boxplots value = of_classes_drawn(all);
    Chart chart{.id = "boxplots", .title = "Boxplots"};
    Boxes boxes;
    const auto labels = marked_names(value.names, value.predicted, value.true_class);
    for (std::size_t k = 0; k < value.boxes.size(); ++k) {
        boxes.boxes.push_back(value.boxes[k]);
        boxes.boxes.back().wrong = value.true_class && value.predicted == static_cast<int>(k)
                                   && value.predicted != value.true_class;
    }
    Panel panel{.title = marks_in_words(value.names, value.predicted, value.true_class),
                .x     = {.label = value.true_value || !value.predicted ? "" : "Class"},
                .y     = {.label = value.quantity}};
    panel.x.categories = labels;
    panel.x.range      = Range{-0.5, static_cast<double>(labels.size()) - 0.5};
    if (value.predicted)
        panel.y.range = probability_range;
    panel.series.push_back(std::move(boxes));
    Points means{.name = "Mean", .tone = {Tone::Kind::neutral}, .marker = Marker::diamond, .size = 4};
    for (std::size_t k = 0; k < value.means.size(); ++k) {
        means.x.push_back(static_cast<double>(k));
        means.y.push_back(value.means[k]);
    }
    panel.series.push_back(std::move(means));
    if (value.true_value)
        panel.series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                    .at        = *value.true_value,
                                    .label     = "observed",
                                    .tone      = {Tone::Kind::data}});
    chart.panels.push_back(std::move(panel));
    chart.caption =
        value.n_samples == 1
            ? "One sample of the outputs at the selected input: this posterior has no spread, so each box is a line."
            : std::to_string(value.n_samples)
                  + " samples of the outputs at the selected input: median, quartiles (type 7), whiskers at 1.5 "
                    "interquartile ranges, outliers.";
    if (all.predicted)
        chart.caption += text_of_classes_side_by_side(all.names.size());
    return chart;
}

}   // namespace credence
