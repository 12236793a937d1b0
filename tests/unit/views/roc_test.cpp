// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/number_text.h"
#include "unit/views/drawn.h"
#include "unit/views/short_moment.h"
#include "views/scored_predictions.h"

#include "prediction/roc.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(RocView, OfSeveralRunsDrawsTheMeanCurveOfEachWithItsArea)
{
    const std::vector<RunSnapshot> runs{short_moment("one", ToyKind::two_moons),
                                        short_moment("two", ToyKind::two_moons, 7)};
    const auto chart = view("roc").compare(runs, {}, {}).value();
    EXPECT_EQ(chart.message, "");
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 2u);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto scored = scored_predictions(runs[r], {}, {});
        const auto roc    = one_against_all(scored->set.classes, scored->labels);
        EXPECT_EQ(std::get<double>(chart.table->rows[r].at(1)), roc.mean->area);
        const auto& line = std::get<Line>(chart.panels.at(0).series.at(r + 1));   // after the diagonal
        EXPECT_EQ(line.name, (r == 0 ? "one: " : "two: ") + fixed_text(roc.mean->area, 4));
        EXPECT_EQ(line.tone, category(static_cast<int>(r)));
    }
    EXPECT_THAT(chart.caption, HasSubstr("Rows: Two moons"));
}

TEST(RocView, ARunWithOtherDataIsNamed)
{
    const auto& roc   = view("roc");
    const auto number = roc.compare(
        std::vector{short_moment("classes", ToyKind::two_moons), short_moment("numbers", ToyKind::blundell_curve)}, {},
        {});
    EXPECT_THAT(number->message, StartsWith("Run \"numbers\" does not fit. This view needs classes"));
    const auto rings = roc.compare(
        std::vector{short_moment("moons", ToyKind::two_moons), short_moment("rings", ToyKind::circles)}, {}, {});
    EXPECT_THAT(rings->message, StartsWith("Run \"rings\" does not fit. It was evaluated on"));
    EXPECT_EQ(roc.compare({}, {}, {})->message, "No run is selected. Tick the runs to overlay.");
}

TEST(TrainingCurvesView, ReportsTheRoughnessOfTheLoss)
{
    auto moment  = moons();
    auto history = std::make_shared<TrainingHistory>(3);
    for (int i = 0; i < 3; ++i) {
        (*history)[i].step      = 10 * (i + 1);
        (*history)[i].data_loss = i == 1 ? 2 : 1;
    }
    moment.history = history;   // a chord of 1 below a loss of 2: 68.2 %
    EXPECT_THAT(drawn("training_curves", moment).caption, HasSubstr("Roughness of the data loss: 68 %."));
    const auto both = view("training_curves").compare(std::vector{moment, moment}, {}, {}).value();
    EXPECT_THAT(both.caption, HasSubstr("Roughness of the data loss: "));
    history->resize(2);
    EXPECT_THAT(drawn("training_curves", moment).caption, ::testing::Not(HasSubstr("Roughness")));
}

}   // namespace
}   // namespace credence
