// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/enough_samples.h"

#include "data/dataset.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "posterior/sample_set.h"
#include "prediction/regression.h"
#include "runs/result_cache.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace credence {

using namespace view_support;

namespace {

constexpr int fewest_shown = 10, fewest_useful = 12;   ///< samples
constexpr std::size_t most_rows_scored = 1000;

/// The scores over the rows, which do not depend on the selected input.
struct ScoresOfRows {
    std::vector<AtSamples> nll, rmse;
    std::size_t n = 0, n_all = 0;
    std::string name;
};

RegressionSamples target_samples(const Experiment& experiment, const OutputSamples& outputs)
{
    return regression_samples(view_of(outputs), experiment.model.likelihood, experiment.data->target_mean,
                              experiment.data->target_sd);
}

/// The samples of f and of the noise at input i.
struct SamplesAt {
    std::vector<double> f, s;
};
SamplesAt samples_at(const RegressionSamples& samples, std::size_t i)
{
    SamplesAt at;
    for (int s = 0; s < samples.n_samples; ++s) {
        const std::size_t k = static_cast<std::size_t>(s) * static_cast<std::size_t>(samples.n_inputs) + i;
        at.f.push_back(samples.f[k]);
        at.s.push_back(samples.s[k]);
    }
    return at;
}

/// Calls add(row i of the block, index of its row in the set) for the rows, block by block.
std::shared_ptr<const ScoresOfRows> scores_of_rows(const RunSnapshot& run, const PosteriorPredictive& predictive,
                                                   std::size_t most, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = scored_set(experiment);
    const std::size_t d    = experiment.data->training.n_features;
    const auto rows        = evenly_spaced(set.data->n_rows, most);
    aligned_vector<float> inputs;
    for (const std::size_t row : rows) {
        const auto input = set.inputs.subspan(row * d, d);
        inputs.insert(inputs.end(), input.begin(), input.end());
    }
    const int S = predictive.n_samples();
    ScoresOverSamples scores(sample_counts(fewest_shown, S), order_of_samples(run, S));
    std::vector<double> log_densities(static_cast<std::size_t>(S));
    const bool numbers = experiment.task() == Task::regression;
    const bool done    = numbers ? predictive.stream_outputs(
                             inputs, static_cast<int>(d), stop,
                             [&](const OutputSamples& block, std::size_t first) {
        const auto samples = target_samples(experiment, block);
        for (int i = 0; i < block.n_inputs; ++i) {
            const double y = set.data->targets[rows[first + static_cast<std::size_t>(i)]];
            auto at        = samples_at(samples, static_cast<std::size_t>(i));
            samples.noise->log_densities(at.f, at.s, y, log_densities);
            scores.add_log_densities(log_densities);
            if (!samples.moments.empty()) {
                const double shift = samples.moments[static_cast<std::size_t>(i)].mean - mean_of(at.f);
                for (double& f : at.f)
                    f += shift;
            }
            scores.add_means(at.f, y);
        }
                          })
           : predictive.stream_classes(inputs, static_cast<int>(d), stop,
                                       [&](const ClassSamples& block, std::size_t first) {
        for (int i = 0; i < block.n_inputs; ++i) {
            const int label = set.data->labels[rows[first + static_cast<std::size_t>(i)]];
            for (int s = 0; s < S; ++s)
                log_densities[static_cast<std::size_t>(s)] = block.logarithms ? block.at(s, i, label)
                                                                                 : std::log(block.at(s, i, label));
            scores.add_log_densities(log_densities);
        }
          });
    if (!done)
        return nullptr;
    return std::make_shared<const ScoresOfRows>(ScoresOfRows{
        scores.nll(), numbers ? scores.rmse() : std::vector<AtSamples>(), rows.size(), set.data->n_rows, set.name});
}

/// Adds the interval of the selected input. @return  false: stopped
bool add_interval(EnoughSamples& to, const RunSnapshot& run, const PosteriorPredictive& predictive,
                  const InputChoice& choice, const std::stop_token& stop)
{
    const auto& experiment  = *run.experiment;
    const auto chosen       = chosen_input(run, choice);
    const double level      = experiment.study.prediction.level;
    const int S             = predictive.n_samples();
    const auto counts       = sample_counts(fewest_shown, S);
    const auto order        = order_of_samples(run, S);
    const std::string words = percent_text(level);
    to.input                = chosen.name;
    if (experiment.task() == Task::regression) {
        const auto outputs = predictive.sample_outputs(chosen.standardised, 1, stop);
        if (stop.stop_requested())
            return false;
        const auto samples = target_samples(experiment, outputs);
        const auto end     = [&](double p) {
            return mixture_quantile_over(counts, *samples.noise, samples.f, samples.s, p, order);
        };
        to.lower    = end((1 - level) / 2);
        to.upper    = end((1 + level) / 2);
        to.quantity = experiment.data->training.target_name;
        to.unit     = target_unit(to.quantity);
        to.interval = words + " predictive interval";
        return true;
    }
    const auto samples = predictive.sample_classes(chosen.standardised, 1, stop);
    if (stop.stop_requested())
        return false;
    std::vector<double> mean(static_cast<std::size_t>(samples.n_classes), 0);
    for (int s = 0; s < S; ++s)
        for (int k = 0; k < samples.n_classes; ++k)
            mean[static_cast<std::size_t>(k)] += samples.probability(s, 0, k);
    const int predicted = argmax(mean);
    std::vector<double> values;
    for (int s = 0; s < S; ++s)
        values.push_back(samples.probability(s, 0, predicted));
    to.lower    = quantile_over(counts, values, (1 - level) / 2, order);
    to.upper    = quantile_over(counts, values, (1 + level) / 2, order);
    to.quantity = "Probability of the predicted class, " + class_name(experiment.data->training.class_names, predicted);
    to.interval = words + " credible interval of the probability of the predicted class";
    return true;
}

std::optional<std::string> why_no_number_of_samples(const Experiment& experiment)
{
    if (!experiment.outputs && method_of(experiment.study).posterior.noise == NoiseIn::nothing)
        return "All samples of this posterior are identical, so one is enough. Choose another posterior and train.";
    return {};
}

std::optional<Chart> make_enough_samples(const RunSnapshot& run, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<int, std::size_t>, ScoresOfRows> memory(4);   // by samples and rows
    auto all = options;
    if (all.samples < fewest_useful)   // the few samples of a preview say nothing about all
        all.samples = 0;
    const auto predictive = predictive_of(run, all);
    const int S           = predictive.n_samples();
    if (S < fewest_useful)
        return Chart{.id      = "enough_samples",
                     .title   = "How many samples are enough",
                     .message = "The Monte Carlo error needs at least " + std::to_string(fewest_useful)
                                + " different samples, found " + std::to_string(S)
                                + ". Increase prediction.samples, or train more chains or members."};
    const std::size_t most = options.rows > 0 ? std::min(static_cast<std::size_t>(options.rows), most_rows_scored)
                                              : most_rows_scored;
    const auto rows        = memory.find_or_make({run, S, most}, stop,
                                                 [&] { return scores_of_rows(run, predictive, most, stop); });
    EnoughSamples scores;
    if (!rows || !add_interval(scores, run, predictive, options.input, stop))
        return {};
    scores.nll  = rows->nll;
    scores.rmse = rows->rmse;
    auto chart  = to_chart(scores);
    chart.caption += " Rows: the " + rows->name
                     + (rows->n < rows->n_all ? ", " + grouped_text(static_cast<long>(rows->n)) + " of "
                                                    + grouped_text(static_cast<long>(rows->n_all)) + ", evenly spaced"
                                              : std::string())
                     + ".";
    return with_setting(std::move(chart), run, S);
}

/// A line with a band of two standard errors on each side.
void add_curve_over_samples(Panel& panel, const std::vector<AtSamples>& curve, const std::string& name, Tone tone)
{
    Band band{.name = name.empty() ? "± 2 Monte Carlo errors" : "", .tone = tone};
    Line line{.name = name, .tone = tone, .width = 2};
    for (const auto& at : curve) {
        line.x.push_back(at.samples);
        line.y.push_back(at.value);
        band.x.push_back(at.samples);
        band.lower.push_back(at.value - 2 * at.error);
        band.upper.push_back(at.value + 2 * at.error);
    }
    panel.series.push_back(std::move(band));
    panel.series.push_back(std::move(line));
}

Panel panel_over_samples(const std::string& title, const Axis& y, const std::vector<AtSamples>& curve)
{
    return {.title = title,
            .x = {.label = "Samples", .range = Range{curve.front().samples, curve.back().samples}, .logarithmic = true},
            .y = y,
            .series = {}};
}

/// Rounds up to two digits: 1,234 becomes 1,300.
long rounded_up(long value)
{
    long step = 1;
    while (value > 99 * step)
        step *= 10;
    return (value + step - 1) / step * step;
}

}   // namespace

