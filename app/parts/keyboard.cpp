// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/keyboard.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <clocale>
#include <functional>
#include <tuple>

namespace {

QString tr(const char* words) { return QCoreApplication::translate("KeysList", words); }

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("…")); }

/// The keys of charts, fields and pages, which no menu lists.
void addOwnKeys(std::vector<KeyLine>& lines)
{
    QString place;
    const auto add = [&](const QString& keys, const QString& what) { lines.push_back({place, keys, what}); };
    place          = tr("In a figure or number field");
    add(tr("Arrows, then Enter"), tr("Move the cross in a figure; select that point"));
    add(tr("Wheel, double click"), tr("Zoom; back to the whole figure"));
    add(tr("Arrows, Home, End, Page keys"), tr("Select another image in the grid"));
    add(tr("Up, Down in the test-row table"), tr("Select the previous or next row; with Shift select several"));
    add(tr("Ctrl+C in a table"), tr("Copy the selected rows, or all rows, as tab-separated text"));
    add(tr("Arrows, Space, +, − on the simplex"), tr("Move a handle; select the next one; widen or narrow the "
                                                     "distribution"));
    add(tr("Name of a class"), tr("Next image of that class in the grid"));
    add(tr("Left, Right, then Enter"), tr("Select another of your images or nearest images"));
    add(tr("+, −, Ctrl and wheel"), tr("Larger or smaller images"));
    add(tr("Up, Down"), tr("Next round number in a number field: 1, 2, 5, 10"));
    add(tr("Space, Page Down in lecture mode"), tr("Next step of the open lesson"));

    add(tr("F1"), tr("Help on the focused control, if it has a ? mark"));
    add(tr("Arrows, Space on the selected image"), tr("Move through the pixels; while drawing, lower or lift the pen"));
    add(tr("Shift+F1"), tr("Help on the setting under the pointer"));
    place = tr("In a figure");
    add(tr("Shift and arrows"), tr("Move the cross by one screen pixel"));
    add(tr("+, −, Home"), tr("Zoom in on the cross, zoom out, back to the whole figure"));
    add(tr("Escape"), tr("Hide the cross"));
    add(tr("Enter, with the tool that moves points"), tr("Pick up the point nearest to the cross, and drop it"));
    place = tr("While drawing an image");
    add(tr("Arrows"), tr("Move the pen by one pixel"));
    add(tr("Space"), tr("Lower or lift the pen"));
    add(tr("Escape"), tr("Lift and put away the pen"));
    add(tr("Ctrl+Z"), tr("Undo the last stroke"));
    place = tr("In the list of runs");
    add(tr("Enter"), tr("Display the run"));
    add(tr("Space"), tr("Tick the run for comparison"));
    add(tr("F2"), tr("Rename the run, also in the table of runs"));
    add(tr("Delete"), tr("Delete the selected runs, after confirmation"));
    place = tr("On a tool page");
    add(tr("F1"), tr("Help on the page"));
    add(tr("F5"), tr("Run or play; pause and resume"));
    add(tr("F10"), tr("One step"));
    add(tr("Ctrl+."), tr("Cancel"));
    add(tr("Ctrl+R"), tr("Back to the start"));
    add(tr("Ctrl+E"), tr("Export its figures"));
    add(tr("Escape, Ctrl+W"), tr("Back to the Study; work on the page continues"));
    add(tr("Ctrl+S, Ctrl+Shift+S, Ctrl+O"), tr("Sweep: save it, save it under another name, open one"));
    add(tr("Ctrl+F"), tr("Papers: search"));
    place = tr("In a message");
    add(tr("F6"), tr("Go to the first message, from anywhere in its window"));
    add(tr("Escape"), tr("Close the message"));
    place = tr("In the search");
    add(tr("Up, Down, Page keys"), tr("Move in the list while typing"));
    add(tr("Enter"), tr("Open the selected entry"));
    place = tr("In the preset list");
    add(tr("Up, Down, Page keys"), tr("Move in the list while typing"));
    add(tr("Enter"), tr("Load the selected preset"));
    place = tr("Everywhere");
    add(tr("Tab, Shift+Tab"), tr("Next control, previous control"));
    add(tr("Alt and the underlined letter"), tr("Menu, button or field with that letter"));
    add(tr("Space"), tr("Press the focused button, or tick the focused box"));
    add(tr("Alt+Down"), tr("Open a list of choices"));
    add(tr("Escape"), tr("Close a dialog or a list"));
}

}   // namespace

