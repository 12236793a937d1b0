// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_words.h"

#include <string>
#include <string_view>

/// What stands at the head and foot of the page.
struct ManualEdition {
    std::string version;   ///< "0.1.0"
    std::string date;      ///< "2026-11-30"; may be empty
};

/// Writes the manual page of the program for man(1): names, arguments and options from the words of the command line, what is told about them from `texts`.
/// @param texts  resources/manual.md: `# SECTION` and, in COMMANDS, `## command`; paragraphs, `- term: what it is`, examples indented by four spaces; `code` and *word* in
///               a line. SYNOPSIS is made and stands before DESCRIPTION; behind the text of each command, and in OPTIONS, stand the options.
/// @throws credence::Error if a command has no text, or a text no command
std::string manualPage(const CommandWords& program, std::string_view texts, const ManualEdition& edition);
