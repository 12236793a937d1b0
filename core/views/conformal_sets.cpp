// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/conformal_sets.h"

#include "data/table_schema.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "runs/other_data.h"
#include "runs/result_cache.h"
#include "study/source.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace credence::view_support {

std::optional<std::string> why_no_conformal(const Experiment& experiment)
{
    const auto score = experiment.study.prediction.conformal.score;
    if (score == ConformalScore::none)
        return "No conformal score is set. Choose one in Prediction (prediction.conformal).";
    if ((experiment.task() == Task::classification) != is_of_classes(score))
        return is_of_classes(score)
                   ? "THR, APS and RAPS need classes. Choose absolute, normalised or cqr for a numeric target."
                   : "This conformal score needs a numeric target. Choose thr, aps or raps for classes.";
    if (!calibration_set(experiment))
        return "No rows are set aside for calibration. Set split.calibration_fraction above 0 (images: "
               "data.validation_images) and train again.";
    return {};
}

namespace {

/// The inputs made from a column of the table: several for a category, or one with its missing mark.
std::vector<std::size_t> features_of_column(const Dataset& data, const std::string& column)
{
    std::vector<std::size_t> found;
    std::size_t next = 0;
    for (const auto& read : data.schema ? data.schema->columns : std::vector<TableColumn>()) {
        for (std::size_t j = next; read.name == column && j < next + read.n_inputs(); ++j)
            found.push_back(j);
        next += read.n_inputs();
    }
    if (const auto named = std::ranges::find(data.feature_names, column);
        found.empty() && named != data.feature_names.end())
        found.push_back(static_cast<std::size_t>(named - data.feature_names.begin()));
    if (found.empty())
        throw Error("prediction.conformal_column", "prediction.conformal_column is \"" + column
                                                       + "\", expected the name of an input column of " + data.name
                                                       + ".");
    return found;
}

/// "colour=red", "rooms = 3"
std::string name_of_group(const Dataset& data, std::span<const std::size_t> columns, std::size_t row)
{
    const auto values = data.row(row).subspan(0, data.n_features);
    for (const auto column : columns)
        if (columns.size() > 1 && values[column] == 1 && data.feature_names[column].find('=') != std::string::npos)
            return data.feature_names[column];
    return data.feature_names[columns.front()] + " = " + number_text(values[columns.front()], 6);
}

std::vector<float> group_values(std::span<const float> input, std::span<const std::size_t> columns)
{
    std::vector<float> values;
    for (const auto column : columns)
        values.push_back(input[column]);
    return values;
}

/// Finds or makes the group of a calibration row.
std::size_t group_of_calibration_row(ConformalCalibration& out, const Dataset& data, std::span<const float> input,
                                     std::size_t row, std::optional<int> label)
{
    if (out.by != ConformalBy::column)
        return out.group_of(input, label).value();
    const auto [at, is_new] = out.group_of_values.try_emplace(group_values(input, out.columns), out.scores.size());
    if (is_new) {
        constexpr std::size_t most_groups = 1000;
        if (out.scores.size() == most_groups)
            throw Error("prediction.conformal_column", "The column " + data.feature_names[out.columns.front()]
                                                           + " has more than " + std::to_string(most_groups)
                                                           + " different values, expected a column of groups.");
        out.scores.emplace_back();
        out.groups.push_back(name_of_group(data, out.columns, row));
    }
    return at->second;
}

ConformalCalibration conformal_groups_of(const Experiment& experiment, const ScoredSet& set)
{
    const auto& prediction = experiment.study.prediction;
    ConformalCalibration out{.options = prediction.conformal,
                             .by      = prediction.conformal_by,
                             .level   = prediction.level,
                             .seed    = experiment.study.seed,
                             .rows    = set.name};
    if (out.by == ConformalBy::all) {
        out.scores.resize(1);
        out.groups = {"all rows"};
    } else if (out.by == ConformalBy::class_) {
        for (std::size_t k = 0; k < experiment.data->training.n_classes(); ++k)
            out.groups.push_back(class_name(experiment.data->training.class_names, static_cast<int>(k)));
        out.scores.resize(out.groups.size());
    } else
        out.columns = features_of_column(experiment.data->training, prediction.conformal_column);
    return out;
}

std::span<const float> conformal_input(std::span<const float> inputs, std::size_t d, std::size_t row)
{
    return inputs.subspan(row * d, d);
}

/// The predictions at many rows, in the blocks of the view test_rows. Empty: stopped.
std::optional<std::vector<PredictedNumber>> conformal_numbers(const RunSnapshot& run, const ViewOptions& options,
                                                              std::span<const float> inputs,
                                                              std::span<const std::size_t> rows,
                                                              const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& prediction = experiment.study.prediction;
    std::vector<PredictedNumber> all;
    const auto add = [&](const RegressionSamples& samples, std::size_t) {
        const auto some = predicted_numbers(samples, prediction.conformal.score, prediction.level);
        all.insert(all.end(), some.begin(), some.end());
    };
    if (!stream_numbers(run, options, inputs, rows, stop, add))
        return {};
    return all;
}

/// Empty: stopped.
std::optional<ConformalCalibration> calibrated_on(const RunSnapshot& run, const ViewOptions& options,
                                                  const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    if (const auto why = why_no_conformal(experiment))
        throw Error("prediction.conformal", *why);
    const auto set      = calibration_set(experiment).value();
    const std::size_t d = experiment.data->training.n_features;
    auto out            = conformal_groups_of(experiment, set);
    const bool halved   = halves_calibration_rows(experiment);
    if (halved)
        out.rows += " that the recalibration does not use";
    const auto add = [&](std::size_t row, std::optional<int> label, double score) {
        const auto group = group_of_calibration_row(out, *set.data, conformal_input(set.inputs, d, row), row, label);
        out.scores[group].push_back(score);
        ++out.n;
    };
    if (experiment.task() == Task::regression) {
        const auto rows      = calibration_rows_for(CalibrationUse::conformal, experiment, set.data->n_rows);
        const auto predicted = conformal_numbers(run, options, set.inputs, rows, stop);
        if (!predicted)
            return {};
        for (std::size_t i = 0; i < predicted->size(); ++i)
            add(rows[i], {}, number_conformal_score(out.options.score, (*predicted)[i], set.data->targets[rows[i]]));
    } else {
        const auto predicted = calibration_predictions(run, options, stop);
        if (!predicted)
            return {};
        const auto halves = halved ? calibration_halves(experiment.data->calibration_groups, set.data->n_rows)
                                   : std::vector<CalibrationUse>();
        for (std::size_t i = 0; i < predicted->rows.size(); ++i) {
            if (halved && halves[predicted->rows[i]] != CalibrationUse::conformal)
                continue;
            const auto input  = conformal_input(set.inputs, d, predicted->rows[i]);
            const auto scores = class_conformal_scores(out.options, predicted->set.classes.mean_of(static_cast<int>(i)),
                                                       conformal_share(out.options, out.seed, input));
            add(predicted->rows[i], predicted->labels[i], scores[static_cast<std::size_t>(predicted->labels[i])]);
        }
    }
    for (auto& group : out.scores)
        std::sort(group.begin(), group.end());
    return out;
}

/// @param labels  empty: unknown
ConformalRows conformal_rows_of_classes(const ConformalCalibration& calibration, const ScoredPredictions& predicted,
                                        std::span<const float> inputs, std::size_t d, std::span<const int> labels)
{
    ConformalRows out{.name = predicted.name};
    const bool with_first = calibration.options.score != ConformalScore::thr && !calibration.options.randomised;
    for (std::size_t i = 0; i < predicted.rows.size(); ++i) {
        const auto input = conformal_input(inputs, d, predicted.rows[i]);
        const auto p     = predicted.set.classes.mean_of(static_cast<int>(i));
        out.sizes.push_back(static_cast<double>(calibration.set(p, input).size()));
        out.spreads.push_back(predicted.set.classes.entropy[i]);
        if (labels.empty())
            continue;
        const int label = labels[i];
        out.labels.push_back(label);
        out.scores.push_back(class_conformal_scores(calibration.options, p,
                                                    conformal_share(calibration.options, calibration.seed, input))
                                 .at(static_cast<std::size_t>(label)));
        out.groups.push_back(calibration.group_of(input, label));
        out.always.push_back(with_first && predicted.set.classes.predicted[i] == label);
    }
    return out;
}

/// @param targets  empty: unknown
ConformalRows conformal_rows_of_numbers(const ConformalCalibration& calibration,
                                        std::span<const PredictedNumber> predicted, std::span<const float> inputs,
                                        std::size_t d, std::span<const double> targets)
{
    ConformalRows out;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const auto input          = conformal_input(inputs, d, i);
        const auto [lower, upper] = calibration.interval(predicted[i], input);
        out.sizes.push_back(upper - lower);
        out.spreads.push_back(predicted[i].sd);
        if (targets.empty())
            continue;
        out.scores.push_back(number_conformal_score(calibration.options.score, predicted[i], targets[i]));
        out.groups.push_back(calibration.group_of(input));
        out.always.push_back(0);
    }
    return out;
}

