// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/intervals.h"

#include "charts/boxplots.h"
#include "charts/chart.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "prediction/credible.h"
#include "views/view_support.h"

namespace credence {

Intervals intervals(const SampleView<float>& probabilities, int input, double level,
                    const std::vector<std::string>& class_names, std::optional<int> true_class)
{
    probabilities.check();
    if (input < 0 || input >= probabilities.n_inputs)
        throw Error("Intervals: input " + std::to_string(input) + " was requested, expected 0 to "
                    + std::to_string(probabilities.n_inputs - 1) + ".");
    const auto predictions = class_predictions(probabilities);
    const auto credible    = credible_intervals(probabilities, level);
    const auto certain     = certainty(predictions, credible);
    Intervals out{.level      = level,
                  .n_samples  = probabilities.n_samples,
                  .names      = {},
                  .lower      = {},
                  .mean       = {},
                  .upper      = {},
                  .predicted  = predictions.predicted[input],
                  .true_class = true_class,
                  .disjoint   = certain.disjoint[input] != 0,
                  .probable   = certain.probable[input] != 0};
    for (int k = 0; k < probabilities.n_outputs; ++k) {
        out.names.push_back(class_name(class_names, k));
        out.lower.push_back(credible.lower_of(input, k));
        out.mean.push_back(predictions.mean_of(input)[k]);
        out.upper.push_back(credible.upper_of(input, k));
    }
    return out;
}

std::string verdict_by_overlap(const Intervals& value)
{
    const std::string interval = "the " + percent_text(value.level) + " interval of " + value.names[value.predicted];
    return value.disjoint ? certain_label + std::string(" by (i): ") + interval + " overlaps no other class's interval."
                          : "Uncertain by (i): " + interval + " overlaps another class's interval.";
}

std::string verdict_by_probability(const Intervals& value)
{
    const std::string mean = "its mean probability " + number_text(value.mean[value.predicted], 4);
    return value.probable
               ? certain_label + std::string(" by (ii): ") + mean + " reaches " + number_text(value.level, 6) + "."
               : "Uncertain by (ii): " + mean + " is below " + number_text(value.level, 6) + ".";
}

std::string verdict(const Intervals& value) { return verdict_by_overlap(value) + ' ' + verdict_by_probability(value); }

Chart to_chart(const Intervals& value)
{
    Chart chart{.id = "intervals", .title = "Credible intervals"};
    IntervalBars bars{.name = percent_text(value.level) + " credible interval and mean"};
    Panel panel{.title = "", .x = {.label = "Class"}, .y = {.label = "Class probability", .range = probability_range}};
    const auto shown = classes_side_by_side(value.mean, value.true_class);
    std::vector<std::string> names;
    for (const std::size_t k : shown) {
        bars.bars.push_back({.position = static_cast<double>(names.size()),
                             .lower    = value.lower[k],
                             .centre   = value.mean[k],
                             .upper    = value.upper[k],
                             .tone     = category(static_cast<int>(k)),
                             .wrong    = value.true_class && value.predicted == static_cast<int>(k)
                                      && value.predicted != value.true_class});
        names.push_back(value.names[k]);
    }
    panel.x.categories = marked_names(names, place_among(shown, value.predicted), place_among(shown, value.true_class));
    panel.x.range      = Range{-0.5, static_cast<double>(names.size()) - 0.5};
    panel.series.push_back(std::move(bars));
    panel.series.push_back(
        Rule{.direction = Rule::Direction::horizontal, .at = value.level, .label = "level of criterion (ii)"});
    panel.title = std::string(value.disjoint ? "certain" : "uncertain") + " by (i), "
                  + (value.probable ? "certain" : "uncertain") + " by (ii)";
    chart.panels.push_back(std::move(panel));
    chart.caption = verdict(value);
    chart.caption += text_of_classes_side_by_side(value.names.size());
    if (const auto marks = marks_in_words(value.names, value.predicted, value.true_class); !marks.empty())
        chart.caption += " Marked at the axis: " + marks + ".";
    if (value.n_samples == 1)
        chart.caption += " There is only one sample: this posterior has no spread, and each interval is a point.";
    return chart;
}

using namespace view_support;

namespace {

std::optional<std::string> why_not_intervals(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "Class intervals need classes. For regression see the regression band.";
}

std::optional<Chart> make_intervals(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto outputs     = chosen_outputs(run, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;
    Chart chart                             = to_chart(intervals(view_of(samples), 0, experiment.study.prediction.level,
                                                                 experiment.data->training.class_names, input.label));
    if (experiment.data->image && options.input.with_picture)
        add_input_picture(chart, experiment, input);   // has the input's name
    else
        chart.panels[0].title = input.name + ": " + chart.panels[0].title;
    chart.caption += " Input: " + input.name + ".";
    return with_setting(std::move(chart), run, n_samples);
}

}   // namespace

View intervals_view()
{
    return {
        .id    = "intervals",
        .title = "Intervals",
        .group = ViewGroup::selected_input,
        .help = "The credible interval of each class at level α for the selected input: from the quantile (1 − α)/2 to "
                "(1 + α)/2 of the sampled probabilities. Two criteria give the verdict: (i) certain if the interval of "
                "the predicted class overlaps no other class's interval; (ii) certain if its mean probability is at "
                "least α. Classes have the colours of the map; ✓ marks the true class, ✗ and a rim mark a wrong "
                "prediction. "
                "With 200 samples and α = 99.999 % the interval is the full range of the samples. Source: Posch "
                "and Pilz 2021, section IV-A.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_intervals,
        .make        = make_intervals};
}

}   // namespace credence
