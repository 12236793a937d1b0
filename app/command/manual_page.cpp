// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/manual_page.h"

#include "foundation/error.h"

#include <algorithm>
#include <sstream>

namespace {

/// Verbatim text; hyphens are escaped so that they can be copied and typed.
std::string literalRoff(std::string_view text)
{
    std::string roff;
    for (const char c : text) {
        if (c == '\\')
            roff += "\\e";
        else if (c == '-')
            roff += "\\-";
        else if (c == '~')
            roff += "\\(ti";
        else if (c == '^')
            roff += "\\(ha";
        else
            roff += c;
    }
    return roff;
}

std::string boldRoff(std::string_view text) { return "\\fB" + literalRoff(text) + "\\fR"; }
std::string italicRoff(std::string_view text) { return "\\fI" + literalRoff(text) + "\\fR"; }

/// A line of prose: `code` in bold, *word* in italics. Escapes lines that roff would read as
/// requests.
std::string proseRoff(std::string_view text)
{
    std::string roff;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c   = text[i];
        const auto end = c == '`' || c == '*' ? text.find(c, i + 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            roff += c == '\\' ? std::string("\\e") : std::string(1, c);
            continue;
        }
        const auto inside = text.substr(i + 1, end - i - 1);
        roff += c == '`' ? boldRoff(inside) : italicRoff(inside);
        i = end;
    }
    if (!roff.empty() && (roff.front() == '.' || roff.front() == '\''))
        roff.insert(0, "\\&");
    return roff + '\n';
}

/// "--set PATH=VALUE": the name in bold and the value in italics; choices and punctuation are kept.
std::string optionRoff(const CommandOption& option)
{
    std::string roff;
    for (const auto& name : option.names)
        roff += (roff.empty() ? "" : ", ") + (option.positional ? italicRoff(name) : boldRoff(name));
    if (!option.value.empty())
        roff += ' ' + italicRoff(option.value);
    return roff;
}

bool isHelp(const CommandOption& option)
{
    return std::find(option.names.begin(), option.names.end(), "--help") != option.names.end();
}

/// "credence run STUDY [OPTION]…"
std::string usageRoff(const CommandWords& command, const std::string& before)
{
    std::string roff = boldRoff(before + command.name);
    if (!command.commands.empty())
        return roff + ' ' + italicRoff("COMMAND");
    bool options = false;
    for (const auto& option : command.options) {
        if (!option.positional && !option.required) {
            options = options || !isHelp(option);
            continue;
        }
        const std::string words = optionRoff(option) + (option.repeated ? "..." : "");
        roff += ' ' + (option.required ? words : '[' + words + ']');
    }
    return options ? roff + " [" + italicRoff("OPTION") + "]..." : roff;
}

/// The executable commands with their prefixes ("credence data "); groups such as `data` are
/// replaced by their subcommands.
std::vector<std::pair<std::string, const CommandWords*>> leavesOf(const CommandWords& words, const std::string& before)
{
    std::vector<std::pair<std::string, const CommandWords*>> leaves;
    for (const auto& command : words.commands) {
        if (command.commands.empty()) {
            leaves.emplace_back(before, &command);
            continue;
        }
        const auto below = leavesOf(command, before + command.name + ' ');
        leaves.insert(leaves.end(), below.begin(), below.end());
    }
    return leaves;
}

/// @param help  include --help
std::string optionsRoff(const CommandWords& command, bool help)
{
    std::string roff;
    for (const auto& option : command.options)
        if (help || !isHelp(option))
            roff += ".TP\n" + optionRoff(option) + '\n' + proseRoff(option.about + '.');
    return roff;
}

/// Converts the manual texts to roff, section by section.
class ManualTexts {
public:
    ManualTexts(const CommandWords& program, std::string_view texts) : program_(program)
    {
        leaves_ = leavesOf(program, program.name + ' ');
        std::istringstream lines{std::string(texts)};
        for (std::string line; std::getline(lines, line);)
            add(line);
        endExample();
        endPart();
        for (const auto& [before, command] : leaves_)
            if (std::find(told_.begin(), told_.end(), command) == told_.end())
                throw credence::Error("resources/manual.md: found no text for the command \"" + before + command->name
                                      + "\", expected a heading \"## "
                                      + (before + command->name).substr(program.name.size() + 1) + "\".");
    }
    std::string roff() const { return roff_; }

private:
    void add(const std::string& line)
    {
        if (line.starts_with("<!--"))
            return;
        if (line.starts_with("    ")) {
            roff_ += example_ ? "" : ".PP\n.EX\n";
            example_ = true;
            roff_ += literalRoff(line) + '\n';
            return;
        }
        endExample();
        if (line.starts_with("# "))
            beginSection(line.substr(2));
        else if (line.starts_with("## "))
            beginCommand(line.substr(3));
        else if (line.empty())
            gap_ = true;
        else if (const auto colon = line.find(": "); line.starts_with("- ") && colon != std::string::npos) {
            roff_ += ".TP\n" + proseRoff(line.substr(2, colon - 2)) + proseRoff(line.substr(colon + 2));
            gap_ = false;
        } else {
            if (gap_ && !fresh_)
                roff_ += ".PP\n";
            roff_ += proseRoff(line);
            gap_ = fresh_ = false;
        }
    }
    void beginSection(const std::string& title)
    {
        endPart();
        if (title == "DESCRIPTION")
            addSynopsis();
        roff_ += ".SH " + title + '\n';
        programs_ = title == "OPTIONS";
        gap_      = false;
        fresh_    = true;
    }
    void addSynopsis()
    {
        roff_ += ".SH SYNOPSIS\n" + boldRoff(program_.name);
        for (const auto& option : program_.options)
            if (!option.value.empty())
                roff_ += " [" + optionRoff(option) + ']';
        roff_ += " [" + italicRoff("FILE") + "]\n";
        for (const auto& [before, command] : leaves_)
            roff_ += ".br\n" + usageRoff(*command, before) + '\n';
    }
    void beginCommand(const std::string& name)
    {
        endPart();
        for (const auto& [before, command] : leaves_)
            if (before + command->name == program_.name + ' ' + name) {
                open_ = command;
                roff_ += ".SS " + usageRoff(*command, before) + '\n';
            }
        if (!open_)
            throw credence::Error("resources/manual.md: found the heading \"" + name
                                  + "\", expected a command of the program.");
        told_.push_back(open_);
        gap_   = false;
        fresh_ = true;
    }
    void endExample()
    {
        roff_ += example_ ? ".EE\n" : "";
        example_ = false;
    }
    void endPart()
    {
        if (open_)
            roff_ += optionsRoff(*open_, false);
        if (programs_)
            roff_ += optionsRoff(program_, true);
        open_     = nullptr;
        programs_ = false;
    }

    const CommandWords& program_;
    std::vector<std::pair<std::string, const CommandWords*>> leaves_;
    std::vector<const CommandWords*> told_;
    const CommandWords* open_ = nullptr;
    std::string roff_;
    bool programs_ = false;   ///< inside the section of the program's own options
    bool example_ = false, gap_ = false, fresh_ = true;
};

}   // namespace

std::string manualPage(const CommandWords& program, std::string_view texts, const ManualEdition& edition)
{
    return ".\\\" Generated by `credence manual` from the command-line help and resources/manual.md; do not "
           "edit.\n.TH CREDENCE 1 \""
           + edition.date + "\" \"Credence " + edition.version + "\" \"User commands\"\n.nh\n.ad l\n"
           + ManualTexts(program, texts).roff();
}
