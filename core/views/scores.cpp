// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scores.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/baselines.h"
#include "runs/derived_runs.h"
#include "runs/result_cache.h"
#include "views/conformal_sets.h"
#include "views/recalibration_fit.h"
#include "views/run_summary.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr const char* impossible_rows = "Rows whose true class has probability 0 (NLL is infinite)";

struct ScoreRows {
    Table table{.columns = {{"Score"}, {"Value"}, {"Unit"}}, .rows = {}};

    void add(const std::string& name, double value, const std::string& unit = "")
    {
        table.rows.push_back({name, value, unit});
    }
    void add_count(const std::string& name, long value) { table.rows.push_back({name, value, std::string()}); }
};

/// Scores that do not need the true classes.
Table scores_without_labels(const ScoredPredictions& scored)
{
    ScoreRows rows;
    const auto& all     = scored.set.classes;
    const auto& verdict = scored.at_level();
    const auto n        = static_cast<double>(scored.rows.size());
    const auto mean     = [&](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / n;
    };
    const auto share = [&](const std::vector<char>& certain) {
        return static_cast<double>(std::count(certain.begin(), certain.end(), 1)) / n;
    };
    rows.add_count("Inputs", static_cast<long>(scored.rows.size()));
    rows.add("Mean confidence (MMC)", mean(all.confidence));
    rows.add("Mean predictive entropy", mean(all.entropy), "nats");
    rows.add("Mean aleatoric part", mean(all.expected_entropy), "nats");
    rows.add("Mean epistemic part", mean(all.mutual_information), "nats");
    rows.add("Share certain by (i) at " + percent_text(scored.level), share(verdict.disjoint));
    rows.add("Share certain by (ii) at " + percent_text(scored.level), share(verdict.probable));
    return rows.table;
}

/// Agreement with the human labels of these images, if there are any.
void add_human_scores(ScoreRows& rows, const Experiment& experiment, const ScoredPredictions& scored,
                      const Dataset& set)
{
    const auto humans = matched_human_labels(experiment, set).labels;
    if (!humans)
        return;
    const auto found = human_comparison(scored.set.classes, scored.rows, *humans);
    rows.add("Human labels: cross-entropy", found.cross_entropy, "nats per example");
    rows.add("Human labels: KL divergence from the prediction", found.divergence, "nats per example");
    rows.add("Human labels: total variation distance", found.total_variation);
    rows.add("Human labels: accuracy against their majority", found.accuracy);
    rows.add("Human labels: their mean entropy", found.human_entropy, "nats");
    if (found.with_entropy)
        rows.add("Human labels: rank correlation of the entropies", *found.with_entropy);
    if (found.with_aleatoric)
        rows.add("Human labels: rank correlation with the aleatoric part", *found.with_aleatoric);
}

