// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

/// A button that opens a menu and says so by a ▾ behind its text; the style's own arrow would cover the text's end.
class MenuButton : public QToolButton {
    Q_OBJECT
public:
    MenuButton(const QString& text, QMenu* menu, QWidget* parent);

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};
