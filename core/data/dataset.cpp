// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/dataset.h"

#include "data/table_schema.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"

#include <cmath>
#include <utility>

namespace credence {
namespace {

std::string who(const Dataset& data) { return data.name.empty() ? "The data" : data.name; }

void require_size(const Dataset& data, const char* what, std::size_t found, std::size_t expected)
{
    if (found != expected)
        throw Error(who(data) + ": found " + std::to_string(found) + " " + what + ", expected "
                    + std::to_string(expected) + ".");
}

void require_finite(const Dataset& data, const std::string& column, std::size_t row, double value)
{
    if (!std::isfinite(value))
        throw Error(who(data) + ", row " + std::to_string(row + 1) + ": " + column + " is " + number_text(value, 6)
                    + ", expected a finite number.");
}

}   // namespace

void Dataset::check() const
{
    if (n_rows == 0)
        throw Error(who(*this) + ": found no rows, expected at least 1.");
    if (n_features == 0)
        throw Error(who(*this) + ": found no inputs, expected at least 1.");
    require_size(*this, "input values", inputs.size(), n_rows * n_features);
    require_size(*this, "names of inputs", feature_names.size(), n_features);
    for (std::size_t i = 0; i < n_rows; ++i)
        for (std::size_t j = 0; j < n_features; ++j)
            require_finite(*this, feature_names[j], i, inputs[i * n_features + j]);

    if (task == Task::classification) {
        if (n_classes() < 2)
            throw Error(who(*this) + ": found " + std::to_string(n_classes()) + " class names, expected at least 2.");
        require_size(*this, "labels", labels.size(), n_rows);
        for (std::size_t i = 0; i < n_rows; ++i)
            if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= n_classes())
                throw Error(who(*this) + ", row " + std::to_string(i + 1) + ": label is " + std::to_string(labels[i])
                            + ", expected 0 to " + std::to_string(n_classes() - 1) + ".");
    } else {
        require_size(*this, "targets", targets.size(), n_rows * n_targets());
        const auto names = target_names();
        for (std::size_t i = 0; i < targets.size(); ++i)
            require_finite(*this, names[i % names.size()], i / names.size(), targets[i]);
    }
}

std::vector<std::string> Dataset::target_names() const
{
    std::vector<std::string> names{target_name};
    names.insert(names.end(), other_targets.begin(), other_targets.end());
    return names;
}

Dataset without_rows(const Dataset& all)
{
    Dataset columns;
    columns.name          = all.name;
    columns.task          = all.task;
    columns.n_features    = all.n_features;
    columns.feature_names = all.feature_names;
    columns.class_names   = all.class_names;
    columns.target_name   = all.target_name;
    columns.other_targets = all.other_targets;
    columns.schema        = all.schema;
    return columns;
}

Dataset subset(const Dataset& all, std::span<const std::uint32_t> rows)
{
    Dataset part = without_rows(all);
    part.n_rows  = rows.size();
    part.inputs.reserve(rows.size() * all.n_features);
    const std::size_t T = all.n_targets();
    for (std::size_t n = 0; const std::uint32_t i : rows) {
        if (n++ % 1000 == 0)
            stop_point();
        if (all.schema)
            part.table_rows.push_back(all.table_row(i));
        const auto x = all.row(i);
        part.inputs.insert(part.inputs.end(), x.begin(), x.end());
        if (all.task == Task::classification)
            part.labels.push_back(all.labels[i]);
        else
            for (std::size_t t = 0; t < T; ++t)
                part.targets.push_back(all.targets[i * T + t]);
    }
    return part;
}

Dataset with_one_target(Dataset all, std::size_t target)
{
    const std::size_t T = all.n_targets();
    all.target_name     = all.target_names().at(target);
    all.other_targets.clear();
    keep_target(all.targets, target, T);
    if (all.schema && T > 1) {
        auto schema = std::make_shared<TableSchema>(*all.schema);
        if (target > 0)
            schema->target = all.schema->other_targets.at(target - 1);
        schema->other_targets.clear();
        all.schema = std::move(schema);
    }
    return all;
}

std::string unit_in_name(std::string_view name)
{
    constexpr std::size_t longest = 20;   // bytes
    const auto trimmed            = [](std::string_view text) {
        const auto first = text.find_first_not_of(' ');
        return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
    };
    name             = trimmed(name);
    const auto begin = name.find_last_of("[(");
    if (begin == name.npos || begin == 0 || !name.ends_with(name[begin] == '[' ? ']' : ')'))
        return {};
    const auto unit = trimmed(name.substr(begin + 1, name.size() - begin - 2));
    if (unit.empty() || unit.size() > longest || unit.find_first_of("])") != unit.npos || number_from(unit))
        return {};
    return std::string(unit);
}

std::string target_unit(std::string_view name)
{
    const std::string unit = unit_in_name(name);
    return unit.empty() ? "units of " + std::string(name) : unit;
}

}   // namespace credence
