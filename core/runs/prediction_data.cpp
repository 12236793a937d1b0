// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/prediction_data.h"

#include "data/table_schema.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "runs/archive_json.h"
#include "runs/archive_parts.h"
#include "study/source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace credence {
namespace {

using nlohmann::json;

json column_to_json(const TableColumn& column)
{
    return {{"name", column.name},
            {"kind", name_of(column.kind)},
            {"position", column.position},
            {"style", name_of(column.style)},
            {"categories", column.categories},
            {"imputed", column.imputed},
            {"fill", column.fill},
            {"lowest", column.lowest},
            {"highest", column.highest}};
}

json schema_to_json(const TableSchema& schema)
{
    json columns = json::array();
    for (const TableColumn& column : schema.columns)
        columns.push_back(column_to_json(column));
    json j{{"columns", std::move(columns)},
           {"target", column_to_json(schema.target)},
           {"n_columns", schema.n_columns},
           {"header", schema.header},
           {"decimal_comma", schema.decimal_comma}};
    for (const TableColumn& target : schema.other_targets)   // omitted if there is only one target, as in older files
        j["other_targets"].push_back(column_to_json(target));
    return j;
}

constexpr long most_columns_of_a_table = 100'000'000;

TableColumn column_from_json(const json& j)
{
    const auto refuse = [&](const char* what) {
        throw Error(std::string("a column of its table has no readable ") + what);
    };
    TableColumn column;
    column.name     = j.at("name").get<std::string>();
    const auto kind = column_kind_from(j.at("kind").get<std::string>());
    if (!kind)
        refuse("kind");
    column.kind      = *kind;
    column.position  = static_cast<std::size_t>(whole_from(j.at("position"), 0, most_columns_of_a_table));
    const auto style = cell_style_from(j.at("style").get<std::string>());
    if (!style)
        refuse("style");
    column.style      = *style;
    column.categories = j.at("categories").get<std::vector<std::string>>();
    column.imputed    = j.at("imputed").get<bool>();
    column.fill       = j.at("fill").get<double>();
    column.lowest     = j.at("lowest").get<double>();
    column.highest    = j.at("highest").get<double>();
    for (const double value : {column.fill, column.lowest, column.highest})
        if (!std::isfinite(value))
            refuse("range");
    return column;
}

/// An input column: reading new rows relies on its categories.
TableColumn input_column_from_json(const json& j)
{
    TableColumn column = column_from_json(j);
    if (column.kind != ColumnKind::category)
        return column;
    const auto n = static_cast<double>(column.categories.size());
    if (!(column.fill >= 0 && column.fill < n) || column.fill != std::floor(column.fill))
        throw Error("the most frequent category of a column of its table does not exist");
    if (column.imputed
        && std::ranges::find(column.categories, std::string(missing_category)) == column.categories.end())
        throw Error("a column of its table has no category for missing cells");
    return column;
}

std::shared_ptr<const TableSchema> schema_from_json(const json& j, const Dataset& data)
{
    TableSchema schema;
    for (const json& column : j.at("columns"))
        schema.columns.push_back(input_column_from_json(column));
    schema.target = column_from_json(j.at("target"));
    if (j.contains("other_targets"))
        for (const json& target : j.at("other_targets"))
            schema.other_targets.push_back(column_from_json(target));
    schema.n_columns     = static_cast<std::size_t>(whole_from(j.at("n_columns"), 1, most_columns_of_a_table));
    schema.header        = j.at("header").get<bool>();
    schema.decimal_comma = j.at("decimal_comma").get<bool>();
    if (schema.n_inputs() != data.n_features)
        throw Error("the columns of its table give " + std::to_string(schema.n_inputs()) + " inputs, expected "
                    + std::to_string(data.n_features));
    if (data.task == Task::classification
        && (schema.target.kind != ColumnKind::category || schema.target.categories != data.class_names))
        throw Error("the target of its table has other classes");
    for (const TableColumn& target : schema.targets())
        if (data.task == Task::regression && target.kind == ColumnKind::category)
            throw Error("the target of its table is a category, expected a number");
    if (schema.other_targets.size() != data.other_targets.size())
        throw Error("its table has " + std::to_string(schema.targets().size()) + " targets, expected "
                    + std::to_string(data.n_targets()));
    for (const TableColumn& column : schema.columns)
        if (column.position >= schema.n_columns)
            throw Error("a column of its table is beyond the last");
    for (const TableColumn& target : schema.targets())
        if (target.position >= schema.n_columns)
            throw Error("the target of its table is beyond the last column");
    return std::make_shared<const TableSchema>(std::move(schema));
}

std::vector<double> prediction_numbers_from(const json& list, std::size_t n, const char* what)
{
    auto numbers = list.get<std::vector<double>>();
    if (numbers.size() != n)
        throw Error(std::string("the ") + what + " of its inputs has " + std::to_string(numbers.size())
                    + " numbers, expected " + std::to_string(n));
    require_finite(what, numbers);
    return numbers;
}

double positive_scale(double sd)
{
    if (!(sd > 0) || !std::isfinite(sd))
        throw Error("a standard deviation of its data is not a positive number");
    return sd;
}

/// Fills the calibration rows from their numbers: all inputs, all targets or labels, then groups if there are any.
void restore_calibration_rows(SplitData& data, std::size_t n, std::span<const double> numbers)
{
    require_finite("a calibration row", numbers);
    Dataset& rows       = data.calibration;
    const auto n_inputs = n * rows.n_features;
    const auto inputs = numbers.first(n_inputs), targets = numbers.subspan(n_inputs, n * rows.n_targets());
    rows.n_rows = n;
    rows.inputs.assign(inputs.begin(), inputs.end());
    if (rows.task == Task::regression) {
        rows.targets.assign(targets.begin(), targets.end());
        data.calibration_targets = data.target_scales().standardised(targets);
    } else {
        for (const double label : targets)
            rows.labels.push_back(static_cast<int>(std::clamp(label, -1.0, 1e9)));   // check() refuses wrong ones
    }
    for (const double group : numbers.subspan(n_inputs + targets.size()))
        data.calibration_groups.push_back(static_cast<std::uint32_t>(std::clamp(group, 0.0, 4e9)));
    rows.check();
    data.calibration_inputs = data.inputs.standardised(inputs);
}

}   // namespace

