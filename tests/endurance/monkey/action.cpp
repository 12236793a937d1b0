// SPDX-License-Identifier: GPL-3.0-or-later
#include "endurance/monkey/action.h"

#include "parts/palette.h"
#include "parts/view_area.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>

#include <array>
#include <utility>

namespace {

constexpr std::array<const char*, 16> kind_names = {"click", "double_click", "right_click", "drag", "wheel", "hover",
                                                    "key",   "text",         "choose",      "item", "menu",  "slider",
                                                    "file",  "close",        "resize",      "wait"};

QString ownName(const QWidget* widget)
{
    const QString name = widget->objectName();
    return name.isEmpty() || name.startsWith(QLatin1String("qt_"))
               ? QString::fromLatin1(widget->metaObject()->className())
               : name;
}

QList<QWidget*> siblingsOf(const QWidget* widget)
{
    return widget->parentWidget() == nullptr
               ? QApplication::topLevelWidgets()
               : widget->parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

QString stepTo(const QWidget* widget)
{
    const QString name = ownName(widget);
    int place          = 0;
    for (const QWidget* one : siblingsOf(widget)) {
        if (one == widget)
            break;
        place += one->isVisible() && ownName(one) == name ? 1 : 0;
    }
    return place == 0 ? name : name + QLatin1Char(':') + QString::number(place);
}

QPoint placeIn(const QWidget* widget, QPointF share)
{
    return {std::min(static_cast<int>(share.x() * widget->width()), widget->width() - 1),
            std::min(static_cast<int>(share.y() * widget->height()), widget->height() - 1)};
}

/// A handler can delete the control, or open a dialog and return much later.
void sendMouse(const QPointer<QWidget>& widget, QEvent::Type type, QPoint at, int modifiers = 0)
{
    if (!widget)
        return;
    const bool up = type == QEvent::MouseButtonRelease, moved = type == QEvent::MouseMove;
    QMouseEvent event(type, at, widget->mapToGlobal(at), moved ? Qt::NoButton : Qt::LeftButton,
                      up ? Qt::NoButton : Qt::LeftButton, Qt::KeyboardModifiers(modifiers));
    QApplication::sendEvent(widget, &event);
}

void click(const QPointer<QWidget>& widget, QPoint at, int modifiers = 0)
{
    sendMouse(widget, QEvent::MouseButtonPress, at, modifiers);
    sendMouse(widget, QEvent::MouseButtonRelease, at, modifiers);
}

void drag(const QPointer<QWidget>& widget, QPoint from, QPoint to)
{
    sendMouse(widget, QEvent::MouseButtonPress, from);
    for (int i = 1; i <= 4; ++i)
        sendMouse(widget, QEvent::MouseMove, from + (to - from) * i / 4);
    sendMouse(widget, QEvent::MouseButtonRelease, to);
}

void hover(const QPointer<QWidget>& widget, QPoint at)
{
    QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(widget, &move);
}

void roll(QWidget* widget, const Action& action)
{
    const QPoint at = placeIn(widget, action.from);
    QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, 120 * action.number}, Qt::NoButton,
                      Qt::KeyboardModifiers(action.modifiers), Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &wheel);
}

void type(const QPointer<QWidget>& widget, const Action& action)
{
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    for (const QChar c : action.text)
        for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease})
            if (widget) {
                QKeyEvent event(type, 0, Qt::NoModifier, QString(c));
                QApplication::sendEvent(widget, &event);
            }
    if (widget)
        QTest::keyClick(widget, static_cast<Qt::Key>(action.number));
}

void chooseItem(QWidget* widget, const Action& action)
{
    if (auto* box = qobject_cast<QComboBox*>(widget); box != nullptr && action.number < box->count()) {
        box->setCurrentIndex(action.number);
        Q_EMIT box->activated(action.number);
    } else if (auto* area = qobject_cast<ViewArea*>(widget)) {
        const auto* list = area->openMenu()->findChild<QAbstractItemView*>();
        const int row    = action.number % list->model()->rowCount();
        click(list->viewport(), list->visualRect(list->model()->index(row, 0)).center());
    } else if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
        click(tabs, tabs->tabRect(action.number).center());
    }
}

void clickItem(QWidget* widget, const Action& action)
{
    auto* view = qobject_cast<QAbstractItemView*>(widget);
    if (view == nullptr || view->model() == nullptr)
        return;
    const auto index = view->model()->index(action.number / 1000, action.number % 1000);
    if (index.isValid())
        click(view->viewport(), view->visualRect(index).center(), action.modifiers);
}

void chooseFromMenu(QWidget* widget, const Action& action)
{
    const auto actions = widget->actions();
    if (action.number >= actions.size())
        return;
    if (auto* menu = qobject_cast<QMenu*>(widget))
        click(menu, menu->actionGeometry(actions[action.number]).center());
    else if (auto* bar = qobject_cast<QMenuBar*>(widget))
        click(bar, bar->actionGeometry(actions[action.number]).center());
}

