// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scored_predictions.h"

#include "foundation/statistics.h"
#include "views/conformal_sets.h"
#include "views/view_support.h"

#include "data/dataset.h"
#include "data/input_groups.h"
#include "data/table_schema.h"
#include "formats/encode_rows.h"
#include "foundation/number_text.h"
#include "prediction/regression.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace credence {

using namespace view_support;

namespace test_row {

bool of_classes(const Table& table)
{
    return table.columns.size() > probable && !table.rows.empty()
           && std::holds_alternative<std::string>(table.rows.front()[predicted]);
}

int first_feature(const Table& table)
{
    int at = 1 + (of_classes(table) ? probable : function_sd);
    for (const auto* name : {conformal_set, conformal_lower, conformal_upper})
        if (at < static_cast<int>(table.columns.size()) && table.columns[static_cast<std::size_t>(at)].name == name)
            ++at;
    return at;
}

}   // namespace test_row

namespace {

/// The value as written in the data table. Values that a float holds exactly (toy data, drawn
/// points) print without float noise: 0.1, not 0.100000001490116.
double as_written(double value)
{
    const auto single = static_cast<float>(value);
    if (static_cast<double>(single) != value)
        return value;
    for (int digits = 6; digits < 9; ++digits)
        if (const double rounded = rounded_number(value, digits); static_cast<float>(rounded) == single)
            return rounded;
    return value;
}

/// The inputs of each row, in the units of the data; none for images. For a table, its columns:
/// dates, categories as words, and "missing" where a number was imputed.
struct Features {
    std::span<const double> values;   ///< [n × n_features]
    std::vector<std::string> names;
    std::size_t n_features = names.size();
    std::vector<InputGroup> groups{};         ///< of a table
    std::span<const TableColumn> columns{};   ///< likewise

