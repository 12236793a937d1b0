// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

class PictureDesk;
class ViewPanel;
struct Workspace;

/// *Against the reference*: distance of each ticked run from the displayed chains, as maps or bands
/// with a table, and boxplots of all of them at the selected input. A click in a map selects the
/// input.
class TruthPage : public QSplitter {
    Q_OBJECT
public:
    TruthPage(Workspace& workspace, PictureDesk& desk, QWidget* parent);
    ViewPanel* maps() const { return m_maps; }

private:
    void choose(double x, double y);
    void mark();

    Workspace& m_workspace;
    ViewPanel* m_maps;
};
