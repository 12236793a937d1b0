// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

#include <initializer_list>
#include <string>
#include <utility>

namespace credence {
struct Experiment;
}
class ViewBinder;
class QStackedWidget;
class ViewPanel;

/// Shows only the pages of views that this run supports; if it supports none, nothing changes and
/// the owner hides the pages.
void showTabsFor(const credence::Experiment& experiment, QTabWidget& tabs);

/// Shows or hides a tab in its place. A hidden one is also disabled; otherwise wheel and arrow keys
/// could select it (Qt 6.4).
void setTabThere(QTabWidget& tabs, int index, bool there);

/// Shows or hides the tab of one page; the order does not change.
void setTabShown(QTabWidget& tabs, QWidget* page, bool shown);

/// Views as tabs; the tool buttons of the current one are in the corner.
class ViewTabs : public QTabWidget {
    Q_OBJECT
public:
    ViewTabs(ViewBinder& binder, std::initializer_list<std::pair<const char*, QString>> views, QWidget* parent);
    void add(ViewBinder& binder, const std::string& view, const QString& title);   ///< at the end
    void insert(int at, ViewPanel* panel, const QString& title);                   ///< that has its place already
    /// Adds a page before the views, with its own tool buttons.
    void addFirst(QWidget* page, const QString& title, const QString& tip);

private:
    QStackedWidget* m_corner;
};
