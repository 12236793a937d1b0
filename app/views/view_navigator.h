// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/view_scheduler.h"

#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class MainTabs;
class QWidget;
class ViewBinder;
class ViewPanel;
struct AppContext;

/// Shows a view wherever it has its panel, and reports the view in front. All code shows views
/// through this class. The simplex and the Beta distribution, which belong to no run, count as
/// views here.
class ViewNavigator {
public:
    static const QString simplex, beta;   ///< ids of those two

    ViewNavigator(const AppContext& context, const ViewBinder& binder, MainTabs& tabs)
        : m_context(context), m_binder(binder), m_tabs(tabs)
    {}

    /// @param front  brings the part of the window that contains a control to the front before the
    /// control is shown
    void setFront(std::function<void(QWidget& control)> front) { m_front = std::move(front); }
    void show(const QString& view) const;          ///< shows the predictions for a view without a panel
    void reveal(QWidget& control) const;           ///< shows its view, opens its part of the window, scrolls to it
    ViewPanel* panel(const QString& view) const;   ///< null: no such view in the window
    QString current() const;                       ///< the default figure of Ctrl+E
    void copyCurrent() const;
    bool busy() const;   ///< is a chart requested or in progress?

    /// Figures that do not belong to a run: file name and title.
    std::vector<std::pair<QString, QString>> ownFigures() const;
    std::optional<ViewScheduler::Maker> ownFigure(const QString& id) const;

private:
    void showRows() const;

    const AppContext& m_context;
    const ViewBinder& m_binder;
    MainTabs& m_tabs;
    std::function<void(QWidget&)> m_front = [](QWidget&) {};
};
