// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Finds a program in the folders of PATH. Empty: not found.
std::optional<std::filesystem::path> programInPath(const std::string& name);

/// Returns the absolute path of this executable.
std::filesystem::path ownProgram();

/// Exit status and output of another program.
struct ProgramAnswer {
    int status = -1;   ///< exit status; 128 + signal if it was killed
    std::string out;   ///< standard output
};

/// Destination of its standard error.
enum class ProgramErrors {
    shown,     ///< our standard error
    dropped,   ///< discarded: the exit status suffices
};

/// Runs a program to completion, without a shell and with empty standard input.
/// @param words  arguments without the program name
/// @throws std::runtime_error  "/usr/bin/sbatch cannot be started (Permission denied)."
ProgramAnswer runProgram(const std::filesystem::path& program, const std::vector<std::string>& words,
                         ProgramErrors errors);