SampleOrder order_of_samples(const RunSnapshot& run, int n)
{
    const auto* set = sample_set_of(*run.snapshot->posterior);
    if (!set)
        return {};
    const auto& chains = set->origin().chains;
    if (std::set(chains.begin(), chains.end()).size() == set->n_draws())
        return {};   // an ensemble: one draw per member
    std::vector<std::size_t> number;
    for (int s = 0; s < n; ++s)
        number.push_back(
            set->number_of({run.experiment->study.seed, Stream::prediction, static_cast<std::uint32_t>(s)}));
    SampleOrder samples{.order = std::vector<int>(static_cast<std::size_t>(n)), .independent = false};
    std::iota(samples.order.begin(), samples.order.end(), 0);
    const auto place = [&](int s) {
        const std::size_t i = number[static_cast<std::size_t>(s)];
        return std::pair(chains.empty() ? 0 : chains[i], i);
    };
    std::stable_sort(samples.order.begin(), samples.order.end(), [&](int a, int b) { return place(a) < place(b); });
    return samples;
}

std::optional<long> suggested_samples(const EnoughSamples& scores)
{
    const auto nll = samples_needed(scores.nll.back(), enough_nll_error);
    if (!nll)
        return {};
    long most = std::max<long>(fewest_shown, *nll);
    for (const auto* end : {&scores.lower, &scores.upper})
        if (end->back().error > 0) {
            const auto needed = samples_needed(end->back(), enough_share_error * scores.width());
            if (!needed)
                return {};
            most = std::max(most, *needed);
        }
    return most;
}