std::shared_ptr<const SplitData> data_for_prediction(const Experiment& experiment)
{
    const Source& source = source_of(experiment.study.data);
    if (experiment.outputs || !source.place || source.gives_images())
        return nullptr;
    const SplitData& all              = *experiment.data;
    constexpr std::size_t most_stored = archive_format::most_numbers / 2;   // a blob of SQLite holds 1e9 bytes
    if (all.calibration.n_rows
        > most_stored / sizeof(double) / (all.training.n_features + all.training.n_targets() + 1))
        return nullptr;
    SplitData stored;
    stored.training            = without_rows(all.training);
    stored.test                = stored.training;
    stored.inputs              = all.inputs;
    stored.target_mean         = all.target_mean;
    stored.target_sd           = all.target_sd;
    stored.other_targets       = all.other_targets;
    stored.test_name           = all.test_name;
    stored.calibration         = all.calibration;
    stored.calibration_inputs  = all.calibration_inputs;
    stored.calibration_targets = all.calibration_targets;
    stored.calibration_groups  = all.calibration_groups;
    return std::make_shared<const SplitData>(std::move(stored));
}

json prediction_data_head(const SplitData& data)
{
    const Dataset& columns = data.training;
    json head{{"name", columns.name},
              {"task", columns.task == Task::regression ? "regression" : "classification"},
              {"inputs", columns.feature_names},
              {"target", columns.target_name},
              {"mean", data.inputs.mean},
              {"sd", data.inputs.sd},
              {"calibration_rows", data.calibration.n_rows}};
    if (!data.calibration_groups.empty())   // in older files calibration rows have no groups
        head["calibration_groups"] = true;
    if (columns.schema)
        head["schema"] = schema_to_json(*columns.schema);
    if (columns.task == Task::regression) {
        head["target_mean"] = data.target_mean;
        head["target_sd"]   = data.target_sd;
        if (!columns.other_targets.empty())
            head["other_targets"] = {
                {"names", columns.other_targets}, {"mean", data.other_targets.mean}, {"sd", data.other_targets.sd}};
    } else {
        head["classes"] = columns.class_names;
    }
    return head;
}

