// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

#include "parts/form_controls.h"
#include "work/text.h"

#include "study/study.h"
#include "study/study_words.h"

#include <QPushButton>

#include <algorithm>
#include <map>

using namespace credence;

namespace {

/// All settings of the Study of a chart; no rows if the chart does not come from one Study, as
/// for a sweep or a bandit.
Table settingsOf(const QByteArray& studyJson)
{
    if (studyJson.isEmpty())
        return {};
    try {
        return settings_table(study_from_text(studyJson.toStdString(), "the Study of the figure"));
    } catch (const std::exception&) {
        return {};
    }
}

}   // namespace

Exporter::Exporter(ExportJob& job, QWidget* window)
    : QObject(window), m_job(job), m_window(window),
      m_progress(
          workButton(QStringLiteral("exportProgress"), tr("Cancel the export; files already written are kept"), window))
{
    connect(m_progress, &QPushButton::clicked, &job, &ExportJob::cancel);
    connect(&job, &ExportJob::progressed, this, &Exporter::refresh);
    connect(&job, &ExportJob::ended, this, [this](const ExportReport& report) {
        refresh();
        Q_EMIT ended(report, report.sentence(m_folder));
    });
}

void Exporter::refresh()
{
    m_progress->setVisible(m_job.busy());
    m_progress->setText(tr("%1 · Cancel").arg(m_job.words()));
}

void Exporter::ask(const ExportChoices& choices, std::function<void(const ExportOrder&)> go)
{
    auto* dialog = new ExportDialog(choices, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [dialog, go = std::move(go)] { go(dialog->order()); });
    dialog->open();
}

void Exporter::start(const ExportOrder& order, std::vector<ExportJob::Figure> figures, ExportJob::Writers writers)
{
    if (m_job.busy())
        return;
    m_folder = order.folder;
    m_job.start(order, std::move(figures), std::move(writers));
}

void Exporter::askForCharts(std::vector<ChartOfStudy> charts, const std::string& chosen)
{
    ExportChoices choices{{}, toQString(chosen)};
    if (std::all_of(charts.begin(), charts.end(), [](const ChartOfStudy& each) { return each.studyJson.isEmpty(); }))
        choices.note = tr("Each file contains its caption. Files use the print palette.");
    std::map<std::string, QByteArray> studies;
    for (const auto& [chart, studyJson] : charts) {
        choices.figures.push_back({toQString(chart->id), toQString(chart->title)});
        studies[chart->id] = studyJson;
    }
    choices.preview = [charts](const QString& id) -> ExportPreview::Maker {
        for (const auto& each : charts)
            if (toQString(each.chart->id) == id)
                return [chart = each.chart](std::stop_token) { return *chart; };
        return {};
    };
    ask(choices, [this, charts = std::move(charts), studies = std::move(studies)](const ExportOrder& order) {
        std::vector<ExportJob::Figure> figures;
        for (const auto& each : charts)
            if (const QString id = toQString(each.chart->id); order.views.contains(id))
                figures.push_back({order.stem(id), toQString(each.chart->title),
                                   [chart = each.chart](std::stop_token) { return *chart; }});
        start(order, std::move(figures),
              {[options = order.options, studies](const Chart& chart, const QString& file) {
            exportChart(chart, file, options, studies.at(chart.id));
               },
               {},
               [studies](const Chart& chart, const QString& file) {
            exportCaption(chart, file, settingsOf(studies.at(chart.id)));
              }});
    });
}
