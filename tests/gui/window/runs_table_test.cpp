// SPDX-License-Identifier: GPL-3.0-or-later
// Writing in the table of kept runs, by button and keys.
#include "session/kept_runs.h"
#include "window_driver.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTableView>

using namespace credence;

TEST(RunsTable, CopyWhereNoRunIsChosenDoesNothing)
{
    WindowDriver window;
    auto* table = window.find<QTableView>("runsTable");
    ASSERT_FALSE(table->currentIndex().isValid());
    QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
    QApplication::sendEvent(table, &copy);   // Qt asks for the data of no index then
    auto& runs = window->workspace().runs;
    EXPECT_FALSE(runs.data({}, Qt::DisplayRole).isValid());
    EXPECT_FALSE(runs.setData({}, "a name", Qt::EditRole));
}

TEST(RunsTable, RenameTakesANoteThatIsBeingWrittenFirst)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table      = window.find<QTableView>("runsTable");
    const auto& runs = window->workspace().runs;
    const auto write = [&](const QString& text) {
        auto* field = table->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(field, nullptr);
        field->setText(text);
    };
    table->setCurrentIndex(runs.index(0, KeptRuns::note));
    table->edit(runs.index(0, KeptRuns::note));
    write("wide at the ends");
    window.find<QAbstractButton>("renameRun")->click();   // as Alt and its letter do: the focus stays in the note
    EXPECT_EQ(runs.at(0)->run.study.note, "wide at the ends");
    EXPECT_EQ(table->currentIndex().column(), KeptRuns::name);
    ASSERT_TRUE(window.waitFor([&] { return table->viewport()->findChildren<QLineEdit*>().size() == 1; }));
    write("my run");
    QTest::keyClick(table->viewport()->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_TRUE(window.waitFor([&] { return runs.at(0)->run.name == "my run"; })) << runs.at(0)->run.name;
}

TEST(RunsTable, RenameRightAfterAClickOnTheNameOpensIt)
{
    static int said = 0;   // a handler carries nothing along
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table     = window.find<QTableView>("runsTable");
    const auto name = window->workspace().runs.index(0, KeptRuns::name);
    table->selectRow(0);
    auto* const before = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
        said += text.contains(QStringLiteral("edit")) ? 1 : 0;
    });
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(name).center());
    window.find<QAbstractButton>("renameRun")->click();
    qInstallMessageHandler(before);
    EXPECT_EQ(said, 0) << "Qt waits for a second click";
    EXPECT_NE(table->indexWidget(name), nullptr);
}

TEST(RunsTable, RenameOnceMoreLeavesTheNameThatIsBeingWritten)
{
    static int warnings = 0;   // a handler carries nothing along
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* table = window.find<QTableView>("runsTable");
    table->selectRow(0);
    window.clickButton("renameRun");
    auto* field = table->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    field->setText("my");
    auto* const before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString&) { ++warnings; });
    window.find<QAbstractButton>("renameRun")->click();   // as Alt and its letter do: the focus stays in the name
    qInstallMessageHandler(before);
    EXPECT_EQ(warnings, 0);
    EXPECT_EQ(table->viewport()->findChildren<QLineEdit*>(), QList<QLineEdit*>{field});
    EXPECT_EQ(field->text(), "my");
}
