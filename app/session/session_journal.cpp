// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_journal.h"

#include "session/session.h"
#include "session/settings.h"
#include "work/text.h"

#include "foundation/error.h"
#include "foundation/read_file.h"
#include "foundation/write_whole.h"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace credence;
namespace fs = std::filesystem;

namespace {

constexpr int mostWindows        = 100;
constexpr auto studyName         = "study.json";
constexpr auto runName           = "run.txt";
constexpr int millisecondsToWait = 1000;

fs::path folderOfSessions() { return sessionsFolder().toStdString(); }

/// A folder that holds nothing and is no other window's; null: nothing can be written there.
std::unique_ptr<OutputFolder> freeFolder()
{
    for (int number = 1; number <= mostWindows; ++number) {
        const fs::path folder = folderOfSessions() / std::to_string(number);
        std::error_code code;
        if (fs::exists(folder / studyName, code))
            continue;
        try {
            auto taken = std::make_unique<OutputFolder>(folder);
            if (!fs::exists(folder / studyName, code))   // it may have come until it was taken
                return taken;
        } catch (const Error&) {
            if (!fs::exists(folder, code))
                return nullptr;   // else another window's
        }
    }
    return nullptr;
}

void removeAll(const fs::path& folder)
{
    std::error_code ignored;
    for (const char* name : {studyName, runName})
        fs::remove(folder / name, ignored);
    fs::remove(folder, ignored);   // only if it is empty
}

}   // namespace

SessionJournal::SessionJournal(Session& session, std::function<QString()> shownRun, QObject* parent)
    : QObject(parent), m_session(session), m_shownRun(std::move(shownRun)), m_written(session.study())
{
    m_writer.emplace(Worker::Rules{.newer = Worker::Newer::waits_for_old});
    m_soon.setSingleShot(true);
    m_soon.setInterval(millisecondsToWait);
    connect(&m_soon, &QTimer::timeout, this, &SessionJournal::write);
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&session, &Session::studyChanged, this, soon);
    connect(&session, &Session::stateChanged, this, soon);
}

SessionJournal::~SessionJournal() { close(); }

void SessionJournal::close()
{
    m_soon.stop();
    m_writer.reset();   // waits for what is being written
    if (m_folder)
        removeAll(m_folder->path());
    m_folder.reset();
}

void SessionJournal::write()
{
    const QString run = m_shownRun();
    if (!m_writer || (m_session.study() == m_written && run == m_writtenRun))
        return;
    if (!m_folder)
        m_folder = freeFolder();
    if (!m_folder)
        return;   // the window works all the same
    m_written    = m_session.study();
    m_writtenRun = run;
    m_writer->submit([this, folder = m_folder->path(), study = m_written,
                      run = run.toStdString()](std::stop_token, Worker::Progress&) -> Worker::Show {
        try {
            write_whole(folder / runName, run);
            save_study(study, folder / studyName);
        } catch (const std::exception&) {   // a full disk: what was written before is whole
            return {};
        }
        return [this] { Q_EMIT written(); };
    });
}

void SessionJournal::Left::forget() const
{
    if (folder)
        removeAll(folder->path());
}

std::optional<SessionJournal::Left> SessionJournal::left()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    std::error_code code;
    for (fs::directory_iterator entry(folderOfSessions(), code), end; !code && entry != end; entry.increment(code)) {
        std::error_code none;
        const auto time = fs::last_write_time(entry->path() / studyName, none);
        if (!none)
            all.emplace_back(time, entry->path());
    }
    std::sort(all.rbegin(), all.rend());
    for (const auto& [time, path] : all) {
        Left found;
        try {
            found.folder = std::make_unique<OutputFolder>(path);
        } catch (const Error&) {
            continue;   // another window's
        }
        found.studyFile = toQString((path / studyName).string());
        found.when      = QFileInfo(found.studyFile).lastModified();
        try {
            found.shownRun = toQString(read_file(path / runName, "the path of a run"));
        } catch (const std::exception&) {
            found.shownRun.clear();   // the Study comes back without it
        }
        return found;
    }
    return {};
}
