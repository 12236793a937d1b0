// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/real_input.h"
#include "gui/settle.h"
#include "parts/appearance.h"
#include "parts/export_dialog.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "session/settings.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "unit/not_empty.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "window_driver.h"

#include "parts/window_part.h"
#include "parts/workbench.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

using namespace credence;

TEST(Appearance, EveryControlHasANameForScreenReadersAndCanBeReachedByKeyboard)
{
    WindowDriver window;
    const auto name = [](const QWidget* w) {
        const auto* button = qobject_cast<const QAbstractButton*>(w);
        return w->accessibleName().isEmpty() && button ? button->text() : w->accessibleName();
    };
    for (auto* widget : window->findChildren<QWidget*>()) {
        const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget)
                             || qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QLineEdit*>(widget)
                             || qobject_cast<QSlider*>(widget);
        if (!control || !widget->isVisible() || widget->objectName().startsWith("qt_")
            || widget->inherits("QDockWidgetTitleButton"))
            continue;   // Qt's own parts of docks, tool bars and spin boxes
        if (qobject_cast<QLineEdit*>(widget) && qobject_cast<QAbstractSpinBox*>(widget->parentWidget()))
            continue;
        if (widget->inherits("QToolBarExtension")
            || (widget->parentWidget() && widget->parentWidget()->inherits("QTabBar")))
            continue;
        EXPECT_FALSE(name(widget).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
            << widget->parentWidget()->objectName().toStdString();
        const bool toolbar = widget->parentWidget()
                             && widget->parentWidget()->inherits("QToolBar");   // its actions have keys
        const bool mark = widget->inherits("HelpMark");                         // opened by F1 on its control
        EXPECT_TRUE(toolbar || mark != bool(widget->focusPolicy() & Qt::TabFocus))
            << widget->objectName().toStdString();
    }
}

TEST(Appearance, TheThemeSwitchesWhileTheWindowIsOpen)
{
    WindowDriver window;
    applyTheme(Theme::dark);
    settle();
    EXPECT_LT(window->palette().color(QPalette::Window).lightness(), 100);
    applyTheme(Theme::light);
    settle();
    EXPECT_GT(window->palette().color(QPalette::Window).lightness(), 200);
}

namespace {

/// Lightness of the darkest and the lightest pixel that a widget shows.
std::pair<int, int> tones(QWidget& widget)
{
    const QImage image = widget.grab().toImage();
    std::pair<int, int> found{255, 0};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const int lightness = image.pixelColor(x, y).lightness();
            found               = {std::min(found.first, lightness), std::max(found.second, lightness)};
        }
    return found;
}

}   // namespace

TEST(Appearance, ADesktopThatSetsNoColoursGetsTheLightTheme)
{
    for (const auto before : {Theme::dark, Theme::light}) {
        applyTheme(before);
        applyTheme(Theme::desktop);
        EXPECT_EQ(qApp->palette(), paletteOf(Theme::light));
    }
}

TEST(Appearance, AHeaderIsAlignedLikeItsCells)
{
    applyTheme(Theme::light);
    QTableWidget table(1, 2);
    table.setHorizontalHeaderLabels({"Name", "Score"});
    table.setItem(0, 0, new QTableWidgetItem("one"));
    table.setItem(0, 1, new QTableWidgetItem("1.5"));
    table.item(0, 1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* header = table.horizontalHeader();
    header->setDefaultSectionSize(200);
    table.resize(440, 120);
    table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&table));
    const QImage image = header->grab().toImage();
    const auto inkIn   = [&image](int from, int to) {
        int dark = 0;
        for (int y = 0; y < image.height() - 2; ++y)   // without the line below
            for (int x = from; x < to; ++x)
                dark += image.pixelColor(x, y).lightness() < 120;
        return dark;
    };
    EXPECT_GT(inkIn(0, 60), 0) << "words are at the left";
    EXPECT_EQ(inkIn(80, 200), 0);
    EXPECT_EQ(inkIn(200, 320), 0);
    EXPECT_GT(inkIn(340, 400), 0) << "numbers are at the right";
}

