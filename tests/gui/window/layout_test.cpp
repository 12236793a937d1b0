// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "parts/palette.h"
#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "parts/view_thumbnails.h"
#include "study/presets.h"
#include "window_driver.h"

#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QTest>
#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;

namespace {

constexpr const char* areaNames[] = {"centreTabs", "inputTabs", "layersTabs", "weightsTabs", "trainingTabs"};

/// The window with the menu of one of its areas.
class Choosing : public WindowDriver {
public:
    explicit Choosing(const char* name) : area(*find<ViewArea>(name)) { window().navigator().reveal(*area.current()); }

    void open()
    {
        menu = openMenu(area);
        ASSERT_TRUE(menu && menu->isVisible());
    }
    QLineEdit* line() { return menu->findChild<QLineEdit*>("paletteSearch"); }
    QListView& list() { return *menu->findChild<QListView*>("paletteList"); }
    QString chosen() { return list().currentIndex().data().toString(); }
    void press(Qt::Key key) { QTest::keyClick(line(), key); }
    void expectClosed()
    {
        ASSERT_TRUE(waitFor([this] { return !menu; }));
    }
    QString shown() { return area.currentPage().entry.title; }
    QAbstractButton* title() { return find<QAbstractButton>(area.objectName() + "/title"); }
    void use(const char* study)
    {
        window().session().setStudy(preset(study));
        ASSERT_TRUE(waitForState(Session::State::ready));
        ASSERT_TRUE(waitForPictures());
    }

    ViewArea& area;
    QPointer<Palette> menu;
};

/// The rows of a menu, without captions.
QStringList rowsOf(const Palette& menu)
{
    QStringList titles;
    const auto* model = menu.findChild<QListView*>("paletteList")->model();
    for (int row = 0; row < model->rowCount(); ++row)
        if (const auto index = model->index(row, 0); index.flags().testFlag(Qt::ItemIsEnabled))
            titles += index.data().toString();
    return titles;
}

QString foldTitle(int absent)
{
    return absent == 1 ? QStringLiteral("1 view does not apply to this Study")
                       : QStringLiteral("%1 views do not apply to this Study").arg(absent);
}

/// The choices of a menu, and the views that its last row lists after Enter. Every menu has some.
std::pair<QStringList, QStringList> titlesOf(const Palette& menu)
{
    auto* list        = menu.findChild<QListView*>("paletteList");
    QStringList there = rowsOf(menu);
    const auto fold   = there.takeLast();
    list->setCurrentIndex(list->model()->index(list->model()->rowCount() - 1, 0));
    QTest::keyClick(menu.findChild<QLineEdit*>("paletteSearch"), Qt::Key_Return);
    const QStringList absent = rowsOf(menu).mid(there.size() + 1);
    EXPECT_EQ(fold, foldTitle(static_cast<int>(absent.size())));
    return {there, absent};
}

}   // namespace

TEST(ViewMenu, OffersWhatAppliesAndUnfoldsTheRestWithItsReason)
{
    WindowDriver window;
    for (const char* study : {"two_moons_mean_field", "sine_gap", "stroke_digits_laplace"}) {
        window->session().setStudy(preset(study));
        ASSERT_TRUE(window.waitForState(Session::State::ready));
        ASSERT_TRUE(window.waitForPictures());
        const auto& experiment = *window->session().run().experiment;
        for (const char* name : areaNames) {
            auto& area = *window.find<ViewArea>(name);
            EXPECT_TRUE(area.isThere(area.current())) << study << " " << name;
            const auto* menu  = area.openMenu();
            const auto listed = titlesOf(*menu);
            const auto* model = menu->findChild<QListView*>("paletteList")->model();
            const auto tipOf  = [&](const QString& title) {
                for (int row = 0; row < model->rowCount(); ++row)
                    if (const auto index = model->index(row, 0);
                        index.data().toString() == title && index.flags().testFlag(Qt::ItemIsEnabled))
                        return index.data(Qt::ToolTipRole).toString();
                return QString();
            };
            EXPECT_EQ(static_cast<std::size_t>(listed.first.size() + listed.second.size()), area.choices().size());
            for (const auto& page : area.choices()) {
                EXPECT_TRUE((page.there ? listed.first : listed.second).contains(page.entry.title))
                    << study << " " << page.entry.title.toStdString();
                EXPECT_FALSE(page.entry.detail.isEmpty()) << page.entry.title.toStdString();
                EXPECT_FALSE(view_thumbnails::kindOf(page.id).isEmpty()) << page.id.toStdString();
                EXPECT_EQ(tipOf(page.entry.title), page.there ? page.entry.detail : page.entry.whyNot);
                EXPECT_EQ(page.there, page.entry.whyNot.isEmpty()) << page.entry.title.toStdString();
                if (page.followed) {
                    EXPECT_EQ(page.there, page.followed->view().applies(experiment)) << page.entry.title.toStdString();
                }
            }
            QTest::keyClick(menu->findChild<QLineEdit*>("paletteSearch"), Qt::Key_Escape);
            settle();
        }
    }
}

