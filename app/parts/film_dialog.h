// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/figure_files.h"
#include "parts/export_dialog.h"

#include <QDialog>
#include <QHash>
#include <QString>

#include <functional>
#include <vector>

class FolderField;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

/// What can be filmed.
struct FilmChoices {
    std::vector<ExportFigure> views{};
    QString chosen{};                  ///< selected initially; empty: the first
    int recorded = 2;                  ///< steps of the run
    QHash<QString, QString> names{};   ///< file name of each view, without suffix
    /// Captions of the frames. @param title  start of each; empty: data and method
    std::function<std::vector<credence::FilmFrame>(int frames, const QString& title)> frames{};
    /// Renders the last frame of a view for the preview.
    std::function<ExportPreview::Maker(const QString& view)> preview{};
};

/// What to film.
struct FilmOrder {
    QString view;
    int frames = 2;
    QString title;   ///< start of each caption; empty: data and method
    credence::FilmStyle style;
    ExportOrder target;   ///< its report is the name of the film, without suffix
};

/// Asks for view, frames, duration, format, size and folder of a film, and previews its last frame.
class FilmDialog : public QDialog {
    Q_OBJECT
public:
    FilmDialog(FilmChoices choices, QWidget* parent);
    FilmOrder order() const;
    /// Asks first if a file would be replaced. A series of PNG files always gets a new folder.
    void accept() override;

private:
    void addForm(QWidget* form);
    void refresh();

    const FilmChoices m_choices;
    int m_copy = 1;
    QComboBox *m_view, *m_format, *m_size;
    QSpinBox* m_frames;
    QDoubleSpinBox* m_seconds;
    QCheckBox* m_dark;
    QLineEdit* m_title;
    FolderField* m_folder;
    QLabel* m_note;
    QPushButton* m_write;
    ExportPreview* m_preview;
};
