// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/predict_table.h"

#include "formats/encode_rows.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "prediction/regression.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "runs/derived_runs.h"
#include "views/conformal_sets.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace credence {
namespace {

using Use = std::function<void(const PredictedRows&)>;

/// The run with the Study of these options.
RunSnapshot predicting_run(const RunSnapshot& run, const PredictOptions& options)
{
    Study study = run.experiment->study;
    if (options.level) {
        if (!(*options.level > 0 && *options.level < 1))
            throw Error("prediction.level",
                        "The level is " + plain_text(*options.level) + ", expected a number between 0 and 1.");
        study.prediction.level = *options.level;
    }
    if (options.samples > 0)
        study.prediction.samples = options.samples;
    if (auto& score = study.prediction.conformal.score; options.conformal && score == ConformalScore::none)
        score = run.experiment->task() == Task::regression ? ConformalScore::normalised : ConformalScore::thr;
    if (study == run.experiment->study)
        return run;
    return {with_study(*run.experiment, study), run.snapshot, run.history};
}

Table empty_scores() { return {.columns = {{"Score"}, {"Value"}, {"Unit"}}, .rows = {}}; }

/// Scores of a regression, summed over rows with a target.
struct NumberSums {
    long n = 0, inside = 0;
    double squares = 0, distances = 0, nll = 0, crps = 0, width = 0, interval = 0;

    /// @param suffix  of the names of the scores
    Table table(double level, const std::string& unit, const std::string& suffix) const
    {
        Table table = empty_scores();
        if (n == 0)
            return table;
        const auto N   = static_cast<double>(n);
        const auto add = [&](const std::string& name, double value, const std::string& of) {
            table.rows.push_back({name + suffix, value, of});
        };
        table.rows.push_back({"Rows" + suffix, n, std::string()});
        add("RMSE", std::sqrt(squares / N), unit);
        add("MAE", distances / N, unit);
        add("NLL", nll / N, "nats per example");
        add("CRPS", crps / N, unit);
        add("Coverage of the " + percent_text(level) + " interval", static_cast<double>(inside) / N, "");
        add("Mean width of the interval", width / N, unit);
        add("Interval score", interval / N, unit);
        return table;
    }
};

Table class_score_table(const ClassPredictions& predictions, std::span<const int> labels)
{
    Table table = empty_scores();
    if (labels.empty())
        return table;
    const auto s   = classification_scores(predictions, labels);
    const auto add = [&](const std::string& name, double value, const std::string& unit = "") {
        table.rows.push_back({name, value, unit});
    };
    table.rows.push_back({std::string("Rows"), static_cast<long>(s.n), std::string()});
    add("Accuracy", s.accuracy);
    add("NLL", s.nll, "nats per example");
    add("Brier score, summed over classes", s.brier);
    add("Expected calibration error, 15 bins", s.ece);
    return table;
}

/// The samples at some of the inputs only.
RegressionSamples samples_of_rows(const RegressionSamples& samples, std::span<const std::size_t> rows)
{
    RegressionSamples some{.n_samples = samples.n_samples,
                           .n_inputs  = static_cast<int>(rows.size()),
                           .f         = {},
                           .s         = {},
                           .noise     = samples.noise};
    for (int s = 0; s < samples.n_samples; ++s)
        for (const std::size_t row : rows) {
            const auto at = static_cast<std::size_t>(s) * static_cast<std::size_t>(samples.n_inputs) + row;
            some.f.push_back(samples.f[at]);
            some.s.push_back(samples.s[at]);
        }
    for (const std::size_t row : rows)
        if (!samples.moments.empty())
            some.moments.push_back(samples.moments[row]);
    return some;
}

/// Puts f and s of one of T targets into samples [S × rows × 2T].
void add_in_target_units(PredictedSamples& out, const RegressionSamples& samples, std::size_t target, std::size_t T)
{
    if (target == 0)
        out = {static_cast<std::size_t>(samples.n_samples), 2 * T, std::vector<double>(2 * T * samples.f.size())};
    for (std::size_t i = 0; i < samples.f.size(); ++i) {
        out.values[2 * (i * T + target)]     = samples.f[i];
        out.values[2 * (i * T + target) + 1] = samples.s[i];
    }
}

/// A run, the new rows, and what all blocks share.
struct TablePrediction {
    RunSnapshot run;
    const NewRows& rows;
    const PredictOptions& options;
    double level    = 0;
    using Conformal = std::shared_ptr<const view_support::ConformalCalibration>;
    Conformal conformal{};                 ///< of classes; null: not asked for
    std::vector<Conformal> of_targets{};   ///< of a regression [n_targets]
    aligned_vector<float> inputs{};        ///< standardised [n × d]

