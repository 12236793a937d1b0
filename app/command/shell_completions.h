// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_words.h"

#include <string>

/// Writes the completion of the program for bash (share/bash-completion/completions/credence): commands, options, and what `lists` or its kind says of a value.
std::string bashCompletion(const CommandWords& program, const WordLists& lists);
/// Writes the same for zsh (share/zsh/site-functions/_credence), with the help of each command and option.
std::string zshCompletion(const CommandWords& program, const WordLists& lists);
/// Writes the same for fish (share/fish/vendor_completions.d/credence.fish).
std::string fishCompletion(const CommandWords& program, const WordLists& lists);
