// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/npy_stream.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Arrays that NumPy saved: in one .npz file, or each as a .npy file in one folder.
struct ArrayFiles {
    std::string name;                  ///< of the file or folder, for sentences
    std::vector<std::string> arrays;   ///< that are there; of a folder only those that were asked for
    /// The bytes of the array of this name, anew; null if `stop` was requested. @param first  compares the checksum, which reads all of it once
    std::function<std::unique_ptr<ByteSource>(const std::string& array, bool first, std::stop_token stop)> open;

    bool has(const std::string& array) const;
    std::string list() const;   ///< "mean, labels"; "none"
};

/// @param path   an .npz file, a folder, or one of the .npy files in it
/// @param known  arrays that are looked for in a folder. @throws Error for what cannot be opened
ArrayFiles array_files(const std::filesystem::path& path, std::span<const char* const> known);
/// The bytes of an .npz file; they must outlive what is opened of it.
ArrayFiles array_files(std::string name, std::span<const std::uint8_t> npz);

/// Whole numbers from 0 to K − 1, one for each row. @param of  the array that has the rows. @throws Error that names the row
std::vector<int> labels_of_rows(const std::string& file, NpyStream labels, std::size_t n_rows, int n_classes,
                                const std::string& of);
/// Strings, one for each class; an empty one becomes its number. @throws Error
std::vector<std::string> names_of_classes(const std::string& file, NpyStream names, int n_classes);
/// "0", "1", …
std::vector<std::string> numbers_as_names(int n_classes);

/// The same bytes, which can be entered anywhere: unpacked into a file that has no name and goes with the source. @return null if `stop` was requested
std::unique_ptr<ByteSource> spooled(std::unique_ptr<ByteSource> source, const std::stop_token& stop);

}   // namespace credence
