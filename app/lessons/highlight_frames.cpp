// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/highlight_frames.h"

#include "lessons/lesson_controls.h"

#include <QPainter>

namespace {

constexpr int frameWidth  = 3;     ///< pixels
constexpr int frameMargin = 2;     ///< pixels between the control and the outline
constexpr int followEvery = 120;   ///< milliseconds; short enough to follow a moving dock

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
    for (const auto& one : m_outlined)
        delete one.frame.data();
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
            one.part         = place && place->part != place->widget->rect() ? place->part : QRect();
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
