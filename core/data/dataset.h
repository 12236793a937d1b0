// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

enum class Task {
    classification,   ///< one of K >= 2 classes
    regression,       ///< one real number, or several
};

struct TableSchema;   // data/table_schema.h
struct SplitColumn;   // data/split_rows.h

/// Inputs and targets in original units, as doubles. They become floats after standardisation,
/// which removes offsets that would cost precision (a Unix time in float32 is accurate to two
/// minutes).
struct Dataset {
    std::string name;
    Task task              = Task::classification;
    std::size_t n_rows     = 0;
    std::size_t n_features = 0;
    std::vector<double> inputs;               ///< [n_rows × n_features], row-major
    std::vector<int> labels;                  ///< [n_rows], classification only, 0..K-1
    std::vector<double> targets;              ///< [n_rows × n_targets], row-major; regression only
    std::vector<std::string> feature_names;   ///< [n_features]
    std::vector<std::string> class_names;     ///< [K], classification only
    std::string target_name                = "y";
    std::vector<std::string> other_targets = {};   ///< regression: names of the targets after the first

    /// How the columns of a table were read; null: no table. In the parts of a split it has the fill
    /// values and ranges of the training rows.
    std::shared_ptr<const TableSchema> schema       = nullptr;
    std::shared_ptr<const SplitColumn> split_column = nullptr;   ///< [n_rows] of a whole table only
    std::vector<std::uint32_t> table_rows           = {};        ///< [n_rows] row numbers in the file, from 0;
                                                                 ///< empty: 0, 1, 2, …
    std::size_t n_table_rows = 0;   ///< in the file, with rows that were left out; 0: n_rows

    /// The number of row `i` in the file, from 0.
    std::uint32_t table_row(std::size_t i) const
    {
        return table_rows.empty() ? static_cast<std::uint32_t>(i) : table_rows[i];
    }
    std::size_t n_classes() const { return class_names.size(); }
    std::size_t n_targets() const { return 1 + other_targets.size(); }   ///< numbers in a row of `targets`
    std::vector<std::string> target_names() const;                       ///< [n_targets]
    std::span<const double> row(std::size_t i) const { return {inputs.data() + i * n_features, n_features}; }
    void check() const;   ///< @throws Error if sizes, labels or numbers are inconsistent (NaN and
                          ///< infinity are errors)
};

/// The same columns without rows.
Dataset without_rows(const Dataset& all);

/// The rows with these indices, in that order.
Dataset subset(const Dataset& all, std::span<const std::uint32_t> rows);

/// Keeps the numbers of one target. @param targets  [n_rows × n_targets]
template <class Numbers>
void keep_target(Numbers& targets, std::size_t target, std::size_t n_targets)
{
    std::size_t row = 0;
    for (std::size_t i = target; i < targets.size(); i += n_targets)
        targets[row++] = targets[i];
    targets.resize(row);
}

/// The data with only one of the targets.
/// @param target  from 0
Dataset with_one_target(Dataset all, std::size_t target);

/// The unit in the brackets that end a name: "MPa" for "strength [MPa]", "days" for "age (days)". Empty: none.
/// "x (2)" has none; it is the second of two columns.
std::string unit_in_name(std::string_view name);
/// The unit of a quantity, as scores and axes show it: that in its name, otherwise "units of NAME".
std::string target_unit(std::string_view name);

/// The name of class `k`, or its number if the data have no name for it.
inline std::string class_name(std::span<const std::string> names, int k)
{
    return k >= 0 && static_cast<std::size_t>(k) < names.size() ? names[static_cast<std::size_t>(k)]
                                                                : std::to_string(k);
}

/// The names of all K classes.
inline std::vector<std::string> class_names_of(std::vector<std::string> names, int K)
{
    for (int k = static_cast<int>(names.size()); k < K; ++k)
        names.push_back(std::to_string(k));
    return names;
}

}   // namespace credence
