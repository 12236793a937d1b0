// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace credence {

/// What a command will write into a folder.
struct WantedFiles {
    std::vector<std::string> files;     ///< to be replaced
    std::vector<std::string> folders;   ///< to be created or used
};
extern const WantedFiles files_of_run, files_of_outputs, files_of_sweep, files_of_bandit, files_of_active;

/// Refuses a folder if something would be lost or in the way: a file where a folder is needed, or
/// files with these names that Credence did not write.
/// A folder with results.json, run.credence, a checkpoint or sweep cells of Credence, or with both
/// tables of active learning, counts as Credence's own; in any other folder none of these names may exist.
/// @param study_file  a file in the folder that may exist: the Study to run; empty: none
/// @throws Error  "out/data: expected a folder or nothing, found a file. Move it, or choose another
/// folder with --out."
///                "out/results.json: Credence did not write this file. Move it, choose another
///                folder with --out, or replace it with --overwrite."
void require_own_files(const std::filesystem::path& folder, const WantedFiles& wanted, bool overwrite,
                       const std::filesystem::path& study_file = {});

}   // namespace credence
