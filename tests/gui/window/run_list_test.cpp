// SPDX-License-Identifier: GPL-3.0-or-later
// The list of saved runs: what its rows show, and its actions by mouse and keyboard.
#include "gui/settle.h"
#include "parts/appearance.h"
#include "parts/sheet.h"
#include "runs/run_list_model.h"
#include "session/saved_runs.h"
#include "session/settings.h"
#include "study/presets.h"
#include "window_driver.h"
#include "work/text.h"

#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <iostream>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

QListView* listIn(WindowDriver& window) { return window.find<QListView>("runsList"); }

RunDelegate::Parts partsOf(QListView& list, int row)
{
    const auto index = list.model()->index(row, 0);
    list.scrollTo(index);
    return RunDelegate::partsOf(list.visualRect(index), list.font(), index);
}

void clickIn(QListView& list, const QRect& part)
{
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, part.center());
}

std::vector<std::string> textsOf(const QListView& list, int role)
{
    std::vector<std::string> all;
    for (int row = 0; row < list.model()->rowCount(); ++row)
        all.push_back(list.model()->index(row, 0).data(role).toString().toStdString());
    return all;
}

/// Trains the Study with another seed, which becomes the newest run of the list.
void trainWithSeed(WindowDriver& window, std::uint64_t seed, const char* name)
{
    Study study = window.study();
    study.seed  = seed;
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(30));
    window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), name, Qt::EditRole);
}

int thumbnailFiles() { return static_cast<int>(QDir(thumbnailsFolder()).entryList({"*.png"}, QDir::Files).size()); }

}   // namespace

TEST(SavedRunList, ARowShowsNameScoreAndWhatDiffersFromTheDisplayedRun)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    trainWithSeed(window, 8, "eighth");
    auto* list        = listIn(window);
    const auto newest = list->model()->index(0, 0), other = list->model()->index(1, 0);
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("eighth", "seventh"));
    EXPECT_TRUE(newest.data(RunListModel::displayed_role).toBool());
    EXPECT_FALSE(other.data(RunListModel::displayed_role).toBool());
    ASSERT_TRUE(window.waitFor([&] { return other.data(RunListModel::score_role).toString().endsWith("%"); }));
    const auto& runs = window->context().runs;
    EXPECT_EQ(other.data(RunListModel::score_role), runs.index(1, SavedRuns::score).data()) << "as in the table";
    EXPECT_TRUE(newest.data(RunListModel::chips_role).toStringList().isEmpty());
    const auto chips = other.data(RunListModel::chips_role).toStringList();
    ASSERT_GE(chips.size(), 2);
    EXPECT_EQ(chips.front(), "Mean field");
    EXPECT_TRUE(chips.contains("seed 7")) << chips.join(", ").toStdString();
    EXPECT_THAT(other.data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("Seed: 8 → 7"));
    EXPECT_TRUE(window.waitFor([&] { return other.data(Qt::ToolTipRole).toString().contains("NLL, nats: "); }));
    const auto spoken = other.data(Qt::AccessibleTextRole).toString().toStdString();
    for (const char* words : {"seventh", "%", "Mean field", "Seed: 8 → 7", "Data: Two moons"})
        EXPECT_THAT(spoken, HasSubstr(words));
}

TEST(SavedRunList, TheEyeEnterAndADoubleClickDisplayARun)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    trainWithSeed(window, 8, "eighth");
    auto* list           = listIn(window);
    const auto displayed = [&](std::uint64_t seed) {
        return window.waitFor([&] { return window->session().run().experiment->study.seed == seed; });
    };
    clickIn(*list, partsOf(*list, 1).eye);
    ASSERT_TRUE(displayed(7));
    EXPECT_TRUE(list->model()->index(1, 0).data(RunListModel::displayed_role).toBool());
    EXPECT_FALSE(list->model()->index(0, 0).data(RunListModel::displayed_role).toBool());
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Up);
    EXPECT_EQ(list->currentIndex().row(), 0);
    QTest::keyClick(list, Qt::Key_Return);
    ASSERT_TRUE(displayed(8));
    const QPoint name = partsOf(*list, 1).name.center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, name);
    EXPECT_EQ(window->session().run().experiment->study.seed, 8U) << "one click only selects";
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, name);
    EXPECT_TRUE(displayed(7));
}

