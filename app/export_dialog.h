// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export_figure.h"

#include <QDialog>
#include <QStringList>

#include <deque>
#include <utility>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QDoubleSpinBox;

/// What is to be written: each view in each format as FOLDER/VIEW.SUFFIX, or one report.
struct ExportOrder {
    QStringList views;
    QStringList suffixes;    ///< "pdf", "svg", "png", "csv", "tex"; a report: "pdf", "html"
    QString     folder;
    QString     report;      ///< base name of a report; empty: single figures
    credence::ExportOptions options;

    std::vector<credence::Chart> charts{};   ///< report: as they get ready
    QStringList written{};
    int         made = 0;                    ///< pictures that have come
    std::deque<std::pair<QString, credence::Chart>> waiting{};   ///< files to be written; a report's charts stand above
};

/// Asks which figures, in which formats, how large and where.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// @param views   id and title of the views that the run on show has
    /// @param chosen  the one that is ticked at first; empty: all
    ExportDialog(const std::vector<std::pair<QString, QString>>& views, const QString& chosen, bool report, QWidget* parent);
    ExportOrder order() const;
    void setNote(const QString& note);   ///< in place of the one on Studies in figures

private:
    void refresh();

    QListWidget*    m_views;
    std::vector<std::pair<QString, QCheckBox*>> m_formats;
    QDoubleSpinBox *m_width, *m_height;
    QSpinBox*       m_dpi;
    QLineEdit*      m_folder;
    QPushButton*    m_write;
    QLabel*         m_note;
    bool            m_report;
};
