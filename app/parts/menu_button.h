// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

/// A button that opens a menu, marked by a ▾ after its text; the style's own arrow would cover the
/// end of the text.
class MenuButton : public QToolButton {
    Q_OBJECT
public:
    MenuButton(const QString& text, QMenu* menu, QWidget* parent);

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

/// A flat button whose tooltip is also its accessible name.
QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent);
