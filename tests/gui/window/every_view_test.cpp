// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "images/image_workbench.h"

#include "study/presets.h"
#include "views/views.h"

#include <QTabWidget>

#include <map>

using namespace credence;

namespace {

/// Views without a panel of their own: who shows them instead.
const std::map<std::string, std::function<bool(WindowDriver&)>> shownElsewhere{
    {"regression_band",
     [](WindowDriver& window) {
    window->session().setStudy(preset("sine_gap"));
    return window.waitFor([&] { return window->panel("decision_map")->view().id == "regression_band"; });
     }},
    {"nearest_images",
     [](WindowDriver& window) { return window->imageWorkbench()->findChild<QWidget*>("imageNearest") != nullptr; }},
    };

}   // namespace

TEST(EveryView, IsShownInTheWindow)
{
    WindowDriver window;
    for (const auto& view : views()) {
        const auto elsewhere = shownElsewhere.find(view.id);
        EXPECT_TRUE(window->panel(QString::fromStdString(view.id))
                    || (elsewhere != shownElsewhere.end() && elsewhere->second(window)))
            << view.id;
    }
}

TEST(EveryView, UnassignedViewsFollowTheOthersOfTheirKind)
{
    WindowDriver window;
    auto* verdict = window->panel("verdict");
    ASSERT_NE(verdict, nullptr);
    auto* tabs = window.find<QTabWidget>("inputTabs");
    for (const auto* const named : {"boxplots", "intervals", "simplex", "beta_marginals"})
        ASSERT_GT(tabs->indexOf(verdict), tabs->indexOf(window->panel(named))) << named;
    EXPECT_TRUE(tabs->isTabVisible(tabs->indexOf(verdict)));
    tabs->setCurrentWidget(verdict);
    ASSERT_TRUE(window.waitFor([&] { return verdict->hasChart(); }));
    EXPECT_EQ(verdict->chart().id, "verdict");
    EXPECT_EQ(verdict->chart().message, "");
}
