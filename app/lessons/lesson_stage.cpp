// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_stage.h"

#include "docks/main_tabs.h"
#include "docks/prediction_area.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "tools/simplex_workbench.h"

LessonStage lessonStage(QWidget& window, AppContext& context, StudyPanel& study, ViewBinder& binder, MainTabs& centre)
{
    return {.window   = window,
            .context  = context,
            .study    = study,
            .showView = [&binder, &centre](const QString& view) { binder.bringToFront(view, *centre.predictions()); },
            .openTab =
                [&centre](const QString& tab) {
        if (tab == QStringLiteral("predictions"))
            return centre.setCurrentWidget(centre.predictions());
        centre.setCurrentWidget(centre.simplex());
        centre.simplex()->showPage(tab == QStringLiteral("beta") ? 1 : 0);
            },
            .busy = [&context, &centre] { return context.scheduler.busy() || centre.busy(); }};
}
