// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QSortFilterProxyModel>

#include <optional>

/// The rows of a TableModel in any order: numbers by size, missing ones behind them, words by their letters.
class SortedTable : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    const credence::Table& table() const;
    /// The number that a cell is, or that its words are: of classes that are called 0, 1, 2.
    static std::optional<double> numberOf(const credence::Cell& cell);
    static QString wordsOf(const credence::Cell& cell);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};
