// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_controls.h"

#include "foundation/number_text.h"
#include "parts/quiet_parts.h"
#include "parts/view_area.h"
#include "work/text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

QString lessonTr(const char* words) { return QCoreApplication::translate("LessonControls", words); }

QString noSuchControl(const QString& name) { return lessonTr("there is no control named “%1”").arg(name); }

QString disabledControl(const QString& name) { return lessonTr("the control “%1” is disabled").arg(name); }

QString otherKind(const QString& name, const QString& expected)
{
    return lessonTr("the control “%1” is not a %2").arg(name, expected);
}

bool leadsTo(const QMenu& menu, const QAction* wanted)
{
    const auto actions = menu.actions();
    return std::any_of(actions.begin(), actions.end(), [wanted](const QAction* one) {
        return one == wanted || (one->menu() && leadsTo(*one->menu(), wanted));
    });
}

/// Removes mnemonic markers, and any text after a tab character.
QString plainWords(QString words) { return words.remove(QLatin1Char('&')).trimmed(); }

bool sameWords(const QString& a, const QString& b)
{
    return plainWords(a).compare(plainWords(b), Qt::CaseInsensitive) == 0;
}

/// The current name of a control that was renamed, since lesson files of users may have its former
/// name.
QString currentName(const QString& name)
{
    if (name == QLatin1String("imagePages"))
        return QStringLiteral("centreTabs");
    return name == QLatin1String("cancel") ? QStringLiteral("stop") : name;
}

/// The former title of the page with the grid of images, likewise.
QString currentPage(const QString& title)
{
    return sameWords(title, QStringLiteral("Images")) ? QStringLiteral("predictions") : plainWords(title);
}

QString outsideOf(const QString& name, const QString& text, double low, double high)
{
    return lessonTr("found “%1” for the control “%2”, expected a number from %3 to %4")
        .arg(text, name, toQString(plain_text(low)), toQString(plain_text(high)));
}

}   // namespace

QWidget* lessonControl(const QWidget& window, const QString& name)
{
    if (const auto colon = name.indexOf(QLatin1Char(':')); colon > 0) {
        const auto* around = lessonControl(window, name.left(colon));
        return around ? lessonControl(*around, name.mid(colon + 1)) : nullptr;
    }
    QWidget* hidden = nullptr;
    for (const auto& each : {currentName(name), QStringLiteral("view/") + name}) {
        const auto found = window.findChildren<QWidget*>(each);
        const auto seen = std::find_if(found.begin(), found.end(), [](const QWidget* one) { return one->isVisible(); });
        if (seen != found.end())
            return *seen;
        if (!hidden && !found.isEmpty())
            hidden = found.front();
    }
    return hidden;
}

QAction* lessonAction(const QWidget& window, const QString& name)
{
    return window.findChild<QAction*>(currentName(name));
}

std::optional<LessonPlace> lessonPlace(const QWidget& window, const QString& name)
{
    if (auto* widget = lessonControl(window, name))
        return LessonPlace{widget, widget->rect()};
    auto* action = lessonAction(window, name);
    if (!action)
        return {};
    for (auto* button : window.findChildren<QToolButton*>())
        if (button->defaultAction() == action)
            return LessonPlace{button, button->rect()};
    for (auto* button : window.findChildren<QToolButton*>())
        if (button->isVisible() && button->menu() && leadsTo(*button->menu(), action))
            return LessonPlace{button, button->rect()};
    if (const auto* main = qobject_cast<const QMainWindow*>(&window))
        for (auto* top : main->menuBar()->actions())
            if (top->menu() && leadsTo(*top->menu(), action))
                return LessonPlace{main->menuBar(), main->menuBar()->actionGeometry(top)};
    return {};
}

QString pressControl(const QWidget& window, const QString& name)
{
    if (auto* control = lessonControl(window, name)) {
        auto* button = qobject_cast<QAbstractButton*>(control);
        if (!button)
            return otherKind(name, lessonTr("button"));
        if (!button->isEnabled())
            return disabledControl(name);
        button->click();
        return {};
    }
    auto* action = lessonAction(window, name);
    if (!action)
        return noSuchControl(name);
    if (!action->isEnabled())
        return disabledControl(name);
    action->trigger();
    return {};
}

