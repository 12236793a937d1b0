// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"
#include "imports/column_lines.h"
#include "sources/image_import.h"
#include "study/study.h"

#include <QDialog>
#include <QImage>
#include <QString>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

class ColumnPicture;
class MenuButton;
class MistakeLabel;
class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableWidget;
class QTimer;
namespace credence {
class ColumnWidths;
}

/// Facts about the whole table.
struct TableFacts {
    credence::Task task = credence::Task::classification;
    std::size_t rows = 0, features = 0, classes = 0;
    credence::Study first = {};   ///< the base Study with the initial settings of this table
};

/// Previews a table before import: format, target with its distribution, and each column with the kind and the
/// reason by which it is read so. Columns that number or name the rows are not inputs unless they are ticked. An
/// error in the file is shown with its line and prevents the import. The file is read on another thread.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    /// @param base  the Study that gets the table
    explicit ImportDialog(const QString& file, const credence::CsvOptions& options, QWidget* parent,
                          const credence::Study& base = {});

    /// Opens it as a non-modal dialog; `go` receives the dialog when the whole table has been read.
    static void ask(const QString& file, const credence::CsvOptions& options, QWidget* parent,
                    std::function<void(const ImportDialog&)> go, const credence::Study& base = {});
    /// The same for the table in the clipboard. @return  false: there is none, or it could not be stored
    static bool askForPasted(QWidget* parent, std::function<void(const ImportDialog&)> go, const credence::Study& base);

    QString file() const;
    credence::CsvOptions options() const;
    const TableFacts& facts() const { return m_facts; }   ///< valid after acceptance
    bool standardises() const;                            ///< inputs and a numeric target
    credence::SplitOptions chosenSplit() const;           ///< that of the base Study with the chosen kind and column
    std::string targetName() const;                       ///< its name, or a list of several (column_names_in)
    bool sameTarget() const;                              ///< is it the table of the base Study with its targets?
    bool busy() const { return m_busy; }

private:
    void fillChoices(const credence::CsvOptions& options);
    void fillSplits();
    QLayout* buildForm();
    void buildColumns();
    void layOut();
    void followChoices();
    void chooseFile();
    void paste();
    bool useClipboard();
    void forgetPasted(const QString& except);
    struct Reading;   ///< of one file in the background
    template <class Work, class Done>
    void readInBackground(Work work, Done done);
    void showProgress();
    void importNow();   ///< Reads the whole file, not only the preview.
    void setBusy(bool busy);
    void resizeEvent(QResizeEvent* event) override;
    void shareHeight();
    void read();
    void readAgain();         ///< File, separator, header or decimal sign has changed: detects columns again.
    void readWithColumns();   ///< Another setting has changed: target, inputs and their kinds stay.
    void showPreview(const credence::CsvPreview& preview);
    void showColumn(int column, bool input);
    void showTarget();
    void showSplit(const credence::CsvPreview& preview);
    void chooseSplit();
    credence::SplitKind splitKind() const;
    int splitColumn() const;   ///< −1: none
    bool isInput(int column) const;
    bool isTarget(int column) const;
    std::vector<int> targets() const;   ///< the first one, then the others
    void offerTargets(const credence::CsvPreview& preview);
    void showOtherTargets();
    /// Of the inputs and the target.
    struct ColumnsInUse {
        int inputs = 0, wide = 0;   ///< wide: with categories as one-hot columns
        std::size_t missing             = 0;
        const credence::CsvColumn* asks = nullptr;   ///< the first one whose decimal mark is not known
        QString problem                 = {};        ///< the first one
        QStringList notes               = {};
    };
    void markColumn(int column);
    void countColumn(int column, ColumnsInUse& used) const;
    void forgetFile();   ///< Another file is read by its own content: target and task are detected again.
    void ask(const credence::CsvColumn* column);
    void refresh();
    void showMistake(const QString& sentence);

    QLineEdit* m_file;
    QComboBox *m_header, *m_separator, *m_target, *m_task, *m_missing, *m_split, *m_splitColumn, *m_decimalMark;
    MenuButton* m_others;   ///< a menu of columns that are targets too
    QCheckBox* m_standardise;
    credence::ColumnWidths* m_rowWidths;   ///< of the first rows
    credence::ColumnWidths* m_widths;
    QTableWidget *m_columns, *m_table;   ///< one line for each column; the first rows
    ColumnPicture* m_picture;
    MistakeLabel* m_mistake;
    QPushButton *m_asPoint, *m_asComma;   ///< answers to a question about the decimal mark
    QLabel* m_summary;
    QPushButton* m_import;
    credence::CsvPreview m_preview;
    std::vector<ColumnLine> m_lines;   ///< of its columns
    QStringList m_notes;               ///< how columns are read, one sentence each
    QStringList m_pasted;              ///< files stored for this dialog
    QString m_testRows;                ///< file of the numbers of the test rows
    const credence::Study m_base;
    credence::CsvOptions m_given;   ///< columns and options without a control, for the next reading
    bool m_proposes = true;         ///< unticks columns that are of no use
    bool m_again    = false;        ///< the table of the base Study
    std::vector<int> m_before;      ///< its targets; empty: not known yet
    QString m_readFile;
    TableFacts m_facts;
    std::shared_ptr<Reading> m_reading;   ///< the newest; others are stopped
    bool m_busy    = false;
    bool m_good    = false;
    bool m_filling = false;
};

/// Previews a file or folder of images, with one image of each class, before it becomes a data set.
/// Reads on other threads; Cancel stops reading.
class ImportImagesDialog : public QDialog {
    Q_OBJECT
public:
    explicit ImportImagesDialog(const QString& path, QWidget* parent);

    /// One of the files of MNIST or CIFAR-10 selects the folder of all of them.
    static void askForPath(bool folder, QWidget* parent, const std::function<void(const QString&)>& go);
    ~ImportImagesDialog() override;

    const credence::ImportReport& report() const { return m_report; }   ///< valid after acceptance
    QString name() const;
    bool busy() const { return m_busy; }
    void reject() override;

private:
    struct Sample {
        QString name;
        QImage image;
    };
    struct Found {
        const credence::ImageFormat* format = nullptr;
        QString summary;
        std::vector<Sample> samples;   ///< one per class
    };
    static Found look(const std::filesystem::path& path);

    QWidget* buildFields();
    void buildPictureOptions();
    void choose(bool folder);
    void lookAgain();
    void showFound(const Found& found);
    void importNow();
    void setBusy(bool busy, const QString& words);
    void showMistake(const QString& sentence);
    void refresh();

    QLineEdit *m_path, *m_name, *m_title;
    QGroupBox* m_pictures;
    QSpinBox *m_size, *m_share, *m_seed;
    QComboBox* m_channels;
    MistakeLabel* m_mistake;
    QLabel* m_summary;
    QListWidget* m_samples;
    QProgressBar* m_progress;
    QPushButton* m_import;
    QTimer* m_clock;
    struct Count {
        std::atomic<std::size_t> done{0}, all{0};
    };
    std::shared_ptr<Count> m_count           = std::make_shared<Count>();
    std::shared_ptr<std::stop_source> m_stop = std::make_shared<std::stop_source>();
    std::optional<Found> m_found;
    credence::ImportReport m_report;
    int m_request = 0;
    bool m_busy = false, m_importing = false;
};

/// Is this the text of a table, such as cells copied from a spreadsheet: several lines, the first with separators?
bool isTableText(const QString& text);

/// Writes the text to a new file in the folder of pasted tables: "Pasted table 2026-11-27 10-15-30.tsv".
/// @return  its path; empty: it could not be written
QString storePastedTable(const QString& text);