TEST(Appearance, AComboBoxHasRoomForItsLongestText)
{
    WindowDriver window;
    QComboBox box;
    box.addItems({"Predictive entropy", "Mutual information"});
    box.resize(box.sizeHint());
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    const int room =
        box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width();
    EXPECT_GE(room - 2, box.fontMetrics().horizontalAdvance("Predictive entropy"));
}

TEST(Appearance, EveryButtonIsLegibleAfterAThemeChange)
{
    WindowDriver window;
    applyTheme(Theme::light);
    settle();
    applyTheme(Theme::dark);
    settle();
    int buttons = 0;
    for (auto* button : credence::not_empty(window->findChildren<QAbstractButton*>())) {
        if (!button->isVisible() || !button->isEnabled() || button->inherits("QDockWidgetTitleButton"))
            continue;
        EXPECT_GT(button->palette().color(QPalette::ButtonText).lightness(), 180) << button->objectName().toStdString();
        if (button->text().isEmpty() && button->icon().isNull())
            continue;
        ++buttons;
        if (button->objectName().startsWith("toolDraw"))
            continue;   // a dot in the colour of its class, the same in every theme
        EXPECT_GT(tones(*button).second, 150)
            << button->objectName().toStdString() << ": nothing light on the dark ground";
    }
    EXPECT_GT(buttons, 10);
    applyTheme(Theme::light);
}

TEST(Appearance, AnIconUsesTheColourOfTheCurrentTheme)
{
    applyTheme(Theme::light);
    const QIcon table   = icon(QStringLiteral("table"));
    const auto lightest = [&table] {
        const QImage image = table.pixmap(24, 24).toImage();
        int most           = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).alpha() > 200)
                    most = std::max(most, image.pixelColor(x, y).lightness());
        return most;
    };
    EXPECT_LT(lightest(), 100);
    applyTheme(Theme::dark);
    EXPECT_GT(lightest(), 180);
    applyTheme(Theme::light);
}

TEST(Appearance, ACheckedButtonLooksCheckedInBothThemes)
{
    for (const auto theme : {Theme::light, Theme::dark}) {
        applyTheme(theme);
        QToolButton button;
        button.setText(QStringLiteral("Beta"));
        button.setCheckable(true);
        button.resize(60, 24);
        const QColor off = button.grab().toImage().pixelColor(4, 4);
        button.setChecked(true);
        const QColor on = button.grab().toImage().pixelColor(4, 4);
        EXPECT_GT(std::abs(on.blue() - off.blue()) + std::abs(on.red() - off.red()), 40) << nameOf(theme).toStdString();
    }
    applyTheme(Theme::light);
}

TEST(Appearance, FieldsAndButtonsHaveAnOutlineInBothThemes)
{
    for (const auto theme : {Theme::light, Theme::dark}) {
        applyTheme(theme);
        QLineEdit field;
        QPushButton button;
        button.setAutoDefault(false);
        QSpinBox number;
        QComboBox list;
        for (auto* control : std::initializer_list<QWidget*>{&field, &button, &number, &list}) {
            control->resize(120, 26);
            const QImage picture = control->grab().toImage();
            const QColor ground  = control->palette().color(QPalette::Window);
            double most          = 1;   // at the lower edge
            for (int y = 22; y < 26; ++y)
                most = std::max(most, credence::contrastRatio(picture.pixelColor(30, y), ground));
            EXPECT_GE(most, 1.8) << nameOf(theme).toStdString() << " " << control->metaObject()->className();
        }
    }
    applyTheme(Theme::light);
}

TEST(Appearance, TheErrorColourFollowsTheTheme)
{
    applyTheme(Theme::light);
    QWidget form;   // it contains a label that inherits its palette
    MistakeLabel label(QStringLiteral("mistake"), &form);
    label.setMistake(QStringLiteral("The learning rate is 0, expected a number greater than 0."));
    const auto red = [&label] { return label.palette().color(QPalette::WindowText); };
    EXPECT_LT(red().lightness(), 110);
    applyTheme(Theme::dark);
    settle();
    EXPECT_GT(red().lightness(), 150);
    EXPECT_EQ(label.palette().color(QPalette::Window), qApp->palette().color(QPalette::Window));
    applyTheme(Theme::light);
    settle();
    EXPECT_LT(red().lightness(), 110);
    label.setMistake({});
    EXPECT_TRUE(label.isHidden());
}