/// @param set  the rows that `scored` predicts
ScoreTable class_scores(const RunSnapshot& run, const std::shared_ptr<const ScoredPredictions>& scored,
                        const Dataset& set)
{
    ScoreRows rows;
    if (!scored || scored->rows.empty())
        return {.table = rows.table};
    if (scored->labels.empty())   // imported predictions can lack labels
        return {.table = scores_without_labels(*scored)};
    const auto& all     = scored->set.classes;
    const auto& verdict = scored->at_level();
    const double level  = scored->level;
    const auto disjoint = std::count(verdict.disjoint.begin(), verdict.disjoint.end(), 1),
               probable = std::count(verdict.probable.begin(), verdict.probable.end(), 1);
    const auto s        = classification_scores(all, scored->labels);
    rows.add_count("Inputs", s.n);
    rows.add("Error", s.error);
    rows.add("Accuracy", s.accuracy);
    rows.add("NLL", s.nll, "nats per example");
    rows.add("Log likelihood, sum", s.log_likelihood_sum, "nats");
    const auto kind = run.experiment->study.prediction.recalibration;
    if (kind != RecalibrationKind::none)
        if (const auto calibrated = calibrated_log_likelihood(all, scored->labels))
            rows.add("Calibrated log likelihood", *calibrated, "nats per example");
    if (s.impossible > 0)   // rounding before saving: no softmax is exactly 0
        rows.add_count(impossible_rows, s.impossible);
    rows.add("Brier score, summed over classes", s.brier);
    rows.add("Brier score, mean over classes", s.brier_class_mean);
    rows.add("Expected calibration error, 15 bins", s.ece);
    rows.add("Mean confidence (MMC)", s.mmc);
    rows.add("Mean predictive entropy", s.mean_entropy, "nats");
    rows.add("Mean aleatoric part", s.mean_expected_entropy, "nats");
    rows.add("Mean epistemic part", s.mean_mutual_information, "nats");
    rows.add("Share certain by (i) at " + percent_text(level), static_cast<double>(disjoint) / s.n);
    rows.add("Share certain by (ii) at " + percent_text(level), static_cast<double>(probable) / s.n);

    std::vector<double> right, wrong;
    const auto correct = correct_each(all, scored->labels);
    const auto score   = confidence_scores(all);
    for (int i = 0; i < all.n_inputs; ++i)
        (correct[i] ? right : wrong).push_back(score[i]);
    if (!right.empty() && !wrong.empty())
        rows.add("AUROC of confidence, right against wrong", auroc(right, wrong));
    if (const auto& training = run.experiment->data->training; !training.labels.empty()) {
        const auto baseline = class_baseline(training.labels, scored->labels, training.n_classes());
        rows.add("Baseline: accuracy of the majority class", baseline.accuracy);
        rows.add("Baseline: NLL of the class frequencies", baseline.nll, "nats per example");
    }
    add_human_scores(rows, *run.experiment, *scored, set);
    return {.table = rows.table, .classes = s};
}

/// @return  the baseline of least squares
std::optional<NumberBaseline> add_baselines(const RunSnapshot& run, const ScoredSet& set, const std::string& unit,
                                            ScoreRows& rows)
{
    const auto& data = *run.experiment->data;
    if (data.training.targets.empty() || data.training_inputs.empty())   // imported predictions
        return {};
    const std::vector<double> training(data.training.targets.begin(), data.training.targets.end()),
        scored(set.data->targets.begin(), set.data->targets.end());
    const auto add = [&](const std::optional<NumberBaseline>& baseline, const std::string& of) {
        if (baseline) {
            rows.add("Baseline: RMSE of " + of, baseline->rmse, unit);
            rows.add("Baseline: NLL of " + of, baseline->nll, "nats per example");
        }
    };
    add(mean_baseline(training, scored), "the mean");
    const auto least_squares = least_squares_baseline(data.training_inputs, training, set.inputs, scored,
                                                      data.training.n_features);
    add(least_squares, "least squares");
    return least_squares;
}

/// Identifies the scores of a regression.
struct RegressionKey {
    WeakSnapshot run;
    std::size_t part = 0;   ///< of the run's data

    RegressionKey(const RunSnapshot& run, const Dataset* rows) : run(run)
    {
        const auto& data       = *run.experiment->data;
        const Dataset* parts[] = {&data.training, &data.test, &data.final_test, &data.calibration};
        part                   = static_cast<std::size_t>(std::ranges::find(parts, rows) - parts);
    }
    bool expired() const { return run.expired(); }
    bool operator==(const RegressionKey&) const = default;
};

/// The scores that are means over the rows; the RMSE is the root of one.
constexpr double RegressionScores::*means_of_scores[] = {
    &RegressionScores::mae,           &RegressionScores::nll,
    &RegressionScores::crps,          &RegressionScores::coverage,
    &RegressionScores::mean_width,    &RegressionScores::interval_score,
    &RegressionScores::mean_noise_sd, &RegressionScores::mean_function_sd,
    &RegressionScores::mean_fourth,   &RegressionScores::function_coverage};

ResultCache<RegressionKey, RegressionScores>& kept_regression_scores()
{
    static ResultCache<RegressionKey, RegressionScores> memory(256);
    return memory;
}

