// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/buttons.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "widgets/chart_palette.h"

#include <QPainter>
#include <QStyleOptionToolButton>

#include <algorithm>
#include <utility>

MenuButton::MenuButton(const QString& text, QMenu* menu, QWidget* parent) : QToolButton(parent)
{
    if (!text.isEmpty())
        setLabel(text);
    setMenu(menu);
    setPopupMode(InstantPopup);
}

void MenuButton::setLabel(const QString& text) { setText(text + QStringLiteral(" ▾")); }

void MenuButton::initStyleOption(QStyleOptionToolButton* option) const
{
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
}

QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    describeControl(made, name, tip, tip);
    made->setAutoRaise(true);
    return made;
}

namespace {

constexpr int primaryGap = 8, primarySide = 12;

QString primaryWords(const QAbstractButton& button) { return button.text().remove(QLatin1Char('&')); }
QFont primaryTimeFont(const QAbstractButton& button) { return scaledFont(button.font(), 0.85); }

}   // namespace

QSize PrimaryLook::sizeOf(const QAbstractButton& button, const QString& time)
{
    const auto text = button.fontMetrics();
    const int after = time.isEmpty() ? 0 : primaryGap + QFontMetrics(primaryTimeFont(button)).horizontalAdvance(time);
    return {button.iconSize().width() + primaryGap + text.horizontalAdvance(primaryWords(button)) + after
                + 2 * primarySide,
            std::max(button.iconSize().height(), text.height()) + primaryGap};
}

void PrimaryLook::paint(QAbstractButton& button) const
{
    const QPalette& colours = button.palette();
    const bool enabled      = button.isEnabled();
    QColor ground           = enabled ? colours.color(QPalette::Active, QPalette::Highlight)
                                      : colours.color(QPalette::Disabled, QPalette::Button);
    if (button.isDown())
        ground = ground.darker(115);
    const QColor ink = enabled ? credence::blackOrWhite(ground)
                               : colours.color(QPalette::Disabled, QPalette::ButtonText);
    QPainter painter(&button);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(ground);
    painter.setPen(button.underMouse() && enabled ? QPen(colours.color(QPalette::WindowText), 1) : Qt::NoPen);
    const QRectF box = QRectF(button.rect()).adjusted(1, 1, -1, -1);
    painter.drawRoundedRect(box, 6, 6);
    if (button.hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ink, 1.5, Qt::DotLine));
        painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), 4, 4);
    }
    int left         = primarySide;
    const QSize side = button.iconSize();
    ::icon(icon, ink).paint(&painter, left, (button.height() - side.height()) / 2, side.width(), side.height());
    left += side.width() + primaryGap;
    painter.setPen(ink);
    for (const auto& [font, words] :
         {std::pair{button.font(), primaryWords(button)}, {primaryTimeFont(button), time}}) {
        painter.setFont(font);
        painter.drawText(QRect(left, 0, button.width() - left, button.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         words);
        left += QFontMetrics(font).horizontalAdvance(words) + primaryGap;
    }
}

void PrimaryButton::paintEvent(QPaintEvent*) { PrimaryLook{}.paint(*this); }
