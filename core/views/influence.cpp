// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/influence.h"

#include "charts/chart.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/regression.h"
#include "runs/result_cache.h"
#include "views/image_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_substitutes = 10, most_categories = 20;
constexpr std::size_t fewest_changed_rows = 10, most_changed_rows = 100, most_changed_predictions = 20'000;
constexpr int most_influence_samples        = 50;
constexpr std::size_t most_influences       = 25;       ///< inputs in the figure; the table has all
constexpr std::size_t rows_with_substitutes = 10'000;   ///< training rows whose values are looked at

/// Predictions for some rows: quantities of which the variance counts, and the uncertainty.
struct ChangedPredictions {
    std::size_t n_quantities = 1;
    std::vector<double> quantities{};    ///< [n × n_quantities]
    std::vector<double> uncertainty{};   ///< [n]
    double factor = 1;                   ///< of the sum of the variances of the quantities
};

ChangedPredictions changed_predictions(const Experiment& experiment, const OutputSamples& outputs)
{
    const auto& data = *experiment.data;
    if (experiment.task() == Task::classification) {
        auto all = class_predictions(view_of(outputs));
        return {.n_quantities = static_cast<std::size_t>(all.n_classes),
                .quantities   = std::move(all.mean),
                .uncertainty  = std::move(all.entropy),
                .factor       = 0.5};
    }
    const auto samples = regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean,
                                            data.target_sd);
    ChangedPredictions out{.quantities = mean_function(samples)};
    for (int i = 0; i < samples.n_inputs; ++i)
        out.uncertainty.push_back(spread_at(samples, out.quantities[i], static_cast<std::size_t>(i)).y);
    return out;
}

/// Σ w (x − Σ w x)² of every stride-th of the numbers.
double weighted_variance(const double* x, std::size_t stride, std::span<const double> weights)
{
    double mean = 0, variance = 0;
    for (std::size_t v = 0; v < weights.size(); ++v)
        mean += weights[v] * x[v * stride];
    for (std::size_t v = 0; v < weights.size(); ++v)
        variance += weights[v] * (x[v * stride] - mean) * (x[v * stride] - mean);
    return variance;
}

std::shared_ptr<const Influence> computed_influence(const RunSnapshot& run, const ViewOptions& options,
                                                    const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& training   = experiment.data->training;
    const auto predictive  = predictive_of(run, options);
    auto out               = std::make_shared<Influence>();
    out->inputs            = input_groups(training);
    const std::size_t d    = training.n_features;
    const auto wanted      = most_changed_predictions / (out->inputs.size() * most_substitutes);
    const auto rows        = evenly_spaced(training.n_rows, std::clamp(wanted, fewest_changed_rows, most_changed_rows));
    out->n_rows            = static_cast<int>(rows.size());
    out->n_samples         = predictive.n_samples();
    for (std::size_t g = 0; g < out->inputs.size(); ++g) {
        const auto& input     = out->inputs[g];
        const auto substitute = substitutes_of(training, input);
        const std::size_t V   = substitute.values.size();
        const ProgressScope of_input(static_cast<double>(g) / static_cast<double>(out->inputs.size()),
                                     static_cast<double>(g + 1) / static_cast<double>(out->inputs.size()));
        std::vector<double> changed;
        changed.reserve(rows.size() * V * d);
        for (const std::size_t row : rows)
            for (const double value : substitute.values) {
                const auto x = training.row(row);
                changed.insert(changed.end(), x.begin(), x.end());
                input.set(std::span(changed).last(d), value);
            }
        const auto outputs = predictive.sample_outputs(standardised(experiment, changed),
                                                       static_cast<int>(rows.size() * V), stop);
        if (stop.stop_requested())
            return nullptr;
        const auto all    = changed_predictions(experiment, outputs);
        double prediction = 0, uncertainty = 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (std::size_t k = 0; k < all.n_quantities; ++k)
                prediction += all.factor
                              * weighted_variance(all.quantities.data() + r * V * all.n_quantities + k,
                                                  all.n_quantities, substitute.weights);
            uncertainty += weighted_variance(all.uncertainty.data() + r * V, 1, substitute.weights);
        }
        out->prediction.push_back(std::sqrt(prediction / static_cast<double>(rows.size())));
        out->uncertainty.push_back(std::sqrt(uncertainty / static_cast<double>(rows.size())));
    }
    return out;
}

std::optional<std::string> why_no_influence(const Experiment& experiment)
{
    if (has_images(experiment))
        return "Influences need a table. For images see which pixels the prediction depends on.";
    if (experiment.data->training.n_rows == 0)
        return "Influences need training rows.";
    return {};
}

/// The bars of one quantity, with its numbers at their ends.
Bars influence_bars(const std::string& name, const std::vector<double>& values, std::span<const std::size_t> shown,
                    double offset, Tone tone)
{
    Bars bars{.name = name, .width = 0.34, .tone = tone, .opacity = 1, .horizontal = true};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        bars.position.push_back(static_cast<double>(i) + offset);
        bars.height.push_back(values[shown[i]]);
        bars.labels.push_back(display_text(values[shown[i]], 3));
    }
    return bars;
}

