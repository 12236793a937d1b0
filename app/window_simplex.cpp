// SPDX-License-Identifier: GPL-3.0-or-later
// The centre's tab *Simplex*.
#include "main_window.h"

#include "beta_panel.h"
#include "image_workbench.h"
#include "prediction_area.h"
#include "simplex_workbench.h"
#include "view_panel.h"

#include "figures/beta_figure.h"

#include <QTabWidget>
#include <QVBoxLayout>

using namespace credence;

void MainWindow::buildCentre(QVBoxLayout* column)
{
    m_centre = new QTabWidget(this);
    m_centre->setObjectName(QStringLiteral("centreTabs"));
    m_centre->setDocumentMode(true);
    m_simplex = new SimplexWorkbench(m_undo, this);
    m_simplex->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_centre->addTab(m_predictions, tr("Predictions"));
    m_centre->setTabToolTip(0, tr("What the network says: a map, a band, or a grid of images"));
    m_centre->addTab(m_simplex, tr("Simplex"));
    m_centre->setTabToolTip(1, tr("The law of the class probabilities beside its Laplace Bridge, by hand or of the chosen input; and the Beta view"));
    auto* maps = addView("laplace_maps");   // eight of them: here is room
    maps->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_centre->setTabToolTip(m_centre->addTab(maps, tr("Laplace maps")), tr("One net over the plane by Laplace approximations of all structures, and what the Dirichlet of the bridge says"));
    m_centre->setTabVisible(m_centre->indexOf(maps), false);
    column->addWidget(m_centre, 1);
    connect(m_simplex, &SimplexWorkbench::exportRequested, this, &MainWindow::exportDialog);
    connect(m_simplex, &SimplexWorkbench::becameVisible, this, &MainWindow::followSimplex);
    connect(m_simplex, &SimplexWorkbench::choiceChanged, this, [this] { request({panel(QStringLiteral("simplex"))}); });
}

void MainWindow::followSimplex()
{
    const auto moment = m_session.moment();
    if (!moment.experiment || !moment.snapshot)
        return;
    auto options = m_options;
    m_image->addTo(options);
    m_simplex->follow(moment, options);
}

/// Figures that belong to no run: file name and title.
std::vector<std::pair<QString, QString>> MainWindow::ownFigures() const
{
    return {{QStringLiteral("simplex_by_hand"), tr("Simplex of the tab")}, {QStringLiteral("beta"), tr("Beta distribution of the tab")}};
}

std::optional<ViewQueue::Maker> MainWindow::makerOfOwnFigure(const QString& id) const
{
    if (id == QStringLiteral("simplex_by_hand"))
        return [chart = m_simplex->fullChart()](std::stop_token) { return chart; };
    if (id == QStringLiteral("beta"))
        return [law = m_simplex->beta()->law()](std::stop_token) { return to_chart(beta_laplace(law)); };
    return {};
}
