// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "runs/comparison.h"
#include "session/settings.h"
#include "shell/main_window.h"
#include "study/method.h"
#include "study/preset_cards.h"
#include "study/presets.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QTemporaryDir>

using namespace credence;

namespace {

/// The window at the first start of a profile.
class Greeted : public WindowDriver {
public:
    explicit Greeted(const QStringList& recent = {})
    {
        write(settings::recentStudies, recent);
        write(settings::layout, settings::layout.fallback);
        window().greet();
        page = window().findChild<StartPage*>();
    }
    ~Greeted() { write(settings::recentStudies, QStringList()); }
    StartPage* page;
};

/// The window with the cards of the presets, by Ctrl+N.
class Choosing : public WindowDriver {
public:
    Choosing() { open(); }
    void open()
    {
        find<QAction>("choosePreset")->trigger();
        cards = window().findChild<PresetCards*>();
        list  = find<QListView>("presetList");
        words = find<QLineEdit>("presetWords");
    }
    QString selected() { return list->currentIndex().data(Qt::UserRole).toString(); }
    /// The ids of the cards in sight.
    QStringList shown()
    {
        QStringList ids;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            if (const auto index = list->model()->index(row, 0); isCard(index) && !list->isRowHidden(row))
                ids += index.data(Qt::UserRole).toString();
        return ids;
    }
    static bool isCard(const QModelIndex& index) { return index.flags().testFlag(Qt::ItemIsEnabled); }

    PresetCards* cards = nullptr;
    QListView* list    = nullptr;
    QLineEdit* words   = nullptr;
};

}   // namespace

TEST(StartPage, IsShownAtTheFirstStartOnly)
{
    Greeted first;
    ASSERT_TRUE(first.page);
    EXPECT_TRUE(first.page->isVisible());
    EXPECT_FALSE(first.find<QLineEdit>("presetWords")->isVisible()) << "pictures only";
    write(settings::layout, settings::layoutVersion);
    WindowDriver later;
    later->greet();
    EXPECT_EQ(later->findChild<StartPage*>(), nullptr);
}

