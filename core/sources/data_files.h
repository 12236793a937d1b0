// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace credence {

/// Refuses a file that does not exist, without reading it. If its path contains the folder of a known
/// benchmark (uci, mushroom), the sentence states how to get that benchmark.
/// @param remedy  for other files, as a sentence
/// @throws Error  (field) "/data/uci/yacht/data.txt does not exist. Copy …"
void require_data_file(const std::string& field, const std::filesystem::path& file, const std::string& remedy);

}   // namespace credence