/// Computes the scores of each target from one set of weight samples, in the same blocks as for a
/// single target.
/// @param targets  run_of_target of each
/// @param sets     their rows, with the same inputs
/// @return         empty: stopped
std::vector<RegressionScores> regression_scores_on(const RunSnapshot& run, std::span<const RunSnapshot> targets,
                                                   std::span<const ScoredSet> sets, const std::stop_token& stop)
{
    constexpr std::size_t values_at_once = 2'000'000;
    const auto& set                      = sets.front();
    const double level                   = run.experiment->study.prediction.level;
    std::vector<RegressionScores> sums(targets.size(), RegressionScores{.level = level});
    bool whole     = true;
    const auto add = [&](const OutputSamples& outputs, std::size_t from) {
        require_finite(view_of(outputs), from);
        const auto first = static_cast<std::ptrdiff_t>(from);
        for (std::size_t t = 0; t < targets.size() && whole; ++t) {
            const auto samples = samples_of_target(targets[t], outputs, t, stop);
            if (!samples) {
                whole = false;
                return;
            }
            const auto begin = sets[t].data->targets.begin() + first;
            const auto part  = regression_scores(*samples, std::vector<double>(begin, begin + outputs.n_inputs), level);
            const double n   = part.n;
            auto& sum        = sums[t];
            sum.n += part.n;
            sum.rmse += n * part.rmse * part.rmse;
            for (const auto mean : means_of_scores)
                sum.*mean += n * part.*mean;
        }
    };
    const bool done = unrecalibrated_predictive_of(run, {}).stream_outputs(
        set.inputs, static_cast<int>(set.data->n_features), stop, add, values_at_once * targets.size());
    if (!done || !whole)
        return {};
    for (auto& sum : sums)
        if (sum.n > 0) {
            sum.rmse = std::sqrt(sum.rmse / sum.n);
            for (const auto mean : means_of_scores)
                sum.*mean /= sum.n;
        }
    return sums;
}

/// Computes the scores of all targets together, unless all of them are cached.
/// @param rows  of a run with one target
void score_targets_together(const RunSnapshot& run, const std::function<ScoredSet(const Experiment&)>& rows,
                            const std::stop_token& stop)
{
    auto& memory = kept_regression_scores();
    std::vector<RunSnapshot> targets;
    std::vector<ScoredSet> sets;
    bool known = true;
    for (std::size_t t = 0; t < run.experiment->data->training.n_targets(); ++t) {
        targets.push_back(run_of_target(run, t));
        sets.push_back(rows(*targets.back().experiment));
        known = known && memory.find({targets.back(), sets.back().data});
    }
    if (known)
        return;
    const auto found = regression_scores_on(run, targets, sets, stop);
    for (std::size_t t = 0; t < found.size(); ++t)
        memory.find_or_make({targets[t], sets[t].data}, stop,
                            [&] { return std::make_shared<const RegressionScores>(found[t]); });
}

/// Divisor n; exactly 0 if all are equal.
double sd_of_targets(const Dataset& rows)
{
    const auto [least, most] = std::ranges::minmax(rows.targets);
    if (least == most)
        return 0;   // the mean has rounding errors
    const double mean = mean_of(rows.targets);
    double squares    = 0;
    for (const double y : rows.targets)
        squares += (y - mean) * (y - mean) / static_cast<double>(rows.n_rows);
    return std::sqrt(squares);
}

/// Scores of a numeric target. Cached, since several views and the summary of a run show them.
ScoreTable number_scores(const RunSnapshot& run, const ScoredSet& set, const std::stop_token& stop)
{
    const auto known = kept_regression_scores().find_or_make(
        {run, set.data}, stop, [&]() -> std::shared_ptr<const RegressionScores> {
            const auto found = regression_scores_on(run, {&run, 1}, {&set, 1}, stop);
            return found.empty() ? nullptr : std::make_shared<const RegressionScores>(found.front());
        });
    ScoreRows rows;
    if (!known || known->n == 0)
        return {.table = rows.table};
    const auto& s           = *known;
    const std::string level = percent_text(s.level), unit = target_unit(set.data->target_name);
    const auto range = share_interval(std::lround(s.coverage * s.n), s.n);
    rows.add_count("Inputs", s.n);
    rows.add("RMSE", s.rmse, unit);
    rows.add("MAE", s.mae, unit);
    rows.add("NLL", s.nll, "nats per example");
    if (run.experiment->study.prediction.recalibration != RecalibrationKind::none)
        rows.add("Log likelihood, calibrated on the calibration rows", -s.nll, "nats per example");
    rows.add("CRPS", s.crps, unit);
    rows.add("Coverage of the " + level + " predictive interval", s.coverage);
    rows.add("Lower end of the binomial 95 % interval of this coverage", range.first);
    rows.add("Upper end of the binomial 95 % interval of this coverage", range.second);
    rows.add("Coverage of the " + level + " credible interval of f", s.function_coverage);
    rows.add("Mean width of the predictive interval", s.mean_width, unit);
    rows.add("Interval score of the " + level + " predictive interval", s.interval_score, unit);
    rows.add("Mean standard deviation of f", s.mean_function_sd, unit);
    rows.add("Mean standard deviation of the noise", s.mean_noise_sd, unit);
    const auto least_squares = add_baselines(run, set, unit, rows);
    return {.table              = rows.table,
            .regression         = s,
            .unit               = unit,
            .target_sd          = sd_of_targets(*set.data),
            .least_squares_rmse = least_squares ? std::optional(least_squares->rmse) : std::nullopt};
}

