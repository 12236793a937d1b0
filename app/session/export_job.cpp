// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/export_job.h"

#include "work/text.h"

#include <QFileInfo>
#include <QTimer>

using namespace credence;

namespace {

/// Why there is nothing to write of a chart; empty: there is.
QString mistakeIn(const Chart& chart)
{
    if (!chart.message.empty())
        return toQString(chart.message);
    return chart.panels.empty() && !chart.table ? ExportJob::tr("It has nothing to show.") : QString();
}

}   // namespace

QStringList ExportOrder::files() const
{
    QStringList all;
    for (const auto& name : report.isEmpty() ? views : QStringList{report})
        for (const auto& suffix : suffixes)
            all += folder + '/' + name + '.' + suffix;
    return all;
}

QStringList ExportOrder::existing() const
{
    QStringList there;
    for (const auto& file : files())
        if (QFileInfo::exists(file))
            there += file;
    return there;
}

QString ExportReport::sentence(const QString& folder) const
{
    QStringList parts;
    if (!mistake.isEmpty())
        parts += mistake;
    if (cancelled)
        parts += ExportJob::tr("The export was cancelled.");
    if (written.size() == 1)
        parts += ExportJob::tr("Wrote %1.").arg(written.front());
    else if (!written.isEmpty())
        parts += ExportJob::tr("Wrote %1 files to %2.").arg(written.size()).arg(folder);
    if (!notMade.isEmpty())
        parts += ExportJob::tr("Not written: %1").arg(notMade.join(QStringLiteral("; ")));
    return parts.join(QLatin1Char(' '));
}

ExportJob::ExportJob(QObject* parent) : QObject(parent)
{
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_report.mistake = sentence;
        end();
    });
}

bool ExportJob::start(const ExportOrder& order, std::vector<Figure> figures, Writers writers)
{
    if (m_busy)
        return false;
    m_order   = order;
    m_writers = std::move(writers);
    m_report  = {};
    m_charts.clear();
    m_waiting.clear();
    m_busy    = true;
    m_allMade = false;
    m_made    = 0;
    m_wanted  = static_cast<int>(figures.size());
    m_worker.submit(
        [this, figures = std::move(figures)](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            for (const auto& figure : figures) {
                std::optional<Chart> chart;
                try {
                    chart = figure.make(stop);
                } catch (const std::exception& error) {
                    chart = Chart{.message = error.what()};
                }
                if (!chart || stop.stop_requested())
                    return {};
                progress.show([this, id = figure.id, title = figure.title,
                               chart = std::make_shared<const Chart>(std::move(*chart))] { take(id, title, *chart); });
            }
            return [this] {
                m_allMade = true;
                QTimer::singleShot(0, this, &ExportJob::writeNext);
            };
        });
    Q_EMIT progressed();
    return true;
}

void ExportJob::take(const QString& id, const QString& title, const Chart& chart)
{
    ++m_made;
    if (const QString mistake = mistakeIn(chart); !mistake.isEmpty())
        m_report.notMade += title + QStringLiteral(": ") + mistake;
    else if (!m_order.report.isEmpty())
        m_charts.push_back(chart);
    else
        for (const auto& suffix : m_order.suffixes)
            m_waiting.emplace_back(m_order.folder + '/' + id + '.' + suffix, chart);
    Q_EMIT progressed();
    QTimer::singleShot(0, this, &ExportJob::writeNext);
}

/// One file: figures are painted on this thread, and between two of them the window answers.
void ExportJob::writeNext()
{
    if (!m_busy)
        return;
    if (m_allMade && !m_charts.empty()) {
        for (const auto& file : m_order.files())
            m_waiting.emplace_back(file, Chart{});
        m_order.suffixes.clear();   // once
    }
    if (m_waiting.empty()) {
        if (m_allMade)
            end();
        return;
    }
    const auto [file, chart] = std::move(m_waiting.front());
    m_waiting.pop_front();
    try {
        if (m_order.report.isEmpty())
            m_writers.figure(chart, file);
        else
            m_writers.report(m_charts, file);
        m_report.written += file;
    } catch (const std::exception& error) {
        m_report.mistake = toQString(error.what());
        end();
        return;
    }
    QTimer::singleShot(0, this, &ExportJob::writeNext);
}

void ExportJob::cancel()
{
    if (!m_busy)
        return;
    m_report.cancelled = true;
    end();
}

void ExportJob::end()
{
    m_worker.cancel();
    m_waiting.clear();
    m_charts.clear();
    m_writers = {};
    m_busy    = false;
    Q_EMIT ended(m_report);
}
