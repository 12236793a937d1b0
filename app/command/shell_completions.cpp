// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/shell_completions.h"

#include <algorithm>

namespace {

/// Completion of an option value or a positional.
struct Completes {
    std::vector<std::string> words;
    bool files = false, folders = false;
};

std::string joinedWords(const std::vector<std::string>& words, const std::string& between = " ")
{
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

/// "yes|no" → yes, no
std::vector<std::string> choicesIn(const std::string& value)
{
    std::vector<std::string> choices;
    std::size_t from = 0;
    for (auto bar = value.find('|'); bar != std::string::npos; bar = value.find('|', from)) {
        choices.push_back(value.substr(from, bar - from));
        from = bar + 1;
    }
    if (!choices.empty())
        choices.push_back(value.substr(from));
    return choices;
}

Completes completesOf(const CommandOption& option, const std::string& command, const WordLists& lists)
{
    const std::string& kind = option.positional ? option.names.front() : option.value;
    Completes with;
    with.folders = kind == "DIR" || kind == "FOLDER";
    with.files   = kind == "FILE" || kind == "FILE2" || kind == "STUDY" || kind == "RUN" || kind == "SWEEP"
                 || kind == "BANDIT" || kind == "PATH";
    const auto list = lists.find(command + ' ' + option.names.back());
    with.words      = list == lists.end() ? choicesIn(option.value) : list->second;
    return with;
}

/// Every command by its full name: "run", "data", "data fetch".
std::vector<std::pair<std::string, const CommandWords*>> everyCommand(const CommandWords& words,
                                                                      const std::string& before = "")
{
    std::vector<std::pair<std::string, const CommandWords*>> all;
    for (const auto& command : words.commands) {
        all.emplace_back(before + command.name, &command);
        const auto below = everyCommand(command, before + command.name + ' ');
        all.insert(all.end(), below.begin(), below.end());
    }
    return all;
}

std::vector<std::string> namesOfCommands(const CommandWords& words)
{
    std::vector<std::string> names;
    for (const auto& command : words.commands)
        names.push_back(command.name);
    return names;
}

std::vector<std::string> namesOfOptions(const CommandWords& words)
{
    std::vector<std::string> names;
    for (const auto& option : words.options)
        if (!option.positional)
            names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

/// Escapes characters that are special in a shell or its completion language.
std::string withBackslash(const std::string& text, const std::string& signs)
{
    std::string escaped;
    for (const char c : text) {
        if (signs.find(c) != std::string::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// One word in single quotes for bash and zsh.
std::string singleQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

std::string bashOffer(const Completes& with)
{
    std::string text = "__credence_offer " + singleQuoted(joinedWords(with.words));
    if (with.files)
        text += " files";
    else if (with.folders)
        text += " folders";
    return text;
}

std::string bashCommand(const CommandWords& command, const std::string& path, const WordLists& lists)
{
    std::string text = "    " + singleQuoted(path) + ")\n        case $before in\n";
    Completes positional{namesOfCommands(command), path.empty(), false};   // no command: a file for the window
    for (const auto& option : command.options) {
        const auto with = completesOf(option, path, lists);
        if (option.positional) {
            positional.words.insert(positional.words.end(), with.words.begin(), with.words.end());
            positional.files   = positional.files || with.files;
            positional.folders = positional.folders || with.folders;
        } else if (!option.value.empty()) {
            text += "            " + joinedWords(option.names, " | ") + ") " + bashOffer(with) + "; return ;;\n";
        }
    }
    return text + "        esac\n        if [[ $word == -* ]]; then __credence_offer "
           + singleQuoted(joinedWords(namesOfOptions(command))) + "; else " + bashOffer(positional) + "; fi ;;\n";
}

std::string zshAction(const Completes& with)
{
    std::string action;
    if (!with.words.empty()) {
        std::vector<std::string> words;
        for (const auto& word : with.words)
            words.push_back(withBackslash(word, ":()[]\\ "));
        action = '(' + joinedWords(words) + ')';
    }
    if (with.files && !action.empty())   // both words and files: our own function, which receives the words
        return "__credence_words_or_files " + joinedWords(with.words);
    if (with.files)
        return "_files";
    return with.folders ? "_files -/" : action;
}

std::string zshOption(const CommandOption& option, const std::string& path, const WordLists& lists)
{
    const std::string about  = withBackslash(option.about, "[]:\\");
    const std::string action = zshAction(completesOf(option, path, lists));
    if (option.positional)
        return singleQuoted((option.repeated ? "*:" : ":") + about + ':' + action);
    std::string text;
    for (const auto& name : option.names)
        text.append(text.empty() ? "" : " ")
            .append(
                singleQuoted((option.repeated ? "*" : "") + name + '[' + about + ']'
                             + (option.value.empty() ? "" : ':' + withBackslash(option.value, ":\\") + ':' + action)));
    return text;
}

std::string zshCommand(const CommandWords& command, const std::string& path, const WordLists& lists, int depth)
{
    const std::string indent(4 * static_cast<std::size_t>(depth), ' ');
    if (command.commands.empty()) {
        std::string text = indent + "_arguments";
        for (const auto& option : command.options)
            text += " \\\n" + indent + "    " + zshOption(option, path, lists);
        return text + '\n';
    }
    std::string text = indent + "if (( CURRENT == 2 )); then\n" + indent + "    local -a commands=(";
    for (const auto& below : command.commands)
        text += "\n" + indent + "        " + singleQuoted(below.name + ':' + withBackslash(below.about, "\\"));
    text += ")\n" + indent + "    _describe command commands\n";
    if (path.empty()) {
        text += indent + "    _files\n" + indent + "    _arguments";
        for (const auto& option : command.options)
            text += " \\\n" + indent + "        " + zshOption(option, path, lists);
        text += '\n';
    }
    text += indent + "    return\n" + indent + "fi\n" + indent + "shift words; (( CURRENT-- ))\n" + indent
            + "case $words[1] in\n";
    for (const auto& below : command.commands)
        text.append(indent)
            .append(below.name)
            .append(")\n")
            .append(zshCommand(below, path.empty() ? below.name : path + ' ' + below.name, lists, depth + 1))
            .append(indent)
            .append("    ;;\n");
    return text + indent + "esac\n";
}

/// One word in single quotes for fish.
std::string fishQuoted(const std::string& text) { return '\'' + withBackslash(text, "'\\") + '\''; }

std::string fishOption(const CommandOption& option, const std::string& path, const WordLists& lists)
{
    const auto with  = completesOf(option, path, lists);
    std::string text = "complete -c credence -n "
                       + fishQuoted(path.empty() ? "__credence_first" : "__credence_at " + path);
    for (const auto& name : option.names)
        if (!option.positional)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.positional && !with.words.empty())
        text += " -k";   // keep the order of the list
    if (!option.positional && !option.value.empty())
        text += " -r";
    text += with.files ? " -F" : " -f";
    if (with.folders)
        text += " -a '(__fish_complete_directories)'";
    else if (!with.words.empty())
        text += " -a " + fishQuoted(joinedWords(with.words));
    return option.positional ? text + '\n' : text + " -d " + fishQuoted(option.about) + '\n';
}

const char* const bash_head = R"(# bash completion of credence, made by `credence completion bash`; do not edit.
# __credence_offer WORDS [files|folders]: the words that complete what is typed.
__credence_offer()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    [[ $word == "=" ]] && word=
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
    case ${2:-} in
        files) compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
        folders) compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
    esac
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}

_credence()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path=
    if [[ $COMP_CWORD -gt 1 ]]; then path=${COMP_WORDS[1]}; fi
    if [[ @NESTED@ && $COMP_CWORD -gt 2 ]]; then path+=" ${COMP_WORDS[2]}"; fi
    COMPREPLY=()
    case $path in
)";

const char* const fish_head = R"(# fish completion of credence, made by `credence completion fish`; do not edit.
function __credence_first --description 'No command yet?'
    test (count (commandline -opc)) -eq 1
end
function __credence_at --description 'Are these the first words?'
    set -l words (commandline -opc)
    set -l last (count $argv)
    set -e words[1]
    test (count $words) -ge $last; and test "$words[1..$last]" = "$argv"
end
function __credence_next --description 'Are these the only words?'
    __credence_at $argv; and test (count (commandline -opc)) -eq (math (count $argv) + 1)
end
complete -c credence -f
complete -c credence -n __credence_first -F
)";

}   // namespace

