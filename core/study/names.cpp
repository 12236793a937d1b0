// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"

#include "data/image_sources.h"
#include "study/fields.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace credence {
namespace {

/// As it stands inside a sentence: "mean field"; names of people keep their capital letter.
std::string inside_sentence(std::string title)
{
    if (!title.starts_with("Bernoulli") && !title.starts_with("Laplace") && !title.empty())
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return title;
}

/// The ways in which a name may speak of a family, the longest first.
std::vector<std::string> phrases(Family family)
{
    const std::string title = family_title(family);
    std::vector<std::string> all{title, inside_sentence(title)};
    constexpr std::string_view where = " per block";
    if (family == Family::tridiagonal)
        for (std::size_t i = 0; i < 2; ++i)
            all.push_back(all[i].substr(0, all[i].size() - where.size()));
    return all;
}

}  // namespace

std::string family_title(Family family)
{
    Study study;
    study.posterior.family = family;
    const Field& f         = field("posterior.family");
    const std::string name = value_text(f.get(study));
    for (const auto& choice : f.choices)
        if (choice.name == name)
            return choice.title.substr(0, choice.title.find(" ("));
    return name;
}

std::string named_for_family(const std::string& name, Family before, Family after)
{
    for (const auto& phrase : phrases(before))
        if (const auto at = name.find(phrase); at != std::string::npos) {
            const auto        words = phrases(after);
            const std::string title = words[words.size() - 2];   // the short one
            return name.substr(0, at) + (at == 0 ? title : inside_sentence(title)) + name.substr(at + phrase.size());
        }
    return name;
}

std::string named_for_source(const Study& study)
{
    const auto source_title = [&]() -> std::string {
        switch (study.data.source) {
        case DataSource::toy: return title_of(study.data.toy.kind);
        case DataSource::drawn: return "Drawn points";
        case DataSource::csv: return "Table";
        case DataSource::strokes: return study.data.images.alphabet == StrokeAlphabet::digits ? "Stroke digits" : "Stroke letters";
        case DataSource::images: break;
        }
        const auto source = find_image_source(study.data.images.set);
        return source ? source->title : std::filesystem::path(study.data.images.set).stem().string();
    };
    const auto words = phrases(study.posterior.family);
    return source_title() + ", " + inside_sentence(words[words.size() - 2]);
}

std::vector<std::string> distinct_names(std::span<const Study* const> studies)
{
    std::vector<std::string> names;
    for (const auto* study : studies)
        names.push_back(study->name);
    const auto plain = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto family = studies[i]->posterior.family;
        bool other_family = false;
        for (std::size_t j = 0; j < names.size(); ++j)
            other_family = other_family || (plain[j] == plain[i] && studies[j]->posterior.family != family);
        if (other_family)
            names[i] += " (" + inside_sentence(family_title(family)) + ")";
    }
    const auto with_family = names;
    for (std::size_t i = 1; i < names.size(); ++i) {
        const auto before = std::count(with_family.begin(), with_family.begin() + static_cast<std::ptrdiff_t>(i), with_family[i]);
        if (before > 0)
            names[i] += " (" + std::to_string(before + 1) + ")";
    }
    return names;
}

std::optional<Task> stated_task(const DataSpec& data)
{
    switch (data.source) {
    case DataSource::toy: return task_of(data.toy.kind);
    case DataSource::drawn: return data.drawn_task;
    case DataSource::csv: return data.csv.task;
    case DataSource::strokes:
    case DataSource::images: return Task::classification;
    }
    return {};
}

}  // namespace credence
