// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace credence {

/// Disk failure: the disk is full or faulty. The request itself was valid.
class DiskError : public Error {
public:
    using Error::Error;
};

/// Throws a DiskError or an Error for `code` (errno): "out/run.credence: the file cannot be written
/// (No space left on device)."
[[noreturn]] void refuse_to_write(const std::filesystem::path& file, int code);

/// Writes a file atomically: under a temporary name in the same folder, renamed once complete.
/// Without a call to `keep`, the destructor removes the temporary file. The constructor, `write`
/// and `keep` throw Error.
class WholeFile {
public:
    explicit WholeFile(const std::filesystem::path& file);   ///< follows symbolic links
    ~WholeFile();
    WholeFile(const WholeFile&)            = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view bytes);
    void keep();   ///< flushes to disk and renames

private:
    std::filesystem::path file_, temporary_;
    int handle_ = -1;
};

/// Writes a file atomically: after this call it has the new content, or an error has left it
/// unchanged.
/// @throws Error  that names the file
void write_whole(const std::filesystem::path& file, std::string_view content);

/// The two steps of an atomic write, for folders and for files written by other code.
/// temporary_beside returns a new name at each call; replace_whole flushes and renames. The first
/// call in a process for a folder also removes leftovers of killed processes there.
std::filesystem::path temporary_beside(const std::filesystem::path& file);
void replace_whole(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// Removes files and folders that killed processes left directly in `folder`: those named by
/// `temporary_beside` on this computer, by a process that no longer runs. Nothing else is changed.
/// Returns how many were removed; 0 if the folder does not exist.
int remove_leftovers(const std::filesystem::path& folder);

}   // namespace credence