    std::span<const float> input(std::size_t row) const { return std::span(inputs).subspan(row * d(), d()); }

    const SplitData& data() const { return *run.experiment->data; }
    std::size_t d() const { return data().training.n_features; }
    Table table() const
    {
        Table table;
        for (const Column& column : columns())
            table.columns.push_back(column);
        return table;
    }
    std::vector<Column> columns() const
    {
        std::vector<Column> columns{{"row"}};
        if (run.experiment->task() == Task::regression) {
            for (const std::string& target : data().training.target_names())
                for (const char* name : {"mean", "sd", "sd_epistemic", "sd_aleatoric", "lower", "upper"})
                    columns.push_back({column_of(target, name)});
        } else {
            columns.push_back({"predicted"});
            for (const std::string& name : data().training.class_names)
                columns.push_back({"p_" + name});
            for (const char* name : {"entropy", "epistemic", "aleatoric"})
                columns.push_back({name});
            if (conformal)
                columns.push_back({"set"});
        }
        if (!rows.targets.empty())
            for (const std::string& target : data().training.target_names())
                columns.push_back({column_of(target, "observed")});
        if (!rows.labels.empty())
            columns.push_back({"observed"});
        columns.push_back({"note"});
        return columns;
    }
    /// "mean", or "TARGET_mean" with several targets.
    std::string column_of(const std::string& target, const std::string& name) const
    {
        return data().training.n_targets() == 1 ? name : target + "_" + name;
    }
    void add_end(std::vector<Cell>& cells, std::size_t row) const
    {
        const std::size_t T = rows.targets.empty() ? 0 : data().training.n_targets();
        for (std::size_t at = row * T; at < (row + 1) * T; ++at)
            cells.push_back(std::isnan(rows.targets[at]) ? Cell(std::string()) : Cell(rows.targets[at]));
        if (!rows.labels.empty())
            cells.emplace_back(rows.labels[row] < 0 ? std::string()
                                                    : class_name(data().training.class_names, rows.labels[row]));
        cells.emplace_back(rows.notes[row]);
    }
};

void add_number_scores(NumberSums& sums, const RegressionSamples& samples, std::span<const double> targets,
                       std::span<const double> mean, std::span<const double> lower, std::span<const double> upper,
                       double level)
{
    std::vector<std::size_t> known;
    std::vector<double> observed;
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (!std::isnan(targets[i])) {
            known.push_back(i);
            observed.push_back(targets[i]);
        }
    if (known.empty())
        return;
    const auto some = samples_of_rows(samples, known);
    const auto nll  = regression_nll_each(some, observed);
    const auto crps = crps_each(some, observed);
    for (std::size_t k = 0; k < known.size(); ++k) {
        const std::size_t i = known[k];
        const double gap    = mean[i] - observed[k];
        ++sums.n;
        sums.squares += gap * gap;
        sums.distances += std::fabs(gap);
        sums.nll += nll[k];
        sums.crps += crps[k];
        sums.interval += interval_score(lower[i], upper[i], observed[k], level);
        sums.inside += lower[i] <= observed[k] && observed[k] <= upper[i] ? 1 : 0;
        sums.width += upper[i] - lower[i];
    }
}

/// Lower and upper ends [2][rows]: quantiles of the predictive distribution, or conformal intervals.
std::array<std::vector<double>, 2> intervals_of(const TablePrediction& job, const TablePrediction::Conformal& conformal,
                                                const RegressionSamples& samples, std::size_t first)
{
    if (!conformal) {
        const std::array<double, 2> tails{(1 - job.level) / 2, (1 + job.level) / 2};
        auto ends = predictive_quantiles(samples, tails);
        return {std::move(ends[0]), std::move(ends[1])};
    }
    std::array<std::vector<double>, 2> ends;
    const auto predicted = view_support::predicted_numbers(samples, conformal->options.score, job.level);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const auto [lower, upper] = conformal->interval(predicted[i], job.input(first + i));
        ends[0].push_back(lower);
        ends[1].push_back(upper);
    }
    return ends;
}

