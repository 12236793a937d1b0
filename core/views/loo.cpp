// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/softmax.h"
#include "foundation/statistics.h"
#include "prediction/psis_loo.h"
#include "prediction/regression.h"
#include "runs/result_cache.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr int fewest_loo_samples = 25;
constexpr double good_k = 0.5, limit_of_k = 0.7;

/// Calls use(row, ln p(y | w_s) of all samples [S]) for each row, in parallel. False: stopped.
bool for_each_log_likelihood(const RunSnapshot& run, const PosteriorPredictive& predictive, const Dataset& data,
                             std::span<const float> inputs, const std::stop_token& stop,
                             const std::function<void(std::size_t row, std::span<const double>)>& use)
{
    const auto& experiment               = *run.experiment;
    const int d                          = static_cast<int>(data.n_features);
    constexpr std::size_t rows_of_a_task = 16;
    if (data.task == Task::classification)
        return predictive.stream_classes(inputs, d, stop, [&](const ClassSamples& samples, std::size_t first) {
            parallel_chunks(static_cast<std::size_t>(samples.n_inputs), rows_of_a_task,
                            [&](std::size_t begin, std::size_t end) {
                std::vector<double> values(static_cast<std::size_t>(samples.n_samples));
                for (std::size_t i = begin; i < end; ++i) {
                    for (int s = 0; s < samples.n_samples; ++s)
                        values[static_cast<std::size_t>(s)] = samples.at(s, static_cast<int>(i),
                                                                         data.labels[first + i]);
                    use(first + i, values);
                }
            });
        });
    return predictive.stream_outputs(inputs, d, stop, [&](const OutputSamples& outputs, std::size_t first) {
        const auto samples = regression_samples(view_of(outputs), experiment.model.likelihood,
                                                experiment.data->target_mean, experiment.data->target_sd);
        const auto S = static_cast<std::size_t>(samples.n_samples), n = static_cast<std::size_t>(samples.n_inputs);
        parallel_chunks(n, rows_of_a_task, [&](std::size_t begin, std::size_t end) {
            std::vector<double> f(S), s(S), values(S);
            for (std::size_t i = begin; i < end; ++i) {
                for (std::size_t k = 0; k < S; ++k) {
                    f[k] = samples.f[k * n + i];
                    s[k] = samples.s[k * n + i];
                }
                samples.noise->log_densities(f, s, data.targets[first + i], values);
                use(first + i, values);
            }
        });
    });
}

/// Mean over rows and its standard error, nats.
struct MeanOfRows {
    double mean = 0, standard_error = 0;
};

MeanOfRows mean_of_rows(std::span<const double> values)
{
    MeanOfRows out{.mean = mean_of(values)};
    double squares = 0;
    for (const double value : values)
        squares += (value - out.mean) * (value - out.mean);
    const auto n = static_cast<double>(values.size());
    if (values.size() > 1)
        out.standard_error = std::sqrt(squares / (n - 1) / n);
    return out;
}

struct LooFigure {
    std::vector<LooRow> rows;               ///< [training rows]
    std::optional<MeanOfRows> held_out{};   ///< ln p of the test rows
    std::string held_out_name{};
    int n_samples = 0;
};

/// Empty: stopped.
std::optional<LooFigure> loo_figure(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& data      = *run.experiment->data;
    const auto predictive = unrecalibrated_predictive_of(run, options);
    LooFigure out{.rows = std::vector<LooRow>(data.training.n_rows), .n_samples = predictive.n_samples()};
    const auto last         = final_test_set(*run.experiment);
    const auto held         = last ? *last : scored_set(*run.experiment);
    const bool has_held_out = data.test.n_rows > 0 || last;
    const double both       = static_cast<double>(data.training.n_rows + (has_held_out ? held.data->n_rows : 0));
    const double share      = static_cast<double>(data.training.n_rows) / both;
    {
        const ProgressScope of_training(0, share);
        if (!for_each_log_likelihood(run, predictive, data.training, data.training_inputs, stop,
                                     [&](std::size_t row, std::span<const double> values) {
            out.rows[row] = psis_loo(values);
            }))
            return {};
    }
    if (!has_held_out)
        return out;
    const ProgressScope of_test(share, 1);
    std::vector<double> log_density(held.data->n_rows);
    if (!for_each_log_likelihood(run, predictive, *held.data, held.inputs, stop,
                                 [&](std::size_t row, std::span<const double> values) {
        log_density[row] = log_sum_exp(values) - std::log(static_cast<double>(values.size()));
        }))
        return {};
    out.held_out      = mean_of_rows(log_density);
    out.held_out_name = held.name;
    return out;
}

