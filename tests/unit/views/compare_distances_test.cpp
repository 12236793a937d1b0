// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"
#include "views/compare_runs.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

RunSnapshot ranked_run(const std::string& family, const std::string& name, double shift = 0,
                       ToyKind kind = ToyKind::two_moons)
{
    auto study = study_of_chains(family, kind);
    study.name = name;
    return snapshot_of_chains(study, {.shifts = {shift, shift}});
}

/// Of which "equal" has the draws of the reference.
std::vector<RunSnapshot> three_runs_and_reference(ToyKind kind = ToyKind::two_moons)
{
    return {ranked_run("sgld", "far", 2, kind), ranked_run("nuts", "reference", 0, kind),
            ranked_run("psgld", "equal", 0, kind), ranked_run("sghmc", "near", 0.3, kind)};
}

}   // namespace

TEST(CompareDistances, RanksTheRunsNearestFirst)
{
    const auto runs    = three_runs_and_reference();
    const auto chart   = view("compare_distances").compare(runs, coarse(), {}).value();
    const auto& panel  = chart.panels.at(0);
    const auto bars    = series_of<Bars>(panel).at(0);
    const auto of_runs = compare_reference(runs, coarse()).value();
    EXPECT_THAT(panel.y.categories, ElementsAre("equal", "near", "far"));
    EXPECT_TRUE(bars.horizontal);
    EXPECT_THAT(bars.position, ElementsAre(0, 1, 2));
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(Cell(bars.height[k]), of_runs.table->rows.at(k + 1).at(5)) << "total variation over the map";
        EXPECT_EQ(bars.labels[k], number_text(bars.height[k], 3));
    }
    EXPECT_NEAR(bars.height[0], 0, 1e-12);
    EXPECT_LT(bars.height[1], bars.height[2]);
    EXPECT_EQ(panel.x.label, "Total variation, map");
    EXPECT_EQ(panel.y.range, Range(2.5, -0.5)) << "the nearest on top";
    EXPECT_THAT(chart.caption, testing::StartsWith("The reference is reference: 2 chains"));
}

TEST(CompareDistances, ShowTheDistanceOfTheHalvesOfTheChainsAsABand)
{
    const auto runs     = three_runs_and_reference();
    const auto compared = compare_reference(runs, coarse()).value();
    const auto chart    = distance_ranking(compared);
    const auto band     = series_of<Band>(chart.panels.at(0)).at(0);
    const double floor  = std::get<double>(compared.table->rows.at(0).at(5));
    EXPECT_GT(floor, 0);
    EXPECT_THAT(band.x, ElementsAre(0, floor));
    EXPECT_THAT(band.upper, ElementsAre(2.5, 2.5));
    EXPECT_EQ(band.name, "Noise floor " + number_text(floor, 3));
    EXPECT_GE(chart.panels[0].x.range->second, floor);
}

TEST(CompareDistances, ForRegressionAreInUnitsOfTheTargetAlongX)
{
    const auto chart = distance_ranking(
        compare_reference(three_runs_and_reference(ToyKind::blundell_curve), coarse()).value());
    EXPECT_EQ(chart.panels.at(0).x.label, "1-Wasserstein distance of f, along x");
    EXPECT_EQ(chart.panels[0].x.unit, "units of y");
    EXPECT_THAT(chart.panels[0].y.categories, ElementsAre("equal", "near", "far"));
}

TEST(CompareDistances, NameEveryRunInWordsTablesAndFiles)
{
    const auto chart = distance_ranking(compare_reference(three_runs_and_reference(), coarse()).value());
    EXPECT_THAT(summary_in_words(chart), testing::AllOf(HasSubstr("3 bars: equal "), HasSubstr("; near 0.")));
    EXPECT_THAT(to_csv(data_table(chart)), HasSubstr(",far,"));
    EXPECT_THAT(to_latex(chart), HasSubstr("xbar"));
}

TEST(CompareDistances, AreAMessageWithoutOtherRunsOrAReference)
{
    const std::vector<RunSnapshot> reference{ranked_run("nuts", "reference")};
    EXPECT_THAT(view("compare_distances").compare(reference, coarse(), {})->message,
                testing::StartsWith("Only the reference is ticked."));
    const std::vector<RunSnapshot> others{ranked_run("sgld", "far")};
    EXPECT_THAT(view("compare_distances").compare(others, coarse(), {})->message, HasSubstr("NUTS or HMC run"));
}
