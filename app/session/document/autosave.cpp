// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/autosave.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "session/document/study_document.h"
#include "session/session.h"
#include "session/settings.h"
#include "work/text.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace credence;
namespace fs = std::filesystem;

namespace {

constexpr int stateVersion        = 1;
constexpr std::size_t mostEntries = 20;

/// As text, since Qt's JSON numbers cannot represent every seed.
QString absoluteText(Study study)
{
    resolve_paths(study, fs::current_path());
    return toQString(to_text(study));
}

Study studyInState(const QJsonValue& text, const fs::path& file)
{
    return study_from_text(text.toString().toStdString(), file.string());
}

}   // namespace

QString DocumentState::name() const { return file.isEmpty() ? toQString(study.name) : QFileInfo(file).fileName(); }

void saveState(const WindowState& state, const fs::path& file)
{
    QJsonObject json{{QStringLiteral("credence_window"), stateVersion},
                     {QStringLiteral("study"), absoluteText(state.document.study)},
                     {QStringLiteral("file"), state.document.file},
                     {QStringLiteral("run"), state.run},
                     {QStringLiteral("closed"), state.closed}};
    if (state.document.saved)
        json[QStringLiteral("saved")] = absoluteText(*state.document.saved);
    write_whole(file, QJsonDocument(json).toJson().toStdString());
}

WindowState loadState(const fs::path& file)
{
    const auto bytes = QByteArray::fromStdString(read_file(file, "the state of a window"));
    const auto json  = QJsonDocument::fromJson(bytes).object();
    if (json[QStringLiteral("credence_window")].toInt() != stateVersion)
        throw Error(file.string() + ": expected a saved window state, version 1.");
    WindowState state;
    state.document.study = studyInState(json[QStringLiteral("study")], file);
    state.document.file  = json[QStringLiteral("file")].toString();
    if (json.contains(QStringLiteral("saved")))
        state.document.saved = studyInState(json[QStringLiteral("saved")], file);
    state.run    = json[QStringLiteral("run")].toString();
    state.closed = json[QStringLiteral("closed")].toBool();
    state.when   = QFileInfo(toQString(file.string())).lastModified();
    return state;
}

DocumentState continued(DocumentState state)
{
    if (state.file.isEmpty())
        return state;
    try {
        const Study onDisk = load_study(state.file.toStdString());
        if (!state.modified())
            state.study = *(state.saved = onDisk);
    } catch (const std::exception&) {
        state.file.clear();
        state.saved.reset();
    }
    return state;
}

void unsavedStudies::add(const DocumentState& document)
{
    forget(document);
    auto entries = all();
    for (std::size_t i = mostEntries - 1; i < entries.size(); ++i)
        remove(entries[i]);
    const fs::path folder = unsavedStudiesFolder().toStdString();
    auto name             = QDateTime::currentMSecsSinceEpoch();   // so that the newest sorts last
    try {
        fs::create_directories(folder);
        while (fs::exists(folder / (std::to_string(name) + ".json")))
            ++name;
        saveState({.document = document, .closed = true}, folder / (std::to_string(name) + ".json"));
    } catch (const std::exception&) {   // disk full: Undo can still restore the Study
    }
}

std::vector<unsavedStudies::Entry> unsavedStudies::all()
{
    std::vector<Entry> entries;
    std::error_code code;
    for (fs::directory_iterator file(unsavedStudiesFolder().toStdString(), code), end; !code && file != end;
         file.increment(code))
        try {
            auto state = loadState(file->path());
            entries.push_back({file->path(), std::move(state.document), state.when});
        } catch (const std::exception&) {   // damaged or still being written
        }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.file > b.file; });
    return entries;
}

void unsavedStudies::remove(const Entry& entry)
{
    std::error_code ignored;
    fs::remove(entry.file, ignored);
}

void unsavedStudies::forget(const DocumentState& document)
{
    for (const auto& entry : all())
        if (entry.document.study == document.study)
            remove(entry);
}

namespace fs = std::filesystem;

namespace {

constexpr int mostWindows         = 1000;
constexpr auto stateName          = "window.json";
constexpr int millisecondsOfDelay = 1000;

fs::path allWindows() { return windowsFolder().toStdString(); }

/// Returns a folder without a saved state that no other window uses; null: no folder can be
/// written.
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

/// Examines the states left by other windows.
/// @param newest  restores the newest one in this window
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

std::vector<const UnfinishedWork::Work*> UnfinishedWork::inProgress() const
{
    std::vector<const Work*> found;
    for (const auto& [owner, work] : m_all)
        if (owner && !work.words().isEmpty())
            found.push_back(&work);
    return found;
}

QStringList UnfinishedWork::sentences() const
{
    QStringList all;
    for (const auto* work : inProgress())
        all += work->words();
    return all;
}

bool UnfinishedWork::canDiscard() const
{
    const auto all = inProgress();
    return std::any_of(all.begin(), all.end(), [](const Work* work) { return static_cast<bool>(work->discard); });
}

void UnfinishedWork::discard() const
{
    for (const auto* work : inProgress())
        if (work->discard)
            work->discard();
}
