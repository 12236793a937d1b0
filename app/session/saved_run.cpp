// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/saved_run.h"

#include "foundation/progress.h"
#include "session/saved_runs.h"
#include "session/settings.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"
#include "work/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

using namespace credence;

namespace {

/// The part of a run that the list shows.
SavedRun headOf(const SavedRun& run)
{
    SavedRun head{.name      = run.name,
                  .started   = run.started,
                  .study     = run.study,
                  .report    = run.report,
                  .history   = {},
                  .snapshots = {},
                  .table     = {},
                  .score     = run.score};
    head.report.last.reset();
    return head;
}

}   // namespace

std::shared_ptr<const Snapshot> endOf(const SavedRun& run)
{
    return run.snapshots.empty() ? run.report.last : run.snapshots.back();
}

SavedRunEntry::SavedRunEntry(SavedRun kept, std::shared_ptr<const Experiment> experiment, QString where)
    : SavedRunEntry(std::move(kept), std::move(experiment), std::move(where), {})
{}

SavedRunEntry::SavedRunEntry(SavedRun kept, std::shared_ptr<const Experiment> experiment, QString where, Reopen reopen)
    : run(headOf(kept)), file(std::move(where)), m_study(run.study), m_file(file), m_reopen(std::move(reopen)),
      m_whole(std::make_shared<const SavedRun>(std::move(kept))), m_experiment(std::move(experiment)),
      m_end(endOf(*m_whole)), m_stored(m_reopen != nullptr)
{}

SavedRunEntry::SavedRunEntry(const RunSummary& summary, QString where)
    : run{.name      = summary.name,
          .started   = summary.started,
          .study     = summary.study,
          .report    = summary.report,
          .history   = {},
          .snapshots = {},
          .table     = {},
          .score     = summary.score},
      file(std::move(where)), m_study(run.study), m_file(file), m_stored(true)
{}

std::shared_ptr<const SavedRun> SavedRunEntry::whole() const
{
    const std::lock_guard reading(m_reading);
    return read();
}

/// @pre the caller holds `m_reading`
std::shared_ptr<const SavedRun> SavedRunEntry::read() const
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_whole)
            return m_whole;
    }
    SavedRun run;
    std::shared_ptr<const Experiment> experiment;
    if (m_reopen)
        std::tie(run, experiment) = m_reopen();
    else
        run = load_run(pathOf(m_file));
    const std::lock_guard lock(m_mutex);
    if (auto known = m_end.lock(); known && !run.snapshots.empty())
        run.snapshots.back() = std::move(known);   // the displayed object must keep its identity
    else
        m_end = endOf(run);
    if (experiment)
        m_experiment = std::move(experiment);
    m_whole = std::make_shared<const SavedRun>(std::move(run));
    return m_whole;
}

qint64 SavedRunEntry::bytesOnDisk() const
{
    qint64 bytes = QFileInfo(m_file).size();
    if (!ofOutputs())
        for (const auto& part : QDir(runsInProgressFolder() + QLatin1Char('/') + place()).entryInfoList(QDir::Files))
            bytes += part.size();
    return bytes;
}

QString SavedRunEntry::place() const { return QFileInfo(m_file).completeBaseName(); }

bool SavedRunEntry::inMemory() const
{
    const std::lock_guard lock(m_mutex);
    return m_whole != nullptr;
}

void SavedRunEntry::setStored(bool stored)
{
    const std::lock_guard lock(m_mutex);
    m_stored = stored;
}

bool SavedRunEntry::isEndOf(const std::shared_ptr<const Snapshot>& newest) const
{
    const std::lock_guard lock(m_mutex);
    const auto end = m_end.lock();
    return end && end == newest;
}

void SavedRunEntry::unload()
{
    std::shared_ptr<const SavedRun> whole;   // destroyed after the lock is released
    const std::lock_guard lock(m_mutex);
    if (!m_stored)
        return;
    whole.swap(m_whole);
    if (m_reopen) {   // imported predictions consist only of their final step
        m_last.reset();
        m_experiment.reset();
    }
}

RunSnapshot SavedRunEntry::end(const std::string& name) const
{
    const std::lock_guard reading(m_reading);
    const auto known = [this] {
        const std::lock_guard lock(m_mutex);
        return std::tuple(m_last, m_history, m_experiment);
    };
    auto [last, history, experiment] = known();
    if (!last) {
        const auto all                                 = read();
        last                                           = endOf(*all);
        history                                        = std::make_shared<const TrainingHistory>(all->history);
        std::tie(std::ignore, std::ignore, experiment) = known();   // imported predictions provide their own experiment
    }
    if (!experiment)
        experiment = prepare(m_study);
    {
        const std::lock_guard lock(m_mutex);
        m_last       = last;
        m_history    = history;
        m_experiment = experiment;
    }
    if (experiment->study.name == name)
        return {experiment, last, history};
    Study named = experiment->study;
    named.name  = name;
    return {with_study(*experiment, named), last, history};
}