TEST(SavedRunList, TheBoxAndSpaceTickRunsForComparison)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    trainWithSeed(window, 8, "eighth");
    auto* list          = listIn(window);
    auto* compare       = window.find<QPushButton>("compareRuns");
    const long before   = window->session().currentRun().number();
    const auto& context = window->context();
    EXPECT_FALSE(compare->isEnabled());
    clickIn(*list, partsOf(*list, 0).tick);
    EXPECT_TRUE(context.runs.at(0)->checked);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Space);
    EXPECT_TRUE(context.runs.at(1)->checked);
    EXPECT_TRUE(compare->isEnabled());
    EXPECT_EQ(list->model()->index(0, 0).data(Qt::CheckStateRole).toInt(), Qt::Checked);
    const QPoint box = partsOf(*list, 1).tick.center();   // a double click ticks twice and displays nothing
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, box);
    EXPECT_FALSE(context.runs.at(1)->checked);
    const QSignalSpy opens(&window->context().opener, &RunOpener::opens);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, box);
    settle();
    EXPECT_EQ(opens.count(), 0);
    EXPECT_EQ(window->session().currentRun().number(), before);
    EXPECT_EQ(window->session().run().experiment->study.seed, 8U);
}

TEST(SavedRunList, F2RenamesAndDeleteCanBeUndone)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    trainWithSeed(window, 8, "eighth");
    auto* list = listIn(window);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_F2);
    auto* field = list->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->text(), "seventh");
    field->setText("my run");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.at(1)->run.name == "my run"; }));
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Delete);
    EXPECT_EQ(window.question()->windowTitle(), "Delete the run my run?");
    window.answer("confirmDelete");
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("eighth"));
    window->context().document.undo().undo();
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("eighth", "my run"));
}

TEST(SavedRunList, TheContextMenuOffersWhatTheTableOffers)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    auto* list = listIn(window);
    list->setCurrentIndex(list->model()->index(0, 0));
    Q_EMIT list->customContextMenuRequested(list->visualRect(list->currentIndex()).center());
    auto* menu = list->findChild<QMenu*>("runMenu");
    ASSERT_NE(menu, nullptr);
    QStringList lines;
    for (const auto* action : menu->actions())
        if (action->isVisible() && action->isEnabled())
            lines << QString(action->text()).remove('&');
    menu->close();
    EXPECT_EQ(lines, (QStringList{"Show", "Reopen Study", "Rename", "Delete"}));
}

TEST(SavedRunList, RunsAreGroupedByTheirDataWithTheGroupOfTheNewestFirst)
{
    WindowDriver window;
    trainWithSeed(window, 7, "moons 7");
    const Study moons     = window.study();
    Study circles         = moons;
    circles.data.toy.kind = ToyKind::circles;
    window->session().setStudy(circles);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    trainWithSeed(window, 7, "circles 7");
    auto* list = listIn(window);
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("circles 7", "moons 7"));
    window->session().setStudy(moons);
    trainWithSeed(window, 8, "moons 8");
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("moons 8", "moons 7", "circles 7"));
    const auto headings = textsOf(*list, RunListModel::heading_role);
    EXPECT_THAT(headings[0], testing::StartsWith("Two moons"));
    EXPECT_EQ(headings[1], "");
    EXPECT_THAT(headings[2], HasSubstr("ircles"));
    EXPECT_FALSE(partsOf(*list, 0).heading.isEmpty());
    EXPECT_TRUE(partsOf(*list, 1).heading.isEmpty());
    window->context().runs.removeRun(0);
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("circles 7", "moons 7"));
}

