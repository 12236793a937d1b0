// SPDX-License-Identifier: GPL-3.0-or-later
// Writing in the table of kept runs, by button and keys.
#include "gui/real_input.h"
#include "gui/wait_until.h"

#include "parts/sheet.h"
#include "session/saved_runs.h"
#include "session/settings.h"
#include "window_driver.h"

#include "study/presets.h"

#include <QApplication>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>

#include <functional>

using namespace credence;

namespace {

/// Counts Qt's messages during this call, except those about missing features of the platform
/// without a screen.
int wordsOfQtWhile(const std::function<void()>& act)
{
    static int words;   // a handler carries nothing along
    words              = 0;
    auto* const before = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
        words += !text.startsWith(QLatin1String("This plugin "));
    });
    act();
    qInstallMessageHandler(before);
    return words;
}

/// Waits until Qt no longer takes the last click for the first half of a double click. Its timer
/// was started earlier than this one, and timers that have run out fire in their order.
void waitForTheSecondClick()
{
    bool over = false;
    QTimer::singleShot(QApplication::doubleClickInterval() + 100, [&over] { over = true; });
    EXPECT_TRUE(waitUntil([&over] { return over; }));
}

/// The drawer is as wide as the stage.
QTableView* tableInItsOwnWindow(WindowDriver& window)
{
    auto* table = window.openRunsTable();
    window.find<QAbstractButton>("float/runsTableDock")->click();
    EXPECT_TRUE(window.waitFor([&] { return table->isVisible() && table->window() != &window.window(); }));
    return table;
}

bool nameIsWhole(const QTableView& table)
{
    const QAbstractItemView& view = table;   // whose hints are public
    return table.columnWidth(SavedRuns::name) >= view.sizeHintForColumn(SavedRuns::name);
}

}   // namespace

TEST(RunsTable, CopyWhereNoRunIsChosenDoesNothing)
{
    WindowDriver window;
    auto* table = window.openRunsTable();
    ASSERT_FALSE(table->currentIndex().isValid());
    QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
    QApplication::sendEvent(table, &copy);   // Qt asks for the data of no index then
    auto& runs = window->context().runs;
    EXPECT_FALSE(runs.data({}, Qt::DisplayRole).isValid());
    EXPECT_FALSE(runs.setData({}, "a name", Qt::EditRole));
}

TEST(RunsTable, NamesAreShownInFullUntilTheirColumnIsResizedAlsoAtTheNextStart)
{
    int width = 0;
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(60));
        auto* table = tableInItsOwnWindow(window);
        table->window()->resize(1100, 400);
        ASSERT_TRUE(window.waitFor([&] { return nameIsWhole(*table); }));
        EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width()) << "nothing has to be scrolled to";
        const QAbstractItemView& view = *table;
        EXPECT_GE(table->columnWidth(SavedRuns::family), view.sizeHintForColumn(SavedRuns::family));
        width = table->columnWidth(SavedRuns::name) - 40;
        dragEdge(*table->horizontalHeader(), SavedRuns::name, -40);
        table->window()->resize(800, 400);
        table->window()->resize(1000, 400);
        ASSERT_TRUE(window.train(60));
        EXPECT_EQ(table->columnWidth(SavedRuns::name), width);
    }
    WindowDriver again(WindowDriver::Runs::keep);
    EXPECT_EQ(again.openRunsTable()->columnWidth(SavedRuns::name), width);
    stateFile().remove(settings::columns("runs").key);
}

TEST(RunsTable, ANameIsShownInFullInANarrowWindowToo)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const auto* table = tableInItsOwnWindow(window);
    table->window()->resize(480, 300);
    EXPECT_TRUE(window.waitFor([&] { return nameIsWhole(*table); }))
        << table->columnWidth(SavedRuns::name) << " pixels for the name in " << table->viewport()->width();
}

