// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

/// A document as a value: Study, file, and saved contents.
struct DocumentState {
    credence::Study study;
    QString file{};   ///< absolute; empty: untitled
    std::optional<credence::Study>
        saved{};   ///< Contents of the file, or the starting point of an untitled document; empty: nothing is stored.

    bool modified() const { return !saved || !(study == *saved); }
    QString name() const;   ///< name of the file, else of the Study
    bool operator==(const DocumentState&) const = default;
};

/// The state of a window.
struct WindowState {
    DocumentState document{};
    QString run{};         ///< file of the displayed run; empty: not saved
    bool closed = false;   ///< closed by the user; false: the program ended otherwise
    QDateTime when{};      ///< time of writing
};

/// Writes the state atomically. Relative data files of the Study become absolute. @throws
/// credence::Error
void saveState(const WindowState& state, const std::filesystem::path& file);
/// @throws std::exception if the file is missing or damaged
WindowState loadState(const std::filesystem::path& file);

/// Returns the document for a later start: without unsaved changes its Study is read from the file
/// again. If the file is missing, the document becomes untitled with unsaved changes.
DocumentState continued(DocumentState state);

/// The newest documents left with unsaved changes, by opening another document or closing the
/// window. Listed in the File menu.
namespace unsavedStudies {

struct Entry {
    std::filesystem::path file;   ///< file with its state
    DocumentState document;
    QDateTime when;
};

void add(const DocumentState& document);   ///< Replaces an older entry with the same Study.
std::vector<Entry> all();                  ///< newest first
void remove(const Entry& entry);
void forget(const DocumentState& document);   ///< The document has been saved.

}   // namespace unsavedStudies
