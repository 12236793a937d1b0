// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

/// credence manual
struct ManualCommand {
    std::string write;   ///< file; empty: standard output
    std::string date;    ///< in the footer; empty: none
};
/// credence completion
struct CompletionCommand {
    std::string shell;   ///< "bash", "zsh" or "fish"
    std::string write;   ///< file; empty: standard output
};
/// Commands that document the command line.
struct PagesCommands {
    ManualCommand manual;
    CompletionCommand completion;
    const CLI::App *manualApp = nullptr, *completionApp = nullptr;
};
/// Adds `credence manual` and `credence completion`. @param commands  receives the options; must
/// outlive the parsing
void addPagesCommands(CLI::App& app, PagesCommands& commands);

/// Writes the manual page of `app`. @throws credence::Error
int execute(const ManualCommand& command, const CLI::App& app);
/// Writes the completion script of `app` for one shell. @throws credence::Error
int execute(const CompletionCommand& command, const CLI::App& app);
