// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/waiting_page.h"

#include "images/image_grid.h"

#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <gmock/gmock.h>

TEST(WaitingPage, ShowsTheReasonOrTheProgress)
{
    WaitingPage page("why", nullptr);
    page.show();
    const auto* bar = page.findChild<QProgressBar*>("whyProgress");
    page.say("There is nothing.");
    EXPECT_EQ(page.findChild<QLabel*>("why")->text(), "There is nothing.");
    EXPECT_FALSE(bar->isVisible());
    page.wait("Computing …", 0.25);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(bar->value(), bar->maximum() / 4);
    page.wait("Reading …", {});
    EXPECT_EQ(bar->maximum(), 0) << "the duration is unknown";
    EXPECT_EQ(page.sentence(), "Reading …");
}

TEST(ImageGrid, SaysThatDataAreBeingRead)
{
    ImageGrid grid;
    grid.show();
    grid.setReading("Reading the data …");
    EXPECT_FALSE(grid.list()->isVisible());
    EXPECT_TRUE(grid.findChild<QLabel*>("imageMessage")->isVisible());
    EXPECT_EQ(grid.findChild<QLabel*>("imageMessage")->text(), "Reading the data …");
    EXPECT_TRUE(grid.findChild<QProgressBar*>("imageMessageProgress")->isVisible());
}
