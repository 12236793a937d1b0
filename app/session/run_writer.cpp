// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_writer.h"

#include "work/text.h"

#include "foundation/progress.h"
#include "foundation/stopped.h"

#include <QDir>
#include <QFileInfo>

using namespace credence;

Worker::Work RunWriter::work(const std::shared_ptr<SavedRunEntry>& entry)
{
    return [this, entry, head = entry->run, cancelled = m_cancel.get_token()](
               std::stop_token, Worker::Progress& progress) { return write(entry, head, cancelled, progress); };
}

/// Writing continues when the window closes: the trained result is worth the wait.
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
    std::optional<Stopwatch> told;
    pace.tell(0);
    const auto tellShare = [&](double share) {
        constexpr double between = 0.05;   // seconds between progress reports
        pace.tell(share);
        if (begun.seconds() < m_patience || (told && told->seconds() < between))
            return;
        told.emplace();
        const auto now = pace.now();
        progress.show([this, saving = Saving{name, share, now ? now->seconds_left : std::nullopt}] { tell(saving); });
    };
    try {
        save_run(run, pathOf(entry->file), {.stop = cancelled, .progress = tellShare});
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

void RunWriter::tell(std::optional<Saving> saving)
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
