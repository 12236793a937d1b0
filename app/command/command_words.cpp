// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/command_words.h"

#include <CLI/CLI.hpp>

namespace {

CommandOption optionWords(const CLI::Option& option)
{
    CommandOption words;
    words.positional = option.get_positional();
    words.about      = option.get_description();
    words.required   = option.get_required();
    words.repeated   = option.get_expected_max() > 2 && option.get_delimiter() == '\0';
    if (words.positional) {
        words.names = {option.get_single_name()};
        return words;
    }
    for (const auto& letter : option.get_snames())
        words.names.push_back("-" + letter);
    for (const auto& name : option.get_lnames())
        words.names.push_back("--" + name);
    if (!option.get_option_text().empty())
        words.value = option.get_option_text();
    else if (option.get_items_expected_max() > 0)   // the bounds follow the colon: "N:INT in [1 - 1024]"
        words.value = option.get_type_name().substr(0, option.get_type_name().find(':'));
    return words;
}

}   // namespace

CommandWords wordsOf(const CLI::App& app)
{
    CommandWords words{app.get_name(), app.get_description(), {}, {}};
    for (const auto* option : app.get_options())
        if (!option->get_group().empty())
            words.options.push_back(optionWords(*option));
    for (const auto* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
        words.commands.push_back(wordsOf(*command));
    return words;
}
