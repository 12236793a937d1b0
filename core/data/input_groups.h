// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// An input of the table: a number, a category, or an ordered category.
struct InputGroup {
    std::string name;
    std::size_t first      = 0;   ///< its first feature
    std::size_t n_features = 1;   ///< consecutive
    /// Empty: a number. Otherwise one feature per category (1 for that of the row, else 0), or, with
    /// an order, a single feature with the index.
    std::vector<std::string> categories{};
    bool ordered                             = false;
    bool date                                = false;   ///< a number: days since 1970-01-01
    bool operator==(const InputGroup&) const = default;

    bool is_category() const { return !categories.empty(); }
    /// The number of a row, or the index of its category.
    double value_of(std::span<const double> row) const;
    /// Writes a number, or the category with this index. The value is then not missing.
    void set(std::span<double> row, double value) const;
};

/// The inputs of a table in the order of its features, by its schema. Without a schema, two or more
/// consecutive features "name=value" with the same name can be one category. They are if exactly one
/// of them is 1, and the others 0, in each of at most 10,000 evenly spaced rows.
std::vector<InputGroup> input_groups(const Dataset& data);

/// A typical row [n_features]: the median of each number (type 7) and the most frequent category, of at
/// most 10,000 evenly spaced rows. @param data  with at least one row
std::vector<double> typical_row(const Dataset& data, std::span<const InputGroup> groups);

/// Measures how far rows are from a point in some of the inputs, in standard deviations:
///
///     d² = mean over the inputs g of ((x_g − h_g)/sd_g)²,   2 for a category that differs
///
/// so that two independent rows have E d² = 2 in each input. The sd have divisor n and are 1 for a
/// constant input. d = 0 without inputs.
class InputDistance {
public:
    /// @param data  whose standard deviations are used, of at most 10,000 evenly spaced rows
    InputDistance(const Dataset& data, std::vector<InputGroup> groups);
    double operator()(std::span<const double> row, std::span<const double> point) const;

private:
    std::vector<InputGroup> groups_;
    std::vector<double> sd_;   ///< [groups]; unused for categories
};

}   // namespace credence
