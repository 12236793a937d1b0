// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/export_preview.h"
#include "parts/figure_ticks.h"
#include "session/export_job.h"

#include <QDialog>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QDoubleSpinBox;

/// What can be exported, and the note in the dialog.
struct ExportChoices {
    std::vector<ExportFigure> figures{};
    QString chosen{};   ///< the one that is ticked at first; empty: all
    bool report = false;
    QString note{};           ///< in place of the one on Studies in figures
    QStringList runs{};       ///< names of the ticked runs, for each of which the figures can be made; empty: none
    bool ofEachRun = false;   ///< selected initially instead of the displayed run?
    /// Renders a figure for the preview; empty: no preview.
    std::function<ExportPreview::Maker(const QString& id)> preview{};
};

/// Asks for figures, formats, size and folder, and previews the selected figure. Remembers the last
/// choices.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(const ExportChoices& choices, QWidget* parent);
    ExportOrder order() const;
    /// Asks first if files would be replaced. The dialog stays open unless the answer is yes.
    void accept() override;

private:
    QWidget* formats(bool report);
    QWidget* pageRow();
    QWidget* sizeRow();
    QWidget* lettersRow();
    QWidget* folderRow();
    void addRuns(QFormLayout* form, const ExportChoices& choices);
    void addPreview(QBoxLayout* columns, const ExportChoices& choices);
    void takePage();
    void namePage();
    void remember() const;
    void askToReplace(const ExportOrder& order, const QStringList& existing);
    void finish();
    QString folder() const;                            ///< the absolute path of what is typed; ~ is the home folder
    static QString mistakeOf(const QString& folder);   ///< why no file can be written there; empty: none
    void refresh();
    bool eachRun() const;

    FigureTicks* m_views;
    QStringList m_runs;   // names of files
    QComboBox* m_of = nullptr;
    std::vector<std::pair<QString, QCheckBox*>> m_formats;
    QComboBox *m_page, *m_caption;
    QDoubleSpinBox *m_width, *m_height, *m_font;
    QSpinBox* m_dpi;
    QCheckBox* m_title;
    QLineEdit* m_folder;
    QPushButton* m_write;
    QLabel *m_note, *m_files;
    ExportPreview* m_preview = nullptr;
    std::function<ExportPreview::Maker(const QString& id)> m_maker;
    bool m_report;
};
