// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace credence {

/// The disk is at fault, not what was asked for: it is full, or it fails.
class DiskError : public Error {
public:
    using Error::Error;
};

/// Throws what `code` (errno) means for `file`: a DiskError or an Error, "out/run.credence: the file cannot be written (No space left on device)."
[[noreturn]] void refuse_to_write(const std::filesystem::path& file, int code);

/// A file that is written beside its place and gets its name when it is whole. Without `keep` nothing is left of it.
class WholeFile {
public:
    explicit WholeFile(
        const std::filesystem::path&
            file);   ///< through a symbolic link, to the file that it names. @throws Error, as `write` and `keep`
    ~WholeFile();
    WholeFile(const WholeFile&)            = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view bytes);
    void keep();   ///< flushes to the disk and renames

private:
    std::filesystem::path file_, temporary_;
    int handle_ = -1;
};

/// "Whole or not at all": the file has the content when this returns, or is as it was. @throws Error that names the file
void write_whole(const std::filesystem::path& file, std::string_view content);

/// The two halves of it, for what others write, and for folders: a new name at each call, and the flush and rename afterwards. The first name that a process
/// asks for in a folder clears it of leftovers, so that whoever writes somewhere removes what killed writers left there.
std::filesystem::path temporary_beside(const std::filesystem::path& file);
void replace_whole(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// Removes what writers that were killed left in `folder` itself: files and folders with a name of `temporary_beside`, made on this computer by a process
/// that runs no longer. Nothing else is touched. Returns how many there were; a folder that does not exist has none.
int remove_leftovers(const std::filesystem::path& folder);

}   // namespace credence