    void add_to(std::vector<Cell>& cells, std::size_t row) const
    {
        const auto inputs = values.subspan(row * n_features, n_features);
        for (std::size_t g = 0; g < groups.size(); ++g)
            cells.push_back(of_column(groups[g], columns[g], inputs));
        if (groups.empty())
            for (const double value : inputs)
                cells.emplace_back(as_written(value));
    }

private:
    static Cell of_column(const InputGroup& group, const TableColumn& column, std::span<const double> inputs)
    {
        const double value = group.value_of(inputs);
        if (group.is_category())
            return group.categories[static_cast<std::size_t>(value)];
        if (column.imputed && inputs[group.first + 1] == 1)
            return std::string(missing_category);
        return column.kind == ColumnKind::date ? Cell(value_words(column, value)) : Cell(as_written(value));
    }
};

Features features_of(const Experiment& experiment, const Dataset& data)
{
    if (experiment.outputs) {   // their inputs are row numbers unless the file has others
        const auto& own = experiment.outputs->own;
        Features found{own.inputs, {}};
        for (std::size_t i = 0; i < own.n_inputs && !own.inputs.empty(); ++i)
            found.names.push_back("Input " + std::to_string(i + 1));
        return found;
    }
    if (experiment.data->image)
        return {};
    Features found{data.inputs, data.feature_names};
    if (const auto& schema = experiment.data->training.schema; schema && schema->n_inputs() == found.n_features) {
        found.groups  = input_groups(experiment.data->training);
        found.columns = schema->columns;
        found.names.clear();
        for (const TableColumn& column : schema->columns)
            found.names.push_back(column.name);
    }
    return found;
}

void add_columns(Table& table, const Features& features)
{
    for (const auto& name : features.names)
        table.columns.push_back({name});
}

/// States where the conformal sets or intervals come from.
void add_conformal_caption(Chart& chart, const Experiment& experiment, const ConformalCalibration& conformal)
{
    chart.caption += " Conformal: " + conformal.text() + ".";
    if (calibration_set(experiment)->data == scored_set(experiment).data)
        chart.caption += " It was calibrated on these rows.";
}

/// Uses the predictions of certainty, confusion and scores. Empty: stopped.
std::optional<Chart> rows_of_classes(Chart chart, const RunSnapshot& run, const ViewOptions& options,
                                     const Features& features, const std::stop_token& stop)
{
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    Table table{.columns = {{"Row"}, {"True class"}, {"Predicted class"}, {"Right"}}};
    std::ranges::move(certainty_columns(), std::back_inserter(table.columns));
    const bool with_sets = !why_no_conformal(*run.experiment);
    const auto conformal = with_sets ? conformal_calibration(run, options, stop) : nullptr;
    if (with_sets && !conformal)
        return {};
    if (conformal)
        table.columns.push_back({test_row::conformal_set});
    add_columns(table, features);
    const auto inputs     = scored_set(*run.experiment).inputs;
    const std::size_t d   = run.experiment->data->training.n_features;
    const auto& names     = run.experiment->data->test.n_rows > 0 ? run.experiment->data->test.class_names
                                                                  : run.experiment->data->training.class_names;
    const auto& c         = scored->set.classes;
    const auto& certainty = scored->at_level();
    for (std::size_t i = 0; i < scored->rows.size(); ++i) {
        const int label = scored->labels.empty() ? -1 : scored->labels[i];   // imported predictions can lack labels
        std::vector<Cell> cells{static_cast<long>(scored->rows[i]),
                                label < 0 ? std::string() : class_name(names, label),
                                class_name(names, c.predicted[i]),
                                label < 0 ? Cell(std::string()) : Cell(static_cast<long>(c.predicted[i] == label)),
                                c.confidence[i],
                                c.entropy[i],
                                c.mutual_information[i],
                                static_cast<long>(certainty.disjoint[i] != 0),
                                static_cast<long>(certainty.probable[i] != 0)};
        if (conformal)
            cells.emplace_back(set_text(
                conformal->set(c.mean_of(static_cast<int>(i)), inputs.subspan(scored->rows[i] * d, d)), names));
        features.add_to(cells, scored->rows[i]);
        table.rows.push_back(std::move(cells));
    }
    if (conformal)
        add_conformal_caption(chart, *run.experiment, *conformal);
    align_decimals(table);
    chart.table = std::move(table);
    return on_rows(std::move(chart), run, *scored);
}

/// Empty: stopped.
std::optional<Chart> rows_of_numbers(Chart chart, const RunSnapshot& run, const ViewOptions& options,
                                     const ScoredSet& set, const Features& features, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto predictive  = predictive_of(run, options);
    const std::size_t d    = experiment.data->training.n_features;
    const std::size_t all  = set.data->n_rows;
    const auto rows        = evenly_spaced(all, options.rows > 0 ? static_cast<std::size_t>(options.rows) : all);
    const std::string unit = target_unit(experiment.data->training.target_name);
    Table table{.columns = {{"Row"},
                            {"True value", unit},
                            {"Predicted mean", unit},
                            {"Predictive sd", unit},
                            {"|Residual|", unit},
                            {"Standardised residual", "", 3},
                            {"Sd of the function", unit}},
                .rows    = {}};
    const bool with_intervals = !why_no_conformal(experiment);
    const auto conformal      = with_intervals ? conformal_calibration(run, options, stop) : nullptr;
    if (with_intervals && !conformal)
        return {};
    if (conformal)
        table.columns.insert(table.columns.end(),
                             {{test_row::conformal_lower, unit}, {test_row::conformal_upper, unit}});
    add_columns(table, features);
    const auto add = [&](const RegressionSamples& samples, std::size_t first) {
        const auto mean    = mean_function(samples);
        const auto numbers = conformal ? predicted_numbers(samples, conformal->options.score, conformal->level)
                                       : std::vector<PredictedNumber>();
        for (std::size_t i = 0; i < mean.size(); ++i) {
            const std::size_t row = rows[first + i];
            const auto sd         = spread_at(samples, mean[i], i);
            const double truth    = set.data->targets[row];
            std::vector<Cell> cells{static_cast<long>(row),
                                    as_written(truth),
                                    mean[i],
                                    sd.y,
                                    std::abs(truth - mean[i]),
                                    sd.y > 0 ? (truth - mean[i]) / sd.y : NAN,
                                    sd.function};
            if (conformal) {
                const auto [lower, upper] = conformal->interval(numbers[i], set.inputs.subspan(row * d, d));
                cells.insert(cells.end(), {lower, upper});
            }
            features.add_to(cells, row);
            table.rows.push_back(std::move(cells));
        }
    };
    if (!stream_numbers(run, options, set.inputs, rows, stop, add))
        return {};
    if (conformal)
        add_conformal_caption(chart, experiment, *conformal);
    align_decimals(table);
    chart.table = std::move(table);
    chart.caption += " Rows: the " + set.name + ".";
    return with_setting(std::move(chart), run, predictive.n_samples());
}

std::optional<Chart> make_test_rows(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = scored_set(experiment);
    const auto features    = features_of(experiment, *set.data);
    Chart chart{.id = "test_rows", .title = "Test rows", .caption = "The prediction of each row."};
    if (experiment.task() == Task::regression)
        return rows_of_numbers(std::move(chart), run, options, set, features, stop);
    return rows_of_classes(std::move(chart), run, options, features, stop);
}

}   // namespace

View test_rows_view()
{
    return {
        .id    = "test_rows",
        .title = "Test rows",
        .group = ViewGroup::scores,
        .help =
            "Each test row with its feature values, in the units of the data, and its prediction (training rows if "
            "there is no test set). Classification: the confidence is max p̄, where p̄ is the mean of the sampled "
            "class probabilities. The predictive entropy is H(p̄) = −Σ p̄ ln p̄; more data would reduce its epistemic "
            "part H(p̄) − E H(p). A prediction is certain by (i) if the credible interval of the predicted class "
            "overlaps no other, and by (ii) if max p̄ ≥ α. Regression: the mean of f over the samples, and the "
            "predictive standard deviation √(var f + mean s²), which includes the noise s of the data. The distance is "
            "|y − mean|. The standardised residual (y − mean)/sd is beyond ±2 in about one row in twenty if the model "
            "is right. The last column is the standard deviation of f alone. With a conformal score "
            "(prediction.conformal): the conformal set or interval. Click a heading to sort. Click a row or use the "
            "arrow keys to select the input that all other views follow. Ctrl+C copies the selected rows.",
        .asks              = Asks::outputs,
        .cost              = Cost::all_rows,
        .with_results      = false,
        .coarse_while_live = true,
        .make              = make_test_rows};
}

}   // namespace credence
