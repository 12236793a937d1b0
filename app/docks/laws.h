// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class LawChoice;
class PictureDesk;
class SimplexWorkbench;
struct Workspace;

/// How the views of a run compute a distribution of the class probabilities from the weights, and
/// the tab *Simplex*, which shows one.
class Laws : public QObject {
    Q_OBJECT
public:
    Laws(Workspace& workspace, PictureDesk& desk, SimplexWorkbench* simplex);
    /// Adds the control to these views.
    void addControls(const QStringList& views);

private:
    void followRun();

    Workspace& m_workspace;
    PictureDesk& m_desk;
    SimplexWorkbench& m_simplex;
    LawChoice* m_choice;
};
