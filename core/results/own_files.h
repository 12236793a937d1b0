// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace credence {

/// What is written into a folder, before it is computed.
struct WantedFiles {
    std::vector<std::string> files;     ///< that will be replaced
    std::vector<std::string> folders;   ///< that will be made or used
};
extern const WantedFiles files_of_run, files_of_outputs, files_of_sweep, files_of_bandit;

/// Refuses a folder in which something would be in the way, or lost: a file where a folder is wanted, and files of these names that Credence did not write.
/// A folder with results.json, run.credence, a checkpoint or cells of ours holds our files; in another one none may have one of these names.
/// @param study_file  a file in the folder that may be there: what is run; empty: none
/// @throws Error  "out/data: a file is in the way, expected a folder for the tables or nothing."
///                "out/results.json: Credence did not write this file: move it, write elsewhere by --out, or replace it by --overwrite."
void require_own_files(const std::filesystem::path& folder, const WantedFiles& wanted, bool overwrite,
                       const std::filesystem::path& study_file = {});

}   // namespace credence
