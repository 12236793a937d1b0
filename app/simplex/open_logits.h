// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/bridge_of_file.h"
#include "parts/tool_page.h"
#include "work/worker.h"

#include <QAbstractTableModel>
#include <QTabWidget>

#include <array>
#include <memory>
#include <optional>

namespace credence {
class ChartView;
class ColumnWidths;
}   // namespace credence
class NumberSlider;
class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QSpinBox;
class QTableView;
class QTimer;

/// The rows of a logits file with the bridge's results; fast enough to scroll and sort 50,000 rows.
class LogitsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        rowColumn,
        labelColumn,
        predictedColumn,
        confidenceColumn,
        totalColumn,
        lengthColumn,
        listedColumn,
        columns
    };
    enum class Filter { all, wrong, notListed, long_ };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::shared_ptr<const credence::LogitsFile> file, std::vector<credence::BridgedRow> rows);
    /// Appends the next rows of the file; the selected row stays selected.
    void append(const std::vector<credence::BridgedRow>& rows);
    void setFilter(Filter filter);
    bool labelled() const { return m_file && !m_file->labels().empty(); }
    std::size_t fileRow(int row) const
    {
        return m_order[static_cast<std::size_t>(row)];
    }                                                          ///< row of the file for a row of the table
    int tableRow(std::size_t fileRow) const;                   ///< -1: not shown
    std::size_t rowsOfFile() const { return m_rows.size(); }   ///< rows known so far
    const credence::BridgedRow& at(std::size_t fileRow) const { return m_rows[fileRow]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    bool isShown(const credence::BridgedRow& row) const;
    void arrange();
    QString nameOf(int label) const;

    std::shared_ptr<const credence::LogitsFile> m_file;
    std::vector<credence::BridgedRow> m_rows;
    std::vector<std::uint32_t> m_order;   ///< rows of the file that are shown
    Filter m_filter           = Filter::all;
    int m_column              = rowColumn;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

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

/// Imported Gaussians over logits (File > Open logits): the table of rows, and for the selected row
/// its Dirichlet by the Laplace Bridge: marginals and the list of classes that cannot be
/// distinguished from the best. Reads and computes on separate threads; memory is 24 bytes per row.
class OpenLogits : public ToolPage {
    Q_OBJECT
public:
    explicit OpenLogits(QWidget* parent = nullptr);

    /// Opens an .npz file, a folder, or an .npy file in one. Rows are shown as they are read,
    /// unless another file is open, which stays until the new one has been read. Errors are shown
    /// in the message bar.
    void open(const QString& file);
    void chooseRow(std::size_t row);
    bool busy() const override;   ///< Is reading or computing in progress or pending?
    void cancel() override;
    LogitsModel& model() { return *m_model; }

private:
    QLayout* buildOrder();
    QWidget* buildRows();
    credence::BridgeOrder order() const;
    void orderChanged();
    void showMistake(const QString& field, const QString& sentence) override;
    void readTotals(const QString& file);   ///< for another file; empty: the open one
    void showArrived();                     ///< Shows the rows so far, while no complete result is shown.
    void setTotals(const credence::BridgeOrder& order, const credence::BridgeTotals& totals);
    void adopt();   ///< Replaces the open file by the one that has been read.
    void showSummary();

    struct Arriving;   ///< results of reading on their way to the window
    std::shared_ptr<Arriving> m_arriving;
    std::shared_ptr<const credence::LogitsFile> m_file;
    std::optional<credence::BridgeTotals> m_totals;   ///< empty: the file has not been read completely
    QString m_opening;                                ///< the file being read, if it is not the open one
    std::size_t m_row = 0;
    QString m_path;

    LogitsModel* m_model;
    QTableView* m_table;
    credence::ColumnWidths* m_widths;
    QLabel *m_about, *m_numbers;
    QComboBox *m_variant, *m_filter;
    NumberSlider* m_threshold = nullptr;
    QSpinBox* m_longest       = nullptr;
    LogitsPictures* m_pictures;
    QTimer* m_soon;   ///< totals are updated when the slider stops
};
