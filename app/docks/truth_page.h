// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

class PictureDesk;
class ViewPanel;
struct Workspace;

/// *Against the reference*: how far each ticked run lies from the chains on show, as maps or bands with a table, and below it the boxplots of all of them at the chosen input, which a click in
/// any of the maps chooses.
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
