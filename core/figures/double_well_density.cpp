// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/double_well_density.h"

#include "figures/double_well_walkers.h"
#include "training/double_well.h"

namespace credence::double_well {
namespace {

/// The outline of a histogram of probabilities.
Line outline(const std::string& name, const std::vector<double>& mass, Tone tone, LineStyle style)
{
    Line line{.name = name, .tone = tone, .style = style, .width = 2, .steps = true};
    for (int bin = 0; bin <= Bins::n; ++bin) {
        line.x.push_back(Bins::from + bin * Bins::width);
        line.y.push_back(bin < Bins::n ? mass[static_cast<std::size_t>(bin)] / Bins::width : 0);
    }
    return line;
}

Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::string("–")); }

Cell steps_each(long steps, long crossings)
{
    return crossings ? Cell((steps + crossings / 2) / crossings) : cell({});   // rounded
}

}   // namespace

Chart density_chart(const Walk& walk, const LongChain& truth)
{
    Panel panel{.x = {.label = "θ", .range = Range{-4, 4}}, .y = {.label = "Density", .range = Range{0.0, 1.0}}};
    Bars bars{.name = "long chain", .width = Bins::width, .tone = {Tone::Kind::muted}, .opacity = 0.4};
    const auto long_mass = truth.tally.bins();
    for (int bin = 0; bin < Bins::n; ++bin) {
        bars.position.push_back(Bins::centre(bin));
        bars.height.push_back(long_mass[static_cast<std::size_t>(bin)] / Bins::width);
    }
    Line exact{.name = "exact", .tone = {Tone::Kind::neutral}, .style = LineStyle::dashed, .width = 1.5};
    for (int i = 0; i <= 320; ++i) {
        exact.x.push_back(-4 + i * 0.025);
        exact.y.push_back(density(exact.x.back()));
    }
    panel.series = {std::move(bars), outline("plain", walk.plain().bins(), plain_tone(), LineStyle::solid),
                    outline("functional", walk.functional().bins(), functional_tone(), LineStyle::solid),
                    std::move(exact)};
    Chart chart{.id = "double_well_density", .title = "Double well: densities", .panels = {std::move(panel)}};
    chart.caption = "Exact: exp(−U)/∫exp(−U) by quadrature. Long chain: " + std::to_string(truth.draws.size())
                    + " draws, one every " + std::to_string(truth.options.every)
                    + " steps. Plain and functional: all states of the " + std::to_string(walk.steps())
                    + " steps so far; for the functional chain the mean of their densities.";
    return chart;
}

Chart numbers_chart(const Walk& walk, const LongChain& truth)
{
    Table table{.columns = {{"Of θ"}, {"Exact", "", 3}, {"Long chain", "", 3}, {"Plain", "", 3}, {"Functional", "", 3}},
                .rows    = {}};
    const auto &plain = walk.plain(), &functional = walk.functional();
    const long steps = walk.steps();
    table.rows.push_back(
        {std::string("Mean"), 0.0, cell(truth.tally.mean()), cell(plain.mean()), cell(functional.mean())});
    table.rows.push_back({std::string("Variance"), variance(), cell(truth.tally.variance()), cell(plain.variance()),
                          cell(functional.variance())});
    table.rows.push_back({std::string("Share on the right"), 0.5, cell(truth.tally.right_share()),
                          cell(plain.right_share()), cell(functional.right_share())});
    table.rows.push_back(
        {std::string("Crossings"), cell({}), truth.crossings, walk.plain_crossings(), walk.functional_crossings()});
    table.rows.push_back({std::string("Steps per crossing"), cell({}), steps_each(truth.options.steps, truth.crossings),
                          steps_each(steps, walk.plain_crossings()), steps_each(steps, walk.functional_crossings())});
    table.rows.push_back({std::string("Barrier, nats"), cell({}), barrier(), barrier(), functional_barrier()});
    Chart chart{.id = "double_well_numbers", .title = "Double well: numbers"};
    chart.table   = std::move(table);
    chart.caption = "The distribution exp(−U)/∫exp(−U) by quadrature, the long chain of "
                    + std::to_string(truth.options.steps) + " steps, and the plain and the functional chain after "
                    + std::to_string(steps) + " steps.";
    return chart;
}

}   // namespace credence::double_well
