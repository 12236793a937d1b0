// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/setting_lines.h"
#include "parts/sheet.h"
#include "session/settings.h"
#include "sweep/sweep_page.h"

#include "study/fields.h"
#include "widgets/table_view.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace credence;
using testing::HasSubstr;

namespace {

/// A running sweep of the window's Study with slow cells.
class LongSweep : public WindowDriver {
public:
    explicit LongSweep(long steps)
    {
        QFile::remove(lastSweepFile());
        QDir(sweepsFolder()).removeRecursively();
        Study study = this->study();
        for (const char* setting : {"data.n=80", "network.hidden=5", "prediction.samples=20"})
            set_field(study, setting);
        study.training.steps = steps;
        window().session().setStudy(study);
        find<QAction>("sweepAction")->trigger();
        page = window().findChild<SweepPage*>();
        EXPECT_TRUE(waitFor([&] { return !page->busy(); }, 60000));
    }
    bool isAtWork()
    {
        page->run();
        return waitFor([&] { return page->working() && page->workWords() != "0 %"; }, 60000);
    }
    QPushButton* chip() { return find<QPushButton>("sweepProgress"); }

    SweepPage* page = nullptr;
};

}   // namespace

TEST(Sweep, EscapeDuringASweepLeavesThePageAndStopsNothing)
{
    LongSweep window(2'000'000);
    ASSERT_TRUE(window.isAtWork());
    EXPECT_TRUE(window.chip()->isHidden()) << "the page itself shows the progress";
    QTest::keyClick(window.page->findChild<QSpinBox*>("sweepSeeds"), Qt::Key_Escape);
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.page->running());
    EXPECT_TRUE(window.chip()->isVisible());
    QTest::keyClick(&window.window(), Qt::Key_Escape);
    EXPECT_TRUE(window.page->running());
    window.page->cancel();
}

TEST(Sweep, AClosedSweepContinuesAndTheStatusBarReopensIt)
{
    LongSweep window(2'000'000);
    ASSERT_TRUE(window.isAtWork());
    window.page->close();
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.page->running());
    ASSERT_TRUE(window.chip()->isVisible());
    EXPECT_THAT(window.chip()->text().toStdString(), testing::MatchesRegex("Sweep: [0-9]+ % · Show"));
    EXPECT_THAT(window->context().unfinished.sentences().join('|').toStdString(), HasSubstr("A sweep is running."));
    QTest::mouseClick(window.chip(), Qt::LeftButton);
    EXPECT_TRUE(window.page->isVisible());
    EXPECT_TRUE(window.page->running());
    EXPECT_TRUE(window.chip()->isHidden());
    window.page->cancel();
    EXPECT_TRUE(window->context().unfinished.sentences().isEmpty());
}

TEST(Sweep, ASweepThatEndsWhileItsPageIsClosedIsReported)
{
    LongSweep window(20);
    window.page->run();
    window.page->close();
    ASSERT_TRUE(window.waitFor([&] { return !window.page->running(); }, 60000));
    EXPECT_EQ(window->message(), "Sweep: the work has finished.");
    EXPECT_TRUE(window.chip()->isHidden());
    window.clickButton("offer0");
    EXPECT_TRUE(window.page->isVisible());
}

TEST(Sweep, QuittingDuringASweepAsksAndBackLeavesItRunning)
{
    LongSweep window(2'000'000);
    ASSERT_TRUE(window.isAtWork());
    window.page->close();
    window->close();
    EXPECT_TRUE(window->isVisible());
    auto* question = window->findChild<Sheet*>("quitQuestion");
    ASSERT_NE(question, nullptr);
    QTest::keyClick(question, Qt::Key_Escape);
    EXPECT_TRUE(window->isVisible());
    EXPECT_TRUE(window.page->running());
    window.page->cancel();
}

TEST(Sweep, ItsFileKeysSaveTheSweepAndNeverTheStudyOfTheWindow)
{
    LongSweep window(40);
    const QTemporaryDir folder;
    window->context().document.undo().push(new QUndoCommand);
    const auto study = window.study();
    const int undone = window->context().document.undo().index();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    QTest::keyClick(window.page, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window->context().document.undo().index(), undone);
    QTest::keyClick(window.page, Qt::Key_S, Qt::ControlModifier);
    EXPECT_EQ(window->findChildren<QFileDialog*>().size(), 1);
    auto* dialog = window.page->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr) << "it has no file yet";
    dialog->setDirectory(folder.path());
    dialog->selectFile("rates");
    static_cast<QDialog*>(dialog)->accept();
    const QString file = folder.filePath("rates.json");
    ASSERT_TRUE(QFile::exists(file)) << window.page->message().toStdString();
    ASSERT_TRUE(window.waitFor([&] { return !window.page->findChild<QFileDialog*>(); }));

    QFile::remove(file);
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    QTest::keyClick(window.page, Qt::Key_S, Qt::ControlModifier);
    EXPECT_TRUE(QFile::exists(file)) << "now it has one";
    EXPECT_TRUE(window.study() == study);

    // A sweep that comes with the program is another document.
    QFile::remove(file);
    auto actions = window.page->findChildren<QAction*>(QRegularExpression("^sweep/"));
    ASSERT_FALSE(actions.isEmpty());
    actions.front()->trigger();
    QTest::keyClick(window.page, Qt::Key_S, Qt::ControlModifier);
    EXPECT_FALSE(QFile::exists(file));
    ASSERT_NE(window.page->findChild<QFileDialog*>(), nullptr);
    window.page->findChild<QFileDialog*>()->reject();
}

TEST(Sweep, ANumberBeingTypedIsAppliedBeforeThePageCloses)
{
    bool whole = false;
    {
        WindowDriver window;
        window.find<QAction>("sweepAction")->trigger();
        auto* page = window->findChild<SweepPage*>();
        ASSERT_NE(page, nullptr);
        page->findChild<SettingLine*>("section/sweepSeeds")->click();
        auto* seeds = page->findChild<QSpinBox*>("sweepSeeds");
        ASSERT_TRUE(seeds->isVisible());
        QObject::connect(seeds, &QSpinBox::valueChanged, page, [page, &whole](int count) {
            whole = count == 5 && qobject_cast<SweepPage*>(static_cast<QObject*>(page)) != nullptr;
        });
        seeds->selectAll();
        QTest::keyClicks(seeds, "5");
        EXPECT_FALSE(whole) << "not before it loses the focus";
    }
    EXPECT_TRUE(whole);
}

TEST(Sweep, OpensFromTheMenuWithTheStudyOfTheWindowAndOpensItsRunsThere)
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

    const int before = window->context().runs.rowCount();
    auto* table      = page->findChild<TableView*>("sweepTable");
    table->setCurrentIndex(table->model()->index(4, 0));
    Q_EMIT table->doubleClicked(table->currentIndex());
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == before + 1; }))
        << page->message().toStdString();
    EXPECT_TRUE(window->context().runs.at(0)->file.endsWith("run.credence"));
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().report.has_value(); })) << "it is displayed";
    EXPECT_EQ(window->session().run().report->steps, 30);
    ASSERT_TRUE(window.waitForPictures());
    page->close();
}
