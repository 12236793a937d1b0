// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_words.h"

#include <string>

/// Returns the bash completion script (share/bash-completion/completions/credence): commands,
/// options, and values from `lists` or by kind.
std::string bashCompletion(const CommandWords& program, const WordLists& lists);
/// Returns the zsh completion script (share/zsh/site-functions/_credence), including the help of
/// each command and option.
std::string zshCompletion(const CommandWords& program, const WordLists& lists);
/// Returns the fish completion script (share/fish/vendor_completions.d/credence.fish).
std::string fishCompletion(const CommandWords& program, const WordLists& lists);
