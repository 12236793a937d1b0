// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/output_folder.h"
#include "runs/run_with_checkpoints.h"

#include <memory>
#include <optional>
#include <utility>

/// A folder of the program's own for the checkpoints of one run. While it lives no other window uses it.
class RunPlace {
public:
    /// Takes one that holds nothing. @return  null: nothing can be written there
    static std::unique_ptr<RunPlace> free();
    struct Found;
    /// Takes the one whose run was interrupted last, of those that no window uses. What cannot be read is removed. Any thread
    static std::optional<Found> interrupted();

    explicit RunPlace(const std::filesystem::path& folder) : m_folder(folder) {}   ///< @throws Error  as OutputFolder
    const std::filesystem::path& path() const { return m_folder.path(); }
    void clear();   ///< removes what is in it

private:
    credence::OutputFolder m_folder;
};

struct RunPlace::Found {
    std::unique_ptr<RunPlace> place;
    credence::InterruptedRun run;
};
