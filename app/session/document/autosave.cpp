// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/autosave.h"

#include "session/document/study_document.h"
#include "session/session.h"
#include "session/settings.h"
#include "work/text.h"

#include "foundation/error.h"

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace credence;
namespace fs = std::filesystem;

namespace {

constexpr int mostWindows         = 1000;
constexpr auto stateName          = "window.json";
constexpr int millisecondsOfDelay = 1000;

fs::path allWindows() { return windowsFolder().toStdString(); }

/// A folder without a saved state that no other window uses; null: nothing can be written there.
std::unique_ptr<OutputFolder> freeFolder()
{
    for (int number = 1; number <= mostWindows; ++number) {
        const fs::path folder = allWindows() / std::to_string(number);
        std::error_code code;
        if (fs::exists(folder / stateName, code))
            continue;
        try {
            auto taken = std::make_unique<OutputFolder>(folder);
            if (!fs::exists(folder / stateName, code))   // written before the folder was locked
                return taken;
        } catch (const Error&) {
            if (!fs::exists(folder, code))
                return nullptr;   // it cannot be created; otherwise another window uses it
        }
    }
    return nullptr;
}

/// The folders with saved window states, newest first.
std::vector<fs::path> foldersWithState()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    std::error_code code;
    for (fs::directory_iterator entry(allWindows(), code), end; !code && entry != end; entry.increment(code)) {
        std::error_code none;
        const auto time = fs::last_write_time(entry->path() / stateName, none);
        if (!none)
            all.emplace_back(time, entry->path());
    }
    std::sort(all.rbegin(), all.rend());
    std::vector<fs::path> folders;
    for (auto& [time, path] : all)
        folders.push_back(std::move(path));
    return folders;
}

void removeState(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove(folder / stateName, ignored);
    fs::remove(folder, ignored);   // only if it is empty
}

}   // namespace

Autosave::Autosave(StudyDocument& document, std::function<QString()> displayedRun, QObject* parent)
    : QObject(parent), m_document(document), m_displayedRun(std::move(displayedRun)), m_written(now())
{
    m_writer.emplace(Worker::Rules{.newer = Worker::Newer::waits_for_old});
    m_soon.setSingleShot(true);
    m_soon.setInterval(millisecondsOfDelay);
    connect(&m_soon, &QTimer::timeout, this, &Autosave::write);
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&document, &StudyDocument::changed, this, soon);
    connect(&document.session(), &Session::stateChanged, this, soon);
}

Autosave::~Autosave() { close(); }

WindowState Autosave::now() const { return {.document = m_document.state(), .run = m_displayedRun()}; }

void Autosave::close()
{
    if (!m_writer)
        return;
    m_soon.stop();
    m_writer.reset();   // waits for writes in progress
    auto last   = now();
    last.closed = true;
    if (!m_folder)
        m_folder = freeFolder();
    if (m_folder)
        try {
            saveState(last, m_folder->path() / stateName);
        } catch (const std::exception&) {   // disk full: the previous file is intact
        }
    m_folder.reset();
}

void Autosave::write()
{
    auto state = now();
    if (!m_writer || (state.document == m_written.document && state.run == m_written.run))
        return;
    if (!m_folder)
        m_folder = freeFolder();
    if (!m_folder)
        return;   // the window works without autosave
    m_written = std::move(state);
    m_writer->submit([this, file = m_folder->path() / stateName, state = m_written](std::stop_token,
                                                                                    Worker::Progress&) -> Worker::Show {
        try {
            saveState(state, file);
        } catch (const std::exception&) {   // disk full: the previous file is intact
            return {};
        }
        return [this] { Q_EMIT written(); };
    });
}

std::optional<WindowState> Autosave::restoreNewest() { return takeOver(true); }

/// Examines the states left by other windows. @param newest  restore the newest one in this window
std::optional<WindowState> Autosave::takeOver(bool newest)
{
    std::optional<WindowState> found;
    bool isNewest = true;
    for (const auto& path : foldersWithState())
        try {
            auto folder = std::make_unique<OutputFolder>(path);   // throws if a window uses it
            auto state  = loadState(path / stateName);
            if (std::exchange(isNewest, false)) {
                if (!newest)
                    continue;
                m_folder       = std::move(folder);
                state.document = continued(std::move(state.document));
                found          = std::move(state);
                continue;
            }
            state.document = continued(std::move(state.document));
            if (state.document.modified()) {
                unsavedStudies::add(state.document);
                m_foundUnsaved.push_back(state.document);
            }
            removeState(path);
        } catch (const Error&) {
            continue;
        } catch (const std::exception&) {
            removeState(path);
        }
    return found;
}
