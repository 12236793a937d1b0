// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/saving_status.h"

#include "study/presets.h"
#include "window_driver.h"

#include "gui/wait_until.h"

#include <QPushButton>
#include <QStatusBar>

using namespace credence;

TEST(SavingStatus, ShowsTheRunBeingWrittenAndAClickCancels)
{
    QStatusBar line;
    SavedRuns list(nullptr, 0.0);   // anything takes long
    SavingStatus status(list.writer(), &line);
    auto* button = line.findChild<QPushButton*>(QStringLiteral("savingProgress"));
    ASSERT_TRUE(button);
    line.show();
    EXPECT_FALSE(button->isVisible());
    std::vector<std::string> words;
    QObject::connect(&list.writer(), &RunWriter::changed, &list, [&] {
        EXPECT_EQ(button->isVisible(), list.writer().saving().has_value());
        words.push_back(button->text().toStdString());
        button->click();
    });
    Study study           = default_study();
    const auto experiment = prepare(study);
    const auto start      = std::make_shared<Snapshot>();
    start->posterior      = experiment->start;
    list.add(experiment, {.name      = "slow",
                          .started   = "2026-01-01T10:00:00",
                          .study     = study,
                          .report    = {},
                          .history   = {},
                          .snapshots = {start, start, start}});
    ASSERT_TRUE(waitUntil([&] { return !words.empty() && !button->isVisible(); }, 30000));
    EXPECT_THAT(words[0], testing::StartsWith("Saving slow: "));
    EXPECT_THAT(words[0], testing::EndsWith(" · Cancel"));
}
