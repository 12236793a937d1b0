// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/npy.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Arrays saved by NumPy: in one .npz file, or as .npy files in one folder.
struct ArrayFiles {
    std::string name;                  ///< of the file or folder, for errors
    std::vector<std::string> arrays;   ///< existing arrays; for a folder only the known ones
    /// Opens the bytes of an array from the start; null if `stop` was requested. @param first  also
    /// verifies the checksum, which reads everything once
    std::function<std::unique_ptr<ByteSource>(const std::string& array, bool first, std::stop_token stop)> open;

    bool has(const std::string& array) const;
    std::string list() const;   ///< "mean, labels"; "none"
    /// Names arrays that exist but are not known, such as “label” for “labels”; empty: there are none.
    std::string note_on_others(std::span<const char* const> known) const;
};

/// @param path   an .npz file, a folder, or one of the .npy files in it
/// @param known  arrays to look for in a folder. @throws Error if it cannot be opened
ArrayFiles array_files(const std::filesystem::path& path, std::span<const char* const> known);
/// The bytes of an .npz file; they must outlive the returned object.
ArrayFiles array_files(std::string name, std::span<const std::uint8_t> npz);

/// Reads whole numbers from 0 to K − 1, one per row. @param of  the array with the rows. @throws
/// Error that names the row
std::vector<int> labels_of_rows(const std::string& file, NpyStream labels, std::size_t n_rows, int n_classes,
                                const std::string& of);
/// Reads one string per class; an empty one becomes the class number. @throws Error
std::vector<std::string> names_of_classes(const std::string& file, NpyStream names, int n_classes);
/// "0", "1", …
std::vector<std::string> numbers_as_names(int n_classes);

/// Returns the same bytes with random access, unpacked into an unnamed temporary file owned by the
/// source. @return null if `stop` was requested
std::unique_ptr<ByteSource> spooled(std::unique_ptr<ByteSource> source, const std::stop_token& stop);

}   // namespace credence
