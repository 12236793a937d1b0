// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/output_folder.h"
#include "runs/run_with_checkpoints.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

/// A folder of the program's own for the checkpoints of one run. While it lives no other window uses it. The file of the run has the same name, once the run is saved: so a run that was
/// stopped finds the state from which it continues.
class RunPlace {
public:
    static QString newName();   ///< of a run that starts now: its time first, so that names sort by it
    /// Takes a new one. @return  null: nothing can be written there
    static std::unique_ptr<RunPlace> free();
    /// Takes the one of this name. @throws Error  as OutputFolder
    static std::unique_ptr<RunPlace> named(const QString& name);
    static std::filesystem::path folderOf(const QString& name);
    static bool hasState(const QString& name);   ///< from which a run continues
    struct Found;
    /// Takes the one whose run was interrupted last, of those that no window uses and whose runs are not saved. What cannot be read is removed. Any thread
    static std::optional<Found> interrupted();

    explicit RunPlace(const std::filesystem::path& folder) : m_folder(folder) {}   ///< @throws Error  as OutputFolder
    const std::filesystem::path& path() const { return m_folder.path(); }
    QString name() const { return QString::fromStdString(path().filename().string()); }
    bool hasState() const { return hasState(name()); }
    void clear();   ///< removes what is in it

    /// Of its checkpoint, by name: bytes.
    using Files = std::map<std::string, std::string>;
    Files read() const;                     ///< any thread. @throws Error
    void write(const Files& files) const;   ///< the same

private:
    credence::OutputFolder m_folder;
};

struct RunPlace::Found {
    std::unique_ptr<RunPlace> place;
    credence::InterruptedRun run;
};
