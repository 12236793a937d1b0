// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "outputs/bridge_of_file.h"

#include <QTabWidget>

#include <array>
#include <memory>

namespace credence {
class ChartView;
}
class QCheckBox;
class QComboBox;
class QLabel;

/// Charts of a logits file: for one row its Beta marginals with the remaining classes and the
/// simplex of three classes, each on a separate thread; for all rows the list lengths.
class LogitsPictures : public QTabWidget {
    Q_OBJECT
public:
    explicit LogitsPictures(QWidget* parent);

    void setFile(const std::shared_ptr<const credence::LogitsFile>& file);
    void showRow(std::size_t row, const credence::BridgeOrder& order);
    void showTotals(const credence::BridgeTotals& totals, const credence::BridgeOrder& order);
    bool showsRow() const;   ///< Has a row been drawn?
    bool busy() const { return m_job.busy(); }
    std::array<credence::ChartView*, 3> charts() const { return {m_marginals, m_simplex, m_lengths}; }

private:
    QWidget* buildMarginals();
    QWidget* buildSimplex();
    void request();
    void showCorners(const std::vector<int>& classes);

    struct RowReader;   ///< used by the thread
    std::shared_ptr<const credence::LogitsFile> m_file;
    std::shared_ptr<RowReader> m_reader;
    std::size_t m_row = 0;
    credence::BridgeOrder m_order;
    credence::ChartView *m_marginals, *m_lengths, *m_simplex;
    QLabel* m_remaining;
    std::array<QComboBox*, 3> m_corners{};
    QCheckBox* m_mostProbable = nullptr;
    int m_simplexTab          = 0;
    Worker m_job;   // last: its thread ends before what its results update
};
