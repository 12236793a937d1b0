// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <QDialog>

#include <functional>

class MistakeLabel;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

/// Facts about the whole table.
struct TableFacts {
    credence::Task task = credence::Task::classification;
    std::size_t rows = 0, features = 0, classes = 0;
};

/// Previews a table before import: format, target column and input columns. An error in the file is
/// shown with its line and prevents the import. The file is read on another thread.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ImportDialog(const QString& file, const credence::CsvOptions& options, QWidget* parent);

    /// Opens it as a non-modal dialog; `go` receives the dialog when the whole table has been read.
    static void ask(const QString& file, const credence::CsvOptions& options, QWidget* parent,
                    std::function<void(const ImportDialog&)> go);

    QString file() const;
    credence::CsvOptions options() const;
    const TableFacts& facts() const { return m_facts; }   ///< valid after acceptance
    bool busy() const { return m_busy; }

private:
    void chooseFile();
    void importNow();   ///< Reads the whole file, not only the preview.
    void setBusy(bool busy);
    void readAgain();   ///< Separator, header or decimal sign has changed: detects columns again.
    void showPreview(const credence::CsvPreview& preview);
    void forgetFile();   ///< Another file is read by its own content: target and task are detected again.
    void refresh();
    void showMistake(const QString& sentence);

    QLineEdit* m_file;
    QComboBox *m_header, *m_separator, *m_target, *m_task;
    QCheckBox* m_decimalComma;
    QTableWidget* m_table;
    MistakeLabel* m_mistake;
    QLabel* m_summary;
    QPushButton* m_import;
    credence::CsvPreview m_preview;
    QStringList m_notes;   ///< how columns are read, one sentence each
    QString m_readFile;
    TableFacts m_facts;
    int m_request  = 0;   // only the newest request to the reader counts
    bool m_busy    = false;
    bool m_good    = false;
    bool m_filling = false;
};
