// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "window_driver.h"

#include "papers/double_well_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace credence;
using testing::HasSubstr;

namespace {

/// The page as a user meets it.
class Well {
public:
    explicit Well(DoubleWellPage& page) : page(page) {}
    void click(const char* button) { page.findChild<QPushButton*>(QLatin1String(button))->click(); }
    template <class Box, class Value>
    void set(const char* name, Value value)
    {
        page.findChild<Box*>(QLatin1String(name))->setValue(value);
    }
    const Chart& chart(const char* view) const { return page.findChild<ChartView*>(QLatin1String(view))->chart(); }
    bool waitFor(const std::function<bool()>& condition) { return waitUntil(condition, 60000); }
    bool settled()
    {
        return waitFor([&] { return !page.busy(); });
    }

    DoubleWellPage& page;
};

}   // namespace

TEST(DoubleWell, F5PlaysItAndTrainsNothingInTheBackground)
{
    WindowDriver window;
    window.find<QAction>("doubleWellAction")->trigger();
    auto* page = window->findChild<DoubleWellPage*>();
    Well well(*page);
    ASSERT_TRUE(well.settled());
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    QTest::keyClick(page, Qt::Key_F5);
    ASSERT_TRUE(well.waitFor([&] { return page->steps() > 0; }));
    QTest::keyClick(page, Qt::Key_R, Qt::ControlModifier);
    EXPECT_TRUE(well.waitFor([&] { return page->steps() == 0; }));
    EXPECT_FALSE(window->context().session.active());
    EXPECT_EQ(window->context().runs.rowCount(), 0);
}

TEST(DoubleWell, OpensFromTheMenuPlaysPausesStepsAndExports)
{
    WindowDriver window;
    window.find<QAction>("doubleWellAction")->trigger();
    auto* page = window->findChild<DoubleWellPage*>();
    ASSERT_NE(page, nullptr);
    Well well(*page);
    ASSERT_TRUE(well.settled());
    EXPECT_TRUE(page->isVisible());
    EXPECT_EQ(page->steps(), 0);
    for (const char* view : {"wellWalkers", "wellDensity", "wellRatio", "wellTrace"})
        EXPECT_FALSE(well.chart(view).panels.empty()) << view << ": " << well.chart(view).message;
    EXPECT_EQ(well.chart("wellNumbers").table.value().rows.size(), 6U);

    well.click("toolStep");
    ASSERT_TRUE(well.waitFor([&] { return page->steps() == 1; }));
    well.click("toolStep");
    ASSERT_TRUE(well.waitFor([&] { return page->steps() == 2; }))
        << "one step of the chain, for any number of steps per frame";
    EXPECT_TRUE(page->findChild<QPushButton*>("toolPause")->isChecked());

    well.click("toolPause");   // continues with it
    ASSERT_TRUE(well.waitFor([&] { return page->steps() > 20; }));
    well.click("toolPause");
    const long before = page->steps();
    well.click("toolStep");   // a frame may still have been on its way
    ASSERT_TRUE(well.waitFor([&] { return page->steps() > before; }));
    const long paused = page->steps() + 1;
    well.click("toolStep");
    ASSERT_TRUE(well.waitFor([&] { return page->steps() >= paused; }));
    EXPECT_EQ(page->steps(), paused) << "a paused chain advances only by Step";

    well.click("wellPublished");   // other settings restart it
    ASSERT_TRUE(well.settled());
    EXPECT_EQ(page->steps(), 0);
    EXPECT_EQ(page->findChild<QDoubleSpinBox*>("wellStepSize")->value(), 0.2);
    well.click("toolRun");
    ASSERT_TRUE(well.settled());
    EXPECT_EQ(page->steps(), 10);
    EXPECT_EQ(well.chart("wellWalkers").panels.at(0).title, "Step 10");
    EXPECT_THAT(well.chart("wellRatio").caption, HasSubstr("after 10 steps"));

    const QTemporaryDir folder;
    well.click("toolExport");
    auto* dialog = page->findChild<QDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QCheckBox*>("format/pdf")->setChecked(false);
    dialog->findChild<QCheckBox*>("format/csv")->setChecked(true);
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(well.waitFor([&] { return !page->message().isEmpty(); }));
    QFile written(folder.filePath("double_well_walkers.csv"));
    ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << page->message().toStdString();
    EXPECT_TRUE(written.readAll().contains("plain"));
}

TEST(DoubleWell, StatesThatStepsAreTooLargeAndContinuesWhileClosed)
{
    DoubleWellPage page;
    Well well(page);
    page.show();
    well.set<QDoubleSpinBox>("wellStepSize", 1.0);
    well.click("toolRun");
    ASSERT_TRUE(well.waitFor([&] { return !page.message().isEmpty(); }));
    EXPECT_THAT(page.message().toStdString(), HasSubstr("the step size 1 is too large"));
    well.set<QDoubleSpinBox>("wellStepSize", 0.02);
    EXPECT_EQ(page.message(), QString());
    well.set<QSpinBox>("wellPace", 500);
    well.set<QSpinBox>("wellSteps", 200'000);
    well.click("toolRun");
    ASSERT_TRUE(well.waitFor([&] { return page.steps() >= 1000; })) << "the rate applies immediately";
    page.close();
    EXPECT_TRUE(page.working()) << "closing stops nothing";
    const long before = page.steps();
    ASSERT_TRUE(well.waitFor([&] { return page.steps() > before; }));
    page.show();
    page.cancel();
    EXPECT_FALSE(page.busy()) << "Cancel stops both jobs";
    page.run();
    settle();
}   // at work: the destructor returns