/// Identifies a figure by snapshot and number of samples.
/// Cached. @return  null: stopped
std::shared_ptr<const LooFigure> kept_loo_figure(const RunSnapshot& run, const ViewOptions& options,
                                                 const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<int>, LooFigure> memory(4);   // by samples
    return memory.find_or_make({run, unrecalibrated_predictive_of(run, options).n_samples()}, stop, [&] {
        auto value = loo_figure(run, options, stop);
        return value ? std::make_shared<const LooFigure>(std::move(*value)) : nullptr;
    });
}

Panel pareto_panel(const LooFigure& value, DataRow::Part part)
{
    Panel panel{.title = "Pareto k of the training rows", .x = {.label = "Training row"}, .y = {.label = "Pareto k"}};
    constexpr std::size_t most_good = 5000;
    std::array<Points, 3> points{
        Points{.name = "k ≤ 0.5", .tone = {Tone::Kind::posterior}, .marker = Marker::circle, .size = 3.5},
        Points{.name = "0.5 to 0.7", .tone = category(1), .marker = Marker::triangle, .size = 4.5},
        Points{.name = "over 0.7", .tone = {Tone::Kind::wrong}, .marker = Marker::diamond, .size = 5.5}};
    const auto add = [&](std::size_t row) {
        const double k = value.rows[row].pareto_k;
        auto& group    = points[k > limit_of_k ? 2 : k > good_k ? 1 : 0];
        group.x.push_back(static_cast<double>(row));
        group.y.push_back(std::isfinite(k) ? k : NAN);
        group.data_rows.push_back({part, static_cast<std::uint32_t>(row)});
    };
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < value.rows.size(); ++i)
        if (value.rows[i].pareto_k > good_k)
            add(i);
        else
            good.push_back(i);
    for (const auto i : evenly_spaced(good.size(), most_good))
        add(good[i]);
    if (good.size() > most_good)
        panel.note = "Of the " + std::to_string(good.size()) + " rows with k ≤ 0.5, " + std::to_string(most_good)
                     + " are drawn.";
    for (auto& group : points)
        if (!group.x.empty())
            panel.series.push_back(std::move(group));
    for (const auto& [at, label] : {std::pair(good_k, "0.5"), std::pair(limit_of_k, "0.7: unreliable above")})
        panel.series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = at, .label = label});
    return panel;
}

Panel score_panel(const LooFigure& value)
{
    std::vector<double> elpd;
    for (const auto& row : value.rows)
        elpd.push_back(row.elpd);
    Panel panel{.title  = "Log score per row",
                .x      = {.label = "Estimate", .categories = {"Leave-one-out"}},
                .y      = {.label = "Mean ln p(y)", .unit = "nats"},
                .weight = 0.5};
    IntervalBars bars{.name = "mean ± 2 standard errors"};
    const auto add = [&](const MeanOfRows& score, Tone tone) {
        bars.bars.push_back({.position = static_cast<double>(bars.bars.size()),
                             .lower    = score.mean - 2 * score.standard_error,
                             .centre   = score.mean,
                             .upper    = score.mean + 2 * score.standard_error,
                             .tone     = tone});
    };
    add(mean_of_rows(elpd), {Tone::Kind::training});
    if (value.held_out) {
        add(*value.held_out, {Tone::Kind::test});
        panel.x.categories.push_back("Held out");
    }
    panel.x.range = Range{-0.5, static_cast<double>(bars.bars.size()) - 0.5};
    panel.series.push_back(std::move(bars));
    return panel;
}

