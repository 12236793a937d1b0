// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/menu_button.h"

#include <QStyleOptionToolButton>

MenuButton::MenuButton(const QString& text, QMenu* menu, QWidget* parent) : QToolButton(parent)
{
    if (!text.isEmpty())
        setText(text + QStringLiteral(" ▾"));
    setMenu(menu);
    setPopupMode(InstantPopup);
}

void MenuButton::initStyleOption(QStyleOptionToolButton* option) const
{
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
}

QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    return made;
}