/// Adds coverage and mean size of conformal sets or intervals, if the Study requests them.
void add_conformal_scores(Table& table, const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (why_no_conformal(*run.experiment) || table.rows.empty())
        return;
    const bool classes = run.experiment->task() == Task::classification;
    std::shared_ptr<const ConformalEvaluation> found;
    try {
        found = conformal_evaluation(run, classes ? options : ViewOptions(), stop);
    } catch (const Error&) {
        return;   // the view conformal shows the reason
    }
    if (!found || found->test.scores.empty())
        return;
    const auto level = percent_text(found->calibration->level);
    const auto share = found->coverage();
    const auto range = share_interval(std::lround(share * static_cast<double>(found->test.scores.size())),
                                      static_cast<long>(found->test.scores.size()));
    ScoreRows rows{.table = std::move(table)};
    rows.add("Coverage of the " + level + " conformal " + (classes ? "sets" : "intervals"), share);
    rows.add("Lower end of the binomial 95 % interval of the conformal coverage", range.first);
    rows.add("Upper end of the binomial 95 % interval of the conformal coverage", range.second);
    rows.add(classes ? "Mean size of the conformal sets" : "Mean width of the conformal intervals",
             mean_of(found->test.sizes), classes ? "classes" : target_unit(run.experiment->data->training.target_name));
    table = std::move(rows.table);
}

/// Adds the fitted recalibration, if the Study requests one.
void add_recalibration(Table& table, const RunSnapshot& run, const std::stop_token& stop)
{
    if (table.rows.empty())
        return;
    const auto fitted = recalibration_of(run, stop);
    if (!fitted || fitted->kind == RecalibrationKind::none)
        return;
    ScoreRows rows{.table = std::move(table)};
    if (fitted->kind == RecalibrationKind::temperature)
        rows.add("Recalibration: temperature T", fitted->temperature);
    if (fitted->of_numbers())
        rows.add("Recalibration: factor c of the standard deviation", fitted->factor);
    if (fitted->kind == RecalibrationKind::cdf)
        rows.add_count("Recalibration: segments of the map of levels", static_cast<long>(fitted->levels.n_segments()));
    rows.add("Recalibration: NLL of the calibration rows before", fitted->nll_before, "nats per example");
    rows.add("Recalibration: NLL of the calibration rows after", fitted->nll_after, "nats per example");
    table = std::move(rows.table);
}

std::optional<Chart> make_scores(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    Chart chart{.id = "scores", .title = "Scores"};
    chart.table      = scores(run, stop, options);
    const auto tests = final_test_set(*run.experiment);
    if (tests && !stop.stop_requested())
        chart.table = scores_side_by_side(*chart.table, final_test_scores(run, stop, options));
    if (stop.stop_requested())
        return {};
    const auto set = scored_set(*run.experiment);
    const auto n   = static_cast<std::size_t>(std::max(0, options.rows));
    chart.caption  = "Scores on the " + set.name
                    + (n > 0 && n < set.data->n_rows && run.experiment->task() == Task::classification
                           ? ", " + std::to_string(n) + " of " + std::to_string(set.data->n_rows)
                           : "")
                    + (tests ? ", and on the test set of " + std::to_string(tests->data->n_rows) + " rows" : "") + ".";
    if (run.experiment->study.prediction.recalibration != RecalibrationKind::none)
        chart.caption += " Recalibrated.";
    if (run.experiment->outputs && !run.experiment->outputs->own.note.empty())
        chart.caption += " " + run.experiment->outputs->own.note;
    return with_setting(std::move(chart), run, predictive_of(run, options).n_samples());
}