std::vector<KeyLine> keyLines(const QMenuBar& bar)
{
    std::vector<KeyLine> lines;
    QString place;
    const std::function<void(const QMenu&, const QString&)> addMenu = [&](const QMenu& menu, const QString& before) {
        for (const auto* action : menu.actions())
            if (action->menu())
                addMenu(*action->menu(), before + plain(action->text()) + QStringLiteral(" › "));
            else if (!action->shortcuts().isEmpty())
                lines.push_back({place, QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                                 before + plain(action->text())});
    };
    for (const auto* menuAction : bar.actions()) {
        place = plain(menuAction->text());
        addMenu(*menuAction->menu(), {});
    }
    addOwnKeys(lines);
    return lines;
}

QString keysAsHtml(const std::vector<KeyLine>& lines, const QString& filter)
{
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QString html            = QStringLiteral("<h2>%1</h2><table cellpadding='3'>").arg(tr("Keys"));
    QString place;
    for (const KeyLine& line : lines) {
        const QString text = line.place + QLatin1Char(' ') + line.keys + QLatin1Char(' ') + line.what;
        if (!std::all_of(words.begin(), words.end(),
                         [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }))
            continue;
        if (place != line.place)
            html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(line.place.toHtmlEscaped());
        place = line.place;
        html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                    .arg(line.keys.toHtmlEscaped(), line.what.toHtmlEscaped());
    }
    html += QStringLiteral("</table>");
    return place.isEmpty() ? html + QStringLiteral("<p>%1</p>").arg(tr("No key matches the search.")) : html;
}

bool worksEverywhere(const QAction& action)
{
    if (action.property(keysEverywhere).toBool())
        return true;
    const auto around = action.associatedObjects();
    return std::any_of(around.begin(), around.end(), [](const QObject* object) {
        const auto* menu = qobject_cast<const QMenu*>(object);
        return menu && (menu->property(keysEverywhere).toBool() || worksEverywhere(*menu->menuAction()));
    });
}

/// The keys of the others stay in the menu, but only a menu bar with the focus would hear them.
void giveKeysTo(const QMenuBar& bar, const QWidget* page)
{
    QList<QKeySequence> own;
    if (page)
        for (const auto* shortcut : page->findChildren<QShortcut*>())
            own += shortcut->key();
    const std::function<void(const QMenu&)> give = [&](const QMenu& menu) {
        for (auto* action : menu.actions()) {
            if (action->menu())
                give(*action->menu());
            const bool works = !page || (worksEverywhere(*action) && !own.contains(action->shortcut()));
            action->setShortcutContext(works ? Qt::WindowShortcut : Qt::WidgetShortcut);
        }
    };
    for (const auto* top : bar.actions())
        give(*top->menu());
}

namespace {

/// True if `field` is a number box without uncommitted text.
bool showsItsNumber(const QObject* field)
{
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(field))
        return real->cleanText() == real->textFromValue(real->value());
    if (const auto* whole = qobject_cast<const QSpinBox*>(field)) {
        bool read         = false;
        const auto number = whole->locale().toInt(whole->cleanText(), &read);
        return read && number == whole->value();
    }
    return false;
}

}   // namespace

MenuKeys::MenuKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride
        || (!qobject_cast<QLineEdit*>(watched) && !qobject_cast<QAbstractSpinBox*>(watched)))
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if ((key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) && showsItsNumber(watched)) {
        event->ignore();   // nothing is being typed: undo the last setting, not old digits of this number
        return true;
    }
    if (key.modifiers() != Qt::ControlModifier || key.key() < Qt::Key_A || key.key() > Qt::Key_Z)
        return false;
    constexpr QKeySequence::StandardKey ofTheField[] = {QKeySequence::Copy,  QKeySequence::Cut,
                                                        QKeySequence::Paste, QKeySequence::Undo,
                                                        QKeySequence::Redo,  QKeySequence::SelectAll};
    if (std::ranges::any_of(ofTheField, [&](QKeySequence::StandardKey own) { return key.matches(own); }))
        return false;
    event->ignore();   // not used by the field: a menu can handle it, otherwise the field receives a key press
    return true;
}