/// Rows over 0.7, largest k first, or the ten largest if there are none.
Table rows_by_k(const LooFigure& value, const Experiment& experiment, DataRow::Part part)
{
    constexpr std::size_t most_listed = 1000, some = 10;
    std::vector<std::size_t> order(value.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return value.rows[a].pareto_k > value.rows[b].pareto_k; });
    const auto over = static_cast<std::size_t>(loo_summary(value.rows).over_limit);
    order.resize(std::min(order.size(), over > 0 ? std::min(over, most_listed) : some));
    const auto& data   = experiment.data->training;
    const bool classes = data.task == Task::classification, image = experiment.data->image.has_value();
    Table table{.columns = {{"Training row"},
                            {"Pareto k", "", 3},
                            {"Leave-one-out ln p", "nats", 3},
                            {"ln p with the row", "nats", 3},
                            {classes ? "True class" : "True value", classes ? "" : target_unit(data.target_name)}},
                .rows    = {}};
    for (const auto& name : image ? std::vector<std::string>() : data.feature_names)
        table.columns.push_back({name});
    for (const auto i : order) {
        std::vector<Cell> cells{static_cast<long>(i), value.rows[i].pareto_k, value.rows[i].elpd, value.rows[i].lpd,
                                classes ? Cell(class_name(data.class_names, data.labels[i]))
                                        : Cell(static_cast<double>(data.targets[i]))};
        for (const double x : image ? std::span<const double>() : std::span<const double>(data.row(i)))
            cells.emplace_back(x);
        table.rows.push_back(std::move(cells));
        table.data_rows.push_back({part, static_cast<std::uint32_t>(i)});
    }
    return table;
}

std::string loo_caption(const LooFigure& value, const RunSnapshot& run)
{
    const auto sum  = loo_summary(value.rows);
    const double n  = static_cast<double>(value.rows.size());
    const auto text = [](double number) { return number_text(number, 4); };
    std::string out = "Leave-one-out by Pareto smoothed importance sampling: elpd_loo = " + text(sum.elpd) + " ± "
                      + text(sum.standard_error) + " nats over " + grouped_text(static_cast<long>(n))
                      + " training rows, " + text(sum.elpd / n) + " per row";
    if (value.held_out)
        out += "; " + value.held_out_name + " " + text(value.held_out->mean) + " ± "
               + text(value.held_out->standard_error) + " per row";
    out += ". Effective number of parameters p_loo = " + text(sum.p_loo) + ". ";
    out += sum.over_limit == 0 ? "No row has k over 0.7; the rows with the largest k are listed."
                               : std::to_string(sum.over_limit) + (sum.over_limit == 1 ? " row has" : " rows have")
                                     + " k over 0.7: the estimate is unreliable for them, and usually too high.";
    if (const double reliable = reliable_pareto_k(value.n_samples); reliable < limit_of_k)
        out += " With " + std::to_string(value.n_samples) + " samples, k up to " + fixed_text(reliable, 2)
               + " is reliable.";
    if (method_of(run.experiment->study).training.prior != PriorUse::sampled)
        out +=
            " The samples come from an approximation but are treated as samples of the exact posterior. The estimate "
            "includes the error of the approximation.";
    return out;
}

std::optional<std::string> why_not_loo(const Experiment& experiment)
{
    if (experiment.outputs)
        return "Leave-one-out needs the training rows, which imported predictions do not have.";
    return why_no_spread(experiment);
}

/// Empty: there are enough.
std::string too_few_for_loo(const RunSnapshot& run, const ViewOptions& options)
{
    const int samples = unrecalibrated_predictive_of(run, options).n_samples();
    return samples >= fewest_loo_samples
               ? std::string()
               : "Leave-one-out has " + std::to_string(samples) + " samples, expected at least "
                     + std::to_string(fewest_loo_samples) + ". Increase prediction.samples, or run longer chains.";
}

std::optional<Chart> make_loo(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (auto sentence = too_few_for_loo(run, options); !sentence.empty())
        return Chart{.id = "loo", .title = "Leave-one-out (PSIS-LOO)", .message = std::move(sentence)};
    const auto value = kept_loo_figure(run, options, stop);
    if (!value)
        return {};
    const auto part = run.experiment->data->test.n_rows > 0 ? DataRow::Part::training : DataRow::Part::scored;
    Chart chart{.id      = "loo",
                .title   = "Leave-one-out (PSIS-LOO)",
                .caption = loo_caption(*value, run),
                .columns = 2,
                .panels  = {pareto_panel(*value, part), score_panel(*value)},
                .table   = rows_by_k(*value, *run.experiment, part)};
    return with_setting(std::move(chart), run, value->n_samples);
}

