// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

namespace credence {
struct Experiment;
}
class LaplacePanel;
class Messages;
class PictureDesk;
class ViewTabs;
struct Workspace;

/// Each layer's weights: current, over training, and the evidence of a Laplace approximation.
class LayersDock : public QWidget {
    Q_OBJECT
public:
    LayersDock(Workspace& workspace, PictureDesk& desk, Messages& messages, QWidget* parent);

private:
    void fit(const std::shared_ptr<const credence::Experiment>& experiment);

    PictureDesk& m_desk;
    ViewTabs* m_views;
    LaplacePanel* m_laplace;
    bool m_wasLaplace = false;
};
