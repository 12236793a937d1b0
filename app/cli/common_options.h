// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

// Options that several commands share, and what is done with the options of all commands.

/// Adds an option with the name of its value, as the help shows it: "--out DIR". The names N, SHARE,
/// FILE and others also decide how its text is checked, see addChecks.
template <class Value>
CLI::Option* addValue(CLI::App& app, const char* option, const char* valueName, Value& value, const std::string& help)
{
    return app.add_option(option, value, help)->type_name(valueName);
}

/// Accepts whole numbers of at least 1. CLI::PositiveNumber states its lower bound as 2.2e-308.
CLI::Range counts();

void addThreads(CLI::App& app, int& threads, const std::string& help = "Threads");
/// Adds --set, which can be repeated.
void addAssignments(CLI::App& app, std::vector<std::string>& assignments, const std::string& help);
void addNoFigures(CLI::App& app, bool& noFigures);
void addOverwrite(CLI::App& app, bool& overwrite);
/// Adds --size of a command that writes several figures: width and height in mm.
void addSizeInMm(CLI::App& app, std::optional<FigureSize>& size);

/// Makes number options of all commands refuse NaN, infinity and integers beyond 63 bits, and file
/// options refuse empty text. Options are recognised by their value name ("N", "SHARE", …), so all
/// options must have been added.
void addChecks(CLI::App& app);

/// The help of all commands. Its headings are written so that help2man makes the manual page from it,
/// see packaging/CMakeLists.txt.
std::string helpOfAll(const CLI::App& app);