QString chooseInControl(const QWidget& window, const QString& name, const QString& text)
{
    auto* control = lessonControl(window, name);
    if (!control)
        return noSuchControl(name);
    if (!control->isEnabled())
        return disabledControl(name);
    if (auto* area = qobject_cast<ViewArea*>(control)) {
        const auto* page = area->named(currentPage(text));
        if (!page || !page->there)
            return lessonTr("“%1” currently has no view “%2”").arg(name, text);
        area->show(page->body);
        return {};
    }
    const auto noSuchLine = [&] { return lessonTr("the list “%1” has no line “%2”").arg(name, text); };
    if (auto* view = qobject_cast<QAbstractItemView*>(control)) {
        const auto* model = view->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (const auto line = model->index(row, 0); sameWords(line.data().toString(), text)) {
                view->setCurrentIndex(line);
                return {};
            }
        return noSuchLine();
    }
    auto* box = qobject_cast<QComboBox*>(control);
    if (!box)
        return otherKind(name, lessonTr("list or area with views"));
    int found = -1;
    for (int i = 0; i < box->count() && found < 0; ++i)
        if (box->itemData(i).toString() == text || sameWords(box->itemText(i), text))
            found = i;
    if (found < 0)
        return noSuchLine();
    box->setCurrentIndex(found);
    Q_EMIT box->activated(found);   // as if selected by the user
    return {};
}

QString setControl(const QWidget& window, const QString& name, const QString& text)
{
    auto* control = lessonControl(window, name);
    if (!control)
        return noSuchControl(name);
    if (!control->isEnabled())
        return disabledControl(name);
    if (auto* line = qobject_cast<QLineEdit*>(control)) {
        line->selectAll();
        line->insert(text);   // as if typed by the user
        Q_EMIT line->returnPressed();
        Q_EMIT line->editingFinished();
        return {};
    }
    if (auto* button = qobject_cast<QAbstractButton*>(control); button && button->isCheckable()) {
        if (text != QLatin1String("on") && text != QLatin1String("off"))
            return lessonTr("found “%1” for the control “%2”, expected on or off").arg(text, name);
        if (button->isChecked() != (text == QLatin1String("on")))
            button->click();
        return {};
    }
    const auto number = number_from(text.toStdString());
    const auto within = [&](double low, double high) { return number && *number >= low && *number <= high; };
    if (auto* real = qobject_cast<QDoubleSpinBox*>(control)) {
        if (!within(real->minimum(), real->maximum()))
            return outsideOf(name, text, real->minimum(), real->maximum());
        real->setValue(*number);
    } else if (auto* whole = qobject_cast<QSpinBox*>(control)) {
        if (!within(whole->minimum(), whole->maximum()))
            return outsideOf(name, text, whole->minimum(), whole->maximum());
        whole->setValue(static_cast<int>(std::lround(*number)));
    } else if (auto* slider = qobject_cast<QAbstractSlider*>(control)) {
        if (!within(slider->minimum(), slider->maximum()))
            return outsideOf(name, text, slider->minimum(), slider->maximum());
        slider->setValue(static_cast<int>(std::lround(*number)));
    } else {
        return otherKind(name, lessonTr("number, slider, line or check box"));
    }
    return {};
}

std::optional<QString> controlText(const QWidget& window, const QString& name)
{
    const auto* control = lessonControl(window, name);
    const auto onOff    = [](bool on) { return on ? QStringLiteral("on") : QStringLiteral("off"); };
    if (!control) {
        const auto* action = lessonAction(window, name);
        return action && action->isCheckable() ? std::optional(onOff(action->isChecked())) : std::nullopt;
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(control))
        return button->isCheckable() ? onOff(button->isChecked()) : plainWords(button->text());
    if (const auto* line = qobject_cast<const QLineEdit*>(control))
        return line->text();
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(control))
        return toQString(plain_text(real->value()));
    if (const auto* whole = qobject_cast<const QSpinBox*>(control))
        return QString::number(whole->value());
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(control))
        return QString::number(slider->value());
    if (const auto* box = qobject_cast<const QComboBox*>(control))
        return box->currentText();
    if (const auto* area = qobject_cast<const ViewArea*>(control))
        return area->currentPage().entry.title;
    if (const auto* label = qobject_cast<const QLabel*>(control))
        return label->text();
    return {};
}

