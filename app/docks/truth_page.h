// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

class ViewBinder;
class ViewPanel;
struct AppContext;

/// *Against the reference*: distance of each ticked run from the displayed chains, as maps or bands
/// with a table, and boxplots of all of them at the selected input. A click in a map selects the
/// input.
class TruthPage : public QSplitter {
    Q_OBJECT
public:
    TruthPage(AppContext& context, ViewBinder& binder, QWidget* parent);
    ViewPanel* maps() const { return m_maps; }

private:
    void choose(double x, double y);
    void mark();

    AppContext& m_context;
    ViewPanel* m_maps;
};