TEST(Appearance, TheLayoutIsRestoredUnlessItIsFromAnotherVersion)
{
    {
        WindowDriver window;
        window.setOpen("runsDock", false);
        window->close();
    }
    {
        AppContext place;
        MainWindow again(place);
        again.restoreLayout();
        again.show();
        again.resize(1440, 900);
        EXPECT_FALSE(again.workbench().part("runsDock")->isOpen());
        EXPECT_TRUE(again.workbench().part("layersDock")->isOpen());
    }
    write(settings::layout, settings::layoutVersion + 1);
    AppContext place;
    MainWindow fresh(place);
    fresh.restoreLayout();
    fresh.show();
    fresh.workbench().openAll();
    fresh.resize(1440, 900);
    EXPECT_TRUE(fresh.workbench().part("runsDock")->isOpen());
}

TEST(Appearance, TheQuantityOfTheMapAndTheSpeedAreRestoredAtTheNextStart)
{
    {
        WindowDriver window;
        chooseByKeys(*window.find<QComboBox>("mapQuantity"), 3);   // the epistemic part
        window.find<QAction>("speed/30")->trigger();
        window.setQuantity(credence::MapQuantity::aleatoric, 0);   // as a link does: nobody's choice
    }
    AppContext context;
    MainWindow again(context);
    EXPECT_EQ(again.centre()->predictions()->quantity(), credence::MapQuantity::predictive_entropy);
    again.restoreLayout();
    EXPECT_EQ(again.centre()->predictions()->quantity(), credence::MapQuantity::epistemic);
    EXPECT_TRUE(again.findChild<QAction*>("speed/30")->isChecked());
    for (const auto& key : {settings::mapQuantity.key, settings::trainingSpeed.key})
        stateFile().remove(key);
}

TEST(Appearance, F1OpensHelpAndTheListOfKeysNamesThem)
{
    WindowDriver window;
    QTest::keyClick(&window.window(), Qt::Key_F1);
    auto* text = window->findChild<QTextBrowser*>("helpText");
    ASSERT_TRUE(text->isVisible());
    EXPECT_THAT(text->toPlainText().toStdString(), testing::HasSubstr("or Train (F5)"));
    EXPECT_TRUE(text->loadResource(QTextDocument::ImageResource, QUrl("nowhere.png")).value<QImage>().isNull());
    auto* topics = window->findChild<QDialog*>("helpWindow")->findChild<QListWidget*>();
    int pictures = 0;
    for (int topic = 0; topic < topics->count(); ++topic) {
        topics->setCurrentRow(topic);
        for (auto block = text->document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const auto format = part.fragment().charFormat();
                if (!format.isImageFormat())
                    continue;
                const QString name = format.toImageFormat().name();
                if (name.startsWith("formula:"))
                    continue;
                const auto image = text->loadResource(QTextDocument::ImageResource, QUrl(name)).value<QImage>();
                EXPECT_EQ(image.deviceIndependentSize().width(), 560)
                    << topics->item(topic)->text().toStdString() << ": " << name.toStdString();
                ++pictures;
            }
    }
    EXPECT_GE(pictures, 9);
}

TEST(Appearance, TheWindowFits1024By700)
{
    WindowDriver window;
    for (const char* id : {"two_moons_mean_field", "four_gaussians_laplace", "stroke_digits_laplace",
                           "blundell_mean_field"}) {   // each shows other views and tools
        window->session().setStudy(preset(id));
        ASSERT_TRUE(window.waitForState(Session::State::ready)) << id;
        ASSERT_TRUE(window.waitForPictures()) << id;
        window->resize(1024, 700);
        settle();
        EXPECT_LE(window->width(), 1024) << id;
        EXPECT_LE(window->height(), 700) << id;
    }
}

