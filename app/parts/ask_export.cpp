// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/ask_export.h"

#include "work/text.h"

#include "study/settings_table.h"
#include "study/study.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <map>

using namespace credence;

namespace {

void askToReplace(const ExportOrder& order, const QStringList& there, QWidget* parent,
                  const std::function<void(const ExportOrder&)>& go)
{
    constexpr int named = 5;
    QStringList names;
    for (const auto& file : there.mid(0, named))
        names += QFileInfo(file).fileName();
    if (there.size() > named)
        names += ExportDialog::tr("and %1 more").arg(there.size() - named);
    auto* question = new QMessageBox(
        QMessageBox::Question, ExportDialog::tr("Replace files?"),
        there.size() == 1
            ? ExportDialog::tr("%1 is in %2 already.").arg(names.front(), QDir::toNativeSeparators(order.folder))
            : ExportDialog::tr("%1 of these files are in %2 already: %3.")
                  .arg(there.size())
                  .arg(QDir::toNativeSeparators(order.folder), names.join(QStringLiteral(", "))),
        QMessageBox::NoButton, parent);
    question->setObjectName(QStringLiteral("replaceFiles"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* replace = question->addButton(ExportDialog::tr("&Replace"), QMessageBox::AcceptRole);
    question->setDefaultButton(question->addButton(QMessageBox::Cancel));
    QObject::connect(replace, &QPushButton::clicked, parent, [order, go] { go(order); });
    question->open();
}

/// All settings of the Study that made a chart; of one that no Study of a run made, as of a sweep or of a bandit, without rows.
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

void askExport(const ExportChoices& choices, QWidget* parent, std::function<void(const ExportOrder&)> go)
{
    auto* dialog = new ExportDialog(choices, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, parent, [dialog, parent, go = std::move(go)] {
        const auto order = dialog->order();
        const auto there = order.existing();
        if (there.isEmpty())
            go(order);
        else
            askToReplace(order, there, parent, go);
    });
    dialog->open();
}

void exportCharts(std::vector<ChartOfStudy> charts, const std::string& chosen, QWidget* parent,
                  std::function<void(const QString&)> say)
{
    ExportChoices choices{{}, toQString(chosen)};
    if (std::all_of(charts.begin(), charts.end(), [](const ChartOfStudy& each) { return each.studyJson.isEmpty(); }))
        choices.note = ExportDialog::tr("Each file carries its caption. Files use the palette of print.");
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
    askExport(choices, parent,
              [charts = std::move(charts), studies = std::move(studies), parent,
               say = std::move(say)](const ExportOrder& order) {
        std::vector<ExportJob::Figure> figures;
        for (const auto& each : charts)
            if (const QString id = toQString(each.chart->id); order.views.contains(id))
                figures.push_back(
                    {id, toQString(each.chart->title), [chart = each.chart](std::stop_token) { return *chart; }});
        auto* job = new ExportJob(parent);
        QObject::connect(job, &ExportJob::ended, parent, [job, say, folder = order.folder](const ExportReport& report) {
            job->deleteLater();
            say(report.sentence(folder));
        });
        job->start(order, std::move(figures),
                   {[options = order.options, studies](const Chart& chart, const QString& file) {
            exportChart(chart, file, options, studies.at(chart.id));
                    },
                    {},
                    [studies](const Chart& chart, const QString& file) {
            exportCaption(chart, file, settingsOf(studies.at(chart.id)));
                   }});
    });
}