/// Values of one target in consecutive rows; NaN where unknown, and everywhere if the table has none.
std::vector<double> observed_of_target(const TablePrediction& job, std::size_t target, std::size_t first, std::size_t n)
{
    const std::size_t T = job.data().training.n_targets();
    std::vector<double> values;
    for (std::size_t i = first; i < first + n && !job.rows.targets.empty(); ++i)
        values.push_back(job.rows.targets[i * T + target]);
    return values;
}

/// All targets of consecutive rows, from the same samples of the weights. False: stopped.
/// @param runs  one for each target
bool predict_block(const TablePrediction& job, std::span<const RunSnapshot> runs, std::span<const std::size_t> rows,
                   std::vector<NumberSums>& sums, PredictedRows& block, const std::stop_token& stop)
{
    for (const std::size_t row : rows)
        block.table.rows.push_back({static_cast<long>(row)});
    const auto inputs  = std::span(job.inputs).subspan(block.first * job.d(), rows.size() * job.d());
    const auto outputs = view_support::unrecalibrated_predictive_of(job.run, {})
                             .sample_outputs(inputs, static_cast<int>(rows.size()), stop);
    if (stop.stop_requested())
        return false;
    for (std::size_t t = 0; t < runs.size(); ++t) {
        const auto of_target = samples_of_target(runs[t], outputs, t, stop);
        if (!of_target)
            return false;
        const auto& samples = *of_target;
        const auto mean     = mean_function(samples);
        const auto interval = intervals_of(job, job.of_targets[t], samples, block.first);
        for (std::size_t i = 0; i < mean.size(); ++i) {
            const Spread sd = spread_at(samples, mean[i], i);
            for (const double value : {mean[i], sd.y, sd.function, sd.noise, interval[0][i], interval[1][i]})
                block.table.rows[i].emplace_back(value);
        }
        add_number_scores(sums[t], samples, observed_of_target(job, t, block.first, mean.size()), mean, interval[0],
                          interval[1], job.level);
        if (job.options.with_samples)
            add_in_target_units(block.samples, samples, t, runs.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        job.add_end(block.table.rows[i], rows[i]);
    return true;
}

/// The scores of all targets, named after them if there are several.
Table scores_of_new_rows(const TablePrediction& job, std::span<const NumberSums> sums)
{
    const auto names = job.data().training.target_names();
    Table all        = empty_scores();
    for (std::size_t t = 0; t < names.size(); ++t) {
        const auto one = sums[t].table(job.level, target_unit(names[t]), names.size() == 1 ? "" : ", " + names[t]);
        all.rows.insert(all.rows.end(), one.rows.begin(), one.rows.end());
    }
    return all;
}

std::optional<Table> predict_numbers(const TablePrediction& job, const std::stop_token& stop, const Use& use)
{
    std::vector<RunSnapshot> runs;
    for (std::size_t t = 0; t < job.data().training.n_targets(); ++t)
        runs.push_back(run_of_target(job.run, t));
    std::vector<NumberSums> sums(runs.size());
    const auto n = job.rows.n;
    for (std::size_t first = 0; first < n; first += rows_of_numbers_at_once) {
        const std::size_t end = std::min(first + rows_of_numbers_at_once, n);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(n),
                                     static_cast<double>(end) / static_cast<double>(n));
        std::vector<std::size_t> rows(end - first);
        std::iota(rows.begin(), rows.end(), first);
        PredictedRows block{.first = first, .table = job.table(), .samples = {}};
        if (!predict_block(job, runs, rows, sums, block, stop))
            return {};
        use(block);
    }
    return scores_of_new_rows(job, sums);
}

PredictedSamples probabilities_of_rows(const ClassSamples& samples)
{
    PredictedSamples out{static_cast<std::size_t>(samples.n_samples), static_cast<std::size_t>(samples.n_classes),
                         samples.values};
    if (samples.logarithms)
        for (double& value : out.values)
            value = std::exp(value);
    return out;
}

/// The predictions of the rows with a label, in order.
ClassPredictions predictions_of_rows(const ClassPredictions& all, std::span<const std::size_t> rows)
{
    ClassPredictions some{.n_inputs = static_cast<int>(rows.size()), .n_classes = all.n_classes};
    for (const std::size_t row : rows) {
        const auto mean = all.mean_of(static_cast<int>(row));
        for (const auto& tiny : all.tiny)
            if (const auto first = row * mean.size(); tiny.place >= first && tiny.place < first + mean.size())
                some.tiny.push_back({some.mean.size() + tiny.place - first, tiny.log});
        some.mean.insert(some.mean.end(), mean.begin(), mean.end());
        some.predicted.push_back(all.predicted[row]);
        some.confidence.push_back(all.confidence[row]);
        some.log_rest.push_back(all.log_rest[row]);
        some.entropy.push_back(all.entropy[row]);
        some.expected_entropy.push_back(all.expected_entropy[row]);
        some.mutual_information.push_back(all.mutual_information[row]);
    }
    return some;
}

std::optional<Table> predict_classes(const TablePrediction& job, const std::stop_token& stop, const Use& use)
{
    const auto& names     = job.data().training.class_names;
    const auto predictive = view_support::predictive_of(job.run, {});
    const std::array<double, 1> levels{job.level};
    ClassPredictions scored;
    std::vector<int> labels;
    double covered = 0, sizes = 0;   // conformal sets of rows with a label: with it inside; classes in them
    const bool done = predictive.stream_classes(
        job.inputs, static_cast<int>(job.d()), stop,
        [&](const ClassSamples& samples, std::size_t first) {
        const auto classes = set_predictions(samples, levels).classes;
        PredictedRows block{.first = first, .table = job.table(), .samples = {}};
        std::vector<std::size_t> known;
        for (int i = 0; i < classes.n_inputs; ++i) {
            const std::size_t row = first + static_cast<std::size_t>(i);
            std::vector<Cell> cells{static_cast<long>(row), class_name(names, classes.predicted[i])};
            for (const double p : classes.mean_of(i))
                cells.emplace_back(p);
            cells.emplace_back(classes.entropy[i]);
            cells.emplace_back(classes.mutual_information[i]);
            cells.emplace_back(classes.expected_entropy[i]);
            const bool has_label = !job.rows.labels.empty() && job.rows.labels[row] >= 0;
            if (job.conformal) {
                const auto set = job.conformal->set(classes.mean_of(i), job.input(row));
                cells.emplace_back(view_support::set_text(set, names));
                covered += has_label && std::ranges::find(set, job.rows.labels[row]) != set.end() ? 1 : 0;
                sizes += has_label ? static_cast<double>(set.size()) : 0;
            }
            job.add_end(cells, row);
            block.table.rows.push_back(std::move(cells));
            if (has_label) {
                known.push_back(static_cast<std::size_t>(i));
                labels.push_back(job.rows.labels[row]);
            }
        }
        if (!known.empty()) {
            const auto some = predictions_of_rows(classes, known);
            if (scored.n_inputs == 0)
                scored = some;
            else
                append(scored, some);
        }
        if (job.options.with_samples)
            block.samples = probabilities_of_rows(samples);
        use(block);
        },
        values_of_a_set);
    if (!done)
        return {};
    Table table  = class_score_table(scored, labels);
    const auto N = static_cast<double>(labels.size());
    if (job.conformal && !labels.empty()) {
        table.rows.push_back(
            {"Coverage of the " + percent_text(job.level) + " conformal sets", covered / N, std::string()});
        table.rows.push_back({std::string("Mean size of the conformal sets"), sizes / N, std::string("classes")});
    }
    return table;
}

/// How intervals or sets were made, and which groups have too few calibration rows.
std::string conformal_words(const TablePrediction& job)
{
    auto made = job.of_targets;
    if (made.empty())
        made.push_back(job.conformal);
    if (!made.front())
        return {};
    std::string words = made.front()->text() + ".";
    if (const auto small = made.front()->too_small(); !small.empty())   // the same rows for all targets
        words += " Too few calibration rows for this level, so sets contain every value: " + some_names(small) + ".";
    return words;
}

/// Fits the thresholds that the predictions need. False: stopped.
bool calibrate(TablePrediction& job, const std::stop_token& stop)
{
    const bool numbers = job.run.experiment->task() == Task::regression;
    job.of_targets.resize(numbers ? job.data().training.n_targets() : 0);
    if (!job.options.conformal)
        return true;
    if (!numbers)
        return (job.conformal = view_support::conformal_calibration(job.run, {}, stop)) != nullptr;
    for (std::size_t t = 0; t < job.of_targets.size(); ++t)
        if (!(job.of_targets[t] = view_support::conformal_calibration(run_of_target(job.run, t), {}, stop)))
            return false;
    return true;
}

}   // namespace

