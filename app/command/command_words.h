// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// An option or a positional of a command, as in its help.
struct CommandOption {
    std::vector<std::string> names;   ///< "-h" and "--help"; for a positional its name, "STUDY"
    std::string value;                ///< value: "DIR", "yes|no"; empty: a flag or a positional
    std::string about;                ///< help
    bool positional = false;
    bool required   = false;
    bool repeated   = false;
};

/// A command with everything that can follow it: the input of manual page and completions.
struct CommandWords {
    std::string name;    ///< "run"; for the program "credence"
    std::string about;   ///< help
    std::vector<CommandOption> options;
    std::vector<CommandWords> commands;   ///< subcommands of the program or of `data`
};

/// Returns the commands and options in the order of the help, without hidden ones.
CommandWords wordsOf(const CLI::App& app);

/// Possible values by "command OPTION" or "command POSITIONAL": {"run STUDY", preset ids}.
using WordLists = std::map<std::string, std::vector<std::string>>;

/// Returns the ids of presets, sweeps, views, comparisons, bandits, paper entries, data sets and
/// settings.
WordLists wordLists();
