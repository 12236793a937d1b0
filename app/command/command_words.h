// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// An option or a positional of a command, as its help says it.
struct CommandOption {
    std::vector<std::string> names;   ///< "-h" and "--help"; of a positional its one name, "STUDY"
    std::string value;                ///< what it takes: "DIR", "yes|no"; empty: a flag, or a positional
    std::string about;                ///< its help
    bool positional = false;
    bool required   = false;
    bool repeated   = false;
};

/// A command with all that can follow it: what manual page and completions are made of.
struct CommandWords {
    std::string name;    ///< "run"; of the program "credence"
    std::string about;   ///< its help
    std::vector<CommandOption> options;
    std::vector<CommandWords> commands;   ///< of the program, and of `data`
};

/// Returns the words of the program, in the order of its help; what the help hides is not among them.
CommandWords wordsOf(const CLI::App& app);

/// What can stand for a word of the command line, by "command OPTION" or "command POSITIONAL": {"run STUDY", ids of the presets}.
using WordLists = std::map<std::string, std::vector<std::string>>;

/// Returns the lists of the program: presets, sweeps, views, comparisons, bandits, entries of the papers, data sets and settings.
WordLists wordLists();
