// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"

#include "unit/charts/series_of.h"
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {

Study named(Study study, const std::string& name)
{
    study.name = name;
    return study;
}

RunSnapshot moons_by(const std::string& family, const ChainsByHand& hand = {})
{
    return snapshot_of_chains(named(study_of_chains(family), family), hand);
}

RunSnapshot curve_by(const std::string& family, const ChainsByHand& hand = {})
{
    auto study                      = named(study_of_chains(family, ToyKind::blundell_curve), family);
    study.split.standardise_targets = true;
    return snapshot_of_chains(study, hand);
}

Chart compared_by(const std::vector<RunSnapshot>& runs) { return compare_reference(runs, coarse()).value(); }

double number_at(const Chart& chart, std::size_t row, std::size_t column)
{
    return std::get<double>(chart.table.value().rows.at(row).at(column));
}

}   // namespace

TEST(CompareReference, EqualSamplesHaveNoDistance)
{
    const auto chart = compared_by({moons_by("nuts"), moons_by("sgld")});
    ASSERT_EQ(chart.message, "");
    const auto& table = chart.table.value();
    ASSERT_EQ(table.rows.size(), 2u);
    ASSERT_EQ(table.columns.size(), 8u);
    EXPECT_EQ(table.rows[0][0], Cell("one half of the chains against the other half"));
    EXPECT_EQ(table.rows[1][0], Cell("sgld"));
    EXPECT_EQ(table.columns[1].name, "Agreement, test set");
    EXPECT_EQ(table.columns[3].name, "Epistemic difference, test set");
    EXPECT_EQ(table.columns[4].name, "Agreement, map");
    EXPECT_THAT(chart.caption, HasSubstr(" Map: 6 × 6 points of the plane."));
    for (const std::size_t at : {1u, 4u}) {
        EXPECT_EQ(number_at(chart, 1, at), 1);
        EXPECT_NEAR(number_at(chart, 1, at + 1), 0, 1e-12);
        EXPECT_NEAR(number_at(chart, 1, at + 2), 0, 1e-12);
    }
    EXPECT_EQ(table.rows[1][7], Cell(200L));
}

TEST(CompareReference, HalvesThatAreAlikeHaveNoDistanceAndOthersHaveOne)
{
    EXPECT_NEAR(number_at(compared_by({moons_by("nuts", {.alike = true})}), 0, 2), 0, 1e-12);
    EXPECT_GT(number_at(compared_by({moons_by("nuts")}), 0, 2), 0);
    EXPECT_GT(number_at(compared_by({moons_by("nuts", {.shifts = {-2, 2}})}), 0, 2), 0.2);
    // One chain: its first half against its second one.
    EXPECT_GT(number_at(compared_by({moons_by("nuts", {.n_chains = 1, .scale = 0, .drift = 4})}), 0, 2), 0.05);
}

TEST(CompareReference, AMethodThatIsOffIsFartherThanTheHalvesAndDrawnOnOneScale)
{
    const auto chart = compared_by({moons_by("nuts"), moons_by("sgld", {.shifts = {2, 2}}), moons_by("psgld")});
    EXPECT_EQ(chart.table->rows[1][0], Cell("psgld")) << "the nearest first";
    EXPECT_GT(number_at(chart, 2, 2), 3 * number_at(chart, 0, 2));
    EXPECT_LT(number_at(chart, 2, 1), 1.0);
    ASSERT_EQ(chart.panels.size(), 3u);
    for (const auto& panel : chart.panels)
        EXPECT_EQ(map_of(panel).z_range, map_of(chart.panels[0]).z_range);
    EXPECT_THAT(chart.panels[2].title, testing::StartsWith("sgld\ndistance "));
    EXPECT_EQ(map_of(chart.panels[2]).name, "|p̄ − p̄ of the reference|");
    double sum = 0;
    for (const float z : map_of(chart.panels[2]).z)
        sum += static_cast<double>(z);
    EXPECT_NEAR(sum / 36, number_at(chart, 2, 5), 1e-6);
}

TEST(CompareReference, MapsHaveSmallPoints)
{
    for (const auto& panel : compared_by({moons_by("nuts"), moons_by("sgld")}).panels)
        for (const auto& points : series_of<Points>(panel))
            EXPECT_EQ(points.size, 2);
}

TEST(CompareReference, APointEstimateHasNoEpistemicPart)
{
    const auto point = compared_by({moons_by("nuts"), snapshot_of(named(small_study("point_estimate"), "point"))});
    EXPECT_LT(number_at(point, 1, 3), 0);
    EXPECT_EQ(point.table->rows[1][7], Cell(1L));
}

TEST(CompareReference, APosteriorThatIsNotASetIsSampledOften)
{
    EXPECT_EQ(compared_by({moons_by("nuts"), moons()}).table->rows.at(1).at(7), Cell(1000L));
}