/// Distances from the training mean in standard deviations of the training inputs.
std::vector<std::size_t> farthest_rows(const SplitData& data, std::span<const float> inputs,
                                       std::span<const std::uint32_t> rows)
{
    const std::size_t d = data.training.n_features, n = data.training_inputs.size() / d;
    std::vector<double> mean(d), square(d);
    for (std::size_t i = 0; i < n * d; ++i) {
        mean[i % d] += data.training_inputs[i] / static_cast<double>(n);
        square[i % d] += static_cast<double>(data.training_inputs[i]) * data.training_inputs[i]
                         / static_cast<double>(n);
    }
    std::vector<double> distance;
    for (const auto row : rows) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) {
            const double variance = square[j] - mean[j] * mean[j], gap = inputs[row * d + j] - mean[j];
            sum += variance > 1e-12 ? gap * gap / variance : 0;
        }
        distance.push_back(sum);
    }
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });
    order.resize(rows.size() / 10);
    return order;
}

/// Empty: stopped.
std::optional<ConformalEvaluation> evaluated_on(const RunSnapshot& run, const ViewOptions& options,
                                                const std::stop_token& stop)
{
    ConformalEvaluation out{.calibration = conformal_calibration(run, options, stop), .test = {}};
    if (!out.calibration)
        return {};
    const auto& data    = *run.experiment->data;
    const auto last     = final_test_set(*run.experiment);
    const auto set      = last ? *last : scored_set(*run.experiment);
    const std::size_t d = data.training.n_features;
    std::vector<std::uint32_t> rows(set.data->n_rows);
    std::iota(rows.begin(), rows.end(), 0u);
    if (run.experiment->task() == Task::classification) {
        const auto predicted = last ? final_test_predictions(run, options, stop)
                                    : scored_predictions(run, options, stop);
        if (!predicted)
            return {};
        out.test = conformal_rows_of_classes(*out.calibration, *predicted, set.inputs, d, predicted->labels);
        rows     = predicted->rows;
    } else {
        const auto predicted = conformal_numbers(run, options, set.inputs,
                                                 evenly_spaced(set.data->n_rows, set.data->n_rows), stop);
        if (!predicted)
            return {};
        const std::vector<double> targets(set.data->targets.begin(), set.data->targets.end());
        out.test      = conformal_rows_of_numbers(*out.calibration, *predicted, set.inputs, d, targets);
        out.test.name = set.name;
    }
    if (!data.image)
        out.remote = farthest_rows(data, set.inputs, rows);
    return out;
}

