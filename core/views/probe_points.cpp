// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/probe_points.h"

#include "foundation/statistics.h"
#include "views/decision_map.h"
#include "views/view_support.h"

#include "charts/chart.h"

#include <algorithm>
#include <cmath>

namespace credence::view_support {

namespace {

ProbePoints on_plane(const Experiment& experiment, const ViewOptions& view, const ProbeOptions& options)
{
    const auto region = view.map.region.value_or(region_of(experiment));
    const int most    = static_cast<int>(std::sqrt(static_cast<double>(options.most)));
    const int cells   = std::max(2, std::min({options.cells, view.map.cells, most}));
    ProbePoints out;
    out.grid          = MapGrid::over(region.first, region.second, cells);
    const auto places = out.grid->inputs();
    out.n             = places.size() / 2;
    for (std::size_t i = 0; i < out.n; ++i)
        out.names.push_back("(" + number_text(places[2 * i], 3) + ", " + number_text(places[2 * i + 1], 3) + ")");
    out.inputs = standardised(experiment, places);
    out.what   = std::to_string(cells) + " × " + std::to_string(cells) + " points of the plane";
    return out;
}

ProbePoints along_x(const Experiment& experiment, const ViewOptions& view, const ProbeOptions& options)
{
    constexpr std::size_t fewest = 2, usual = 201;
    ProbePoints out;
    out.x = places_along_x(view.map.region ? view.map.region->first : range_along_x(experiment),
                           std::clamp(options.most, fewest, usual));
    out.n                   = out.x.size();
    const std::string& name = experiment.data->training.feature_names[0];
    for (const double x : out.x)
        out.names.push_back(name + " = " + number_text(x, 3));
    out.inputs = standardised(experiment, out.x);
    out.what   = std::to_string(out.n) + " points along " + name;
    return out;
}

ProbePoints at_rows(const Experiment& experiment, const ProbeOptions& options)
{
    constexpr std::size_t usual = 200;
    const auto set              = scored_set(experiment);
    const std::size_t d         = experiment.data->training.n_features;
    ProbePoints out;
    out.rows = evenly_spaced(set.data->n_rows, std::clamp<std::size_t>(options.most, 1, usual));
    out.n    = out.rows.size();
    for (const auto row : out.rows) {
        const auto numbers = set.inputs.subspan(row * d, d);
        out.inputs.insert(out.inputs.end(), numbers.begin(), numbers.end());
        out.names.push_back("row " + std::to_string(row) + " of the " + set.name);
    }
    out.what = std::to_string(out.n) + " rows of the " + set.name;
    return out;
}

}   // namespace

ProbePoints probe_points(const Experiment& experiment, const ViewOptions& view, const ProbeOptions& options)
{
    switch (experiment.data->training.n_features) {
    case 1: return along_x(experiment, view, options);
    case 2: return on_plane(experiment, view, options);
    default: return at_rows(experiment, options);
    }
}

}   // namespace credence::view_support
