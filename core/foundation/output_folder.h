// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace credence {

/// An output folder that is created and tested before the results are computed. While this object
/// exists, no other Credence process writes there. The lock ends with the process, however it ends,
/// and leaves no file. The destructor removes a folder that this object created if it is still
/// empty.
class OutputFolder {
public:
    /// @throws Error  "out/a: the folder cannot be created (Not a directory).", "out/a: nothing can
    ///                be written there (Read-only file system)." or "out/a: another run of Credence
    ///                is writing there, expected a folder of its own."
    explicit OutputFolder(std::filesystem::path folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&)            = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    bool made_  = false;
    int handle_ = -1;
};

}   // namespace credence
