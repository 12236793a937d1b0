// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <utility>

namespace credence {
std::vector<std::pair<std::string, std::string>>
completion_texts();   // resources/completions, embedded by cmake/EmbedTexts.cmake
}

Action addCompletion(CLI::App& app, const CommandTools&)
{
    const auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    return [shell] {
        for (const auto& [name, script] : credence::completion_texts())
            if (name == *shell)
                std::cout << script;
        return exitOk;
    };
}