TEST(SavedRunList, ASearchLineAppearsWithMoreThanEightRuns)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(30));
    auto& runs     = window->context().runs;
    auto* list     = listIn(window);
    auto* search   = window.find<QLineEdit>("searchRunList");
    const auto add = [&](const QString& name) {
        SavedRun run = *runs.at(0)->whole();
        run.name     = name.toStdString();
        runs.addLoaded(run, "/nowhere/" + name + ".credence");
    };
    for (int k = 2; k <= 8; ++k)
        add(QStringLiteral("run %1").arg(k));
    EXPECT_FALSE(search->isVisible());
    add("needle");
    EXPECT_TRUE(search->isVisible());
    search->setFocus();
    QTest::keyClicks(search, "NEED");
    EXPECT_THAT(textsOf(*list, Qt::DisplayRole), ElementsAre("needle"));
    EXPECT_NE(list->model()->index(0, 0).data(RunListModel::heading_role).toString(), "");
    search->clear();
    EXPECT_EQ(list->model()->rowCount(), 9);
}

TEST(SavedRunList, TheTableOpensInTheDrawerAndSharesTheTicks)
{
    WindowDriver window;
    trainWithSeed(window, 7, "seventh");
    auto* table = window.openRunsTable();
    EXPECT_EQ(table->window(), &window.window());
    EXPECT_TRUE(window.isOpen("runsTableDock"));
    table->model()->setData(table->model()->index(0, SavedRuns::name), Qt::Checked, Qt::CheckStateRole);
    EXPECT_EQ(listIn(window)->model()->index(0, 0).data(Qt::CheckStateRole).toInt(), Qt::Checked);
    window.find<QAbstractButton>("drawer/runsTableDock")->click();
    EXPECT_TRUE(window.waitFor([&] { return !table->isVisible(); }));
}

TEST(SavedRunList, AThumbnailIsMadeOnceAndReadFromTheCacheLater)
{
    QDir(thumbnailsFolder()).removeRecursively();
    const auto pictureOf = [](WindowDriver& window) {
        const auto entry = window->context().runs.at(0);
        auto* thumbnails = window->findChild<RunThumbnails*>();
        EXPECT_NE(thumbnails, nullptr);
        EXPECT_TRUE(window.waitFor([&] { return !thumbnails->of(entry).isNull(); }));
        return thumbnails->of(entry);
    };
    QImage map;
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(30));
        map = pictureOf(window);
        EXPECT_EQ(map.size(), QSize(RunThumbnails::width, RunThumbnails::height));
        EXPECT_FALSE(map.hasAlphaChannel()) << "a decision map";
        EXPECT_EQ(thumbnailFiles(), 1);
    }
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 1; }));
    EXPECT_EQ(pictureOf(window), map);
    EXPECT_EQ(thumbnailFiles(), 1);
    window->session().setStudy(preset("sine_gap"));
    ASSERT_TRUE(window.train(30));
    EXPECT_TRUE(pictureOf(window).hasAlphaChannel()) << "a band is drawn in a colour of the theme";
}

TEST(SavedRunList, TheThumbnailOfAnUnloadedRunIsThatOfTheRunInMemory)
{
    QDir(thumbnailsFolder()).removeRecursively();
    WindowDriver window;
    ASSERT_TRUE(window.train(30));
    const auto entry = window->context().runs.at(0);
    auto* thumbnails = window->findChild<RunThumbnails*>();
    ASSERT_TRUE(window.waitFor([&] { return !thumbnails->of(entry).isNull() && QFileInfo::exists(entry->file); }));
    const QImage before = thumbnails->of(entry);
    QDir(thumbnailsFolder()).removeRecursively();
    const auto fromFile = std::make_shared<SavedRunEntry>(load_run_summary(entry->file.toStdString()), entry->file);
    ASSERT_TRUE(window.waitFor([&] { return !thumbnails->of(fromFile).isNull(); }));
    EXPECT_EQ(thumbnails->of(fromFile), before);
    EXPECT_FALSE(fromFile->inMemory()) << "a list of thumbnails does not keep its runs";
}

