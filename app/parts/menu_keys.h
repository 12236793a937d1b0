// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Makes menu keys work while a text or number field has the focus. Under X11 such a field uses
/// Ctrl+D, E, K and U for itself, as shells do, which would block the menu. Copy, cut, paste, undo,
/// redo and select all stay with the field; in a number field without uncommitted text, undo and
/// redo are those of the menu.
class MenuKeys : public QObject {
    Q_OBJECT
public:
    explicit MenuKeys(QObject* parent);   ///< of the whole program, while it lives

    bool eventFilter(QObject* watched, QEvent* event) override;
};
