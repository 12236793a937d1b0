// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/document_state.h"

#include "session/settings.h"
#include "work/text.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

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
    auto name             = QDateTime::currentMSecsSinceEpoch();   // the newest sorts last
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
