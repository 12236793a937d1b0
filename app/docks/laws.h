// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class LawChoice;
class ViewBinder;
class SimplexWorkbench;
struct AppContext;

/// How the views of a run compute a distribution of the class probabilities from the weights, and
/// the tab *Simplex*, which shows one.
class Laws : public QObject {
    Q_OBJECT
public:
    Laws(AppContext& context, ViewBinder& binder, SimplexWorkbench* simplex);
    /// Adds the control to these views.
    void addControls(const QStringList& views);

private:
    void followRun();

    AppContext& m_context;
    ViewBinder& m_binder;
    SimplexWorkbench& m_simplex;
    LawChoice* m_choice;
};
