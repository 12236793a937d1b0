// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_export.h"

#include "charts/decision_map.h"
#include "foundation/files.h"
#include "parts/export_dialog.h"
#include "parts/notifier.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "study/names.h"
#include "study/study_words.h"
#include "views/comparison.h"
#include "views/view_navigator.h"
#include "views/view_support.h"
#include "widgets/export_figure.h"
#include "work/text.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QStatusBar>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

QString chapterOf(const View& view)
{
    return view.id == "scores" ? QCoreApplication::translate("ReportChapters", "First page")
                               : toQString(title_of(view.group));
}

void sortByChapter(std::vector<ExportFigure>& figures)
{
    std::vector<QString> chapters;   // in the order in which they first occur, the first page in front
    for (const auto& figure : figures)
        if (std::find(chapters.begin(), chapters.end(), figure.chapter) == chapters.end())
            chapters.insert(figure.id == QStringLiteral("scores") ? chapters.begin() : chapters.end(), figure.chapter);
    const auto place = [&](const ExportFigure& figure) {
        return std::find(chapters.begin(), chapters.end(), figure.chapter) - chapters.begin();
    };
    std::stable_sort(figures.begin(), figures.end(),
                     [&](const ExportFigure& a, const ExportFigure& b) { return place(a) < place(b); });
}

namespace {

ExportJob::Writers figureWriters(const ExportOptions& options, const QByteArray& studyJson, const Table& settings)
{
    return {
        [options, studyJson](const Chart& chart, const QString& file) { exportChart(chart, file, options, studyJson); },
        {},
        [settings](const Chart& chart, const QString& file) { exportCaption(chart, file, settings); }};
}

const QStringList onlyTheMap{QStringLiteral("decision_map")};

/// Returns a file name that is valid on every system: "Two moons" becomes "two-moons".
QString fileName(const std::string& name) { return toQString(distinct_file_names({&name, 1}).front()); }

QString fileName(const QString& id) { return QString(id).replace(QLatin1Char('_'), QLatin1Char('-')); }

/// Returns "two-moons" and "mean-field".
std::pair<QString, QString> dataAndMethod(const Study& study)
{
    const std::string name = named_for_source(study);   // "Two moons, mean field"
    const auto comma       = name.rfind(", ");
    return {fileName(name.substr(0, comma)), fileName(name.substr(comma + 2))};
}

QString fileName(const Study& study)
{
    const auto [data, method] = dataAndMethod(study);
    return data + '_' + method;
}

/// Returns file names by data and method, or the names given by the user; equal names are numbered.
QStringList fileNamesOfRuns(const FigureExport::Runs& runs)
{
    QStringList names;
    for (const auto& entry : runs) {
        const auto& run     = entry->run;
        const bool own      = run.name != run.study.name || entry->ofOutputs();
        const QString first = own ? fileName(run.name) : fileName(run.study);
        QString name        = first;
        for (int n = 2; names.contains(name); ++n)
            name = QStringLiteral("%1-%2").arg(first).arg(n);
        names += name;
    }
    return names;
}

QString chapterOfFigure(const QString& id)
{
    const auto& all  = views();
    const auto found = std::find_if(all.begin(), all.end(), [&](const View& view) { return toQString(view.id) == id; });
    return found == all.end() ? FigureExport::tr("The ticked runs compared") : chapterOf(*found);
}

}   // namespace

FigureExport::FigureExport(AppContext& context, const ViewNavigator& navigator, Notifier& notifier, QStatusBar* line,
                           QWidget* window)
    : QObject(window), m_context(context), m_navigator(navigator), m_notifier(notifier), m_window(window),
      m_exporter(new Exporter(context.exports, window))
{
    line->addPermanentWidget(m_exporter->progress());
    connect(m_exporter, &Exporter::ended, this, &FigureExport::reportEnd);
    connect(&context.choices, &ViewChoices::changed, this, [this] {
        if (m_last && m_last->views == onlyTheMap)
            Q_EMIT repeatChanged();   // it names the quantity
    });
}

