// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/probe_places.h"

#include "charts/decision_map.h"
#include "foundation/statistics.h"
#include "study/source.h"

#include <algorithm>
#include <cmath>

namespace credence {

Range range_along_x(const Experiment& experiment)
{
    const DataSpec& data = experiment.study.data;
    if (const auto& shown = source_of(data).shown_range; shown && experiment.task() == Task::regression)
        return shown(data);
    std::vector<double> seen;
    for (const auto* part : {&experiment.data->training, &experiment.data->test})
        seen.insert(seen.end(), part->inputs.begin(), part->inputs.end());
    return widened_range(seen, 0.5);
}

std::vector<double> places_along_x(Range range, std::size_t n)
{
    std::vector<double> x;
    for (std::size_t i = 0; i < n; ++i)
        x.push_back(range.first + (range.second - range.first) * static_cast<double>(i) / static_cast<double>(n - 1));
    return x;
}

std::pair<Range, Range> region_of(const Experiment& experiment)
{
    std::vector<double> columns[2];
    for (const auto* part : {&experiment.data->training, &experiment.data->test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            for (int j = 0; j < 2; ++j)
                columns[j].push_back(part->row(i)[j]);
    return {widened_range(columns[0], 0.4), widened_range(columns[1], 0.4)};
}

ProbePlaces few_probe_places(const Experiment& experiment, std::size_t most)
{
    const auto& data    = *experiment.data;
    const std::size_t d = data.training.n_features;
    ProbePlaces places;
    if (d == 1 || d == 2) {
        std::vector<double> x;
        if (d == 1) {
            x = places_along_x(range_along_x(experiment), most);
        } else {
            const auto region = region_of(experiment);
            const int cells   = std::max(2, static_cast<int>(std::sqrt(static_cast<double>(most))));
            x                 = MapGrid::over(region.first, region.second, cells).inputs();
        }
        const auto z = data.inputs.standardised(x);
        places.inputs.assign(z.begin(), z.end());
    } else {
        const bool tests = data.test.n_rows > 0;
        const auto from  = std::span(tests ? data.test_inputs : data.training_inputs);
        for (const auto row : evenly_spaced(tests ? data.test.n_rows : data.training.n_rows, most)) {
            const auto numbers = from.subspan(row * d, d);
            places.inputs.insert(places.inputs.end(), numbers.begin(), numbers.end());
        }
    }
    places.n = places.inputs.size() / d;
    return places;
}

}   // namespace credence