TEST(RunsTable, ScoresAreShownInFullAndLongSettingsAreElidedOnTheRight)
{
    WindowDriver window;
    window->session().setStudy(preset("sine_gap"));
    ASSERT_TRUE(window.train(60));
    const QAbstractItemView* table = tableInItsOwnWindow(window);
    table->window()->resize(480, 300);
    auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor(
        [&] { return runs.data(runs.index(0, SavedRuns::score), Qt::DisplayRole).toString().startsWith("RMSE "); }));
    EXPECT_TRUE(window.waitFor([&] {
        return window.find<QTableView>("runsTable")->columnWidth(SavedRuns::score)
               >= table->sizeHintForColumn(SavedRuns::score);
    }));
    struct Delegate : QStyledItemDelegate {
        static auto options() { return &Delegate::initStyleOption; }
    };
    const auto* delegate = qobject_cast<QStyledItemDelegate*>(table->itemDelegateForColumn(SavedRuns::differs));
    ASSERT_NE(delegate, nullptr);
    QStyleOptionViewItem option;
    option.textElideMode = table->textElideMode();
    (delegate->*Delegate::options())(&option, table->model()->index(0, SavedRuns::differs));
    EXPECT_EQ(option.textElideMode, Qt::ElideRight);
}

TEST(RunsTable, SortsNamesWithoutRegardToCase)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    auto* table = window.openRunsTable();
    auto& runs  = window->context().runs;
    ASSERT_EQ(runs.rowCount(), 2);
    runs.setData(runs.index(0, SavedRuns::name), QStringLiteral("Two moons"), Qt::EditRole);
    runs.setData(runs.index(1, SavedRuns::name), QStringLiteral("concrete"), Qt::EditRole);
    table->sortByColumn(SavedRuns::name, Qt::AscendingOrder);
    EXPECT_EQ(table->model()->index(0, SavedRuns::name).data().toString(), QStringLiteral("concrete"));
}

TEST(RunsTable, RenameFirstAppliesANoteBeingTyped)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table      = window.openRunsTable();
    const auto& runs = window->context().runs;
    const auto write = [&](const QString& text) {
        auto* field = table->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(field, nullptr);
        field->setText(text);
    };
    table->setCurrentIndex(table->model()->index(0, SavedRuns::note));
    table->edit(table->model()->index(0, SavedRuns::note));
    write("wide at the ends");
    window.find<QAbstractButton>("renameRun")->click();   // the focus stays in the note
    EXPECT_EQ(runs.at(0)->run.study.note, "wide at the ends");
    EXPECT_EQ(table->currentIndex().column(), SavedRuns::name);
    ASSERT_TRUE(window.waitFor([&] { return table->viewport()->findChildren<QLineEdit*>().size() == 1; }));
    write("my run");
    QTest::keyClick(table->viewport()->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_TRUE(window.waitFor([&] { return runs.at(0)->run.name == "my run"; })) << runs.at(0)->run.name;
}

TEST(RunsTable, RenameRightAfterAClickOnTheNameOpensIt)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table     = window.openRunsTable();
    const auto name = table->model()->index(0, SavedRuns::name);
    table->selectRow(0);
    EXPECT_EQ(wordsOfQtWhile([&] {
                  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(name).center());
                  window.find<QAbstractButton>("renameRun")->click();
              }),
              0)
        << "Qt waits for a second click";
    EXPECT_NE(table->indexWidget(name), nullptr);
}

TEST(RunsTable, ADoubleClickOnANameDisplaysTheRunAndDoesNotEditIt)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    auto* table     = window.openRunsTable();
    const auto name = table->model()->index(0, SavedRuns::name);
    const auto at   = table->visualRect(name).center();
    table->selectRow(0);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step == 60; }));
    waitForTheSecondClick();
    EXPECT_EQ(table->indexWidget(name), nullptr);
}

TEST(RunsTable, DeleteRightAfterAClickOnTheNameDoesNotEditTheName)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table     = window.openRunsTable();
    const auto name = table->model()->index(0, SavedRuns::name);
    table->selectRow(0);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(name).center());
    window.find<QAbstractButton>("deleteRun")->click();
    EXPECT_TRUE(window.question()->windowTitle().startsWith("Delete the run"));
    waitForTheSecondClick();
    EXPECT_EQ(table->indexWidget(name), nullptr);
}

TEST(RunsTable, TheLastRunCanBeDeletedRightAfterAClickOnItsName)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table     = window.openRunsTable();
    const auto name = table->model()->index(0, SavedRuns::name);
    table->selectRow(0);
    EXPECT_EQ(wordsOfQtWhile([&] {
                  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(name).center());
                  window.find<QAbstractButton>("deleteRun")->click();
                  window.answer("confirmDelete");
                  waitForTheSecondClick();
              }),
              0)
        << "Qt wants to write a name that is gone";
    EXPECT_EQ(window->context().runs.rowCount({}), 0);
}

