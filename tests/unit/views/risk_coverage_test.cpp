// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/scores.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

double aurc_in(const Chart& chart, const std::string& order)
{
    for (const auto& row : chart.table->rows)
        if (std::get<std::string>(row[0]).starts_with(order))
            return std::get<double>(row[1]);
    return -1;
}

}   // namespace

TEST(RiskCoverage, OfClassesEndsAtTheErrorAndIsAboveTheOptimum)
{
    const auto run   = short_snapshot("moons", ToyKind::two_moons);
    const auto chart = drawn("risk_coverage", run);
    const auto error = score_table(run).classes.value().error;
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_NEAR(lines[0].y.back(), error, 1e-12);
    EXPECT_NEAR(lines[1].y.back(), error, 1e-12);
    EXPECT_EQ(lines[1].x.back(), 1);
    EXPECT_NEAR(aurc_in(chart, "Random"), error, 1e-12);
    for (const char* order : {"Confidence", "Predictive entropy", "Epistemic part"})
        EXPECT_GE(aurc_in(chart, order), aurc_in(chart, "Optimal") - 1e-12) << order;
    EXPECT_NEAR(aurc_in(chart, "Confidence"), aurc_in(chart, "Predictive entropy"), 1e-9)
        << "of two classes, confidence and entropy give the same order";
}

TEST(RiskCoverage, OfANumericTargetEndsAtTheRmse)
{
    const auto run   = short_snapshot("curve", ToyKind::blundell_curve);
    const auto chart = drawn("risk_coverage", run);
    const auto rmse  = score_table(run).regression.value().rmse;
    EXPECT_NEAR(series_of<Line>(chart.panels.at(0)).at(1).y.back(), rmse, 1e-6);
    EXPECT_NEAR(aurc_in(chart, "Random"), rmse, 1e-6);
    EXPECT_GE(aurc_in(chart, "Predictive standard"), aurc_in(chart, "Optimal"));
    EXPECT_LE(aurc_in(chart, "Optimal"), 1.000001 * rmse);
}

TEST(RiskCoverage, OfSeveralRunsHasALineAndATableRowForEach)
{
    const std::vector<RunSnapshot> runs{short_snapshot("one", ToyKind::two_moons),
                                        short_snapshot("two", ToyKind::two_moons, 7)};
    const auto chart = view("risk_coverage").compare(runs, {}, {}).value();
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_THAT(lines[0].name, testing::StartsWith("one: "));
    EXPECT_EQ(chart.table->rows.size(), 2u);
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), aurc_in(drawn("risk_coverage", runs[0]), "Confidence"));
    const std::vector<RunSnapshot> other{runs[0], short_snapshot("curve", ToyKind::blundell_curve)};
    EXPECT_THAT(view("risk_coverage").compare(other, {}, {})->message, testing::HasSubstr("cannot be compared"));
}