/// Identifies results by snapshot and options.
using ConformalKey = SnapshotKey<int, int>;   // samples and rows

ConformalKey conformal_key(const RunSnapshot& run, const ViewOptions& options)
{
    return {run, predictive_of(run, options).n_samples(), options.rows};
}

template <class Value>
std::shared_ptr<const Value> shared_result(std::optional<Value> value)
{
    return value ? std::make_shared<const Value>(std::move(*value)) : nullptr;
}

/// The labels of out-of-distribution images as classes of the network; empty if some have none.
std::vector<int> labels_of_ood(const OtherData& other, std::span<const std::uint32_t> rows,
                               const std::vector<std::string>& class_names)
{
    std::vector<int> labels;
    for (const auto row : rows) {
        if (row >= other.labels.size() || other.labels[row] < 0)
            return {};
        const auto name = class_name(other.class_names, other.labels[row]);
        const auto at   = std::find(class_names.begin(), class_names.end(), name);
        if (at == class_names.end())
            return {};
        labels.push_back(static_cast<int>(at - class_names.begin()));
    }
    return labels;
}

}   // namespace

std::optional<std::size_t> ConformalCalibration::group_of(std::span<const float> input, std::optional<int> label) const
{
    if (by == ConformalBy::all)
        return 0;
    if (by == ConformalBy::class_)
        return label ? std::optional(static_cast<std::size_t>(*label)) : std::nullopt;
    const auto found = group_of_values.find(group_values(input, columns));
    return found == group_of_values.end() ? std::nullopt : std::optional(found->second);
}

