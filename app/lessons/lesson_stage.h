// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class MainTabs;
class ViewBinder;
class QWidget;
class StudyPanel;
struct AppContext;

/// What lessons need from their window.
struct LessonStage {
    QWidget& window;
    AppContext& context;
    StudyPanel& study;
    std::function<void(const QString& view)> showView;   ///< brings the view to the front
    std::function<void(const QString& tool)> openTab;    ///< predictions, simplex or beta
    std::function<bool()> busy;                          ///< is a chart requested or in progress?
};

/// Those of the program's window.
LessonStage lessonStage(QWidget& window, AppContext& context, StudyPanel& study, ViewBinder& binder, MainTabs& centre);