TableSchema prediction_schema(const Experiment& experiment)
{
    const auto& data = *experiment.data;
    if (experiment.outputs)
        throw Error("Imported predictions have no weights, so they cannot predict new rows.");
    if (data.image)
        throw Error("The run \"" + experiment.study.name + "\" is about images, expected a run on a table.");
    if (data.training.schema)
        return *data.training.schema;
    const Dataset& training = data.training;
    TableSchema schema{.columns = {}, .target = {.name = training.target_name}, .n_columns = training.n_features + 1};
    for (std::size_t j = 0; j < training.n_features; ++j) {
        TableColumn column{.name = training.feature_names[j], .position = j};
        for (std::size_t i = 0; i < training.n_rows; ++i) {
            const double x = training.row(i)[j];
            column.lowest  = i == 0 ? x : std::min(column.lowest, x);
            column.highest = i == 0 ? x : std::max(column.highest, x);
        }
        column.fill = std::midpoint(column.lowest, column.highest);
        schema.columns.push_back(std::move(column));
    }
    schema.target.position = training.n_features;
    for (const std::string& name : training.other_targets)   // only a table with a schema has several
        schema.other_targets.push_back({.name = name, .position = schema.n_columns++});
    if (training.task == Task::classification) {
        schema.target.kind       = ColumnKind::category;
        schema.target.categories = training.class_names;
    }
    return schema;
}