double ConformalCalibration::threshold(std::optional<std::size_t> group, double at_level) const
{
    return group ? conformal_quantile(scores[*group], at_level) : std::numeric_limits<double>::infinity();
}

std::vector<int> ConformalCalibration::set(std::span<const double> p, std::span<const float> input) const
{
    std::vector<double> limits;
    if (by == ConformalBy::class_)
        for (std::size_t k = 0; k < p.size(); ++k)
            limits.push_back(threshold(k, level));
    else
        limits.push_back(threshold(group_of(input), level));
    return conformal_set(options, p, limits, conformal_share(options, seed, input));
}

Range ConformalCalibration::interval(const PredictedNumber& predicted, std::span<const float> input) const
{
    return conformal_interval(options.score, predicted, threshold(group_of(input), level));
}

std::vector<std::string> ConformalCalibration::too_small() const
{
    std::vector<std::string> found;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (scores[g].size() < fewest_calibration_rows(level))
            found.push_back(groups[g]);
    return found;
}

std::string ConformalCalibration::text() const
{
    return title_of(options.score) + (options.randomised && options.score != ConformalScore::thr ? ", randomised," : "")
           + " at " + percent_text(level) + ", calibrated on " + std::to_string(n)
           + (rows.starts_with("calibration rows") ? " " : " rows of the ") + rows
           + (by == ConformalBy::all      ? ""
              : by == ConformalBy::class_ ? " by class"
                                          : " in " + std::to_string(groups.size()) + " groups");
}

std::shared_ptr<const ConformalCalibration> conformal_calibration(const RunSnapshot& run, const ViewOptions& options,
                                                                  const std::stop_token& stop)
{
    static ResultCache<ConformalKey, ConformalCalibration> memory(16);
    return memory.find_or_make(conformal_key(run, options), stop,
                               [&] { return shared_result(calibrated_on(run, options, stop)); });
}

std::optional<std::vector<int>> conformal_set_of_chosen(const RunSnapshot& run, const ViewOptions& options,
                                                        std::span<const double> p, std::span<const float> input,
                                                        const std::stop_token& stop)
{
    if (why_no_conformal(*run.experiment))
        return {};
    const auto calibration = conformal_calibration(run, options, stop);
    return calibration ? std::optional(calibration->set(p, input)) : std::nullopt;
}

std::shared_ptr<const ConformalEvaluation> conformal_evaluation(const RunSnapshot& run, const ViewOptions& options,
                                                                const std::stop_token& stop)
{
    static ResultCache<ConformalKey, ConformalEvaluation> memory(16);
    return memory.find_or_make(conformal_key(run, options), stop,
                               [&] { return shared_result(evaluated_on(run, options, stop)); });
}

double ConformalEvaluation::coverage() const
{
    double hits = 0;
    for (std::size_t i = 0; i < test.scores.size(); ++i)
        hits += test.covers(i, *calibration, calibration->level) ? 1 : 0;
    return hits / static_cast<double>(test.scores.size());
}