/// Lists the mean of the targets' relative RMSEs, the sum of their NLLs (the NLL of a row if its
/// targets are independent given the inputs), and then the scores of each target in turn.
/// @param make  scores of a run with one target; without rows: stopped
ScoreTable scores_of_targets(const RunSnapshot& run, const std::function<ScoreTable(const RunSnapshot&)>& make)
{
    const auto names = run.experiment->data->training.target_names();
    ScoreTable first;
    ScoreRows sum, each;
    double nll = 0, relative = 0;
    for (std::size_t t = 0; t < names.size(); ++t) {
        ScoreTable one = make(run_of_target(run, t));
        if (!one.regression)
            return {.table = ScoreRows{}.table};
        nll += one.regression->nll;
        relative += one.regression->rmse / one.target_sd / static_cast<double>(names.size());
        for (auto& row : one.table.rows) {
            auto& cells = (std::get<std::string>(row[0]) == "Inputs" ? sum : each).table.rows;
            if (&cells == &sum.table.rows && !cells.empty())
                continue;
            if (&cells == &each.table.rows)
                row[0] = std::get<std::string>(row[0]) + ", " + names[t];
            cells.push_back(row);
        }
        if (t == 0)
            first = std::move(one);
    }
    if (std::isfinite(relative))   // no target is constant
        sum.add(relative_rmse_name, relative);
    sum.add("NLL, sum over independent targets", nll, "nats per example");
    sum.table.rows.insert(sum.table.rows.end(), each.table.rows.begin(), each.table.rows.end());
    first.table  = std::move(sum.table);
    first.target = names.front();
    return first;
}

}   // namespace

ScoreTable score_table(const RunSnapshot& run, std::stop_token stop, const ViewOptions& options)
{
    if (run.experiment->data->training.n_targets() > 1) {
        score_targets_together(run, scored_set, stop);
        return scores_of_targets(run, [&](const RunSnapshot& one) { return score_table(one, stop, options); });
    }
    const auto set = scored_set(*run.experiment);
    auto found     = run.experiment->task() == Task::classification
                         ? class_scores(run, scored_predictions(run, options, stop), *set.data)
                         : number_scores(run, set, stop);
    if (!final_test_set(*run.experiment)) {
        add_conformal_scores(found.table, run, options, stop);
        add_recalibration(found.table, run, stop);
    }
    return found;
}

Table scores(const RunSnapshot& run, std::stop_token stop, const ViewOptions& options)
{
    return score_table(run, std::move(stop), options).table;
}

std::optional<FinalScore> final_score_in(const Table& scores)
{
    using enum FinalScore::Metric;
    for (const auto& [name, metric] :
         {std::pair{"Accuracy", accuracy}, std::pair{"RMSE", rmse}, std::pair{relative_rmse_name, relative_rmse}})
        for (const auto& row : scores.rows)
            if (row[0] == Cell(std::string(name)))
                return FinalScore{metric, std::get<double>(row[1])};
    return {};
}

Table final_test_scores(const RunSnapshot& run, std::stop_token stop, const ViewOptions& options)
{
    const auto set = final_test_set(*run.experiment);
    if (!set)
        return ScoreRows{}.table;
    Table table = run.experiment->task() == Task::classification
                      ? class_scores(run, final_test_predictions(run, options, stop), *set->data).table
                      : number_scores(run, *set, stop).table;
    add_conformal_scores(table, run, options, stop);
    add_recalibration(table, run, stop);
    return table;
}

Table calibration_scores(const RunSnapshot& run, std::stop_token stop)
{
    const auto set = calibration_set(*run.experiment);
    if (!set || run.experiment->task() == Task::classification)
        return ScoreRows{}.table;
    if (run.experiment->data->training.n_targets() > 1) {
        const auto rows = [](const Experiment& one) { return calibration_set(one).value(); };
        score_targets_together(run, rows, stop);
        const auto make = [&](const RunSnapshot& one) { return number_scores(one, rows(*one.experiment), stop); };
        return scores_of_targets(run, make).table;
    }
    return number_scores(run, *set, stop).table;
}

