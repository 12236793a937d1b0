// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/input_groups.h"

#include "data/table_schema.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>

namespace credence {

double InputGroup::value_of(std::span<const double> row) const
{
    if (!is_category())
        return row[first];
    const double last = static_cast<double>(categories.size() - 1);
    if (ordered)
        return std::clamp(std::round(row[first]), 0.0, last);
    const auto part = row.subspan(first, n_features);
    return static_cast<double>(std::max_element(part.begin(), part.end()) - part.begin());
}

void InputGroup::set(std::span<double> row, double value) const
{
    const auto part = row.subspan(first, n_features);
    std::fill(part.begin(), part.end(), 0.0);
    if (is_category() && !ordered)
        part[static_cast<std::size_t>(value)] = 1;
    else
        part.front() = value;   // a second feature is 1 if it is missing
}

namespace {

constexpr std::size_t rows_of_statistics = 10'000;

/// Returns true if exactly one of these features is 1 in each of evenly spaced rows and the others are 0.
bool is_one_hot(const Dataset& data, const InputGroup& group)
{
    for (const std::size_t i : evenly_spaced(data.n_rows, rows_of_statistics)) {
        const auto part = data.row(i).subspan(group.first, group.n_features);
        const auto ones = std::count(part.begin(), part.end(), 1.0);
        if (ones != 1 || std::count(part.begin(), part.end(), 0.0) + ones != std::ssize(part))
            return false;
    }
    return true;
}

/// The values of an input in evenly spaced rows.
std::vector<double> values_of_input(const Dataset& data, const InputGroup& group)
{
    std::vector<double> values;
    for (const std::size_t i : evenly_spaced(data.n_rows, rows_of_statistics))
        values.push_back(group.value_of(data.row(i)));
    return values;
}

std::vector<InputGroup> groups_of_schema(const TableSchema& schema)
{
    std::vector<InputGroup> groups;
    std::size_t first = 0;
    for (const auto& column : schema.columns) {
        groups.push_back({.name       = column.name,
                          .first      = first,
                          .n_features = column.n_inputs(),
                          .categories = column.categories,
                          .ordered    = column.kind == ColumnKind::ordered,
                          .date       = column.kind == ColumnKind::date});
        first += column.n_inputs();
    }
    return groups;
}

}   // namespace

std::vector<InputGroup> input_groups(const Dataset& data)
{
    if (data.schema && data.schema->n_inputs() == data.n_features)
        return groups_of_schema(*data.schema);
    std::vector<InputGroup> groups;
    const auto& names = data.feature_names;
    for (std::size_t first = 0; first < data.n_features;) {
        const std::string name = names[first].substr(0, names[first].find('='));
        InputGroup group{.name = name, .first = first, .n_features = 0, .categories = {}, .ordered = false};
        while (first + group.n_features < data.n_features && names[first + group.n_features].starts_with(name + "="))
            group.categories.push_back(names[first + group.n_features++].substr(name.size() + 1));
        if (group.n_features < 2 || !is_one_hot(data, group))
            group = {.name = names[first], .first = first, .n_features = 1, .categories = {}, .ordered = false};
        first += group.n_features;
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<double> typical_row(const Dataset& data, std::span<const InputGroup> groups)
{
    std::vector<double> row(data.n_features);
    for (const auto& group : groups) {
        const auto values = values_of_input(data, group);
        if (!group.is_category()) {
            group.set(row, median(values));
            continue;
        }
        std::vector<long> count(group.categories.size());
        for (const double value : values)
            ++count[static_cast<std::size_t>(value)];
        group.set(row, static_cast<double>(std::max_element(count.begin(), count.end()) - count.begin()));
    }
    return row;
}

InputDistance::InputDistance(const Dataset& data, std::vector<InputGroup> groups) : groups_(std::move(groups))
{
    for (const auto& group : groups_) {
        const auto values = values_of_input(data, group);
        const double mean = mean_of(values);
        double squares    = 0;
        for (const double value : values)
            squares += (value - mean) * (value - mean);
        sd_.push_back(squares > 0 ? std::sqrt(squares / static_cast<double>(values.size())) : 1);
    }
}

double InputDistance::operator()(std::span<const double> row, std::span<const double> point) const
{
    if (groups_.empty())
        return 0;
    double sum = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const double gap = groups_[g].value_of(row) - groups_[g].value_of(point);
        if (groups_[g].is_category())
            sum += gap != 0 ? 2 : 0;
        else
            sum += gap / sd_[g] * (gap / sd_[g]);
    }
    return std::sqrt(sum / static_cast<double>(groups_.size()));
}

}   // namespace credence
