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

/// Lists the tab stops of these parts in layout order: lines from top to bottom, each from its
/// start. Creation order would follow the code instead of the reading order.
std::vector<QWidget*> stopsAsLaidOut(const std::vector<QWidget*>& parts);

/// Sets the tab order of these parts accordingly.
void orderTabs(const std::vector<QWidget*>& parts);

/// The mouse wheel changes a combo box, number box or slider only while it has the keyboard focus.
/// Otherwise it scrolls the enclosing area and does not change the focus. One event filter for the
/// whole program.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    static void install();   ///< once for the application; further calls do nothing

private:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

class QCoreApplication;

/// Reads and writes numbers with a decimal point in any desktop language, in Qt and in the C
/// library, which Qt switches to the desktop's locale. A comma typed into a decimal box, as on many
/// number pads, becomes a point. Call it once the application exists.
void useDecimalPoints(QCoreApplication& application);