namespace {

class Stops {
public:
    void add(QWidget* part)
    {
        if (!part || part->isWindow())
            return;
        if ((part->focusPolicy() & Qt::TabFocus) != 0 && !part->focusProxy())
            found.push_back(part);
        if (qobject_cast<QAbstractItemView*>(part) || qobject_cast<QAbstractSpinBox*>(part)
            || qobject_cast<QComboBox*>(part))
            return;   // counts as one control with all its parts
        addInside(part);
    }

    void addInside(QWidget* part)
    {
        if (auto* tabs = qobject_cast<QTabWidget*>(part)) {
            add(tabs->cornerWidget(Qt::TopLeftCorner));
            add(tabs->tabBar());
            add(tabs->cornerWidget(Qt::TopRightCorner));
            for (int k = 0; k < tabs->count(); ++k)
                add(tabs->widget(k));
        } else if (auto* scroll = qobject_cast<QScrollArea*>(part)) {
            add(scroll->widget());
        } else if (auto* splitter = qobject_cast<QSplitter*>(part)) {
            for (int k = 0; k < splitter->count(); ++k)
                add(splitter->widget(k));
        } else if (auto* layout = part->layout()) {
            addItems(*layout);
        }
    }

    std::vector<QWidget*> found;

private:
    void addItems(QLayout& layout)
    {
        std::vector<int> order(static_cast<std::size_t>(layout.count()));
        for (std::size_t k = 0; k < order.size(); ++k)
            order[k] = static_cast<int>(k);
        if (auto* grid = qobject_cast<QGridLayout*>(&layout)) {
            const auto place = [grid](int index) {
                int row = 0, column = 0, rows = 0, columns = 0;
                grid->getItemPosition(index, &row, &column, &rows, &columns);
                return std::tuple(row, column);
            };
            std::stable_sort(order.begin(), order.end(), [&place](int a, int b) { return place(a) < place(b); });
        }
        for (const int k : order) {
            auto* item = layout.itemAt(k);
            if (!item)
                continue;
            if (item->widget())
                add(item->widget());
            else if (item->layout())
                addItems(*item->layout());
        }
    }
};

}   // namespace

std::vector<QWidget*> stopsAsLaidOut(const std::vector<QWidget*>& parts)
{
    Stops stops;
    for (auto* part : parts)
        if (part && part->isWindow())
            stops.addInside(part);
        else
            stops.add(part);
    return stops.found;
}

void orderTabs(const std::vector<QWidget*>& parts)
{
    const auto stops = stopsAsLaidOut(parts);
    for (std::size_t k = 1; k < stops.size(); ++k)
        QWidget::setTabOrder(stops[k - 1], stops[k]);
}

namespace {

QWidget* inputOf(QObject* object)
{
    if (qobject_cast<QScrollBar*>(object))
        return nullptr;
    if (qobject_cast<QComboBox*>(object) || qobject_cast<QAbstractSpinBox*>(object)
        || qobject_cast<QAbstractSlider*>(object))
        return static_cast<QWidget*>(object);
    return nullptr;
}

}   // namespace

void WheelGuard::install()
{
    if (!qApp->findChild<WheelGuard*>(QString(), Qt::FindDirectChildrenOnly))
        qApp->installEventFilter(new WheelGuard(qApp));
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish)
        return false;
    auto* input = inputOf(watched);
    if (!input)
        return false;
    if (event->type() == QEvent::Polish) {
        if (input->focusPolicy() == Qt::WheelFocus)
            input->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (input->hasFocus() || input->isAncestorOf(QApplication::focusWidget()))
        return false;
    event->ignore();   // Qt then offers it to the parent, up to the scroll area
    return true;
}

namespace {

class CommaToPoint : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::KeyPress || !qobject_cast<QDoubleSpinBox*>(watched))
            return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->text() != QLatin1String(","))
            return false;
        QKeyEvent point(QEvent::KeyPress, Qt::Key_Period, key->modifiers(), QStringLiteral("."));
        QCoreApplication::sendEvent(watched, &point);
        return true;
    }
};

}   // namespace

void useDecimalPoints(QCoreApplication& application)
{
    std::setlocale(LC_NUMERIC, "C");
    std::setlocale(LC_MESSAGES, "C");   // system messages appear within English sentences
    QLocale::setDefault(QLocale::c());
    application.installEventFilter(new CommaToPoint(&application));
}