bool FigureExport::isFree()
{
    auto& job = m_context.exports;
    if (!job.busy())
        return true;
    m_wait = tr("An export is in progress: %1 of %2 figures are finished. Cancel it or wait.")
                 .arg(job.made())
                 .arg(job.wanted());
    m_notifier.keep(m_wait, {{tr("Cancel export"), [&job] { job.cancel(); }}});
    return false;
}

/// Returns "two-moons_mean-field_scores"; for a figure that compares runs, "compared" replaces the
/// method.
QString FigureExport::fileNameOf(const QString& id) const
{
    const auto& experiment = *m_context.session.run().experiment;
    const bool compared    = id.startsWith(QLatin1String("compare_"));
    if (!compared && m_navigator.ownFigure(id))   // of no run
        return fileName(id);
    const bool map     = id == comparedPlace() || id == QLatin1String("decision_map");
    const QString view = fileName(
        map ? toQString(name_of(m_context.choices.options().map.quantity))
            : id.mid(compared ? 8 : 0).replace(QLatin1String("truth"), QLatin1String("reference")));
    const auto [data, method] =
        experiment.outputs
            ? std::pair{fileName(QFileInfo(toQString(experiment.outputs->own.name)).completeBaseName().toStdString()),
                        QStringLiteral("imported")}
            : dataAndMethod(experiment.study);
    return QStringList{data, compared ? QStringLiteral("compared") : method, view}.join(QLatin1Char('_'));
}

QHash<QString, QString> FigureExport::fileNamesOf(const QStringList& ids) const
{
    QHash<QString, QString> names;
    for (const auto& id : ids)
        names[id] = fileNameOf(id);
    return names;
}

void FigureExport::addViews(ExportChoices& choices) const
{
    const auto& experiment = *m_context.session.run().experiment;
    for (const auto& view : views())
        if (view.applies(experiment))
            choices.figures.push_back(
                {toQString(view.id), toQString(view.title), choices.report.isEmpty() ? QString() : chapterOf(view)});
    if (experiment.outputs)
        choices.note = tr(
            "Imported predictions have no Study, so figures contain only their caption. Files use the print palette.");
}

void FigureExport::askForTicked(const QString& chosen)
{
    if (m_context.runs.checked().empty())
        m_notifier.keep(tr("No run is ticked. In the list of runs, tick the runs whose figures you want to export."));
    else
        // A figure that belongs to no run cannot be preselected
        askFor(m_navigator.ownFigure(chosen) ? QString() : chosen, true);
}

void FigureExport::askFor(const QString& chosen, bool ofEachRun)
{
    if (!m_context.session.run().experiment || !isFree())
        return;
    ExportChoices choices{{}, chosen};
    addViews(choices);
    for (const auto& [id, title] : m_navigator.ownFigures())
        choices.figures.insert(id == comparedPlace() ? choices.figures.begin() : choices.figures.end(),
                               {id, title, {}, false});
    const auto runs = m_context.runs.checked();
    for (const auto& entry : runs)
        choices.runs += toQString(entry->run.name);
    choices.runFiles = fileNamesOfRuns(runs);
    for (const auto& figure : choices.figures)
        choices.names[figure.id] = fileNameOf(figure.id);
    choices.ofEachRun = ofEachRun;
    choices.preview   = [this](const QString& id) { return makerOf(id); };
    choices.onScreen  = [this](const QString& id) -> std::shared_ptr<const Chart> {
        const auto* panel = m_navigator.panel(id);
        const bool shown  = panel && panel->hasChart() && toQString(panel->chart().id) == id;
        return shown && panel->chart().message.empty() ? panel->sharedChart() : nullptr;
    };
    m_exporter->ask(choices, [this, runs](const ExportOrder& order) { write(order, runs); });
}

