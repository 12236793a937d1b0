// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_stage.h"

#include "docks/centre.h"
#include "docks/prediction_area.h"
#include "parts/picture_desk.h"
#include "session/workspace.h"
#include "tools/simplex_workbench.h"

LessonStage lessonStage(QWidget& window, Workspace& workspace, StudyPanel& study, PictureDesk& desk, Centre& centre)
{
    return {.window    = window,
            .workspace = workspace,
            .study     = study,
            .showView  = [&desk, &centre](const QString& view) { desk.bringToFront(view, *centre.predictions()); },
            .openTab =
                [&centre](const QString& tab) {
        if (tab == QStringLiteral("predictions"))
            return centre.setCurrentWidget(centre.predictions());
        centre.setCurrentWidget(centre.simplex());
        centre.simplex()->showPage(tab == QStringLiteral("beta") ? 1 : 0);
            },
            .busy = [&workspace, &centre] { return workspace.scheduler.busy() || centre.busy(); }};
}
