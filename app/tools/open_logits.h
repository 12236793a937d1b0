// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/logits_model.h"
#include "work/worker.h"

#include "charts/chart.h"

#include <QDialog>

#include <array>
#include <optional>

namespace credence {
class ChartView;
}
class MessageBar;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QTabWidget;
class QTableView;
class QTimer;

/// Gaussians over logits from elsewhere (File > Open logits): the table of rows, and for the chosen one its Dirichlet by the Laplace Bridge: marginals and the
/// list of classes that cannot be told from the best. Not modal; reads and computes on threads of its own, in memory that does not grow with the file
/// but for 24 bytes a row.
class OpenLogits : public QDialog {
    Q_OBJECT
public:
    explicit OpenLogits(QWidget* parent = nullptr);
    ~OpenLogits() override;

    /// An .npz file, a folder, or an .npy file in one. Rows are shown as they are read, unless another file is open: that stays until this one has been read whole.
    /// Mistakes are said in the message bar.
    void open(const QString& file);
    void chooseRow(std::size_t row);
    bool busy() const;   ///< is something being read or computed, or about to be?
    LogitsModel& model() { return *m_model; }

private:
    QWidget* buildControls();
    QWidget* buildRows();
    QWidget* buildPictures();
    credence::BridgeOrder order() const;
    void setThreshold(double threshold);    ///< and keeps slider and number together
    void readTotals(const QString& file);   ///< of another file, or empty: of the one that is open
    void showArrived();                     ///< the rows so far, while there is no whole reading to show
    void takeTotals(const credence::BridgeOrder& order, const credence::BridgeTotals& totals);
    void adopt();   ///< the file that arrives, in place of the one that was open
    void requestRow();
    QWidget* buildSimplex();
    void showCorners(const std::vector<int>& classes);
    void showSummary();
    void exportFigures(const credence::Chart& chosen);

    struct RowReader;   ///< of the row's thread
    struct Arriving;    ///< what the reading has brought, on its way to the window
    std::shared_ptr<Arriving> m_arriving;
    std::shared_ptr<const credence::LogitsFile> m_file;
    std::shared_ptr<RowReader> m_reader;
    std::optional<credence::BridgeTotals> m_totals;   ///< empty: the file has not been read whole
    QString m_opening;                                ///< the file that is being read, if it is not the open one
    std::size_t m_row = 0;
    QString m_path;

    LogitsModel* m_model;
    QTableView* m_table;
    QLabel *m_about, *m_numbers, *m_remaining;
    QComboBox *m_variant, *m_filter;
    QSlider* m_slider;
    QDoubleSpinBox* m_threshold;
    QPushButton *m_cancel, *m_export;
    QProgressBar* m_progress;
    MessageBar* m_message;
    QTabWidget* m_tabs;
    credence::ChartView *m_marginals, *m_lengths, *m_simplex;
    std::array<QComboBox*, 3> m_corners{};
    QCheckBox* m_mostProbable = nullptr;
    int m_simplexTab          = 0;
    QTimer* m_soon;                 ///< totals follow the slider when it rests
    Worker m_totalsJob, m_rowJob;   // last: their threads end before what their answers touch
};
