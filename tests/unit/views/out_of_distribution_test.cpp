// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/drawn.h"
#include "views/views.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

const View& ood_view() { return view("out_of_distribution"); }

}   // namespace

TEST(OutOfDistribution, SeveralRunsOverlayTheirSingleFigures)
{
    const std::vector<RunSnapshot> runs{short_snapshot("one", ToyKind::two_moons),
                                        short_snapshot("two", ToyKind::two_moons, 7)};
    const auto chart = ood_view().compare(runs, {}, {}).value();
    EXPECT_EQ(chart.message, "");
    ASSERT_EQ(chart.panels.size(), 2U);
    ASSERT_EQ(chart.table->rows.size(), 2U);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto alone = ood_view().make(runs[r], {}, {}).value();
        const auto& cdf  = alone.panels.at(1).series;
        for (std::size_t side = 0; side < 2; ++side) {   // OOD first
            const auto& here = std::get<Line>(chart.panels[side].series.at(r));
            EXPECT_EQ(here.name, r == 0 ? "one" : "two");
            EXPECT_EQ(here.y, std::get<Line>(cdf.at(1 - side)).y);
        }
        EXPECT_EQ(chart.table->rows[r].at(5), alone.table->rows.at(1).at(3));   // AUROC by entropy
    }
}

TEST(OutOfDistribution, ARunWithOtherOodDataIsNamed)
{
    const auto curve = ood_view().compare(
        std::vector{short_snapshot("classes", ToyKind::two_moons), short_snapshot("numbers", ToyKind::blundell_curve)},
        {}, {});
    EXPECT_THAT(curve->message, testing::StartsWith("Run \"numbers\" cannot be compared. OOD uncertainty is measured"));
    const auto rings = ood_view().compare(
        std::vector{short_snapshot("moons", ToyKind::two_moons), short_snapshot("rings", ToyKind::circles)}, {}, {});
    EXPECT_THAT(rings->message, testing::StartsWith("Run \"rings\" cannot be compared. It was evaluated on"));
    EXPECT_EQ(ood_view().compare({}, {}, {})->message, "No run is selected. Tick the runs to overlay.");
}
