// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Reads all bytes of a file into a std::string or a std::vector<char>. Reads only regular files
/// and links to them, since a device or a pipe may never end.
/// @param expected  for the error message, e.g. "a study in JSON"
/// @param most      size limit, bytes
/// @throws Error    "/dev/zero: the file cannot be read (it is a device), expected a study in
///                  JSON."
template <class Bytes = std::string>
Bytes read_file(const std::filesystem::path& file, const std::string& expected,
                std::uint64_t most = std::uint64_t{64} << 20);

extern template std::string read_file<std::string>(const std::filesystem::path&, const std::string&, std::uint64_t);
extern template std::vector<char> read_file<std::vector<char>>(const std::filesystem::path&, const std::string&,
                                                               std::uint64_t);

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
/// begin_replacement returns a temporary name in the same folder, a new one at each call;
/// finish_replacement flushes what was written there and renames it. The first call in a process for
/// a folder also removes leftovers of killed processes there.
/// @throws Error  if there is a write-protected file, which the rename would replace
std::filesystem::path begin_replacement(const std::filesystem::path& file);
void finish_replacement(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// Removes files and folders that killed processes left directly in `folder`: those named by
/// `begin_replacement` on this computer, by a process that no longer runs. Nothing else is changed.
/// Returns how many were removed; 0 if the folder does not exist.
int remove_leftovers(const std::filesystem::path& folder);

/// An output folder that is created and tested before the results are computed. While this object
/// exists, no other Credence process writes there. The lock ends with the process, however it ends,
/// and leaves no file. The destructor removes a folder that this object created if it is still
/// empty.
class OutputFolder {
public:
    /// @throws Error  "out/a: the folder cannot be created (Not a directory).", "out/a: nothing can
    ///                be written there (Read-only file system)." or "out/a: another run of Credence
    ///                is writing there, expected a separate folder."
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

/// Converts names to file names that are valid on every system: lower-case letters a to z, digits
/// and hyphens, at most about 60 characters. "Two moons, τ = 0.1" becomes "two-moons-0-1". File
/// names are non-empty and distinct: a second "Two moons" becomes "two-moons-2".
/// @return  one file name per entry of `names`, in the same order
std::vector<std::string> distinct_file_names(std::span<const std::string> names);

/// A path that cannot be inspected is neither file nor folder.
inline bool is_file(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}
inline bool is_folder(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

}   // namespace credence