Table scores_side_by_side(const Table& validation, const Table& test)
{
    Table both{.columns = {{"Score"}, {"Validation set"}, {"Test set"}, {"Unit"}}, .rows = {}};
    for (const auto& row : validation.rows)
        both.rows.push_back({row[0], row[1], std::string(), row[2]});
    for (const auto& row : test.rows) {
        const auto same = std::ranges::find_if(both.rows, [&](const auto& other) { return other[0] == row[0]; });
        if (same == both.rows.end())
            both.rows.push_back({row[0], std::string(), row[1], row[2]});
        else
            (*same)[2] = row[1];
    }
    return both;
}

std::optional<Chart> compare_scores(std::span<const RunSnapshot> runs, std::stop_token stop)
{
    Chart chart{.id = "compare_scores", .title = "Scores side by side"};
    if (runs.empty()) {
        chart.message = "No run is selected. Tick the runs to compare.";
        return chart;
    }
    const auto names = view_support::names_of(runs);

    std::vector<std::string> settings;
    Table table{.columns = {{"Score"}}, .rows = {}};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto own   = scores(runs[r], stop);
        const auto tests = final_test_scores(runs[r], stop);
        if (stop.stop_requested())
            return {};
        table.columns.push_back({names[r]});
        for (auto& row : table.rows)
            row.emplace_back(std::string());
        const auto add = [&](const Table& scores_of_run, const std::string& set) {
            for (const auto& score : scores_of_run.rows) {
                const auto& unit = std::get<std::string>(score[2]);
                const Cell name  = std::get<std::string>(score[0]) + set + (unit.empty() ? "" : " [" + unit + "]");
                auto row         = std::find_if(table.rows.begin(), table.rows.end(),
                                                [&](const auto& other) { return other.front() == name; });
                if (row == table.rows.end()) {
                    row          = table.rows.insert(table.rows.end(), std::vector<Cell>(r + 2, std::string()));
                    row->front() = name;
                }
                row->back() = score[1];
            }
        };
        add(tests.rows.empty() ? own : tests, "");
        if (!tests.rows.empty())
            add(own, ", validation set");
        settings.push_back(view_support::setting_of(runs[r]));
    }
    chart.table   = std::move(table);
    chart.caption = "Scores of " + std::to_string(runs.size()) + " runs, each on its own test set."
                    + settings_side_by_side(names, settings);
    return chart;
}

View scores_view()
{
    return {
        .id    = "scores",
        .title = "Scores",
        .group = ViewGroup::scores,
        .help =
            "All scores of the run on its test set; on both sets if the run has validation images. NLL = −mean ln "
            "p̄(true class), nats: a proper score of the probabilities. Brier = mean Σ (p̄ − 1[true])², summed over "
            "classes, 0 to 2. ECE: calibration. MMC: mean confidence. For regression: RMSE, mean absolute error (MAE), "
            "NLL, and the continuous ranked probability score of the mixture over samples, CRPS = E|Y − y| − ½ E|Y − "
            "Y′|, in target units. Coverage is the share of targets inside the predictive interval, which should equal "
            "its level; its range is the exact 95 % interval of that share (Clopper and Pearson 1934). The interval "
            "score is the width of the interval plus 2/(1 − α) times the distance of each target outside it (Gneiting "
            "and Raftery 2007). Baselines are scores without a network, computed from the training rows. For classes "
            "they always predict the majority class, or the class frequencies (n_k + 1)/(N + K) as probabilities. For "
            "regression they predict the mean of the targets, or use ordinary least squares. A network that does not "
            "beat these baselines has learned nothing useful. With several numeric targets, each has its own scores. "
            "One number for all is the mean of their RMSEs, each divided by the standard deviation of the target in "
            "these rows: predicting the mean gives 1. The sum of their NLLs treats the targets of a row as independent "
            "given the inputs. ",
        .asks         = Asks::outputs,
        .cost         = Cost::all_rows,
        .many_targets = ManyTargets::all,
        .make         = make_scores};
}

}   // namespace credence
