// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_words.h"

#include <string>
#include <string_view>

/// Version and date in the header and footer of the page.
struct ManualEdition {
    std::string version;   ///< "0.1.0"
    std::string date;      ///< "2026-11-30"; may be empty
};

/// Writes the manual page for man(1): names, arguments and options from the command-line help,
/// descriptions from `texts`.
/// @param texts  resources/manual.md: `# SECTION` and, in COMMANDS, `## command`; paragraphs, `-
///        term: description`, examples indented by four spaces; `code` and *word* in a line.
///        SYNOPSIS is generated and placed before DESCRIPTION; options are listed after the text of
///        each command and in OPTIONS.
/// @throws credence::Error if a command has no text or a text has no command
std::string manualPage(const CommandWords& program, std::string_view texts, const ManualEdition& edition);