std::optional<ConformalRows> conformal_ood(const RunSnapshot& run, const ViewOptions& options,
                                           const ConformalCalibration& calibration, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const std::size_t d    = experiment.data->training.n_features;
    const auto other       = other_data(run.experiment);
    if (experiment.task() == Task::classification) {
        const auto predicted = ood_predictions(run, options, stop);
        if (!predicted)
            return {};
        return conformal_rows_of_classes(calibration, *predicted, other->inputs, d,
                                         labels_of_ood(*other, predicted->rows, experiment.data->training.class_names));
    }
    const auto predicted = conformal_numbers(run, options, other->inputs, evenly_spaced(other->n, other->n), stop);
    if (!predicted)
        return {};
    std::vector<double> targets;
    if (const auto& noise_free = source_of(experiment.study.data).noise_free; noise_free && d == 1)
        for (const double x : experiment.data->inputs.undone(other->inputs))
            targets.push_back(noise_free(experiment.study.data, x));
    auto out = conformal_rows_of_numbers(calibration, *predicted, other->inputs, d, targets);
    out.name = other->name + (targets.empty() ? "" : ", targets without noise");
    return out;
}

std::vector<PredictedNumber> predicted_numbers(const RegressionSamples& samples, ConformalScore score, double level)
{
    const auto mean = mean_function(samples);
    const auto S = static_cast<std::size_t>(samples.n_samples), n = mean.size();
    std::vector<PredictedNumber> out(n);
    parallel_chunks(n, 16, [&](std::size_t begin, std::size_t end) {
        std::vector<double> f(S), s(S);
        for (std::size_t i = begin; i < end; ++i) {
            out[i] = {.mean = mean[i], .sd = spread_at(samples, mean[i], i).y};
            if (score != ConformalScore::cqr)
                continue;
            for (std::size_t k = 0; k < S; ++k) {
                f[k] = samples.f[k * n + i];
                s[k] = samples.s[k * n + i];
            }
            out[i].lower = mixture_quantile(*samples.noise, f, s, (1 - level) / 2);
            out[i].upper = mixture_quantile(*samples.noise, f, s, (1 + level) / 2);
        }
    });
    return out;
}

std::optional<ConformalLines> conformal_lines(const RunSnapshot& run, const ViewOptions& options,
                                              const std::vector<double>& x, const RegressionSamples& samples,
                                              std::span<const float> inputs, const std::stop_token& stop)
{
    if (why_no_conformal(*run.experiment))
        return ConformalLines();
    const auto conformal = conformal_calibration(run, options, stop);
    if (!conformal)
        return {};
    const auto numbers  = predicted_numbers(samples, conformal->options.score, conformal->level);
    const std::size_t d = inputs.size() / numbers.size();
    const auto finite   = [](double y) { return std::isfinite(y) ? y : std::numeric_limits<double>::quiet_NaN(); };
    Line lower{.name  = percent_text(conformal->level) + " conformal interval",
               .x     = x,
               .y     = {},
               .tone  = {Tone::Kind::accent},
               .style = LineStyle::dotted};
    Line upper{.x = x, .y = {}, .tone = {Tone::Kind::accent}, .style = LineStyle::dotted};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [low, high] = conformal->interval(numbers[i], conformal_input(inputs, d, i));
        lower.y.push_back(finite(low));
        upper.y.push_back(finite(high));
    }
    return ConformalLines{.lines   = {std::move(lower), std::move(upper)},
                          .caption = " Dotted: conformal intervals by " + conformal->text() + "."
                                     + (conformal->too_small().empty()
                                            ? ""
                                            : " Groups with too few calibration rows have infinite intervals.")};
}

void add_lines(Chart& chart, const ConformalLines& conformal)
{
    auto& series = chart.panels.front().series;
    series.insert(series.end(), conformal.lines.begin(), conformal.lines.end());
    chart.caption += conformal.caption;
}

std::string title_of(ConformalScore score)
{
    switch (score) {
    case ConformalScore::none: return "none";
    case ConformalScore::thr: return "THR";
    case ConformalScore::aps: return "APS";
    case ConformalScore::raps: return "RAPS";
    case ConformalScore::absolute: return "absolute residuals";
    case ConformalScore::normalised: return "normalised residuals";
    case ConformalScore::cqr: return "CQR";
    }
    return {};
}

std::string set_text(std::span<const int> set, const std::vector<std::string>& class_names)
{
    return "{" + joined(set, [&](int k) { return class_name(class_names, k); }) + "}";
}

}   // namespace credence::view_support
