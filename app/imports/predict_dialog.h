// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "results/predict_table.h"
#include "work/worker.h"

#include <QDialog>
#include <QString>

#include <memory>
#include <optional>

namespace credence {
class ColumnWidths;
}
struct DisplayedRun;
class MistakeLabel;
class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

/// Predicts the rows of a new table with one run: shows the first rows with their predictions and
/// counts the notes, then writes all of them to a file. Reading, predicting and writing happen on
/// another thread; *Cancel* stops them, and then no file is written.
class PredictDialog : public QDialog {
    Q_OBJECT
public:
    /// @param run  trained on a table, see `whyNot`
    PredictDialog(credence::RunSnapshot run, QWidget* parent);
    ~PredictDialog() override;

    /// Opens it as a non-modal dialog.
    static void ask(credence::RunSnapshot run, QWidget* parent);
    /// Returns why the displayed run cannot predict a table; empty: it can.
    static QString whyNot(const DisplayedRun& run);

    bool busy() const { return m_worker.busy(); }
    void reject() override;   ///< Escape and the window's cross: do nothing while the file is written.

private:
    struct Preview {
        std::shared_ptr<const credence::NewRows> rows;
        credence::Table table;
    };

    QLayout* buildForm();
    QLayout* fileRow(QLineEdit* field, void (PredictDialog::*browse)());
    void chooseTable();
    void chooseOutput();
    credence::PredictOptions options() const;
    void readTable();   ///< Another table was selected.
    void showAgain();   ///< Another level or kind of interval was selected: shows the same rows again.
    void makePreview(std::shared_ptr<const credence::NewRows> rows, const QString& file);
    void showPreview(const Preview& preview);
    void predictNow();
    void cancelOrClose();   ///< Cancels writing if it is in progress; otherwise closes.
    void showResult(const QString& file, const credence::PredictionSummary& summary);
    void refresh();
    QString rowsInWords() const;

    credence::RunSnapshot m_run;
    QLineEdit *m_table, *m_output;
    QDoubleSpinBox* m_level;
    QCheckBox* m_conformal;
    MistakeLabel* m_mistake;
    QLabel* m_summary;
    QTableWidget* m_preview;
    credence::ColumnWidths* m_widths;   ///< of the preview
    QProgressBar* m_progress;
    QPushButton *m_predict, *m_close;
    QString m_readTable;     ///< the file that `m_rows` were read from
    QString m_replaceable;   ///< a file that the user has agreed to replace
    QString m_suggested;     ///< the output file that was proposed, not typed
    std::shared_ptr<const credence::NewRows> m_rows;
    bool m_writing = false;
    Worker m_worker;   ///< last: its thread ends first
};
