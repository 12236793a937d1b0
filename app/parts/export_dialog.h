// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/export_job.h"

#include <QDialog>
#include <QStringList>

#include <utility>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QDoubleSpinBox;

/// Asks which figures, in which formats, how large and where.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// @param views   id and title of the views that the run on show has
    /// @param chosen  the one that is ticked at first; empty: all
    ExportDialog(const std::vector<std::pair<QString, QString>>& views, const QString& chosen, bool report,
                 QWidget* parent);
    ExportOrder order() const;
    void setNote(const QString& note);   ///< in place of the one on Studies in figures

private:
    void refresh();

    QListWidget* m_views;
    std::vector<std::pair<QString, QCheckBox*>> m_formats;
    QDoubleSpinBox *m_width, *m_height;
    QSpinBox* m_dpi;
    QLineEdit* m_folder;
    QPushButton* m_write;
    QLabel* m_note;
    bool m_report;
};
