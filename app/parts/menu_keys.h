// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Keys of the menus act while a field of one line or a number has the focus, too. Under X11 such a field takes Ctrl+D, E, K and U for itself, as shells do, so that nothing would be
/// exported from there. Copy, cut, paste, undo, redo and select all stay the field's, and so does
/// every key that no menu has; in a number in which nothing is being typed, undo and redo are those of the menu.
class MenuKeys : public QObject {
    Q_OBJECT
public:
    explicit MenuKeys(QObject* parent);   ///< of the whole program, while it lives

    bool eventFilter(QObject* watched, QEvent* event) override;
};
