// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"

#include "study/method.h"
#include "study/source.h"

#include <algorithm>
#include <cctype>

namespace credence {
namespace {

/// The title as used inside a sentence: "mean field"; names of people keep their capital letter.
std::string inside_sentence(const Method& method, std::string title)
{
    if (!method.is_named_for_a_person && !title.empty())
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return title;
}

std::string short_title(const Method& method)
{
    return method.short_title.empty() ? family_title(method.id) : method.short_title;
}

/// The phrases by which a name can refer to a method, the longest first.
std::vector<std::string> phrases(const Method& method)
{
    std::vector<std::string> all;
    for (const std::string& title : {family_title(method.id), short_title(method)})
        all.insert(all.end(), {title, inside_sentence(method, title)});
    return all;
}

}   // namespace

std::string family_title(const std::string& family)
{
    const std::string& title = method(family).title;
    return title.substr(0, title.find(" ("));
}

std::string axis_title(const std::string& family)
{
    const std::string& title = method(family).axis_title;
    return title.empty() ? family_title(family) : title;
}

std::string named_for_family(const std::string& name, const std::string& before, const std::string& after)
{
    for (const auto& phrase : phrases(method(before)))
        if (const auto at = name.find(phrase); at != std::string::npos) {
            const std::string title = short_title(method(after));
            return name.substr(0, at) + (at == 0 ? title : inside_sentence(method(after), title))
                   + name.substr(at + phrase.size());
        }
    return name;
}

std::string name_without_family(const std::string& name, const std::string& family)
{
    for (const auto& phrase : phrases(method(family)))
        if (name.ends_with(", " + phrase))
            return name.substr(0, name.size() - phrase.size() - 2);
    return name;
}

std::string name_with_family(const std::string& name, const std::string& family)
{
    return name + ", " + inside_sentence(method(family), short_title(method(family)));
}

std::string named_for_source(const Study& study)
{
    return name_with_family(source_of(study.data).name(study.data), study.posterior.family);
}

std::string short_text(const Change& change, const Study& study)
{
    constexpr std::ptrdiff_t longest = 16;   // characters
    if (change.path == "posterior.family")
        return family_title(study.posterior.family);
    std::string label = change.label;
    if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1])))
        label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    const std::string all = label + " " + change.to;
    const auto length     = std::count_if(all.begin(), all.end(), [](char c) { return (c & 0xC0) != 0x80; });   // UTF-8
    return length <= longest ? all : change.path.substr(0, change.path.find('.'));
}

namespace {

/// For each Study of one name, returns the settings in which they differ, such as "seed 7". Empty:
/// there are no such settings, more than two, or their text is long.
std::vector<std::string> differing_words(const std::vector<const Study*>& studies)
{
    constexpr std::size_t most = 2;
    std::vector<std::string> paths;
    for (const auto* study : studies)
        for (const auto& change : changes_between(*studies.front(), *study))
            if (std::find(paths.begin(), paths.end(), change.path) == paths.end())
                paths.push_back(change.path);
    if (paths.empty() || paths.size() > most)
        return {};
    std::vector<std::string> words;
    for (const auto* study : studies) {
        std::string& own = words.emplace_back();
        for (const auto& path : paths)
            for (const auto* other : studies) {   // the first from which it differs
                const auto changes = changes_between(*other, *study);
                const auto change  = std::find_if(changes.begin(), changes.end(),
                                                  [&path](const Change& one) { return one.path == path; });
                if (change == changes.end())
                    continue;
                const auto text = short_text(*change, *study);
                if (!text.ends_with(change->to))
                    return {};   // the value is long
                own += (own.empty() ? "" : ", ") + text;
                break;
            }
    }
    return words;
}

}   // namespace

std::vector<std::string> distinct_names(std::span<const Study* const> studies)
{
    std::vector<std::string> names;
    for (const auto* study : studies)
        names.push_back(study->name);
    const auto plain = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& family = studies[i]->posterior.family;
        bool other_family  = false;
        for (std::size_t j = 0; j < names.size(); ++j)
            other_family = other_family || (plain[j] == plain[i] && studies[j]->posterior.family != family);
        if (other_family)
            names[i] += " (" + inside_sentence(method(family), family_title(family)) + ")";
    }
    const auto with_family = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::vector<std::size_t> same;
        for (std::size_t j = 0; j < names.size(); ++j)
            if (with_family[j] == with_family[i])
                same.push_back(j);
        if (same.size() < 2 || same.front() != i)
            continue;
        std::vector<const Study*> group;
        group.reserve(same.size());
        for (const auto j : same)
            group.push_back(studies[j]);
        const auto words = differing_words(group);
        for (std::size_t k = 0; k < words.size(); ++k) {
            std::string& name = names[same[k]];
            const bool family = name != plain[same[k]];   // "a (mean field, seed 7)"
            if (family)
                name.pop_back();
            name.append(family ? ", " : " (").append(words[k]).append(")");
        }
    }
    const auto with_words = names;
    for (std::size_t i = 1; i < names.size(); ++i) {
        const auto before = std::count(with_words.begin(), with_words.begin() + static_cast<std::ptrdiff_t>(i),
                                       with_words[i]);
        if (before > 0)
            names[i] += " (" + std::to_string(before + 1) + ")";
    }
    return names;
}

std::optional<Task> stated_task(const DataSpec& data)
{
    const auto& task = source_of(data).task;
    return task ? task(data) : Task::classification;
}

}   // namespace credence
