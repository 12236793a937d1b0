// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
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

}   // namespace credence
