// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class LawChoice;
class PictureDesk;
class SimplexWorkbench;
struct Workspace;

/// How the views of a run get from weights to a law of the class probabilities, and the tab *Simplex* that looks at one of them.
class Laws : public QObject {
    Q_OBJECT
public:
    Laws(Workspace& workspace, PictureDesk& desk, SimplexWorkbench* simplex);
    /// The choice beside these views.
    void addControls(const QStringList& views);

private:
    void followRun();

    Workspace& m_workspace;
    PictureDesk& m_desk;
    SimplexWorkbench& m_simplex;
    LawChoice* m_choice;
};