TEST(ViewMenu, IsOpenedSearchedAndUsedByKeyboard)
{
    Choosing window("trainingTabs");
    ASSERT_EQ(window.shown(), "Curves");
    EXPECT_EQ(window.title()->accessibleName(), "View: Curves");
    window.title()->setFocus();
    QTest::keyClick(window.title(), Qt::Key_Down, Qt::AltModifier);
    window.menu = window.find<Palette>("viewMenu");
    ASSERT_TRUE(window.menu);
    EXPECT_EQ(window.chosen(), "Curves") << "the current view is selected at first";
    QTest::keyClicks(window.line(), "calib");
    EXPECT_EQ(window.chosen(), "Calibration");
    EXPECT_THAT(window.line()->accessibleDescription().toStdString(), testing::StartsWith("Calibration, "));
    window.press(Qt::Key_Return);
    window.expectClosed();
    EXPECT_TRUE(window.waitFor([&] { return window->panel("calibration")->isVisible(); }));
    EXPECT_EQ(window.title()->accessibleName(), "View: Calibration");

    QTest::keyClick(window.title(), Qt::Key_Space);
    window.menu = window.find<Palette>("viewMenu");
    ASSERT_TRUE(window.menu);
    window.press(Qt::Key_Up);
    const QString above = window.chosen();
    EXPECT_NE(above, "Calibration");
    window.press(Qt::Key_Escape);
    window.expectClosed();
    EXPECT_EQ(window.shown(), "Calibration") << "Escape changes nothing";

    window.open();
    QTest::keyClicks(window.line(), "error curves");   // its whole title
    EXPECT_EQ(window.chosen(), "Errors");
    window.press(Qt::Key_Escape);
    window.expectClosed();
}

TEST(ViewMenu, AClickOnALineShowsItsView)
{
    Choosing window("inputTabs");
    window.open();
    const auto& list = window.list();
    const auto found = list.model()->match(list.model()->index(0, 0), Qt::DisplayRole, "Intervals");
    ASSERT_EQ(found.size(), 1);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(found.front()).center());
    window.expectClosed();
    EXPECT_TRUE(window.waitFor([&] { return window->panel("intervals")->isVisible(); }));
    EXPECT_FALSE(window->panel("boxplots")->isVisible());
}

TEST(ViewMenu, ViewsThatDoNotApplyAreAbsentUntilTheLastRowIsChosen)
{
    Choosing window("trainingTabs");
    ASSERT_FALSE(window.offers("chain_traces"));
    window.open();
    EXPECT_FALSE(rowsOf(*window.menu).contains("Traces"));
    for (QString before; before != window.chosen(); window.press(Qt::Key_PageDown))
        before = window.chosen();
    const QString fold = rowsOf(*window.menu).last();
    EXPECT_THAT(fold.toStdString(), testing::HasSubstr("not apply to this Study"));
    EXPECT_EQ(window.chosen(), fold) << "keys reach the last row";
    EXPECT_EQ(window.line()->accessibleDescription(), fold + ". Press Enter to list them.");

    window.press(Qt::Key_Return);
    ASSERT_TRUE(window.menu && window.menu->isVisible());
    EXPECT_EQ(window.chosen(), fold);
    EXPECT_TRUE(rowsOf(*window.menu).contains("Traces"));
    window.press(Qt::Key_Down);
    EXPECT_NE(window.chosen(), fold);
    EXPECT_THAT(window.line()->accessibleDescription().toStdString(), testing::HasSubstr(", not available: "));
    window.press(Qt::Key_Return);
    ASSERT_TRUE(window.menu && window.menu->isVisible()) << "it cannot be chosen";

    const auto& list = window.list();
    const auto row   = list.model()->match(list.model()->index(0, 0), Qt::DisplayRole, fold).value(0);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(row).center());
    ASSERT_TRUE(window.menu && window.menu->isVisible());
    EXPECT_EQ(window.chosen(), fold);
    EXPECT_FALSE(rowsOf(*window.menu).contains("Traces"));
    window.press(Qt::Key_Escape);
    window.expectClosed();
    EXPECT_EQ(window.shown(), "Curves");
}

