// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/view_scheduler.h"

#include <QObject>

class ImageWorkbench;
class ViewBinder;
struct ImageRequest;
struct AppContext;

/// The tab *Image* of the selected input: a drawn or modified image becomes the selected input, and
/// its charts are inside the tab.
class ImageTab : public QObject {
    Q_OBJECT
public:
    ImageTab(AppContext& context, ViewBinder& binder, QWidget* parent);
    ImageWorkbench* workbench() const { return m_workbench; }

private:
    void take(const ImageRequest& request);
    void followSelection();
    std::vector<ViewScheduler::Request> wanted(int samples);

    AppContext& m_context;
    ImageWorkbench* m_workbench;
};