TEST(RunsTable, RenamingAgainKeepsTheNameBeingTyped)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table = window.openRunsTable();
    table->selectRow(0);
    window.clickButton("renameRun");
    auto* field = table->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    field->setText("my");
    // The focus stays in the name.
    EXPECT_EQ(wordsOfQtWhile([&] { window.find<QAbstractButton>("renameRun")->click(); }), 0);
    EXPECT_EQ(table->viewport()->findChildren<QLineEdit*>(), QList<QLineEdit*>{field});
    EXPECT_EQ(field->text(), "my");
}

namespace {

/// Three saved runs with names and scores of their own, the newest first.
void makeThreeRuns(WindowDriver& window)
{
    for (const char* name : {"apple", "cherry", "banana"}) {
        Study study = window.study();
        study.seed += 1;
        window->session().setStudy(study);
        ASSERT_TRUE(window.waitForState(Session::State::ready));
        ASSERT_TRUE(window.train(30));
        window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), name, Qt::EditRole);
    }
}

std::vector<std::string> shownNames(const QTableView& table)
{
    std::vector<std::string> names;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        names.push_back(table.model()->index(row, SavedRuns::name).data().toString().toStdString());
    return names;
}

}   // namespace

TEST(RunsTable, AClickOnAHeadingSortsAndTheThirdRestoresNewestFirst)
{
    WindowDriver window;
    makeThreeRuns(window);
    auto* table      = window.openRunsTable();
    const auto* head = table->horizontalHeader();
    const auto click = [&] {
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                          {head->sectionViewportPosition(SavedRuns::name) + 40, head->height() / 2});
    };
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("banana", "cherry", "apple"));
    click();
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("apple", "banana", "cherry"));
    click();
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("cherry", "banana", "apple"));
    click();
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("banana", "cherry", "apple"));
}

TEST(RunsTable, TheSearchFiltersTheRunsAndActionsApplyToThem)
{
    WindowDriver window;
    makeThreeRuns(window);
    auto* table  = window.openRunsTable();
    auto* search = window.find<QLineEdit>("searchRuns");
    search->setFocus();
    QTest::keyClicks(search, "APP");
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("apple"));
    table->selectRow(0);
    window.clickButton("deleteRun");
    EXPECT_EQ(window.question()->windowTitle(), "Delete the run apple?");
    EXPECT_EQ(window.question()->text(), "Its file will be moved to the trash.");
    window.answer("confirmDelete");
    search->clear();
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("banana", "cherry"));
}

TEST(RunsTable, SeveralRunsAreDeletedAtOnceAndRestoredInOneStep)
{
    WindowDriver window;
    makeThreeRuns(window);
    auto* table = window.openRunsTable();
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_FALSE(window.find<QAbstractButton>("showRun")->isEnabled()) << "one is displayed at a time";
    std::vector<QString> files;
    for (int row = 0; row < 2; ++row)
        files.push_back(window->context().runs.at(row)->file);
    const auto there = [&] { return QFileInfo::exists(files[0]) && QFileInfo::exists(files[1]); };
    ASSERT_TRUE(window.waitFor(there));
    window.clickButton("deleteRun");
    EXPECT_EQ(window.question()->windowTitle(), "Delete 2 runs?");
    window.answer("confirmDelete");
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("apple"));
    ASSERT_TRUE(window.waitFor([&] { return !QFileInfo::exists(files[0]) && !QFileInfo::exists(files[1]); }));
    window->context().document.undo().undo();
    EXPECT_THAT(shownNames(*table), testing::ElementsAre("banana", "cherry", "apple"));
    EXPECT_TRUE(window.waitFor(there));
}

TEST(RunsTable, TheSizeOnTheDiskIsShown)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor([&] { return runs.at(0)->bytes > 0; }));
    EXPECT_EQ(runs.at(0)->bytes, QFileInfo(runs.at(0)->file).size());
    EXPECT_THAT(runs.index(0, SavedRuns::size).data().toString().toStdString(), testing::HasSubstr("kB"));
}
