// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_export.h"

#include "export_dialog.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <memory>

using namespace credence;

namespace {

struct Waiting {
    std::deque<std::pair<QString, Chart>> files;
    ExportOptions options;
    QString       folder;
    int           written = 0;
    std::function<void(const QString&)> say;
};

void writeNext(const QPointer<QWidget>& owner, const std::shared_ptr<Waiting>& waiting)
{
    if (!owner)
        return;
    const auto [file, chart] = std::move(waiting->files.front());
    waiting->files.pop_front();
    try {
        exportChart(chart, file, waiting->options, {});
        ++waiting->written;
    } catch (const std::exception& error) {
        waiting->say(QString::fromUtf8(error.what()));
        return;
    }
    if (waiting->files.empty())
        waiting->say(waiting->written == 1 ? QObject::tr("Wrote %1.").arg(file) : QObject::tr("Wrote %1 files to %2.").arg(waiting->written).arg(waiting->folder));
    else
        QTimer::singleShot(0, owner.data(), [owner, waiting] { writeNext(owner, waiting); });
}

}  // namespace

void exportCharts(std::vector<Chart> charts, const std::string& chosen, QWidget* parent, std::function<void(const QString&)> say)
{
    std::vector<std::pair<QString, QString>> choices;
    for (const auto& chart : charts)
        choices.emplace_back(QString::fromStdString(chart.id), QString::fromStdString(chart.title));
    ExportDialog dialog(choices, QString::fromStdString(chosen), false, parent);
    dialog.setNote(QObject::tr("Each file carries its caption. Files use the palette of print."));
    if (dialog.exec() != QDialog::Accepted)
        return;
    const auto order   = dialog.order();
    auto       waiting = std::make_shared<Waiting>(Waiting{{}, order.options, order.folder, 0, std::move(say)});
    for (auto& chart : charts)
        if (order.views.contains(QString::fromStdString(chart.id)))
            for (const auto& suffix : order.suffixes)
                waiting->files.emplace_back(order.folder + '/' + QString::fromStdString(chart.id) + '.' + suffix, chart);
    if (!waiting->files.empty())
        writeNext(parent, waiting);
}
