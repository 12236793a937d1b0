// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "imports/import_dialog.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/keyboard.h"
#include "parts/workspace_stack.h"
#include "session/settings.h"
#include "simplex/open_logits.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "unit/not_empty.h"
#include "widgets/chart_palette.h"
#include "window_driver.h"

#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMetaEnum>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStringList>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QWidget>
#include <QWidgetAction>

#include <iostream>
#include <utility>
#include <vector>

/// The accessible objects of a window.
struct AccessibleTree {
    int controls = 0;
    QStringList nameless;   ///< each by its role, class and object name, and those of what it is in
};

/// Visits every object of a window that can be operated or read, including hidden pages and menu
/// entries. The parts of a list, a table or a box belong to it; parts that Qt creates itself (dock
/// buttons, scroll bars) are left out.
AccessibleTree accessibleTree(QWidget& window);

namespace {

bool isControl(QAccessible::Role role)
{
    switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonDropDown:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::Dial:
    case QAccessible::EditableText:
    case QAccessible::List:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::PageTab:
    case QAccessible::ProgressBar:
    case QAccessible::Chart:
    case QAccessible::Graphic:
    case QAccessible::Canvas:
    case QAccessible::Indicator: return true;
    default: return false;
    }
}

/// Its parts are announced like itself.
bool isWhole(QAccessible::Role role)
{
    return role == QAccessible::ComboBox || role == QAccessible::SpinBox || role == QAccessible::EditableText
           || role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::ScrollBar;
}

bool isMadeByQt(const QObject& object)
{
    return object.inherits("QDockWidgetTitleButton") || object.inherits("QToolBarExtension")
           || object.inherits("QTableCornerButton") || object.inherits("QHeaderView")
           || object.objectName().startsWith(QLatin1String("qt_"))
           || (object.parent() && object.parent()->inherits("QTabBar"));   // its arrows
}

/// On Linux, Qt reports the current choice of a box as its name, so its label is queried.
QString nameOf(QAccessibleInterface& seen)
{
    auto* widget = qobject_cast<QWidget*>(seen.object());
    if (seen.role() != QAccessible::ComboBox || !widget)
        return seen.text(QAccessible::Name);
    if (!widget->accessibleName().isEmpty() || !widget->parentWidget())
        return widget->accessibleName();
    for (const auto* label : widget->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->buddy() == widget)
            return label->text();
    return {};
}

QString placeOf(QAccessibleInterface& seen)
{
    const char* role = QMetaEnum::fromType<QAccessible::Role>().valueToKey(seen.role());
    QString words    = QString::fromLatin1(role ? role : "?");
    for (const QObject* at = seen.object(); at; at = at->parent())
        words += QStringLiteral(" < %1 \"%2\"").arg(QLatin1String(at->metaObject()->className()), at->objectName());
    return words;
}

void walkTree(QAccessibleInterface* seen, AccessibleTree& found)
{
    if (!seen || !seen->isValid() || (seen->object() && isMadeByQt(*seen->object())))
        return;
    if (isControl(seen->role())) {
        ++found.controls;
        if (nameOf(*seen).trimmed().isEmpty())
            found.nameless += placeOf(*seen);
    }
    if (isWhole(seen->role()))
        return;
    for (int k = 0; k < seen->childCount(); ++k)
        walkTree(seen->child(k), found);
}

void walkMenu(const QMenu& menu, AccessibleTree& found)
{
    for (const auto* action : menu.actions()) {
        if (action->isSeparator() || qobject_cast<const QWidgetAction*>(action))
            continue;
        ++found.controls;
        if (action->text().trimmed().isEmpty())
            found.nameless += QStringLiteral("a line of the menu \"%1\" %2").arg(menu.title(), menu.objectName());
    }
}

}   // namespace

AccessibleTree accessibleTree(QWidget& window)
{
    AccessibleTree found;
    walkTree(QAccessible::queryAccessibleInterface(&window), found);
    for (const auto* menu : window.findChildren<QMenu*>())
        if (!menu->objectName().startsWith(QLatin1String("qt_")))
            walkMenu(*menu, found);
    return found;
}

using namespace credence;

namespace {

/// @return how many controls; each nameless one is a failure
int expectNames(QWidget& window, const QString& what)
{
    const auto tree = accessibleTree(window);
    for (const auto& one : tree.nameless)
        ADD_FAILURE() << what.toStdString() << ": nameless " << one.toStdString();
    std::cout << "accessible tree: " << tree.controls << " controls, " << tree.nameless.size()
              << " nameless: " << what.toStdString() << '\n';
    return tree.controls;
}

/// The open dialogs, and the page in front.
QList<QWidget*> openDialogs(const MainWindow& window)
{
    QList<QWidget*> found;
    for (auto* widget : QApplication::topLevelWidgets())
        if (widget->isVisible() && qobject_cast<QDialog*>(widget))
            found += widget;
    if (auto* page = window.findChild<WorkspaceStack*>()->page())
        found += page;
    return found;
}

/// The visible widgets in Tab order, starting with this one.
std::vector<QWidget*> stopsFrom(QWidget* first)
{
    std::vector<QWidget*> found;
    QWidget* at = first;
    do {
        if (at->isVisible() && at->isEnabled() && (at->focusPolicy() & Qt::TabFocus) != 0 && !at->focusProxy())
            found.push_back(at);
        at = at->nextInFocusChain();
    } while (at && at != first);
    return found;
}

std::ptrdiff_t placeAmong(const std::vector<QWidget*>& stops, const QWidget* widget)
{
    return std::find(stops.begin(), stops.end(), widget) - stops.begin();
}

}   // namespace

