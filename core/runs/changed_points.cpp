// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changed_points.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <tuple>
#include <vector>

namespace credence {
namespace {

[[noreturn]] void refuse_change(const PointsChange& change, const std::string& rest)
{
    throw Error("data.changes", "data.changes at step " + grouped_text(change.step) + ' ' + rest);
}

/// @tparam Number  type used to compare: double, or float for points that were rounded before they
/// were saved
template <class Number>
bool stands_for(const DrawnPoint& point, const Dataset& data, std::size_t row)
{
    const auto equal = [](double a, double b) { return static_cast<Number>(a) == static_cast<Number>(b); };
    if (data.task == Task::regression)
        return equal(data.row(row)[0], point.x) && equal(data.targets[row], point.y);
    return equal(data.row(row)[0], point.x) && equal(data.row(row)[1], point.y) && data.labels[row] == point.label;
}

/// Removes one row for each point. @param points  found points are removed from it
template <class Number>
Dataset without(const Dataset& data, std::vector<DrawnPoint>& points)
{
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const auto found = std::find_if(points.begin(), points.end(),
                                        [&](const DrawnPoint& point) { return stands_for<Number>(point, data, i); });
        if (found == points.end())
            kept.push_back(static_cast<std::uint32_t>(i));
        else
            points.erase(found);
    }
    return kept.size() == data.n_rows ? data : subset(data, kept);
}

void append(Dataset& data, const DrawnPoint& point)
{
    data.inputs.push_back(point.x);
    if (data.task == Task::regression) {
        data.targets.push_back(point.y);
    } else {
        data.inputs.push_back(point.y);
        data.labels.push_back(point.label);
    }
    ++data.n_rows;
}

aligned_vector<float> standardised_targets(const Dataset& data, const SplitData& scales)
{
    return Standardiser{{scales.target_mean}, {scales.target_sd}}.standardised(data.targets);
}

}   // namespace

/// Standardises the inputs and targets of test and calibration rows with the scales of the training
/// rows.
static void standardise_tests(SplitData& data)
{
    data.test_inputs = data.inputs.standardised(data.test.inputs);
    if (data.test.task == Task::regression)
        data.test_targets = standardised_targets(data.test, data);
    data.calibration_inputs = data.inputs.standardised(data.calibration.inputs);
    if (data.calibration.task == Task::regression)
        data.calibration_targets = standardised_targets(data.calibration, data);
}

SplitData split_before(const Dataset& all, std::size_t n_training, SplitOptions options)
{
    std::vector<std::uint32_t> rows(all.n_rows);
    std::iota(rows.begin(), rows.end(), 0u);
    const std::span<const std::uint32_t> each = rows;
    options.test_fraction                     = 0;
    options.kind                              = SplitKind::random;
    SplitData parts                           = split(subset(all, each.first(n_training)), options);
    parts.test                                = subset(all, each.subspan(n_training));
    standardise_tests(parts);
    return parts;
}

SplitData with_change(const SplitData& before, const PointsChange& change)
{
    SplitData after                 = before;
    std::vector<DrawnPoint> missing = change.erased;
    after.training                  = without<double>(before.training, missing);
    for (Dataset* part : {&after.test, &after.calibration})
        *part = without<double>(*part, missing);
    if (!missing.empty())
        for (Dataset* part : {&after.training, &after.test, &after.calibration})
            *part = without<float>(*part, missing);
    if (!missing.empty())
        refuse_change(change, "erases the point (" + number_text(missing.front().x, 6) + ", "
                                  + number_text(missing.front().y, 6) + "), expected an existing point.");
    for (const DrawnPoint& point : change.added) {
        if (after.training.task == Task::classification
            && (point.label < 0 || static_cast<std::size_t>(point.label) >= after.training.n_classes()))
            refuse_change(change, "adds a point of class " + std::to_string(point.label) + ", expected one of the "
                                      + std::to_string(after.training.n_classes())
                                      + " classes that the network has outputs for.");
        append(after.training, point);
    }
    if (after.training.n_rows < 2)
        refuse_change(change,
                      "leaves " + std::to_string(after.training.n_rows) + " training rows, expected at least 2.");
    after.training_inputs = after.inputs.standardised(after.training.inputs);
    if (after.training.task == Task::regression)
        after.training_targets = standardised_targets(after.training, after);
    standardise_tests(after);
    return after;
}

std::vector<DrawnPoint> points_of(const Dataset& data)
{
    std::vector<DrawnPoint> points;
    for (std::size_t i = 0; i < data.n_rows; ++i)
        if (data.task == Task::classification)
            points.push_back({data.row(i)[0], data.row(i)[1], data.labels[i]});
        else
            points.push_back({data.row(i)[0], data.targets[i], 0});
    return points;
}

static bool less(const DrawnPoint& a, const DrawnPoint& b)
{
    return std::tie(a.x, a.y, a.label) < std::tie(b.x, b.y, b.label);
}

/// The points of these parts, sorted.
static std::vector<DrawnPoint> sorted_points(std::initializer_list<const Dataset*> parts)
{
    std::vector<DrawnPoint> points;
    for (const Dataset* part : parts)
        for (const auto& point : points_of(*part))
            points.push_back(point);
    std::sort(points.begin(), points.end(), less);
    return points;
}

bool keeps_test_rows_of(const SplitData& before, const SplitData& data)
{
    const auto includes = [](const Dataset& known_part, const Dataset& part) {
        const auto points = sorted_points({&part}), known = sorted_points({&known_part});
        return std::includes(known.begin(), known.end(), points.begin(), points.end(), less);
    };
    return includes(before.test, data.test) && includes(before.calibration, data.calibration);
}

PointsChange change_between(const SplitData& before, const SplitData& after)
{
    const auto was = sorted_points({&before.training, &before.test, &before.calibration}),
               is  = sorted_points({&after.training, &after.test, &after.calibration});
    PointsChange change;
    std::set_difference(is.begin(), is.end(), was.begin(), was.end(), std::back_inserter(change.added), less);
    std::set_difference(was.begin(), was.end(), is.begin(), is.end(), std::back_inserter(change.erased), less);
    return change;
}

Study with_points_from_start(Study study, const SplitData& data)
{
    study.data.source     = DataSource::drawn;
    study.data.drawn_task = data.training.task;
    study.data.points     = points_of(data.training);
    for (const DrawnPoint& point : points_of(data.calibration))   // drawn again from the training rows
        study.data.points.push_back(point);
    study.data.test_points = points_of(data.test);
    study.data.changes.clear();
    return study;
}

bool continued_network(const TrainingReport& report)
{
    constexpr std::string_view earlier = "It began with the net that was trained before its points were drawn";
    return report.message.find(continued_words) != std::string::npos
           || report.message.find(earlier) != std::string::npos;
}

std::string changes_in_words(const DataSpec& data, long step)
{
    std::string words;
    for (std::size_t i = 0; i < data.changes.size() && data.changes[i].step < step;) {
        const long at     = data.changes[i].step;
        std::size_t added = 0, erased = 0;
        for (; i < data.changes.size() && data.changes[i].step == at; ++i) {
            added += data.changes[i].added.size();
            erased += data.changes[i].erased.size();
        }
        words += (words.empty() ? "Points changed at step " : ", at step ") + grouped_text(at) + " ("
                 + std::to_string(added) + " added, " + std::to_string(erased) + " erased)";
    }
    return words.empty() ? words : words + '.';
}

}   // namespace credence
