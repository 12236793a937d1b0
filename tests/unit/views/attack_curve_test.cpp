// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/scores.h"
#include "unit/views/drawn.h"
#include "views/view_support.h"
#include "views/views.h"

#include <gmock/gmock.h>

using namespace credence;
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
        HasSubstr(
            "Fast gradient sign, gradient of −ln p̄ over 10 draws; predictions by 30 draws not used by the attacker."));
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set."));
}

TEST(AttackCurveView, SamplesRowsEvenlyAndSaysSo)
{
    ViewOptions options;
    options.rows     = 5;
    options.samples  = 8;
    options.attack   = {.kind = AttackKind::projected_gradient, .gradient = AttackGradient::one_draw, .steps = 3};
    const auto chart = drawn("attack_curve", moons(), options);
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set, 5 of 12 rows, evenly spaced."));
    EXPECT_THAT(
        chart.caption,
        HasSubstr(
            "Projected gradient (3 steps of 0.25 ε), gradient of the loss of one sample; predictions by 8 draws not used by the attacker."));
}

TEST(AttackCurveView, ComparesRuns)
{
    Study other              = small_study("point_estimate");
    other.name               = "point";
    const RunSnapshot both[] = {moons(), moment_of(other)};
    const auto& compare      = view("attack_curve").compare;
    const auto chart         = compare(both, {}, {}).value();
    ASSERT_EQ(chart.panels.at(0).series.size(), 4U);
    EXPECT_EQ(line_of_attack(chart, 0, 2).name, "point");
    EXPECT_EQ(chart.table->rows.size(), 6U);
    EXPECT_THAT(chart.caption, HasSubstr("predictions by the single network."));
    EXPECT_THAT(compare({}, {}, {})->message, HasSubstr("No run is selected"));
    const RunSnapshot odd[] = {moons(), moment_of(small_study("mean_field", ToyKind::blundell_curve))};
    EXPECT_THAT(compare(odd, {}, {})->message, HasSubstr("a numeric target"));
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(compare(both, {}, source.get_token()));
}
