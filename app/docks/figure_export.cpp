// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/figure_export.h"

#include "docks/centre.h"
#include "docks/comparison.h"
#include "docks/messages.h"
#include "parts/ask_export.h"
#include "session/workspace.h"
#include "work/text.h"

#include "study/settings_table.h"
#include "views/shared_setting.h"
#include "widgets/export_figure.h"
#include "widgets/report.h"

#include <QPushButton>
#include <QStatusBar>

#include <algorithm>

using namespace credence;

FigureExport::FigureExport(Workspace& workspace, const Centre& centre, Messages& messages, QStatusBar* line,
                           QWidget* window)
    : QObject(window), m_workspace(workspace), m_centre(centre), m_messages(messages), m_window(window),
      m_progress(new QPushButton(line))
{
    m_progress->setObjectName(QStringLiteral("exportProgress"));
    m_progress->setFlat(true);
    m_progress->setToolTip(tr("Cancel the export"));
    m_progress->setText(m_progress->toolTip());   // until there is something to count
    m_progress->hide();
    line->addPermanentWidget(m_progress);
    auto& job = workspace.exports;
    connect(m_progress, &QPushButton::clicked, &job, &ExportJob::cancel);
    connect(&job, &ExportJob::progressed, this, &FigureExport::refresh);
    connect(&job, &ExportJob::ended, this, &FigureExport::tellEnd);
}

bool FigureExport::isFree()
{
    auto& job = m_workspace.exports;
    if (!job.busy())
        return true;
    m_messages.keep(
        tr("An export is being written: %1 of %2 figures are made. The next one can begin when it has ended.")
            .arg(job.made())
            .arg(job.wanted()),
        {{tr("Cancel that export"), [&job] { job.cancel(); }}});
    return false;
}

void FigureExport::addViews(ExportChoices& choices) const
{
    const auto& experiment = *m_workspace.session.run().experiment;
    for (const auto& view : views())
        if (view.applies(experiment))
            choices.figures.emplace_back(toQString(view.id), toQString(view.title));
    if (experiment.outputs)
        choices.note = tr(
            "No Study made these outputs, so that figures carry their caption alone. Files use the palette of print.");
}

void FigureExport::ask(const QString& chosen)
{
    if (!m_workspace.session.run().experiment || !isFree())
        return;
    ExportChoices choices{{}, chosen};
    addViews(choices);
    for (const auto& figure : m_centre.ownFigures())
        choices.figures.insert(figure.first == comparedPlace() ? choices.figures.begin() : choices.figures.end(),
                               figure);
    askExport(choices, m_window, [this](const ExportOrder& order) { write(order); });
}

void FigureExport::askReport()
{
    if (!m_workspace.session.run().experiment || !isFree())
        return;
    ExportChoices choices{{}, {}, true};
    addViews(choices);
    askExport(choices, m_window, [this](const ExportOrder& order) { write(order); });
}

std::vector<ExportJob::Figure> FigureExport::figuresOf(const QStringList& ids) const
{
    std::vector<ExportJob::Figure> figures;
    const auto own = m_centre.ownFigures();
    for (const auto& id : ids) {
        const auto titled = std::find_if(own.begin(), own.end(),
                                         [&](const auto& figure) { return figure.first == id; });
        if (auto maker = m_centre.ownFigure(id)) {
            figures.push_back({id, titled == own.end() ? id : titled->second, std::move(*maker)});
        } else {
            const auto& view = credence::view(id.toStdString());
            figures.push_back({id, toQString(view.title), m_workspace.requests.print(view)});
        }
    }
    return figures;
}

/// With the Study of now, whatever is changed meanwhile; outputs from elsewhere have none.
ExportJob::Writers FigureExport::writersFor(const ExportOptions& options) const
{
    const auto& session   = m_workspace.session;
    const Study& study    = session.run().experiment->study;
    const QByteArray json = QByteArray::fromStdString(*m_workspace.requests.study());
    QString setting       = toQString(shared_setting(session.moment()));
    if (session.showsOutputs())   // without a Study: no settings of ours made them
        return {[options](const Chart& chart, const QString& file) { exportChart(chart, file, options, {}); },
                [study, setting](const std::vector<Chart>& charts, const QString& file) {
            writeReport({toQString(study.name), {}, {}, charts, {}, setting}, file);
                }};
    if (const auto& rule = m_workspace.choices.options().prune; rule.on())
        setting += tr(". Pruned: %1").arg(toQString(words_of(rule)));
    return {[json, options](const Chart& chart, const QString& file) { exportChart(chart, file, options, json); },
            [json, study, setting](const std::vector<Chart>& charts, const QString& file) {
        writeReport({toQString(study.name), toQString(study.note), json, charts, settings_table(study), setting}, file);
            }};
}

void FigureExport::write(const ExportOrder& order)
{
    if (!m_workspace.session.run().experiment || !isFree())
        return;
    m_folder = order.folder;
    m_workspace.exports.start(order, figuresOf(order.views), writersFor(order.options));
}

void FigureExport::refresh()
{
    const auto& job = m_workspace.exports;
    m_progress->setVisible(job.busy());
    m_progress->setText(tr("Exporting: %1 of %2 · Cancel").arg(job.made()).arg(job.wanted()));
}

void FigureExport::tellEnd(const ExportReport& report)
{
    refresh();
    const QString sentence = report.sentence(m_folder);
    if (report.mistake.isEmpty() && report.notMade.isEmpty())
        m_messages.say(sentence);
    else
        m_messages.keep(sentence);
    Q_EMIT exported(report.written, report.mistake);
}
