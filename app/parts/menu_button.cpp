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