/// Answers a file dialog with a file in its own folder, the only place that is written.
void chooseFile(QWidget* widget, const Action& action)
{
    auto* dialog = qobject_cast<QFileDialog*>(widget);
    if (dialog == nullptr)
        return;
    dialog->setDirectory(QDir::currentPath());
    dialog->selectFile(QDir::current().filePath(action.text));
    if (auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")))
        QTest::keyClick(name, Qt::Key_Return);
}

/// Is it blocked by a modal dialog?
bool isBlocked(const QWidget* widget)
{
    const QWidget* dialog = QApplication::activeModalWidget();
    return dialog != nullptr && QApplication::activePopupWidget() == nullptr && widget->window() != dialog;
}

}   // namespace

QString toLine(const Action& action)
{
    const auto share = [](QPointF point) {
        return QString::number(point.x(), 'g', 6) + QLatin1Char(' ') + QString::number(point.y(), 'g', 6);
    };
    QString text = action.text;
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('\n'), QLatin1String("\\n"));
    return QStringList{QString::fromLatin1(kind_names[static_cast<std::size_t>(action.kind)]),
                       action.path,
                       share(action.from),
                       share(action.to),
                       QString::number(action.number),
                       QString::number(action.modifiers),
                       text}
        .join(QLatin1Char('\t'));
}

std::optional<Action> actionFromLine(const QString& line)
{
    const auto words = line.split(QLatin1Char('\t'));
    const auto kind  = words.size() == 7 ? std::find(kind_names.begin(), kind_names.end(), words[0]) : kind_names.end();
    if (kind == kind_names.end())
        return std::nullopt;
    const auto point = [](const QString& text) {
        const auto numbers = text.split(QLatin1Char(' '));
        return QPointF(numbers.value(0).toDouble(), numbers.value(1).toDouble());
    };
    QString text;
    for (qsizetype i = 0; i < words[6].size(); ++i) {
        const bool escaped = words[6][i] == QLatin1Char('\\') && i + 1 < words[6].size();
        const QChar c      = escaped ? words[6][++i] : words[6][i];
        text += escaped && c == QLatin1Char('n') ? QLatin1Char('\n') : c;
    }
    return Action{static_cast<Action::Kind>(kind - kind_names.begin()),
                  words[1],
                  point(words[2]),
                  point(words[3]),
                  words[4].toInt(),
                  words[5].toInt(),
                  text};
}

QString pathOf(const QWidget* widget)
{
    QString path = stepTo(widget);
    for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
        path = stepTo(parent) + QLatin1Char('/') + path;
    return path;
}

QWidget* widgetAt(const QString& path)
{
    QWidget* found = nullptr;
    for (const QString& step : path.split(QLatin1Char('/'))) {
        const auto among = found == nullptr ? QApplication::topLevelWidgets()
                                            : found->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        const auto next  = std::find_if(among.begin(), among.end(), [&](const QWidget* one) {
            return one->isVisible() && (found != nullptr || one->parentWidget() == nullptr) && stepTo(one) == step;
        });
        if (next == among.end())
            return nullptr;
        found = *next;
    }
    return found;
}

bool perform(const Action& action)
{
    using Kind = Action::Kind;
    if (action.kind == Kind::wait)
        return true;   // by the caller
    const QPointer<QWidget> widget = widgetAt(action.path);
    if (!widget || !widget->isVisible() || !widget->isEnabled() || isBlocked(widget))
        return false;
    const QPoint from = placeIn(widget, action.from);
    switch (action.kind) {
    case Kind::click: click(widget, from, action.modifiers); break;
    case Kind::double_click:
        click(widget, from);
        sendMouse(widget, QEvent::MouseButtonDblClick, from);
        sendMouse(widget, QEvent::MouseButtonRelease, from);
        break;
    case Kind::right_click: {
        QContextMenuEvent event(QContextMenuEvent::Mouse, from, widget->mapToGlobal(from));
        QApplication::sendEvent(widget, &event);
        break;
    }
    case Kind::drag: drag(widget, from, placeIn(widget, action.to)); break;
    case Kind::wheel: roll(widget, action); break;
    case Kind::hover: hover(widget, from); break;
    case Kind::key:
        widget->setFocus();
        QTest::keyClick(widget, static_cast<Qt::Key>(action.number), Qt::KeyboardModifiers(action.modifiers));
        break;
    case Kind::text: type(widget, action); break;
    case Kind::choose: chooseItem(widget, action); break;
    case Kind::item: clickItem(widget, action); break;
    case Kind::menu: chooseFromMenu(widget, action); break;
    case Kind::slider:
        if (auto* slider = qobject_cast<QAbstractSlider*>(widget))
            slider->setValue(slider->minimum()
                             + static_cast<int>(action.from.x() * (slider->maximum() - slider->minimum())));
        break;
    case Kind::file: chooseFile(widget, action); break;
    case Kind::close: widget->window()->close(); break;
    case Kind::resize: widget->window()->resize(action.number / 10000, action.number % 10000); break;
    case Kind::wait: break;
    }
    return true;
}