namespace {

constexpr int frameWidth  = 3;     ///< pixels
constexpr int frameMargin = 2;     ///< pixels between the control and the outline
constexpr int followEvery = 120;   ///< milliseconds; short enough to follow a moving part of the window

/// The visible part of a widget in its own coordinates, without parts that are scrolled away.
/// (QWidget::visibleRegion excludes areas painted by children.)
QRect inSight(const QWidget& widget)
{
    if (!widget.isVisible())
        return {};
    QRect seen = widget.rect();
    QPoint corner;   // of the widget, in coordinates of `around`
    for (const QWidget* around = &widget; !around->isWindow(); around = around->parentWidget()) {
        corner += around->pos();
        seen &= around->parentWidget()->rect().translated(-corner);
    }
    return seen;
}

}   // namespace

HighlightFrame::HighlightFrame(QWidget* window) : QWidget(window)
{
    setObjectName(QStringLiteral("lessonFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void HighlightFrame::surround(const QRect& part)
{
    constexpr int around = frameWidth + frameMargin;
    const QRect wanted   = part.adjusted(-around, -around, around, around) & parentWidget()->rect();
    if (wanted != geometry())
        setGeometry(wanted);
    if (isHidden()) {
        show();
        raise();
    }
}

/// Masks all but the line, so that the content is not painted twice.
void HighlightFrame::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int line = frameWidth + 1;
    setMask(QRegion(rect()) - QRegion(rect().adjusted(line, line, -line, -line)));
}

void HighlightFrame::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    // a base colour keeps the outline visible next to equally bright areas
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(QPen(palette().color(QPalette::Highlight), frameWidth));
    constexpr int half = frameWidth / 2;
    painter.drawRect(rect().adjusted(half, half, -half - 1, -half - 1));
}

HighlightFrames::HighlightFrames(QWidget& window, QObject* parent) : QObject(parent), m_window(window)
{
    m_follow.setInterval(followEvery);
    connect(&m_follow, &QTimer::timeout, this, &HighlightFrames::follow);
}

void HighlightFrames::show(const std::vector<QString>& names)
{
    for (const auto& one : m_outlined) {
        delete one.frame.data();
        if (one.target)
            QuietParts::point(*one.target, false);
    }
    m_outlined.clear();
    for (const auto& name : names)
        m_outlined.push_back({.name = name, .target = {}, .part = {}, .frame = {}});
    if (names.empty())
        m_follow.stop();
    else
        m_follow.start();
    follow();
}

int HighlightFrames::visible() const
{
    int count = 0;
    for (const auto& one : m_outlined)
        count += one.frame && one.frame->isVisible() ? 1 : 0;
    return count;
}

void HighlightFrames::follow()
{
    for (auto& one : m_outlined) {
        if (!one.target || !one.target->isVisible()) {   // the control may have been recreated
            const auto place = lessonPlace(m_window, one.name);
            one.target       = place ? place->widget : nullptr;
            if (one.target)
                QuietParts::point(*one.target, true);
            one.part = place && place->part != place->widget->rect() ? place->part : QRect();
        }
        const QRect seen = one.target ? inSight(*one.target) : QRect();
        const QRect part = one.part.isNull() ? seen : (seen & one.part);
        if (part.isEmpty()) {
            if (one.frame)
                one.frame->hide();
            continue;
        }
        QWidget* window = one.target->window();
        if (one.frame && one.frame->parentWidget() != window) {
            one.frame->hide();
            one.frame->deleteLater();
            one.frame.clear();
        }
        if (!one.frame)
            one.frame = new HighlightFrame(window);
        one.frame->surround(QRect(one.target->mapTo(window, part.topLeft()), part.size()));
    }
}
