// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/export_job.h"

#include "work/text.h"

#include <QFileInfo>
#include <QTimer>

#include <utility>

using namespace credence;

namespace {

constexpr qsizetype namedMistakes = 6;   ///< failed figures listed by name

constexpr QLatin1String captionEnding("_caption.");

QString numbered(const QString& name, int copy)
{
    return copy < 2 ? name : QStringLiteral("%1-%2").arg(name).arg(copy);
}

/// Returns why a chart cannot be written; empty: it can.
QString mistakeIn(const Chart& chart)
{
    if (!chart.message.empty())
        return toQString(chart.message);
    return chart.panels.empty() && !chart.table ? ExportJob::tr("There is nothing to show.") : QString();
}

}   // namespace

QString ExportOrder::stem(const QString& view, const QString& run) const
{
    QString name = names.value(view, view);
    if (!run.isEmpty())   // the part of a name after the last '_' is the view
        name = run + '_' + (names.contains(view) ? name.section('_', -1) : view);
    return numbered(name, copy);
}

QStringList ExportOrder::stems() const
{
    QStringList all;
    for (const auto& run : runs.isEmpty() ? QStringList{QString()} : runs)
        for (const auto& view : views)
            all += stem(view, run);
    return all;
}

QStringList ExportOrder::filesOf(const QString& stem) const
{
    QStringList all;
    for (const auto& suffix : suffixes)
        all += folder + '/' + stem + '.' + suffix;
    if (report.isEmpty() && !caption.isEmpty())
        all += folder + '/' + stem + captionEnding + caption;
    return all;
}

QStringList ExportOrder::files() const
{
    QStringList all;
    for (const auto& stem : report.isEmpty() ? stems() : QStringList{numbered(report, copy)})
        all += filesOf(stem);
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

ExportOrder ExportOrder::keepingBoth() const
{
    ExportOrder order = *this;
    while (!order.existing().isEmpty())
        ++order.copy;
    return order;
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
    if (!notMade.isEmpty()) {
        QStringList named = notMade.mid(0, namedMistakes);
        if (notMade.size() > named.size())
            named += ExportJob::tr("and %1 more").arg(notMade.size() - named.size());
        parts += ExportJob::tr("Not written: %1").arg(named.join(QStringLiteral("; ")));
    }
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
    m_writers = std::make_shared<const Writers>(std::move(writers));
    m_report  = {};
    m_charts.clear();
    m_waiting.clear();
    m_busy    = true;
    m_allMade = false;
    m_made    = 0;
    m_step    = {};
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
                progress.show(
                    [this, figure, chart = std::make_shared<const Chart>(std::move(*chart))] { take(figure, chart); });
            }
            return [this] {
                m_allMade = true;
                writeSoon();
            };
        });
    Q_EMIT progressed();
    return true;
}

void ExportJob::take(const Figure& figure, std::shared_ptr<const Chart> chart)
{
    ++m_made;
    if (const QString mistake = mistakeIn(*chart); !mistake.isEmpty())
        m_report.notMade += figure.title + QStringLiteral(": ") + mistake;
    else if (!m_order.report.isEmpty())
        m_charts.push_back(*chart);
    else
        for (const auto& file : m_order.filesOf(figure.id))
            m_waiting.push_back({file, chart, figure.writers ? figure.writers : m_writers});
    Q_EMIT progressed();
    writeSoon();
}

/// Deferred until pending window events are handled.
void ExportJob::writeSoon()
{
    if (!std::exchange(m_soon, true))
        QTimer::singleShot(0, this, &ExportJob::writeNext);
}

/// Writes one file or one part of a report. Figures are painted on this thread; the window handles
/// events between them.
void ExportJob::writeNext()
{
    m_soon = false;
    if (!m_busy)
        return;
    if (m_allMade && !m_order.report.isEmpty() && (!m_charts.empty() || m_wanted == 0)) {
        for (const auto& file : m_order.files())
            m_waiting.push_back({file, nullptr, m_writers});
        m_order.suffixes.clear();   // only one
    }
    if (m_waiting.empty()) {
        if (m_allMade)
            end();
        return;
    }
    const auto next = m_waiting.front();
    try {
        const bool more = writePart(next);
        if (!m_busy)
            return;   // cancelled in the meantime
        if (!more) {
            m_waiting.pop_front();
            m_report.written += next.file;
        }
    } catch (const std::exception& error) {
        m_report.mistake = toQString(error.what());
        end();
        return;
    }
    writeSoon();
}

bool ExportJob::writePart(const Waiting& next)
{
    if (!next.chart) {
        if (!m_step) {
            m_step  = next.writers->report(m_charts, next.file);
            m_parts = 0;
        }
        const bool more = Step(m_step)();   // copied, since a cancellation destroys the original
        if (!more)
            m_step = {};
        ++m_parts;
        Q_EMIT progressed();
        return more;
    }
    if (next.writers->caption && next.file.endsWith(captionEnding + m_order.caption))
        next.writers->caption(*next.chart, next.file);
    else
        next.writers->figure(*next.chart, next.file);
    return false;
}

QString ExportJob::words() const
{
    if (m_step && !m_waiting.empty())
        return tr("Writing %1: %2 of %3")
            .arg(QFileInfo(m_waiting.front().file).fileName())
            .arg(m_parts)
            .arg(m_charts.size() + 1);
    return tr("Exporting: %1 of %2").arg(m_made).arg(m_wanted);
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
    m_step = {};
    m_charts.clear();
    m_writers.reset();
    m_busy = false;
    Q_EMIT ended(m_report);
}