void FigureExport::askReport()
{
    if (!m_context.session.run().experiment || !isFree())
        return;
    ExportChoices choices{{}, {}, fileNameOf(QStringLiteral("report"))};
    addViews(choices);
    sortByChapter(choices.figures);
    const bool scores     = !choices.figures.empty() && choices.figures.front().id == QStringLiteral("scores");
    auto afterScores      = choices.figures.begin() + (scores ? 1 : 0);
    const QString chapter = scores ? choices.figures.front().chapter : tr("First page");
    if (!m_context.session.run().ofOutputs())
        afterScores = choices.figures.insert(afterScores, {report_parts::settings, tr("Settings"), chapter}) + 1;
    if (m_findings)
        choices.figures.insert(afterScores, {report_parts::findings, tr("Problems and warnings"), tr("Findings")});
    if (m_context.runs.checked().size() > 1)
        for (const QString& id : {report_parts::differences, report_parts::scoresOfRuns, report_parts::runsSideBySide})
            choices.figures.push_back({id, titleOf(id), tr("The ticked runs compared")});
    m_exporter->ask(choices, [this](const ExportOrder& order) { write(order); });
}

QString FigureExport::titleOf(const QString& id) const
{
    if (id == report_parts::differences)
        return tr("Differences between the runs");
    if (id == report_parts::scoresOfRuns)
        return tr("Scores side by side");
    if (id == report_parts::runsSideBySide)
        return tr("Maps side by side");
    const auto own    = m_navigator.ownFigures();
    const auto titled = std::find_if(own.begin(), own.end(), [&](const auto& figure) { return figure.first == id; });
    if (titled != own.end())
        return titled->second;
    return m_navigator.ownFigure(id) ? id : toQString(view(id.toStdString()).title);
}

ViewScheduler::Maker FigureExport::makerOf(const QString& id) const
{
    if (id == report_parts::differences)
        return m_context.requests.printDifferences();
    if (id == report_parts::scoresOfRuns)
        return m_context.requests.printScoresSideBySide();
    if (id == report_parts::runsSideBySide)
        return m_context.requests.printComparison(comparedPlace());
    if (auto own = m_navigator.ownFigure(id))
        return std::move(*own);
    return m_context.requests.print(view(id.toStdString()));
}

std::vector<ExportJob::Figure> FigureExport::figuresOf(const ExportOrder& order) const
{
    std::vector<ExportJob::Figure> figures;
    for (const auto& id : order.views)
        if (id != report_parts::settings && id != report_parts::findings)   // words, not figures
            figures.push_back({order.report.isEmpty() ? order.stem(id) : id, titleOf(id), makerOf(id)});
    return figures;
}

/// Each file contains the Study of its own run.
std::vector<ExportJob::Figure> FigureExport::figuresOfEach(const ExportOrder& order, const Runs& runs) const
{
    std::vector<ExportJob::Figure> figures;
    for (std::size_t r = 0; r < runs.size() && r < static_cast<std::size_t>(order.runs.size()); ++r) {
        Study study           = runs[r]->run.study;
        study.name            = runs[r]->run.name;
        const bool outputs    = runs[r]->ofOutputs();
        const QByteArray json = outputs ? QByteArray() : QByteArray::fromStdString(to_text(study));
        const auto writers    = std::make_shared<const ExportJob::Writers>(
            figureWriters(order.options, json, outputs ? Table{} : settings_table(study)));
        for (const auto& id : order.views) {
            const auto& wanted = view(id.toStdString());
            figures.push_back({order.stem(id, order.runs.at(static_cast<qsizetype>(r))),
                               toQString(study.name) + QStringLiteral(", ") + toQString(wanted.title),
                               m_context.requests.printEndOf(runs[r], wanted), writers});
        }
    }
    return figures;
}