Table prediction_columns(const TableSchema& schema)
{
    Table table{.columns = {{"column"}, {"use"}, {"kind"}, {"range or categories"}, {"missing cells"}}, .rows = {}};
    const auto values = [](const TableColumn& column) {
        if (!column.categories.empty()) {
            std::vector<std::string> names;
            for (const auto& name : column.categories)
                names.push_back(quoted_text(name));
            return some_names(names, 10);
        }
        return column.lowest < column.highest
                   ? value_words(column, column.lowest) + " to " + value_words(column, column.highest)
                   : std::string();
    };
    for (const TableColumn& column : schema.columns)
        table.rows.push_back({column.name, std::string("input"), std::string(name_of(column.kind)), values(column),
                              std::string(column.imputed ? "imputed" : "replaced, with a note")});
    for (const TableColumn& target : schema.targets())
        table.rows.push_back({target.name, std::string("target, optional"), std::string(name_of(target.kind)),
                              values(target), std::string()});
    return table;
}

namespace {

std::string name_without_unit(const std::string& name)
{
    const auto end = unit_in_name(name).empty() ? name.size() : name.find_last_of("[(");
    return name.substr(0, name.find_last_not_of(' ', end - 1) + 1);
}

/// A sentence on columns that are missing under their names, but that the table has with another unit or none.
std::string other_units(const EncodedRows& rows)
{
    std::vector<std::string> similar;
    for (const std::string& missing : rows.missing)
        for (const std::string& name : rows.unused)
            if (name_without_unit(name) == name_without_unit(missing))
                similar.push_back(quoted_text(name));
    return similar.empty() ? std::string()
                           : " The table has " + some_names(similar, 5)
                                 + ": convert the values to the unit of the run, and rename the column.";
}

}   // namespace

NewRows read_new_rows(const Experiment& experiment, const std::filesystem::path& file)
{
    const TableSchema schema = prediction_schema(experiment);
    EncodedRows encoded      = encode_rows(schema, file);
    if (!encoded.missing.empty()) {
        std::vector<std::string> names;
        for (const auto& name : encoded.missing)
            names.push_back(quoted_text(name));
        throw Error(
            file.filename().string() + ": found no column " + some_names(names, 10) + ", expected "
            + (schema.columns.size() == 1 ? "the input" : "all " + std::to_string(schema.columns.size()) + " inputs")
            + " of the run." + other_units(encoded));
    }
    return {.n            = encoded.n_rows,
            .inputs       = std::move(encoded.inputs),
            .notes        = std::move(encoded.notes),
            .targets      = std::move(encoded.targets),
            .labels       = std::move(encoded.labels),
            .ignored      = std::move(encoded.unused),
            .decimal_mark = std::move(encoded.decimal_mark)};
}