TEST(ViewMenu, ASearchFindsAViewThatDoesNotApplyWithItsReasonButDoesNotOpenIt)
{
    Choosing window("trainingTabs");
    ASSERT_FALSE(window.offers("chain_traces"));
    window.open();
    QTest::keyClicks(window.line(), "traces");
    EXPECT_EQ(window.chosen(), "Traces");
    const auto& pages = window.area.pages();
    const auto traces = std::find_if(pages.begin(), pages.end(),
                                     [](const auto& page) { return page.id == QStringLiteral("chain_traces"); });
    ASSERT_NE(traces, pages.end());
    EXPECT_FALSE(traces->entry.whyNot.isEmpty());
    EXPECT_EQ(window.list().currentIndex().data(Qt::ToolTipRole).toString(), traces->entry.whyNot);
    window.press(Qt::Key_Return);
    ASSERT_TRUE(window.menu);
    EXPECT_TRUE(window.menu->isVisible());
    window.press(Qt::Key_Escape);
    window.expectClosed();
    EXPECT_EQ(window.shown(), "Curves");
    window.area.show(window->panel("chain_traces"));
    window->navigator().show("chain_traces");
    EXPECT_EQ(window.shown(), "Curves");
}

TEST(ViewMenu, KeepsItsOrderWhenViewsGoAndComeAgain)
{
    Choosing window("trainingTabs");
    const auto titles = [&] {
        const auto found = titlesOf(*window.area.openMenu());
        QTest::keyClick(window.find<Palette>("viewMenu")->findChild<QLineEdit*>("paletteSearch"), Qt::Key_Escape);
        settle();
        return found;
    };
    window.use("two_moons_mean_field");
    const auto before = titles();
    window.use("sine_gap");
    const auto there = titles();
    EXPECT_FALSE(there.first.contains("Confusion"));
    EXPECT_TRUE(there.second.contains("Confusion"));
    window.use("two_moons_mean_field");
    EXPECT_EQ(titles(), before);
}

TEST(ViewArea, ShowsItsCheapDefaultWhenTheCurrentViewNoLongerApplies)
{
    Choosing window("trainingTabs");
    window.showView("confusion");
    ASSERT_EQ(window.shown(), "Confusion");
    window.use("sine_gap");
    EXPECT_EQ(window.shown(), "Curves") << "not a neighbour that predicts the test set";
    window.showView("scores");
    window.use("two_moons_mean_field");
    EXPECT_EQ(window.shown(), "Scores") << "what applies stays";
}

TEST(ViewArea, OnlyTheCurrentViewIsComputedAndHasItsControlsInTheHeader)
{
    Choosing window("trainingTabs");
    ASSERT_TRUE(window.train(50));
    window.pointAt(*window.areaOf("overlay_training_curves"));
    EXPECT_FALSE(window->panel("roc")->hasChart());
    EXPECT_FALSE(window.find<QWidget>("curveQuantity")->isVisible());
    EXPECT_FALSE(window.find<QWidget>("data/overlay_training_curves")->isVisible());
    window.showView("overlay_training_curves");
    EXPECT_TRUE(window.find<QWidget>("curveQuantity")->isVisible());
    EXPECT_TRUE(window.find<QWidget>("data/overlay_training_curves")->isVisible());
    EXPECT_FALSE(window.find<QWidget>("data/training_curves")->isVisible());
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_TRUE(window->panel("overlay_training_curves")->hasChart());
    EXPECT_FALSE(window->panel("roc")->hasChart());
    EXPECT_EQ(ViewPanel::around(window.find<QWidget>("curveQuantity")), window->panel("overlay_training_curves"));
    auto* chosen = window.find<QWidget>("topKSlider");   // of another view of another area
    EXPECT_FALSE(chosen->isVisible());
    window->navigator().reveal(*chosen);
    EXPECT_TRUE(chosen->isVisible());
}

TEST(ViewArea, ControlsThatDoNotFitAreBelowTheTitle)
{
    Choosing window("trainingTabs");
    ViewArea area("tested", *window->findChild<ViewBinder*>(), nullptr);
    auto* controls = new QWidget(&area);
    controls->setFixedSize(200, 20);
    auto* tools = new QWidget(&area);
    tools->setFixedSize(60, 20);
    area.addPage({.body     = new QWidget(&area),
                  .id       = "one",
                  .entry    = {.title = "One view", .detail = "Help."},
                  .group    = ViewGroup::scores,
                  .controls = controls,
                  .tools    = tools});
    const auto* place = tools->parentWidget();   // keeps its width while the tools are hidden
    auto* title       = area.findChild<QAbstractButton*>("tested/title");
    area.QWidget::show();
    for (const bool wide : {true, false}) {
        area.resize(wide ? 600 : 260, 200);
        settle();
        EXPECT_EQ(controls->geometry().top() < title->geometry().bottom(), wide);
        EXPECT_EQ(place->geometry().right(), place->parentWidget()->contentsRect().right() - 4);
        EXPECT_FALSE(controls->geometry().intersects(title->geometry()));
        EXPECT_FALSE(controls->geometry().intersects(place->geometry()));
        EXPECT_TRUE(place->parentWidget()->rect().contains(controls->geometry()));
    }
}