std::string prediction_data_numbers(const SplitData& data)
{
    std::vector<double> numbers = data.calibration.inputs;
    numbers.insert(numbers.end(), data.calibration.targets.begin(), data.calibration.targets.end());
    numbers.insert(numbers.end(), data.calibration.labels.begin(), data.calibration.labels.end());
    numbers.insert(numbers.end(), data.calibration_groups.begin(), data.calibration_groups.end());
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

std::shared_ptr<const SplitData> prediction_data_from(const json& head,
                                                      const std::function<std::string(std::size_t bytes)>& numbers)
{
    SplitData data;
    Dataset& columns        = data.training;
    const auto task         = head.at("task").get<std::string>();
    columns.name            = head.at("name").get<std::string>();
    columns.task            = task == "regression" ? Task::regression : Task::classification;
    columns.feature_names   = head.at("inputs").get<std::vector<std::string>>();
    columns.n_features      = columns.feature_names.size();
    columns.target_name     = head.at("target").get<std::string>();
    const std::size_t width = columns.n_features;
    if (width < 1)
        throw Error("its data have no input");
    data.inputs.mean = prediction_numbers_from(head.at("mean"), width, "mean");
    data.inputs.sd   = prediction_numbers_from(head.at("sd"), width, "standard deviation");
    std::ranges::for_each(data.inputs.sd, positive_scale);
    if (columns.task == Task::regression) {
        data.target_mean = prediction_numbers_from(json::array({head.at("target_mean")}), 1, "target's mean").front();
        data.target_sd   = positive_scale(head.at("target_sd").get<double>());
        if (head.contains("other_targets")) {
            const json& others    = head.at("other_targets");
            columns.other_targets = others.at("names").get<std::vector<std::string>>();
            const std::size_t n   = columns.other_targets.size();
            data.other_targets    = {prediction_numbers_from(others.at("mean"), n, "mean of the targets"),
                                     prediction_numbers_from(others.at("sd"), n, "standard deviation of the targets")};
            std::ranges::for_each(data.other_targets.sd, positive_scale);
        }
    } else {
        columns.class_names = head.at("classes").get<std::vector<std::string>>();
        if (columns.class_names.size() < 2)
            throw Error("its data have " + std::to_string(columns.class_names.size())
                        + " classes, expected at least 2");
    }
    if (head.contains("schema"))
        columns.schema = schema_from_json(head.at("schema"), columns);
    data.test        = columns;
    data.calibration = columns;

    constexpr auto most = archive_format::most_numbers / sizeof(double);
    const auto rows     = static_cast<std::size_t>(
        whole_from(head.at("calibration_rows"), 0, static_cast<long>(most / (width + columns.n_targets() + 1))));
    if (rows > 0) {
        const std::size_t numbers_of_row = width + columns.n_targets()
                                           + (head.value("calibration_groups", false) ? 1 : 0),
                          bytes = rows * numbers_of_row * sizeof(double);
        const std::string found = numbers(bytes);
        if (found.size() != bytes)
            throw Error("its calibration rows have " + std::to_string(found.size()) + " bytes, expected "
                        + std::to_string(bytes));
        std::vector<double> values(rows * numbers_of_row);
        std::memcpy(values.data(), found.data(), bytes);
        restore_calibration_rows(data, rows, values);
    }
    return std::make_shared<const SplitData>(std::move(data));
}

std::shared_ptr<const Experiment> experiment_for_prediction(const SavedRun& run, std::stop_token stop)
{
    if (run.data)
        return experiment_on(run.study, run.data);
    const Source& source = source_of(run.study.data);
    if (!source.place || source.gives_images())
        return prepare(run.study, std::move(stop));
    const std::string why = "The run \"" + run.name
                            + "\" was saved without its columns and scales, so its table is needed to predict: ";
    const std::string now = table_state(run.study.data);
    if (!now.empty() && !run.table.empty() && now != run.table)
        throw Error("data.file", why + source.place(run.study.data).string() + " has " + now + ", expected " + run.table
                                     + " as in training.");
    try {
        return prepare(run.study, std::move(stop));
    } catch (const Error& error) {
        throw Error(error.field(), why + error.what());
    }
}

}   // namespace credence
