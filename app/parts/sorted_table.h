// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QSortFilterProxyModel>

#include <optional>

/// Sorts the rows of a TableModel: numbers by size with missing ones last, text alphabetically.
class SortedTable : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    const credence::Table& table() const;
    /// The number in a cell, or in its text: for classes named 0, 1, 2.
    static std::optional<double> numberOf(const credence::Cell& cell);
    static QString wordsOf(const credence::Cell& cell);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};