TEST(CompareReference, ForRegressionIsTheDistanceThatDrawsAreMoved)
{
    const auto reference = curve_by("nuts");
    const auto chart     = compared_by({reference, curve_by("psgld", {.shifts = {0.5, 0.5}}), curve_by("sgld")});
    const double sd      = reference.experiment->data->target_sd;
    const auto& table    = chart.table.value();
    ASSERT_EQ(table.columns.size(), 6u);
    EXPECT_EQ(table.columns[1].unit, "units of y");
    EXPECT_EQ(table.columns[3].name, "1-Wasserstein distance of f, along x");
    EXPECT_EQ(table.rows[1][0], Cell("sgld")) << "the nearest first";
    for (const std::size_t at : {1u, 3u}) {   // test rows, places along x
        EXPECT_NEAR(number_at(chart, 1, at), 0, 1e-12);
        EXPECT_NEAR(number_at(chart, 2, at), 0.5 * sd, 1e-5 * sd);   // a shift has that shift as its distance
        EXPECT_NEAR(number_at(chart, 2, at + 1), 0, 1e-5 * sd);      // and no other spread
    }
    const auto wide = compared_by({reference, curve_by("sgld", {.scale = 0.3})});
    EXPECT_GT(number_at(wide, 1, 2), 0);
}

TEST(CompareReference, BandsAreSideBySideOnOneScale)
{
    const auto chart = compared_by({curve_by("sgld"), curve_by("hmc")});
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].title, "hmc");   // the truth first
    EXPECT_THAT(chart.panels[1].title, testing::StartsWith("sgld\ndistance "));
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
    EXPECT_EQ(chart.panels[0].x.range, chart.panels[1].x.range);
}

TEST(CompareReference, BandsAreInTheOrderOfTheTableAndManyPanelsInRowsOfFive)
{
    std::vector<RunSnapshot> runs{curve_by("nuts")};
    for (int i = 0; i < 9; ++i) {
        const double shift = 0.1 * ((i * 4) % 9);
        auto study         = named(study_of_chains("sgld", ToyKind::blundell_curve), "run " + std::to_string(i));
        study.split.standardise_targets = true;
        runs.push_back(snapshot_of_chains(study, {.shifts = {shift, shift}}));
    }
    const auto chart = compared_by(runs);
    ASSERT_EQ(chart.panels.size(), 10u);
    EXPECT_EQ(chart.columns, 5);
    for (std::size_t r = 1; r < 10; ++r) {
        EXPECT_THAT(chart.panels[r].title, testing::StartsWith(std::get<std::string>(chart.table->rows[r][0]) + '\n'));
        if (r > 1) {
            EXPECT_GE(number_at(chart, r, 3), number_at(chart, r - 1, 3));
        }
    }
}

TEST(CompareReference, NutsIsTheReferenceBeforeHmc)
{
    EXPECT_THAT(compared_by({moons_by("hmc"), moons_by("nuts")}).caption,
                testing::StartsWith("The reference is nuts: 2 chains"));
    EXPECT_THAT(compared_by({moons_by("sgld"), moons_by("hmc")}).caption,
                testing::StartsWith("The reference is hmc: 2 chains"));
}

TEST(CompareReference, OtherDifferencesAreReported)
{
    auto study            = study_of_chains("sgld");
    study.prior.weight_sd = {3};
    const auto chart      = compared_by({moons_by("nuts"), snapshot_of_chains(named(study, "wide"))});
    EXPECT_THAT(chart.caption, HasSubstr("wide has a different network or prior"));
    EXPECT_EQ(distance_ranking(chart).panels.at(0).note, "Some runs have another network or prior");
    EXPECT_THAT(compared_by({moons_by("nuts"), moons_by("sgld")}).caption, testing::Not(HasSubstr("another network")));
}

TEST(CompareReference, RunsThatCannotBeComparedGiveAMessage)
{
    EXPECT_EQ(compare_reference({}, coarse())->message,
              "No run is selected. Tick a NUTS or HMC run, and the runs to compare with it.");
    EXPECT_EQ(compared_by({moons_by("sgld"), moons()}).message,
              "None of the ticked runs is a NUTS or HMC run, whose draws serve as the reference posterior. Tick one of "
              "these as well.");
    auto other         = study_of_chains("sgld");
    other.data.toy.n   = 70;
    const auto message = compared_by({moons_by("nuts"), snapshot_of_chains(named(other, "more points"))}).message;
    EXPECT_EQ(
        message,
        "Run \"more points\" has different data from \"nuts\", the reference posterior. Tick runs on the same data.");
    EXPECT_THAT(compared_by({moons_by("nuts"), curve_by("sgld")}).message, HasSubstr("different data"));
    EXPECT_EQ(refusal_of("compare_truth", moons()),
              "Only draws of NUTS or HMC can serve as the reference posterior. Display such a run, and tick others to "
              "compare with it.");
    EXPECT_THAT(refusal_of("compare_truth", moons_by("nuts", {.n_draws = 2})), HasSubstr("saved 2 draws"));
}
