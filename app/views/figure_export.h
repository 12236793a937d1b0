// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/export_dialog.h"
#include "session/export_job.h"
#include "session/saved_run.h"
#include "session/view_scheduler.h"
#include "views/views.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

// The parts of a report in order. Parts that are not views of a displayed run have their own id
// here.

namespace report_parts {

inline const QString settings       = QStringLiteral("report/settings");
inline const QString findings       = QStringLiteral("report/findings");
inline const QString differences    = QStringLiteral("report/differences");   ///< of the ticked runs: their settings
inline const QString scoresOfRuns   = QStringLiteral("report/scores_of_runs");
inline const QString runsSideBySide = QStringLiteral("report/runs_beside");   ///< their maps on one scale

}   // namespace report_parts

/// The report chapter of a view: its group, or the first page.
QString chapterOf(const credence::View& view);
/// Groups the figures by chapter, with the first page first.
void sortByChapter(std::vector<ExportFigure>& figures);

class Exporter;
class Notifier;
class QStatusBar;
class ViewNavigator;
struct ExportChoices;
struct FilmOrder;
struct AppContext;

/// Exports figures of the displayed snapshot: asks which, renders them in full quality in the
/// background, and reports the result.
class FigureExport : public QObject {
    Q_OBJECT
public:
    FigureExport(AppContext& context, const ViewNavigator& navigator, Notifier& notifier, QStatusBar* line,
                 QWidget* window);

    /// @param chosen  the view ticked initially; empty: all
    void ask(const QString& chosen) { askFor(chosen, false); }
    /// Exports figures of every ticked run; shows a hint if none is ticked.
    void askForTicked(const QString& chosen);
    void askReport();
    /// Asks for a film of the displayed run. @param chosen  the view selected initially
    void askFilm(const QString& chosen);
    QString whyNoFilm() const;   ///< empty: the displayed run can be filmed
    using Runs = std::vector<std::shared_ptr<SavedRunEntry>>;
    /// @param runs  runs to export, in the order of their names in `order`; empty: the displayed
    ///        run
    void write(const ExportOrder& order, const Runs& runs = {});
    /// Repeats the last export for the displayed run: the same figures, formats, size and folder.
    void repeat();
    QString repeatText() const;   ///< "Repeat export: Predictive entropy as PDF, 80 × 60 mm"
    bool canRepeat() const { return m_last.has_value(); }

    /// Returns the paragraphs of the report's chapter on findings. Called when a report is
    /// requested.
    using Findings = std::function<QStringList()>;
    void setFindings(Findings lines) { m_findings = std::move(lines); }

signals:
    void exported(const QStringList& files, const QString& mistake);
    void repeatChanged();

private:
    bool isFree();
    void askFor(const QString& chosen, bool ofEachRun);
    void addViews(ExportChoices& choices) const;
    QString fileNameOf(const QString& id) const;   // of a figure of the displayed run
    QHash<QString, QString> fileNamesOf(const QStringList& ids) const;
    ViewScheduler::Maker makerOf(const QString& id) const;
    QString titleOf(const QString& id) const;
    std::vector<ExportJob::Figure> figuresOf(const ExportOrder& order) const;
    std::vector<ExportJob::Figure> figuresOfEach(const ExportOrder& order, const Runs& runs) const;
    ExportJob::Writers writersFor(const ExportOrder& order) const;
    void film(const FilmOrder& order, const credence::SavedRun& run,
              std::shared_ptr<const credence::Experiment> experiment);
    void reportEnd(const ExportReport& report, const QString& sentence);

    AppContext& m_context;
    const ViewNavigator& m_navigator;
    Notifier& m_notifier;
    QWidget* m_window;
    Exporter* m_exporter;
    QString m_wait;   ///< the message about a second export
    std::optional<ExportOrder> m_last;
    Findings m_findings;
};
