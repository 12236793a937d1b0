// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace credence {

/// "Whole or not at all": writes beside `file`, flushes to the disk and renames. @throws Error that names the file
void write_whole(const std::filesystem::path& file, const std::string& content);

/// The two halves of it, for writers that need a file of their own: where to write, and the flush and rename afterwards.
std::filesystem::path temporary_beside(const std::filesystem::path& file);
void                  replace_whole(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// Removes what writers that were killed left in `folder` itself: files and folders ".<name>.<process>.part" of processes that run no longer, and figures
/// that never got their name, "<stem>.<pdf, svg or png>.<six letters>". Returns how many there were; a folder that does not exist has none.
int remove_leftovers(const std::filesystem::path& folder);

}  // namespace credence
