// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "study/presets.h"
#include "views/scored_predictions.h"

using namespace credence;
using testing::HasSubstr;

TEST(Conformal, SetsAppearInViewsRowsAndMapWithoutNewTraining)
{
    WindowDriver window;
    Study study = preset("two_moons_mean_field");
    set_field(study, "split.calibration_fraction=0.3");
    set_field(study, "prediction.samples=20");
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    const auto snapshot = window->session().run().current().snapshot;

    study = window.study();
    set_field(study, "prediction.conformal=aps");
    window->session().setStudy(study);
    auto* sets = window.showView("conformal");
    ASSERT_TRUE(window.waitFor([&] { return sets->hasChart() && !sets->chart().panels.empty(); }));
    EXPECT_THAT(sets->chart().caption, HasSubstr("Conformal sets by APS at 95 %"));
    EXPECT_EQ(window->session().run().current().snapshot, snapshot) << "nothing was trained again";

    auto* rows = window.showView("test_rows");
    ASSERT_TRUE(window.waitFor([&] {
        return rows->hasChart() && rows->chart().table
               && rows->chart().table->columns.at(test_row::probable + 1).name == test_row::conformal_set;
    }));
    window.setQuantity(MapQuantity::set_size, 0);
    auto* map = window->panel("decision_map");
    ASSERT_TRUE(window.waitFor([&] {
        return map->hasChart() && QString::fromStdString(map->chart().caption).contains("Size of the conformal set");
    }));
}