std::string sentence_of_suggestion(const EnoughSamples& scores)
{
    const auto suggested    = suggested_samples(scores);
    const int available     = scores.nll.back().samples;
    const std::string these = grouped_text(available);
    if (!suggested)
        return "No number of samples can be suggested: the NLL or an interval end is not finite.";
    const std::string about = grouped_text(rounded_up(*suggested));
    if (*suggested > available)
        return "About " + about + " samples are needed, more than the " + these + " of this run.";
    return "About " + about + " samples are enough; this run uses " + these + ".";
}

Chart to_chart(const EnoughSamples& scores)
{
    const Tone posterior{Tone::Kind::posterior};
    Chart chart{.id = "enough_samples", .title = "How many samples are enough"};
    Panel nll = panel_over_samples("NLL", {.label = "NLL", .unit = "nats"}, scores.nll);
    add_curve_over_samples(nll, scores.nll, "", posterior);
    chart.panels.push_back(std::move(nll));
    if (!scores.rmse.empty()) {
        Panel rmse = panel_over_samples("RMSE", {.label = "RMSE", .unit = scores.unit}, scores.rmse);
        add_curve_over_samples(rmse, scores.rmse, "", posterior);
        chart.panels.push_back(std::move(rmse));
    }
    Panel ends = panel_over_samples("Interval of " + scores.input, {.label = scores.quantity}, scores.lower);
    add_curve_over_samples(ends, scores.upper, "Upper end", category(0));
    add_curve_over_samples(ends, scores.lower, "Lower end", category(1));
    chart.panels.push_back(std::move(ends));
    const auto suggested = suggested_samples(scores);
    for (auto& panel : chart.panels)
        if (suggested && *suggested <= scores.nll.back().samples)
            panel.series.push_back(Rule{
                .direction = Rule::Direction::vertical, .at = static_cast<double>(*suggested), .label = "suggested"});
    const std::string sentence = sentence_of_suggestion(scores);
    chart.panels.front().note  = sentence.substr(0, sentence.find(';'));   // the caption has the whole sentence
    chart.columns              = static_cast<int>(chart.panels.size());

    Table table{
        .columns = {{"Quantity"}, {"Value"}, {"Monte Carlo error"}, {"Tolerance"}, {"Samples needed"}, {"Unit"}}};
    const auto add =
        [&](const std::string& name, const AtSamples& at, std::optional<double> tolerance, const std::string& unit) {
        const auto needed = tolerance && at.error > 0 ? samples_needed(at, *tolerance) : std::nullopt;
        table.rows.push_back({name, at.value, at.error, tolerance ? Cell(*tolerance) : Cell(std::string()),
                              needed ? Cell(*needed) : Cell(std::string()), unit});
    };
    add("NLL", scores.nll.back(), enough_nll_error, "nats");
    if (!scores.rmse.empty())
        add("RMSE", scores.rmse.back(), {}, scores.unit);
    for (const auto& [name, end] :
         {std::pair{"Lower end of the interval", &scores.lower}, std::pair{"Upper end of the interval", &scores.upper}})
        add(name, end->back(), enough_share_error * scores.width(), scores.unit);
    chart.table   = std::move(table);
    chart.caption = "Scores and the " + scores.interval + " at " + scores.input
                    + " from the first S samples, with bands of ± 2 Monte Carlo standard errors. "
                    + sentence_of_suggestion(scores) + " Tolerances: an error of " + plain_text(enough_nll_error)
                    + " nats for the NLL, and of " + percent_text(enough_share_error)
                    + " of the width for each interval end. Errors fall as 1/√S.";
    return chart;
}

View enough_samples_view()
{
    return {
        .id    = "enough_samples",
        .title = "How many samples are enough",
        .group = ViewGroup::scores,
        .help  = "How much scores and intervals would change with other samples. The first S weight samples are used "
                 "for S = 10 … prediction.samples. Bands are ± 2 Monte Carlo standard errors, by the delta method; for "
                 "chains by batch means, which account for autocorrelation (Flegal, Haran and Jones 2008). The "
                 "suggested number is the smallest with an error of the NLL below 0.01 nats and of both ends of the "
                 "selected row's interval below 2 % of its width. It assumes that errors fall as 1/√S. Few samples "
                 "also bias the NLL upwards, by half the mean squared Monte Carlo error of a single row. Numeric "
                 "targets: the predictive interval. Classes: the credible interval of the probability of the predicted "
                 "class (Woodruff 1952).",
        .needs_input  = true,
        .asks         = Asks::labels,
        .cost         = Cost::all_rows,
        .with_results = false,
        .why_not      = why_no_number_of_samples,
        .make         = make_enough_samples};
}

}   // namespace credence
