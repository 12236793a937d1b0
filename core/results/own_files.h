// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace credence {

/// The files and folders that a command writes into its output folder.
struct WantedFiles {
    std::vector<std::string> files;             ///< to be replaced
    std::vector<std::string> folders;           ///< to be created or used
    bool views                       = false;   ///< also a table and a figure of each view, in data/ and figures/
    std::vector<std::string> figures = {};      ///< ids of charts that are written as CSV, TEX, PDF, SVG and PNG
};
extern const WantedFiles files_of_run, files_of_outputs, files_of_sweep, files_of_bandit, files_of_active,
    files_of_bridge, files_of_bridge_against_sampling, files_of_double_well, files_of_comparison;

/// Refuses a folder if something would be lost or in the way: a file where a folder is needed, or
/// files with these names that Credence did not write.
/// A folder counts as Credence's own if it has results.json, run.credence, a checkpoint or sweep
/// cells of Credence, both tables of active learning, or the numbers of a double well. In any other
/// folder none of these names may exist. A table with a Study in its comments is also Credence's own.
/// Figures are recognised one by one, as by require_own_figure, together with their tables.
/// @param study_file  a file in the folder that may exist: the Study to run; empty: none
/// @throws Error  "out/data: expected a folder or nothing, found a file. Move it, or choose another
/// folder with --out."
///                "out/results.json: Credence did not write this file. Move it, choose another
///                folder with --out, or replace it with --overwrite."
void require_own_files(const std::filesystem::path& folder, const WantedFiles& wanted, bool overwrite,
                       const std::filesystem::path& study_file = {});

/// @throws Error  the second sentence above
[[noreturn]] void refuse_foreign_file(const std::filesystem::path& file);

/// Refuses a folder in which an input would be replaced by a file of ours, even if it is our own.
/// @param except  a name that the input can have: study.json of a run is the same Study
/// @throws Error  "results.json: this file is the input, expected another name for the output."
void require_inputs_kept(const std::filesystem::path& folder, const WantedFiles& wanted,
                         const std::filesystem::path& input, const std::string& except = {});

/// Refuses to replace a figure, table or caption that Credence did not write. Figures of Credence
/// name it, or the imported predictions. Devices and pipes are accepted, folders are not.
/// @throws Error  "rows.csv: Credence did not write this file. Choose another name with --to, or
/// replace it with --overwrite."
void require_own_figure(const std::filesystem::path& file, bool overwrite);
/// Refuses an output that is the input itself, also under another name. @throws Error "new.csv: …"
void require_other_file(const std::filesystem::path& output, const std::filesystem::path& input);

}   // namespace credence