TEST(StartPage, F5TrainsAndLeavesThePage)
{
    Greeted window;
    window.setSteps(20);
    window->activateWindow();
    ASSERT_TRUE(window.waitFor([&] { return window->isActiveWindow(); }));
    QTest::keyClick(&window.window(), Qt::Key_F5);
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(StartPage, TheTrainButtonStaysInSightAndTrains)
{
    Greeted window;
    window.setSteps(20);
    window.clickAction("train");
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(StartPage, TheExampleTrainsTheDefaultStudyByOneClick)
{
    Greeted window;
    window.setSteps(20);   // another Study than the default one
    EXPECT_EQ(window->focusWidget()->objectName(), "start/example") << "Enter is enough";
    window.clickButton("start/example");
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_EQ(window.study(), default_study());
    EXPECT_TRUE(window.waitFor([&] {
        return window->session().state() == Session::State::running
               || window->session().state() == Session::State::ended;
    }));
    EXPECT_TRUE(window->panel("decision_map")->isVisible());
    window->session().discard();
}

TEST(StartPage, EscapeLeavesItAndChangesNothing)
{
    Greeted window;
    const Study study = window.study();
    QTest::keyClick(window->focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_EQ(window.study(), study);
    EXPECT_EQ(window->session().state(), Session::State::ready);
    EXPECT_FALSE(window->context().document.undo().canUndo());
}

TEST(StartPage, APresetOpensTheCards)
{
    Greeted window;
    window.clickButton("start/preset");
    auto* cards = window->findChild<PresetCards*>();
    ASSERT_TRUE(cards);
    EXPECT_TRUE(cards->isVisible());
    EXPECT_EQ(window->focusWidget()->objectName(), "presetWords");
}

TEST(StartPage, ShowsThePresetsWithTrainedPicturesAndLoadsOne)
{
    Greeted window;
    auto* list = window.find<QListView>("presetList");
    ASSERT_TRUE(list->isVisible());
    QStringList shown;
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (const auto index = list->model()->index(row, 0); !list->isRowHidden(row) && Choosing::isCard(index))
            shown += index.data(Qt::UserRole).toString();
    EXPECT_GE(shown.size(), 10);
    for (const auto& id : shown)
        EXPECT_TRUE(QFileInfo::exists(QStringLiteral(":/presets/%1.png").arg(id))) << id.toStdString();
    EXPECT_EQ(window->focusWidget()->objectName(), "start/example");
    window.clickButton("start/preset");
    EXPECT_TRUE(window.find<QLineEdit>("presetWords")->isVisible()) << "all presets, with search and filters";
}

TEST(StartPage, DataOfOnesOwnAreATableImagesOrPredictions)
{
    Greeted window;
    window.clickButton("start/data");
    auto* menu = window->findChild<QMenu*>("startData");
    ASSERT_TRUE(menu);
    ASSERT_EQ(menu->actions().size(), 3);
    window.find<QAction>("start/images")->trigger();
    menu->close();
    auto* front = window->workbench().pages().page();
    ASSERT_TRUE(front);
    EXPECT_NE(front, window.page) << "the page of data sets";
}

TEST(StartPage, OpensARecentDocument)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("recent study.json");
    Study other        = preset("xor");
    other.name         = "From the start page";
    save_study(other, file.toStdString());
    Greeted window({file, "/nowhere/gone.json"});
    EXPECT_TRUE(window.waitFor([&] { return window.find<QAbstractButton>("start/recent/1")->isVisible(); }));
    window.clickButton("start/recent/0");
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.waitFor([&] { return window.study().name == other.name; }));
}

TEST(PresetCards, ShowAllPresetsInGroupsWithPicturesAndWorkByKeyboard)
{
    Choosing window;
    ASSERT_TRUE(window.cards);
    EXPECT_LE(window.cards->minimumSizeHint().height(), 500);
    EXPECT_LE(window.cards->minimumSizeHint().width(), 900);
    EXPECT_EQ(static_cast<std::size_t>(window.shown().size()), presets().size() + comparisons().size());
    EXPECT_EQ(window.selected(), "two_moons_mean_field") << "that of the Study";
    const auto& model = *window.list->model();
    EXPECT_TRUE(window.waitFor([&] {
        for (int row = 0; row < model.rowCount(); ++row)
            if (const auto index = model.index(row, 0); Choosing::isCard(index)) {
                bool pictured    = false;   // in whichever role
                const auto roles = model.itemData(index);
                for (const auto& value : roles)
                    pictured = pictured || value.typeId() == QMetaType::QImage;
                if (!pictured)
                    return false;
            }
        return true;
    }));
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_FALSE(model.index(row, 0).data(Qt::AccessibleDescriptionRole).toString().isEmpty()) << row;

    QTest::keyClicks(window.words, "zzzz");
    EXPECT_TRUE(window.shown().isEmpty());
    EXPECT_TRUE(window.find<QLabel>("presetsFound")->text().startsWith("No matches"));
    QTest::keyClick(window.words, Qt::Key_Return);
    EXPECT_TRUE(window.cards->isVisible()) << "there is nothing to load";
    window.words->clear();
    QTest::keyClicks(window.words, "MOONS hmc");
    EXPECT_FALSE(window.shown().isEmpty());
    EXPECT_LT(static_cast<std::size_t>(window.shown().size()), presets().size() / 4);
    window.words->clear();
    QTest::keyClicks(window.words, "one tau per block");   // who cannot type a τ
    EXPECT_FALSE(window.shown().isEmpty());
    window.words->clear();
    QTest::keyClicks(window.words, "two_moons_nuts");
    ASSERT_EQ(window.shown(), QStringList{"two_moons_nuts"});
    EXPECT_FALSE(window.find<QLabel>("presetNote")->text().isEmpty());
    QTest::keyClick(window.words, Qt::Key_Return);
    EXPECT_FALSE(window.cards->isVisible());
    EXPECT_EQ(window.study().posterior.family, "nuts");

    window.open();
    EXPECT_TRUE(window.words->text().isEmpty());
    EXPECT_EQ(window.selected(), "two_moons_nuts");
    QTest::keyClick(window.words, Qt::Key_Down);
    EXPECT_NE(window.selected(), "two_moons_nuts");
    QTest::keyClick(window.words, Qt::Key_Escape);
    EXPECT_FALSE(window.cards->isVisible());
    EXPECT_EQ(window.study().posterior.family, "nuts") << "nothing was applied";
}

TEST(PresetCards, ACardIsNamedByItsStudyMethodAndTime)
{
    Choosing window;
    QTest::keyClicks(window.words, "two_moons_point_estimate");
    EXPECT_EQ(window.list->currentIndex().data(Qt::AccessibleTextRole).toString(),
              "Two moons, point estimate, Point estimate, seconds, an estimate");
}

TEST(PresetCards, TheTimeOfSavedRunsReplacesTheEstimate)
{
    Choosing window;
    QTest::keyClick(window.words, Qt::Key_Escape);
    ASSERT_TRUE(window.train(20));
    window.open();
    QTest::keyClicks(window.words, "two_moons_mean_field");
    EXPECT_FALSE(window.list->currentIndex().data(Qt::AccessibleTextRole).toString().contains("estimate,"));
    EXPECT_FALSE(window.list->currentIndex().data(Qt::AccessibleTextRole).toString().endsWith("an estimate"));
}

TEST(PresetCards, AreFilteredByDataMethodTimeAndPaper)
{
    Choosing window;
    const auto all = window.shown().size();
    window.choose("presetData", "Curve");
    EXPECT_TRUE(window.shown().contains("sine_gap_nuts"));
    EXPECT_FALSE(window.shown().contains("two_moons_nuts"));
    window.choose("presetMethod", QString::fromUtf8(title_of(MethodGroup::sampling)));
    EXPECT_TRUE(window.shown().contains("sine_gap_nuts"));
    EXPECT_FALSE(window.shown().contains("sine_gap"));
    window.choose("presetMethod", QString());
    window.choose("presetData", QString());
    EXPECT_EQ(window.shown().size(), all);
    window.choose("presetTime", "Hours");
    EXPECT_TRUE(window.shown().contains("cifar10_full_point"));
    EXPECT_FALSE(window.shown().contains("two_moons_mean_field"));
    window.choose("presetTime", QString());
    window.choose("presetPaper", "Posch and Pilz 2021");
    EXPECT_TRUE(window.shown().contains("mnist_lenet_tridiagonal"));
    EXPECT_FALSE(window.shown().contains("cubic"));
    window.choose("presetPaper", "Blundell et al. 2015");
    EXPECT_TRUE(window.shown().contains("mnist_mlp_1200"));
}

TEST(PresetCards, AClickLoadsThePreset)
{
    Choosing window;
    QTest::keyClicks(window.words, "interleaved spirals");
    ASSERT_TRUE(window.shown().contains("spirals"));
    ASSERT_TRUE(window.waitFor([&] { return window.list->visualRect(window.list->currentIndex()).height() > 50; }));
    QTest::mouseClick(window.list->viewport(), Qt::LeftButton, {},
                      window.list->visualRect(window.list->currentIndex()).center());
    EXPECT_FALSE(window.cards->isVisible());
    EXPECT_EQ(window.study().name, "Spirals");
}
