// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

/// A document as a value: the Study, its file, and what that file contains.
struct DocumentState {
    credence::Study study;
    QString file{};   ///< absolute; empty: untitled
    std::optional<credence::Study>
        saved{};   ///< what the file contains, or what an untitled document started from; empty: nothing of it is stored

    bool modified() const { return !saved || !(study == *saved); }
    QString name() const;   ///< of the file, else of the Study
    bool operator==(const DocumentState&) const = default;
};

/// What a window had open.
struct WindowState {
    DocumentState document{};
    QString run{};         ///< file of the displayed run; empty: it is not stored
    bool closed = false;   ///< by its user; false: the program ended in another way
    QDateTime when{};      ///< it was written
};

/// Writes the state whole or not at all. Relative data files of the Study become absolute. @throws credence::Error
void saveState(const WindowState& state, const std::filesystem::path& file);
/// @throws std::exception for a file that is missing or damaged
WindowState loadState(const std::filesystem::path& file);

/// The document as it continues at a later start: without unsaved changes its Study is read from the file again. A file that is gone leaves an untitled document with unsaved changes.
DocumentState continued(DocumentState state);

/// The newest documents that were left with unsaved changes: another one was opened in their window, or the window was closed. The File menu lists them.
namespace unsavedStudies {

struct Entry {
    std::filesystem::path file;   ///< of its state
    DocumentState document;
    QDateTime when;
};

void add(const DocumentState& document);   ///< in place of an older entry with the same Study
std::vector<Entry> all();                  ///< newest first
void remove(const Entry& entry);
void forget(const DocumentState& document);   ///< it has been saved

}   // namespace unsavedStudies
