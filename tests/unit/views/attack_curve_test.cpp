// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/scores.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/attacker.h"
#include "views/view_support.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

AttackCurve attack_on(const std::string& name)
{
    return {.name       = name,
            .epsilons   = {0, 0.1, 0.2},
            .attacked   = {.accuracy = {0.98, 0.7, 0.3}, .entropy = {0.05, 0.4, 0.8}},
            .control    = {.accuracy = {0.98, 0.97, 0.95}, .entropy = {0.05, 0.06, 0.1}},
            .zero_share = 0.25,
            .zero_rows  = 0.125};
}

}   // namespace

TEST(AttackCurve, DrawsRunsInColourAndTheirControlsDashed)
{
    const std::vector<AttackCurve> curves{attack_on("mean field"), attack_on("dropout")};
    const auto chart = to_chart(curves, "units", std::vector<double>{0.1});
    ASSERT_EQ(chart.panels.size(), 2U);
    const auto accuracy = series_of<Line>(chart.panels[0]), entropy = series_of<Line>(chart.panels[1]);
    ASSERT_EQ(accuracy.size(), 4U);
    EXPECT_EQ(accuracy[0].name, "mean field");
    EXPECT_THAT(accuracy[0].y, ElementsAre(0.98, 0.7, 0.3));
    EXPECT_EQ(accuracy[0].style, LineStyle::solid);
    EXPECT_EQ(accuracy[1].name, "mean field, random signs");
    EXPECT_THAT(accuracy[1].y, ElementsAre(0.98, 0.97, 0.95));
    EXPECT_EQ(accuracy[1].style, LineStyle::dashed);
    EXPECT_EQ(accuracy[1].tone, accuracy[0].tone);
    EXPECT_NE(accuracy[2].tone, accuracy[0].tone);
    EXPECT_THAT(entropy[0].y, ElementsAre(0.05, 0.4, 0.8));
    EXPECT_THAT(entropy[3].y, ElementsAre(0.05, 0.06, 0.1));
    EXPECT_EQ(chart.panels[0].x.unit, "units");
    EXPECT_EQ(chart.panels[0].x.range, Range(0, 0.2));
}

TEST(AttackCurve, ListsTheRequestedStrengthsAndTheZeros)
{
    const std::vector<AttackCurve> curves{attack_on("mean field")};
    const auto table = to_chart(curves, "units", std::vector<double>{0.05, 0.1, 0.2}).table.value();
    ASSERT_EQ(table.rows.size(), 2U);   // 0.05 is none of the curve
    EXPECT_THAT(table.rows[0], ElementsAre(Cell("mean field"), Cell(0.1), Cell(0.7), Cell(0.4), Cell(0.97), Cell(0.06),
                                           Cell(25.0), Cell(12.5)));
    EXPECT_EQ(table.rows[1][1], Cell(0.2));
    EXPECT_EQ(table.columns.size(), table.rows[0].size());
}

TEST(Arrow, HasAShaftAndAHeadThatPointsBack)
{
    Line arrows;
    add_arrow(arrows, {0, 0}, {1, 0}, {0, 10}, {0, 100});
    ASSERT_EQ(arrows.x.size(), 7U);
    EXPECT_EQ(arrows.x[0], 0);
    EXPECT_EQ(arrows.x[1], 1);
    EXPECT_TRUE(std::isnan(arrows.x[2]) && std::isnan(arrows.y[2]) && std::isnan(arrows.x[6]));
    EXPECT_EQ(arrows.x[4], 1);
    EXPECT_EQ(arrows.y[4], 0);
    EXPECT_LT(arrows.x[3], 1);
    EXPECT_DOUBLE_EQ(arrows.x[3], arrows.x[5]);
    EXPECT_DOUBLE_EQ(arrows.y[3], -arrows.y[5]);
    // Up and down it is as long on paper as along: the axes are 10 and 100 long.
    Line up;
    add_arrow(up, {0, 0}, {0, 10}, {0, 10}, {0, 100});
    EXPECT_NEAR((10 - up.y[3]) / 100, (1 - arrows.x[3]) / 10, 1e-12);
    add_arrow(up, {3, 3}, {3, 3}, {0, 10}, {0, 100});
    EXPECT_EQ(up.x.size(), 7U) << "nothing moved";
}

using testing::HasSubstr;

namespace {

const Line& line_of_attack(const Chart& chart, std::size_t panel, std::size_t line)
{
    return std::get<Line>(chart.panels.at(panel).series.at(line));
}

}   // namespace

TEST(AttackCurveView, StartsAtTheTestSetScores)
{
    const auto chart       = drawn("attack_curve", moons());
    const auto set         = view_support::scored_set(*moons().experiment);
    const auto predictions = class_predictions(
        view_support::predictive_of(moons(), {}).summarise(set.inputs, static_cast<int>(set.data->n_rows)));
    const auto scores = classification_scores(predictions, set.data->labels);
    for (const std::size_t line : {0U, 1U}) {   // the attack, and its control
        EXPECT_EQ(line_of_attack(chart, 0, line).x.front(), 0);
        EXPECT_DOUBLE_EQ(line_of_attack(chart, 0, line).y.front(), scores.accuracy);
        EXPECT_NEAR(line_of_attack(chart, 1, line).y.front(), scores.mean_entropy, 1e-6);
    }
    EXPECT_EQ(line_of_attack(chart, 0, 0).x.back(), 0.3);
    const auto& table = chart.table.value();
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0][1], Cell(0.05));
    EXPECT_EQ(table.rows[1][1], Cell(0.1));
    EXPECT_EQ(table.rows[2][1], Cell(0.2));
    EXPECT_THAT(
        chart.caption,
        HasSubstr("Fast gradient sign, gradient of −ln p̄ over 10 samples; predictions by 30 samples not used by the "
                  "attacker."));
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set."));
}

TEST(AttackCurveView, SamplesRowsEvenlyAndStatesThis)
{
    ViewOptions options;
    options.rows          = 5;
    options.samples       = 8;
    options.attack.method = {.kind = AttackKind::projected_gradient, .gradient = AttackGradient::one_draw, .steps = 3};
    const auto chart      = drawn("attack_curve", moons(), options);
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set, 5 of 12 rows, evenly spaced."));
    EXPECT_THAT(
        chart.caption,
        HasSubstr(
            "Projected gradient (3 steps of 0.25 ε), gradient of the loss of one sample; predictions by 8 samples "
            "not used by the attacker."));
}

TEST(AttackCurveView, ComparesRuns)
{
    Study other              = small_study("point_estimate");
    other.name               = "point";
    const RunSnapshot both[] = {moons(), snapshot_of(other)};
    const auto& compare      = view("attack_curve").compare;
    const auto chart         = compare(both, {}, {}).value();
    ASSERT_EQ(chart.panels.at(0).series.size(), 4U);
    EXPECT_EQ(line_of_attack(chart, 0, 2).name, "point");
    EXPECT_EQ(chart.table->rows.size(), 6U);
    EXPECT_THAT(chart.caption, HasSubstr("predictions by the single network."));
    EXPECT_THAT(compare({}, {}, {})->message, HasSubstr("No run is selected"));
    const RunSnapshot odd[] = {moons(), snapshot_of(small_study("mean_field", ToyKind::blundell_curve))};
    EXPECT_THAT(compare(odd, {}, {})->message, HasSubstr("a numeric target"));
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(compare(both, {}, source.get_token()));
}