TEST(Access, EveryControlOfTheWindowAndOfEachPageHasAName)
{
    WindowDriver window;
    int controls = expectNames(window.window(), QStringLiteral("window"));
    EXPECT_GT(controls, 100);
    for (const char* name : {"bridgeSamplingAction", "doubleWellAction", "banditAction", "activeLearningAction",
                             "sweepAction", "papersAction", "dataSetsAction", "exportAll", "aboutAction"}) {
        auto* action = window.find<QAction>(QLatin1String(name));
        ASSERT_NE(action, nullptr);
        action->trigger();
        settle();
        const auto dialogs = openDialogs(window.window());
        EXPECT_FALSE(dialogs.isEmpty()) << name;
        for (auto* dialog : dialogs) {
            controls += expectNames(*dialog, dialog->windowTitle());
            dialog->close();
        }
    }
    ImportDialog table(QString(), {}, nullptr);
    ImportImagesDialog images(QString(), nullptr);
    OpenLogits logits;
    for (QWidget* dialog : std::initializer_list<QWidget*>{&table, &images, &logits})
        controls += expectNames(*dialog, dialog->windowTitle());
    window->session().setStudy(preset("stroke_digits_laplace"));   // images have controls of their own
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    expectNames(window.window(), QStringLiteral("window with images"));
    std::cout << "accessible tree: " << controls << " controls in all\n";
}

TEST(Access, TabFollowsTheVisualOrderAndSkipsHelpMarks)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("training.steps");
    auto* seed       = window.find<QWidget>("seed");
    const auto stops = stopsFrom(seed);
    for (const auto* stop : stops)
        EXPECT_FALSE(stop->inherits("HelpMark")) << stop->objectName().toStdString();
    std::vector<std::pair<int, std::string>> fields;   // their heights, in the order of Tab
    for (const auto* stop : stops)
        if (stop->objectName().endsWith(QStringLiteral("/editor")))
            fields.emplace_back(stop->mapTo(&window.window(), QPoint()).y(), stop->objectName().toStdString());
    ASSERT_GE(fields.size(), 6U);
    for (std::size_t k = 1; k < fields.size(); ++k)
        EXPECT_GE(fields[k].first, fields[k - 1].first) << fields[k].second << " behind " << fields[k - 1].second;
    const auto settings = placeAmong(stops, window.find<QWidget>("section/data"));
    const auto map      = placeAmong(stops, window->panel(QStringLiteral("decision_map"))->chartView());
    const auto end      = std::ssize(stops);
    EXPECT_LT(placeAmong(stops, seed), settings);
    EXPECT_LT(settings, map);
    EXPECT_LT(map, end);
    for (const auto* table : credence::not_empty(window->findChildren<QTableView*>()))   // a way in is a way out
        EXPECT_FALSE(table->tabKeyNavigation()) << table->objectName().toStdString();
}

TEST(Access, F1OnAFieldOpensItsHelpAndEscapeClosesIt)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("training.steps");
    auto* line = window.find<QLineEdit>("training.steps/editor");
    ASSERT_NE(FieldHelpKey::markOf(line), nullptr);
    EXPECT_EQ(FieldHelpKey::markOf(line)->parentWidget(), line->parentWidget());
    EXPECT_EQ(FieldHelpKey::markOf(&window.window()), nullptr);
    line->setFocus();
    QTest::keyClick(line, Qt::Key_F1);
    auto* popover = window->findChild<QFrame*>("helpPopover");
    ASSERT_NE(popover, nullptr);
    EXPECT_TRUE(popover->findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("training.steps")));
    QTest::keyClick(popover, Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return !window->findChild<QFrame*>("helpPopover"); }));
    auto* chart = window->panel(QStringLiteral("decision_map"))->chartView();
    auto* mark  = FieldHelpKey::markOf(chart);
    ASSERT_NE(mark, nullptr);
    EXPECT_TRUE(mark->accessibleName().contains(QStringLiteral("ecision")));
}

