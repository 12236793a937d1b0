// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "session/settings.h"
#include "tools/sweep_page.h"
#include "tools/sweep_plan.h"

#include "study/fields.h"
#include "widgets/table_view.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

using namespace credence;
using testing::HasSubstr;

TEST(Sweep, ANumberThatIsBeingTypedIsTakenBeforeThePageGoesWithItsWindow)
{
    bool whole = false;
    {
        WindowDriver window;
        window.find<QAction>("sweepAction")->trigger();
        auto* page = window->findChild<SweepPage*>();
        ASSERT_NE(page, nullptr);
        auto* seeds = page->findChild<QSpinBox*>("sweepSeeds");
        QObject::connect(seeds, &QSpinBox::valueChanged, page, [page, &whole](int count) {
            whole = count == 5 && qobject_cast<SweepPage*>(static_cast<QObject*>(page)) != nullptr;
        });
        seeds->selectAll();
        QTest::keyClicks(seeds, "5");
        EXPECT_FALSE(whole) << "not before it is left";
    }
    EXPECT_TRUE(whole);
}

TEST(Sweep, OpensFromTheMenuTakesTheStudyOfTheWindowAndOpensItsRunsThere)
{
    QFile::remove(lastSweepFile());
    QDir(sweepsFolder()).removeRecursively();
    WindowDriver window;
    window.setSteps(30);
    window.find<QAction>("sweepAction")->trigger();
    auto* page = window->findChild<SweepPage*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->isVisible());
    const auto settled = [&] { return window.waitFor([&] { return !page->busy(); }, 60000); };
    ASSERT_TRUE(settled());
    const auto* plan = page->findChild<QLabel*>("sweepPlan");
    EXPECT_THAT(plan->text().toStdString(), HasSubstr("9 cells"));
    EXPECT_EQ(page->findChild<QLabel*>("sweepBase")->text().toStdString(), window.study().name);

    Study changed = window.study();
    for (const char* setting : {"data.n=80", "network.hidden=5", "prediction.samples=20"})
        set_field(changed, setting);
    changed.name = "Smaller moons";
    window->session().setStudy(changed);
    page->findChild<QPushButton*>("sweepTakeStudy")->click();
    EXPECT_EQ(page->findChild<QLabel*>("sweepBase")->text(), "Smaller moons");
    ASSERT_TRUE(settled());
    page->run();
    ASSERT_TRUE(settled());
    EXPECT_THAT(plan->text().toStdString(), HasSubstr("all are done.")) << page->message().toStdString();

    const int before = window->workspace().runs.rowCount();
    auto* table      = page->findChild<TableView*>("sweepTable");
    table->setCurrentIndex(table->model()->index(4, 0));
    Q_EMIT table->doubleClicked(table->currentIndex());
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == before + 1; }))
        << page->message().toStdString();
    EXPECT_TRUE(window->workspace().runs.at(0)->file.endsWith("run.credence"));
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().report.has_value(); })) << "it is on show";
    EXPECT_EQ(window->session().run().report->steps, 30);
    ASSERT_TRUE(window.waitForPictures());
    page->close();
}
