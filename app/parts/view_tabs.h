// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

#include <initializer_list>
#include <string>
#include <utility>

namespace credence {
struct Experiment;
}
class PictureDesk;
class QStackedWidget;
class ViewPanel;

/// Of the views among the pages only those that this run allows; where it allows none, all stay as they are, and who owns the pages hides them.
void showTabsFor(const credence::Experiment& experiment, QTabWidget& tabs);

/// Shows or hides a tab where it stands. A hidden one is disabled, too: else the wheel and the arrow keys would come to it (Qt 6.4).
void setTabThere(QTabWidget& tabs, int index, bool there);

/// Shows or hides the tab of one page; the others keep their order.
void setTabShown(QTabWidget& tabs, QWidget* page, bool shown);

/// Brings a widget to the front: its tab, those around it, and the dock that they stand in.
void bringIntoSight(QWidget& widget);

/// Views behind tabs; the small buttons of the one in front stand in the corner.
class ViewTabs : public QTabWidget {
    Q_OBJECT
public:
    ViewTabs(PictureDesk& desk, std::initializer_list<std::pair<const char*, QString>> views, QWidget* parent);
    void add(PictureDesk& desk, const std::string& view, const QString& title);   ///< behind the others
    void insert(int at, ViewPanel* panel, const QString& title);                  ///< that has its place already
    /// A page in front of the views, whose tools stand inside.
    void addFirst(QWidget* page, const QString& title, const QString& tip);

private:
    QStackedWidget* m_corner;
};