TEST(Access, TextsGrowToTwiceTheirSizeAndBack)
{
    applyTheme(Theme::light);   // icons have the size of its style
    WindowDriver window;
    const QFont usual = window->font();
    const auto size   = [](const QFont& font) { return font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize(); };
    auto* seed        = window.find<QWidget>("seed");
    const int wide    = seed->width();
    const QSize least = window->minimumSizeHint();
    std::vector<std::pair<const QToolButton*, int>> icons;
    for (const auto* button : credence::not_empty(window->findChildren<QToolButton*>()))
        if (button->isVisible() && !button->icon().isNull())
            icons.emplace_back(button, button->iconSize().height());
    ASSERT_GE(icons.size(), 10);
    for (int k = 0; k < 12; ++k)
        window.find<QAction>("textLarger")->trigger();
    EXPECT_EQ(textSize(), largestText);
    EXPECT_EQ(read(settings::textSize), largestText);
    EXPECT_NEAR(size(window->font()), 2 * size(usual), 0.6);
    EXPECT_NEAR(size(window->panel(QStringLiteral("decision_map"))->chartView()->font()), 2 * size(usual), 0.6);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_NEAR(seed->width(), 2 * wide, 2);
    for (const auto& [button, before] : icons)
        EXPECT_EQ(button->iconSize().height(), 2 * before) << button->toolTip().toStdString();
    for (const auto* bar : credence::not_empty(window->findChildren<QProgressBar*>()))
        if (bar->minimumHeight() == bar->maximumHeight()) {
            EXPECT_EQ(bar->maximumHeight(), 24) << bar->accessibleName().toStdString();
        }
    EXPECT_LE(window->minimumSizeHint().width(), 2 * least.width() + 16);
    EXPECT_LE(window->minimumSizeHint().height(), 3 * least.height());   // longer lines wrap
    window->resize(1920, 1080);
    settle();
    for (const auto* button : credence::not_empty(window->findChildren<QPushButton*>())) {
        if (button->isVisible()) {
            EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
        }
    }
    window.find<QAction>("textUsual")->trigger();
    EXPECT_EQ(window->font(), usual);
    EXPECT_EQ(seed->width(), wide);
    EXPECT_EQ(read(settings::textSize), usualText);
}

TEST(Access, EveryTextContrastsWithItsBackgroundInBothThemes)
{
    using P = QPalette;
    for (const auto theme : {Theme::light, Theme::dark}) {
        const auto palette                               = paletteOf(theme);
        const std::pair<P::ColorRole, P::ColorRole> on[] = {{P::WindowText, P::Window},
                                                            {P::WindowText, P::Base},
                                                            {P::Text, P::Base},
                                                            {P::Text, P::AlternateBase},
                                                            {P::ButtonText, P::Button},
                                                            {P::HighlightedText, P::Highlight},
                                                            {P::ToolTipText, P::ToolTipBase},
                                                            {P::PlaceholderText, P::Base},
                                                            {P::Link, P::Base},
                                                            {P::Link, P::Window},
                                                            {P::LinkVisited, P::Base},
                                                            {P::Link, P::ToolTipBase}};
        for (const auto group : {P::Active, P::Inactive, P::Disabled})
            for (const auto& [text, ground] : on)
                EXPECT_GE(contrastRatio(palette.color(group, text), palette.color(group, ground)), leastTextContrast)
                    << nameOf(theme).toStdString() << ", role " << text << " on " << ground << ", group " << group;
        for (const auto ground : {P::Window, P::Base})
            EXPECT_GE(contrastRatio(MistakeLabel::red(palette), palette.color(ground)), leastTextContrast);
        const auto chart = ChartPalette::forScreen(palette);
        for (const auto& text : {chart.text, chart.muted})
            EXPECT_GE(contrastRatio(text, chart.background), leastTextContrast) << nameOf(theme).toStdString();
        for (int k = 0; k < 8; ++k)   // labels of lines are written in a tone made legible
            EXPECT_GE(contrastRatio(legible(chart.category(k), chart.background), chart.background), leastTextContrast);
        EXPECT_GE(contrastRatio(palette.color(P::Highlight), palette.color(P::Window)), 3);   // the frame of the focus
    }
}

/// A colour defined elsewhere does not follow the theme and is missed by the contrast tests.
TEST(Access, ColoursAreDefinedOnlyInThePalettes)
{
    const QStringList palettes{"app/parts/appearance.cpp", "widgets/chart_palette.cpp"};
    const QStringList looked{
        "app/images/image_canvas.cpp",   // white on black, over any picture
        "widgets/report.cpp",            // grey on white paper, see below
    };
    const QRegularExpression colour(QStringLiteral(
        R"(QColor\((0x|QRgb|\d)|#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}["';} ]|)"
        R"(Qt::(red|green|blue|white|black|(light|dark)?[gG]r[ae]y|yellow|magenta|cyan|dark[A-Z]\w+)\b)"));
    const QString root = QStringLiteral(CREDENCE_SOURCES) + QLatin1Char('/');
    int files          = 0;
    for (const QString folder : {"app", "widgets"})
        for (QDirIterator it(root + folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();) {
            QFile file(it.next());
            ASSERT_TRUE(file.open(QIODevice::ReadOnly));
            ++files;
            const QString name = file.fileName().mid(root.size());
            const auto match   = colour.match(QString::fromUtf8(file.readAll()));
            if (match.hasMatch() && !palettes.contains(name)) {
                EXPECT_TRUE(looked.contains(name))
                    << name.toStdString() << " names " << match.captured().toStdString()
                    << ": take it from the palette, or make it legible and name the file here";
            }
        }
    EXPECT_GT(files, 200);
    EXPECT_GE(contrastRatio(QColor(0x55, 0x55, 0x55), Qt::white), leastTextContrast);   // captions of the report
}
