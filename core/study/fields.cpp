// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fields.h"

#include "foundation/error.h"
#include "study/field_makers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace credence {

using namespace field_makers;

namespace {

std::size_t edit_distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t cost = diagonal + (a[i - 1] != b[j - 1]);
            diagonal               = row[j];
            row[j]                 = std::min({row[j] + 1, row[j - 1] + 1, cost});
        }
    }
    return row.back();
}

std::vector<Field> make_fields()
{
    std::vector<Field> fields;
    fields.push_back(plain(
        {.path  = "name",
         .label = "Name",
         .help  = "Name of this Study in the list of runs, in captions and as a folder name."},
        [](auto& s) -> auto& { return s.name; }));
    fields.push_back(plain(
        {.path  = "note",
         .label = "Note",
         .help  = "Why you chose these settings, in one or two sentences. Shown under the name and included in every "
                  "exported figure."},
        [](auto& s) -> auto& { return s.note; }));
    fields.push_back(plain(
        {.path  = "seed",
         .label = "Seed",
         .help =
             "Seed for starting weights, minibatch order, weight noise and predictions. The same Study with the same "
             "seed gives the same numbers, bit for bit, on any number of threads. Data and split have their own seeds, "
             "so a new seed here does not change the data.",
         .min = 0,
         .max = 9007199254740991.0},
        [](auto& s) -> auto& { return s.seed; }));
    add_data_fields(fields);
    add_network_fields(fields);
    add_posterior_fields(fields);
    add_training_fields(fields);
    return fields;
}

/// The value of a setting as text in a sentence: choices by their titles.
std::string spoken(const Field& field, const Study& study)
{
    const FieldValue value = field.get(study);
    const std::string text = value_text(value);
    for (const auto& choice : field.choices)
        if (choice.name == text)
            return choice.title;
    return text.empty() ? "(empty)" : text;
}

const FormerPath former[] = {
    {"posterior.warm_up", "posterior.start_steps",
     "It is the number of Adam steps to the trained network from which a chain starts; the warm-up of NUTS and HMC is "
     "posterior.warmup."},
};

std::string group_of(const std::string& path) { return path.substr(0, path.find('.')); }
std::string key_of(const std::string& path) { return path.substr(path.find('.') + 1); }

}   // namespace

std::string Field::group() const
{
    const auto dot = path.find('.');
    return dot == std::string::npos ? "study" : path.substr(0, dot);
}

std::string Field::key() const
{
    return path.substr(path.find('.') + 1);   // npos + 1 is 0: the whole path
}

const std::vector<Field>& study_fields()
{
    static const std::vector<Field> fields = make_fields();
    return fields;
}

const Field& field(std::string_view path)
{
    if (const auto* former = former_path(path))
        return field(former->is);
    std::vector<std::string> paths;
    for (const auto& f : study_fields()) {
        if (f.path == path)
            return f;
        paths.push_back(f.path);
    }
    const std::string given(path);
    std::string sentence = "There is no setting \"" + given + "\"";
    const auto near      = near_matches(given, paths);
    for (std::size_t i = 0; i < near.size(); ++i)
        sentence += (i == 0 ? "; did you mean " : " or ") + near[i];
    throw Error(given, sentence + (near.empty() ? "." : "?"));
}

std::string with_labels(const std::string& sentence)
{
    constexpr auto* of_paths = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    std::string words;
    for (std::size_t at = 0; at < sentence.size();) {
        const auto begin = std::min(sentence.find_first_of(of_paths, at), sentence.size());
        const auto end   = std::min(sentence.find_first_not_of(of_paths, begin), sentence.size());
        words.append(sentence, at, begin - at);
        std::string word = sentence.substr(begin, end - begin), stops;
        while (!word.empty() && word.back() == '.') {   // a final full stop is not part of a path
            word.pop_back();
            stops += '.';
        }
        const auto& fields = study_fields();
        const auto named   = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.path == word; });
        const bool path    = word.find('.') != std::string::npos && named != fields.end();
        words += (path ? named->label : word) + stops;
        at = end;
    }
    return words;
}

std::vector<std::string> near_matches(const std::string& name, const std::vector<std::string>& known)
{
    const auto last_part = [](const std::string& path) { return path.substr(path.rfind('.') + 1); };
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto& candidate : known) {
        const std::size_t whole = edit_distance(name, candidate);
        const std::size_t part  = edit_distance(last_part(name), last_part(candidate))
                                 + 1;   // right key, wrong or missing group
        const std::size_t best = std::min(whole, part);
        if (best <= 1 + last_part(name).size() / 3)
            ranked.emplace_back(best, candidate);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ranked.size() && i < 3; ++i)
        names.push_back(ranked[i].second);
    return names;
}

/// "503", or "403 training, 100 test" if the test rows are listed.
static std::string counted_points(const DataSpec& data)
{
    const std::string points = std::to_string(data.points.size());
    const auto tests         = data.test_points;
    return tests ? points + " training, " + std::to_string(tests->size()) + " test" : points;
}

std::vector<Change> changes_between(const Study& a, const Study& b)
{
    std::vector<Change> changes;
    for (const auto& f : study_fields())
        if (f.path != "name" && f.path != "note" && f.get(a) != f.get(b))
            changes.push_back({f.path, f.label, spoken(f, a), spoken(f, b)});
    if (a.data.points != b.data.points || a.data.test_points != b.data.test_points)
        changes.push_back({"points", "Points", counted_points(a.data), counted_points(b.data)});
    if (a.data.changes != b.data.changes)
        changes.push_back({"data.changes", "Changes of points during training", std::to_string(a.data.changes.size()),
                           std::to_string(b.data.changes.size())});
    return changes;
}

std::vector<std::string> differences(const Study& a, const Study& b)
{
    std::vector<std::string> lines;
    for (const auto& change : changes_between(a, b))
        lines.push_back(change.text());
    return lines;
}

const FormerPath* former_path(std::string_view path)
{
    for (const auto& one : former)
        if (one.was == path)
            return &one;
    return nullptr;
}

const Field& typed_field(std::string_view path)
{
    if (const auto* one = former_path(path))
        throw Error(one->is, one->was + " is now called " + one->is + ". " + one->remark);
    return field(path);
}

nlohmann::json with_present_paths(nlohmann::json study)
{
    for (const auto& one : former) {
        if (!study.is_object() || !study.contains(group_of(one.was)))
            continue;
        auto& group = study[group_of(one.was)];
        if (!group.is_object() || !group.contains(key_of(one.was)) || group.contains(key_of(one.is)))
            continue;
        group[key_of(one.is)] = group[key_of(one.was)];
        group.erase(key_of(one.was));
    }
    return study;
}

}   // namespace credence
