// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "study/presets.h"

using namespace credence;
using testing::HasSubstr;

TEST(Recalibration, ChangesScoresWithoutNewTraining)
{
    WindowDriver window;
    Study study = preset("two_moons_mean_field");
    set_field(study, "split.calibration_fraction=0.3");
    set_field(study, "prediction.samples=20");
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    auto* scores = window.showView("scores");
    ASSERT_TRUE(window.waitFor([&] { return scores->hasChart(); }));
    ASSERT_TRUE(window.waitForPictures());
    const auto before   = scores->chart().table->rows;
    const auto snapshot = window->session().run().current().snapshot;

    study = window.study();
    set_field(study, "prediction.recalibration=temperature");
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitFor([&] {
        return scores->hasChart() && QString::fromStdString(scores->chart().caption).contains("Recalibrated.");
    }));
    EXPECT_NE(scores->chart().table->rows, before);
    EXPECT_EQ(window->session().run().current().snapshot, snapshot) << "nothing was trained again";

    auto* fit = window.showView("recalibration");
    ASSERT_TRUE(window.waitFor([&] { return fit->hasChart() && window.waitForPictures(); }));
    EXPECT_THAT(fit->chart().caption, HasSubstr("Recalibration by temperature T = "));
}
