// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

namespace credence {
struct Experiment;
}
class LaplacePanel;
class Notifier;
class ViewBinder;
class ViewTabs;
struct AppContext;

/// Each layer's weights: current, over training, and the evidence of a Laplace approximation.
class LayersDock : public QWidget {
    Q_OBJECT
public:
    LayersDock(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent);

private:
    void fit(const std::shared_ptr<const credence::Experiment>& experiment);

    ViewBinder& m_binder;
    ViewTabs* m_views;
    LaplacePanel* m_laplace;
    bool m_wasLaplace = false;
};