std::string bashCompletion(const CommandWords& program, const WordLists& lists)
{
    std::string text = bash_head, nested;
    for (const auto& command : program.commands)
        if (!command.commands.empty())
            nested += (nested.empty() ? "$path == " : " || $path == ") + command.name;
    text.replace(text.find("@NESTED@"), 8, nested.empty() ? "-n ''" : '(' + nested.insert(0, " ") + " )");
    text += bashCommand(program, "", lists);
    for (const auto& [path, command] : everyCommand(program))
        text += bashCommand(*command, path, lists);
    return text + "    esac\n}\ncomplete -F _credence credence\n";
}

std::string zshCompletion(const CommandWords& program, const WordLists& lists)
{
    return "#compdef credence\n# Generated by `credence completion zsh`; do not edit.\n__credence_words_or_files() "
           "{\n    compadd -- \"$@\"\n    _files\n}\n\n_credence() {\n"
           + zshCommand(program, "", lists, 1) + "}\n\n_credence \"$@\"\n";
}

std::string fishCompletion(const CommandWords& program, const WordLists& lists)
{
    std::string text       = fish_head;
    const auto addCommands = [&text](const CommandWords& words, const std::string& condition) {
        for (const auto& command : words.commands)
            text += "complete -c credence -n " + fishQuoted(condition) + " -a " + command.name + " -d "
                    + fishQuoted(command.about) + '\n';
    };
    addCommands(program, "__credence_first");
    for (const auto& option : program.options)
        text += fishOption(option, "", lists);
    for (const auto& [path, command] : everyCommand(program)) {
        addCommands(*command, "__credence_next " + path);
        for (const auto& option : command->options)
            text += fishOption(option, path, lists);
    }
    return text;
}
