// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/source.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "study/field_makers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace credence {

using namespace field_makers;

namespace {

std::vector<Option<Task>> tasks()
{
    return {
        {Task::classification, {"classification", "Classification", "Points belong to classes."}},
        {Task::regression, {"regression", "Regression", "The second coordinate is predicted from the first."}},
    };
}

void require_coordinates(const std::string& path, const std::vector<DrawnPoint>& points)
{
    constexpr double most = 1e9;   // squares and their sums stay within a float
    for (const auto& point : points)
        for (const double coordinate : {point.x, point.y})
            if (!(std::fabs(coordinate) <= most))
                throw Error(path, path + " has the coordinate " + shortest_text(coordinate)
                                      + ", expected numbers from -1e9 to 1e9.");
}

void require_points(const DataSpec& data)
{
    const auto& points = data.points;
    if (points.size() < 2)
        throw Error("data.points", "data.points has " + std::to_string(points.size())
                                       + " points, expected at least 2: draw some on the map.");
    require_coordinates("data.points", points);
    if (const auto tests = data.test_points)
        require_coordinates("data.test_points", *tests);
    if (data.drawn_task == Task::regression)
        return;
    std::set<int> labels;
    for (const auto& point : points)
        labels.insert(point.label);
    if (labels.size() < 2)
        throw Error("data.points", "data.points has points of one class only, expected at least two classes.");
}

Dataset drawn_data(const DataSpec& spec)
{
    const bool classes = spec.drawn_task == Task::classification;
    Dataset data;
    data.name          = "Drawn points";
    data.task          = spec.drawn_task;
    data.n_features    = classes ? 2 : 1;
    data.feature_names = classes ? std::vector<std::string>{"x1", "x2"} : std::vector<std::string>{"x"};
    data.target_name   = classes ? "class" : "y";
    int last_label     = 1;
    const auto add     = [&](const DrawnPoint& point) {
        ++data.n_rows;
        data.inputs.push_back(point.x);
        if (classes) {
            data.inputs.push_back(point.y);
            data.labels.push_back(point.label);
            last_label = std::max(last_label, point.label);
        } else {
            data.targets.push_back(point.y);
        }
    };
    std::for_each(spec.points.begin(), spec.points.end(), add);
    if (const auto tests = spec.test_points)   // listed test rows come after the training rows
        std::for_each(tests->begin(), tests->end(), add);
    for (int k = 0; classes && k <= last_label; ++k)
        data.class_names.push_back("class " + std::to_string(k));   // as in the toy problems, which become drawn points
    data.check();
    return data;
}

}   // namespace

/// Points placed by hand on the map.
Source drawn_source()
{
    return {.id     = "drawn",
            .title  = "Drawn by hand",
            .hint   = "Place the points yourself on the map, to explore your own questions.",
            .fields = {choice(
                {.path  = "data.drawn_task",
                 .label = "Points are",
                 .help  = "Whether the drawn points have classes or are samples of a curve."},
                [](auto& s) -> auto& { return s.data.drawn_task; }, tasks())},
            .name   = [](const DataSpec&) -> std::string { return "Drawn points"; },
            .task   = [](const DataSpec& data) -> std::optional<Task> { return data.drawn_task; },
            .check  = require_points,
            .load   = drawn_data};
}

}   // namespace credence
