// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/command_line.h"
#include "command/command_words.h"
#include "command/manual_page.h"
#include "command/pages_options.h"
#include "command/shell_completions.h"
#include "foundation/build_info.h"
#include "foundation/files.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <utility>
#include <vector>

namespace credence {
std::vector<std::pair<std::string, std::string>>
manual_texts();   // resources/manual.md, embedded by cmake/EmbedTexts.cmake
}

namespace {

int writePage(const std::string& file, const std::string& page)
{
    if (file.empty())
        std::cout << page;
    else
        credence::write_whole(file, page);
    return exitOk;
}

}   // namespace

void addPagesCommands(CLI::App& app, PagesCommands& commands)
{
    auto* manual = app.add_subcommand("manual", "Print the manual page for man: credence manual | man -l -");
    manual->add_option("--write", commands.manual.write, "Write it to a file")->type_name("FILE");
    manual->add_option("--date", commands.manual.date, "Date in the footer (default: none)")->type_name("YYYY-MM-DD");
    commands.manualApp = manual;

    auto* completion = app.add_subcommand(
        "completion", "Print the shell completion script for commands, options and ids, for example: source <(credence "
                      "completion bash)");
    completion->add_option("SHELL", commands.completion.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->add_option("--write", commands.completion.write, "Write it to a file")->type_name("FILE");
    commands.completionApp = completion;
}

int execute(const ManualCommand& command, const CLI::App& app)
{
    const std::string texts = credence::manual_texts().front().second;
    return writePage(command.write, manualPage(wordsOf(app), texts, {credence::version(), command.date}));
}

int execute(const CompletionCommand& command, const CLI::App& app)
{
    const CommandWords words = wordsOf(app);
    const WordLists lists    = wordLists();
    return writePage(command.write, command.shell == "bash"  ? bashCompletion(words, lists)
                                    : command.shell == "zsh" ? zshCompletion(words, lists)
                                                             : fishCompletion(words, lists));
}
