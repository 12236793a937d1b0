// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_files.h"
#include "session/export_job.h"
#include "widgets/export_figure.h"
#include "work/worker.h"

#include <QDialog>
#include <QHash>
#include <QListWidget>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class FolderField;
class QBoxLayout;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

/// Previews a figure as exported, in true proportions and with true font sizes. Figures are
/// rendered once each on a separate thread.
class ExportPreview : public QWidget {
    Q_OBJECT
public:
    using Maker = std::function<std::optional<credence::Chart>(std::stop_token)>;
    explicit ExportPreview(QWidget* parent);

    /// @param onScreen  drawn until the figure is computed; null: nothing
    void showFigure(const QString& id, const Maker& make, std::shared_ptr<const credence::Chart> onScreen = {});
    void setOptions(const credence::ExportOptions& options);
    /// Shows the figure as this frame of a film instead of as a page.
    void setFilm(const credence::FilmStyle& style, const credence::FilmFrame& frame);
    QString words() const { return m_words; }          ///< below the page: its size, or why there is none
    const QImage& picture() const { return m_page; }   ///< null: there is none yet

    QSize sizeHint() const override { return {340, 320}; }
    QSize minimumSizeHint() const override { return {200, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawPage();
    void drawFrame(const credence::Chart& chart, QSizeF room);
    void notify(const QString& words);

    QString m_id;
    std::map<QString, std::shared_ptr<const credence::Chart>> m_made;
    std::shared_ptr<const credence::Chart> m_onScreen;
    credence::ExportOptions m_options;
    std::optional<std::pair<credence::FilmStyle, credence::FilmFrame>> m_film;
    QImage m_page;
    QString m_words;
    QTimer m_soon;
    Worker m_worker;   // last: its thread ends first
};

/// Asks at the top of a window before files are replaced.
/// @param go  called with an order that can be executed: the same order, at once if no file exists,
/// or one that keeps both files
void askToReplace(const ExportOrder& order, QWidget* window, std::function<void(const ExportOrder&)> go);

/// A figure, or a part of a report, that can be exported.
struct ExportFigure {
    QString id, title;
    QString chapter{};       ///< of a report; empty: none. Figures of a chapter are adjacent
    bool ofEachRun = true;   ///< can be made of every run; false: of what is on screen alone
};

/// Tickable figures grouped by report chapter; a chapter's tick reflects all its figures.
class FigureTicks : public QListWidget {
    Q_OBJECT
public:
    /// @param chosen   id of the ticked figure; empty: all except `leftOut`
    FigureTicks(const std::vector<ExportFigure>& figures, const QString& chosen, const QStringList& leftOut,
                QWidget* parent);
    QStringList ticked() const;
    QStringList leftOut() const;
    QString inFront() const;   ///< id of the current figure, or of the first that is ticked; empty: none
    void offerOnlyThoseOfEachRun(bool only);

signals:
    void changed();   ///< of ticks, or of what is in front

private:
    void passOn(QListWidgetItem* item);
    void refreshChapters();
};

/// The options of an export and the note in the dialog.
struct ExportChoices {
    std::vector<ExportFigure> figures{};
    QString chosen{};         ///< the one that is ticked at first; empty: all
    QString report{};         ///< file name of the report; empty: single figures
    QString note{};           ///< in place of the one on Studies in figures
    QStringList runs{};       ///< names of the ticked runs, for each of which the figures can be made; empty: none
    QStringList runFiles{};   ///< their file names
    QHash<QString, QString> names{};   ///< see ExportOrder
    bool ofEachRun = false;            ///< selected initially instead of the displayed run?
    /// Renders a figure for the preview; empty: no preview.
    std::function<ExportPreview::Maker(const QString& id)> preview{};
    /// The chart of a figure on screen, for the preview until it is computed; null: none.
    std::function<std::shared_ptr<const credence::Chart>(const QString& id)> onScreen{};
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
    void addRuns(QFormLayout* form, const ExportChoices& choices);
    void addPreview(QBoxLayout* columns, const ExportChoices& choices);
    void applyPageFormat();
    void namePage();
    void remember() const;
    void finish();
    void refresh();
    bool eachRun() const;

    FigureTicks* m_views;
    const QStringList m_runs;   // names of files
    const QHash<QString, QString> m_names;
    const QString m_report;   // empty: single figures
    int m_copy      = 1;
    QComboBox* m_of = nullptr;
    std::vector<std::pair<QString, QCheckBox*>> m_formats;
    QComboBox *m_page, *m_caption;
    QDoubleSpinBox *m_width, *m_height, *m_font;
    QSpinBox* m_dpi;
    QCheckBox *m_title, *m_table;
    FolderField* m_folder;
    QPushButton* m_write;
    QLabel *m_note, *m_files;
    ExportPreview* m_preview = nullptr;
    std::function<ExportPreview::Maker(const QString& id)> m_maker;
    std::function<std::shared_ptr<const credence::Chart>(const QString& id)> m_onScreen;
};

/// A chart with the text of its Study; empty if there is none.
struct ChartOfStudy {
    std::shared_ptr<const credence::Chart> chart;
    QByteArray studyJson{};
};

/// Asks which figures to write, and writes them in the background with progress and Cancel. All
/// exports of a window use it.
class Exporter : public QObject {
    Q_OBJECT
public:
    /// @param job     writes the files; lives as long as the window
    /// @param window  parent of the dialog
    Exporter(ExportJob& job, QWidget* window);

    QPushButton* progress() const
    {
        return m_progress;
    }   ///< shows how far the export is, a click cancels it; for a place in the window
    bool busy() const { return m_job.busy(); }
    /// Does not block: `go` is called when the dialog is accepted.
    void ask(const ExportChoices& choices, std::function<void(const ExportOrder&)> go);
    /// Does nothing while an export is in progress.
    void start(const ExportOrder& order, std::vector<ExportJob::Figure> figures, ExportJob::Writers writers);
    /// Asks, and writes charts unchanged. @param chosen  id ticked initially; empty: all
    void askForCharts(std::vector<ChartOfStudy> charts, const std::string& chosen);

signals:
    void ended(const ExportReport& report, const QString& sentence);

private:
    void refresh();

    ExportJob& m_job;
    QWidget* m_window;
    QPushButton* m_progress;
    QString m_folder;
};

class FolderField;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

/// The options of a film.
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

/// The user's choices for a film.
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
    int m_copy   = 1;
    bool m_paced = false;   ///< the duration was edited: its speed is remembered
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
