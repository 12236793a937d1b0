// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "views/chain_draws.h"
#include "views/true_posterior.h"
#include "views/view_support.h"

#include "charts/boxplots.h"
#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "prediction/regression.h"
#include "study/method.h"
#include "study/names.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace credence {

using namespace view_support;

namespace {

/// The outputs that one run samples at the selected input.
struct DrawsOfRun {
    std::string label;
    std::vector<std::vector<double>> draws;   // [n_classes][n_draws]; of a regression one list, target units
};

/// Returns family names if each family occurs once: the names of runs on the same data are longer
/// and add no information.
std::vector<std::string> labels_of(std::span<const RunSnapshot> runs, std::size_t reference)
{
    auto labels = names_of(runs);
    std::set<std::string> families;
    for (const auto& run : runs)
        families.insert(run.experiment->study.posterior.family);
    if (families.size() == runs.size())
        for (std::size_t r = 0; r < runs.size(); ++r)
            labels[r] = axis_title(runs[r].experiment->study.posterior.family);
    labels[reference] = "reference (" + labels[reference] + ")";
    return labels;
}

/// Returns the reference first, then the others in the order of the methods.
std::vector<std::size_t> in_order(std::span<const RunSnapshot> runs, std::size_t reference)
{
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t r) {
        const auto& all  = methods();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Method& method) {
            return method.id == runs[r].experiment->study.posterior.family;
        });
        return r == reference ? -1 : static_cast<int>(found - all.begin());
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    return order;
}

/// Samples the outputs of a run. Sets of draws are used whole, each draw once. Empty: stopped.
std::optional<DrawsOfRun> draws_of_run(const RunSnapshot& run, const std::string& label, std::span<const float> input,
                                       const ViewOptions& options, const std::stop_token& stop)
{
    const auto* set       = sample_set_of(*run.snapshot->posterior);
    const auto predictive = set ? predictive_of_set(run, *set) : unrecalibrated_predictive_of(run, options);
    const auto outputs    = predictive.sample_outputs(input, 1, stop);
    if (stop.stop_requested())
        return {};
    DrawsOfRun out{.label = label, .draws = {}};
    if (run.experiment->task() == Task::regression) {
        const auto& data = *run.experiment->data;
        out.draws.push_back(
            regression_samples(view_of(outputs), run.experiment->model.likelihood, data.target_mean, data.target_sd).f);
        return out;
    }
    for (int k = 0; k < outputs.n_outputs; ++k) {
        auto& of_class = out.draws.emplace_back();
        for (int s = 0; s < outputs.n_samples; ++s)
            of_class.push_back(static_cast<double>(outputs.at(s, 0, k)));
    }
    return out;
}

/// For two classes the second, whose probability determines both; otherwise the classes most
/// probable under the reference, at most four.
std::vector<std::size_t> classes_worth_a_panel(const DrawsOfRun& reference)
{
    constexpr std::size_t most = 4;
    const std::size_t K        = reference.draws.size();
    if (K <= 2)
        return {K - 1};
    std::vector<std::size_t> classes(K);
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    std::stable_sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) {
        return mean_of(reference.draws[a]) > mean_of(reference.draws[b]);
    });
    classes.resize(std::min(K, most));
    std::sort(classes.begin(), classes.end());
    return classes;
}

Panel panel_of(const std::vector<DrawsOfRun>& all, std::size_t k, const std::string& quantity)
{
    Panel panel{.x = {.range = Range{-0.5, static_cast<double>(all.size()) - 0.5}}, .y = {.label = quantity}};
    Boxes boxes;
    Points means{.name = "Mean", .tone = {Tone::Kind::neutral}, .marker = Marker::diamond, .size = 4};
    for (std::size_t r = 0; r < all.size(); ++r) {
        Box box       = box_of(all[r].draws[k]);
        box.position  = static_cast<double>(r);
        box.tone.kind = r == 0 ? Tone::Kind::accent : Tone::Kind::posterior;
        means.x.push_back(box.position);
        means.y.push_back(mean_of(all[r].draws[k]));
        boxes.boxes.push_back(std::move(box));
        panel.x.categories.push_back(all[r].label);
    }
    panel.series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = means.y.front(), .label = "reference"});
    panel.series.push_back(std::move(boxes));
    panel.series.push_back(std::move(means));
    return panel;
}

std::optional<Chart> compare_boxes_with_reference(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                                  const std::stop_token& stop)
{
    Chart chart{.id = "truth_boxplots", .title = "Boxplots against the reference"};
    const auto reference = reference_among(runs);
    chart.message        = why_not_compared(runs, reference);
    if (!chart.message.empty())
        return chart;
    const auto& true_run   = runs[*reference];
    const auto& experiment = *true_run.experiment;
    chain_snapshot(true_run);   // throws if the snapshot has no draws yet
    const auto input  = chosen_input(true_run, options.input);
    const auto labels = labels_of(runs, *reference);
    std::vector<DrawsOfRun> all;
    std::vector<std::string> listed, settings;
    for (const std::size_t r : in_order(runs, *reference)) {
        auto one = draws_of_run(runs[r], labels[r], input.standardised, options, stop);
        if (!one)
            return {};
        listed.push_back(labels[r]);
        settings.push_back(setting_of(runs[r], static_cast<int>(one->draws.front().size())));
        all.push_back(std::move(*one));
    }
    chart.caption        = settings_side_by_side(listed, settings).substr(1);
    const auto& training = experiment.data->training;
    const bool classes   = training.task == Task::classification;
    for (const std::size_t k : classes ? classes_worth_a_panel(all.front()) : std::vector<std::size_t>{0}) {
        chart.panels.push_back(panel_of(
            all, k, classes ? "p̄ of " + class_name(training.class_names, static_cast<int>(k)) : training.target_name));
        chart.panels.back().title = input.name;
        if (classes)
            chart.panels.back().y.range = probability_range;
        else if (input.target)
            chart.panels.back().series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                                      .at        = *input.target,
                                                      .label     = "observed",
                                                      .tone      = {Tone::Kind::data}});
    }
    if (classes && input.label)
        chart.panels.front().title += ": true class is " + class_name(training.class_names, *input.label);
    chart.caption =
        "Samples of the outputs at one input, " + input.name
        + ": median, quartiles (type 7), whiskers at 1.5 interquartile ranges, outliers; dashed: the mean of the "
          "reference. "
        + chart.caption;
    return chart;
}

std::optional<Chart> make_reference_boxplots(const RunSnapshot& snapshot, const ViewOptions& options,
                                             const std::stop_token& stop)
{
    return compare_boxes_with_reference({&snapshot, 1}, options, stop);
}

}   // namespace

View reference_boxplots_view()
{
    return {
        .id    = "truth_boxplots",
        .title = "Boxplots against the reference",
        .group = ViewGroup::reference,
        .help =
            "The prediction of each method at the selected input compared with the reference posterior from NUTS "
            "(otherwise HMC) chains: one box per run on one axis. Click in a map to select an input far from the "
            "data, where the reference has a wide box. A method with a narrower box is overconfident; one with a "
            "wider box is underconfident; a point estimate has no box, because its samples do not vary. With two "
            "classes the probability of the second is drawn; with more classes up to four panels. The dashed line is "
            "the mean of the reference. Source: Izmailov, Vikram, Hoffman and Wilson 2021.",
        .needs_input       = true,
        .when_pruned       = WhenPruned::whole,
        .why_not           = why_no_reference,
        .make              = make_reference_boxplots,
        .compare           = compare_boxes_with_reference,
        .compares_any_data = true};
}

}   // namespace credence
