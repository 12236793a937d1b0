// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/common_options.h"

namespace {

/// "--set PATH=VALUE", "-h, --help": without bounds, which belong to the help of one command.
std::string nameAndValue(const CLI::Option& option)
{
    if (option.get_positional())
        return option.get_single_name();
    std::string text;
    for (const auto& letter : option.get_snames())
        text += "-" + letter + ", ";
    text += "--" + option.get_lnames().front();
    if (!option.get_option_text().empty())
        return text + ' ' + option.get_option_text();
    const std::string value = option.get_type_name().substr(0,
                                                            option.get_type_name().find(':'));   // "N:INT in [1 - 9]"
    return option.get_items_expected_max() > 0 ? text + ' ' + value : text;
}

std::string optionLines(const CLI::App& app)
{
    constexpr std::size_t column = 30;
    std::string text;
    for (const auto* option : app.get_options())
        if (!option->get_group().empty() && (app.get_parent() == nullptr || option != app.get_help_ptr())) {
            const std::string name = "  " + nameAndValue(*option);
            text += name
                    + (name.size() + 2 <= column ? std::string(column - name.size(), ' ')
                                                 : '\n' + std::string(column, ' '))
                    + option->get_description() + ".\n";
        }
    return text;
}

/// "credence run [OPTIONS] STUDY:" and what follows; of `data` its commands.
std::string commandText(const CLI::App& command, const std::string& before)
{
    const std::string name = before + command.get_name();
    std::string text;
    for (const auto* below : command.get_subcommands({}))
        text += commandText(*below, name + ' ');
    if (!text.empty())
        return text;
    const std::string usage = CLI::Formatter().make_usage(&command, name);   // "Usage: credence run [OPTIONS] STUDY\n"
    return usage.substr(usage.find(name), usage.find('\n') - usage.find(name)) + ":\n  " + command.get_description()
           + ".\n\n" + optionLines(command) + '\n';
}

}   // namespace

std::string helpOfAll(const CLI::App& app)
{
    std::string text = app.get_description() + "\n\nUsage: credence [OPTIONS] [FILE]\n  or:  credence COMMAND ...\n\n"
                       + "Options:\n" + optionLines(app) + "\n*Commands*\n\n";
    for (const auto* command : app.get_subcommands({}))
        text += commandText(*command, app.get_name() + ' ');
    return text;
}
