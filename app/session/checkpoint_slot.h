// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/files.h"
#include "runs/run_with_checkpoints.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

/// A checkpoint folder for one run, exclusive to one window. The saved run's file has the same
/// name, so that a stopped run finds its checkpoint.
class CheckpointSlot {
public:
    static QString newName();   ///< Name for a run that starts now; begins with the time, so that names sort by it.
    /// Creates a new one. @return  null: nothing can be written there
    static std::unique_ptr<CheckpointSlot> free();
    /// Opens the one with this name. @throws Error  as OutputFolder
    static std::unique_ptr<CheckpointSlot> named(const QString& name);
    static std::filesystem::path folderOf(const QString& name);
    static bool hasState(const QString& name);   ///< Is there a checkpoint to continue from?
    struct Found;
    /// Opens the one of the most recently interrupted run that no window uses and that is not
    /// saved. Removes unreadable ones. Thread-safe
    static std::optional<Found> interrupted();

    explicit CheckpointSlot(const std::filesystem::path& folder)
        : m_folder(folder) {}   ///< @throws Error  as OutputFolder
    const std::filesystem::path& path() const { return m_folder.path(); }
    QString name() const { return QString::fromStdString(path().filename().string()); }
    bool hasState() const { return hasState(name()); }
    void clear();   ///< Deletes the contents.

    /// Files of a checkpoint: name to bytes.
    using Files = std::map<std::string, std::string>;
    Files read() const;                     ///< Thread-safe. @throws Error
    void write(const Files& files) const;   ///< Thread-safe. @throws Error

private:
    credence::OutputFolder m_folder;
};

struct CheckpointSlot::Found {
    std::unique_ptr<CheckpointSlot> place;
    credence::InterruptedRun run;
};
