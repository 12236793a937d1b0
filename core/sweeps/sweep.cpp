// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep.h"

#include "foundation/error.h"
#include "foundation/one_line.h"
#include "study/fields.h"
#include "study/former_paths.h"

#include <algorithm>
#include <cctype>

namespace credence {
namespace {

void put_setting(SweepSettings& settings, const std::string& path, FieldValue value)
{
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const auto& one) { return one.first == path; });
    if (found == settings.end())
        settings.emplace_back(path, std::move(value));
    else
        found->second = std::move(value);
}

bool moves(const SweepAxis& axis, const std::string& path)
{
    return std::any_of(axis.values.begin(), axis.values.end(), [&](const SweepValue& value) {
        return std::any_of(value.set.begin(), value.set.end(), [&](const auto& one) { return one.first == path; });
    });
}

}   // namespace

bool SweepAxis::is_numeric() const
{
    return std::all_of(values.begin(), values.end(), [](const SweepValue& value) { return value.number.has_value(); });
}

std::optional<double> axis_number(const FieldValue& value)
{
    if (const auto* whole = std::get_if<long>(&value))
        return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    if (const auto* wholes = std::get_if<std::vector<long>>(&value); wholes && wholes->size() == 1)
        return static_cast<double>(wholes->front());
    if (const auto* numbers = std::get_if<std::vector<double>>(&value); numbers && numbers->size() == 1)
        return numbers->front();
    return {};
}

std::string SweepAxis::title() const
{
    for (const auto& f : study_fields())
        if (f.path == name)
            return f.label;
    return name;
}

std::string SweepAxis::words(std::size_t i) const
{
    const SweepValue& value = values[i];
    if (!is_seed() && !value.number && value.label != "true" && value.label != "false")
        return value.label;
    std::string of = title();
    if (of.size() > 1 && std::islower(static_cast<unsigned char>(of[1])) != 0)
        of.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(of.front())));
    return of + " " + value.label;
}

const SweepAxis* Sweep::replicate_axis() const
{
    const auto found = std::ranges::find(axes, replicates, &SweepAxis::name);
    return found == axes.end() ? nullptr : &*found;
}

std::string Sweep::replicate_word() const { return replicates == "seed" ? "seeds" : "replicates"; }

std::size_t Sweep::n_cells() const
{
    std::size_t n = 1;
    for (const auto& axis : axes)
        n *= axis.values.size();
    return n;
}

std::string shown_title(const Sweep& sweep)
{
    if (!sweep.title.empty())
        return sweep.title;
    return sweep.id.empty() ? "Sweep of " + sweep.base.study.name : sweep.id;
}

Sweep quick_version(const Sweep& sweep)
{
    if (sweep.quick.empty() && sweep.quick_axes.empty())
        throw Error("The sweep " + shown_title(sweep)
                    + " has no quick version; expected \"quick\": {…} with its settings.");
    Sweep quick = sweep;
    for (auto& axis : quick.axes)
        for (const auto& other : sweep.quick_axes)
            if (other.name == axis.name)
                axis = other;
    for (const auto& [path, setting] : sweep.quick)
        put_setting(quick.after, path, setting);
    quick.quick.clear();
    quick.quick_axes.clear();
    return quick;
}

void set_for_all(Sweep& sweep, const std::string& assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("found \"" + one_line(assignment, 80)
                    + "\", expected a setting and its value, for example training.steps=300.");
    const Field& f = typed_field(assignment.substr(0, equals));
    for (const auto& axis : sweep.axes)
        if (moves(axis, f.path))
            throw Error(f.path, f.path + " is varied by the axis " + one_line(axis.name, 80)
                                    + "; expected a setting that is the same in all cells.");
    Study trial;
    f.set(trial, parse_value(f, assignment.substr(equals + 1)));
    resolve_paths(trial, std::filesystem::current_path());
    put_setting(sweep.set, f.path, f.get(trial));
}

}   // namespace credence
