// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <vector>

class QAction;
class QMenuBar;
class QWidget;

/// One key, or several with the same effect.
struct KeyLine {
    QString place;   ///< the menu, or what has the focus
    QString keys, what;
};

/// All keys of the menus, and those specific to charts, fields and pages.
std::vector<KeyLine> keyLines(const QMenuBar& bar);
/// The keys as a table. @param filter  words that a line must contain; empty: all lines
QString keysAsHtml(const std::vector<KeyLine>& lines, const QString& filter = {});
/// Property of menus and actions that also work while a page is in front of the Study: those that
/// change no Study, run or file.
inline constexpr const char* keysEverywhere = "keysEverywhere";
bool worksEverywhere(const QAction& action);
/// Leaves the page in front only the menu keys that work everywhere and that it does not use itself.
/// @param page  null: the Study is in front, with all keys
void giveKeysTo(const QMenuBar& bar, const QWidget* page);

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