std::size_t NewRows::n_notes() const
{
    return static_cast<std::size_t>(std::ranges::count_if(notes, [](const auto& note) { return !note.empty(); }));
}

NewRows NewRows::first(std::size_t count) const
{
    NewRows some;
    some.n            = std::min(n, count);
    some.ignored      = ignored;
    some.decimal_mark = decimal_mark;
    const auto cut    = [](const auto& values, std::size_t size) {
        using Values = std::remove_cvref_t<decltype(values)>;
        return Values(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(size, values.size())));
    };
    some.inputs  = cut(inputs, n == 0 ? 0 : inputs.size() / n * some.n);
    some.notes   = cut(notes, some.n);
    some.targets = cut(targets, n == 0 ? 0 : targets.size() / n * some.n);
    some.labels  = cut(labels, some.n);
    return some;
}

std::optional<PredictionSummary> predict_rows(const RunSnapshot& run, const NewRows& rows,
                                              const PredictOptions& options, const std::stop_token& stop,
                                              const Use& use)
{
    TablePrediction job{.run = predicting_run(run, options), .rows = rows, .options = options};
    job.level = job.run.experiment->study.prediction.level;
    if (!calibrate(job, stop))
        return {};
    job.inputs  = job.data().inputs.standardised(rows.inputs);
    auto scores = job.run.experiment->task() == Task::regression ? predict_numbers(job, stop, use)
                                                                 : predict_classes(job, stop, use);
    if (!scores)
        return {};
    return PredictionSummary{.scores = std::move(*scores), .conformal = conformal_words(job)};
}

namespace {

/// The names of the last axis of PredictedRows::samples.
std::vector<std::string> names_of_samples(const Dataset& columns)
{
    if (columns.task == Task::classification)
        return columns.class_names;
    if (columns.n_targets() == 1)
        return {"f", "noise_sd"};
    std::vector<std::string> names;
    for (const std::string& target : columns.target_names()) {
        names.push_back(target + "_f");
        names.push_back(target + "_noise_sd");
    }
    return names;
}

std::optional<PredictionSummary> write_samples(const RunSnapshot& run, const NewRows& rows, PredictOptions options,
                                               const std::filesystem::path& file, const std::stop_token& stop)
{
    options.with_samples = true;
    const auto& columns  = run.experiment->data->training;
    NpzWriter writer(file);
    std::optional<std::size_t> array;
    auto summary = predict_rows(run, rows, options, stop, [&](const PredictedRows& block) {
        const std::size_t S = block.samples.n_samples, n = block.table.rows.size(), K = block.samples.n_outputs;
        if (!array)
            array = writer.begin<double>("samples", {S, rows.n, K});
        for (std::size_t s = 0; s < S; ++s)
            writer.put(*array, (s * rows.n + block.first) * K,
                       std::span(block.samples.values).subspan(s * n * K, n * K));
    });
    if (!summary)
        return {};
    writer.finish(array.value());
    writer.add("outputs", names_of_samples(columns));
    writer.add("notes", rows.notes);
    if (!rows.targets.empty())
        writer.add("observed", NumberArray{columns.n_targets() == 1 ? std::vector<std::size_t>{rows.n}
                                                                    : std::vector{rows.n, columns.n_targets()},
                                           rows.targets});
    if (!rows.labels.empty())
        writer.add("observed",
                   NumberArray{{rows.n}, std::vector<std::int32_t>(rows.labels.begin(), rows.labels.end())});
    writer.keep();
    return summary;
}

}   // namespace

std::optional<PredictionSummary> write_predictions(const RunSnapshot& run, const NewRows& rows,
                                                   const PredictOptions& options, const std::filesystem::path& file,
                                                   const std::stop_token& stop)
{
    if (file.extension() == ".npz")
        return write_samples(run, rows, options, file, stop);
    WholeFile csv(file);
    auto summary = predict_rows(run, rows, options, stop, [&](const PredictedRows& block) {
        csv.write(block.first == 0 ? to_csv(block.table) : csv_rows(block.table));
    });
    if (summary)
        csv.keep();
    return summary;
}

}   // namespace credence