Chart chart_of_influence(const Influence& influence, const Experiment& experiment)
{
    const bool classes     = experiment.task() == Task::classification;
    const auto& target     = experiment.data->training.target_name;
    const auto all         = influence.ranking();
    const auto shown       = std::span(all).first(std::min(all.size(), most_influences));
    const std::string unit = classes ? "" : target_unit(target);
    Chart chart{.id = "influence", .title = "Influence of inputs"};
    chart.table = Table{.columns = {{.name = "Input"},
                                    {.name = "On the prediction", .unit = unit},
                                    {.name = "On its uncertainty", .unit = classes ? "nats" : unit}},
                        .rows    = {}};
    for (const std::size_t g : all)
        chart.table->rows.push_back({influence.inputs[g].name, influence.prediction[g], influence.uncertainty[g]});
    std::vector<std::string> names;
    for (const std::size_t g : shown)
        names.push_back(influence.inputs[g].name);
    constexpr double space = 1.25;   // for the numbers to the right of the bars
    const double largest   = std::max(*std::ranges::max_element(influence.prediction),
                                      *std::ranges::max_element(influence.uncertainty));
    chart.panels.push_back(
        Panel{.x = {.label = "Standard deviation", .unit = unit, .range = Range{0, largest > 0 ? space * largest : 1}},
              .y = {.range       = Range{static_cast<double>(names.size()) - 0.5, -0.5},
                    .categories  = std::move(names),
                    .whole_names = true},
              .series = {influence_bars("On the prediction", influence.prediction, shown, -0.18, category(0)),
                         influence_bars(classes ? "On its entropy, nats" : "On its uncertainty", influence.uncertainty,
                                        shown, 0.18, category(1))}});
    chart.caption = std::string("Standard deviation of the ")
                    + (classes ? "class probabilities and of the predictive entropy (nats)"
                               : "mean and of the total standard deviation (" + unit + ")")
                    + " when one input is replaced by other training values; root mean square over "
                    + std::to_string(influence.n_rows) + " training rows.";
    if (shown.size() < all.size())
        chart.caption += " The " + std::to_string(shown.size()) + " most influential of " + std::to_string(all.size())
                         + " inputs are drawn; the table has all.";
    return chart;
}

std::optional<Chart> make_influence(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto influence = influence_of(run, options, stop);
    if (!influence)
        return {};
    return with_setting(chart_of_influence(*influence, *run.experiment), run, influence->n_samples);
}

}   // namespace

std::vector<std::size_t> Influence::ranking() const
{
    std::vector<std::size_t> order(inputs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return prediction[a] > prediction[b]; });
    return order;
}

Substitutes substitutes_of(const Dataset& data, const InputGroup& input)
{
    std::map<double, double> count;
    std::vector<double> values;
    for (const std::size_t i : evenly_spaced(data.n_rows, rows_with_substitutes)) {
        values.push_back(input.value_of(data.row(i)));
        ++count[values.back()];
    }
    Substitutes out;
    if (!input.is_category() && count.size() > most_substitutes) {
        for (std::size_t i = 0; i < most_substitutes; ++i) {
            out.values.push_back(quantile(values, (static_cast<double>(i) + 0.5) / most_substitutes));
            out.weights.push_back(1.0 / most_substitutes);
        }
        return out;
    }
    std::vector<std::pair<double, double>> all(count.begin(), count.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    all.resize(std::min(all.size(), most_categories));
    double sum = 0;
    for (const auto& [value, n] : all)
        sum += n;
    for (const auto& [value, n] : all) {
        out.values.push_back(value);
        out.weights.push_back(n / sum);
    }
    return out;
}

std::shared_ptr<const Influence> influence_of(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<int>, Influence> memory(4);   // by samples
    auto few    = options;
    few.samples = std::min(most_influence_samples,
                           options.samples > 0 ? options.samples : run.experiment->study.prediction.samples);
    return memory.find_or_make({run, few.samples}, stop, [&] { return computed_influence(run, few, stop); });
}

View influence_view()
{
    return {
        .id    = "influence",
        .title = "Influence of inputs",
        .group = ViewGroup::predictions,
        .help =
            "How much the prediction and its uncertainty change with each input. In training rows, "
            "one input at a time is replaced by other training values: up to 10 numbers or 20 categories. The upper "
            "bar is the standard deviation of the prediction over these values, and the lower bar that of its "
            "uncertainty; both are root mean squares over the rows. Regression: the mean and the total standard "
            "deviation of a new observation, in units of the target. Classes: the probabilities, √(½ Σ_k Var p̄_k), "
            "and the predictive entropy in nats. An input that the network does not use has influence 0. If inputs "
            "depend on each other, replacing one can create rows that do not occur in practice. Source: Homma and "
            "Saltelli 1996 (total effect).",
        .cost         = Cost::slow,
        .with_results = false,
        .why_not      = why_no_influence,
        .make         = make_influence};
}

}   // namespace credence
