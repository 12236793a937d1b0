// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

ViewOptions selecting(const ChainSelection& chain_selection)
{
    ViewOptions options     = coarse();
    options.map.cells       = 24;
    options.chain_selection = chain_selection;
    return options;
}

/// Two chains of 100 draws of a line along x, which only rises: draw t of each is t/100 above the
/// first one, in standard deviations of the target. They are saved after steps 101 to 200, and one
/// draw diverged, that of step 103 in chain 1.
const RunSnapshot& rising()
{
    static const auto run = snapshot_of_chains(study_of_chains("nuts", ToyKind::cubic), {.scale = 0, .drift = 1});
    return run;
}

std::vector<Line> lines_named(const std::vector<Line>& lines, const std::string& name)
{
    std::vector<Line> out;
    for (const auto& line : lines)
        if (line.name == name)
            out.push_back(line);
    return out;
}

double height_above(const Line& line, const Line& first, double sd)
{
    for (std::size_t i = 1; i < line.y.size(); ++i)
        EXPECT_NEAR(line.y[i] - first.y[i], line.y[0] - first.y[0], 1e-4 * sd);
    return (line.y[0] - first.y[0]) / sd;
}

/// Between the four centres around a point; NaN for a gap of a line.
double value_at(const HeatMap& map, double x, double y)
{
    if (std::isnan(x))
        return x;
    const double column = (x - map.x.first) / (map.x.second - map.x.first) * (map.nx - 1),
                 row    = (y - map.y.first) / (map.y.second - map.y.first) * (map.ny - 1);
    const int c = std::min(static_cast<int>(column), map.nx - 2), r = std::min(static_cast<int>(row), map.ny - 2);
    const double u = column - c, v = row - r;
    const auto z = [&map](int i, int j) {
        return static_cast<double>(map.z[static_cast<std::size_t>(j * map.nx + i)]);
    };
    return (1 - v) * ((1 - u) * z(c, r) + u * z(c + 1, r)) + v * ((1 - u) * z(c, r + 1) + u * z(c + 1, r + 1));
}

}   // namespace

TEST(ChainFunctions, DivergentFunctionsAreDrawnOverTheOthersAndBothHaveAMean)
{
    const double sd  = rising().experiment->data->target_sd;
    const auto first = series_of<Line>(
        drawn("chain_functions", rising(), selecting({.which = ChainSelection::Which::nothing})).panels.at(0))[0];
    const auto chart = drawn("chain_functions", rising(), selecting({}));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 40u + 1 + 2);
    EXPECT_EQ(chart.panels[0].title, "1 divergent draw over 199 others");
    EXPECT_EQ(lines[40].name, "divergent draws");
    EXPECT_EQ(lines[40].tone, Tone{Tone::Kind::wrong});
    EXPECT_NEAR(height_above(lines[40], first, sd), 0.02, 1e-4);
    EXPECT_NEAR(height_above(lines_named(lines, "mean of the divergent draws").at(0), first, sd), 0.02, 1e-4);
    // Of 0, 0, 0.01, 0.01, … 0.99, 0.99 without one 0.02.
    EXPECT_NEAR(height_above(lines_named(lines, "mean of the other draws").at(0), first, sd), (99 - 0.02) / 199, 1e-4);
    EXPECT_THAT(chart.caption, HasSubstr("In colour: 1 divergent draw."));
    EXPECT_EQ(chart.panels[0].y.label, "y");
}

TEST(ChainFunctions, ARangeOfStepsIsSelectedInEveryChain)
{
    const double sd  = rising().experiment->data->target_sd;
    const auto first = series_of<Line>(
        drawn("chain_functions", rising(), selecting({.which = ChainSelection::Which::nothing})).panels.at(0))[0];
    const auto chart = drawn("chain_functions", rising(),
                             selecting({.which = ChainSelection::Which::steps, .from = 151, .to = 160}));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 40u + 20 + 2);
    for (std::size_t k = 40; k < 60; ++k) {
        EXPECT_EQ(lines[k].tone, Tone{Tone::Kind::accent});
        EXPECT_NEAR(height_above(lines[k], first, sd), 0.50 + 0.01 * static_cast<double>((k - 40) % 10), 1e-4);
    }
    EXPECT_NEAR(height_above(lines_named(lines, "mean of the draws of steps 151 to 160").at(0), first, sd), 0.545,
                1e-4);
}

TEST(ChainFunctions, WithoutASelectionEachChainHasItsOwnColour)
{
    const auto chart = drawn("chain_functions",
                             snapshot_of_chains(study_of_chains("sgld", ToyKind::cubic), {.statistics = false}),
                             selecting({}));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 80u);
    EXPECT_EQ(chart.panels[0].title, "All draws, by chain");
    EXPECT_EQ(lines[0].name, "chain 0");
    EXPECT_EQ(lines[40].name, "chain 1");
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const Line& line) { return !line.name.empty(); }), 2);
    for (std::size_t k = 0; k < 80; ++k)
        EXPECT_EQ(lines[k].tone, category(k < 40 ? 0 : 1)) << k;
}

TEST(ChainFunctions, OfClassesInThePlaneAreBordersAndTwoMapsOnOneScale)
{
    const auto run        = snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 1, .scale = 0.5});
    std::size_t on_border = 0;
    for (long step = 101; step < 131 && on_border == 0; ++step) {   // a draw may have no border in the picture
        const auto chart = drawn("chain_functions", run,
                                 selecting({.which = ChainSelection::Which::steps, .from = step, .to = step}));
        ASSERT_EQ(chart.panels.size(), 3u);
        const auto &selected = map_of(chart.panels[1]), &others = map_of(chart.panels[2]);
        EXPECT_EQ(chart.panels[2].title, "Mean of the others");
        EXPECT_EQ(selected.z_range, others.z_range);
        EXPECT_NE(selected.z, others.z);
        const auto borders = series_of<Line>(chart.panels[0]);
        ASSERT_EQ(borders.size(), 41u);
        EXPECT_EQ(borders.back().tone, Tone{Tone::Kind::accent});
        on_border = borders.back().x.size();
        for (std::size_t k = 0; k < on_border; ++k) {
            const double p = value_at(selected, borders.back().x[k], borders.back().y[k]);
            EXPECT_TRUE(std::isnan(p) || std::abs(p - 0.5) < 1e-5) << p;
        }
    }
    EXPECT_GT(on_border, 0u);
}

TEST(ChainFunctions, AreUnavailableWithoutAnAxisToDrawThemOn)
{
    EXPECT_THAT(refusal_of("chain_functions", moons()), testing::StartsWith("This view needs chains"));
    auto study                        = study_of_chains("sgld");
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 20;
    study.data.images.test_images     = 10;
    const auto run                    = snapshot_before_draws(study);
    EXPECT_EQ(refusal_of("chain_functions", run),
              "This view needs one input, or two inputs with classes; these data have 784 inputs.");
}