TEST(Appearance, WithLargeTextAndAllPartsOpenTheWindowAsksForNoMoreThanTheScreen)
{
    WindowDriver window;
    QFont large = window->font();
    large.setPointSizeF(2 * large.pointSizeF());
    window->setFont(large);
    window->workbench().openAll();
    settle();
    const QSize room = window->screen()->availableSize(), least = window->minimumSizeHint();
    EXPECT_LE(least.height(), room.height());
    EXPECT_LE(least.width(), room.width());
}

// Behaviour on high-resolution screens. CTest runs these tests with QT_SCALE_FACTOR 1, 1.5 and 2.

namespace {

double wantedScale()
{
    bool given         = false;
    const double scale = qEnvironmentVariable("QT_SCALE_FACTOR").toDouble(&given);
    return given ? scale : 1;
}

}   // namespace

TEST(Scale, APictureHasAllPixelsOfTheScreen)
{
    WindowDriver window;
    ASSERT_EQ(window->devicePixelRatio(), wantedScale());
    const auto* map       = window.shownMap();
    const QPixmap picture = const_cast<ChartView*>(map)->grab();
    EXPECT_EQ(picture.devicePixelRatio(), wantedScale());
    EXPECT_NEAR(picture.width(), map->width() * wantedScale(), 1);
    // Letters are drawn with all pixels: neighbours differ also inside a block of the size of a
    // logical pixel.
    const QImage pixels = picture.toImage();
    bool fine           = wantedScale() < 2;
    for (int y = 0; y + 1 < pixels.height() && !fine; y += 2)
        for (int x = 0; x + 1 < pixels.width() && !fine; x += 2)
            fine = pixels.pixel(x, y) != pixels.pixel(x + 1, y);
    EXPECT_TRUE(fine);
}

TEST(Scale, AClickInTheMapChoosesThePointUnderIt)
{
    WindowDriver window;
    const auto& options = window->context().requests;
    window.clickMap(0.5, 0.25);
    ASSERT_TRUE(window.waitForPictures());
    const auto chosen = options.chosen().input.values;
    ASSERT_EQ(chosen.size(), 2U);
    const auto* map = window.shownMap();
    const auto at   = map->positionOf(0, chosen[0], chosen[1]);
    const auto want = map->positionOf(0, 0.5, 0.25);
    EXPECT_NEAR(at.x(), want.x(), 1);
    EXPECT_NEAR(at.y(), want.y(), 1);
}

TEST(Scale, TheWheelScrollsOverAFieldAndChangesItWithFocus)
{
    WindowDriver window;
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->clearFocus();
    turnWheel(*seed, 1);
    EXPECT_EQ(window.study().seed, 1);
    seed->setFocus();
    turnWheel(*seed, 1);
    EXPECT_EQ(window.study().seed, 2);
}

TEST(Scale, HelpStaysOnTheScreen)
{
    WindowDriver window;
    for (auto* mark : credence::not_empty(window->findChildren<HelpMark*>())) {
        if (!mark->isVisible())
            continue;
        mark->click();
        auto* popover = mark->findChild<QFrame*>("helpPopover");
        ASSERT_NE(popover, nullptr);
        const QRect room = popover->screen()->availableGeometry();
        EXPECT_TRUE(room.contains(popover->geometry())) << mark->accessibleName().toStdString();
        EXPECT_LE(popover->height(), 0.6 * room.height() + 1) << mark->accessibleName().toStdString();
        popover->close();
    }
}

TEST(Scale, AnItemOfAComboBoxIsChosenByKeyboard)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("network.activation");
    auto* activation  = window.find<QComboBox>("network.activation/editor");
    const int other   = activation->currentIndex() == 0 ? 1 : 0;
    const auto before = window.study().network;
    chooseByKeys(*activation, other);
    EXPECT_EQ(activation->currentIndex(), other);
    EXPECT_FALSE(window.study().network == before);
}
