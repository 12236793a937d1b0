// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/logits_model.h"
#include "tools/tool_page.h"

#include <optional>

class LogitsPictures;
class NumberSlider;
class QComboBox;
class QLabel;
class QLayout;
class QSpinBox;
class QTableView;
class QTimer;

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
    void takeTotals(const credence::BridgeOrder& order, const credence::BridgeTotals& totals);
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
    QLabel *m_about, *m_numbers;
    QComboBox *m_variant, *m_filter;
    NumberSlider* m_threshold = nullptr;
    QSpinBox* m_longest       = nullptr;
    LogitsPictures* m_pictures;
    QTimer* m_soon;   ///< totals are updated when the slider stops
};