Worker::Work RunWriter::work(const std::shared_ptr<SavedRunEntry>& entry)
{
    return [this, entry, head = entry->run, cancelled = m_cancel.get_token()](
               std::stop_token, Worker::Progress& progress) { return write(entry, head, cancelled, progress); };
}

/// Writing continues when the window closes, since the trained result is worth the wait.
Worker::Show RunWriter::write(const std::shared_ptr<SavedRunEntry>& entry, const SavedRun& head,
                              const std::stop_token& cancelled, Worker::Progress& progress)
{
    SavedRun run   = *entry->whole();
    run.name       = head.name;
    run.study.note = head.study.note;
    run.score      = head.score;   // may have been computed in the meantime
    QDir().mkpath(QFileInfo(entry->file).path());
    const QString name = toQString(run.name);
    WorkProgress pace;
    const Stopwatch begun;
    std::optional<Stopwatch> reported;
    pace.report(0);
    const auto reportShare = [&](double share) {
        constexpr double between = 0.05;   // seconds between progress reports
        pace.report(share);
        if (begun.seconds() < m_patience || (reported && reported->seconds() < between))
            return;
        reported.emplace();
        const auto now = pace.now();
        progress.show([this, saving = Saving{name, share, now ? now->seconds_left : std::nullopt}] { notify(saving); });
    };
    try {
        save_run(run, pathOf(entry->file), {.stop = cancelled, .progress = reportShare});
    } catch (const Stopped&) {
        return [this, entry, name] {
            ended();
            Q_EMIT message(QFileInfo::exists(entry->file)
                               ? tr("Saving %1 was cancelled; its file has not changed.").arg(name)
                               : tr("Saving %1 was cancelled; the run stays in the list until the window closes. "
                                    "To save it later, edit its name or note.")
                                     .arg(name));
        };
    }
    return [this, entry, bytes = entry->bytesOnDisk()] {
        ended();
        entry->setStored();
        entry->bytes = bytes;
        Q_EMIT written(entry);
    };
}

void RunWriter::notify(std::optional<Saving> saving)
{
    if (!saving && !m_saving)
        return;
    m_saving = std::move(saving);
    Q_EMIT changed();
}

void RunWriter::cancel()
{
    m_cancel.request_stop();
    m_cancel = {};
}

namespace {

/// Returns true for settings that do not affect the time per step.
bool keepsPace(const Change& change)
{
    constexpr std::array paths{"seed",       "training.steps", "training.learning_rate", "training.max_seconds",
                               "data.noise", "data.seed",      "training.kl_weight"};
    constexpr std::array<std::string_view, 3> beginnings{"prediction.", "split.", "prior."};
    return std::ranges::find(paths, change.path) != paths.end()
           || std::ranges::any_of(beginnings, [&](const auto begin) { return change.path.starts_with(begin); });
}

bool samePace(const Study& past, const Study& study)
{
    return past.posterior.family == study.posterior.family && past.network == study.network
           && past.data.source == study.data.source && std::ranges::all_of(changes_between(past, study), keepsPace);
}

}   // namespace

std::optional<double> expectedTime(const Study& study, const SavedRuns& runs)
{
    constexpr std::size_t enough = 5;
    const QString folder         = runsFolder() + QLatin1Char('/');
    std::vector<double> paces;   // seconds per step
    for (int row = 0; row < runs.rowCount() && paces.size() < enough; ++row) {
        const auto& entry = *runs.at(row);
        const auto& past  = entry.run;
        if (!entry.ofOutputs() && entry.file.startsWith(folder) && past.report.stop == StopReason::steps_done
            && past.report.seconds > 0 && steps_of(past.study) > 0 && samePace(past.study, study))
            paces.push_back(past.report.seconds / static_cast<double>(steps_of(past.study)));
    }
    if (paces.empty())
        return {};
    const auto middle = paces.begin() + static_cast<std::ptrdiff_t>(paces.size() / 2);
    std::ranges::nth_element(paces, middle);
    const double seconds = *middle * static_cast<double>(steps_of(study)), most = study.training.max_seconds;
    return most > 0 ? std::min(seconds, most) : seconds;
}

QString expectedTimeText(double seconds)
{
    const auto tr           = [](const char* text) { return QCoreApplication::translate("ExpectedTime", text); };
    constexpr double minute = 60, hour = 3600;
    if (seconds < 1)
        return tr("< 1 s");
    if (seconds < 1.5 * minute)
        return tr("≈ %1 s").arg(seconds, 0, 'f', 0);
    if (seconds < 1.5 * hour)
        return tr("≈ %1 min").arg(seconds / minute, 0, 'f', 0);
    return tr("≈ %1 h").arg(seconds / hour, 0, 'f', 1);
}