/// elpd_loo of several runs, largest first, with differences from the best that are paired by row.
std::optional<Chart> compare_loo(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                 const std::stop_token& stop)
{
    Chart chart{.id = "compare_loo", .title = "Leave-one-out of several runs"};
    const auto names = names_of(runs);
    std::vector<std::shared_ptr<const LooFigure>> figures;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        auto why = why_not_loo(*runs[r].experiment);
        if (!why && figures.size() > 0 && runs[r].experiment->data->training.n_rows != figures.front()->rows.size())
            why = "It has another number of training rows.";
        if (const auto few = too_few_for_loo(runs[r], options); !why && !few.empty())
            why = few;
        if (why) {
            chart.message = "Run \"" + names[r] + "\" cannot be compared. " + *why;
            return chart;
        }
        figures.push_back(kept_loo_figure(runs[r], options, stop));
        if (!figures.back())
            return {};
        settings.push_back(setting_of(runs[r], figures.back()->n_samples));
    }
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto elpd = [&](std::size_t r) { return loo_summary(figures[r]->rows).elpd; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return elpd(a) > elpd(b); });

    Panel panel{.title = "Difference of elpd_loo from the best run",
                .x     = {.label = "Run"},
                .y     = {.label = "Difference", .unit = "nats"}};
    IntervalBars bars{.name = "difference ± 2 standard errors"};
    Table table{.columns = {{"Run"},
                            {"elpd_loo", "nats", 1},
                            {"Its standard error", "nats", 1},
                            {"Difference from the best", "nats", 1},
                            {"Standard error of the difference", "nats", 1},
                            {"p_loo", "", 1},
                            {"Rows with k over 0.7"}},
                .rows    = {}};
    for (const auto r : order) {
        const auto sum   = loo_summary(figures[r]->rows);
        auto differences = figures[r]->rows;
        for (std::size_t i = 0; i < differences.size(); ++i)
            differences[i].elpd -= figures[order.front()]->rows[i].elpd;
        const auto difference = loo_summary(differences);
        table.rows.push_back({names[r], sum.elpd, sum.standard_error, difference.elpd, difference.standard_error,
                              sum.p_loo, static_cast<long>(sum.over_limit)});
        bars.bars.push_back({.position = static_cast<double>(bars.bars.size()),
                             .lower    = difference.elpd - 2 * difference.standard_error,
                             .centre   = difference.elpd,
                             .upper    = difference.elpd + 2 * difference.standard_error,
                             .tone     = category(static_cast<int>(r))});
        panel.x.categories.push_back(names[r]);
    }
    panel.x.range = Range{-0.5, static_cast<double>(bars.bars.size()) - 0.5};
    panel.series  = {std::move(bars)};
    chart.panels  = {std::move(panel)};
    chart.table   = std::move(table);
    chart.caption = "Leave-one-out scores by Pareto smoothed importance sampling, the best run first. Differences are "
                    "paired by training row. Runs with rows over 0.7 are usually scored too high."
                    + settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View loo_view()
{
    return {
        .id    = "loo",
        .title = "Leave-one-out (PSIS-LOO)",
        .group = ViewGroup::scores,
        .help =
            "Estimates how well each training row would be predicted if it had been left out, without training again. "
            "The samples are weighted by 1/p(y_i | w), and the largest weights are smoothed by a generalised Pareto "
            "distribution. Its shape k measures reliability: up to 0.5 the estimate is reliable; over 0.7 a few "
            "samples dominate it, and the value of the row is unreliable. Such rows influence the posterior strongly: "
            "they are outliers or rare inputs, or the network is too flexible for the data. Right: the mean over rows "
            "next to the score of the held-out rows. Recalibration is not applied. Chains sample the posterior itself; "
            "samples of variational posteriors and Laplace approximations are treated as if they came from it. Source: "
            "Vehtari, Gelman and Gabry 2017; Vehtari et al. 2024.",
        .cost         = Cost::slow,
        .with_results = false,
        .many_targets = ManyTargets::refused,
        .why_not      = why_not_loo,
        .make         = make_loo,
        .compare      = compare_loo};
}

}   // namespace credence