/// Uses the current Study even if it changes later; imported predictions have none.
ExportJob::Writers FigureExport::writersFor(const ExportOrder& order) const
{
    const auto& session = m_context.session;
    const Study& study  = session.run().experiment->study;
    const bool outputs  = session.run().ofOutputs();   // without a Study: no settings of ours made them
    Report report{toQString(study.name), outputs ? QString() : toQString(study.note), {}, {}};
    report.setting = toQString(shared_setting(session.run().current()));
    if (!outputs)
        report.studyJson = QByteArray::fromStdString(*m_context.requests.study());
    if (const auto& rule = m_context.choices.options().prune; rule.on() && !outputs)
        report.setting += tr(". Pruned: %1").arg(toQString(words_of(rule)));
    const Table settings = outputs ? Table{} : settings_table(study);
    auto writers         = figureWriters(order.options, report.studyJson, settings);
    if (order.report.isEmpty())
        return writers;
    if (order.views.contains(report_parts::settings))
        report.settings = settings;
    if (order.views.contains(report_parts::findings) && m_findings)
        report.texts.push_back({tr("Problems and warnings"), m_findings()});
    writers.report = [report](const std::vector<Chart>& charts, const QString& file) -> ExportJob::Step {
        Report whole = report;
        whole.charts = charts;
        for (const auto& chart : charts)
            whole.chapters += chapterOfFigure(toQString(chart.id));
        return [writer = std::make_shared<ReportWriter>(std::move(whole), file)] { return writer->step(); };
    };
    return writers;
}

void FigureExport::write(const ExportOrder& order, const Runs& runs)
{
    if (!m_context.session.run().experiment || !isFree())
        return;
    auto figures = order.runs.isEmpty() ? figuresOf(order) : figuresOfEach(order, runs);
    if (!order.report.isEmpty())
        for (auto& figure : figures)   // a report finds the chapter by this id
            figure.make = [id = figure.id.toStdString(), make = std::move(figure.make)](std::stop_token stop) {
                auto chart = make(std::move(stop));
                if (chart)
                    chart->id = id;
                return chart;
            };
    m_exporter->start(order, std::move(figures), writersFor(order));
    m_last = order;
    m_last->runs.clear();   // repeated for the displayed run
    Q_EMIT repeatChanged();
}

void FigureExport::repeat()
{
    if (!m_last || !m_context.session.run().experiment || !isFree())
        return;
    ExportOrder order = *m_last;
    order.copy        = 1;
    order.names       = fileNamesOf(order.views);
    if (!order.report.isEmpty())
        order.report = fileNameOf(QStringLiteral("report"));
    askToReplace(order, m_window, [this](const ExportOrder& allowed) {
        QDir().mkpath(allowed.folder);   // otherwise the export reports it
        write(allowed);
    });
}

QString FigureExport::repeatText() const
{
    if (!m_last)
        return tr("Repeat last export");
    QString what = tr("%1 figures").arg(m_last->views.size());
    if (!m_last->report.isEmpty())
        what = tr("Report");
    else if (m_last->views == onlyTheMap)
        what = toQString(title_of(m_context.choices.options().map.quantity));
    else if (m_last->views.size() == 1)
        what = titleOf(m_last->views.front());
    QStringList formats;
    for (const auto& suffix : m_last->suffixes)
        formats += suffix == QLatin1String("tex") ? QStringLiteral("LaTeX") : suffix.toUpper();
    const QString text = tr("Repeat export: %1 as %2").arg(what, formats.join(QStringLiteral(", ")));
    const bool drawn   = std::ranges::any_of(m_last->suffixes, [](const QString& one) {
        return one != QLatin1String("csv") && one != QLatin1String("tex");
    });
    return m_last->report.isEmpty() && drawn ? tr("%1, %2 × %3 mm")
                                                   .arg(text)
                                                   .arg(std::lround(m_last->options.widthMm))
                                                   .arg(std::lround(m_last->options.heightMm))
                                             : text;
}

void FigureExport::reportEnd(const ExportReport& report, const QString& sentence)
{
    m_notifier.takeBack(m_wait);   // the next one can begin
    Toasts::Offers offers;
    if (!report.written.isEmpty())
        offers.push_back({tr("Open folder"), [folder = QFileInfo(report.written.front()).absolutePath()] {
                              QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                          }});
    if (!report.mistake.isEmpty() || !report.notMade.isEmpty())
        m_notifier.keep(sentence, offers);
    else if (!report.written.isEmpty())
        m_notifier.note(sentence, offers);
    else
        m_notifier.notify(sentence);
    Q_EMIT exported(report.written, report.mistake);
}
