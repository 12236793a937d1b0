// SPDX-License-Identifier: GPL-3.0-or-later
#include "endurance/monkey/choice.h"

#include "parts/view_area.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextEdit>

#include <algorithm>
#include <iterator>

namespace {

using Kind = Action::Kind;

int below(std::mt19937& random, qsizetype n)
{
    return n <= 0 ? 0 : static_cast<int>(random() % static_cast<unsigned>(n));
}
double share(std::mt19937& random) { return std::uniform_real_distribution<>(0, 1)(random); }

template <class List>
auto oneOf(std::mt19937& random, const List& list)
{
    return list[static_cast<std::size_t>(below(random, static_cast<qsizetype>(std::size(list))))];
}

QWidget* openWindow(std::mt19937& random)
{
    if (QWidget* popup = QApplication::activePopupWidget())
        return popup;
    if (QWidget* dialog = QApplication::activeModalWidget())
        return dialog;
    QList<QWidget*> windows;
    for (QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible() && window->windowType() != Qt::ToolTip && window->windowType() != Qt::Desktop)
            windows << window;
    std::sort(windows.begin(), windows.end(), [](const QWidget* a, const QWidget* b) { return pathOf(a) < pathOf(b); });
    return windows.isEmpty() ? nullptr : windows[below(random, windows.size())];
}

/// Whether the mouse can reach it: enabled, visible, not empty.
QList<QWidget*> controlsOf(QWidget* window)
{
    QList<QWidget*> controls = {window};
    for (QWidget* one : window->findChildren<QWidget*>())
        if (one->isVisible() && one->isEnabled() && one->width() > 1 && one->height() > 1 && one->window() == window)
            controls << one;
    return controls;
}

Action typed(std::mt19937& random)
{
    static const QString texts[] = {"",
                                    "0",
                                    "-1",
                                    "1",
                                    "3",
                                    "17",
                                    "0.5",
                                    "0,5",
                                    "1e-3",
                                    "1e999",
                                    "-1e999",
                                    "nan",
                                    "inf",
                                    "100",
                                    "999",
                                    "100000",
                                    "123456789",
                                    "99999999999999999999",
                                    "xor",
                                    "two",
                                    "τ = ½",
                                    "<b>x</b>",
                                    "%1 %n",
                                    "a;b",
                                    "16, 16",
                                    "1, 2, 3, 4",
                                    "from 1 to 3",
                                    " ",
                                    "\"",
                                    "name.pdf",
                                    QString(300, QLatin1Char('x'))};
    constexpr Qt::Key ends[]     = {Qt::Key_Return, Qt::Key_Tab, Qt::Key_Escape};
    return {.kind = Kind::text, .number = oneOf(random, ends), .text = oneOf(random, texts)};
}

Action pressed(std::mt19937& random)
{
    constexpr Qt::Key keys[]  = {Qt::Key_Tab,    Qt::Key_Backtab,   Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,
                                 Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,
                                 Qt::Key_Down,   Qt::Key_Home,      Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown,
                                 Qt::Key_Plus,   Qt::Key_Minus,     Qt::Key_F1,     Qt::Key_F2,     Qt::Key_F5,
                                 Qt::Key_F6,     Qt::Key_F11,       Qt::Key_A,      Qt::Key_B,      Qt::Key_C,
                                 Qt::Key_E,      Qt::Key_L,         Qt::Key_N,      Qt::Key_R,      Qt::Key_T,
                                 Qt::Key_X,      Qt::Key_Y,         Qt::Key_Z,      Qt::Key_0,      Qt::Key_1,
                                 Qt::Key_5,      Qt::Key_9};
    constexpr int modifiers[] = {Qt::NoModifier,
                                 Qt::NoModifier,
                                 Qt::NoModifier,
                                 Qt::ControlModifier,
                                 Qt::ShiftModifier,
                                 Qt::AltModifier,
                                 static_cast<int>(Qt::ControlModifier) | static_cast<int>(Qt::ShiftModifier)};
    return {.kind = Kind::key, .number = oneOf(random, keys), .modifiers = oneOf(random, modifiers)};
}

Action answered(std::mt19937& random)
{
    static const QString files[] = {
        "figure.pdf",      "figure.svg",     "figure.png",         "table.csv",        "table.tex",     "report.html",
        "study.json",      "run.credence",   "link.credence-link", "lesson.md",        "outputs.npz",   "nothing.txt",
        "seeds/study.svg", "seeds/text.png", "seeds/stored.npz",   "seeds/commas.csv", "seeds/xor.json"};
    if (random() % 3 == 0)
        return {.kind = Kind::close};
    return {.kind = Kind::file, .text = oneOf(random, files)};
}

/// The usual action for such a control.
Action fitting(std::mt19937& random, QWidget* control)
{
    if (qobject_cast<QMenu*>(control) != nullptr || qobject_cast<QMenuBar*>(control) != nullptr)
        return {.kind = Kind::menu, .number = below(random, control->actions().size())};
    if (auto* box = qobject_cast<QComboBox*>(control))
        return {.kind = Kind::choose, .number = below(random, box->count())};
    if (auto* area = qobject_cast<ViewArea*>(control))
        return {.kind = Kind::choose, .number = below(random, static_cast<qsizetype>(area->choices().size()))};
    if (auto* tabs = qobject_cast<QTabBar*>(control))
        return {.kind = Kind::choose, .number = below(random, tabs->count())};
    if (qobject_cast<QAbstractSlider*>(control) != nullptr)
        return {.kind = Kind::slider, .from = {share(random), 0}};
    if (qobject_cast<QLineEdit*>(control) != nullptr || qobject_cast<QAbstractSpinBox*>(control) != nullptr
        || qobject_cast<QTextEdit*>(control) != nullptr || qobject_cast<QPlainTextEdit*>(control) != nullptr)
        return typed(random);
    if (auto* view = qobject_cast<QAbstractItemView*>(control); view != nullptr && view->model() != nullptr)
        return {.kind   = Kind::item,
                .number = 1000 * below(random, view->model()->rowCount()) + below(random, view->model()->columnCount()),
                .modifiers = random() % 4 == 0 ? static_cast<int>(Qt::ControlModifier) : 0};
    return {.kind = Kind::click, .from = {share(random), share(random)}};
}

Action other(std::mt19937& random)
{
    const QPointF from(share(random), share(random)), to(share(random), share(random));
    switch (random() % 12) {
    case 0:
    case 1:
    case 2: return pressed(random);
    case 3:
    case 4: return {.kind = Kind::drag, .from = from, .to = to};
    case 5: return {.kind = Kind::wheel, .from = from, .number = below(random, 7) - 3};
    case 6: return {.kind = Kind::hover, .from = from};
    case 7: return {.kind = Kind::double_click, .from = from};
    case 8: return {.kind = Kind::right_click, .from = from};
    case 9: return {.kind = Kind::click, .from = from, .modifiers = Qt::ShiftModifier};
    case 10: return {.kind = Kind::resize, .number = 10000 * (700 + below(random, 900)) + 500 + below(random, 700)};
    default: return {.kind = Kind::wait, .number = below(random, 400)};
    }
}

/// A window is closed once in this many actions. Otherwise an open help window would get most of
/// them. The main window is closed, too.
unsigned oneIn(const QWidget* window)
{
    if (window == QApplication::activePopupWidget())
        return 4;
    return window->isModal() ? 40 : 400;
}

}   // namespace

Action anyAction(std::mt19937& random)
{
    QWidget* const window = openWindow(random);
    if (window == nullptr)
        return {.kind = Kind::wait, .number = 50};
    QWidget* control = window;
    Action action;
    if (qobject_cast<QFileDialog*>(window) != nullptr)
        action = answered(random);   // never clicked: it could rename other files
    else if (random() % oneIn(window) == 0)
        action = {.kind = Kind::close};
    else {
        // Choose the kind of control first: otherwise the many labels and frames would dominate.
        const auto controls = controlsOf(window);
        QStringList classes;
        for (const QWidget* one : controls)
            if (const QString name = QString::fromLatin1(one->metaObject()->className()); !classes.contains(name))
                classes << name;
        const QString chosen = classes[below(random, classes.size())];
        QList<QWidget*> of_class;
        for (QWidget* one : controls)
            if (random() % 3 == 0 || chosen == QLatin1String(one->metaObject()->className()))
                of_class << one;
        control = of_class.isEmpty() ? window : of_class[below(random, of_class.size())];
        action  = random() % 3 == 0 ? other(random) : fitting(random, control);
    }
    action.path = pathOf(control);
    return action;
}
