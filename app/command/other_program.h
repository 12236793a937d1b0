// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Finds a program in the folders of PATH. Empty: it is in none of them.
std::optional<std::filesystem::path> programInPath(const std::string& name);

/// The file of this program itself, absolute.
std::filesystem::path ownProgram();

/// What another program left behind.
struct ProgramAnswer {
    int status = -1;   ///< exit status; 128 + signal if it was killed
    std::string out;   ///< of its standard output
};

/// Where its standard error goes.
enum class ProgramErrors {
    shown,     ///< to our own
    dropped,   ///< nowhere: its status says enough
};

/// Runs a program to its end, without a shell and with an empty standard input.
/// @param words  of the call, the program's name not among them
/// @throws std::runtime_error  "/usr/bin/sbatch cannot be started (Permission denied)."
ProgramAnswer runProgram(const std::filesystem::path& program, const std::vector<std::string>& words,
                         ProgramErrors errors);