/// CREDENCE_MANY_RUNS=10000 measures it.
TEST(SavedRunList, ManyRunsAreListedAndOnlyThoseInSightGetThumbnails)
{
    const bool measures = qEnvironmentVariableIsSet("CREDENCE_MANY_RUNS");
    const int many      = measures ? qEnvironmentVariableIntValue("CREDENCE_MANY_RUNS") : 300;
    QString first;
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(30));
        first = window->context().runs.at(0)->file;
        ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(first); }));
    }
    for (int i = 1; i < many; ++i)
        ASSERT_TRUE(QFile::copy(first, QStringLiteral("%1/%2.credence").arg(runsFolder()).arg(i)));
    WindowDriver window(WindowDriver::Runs::keep);
    auto* list       = listIn(window);
    auto* thumbnails = window->findChild<RunThumbnails*>();
    QSignalSpy made(thumbnails, &RunThumbnails::made);
    ASSERT_TRUE(window.waitFor([&] { return list->model()->rowCount() == many; }, 600000));
    const auto inSight = window->context().runs.at(0);   // its thumbnail may be made before the spy is there
    ASSERT_TRUE(window.waitFor([&] { return !thumbnails->of(inSight).isNull(); }));
    QTest::qWait(500);
    EXPECT_LT(made.count(), 60);
    QElapsedTimer clock;
    clock.start();
    list->scrollToBottom();
    list->grab();
    window->context().runs.removeRun(0);
    list->grab();
    if (measures)
        std::cout << many << " runs: scrolled to the end, one removed, drawn twice in " << clock.elapsed() << " ms\n";
    EXPECT_EQ(list->model()->rowCount(), many - 1);
    QDir(runsFolder()).removeRecursively();
}

TEST(SavedRunList, ARowHasSpaceForItsPartsFrom240PixelsAndWithTextOf200Percent)
{
    WindowDriver window;
    trainWithSeed(window, 7, "a run with a name that is longer than the row");
    auto* list       = listIn(window);
    const auto index = list->model()->index(0, 0);
    for (const int percent : {100, 200}) {
        applyTextSize(percent);
        for (const int width : {240, 304, 400}) {
            const int height = list->sizeHintForIndex(index).height();
            const QRect cell(0, 0, width, height);
            const auto parts = RunDelegate::partsOf(cell, list->font(), index);
            for (const QRect& part : {parts.heading, parts.picture, parts.name, parts.line, parts.eye, parts.tick})
                EXPECT_TRUE(cell.contains(part)) << percent << " % " << width;
            EXPECT_LT(parts.heading.bottom(), parts.name.top());
            EXPECT_LT(parts.picture.right(), parts.name.left());
            EXPECT_LT(parts.name.right(), parts.eye.left());
            EXPECT_LE(parts.eye.right(), parts.tick.left());
            EXPECT_GE(parts.name.width(), 60) << percent << " % " << width;
            EXPECT_GE(std::min(parts.eye.width(), parts.tick.width()), 24) << "WCAG 2.5.8";
        }
    }
    applyTextSize(usualText);
}

TEST(SavedRunList, AnEmptyListExplainsHowToFillItAndIsDrawnInBothThemes)
{
    WindowDriver window;
    auto* list = listIn(window);
    for (const auto theme : {Theme::light, Theme::dark}) {
        applyTheme(theme);
        const QImage picture = list->grab().toImage();
        int inked            = 0;
        for (int x = 0; x < picture.width(); ++x)
            for (int y = picture.height() / 3; y < picture.height() * 2 / 3; ++y)
                inked += picture.pixel(x, y) != picture.pixel(0, 0);
        EXPECT_GT(inked, 20) << nameOf(theme).toStdString();
    }
    applyTheme(Theme::desktop);
}
