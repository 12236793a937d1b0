// SPDX-License-Identifier: GPL-3.0-or-later
// The centre's tab *Simplex*.
#include "window/main_window.h"

#include "docks/prediction_area.h"
#include "docks/view_panel.h"
#include "images/image_workbench.h"
#include "tools/beta_panel.h"
#include "tools/law_choice.h"
#include "tools/simplex_workbench.h"

#include "figures/beta_figure.h"

#include <QTabWidget>
#include <QVBoxLayout>

using namespace credence;

namespace {

constexpr const char* lawViews[] = {"simplex", "beta_marginals", "list_lengths"};

}   // namespace

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
    m_centre->setTabToolTip(
        1,
        tr("The law of the class probabilities beside its Laplace Bridge, by hand or of the chosen input; and the Beta view"));
    auto* maps = addView("laplace_maps");   // eight of them: here is room
    maps->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_centre->setTabToolTip(
        m_centre->addTab(maps, tr("Laplace maps")),
        tr("One net over the plane by Laplace approximations of all structures, and what the Dirichlet of the bridge says"));
    m_centre->setTabVisible(m_centre->indexOf(maps), false);
    column->addWidget(m_centre, 1);
    connect(m_simplex, &SimplexWorkbench::exportRequested, this, &MainWindow::exportDialog);
    connect(m_simplex, &SimplexWorkbench::becameVisible, this, &MainWindow::followSimplex);
    connect(m_simplex, &SimplexWorkbench::choiceChanged, this, [this] { request({panel(QStringLiteral("simplex"))}); });
    connect(m_simplex, &SimplexWorkbench::variantChanged, this, [this] {
        m_law->setVariant(m_simplex->variant());
        requestLaws();
    });
    m_law = new LawChoice(this);
    m_law->setVariant(m_simplex->variant());
    connect(m_law, &LawChoice::variantChosen, m_simplex, &SimplexWorkbench::setVariant);
    connect(m_law, &LawChoice::logitsChosen, this, [this] {
        m_options.logits_by = m_law->logitsBy();
        requestLaws();
    });
}

/// The views that one choice of bridge and logits belongs to.
void MainWindow::requestLaws()
{
    std::vector<ViewPanel*> panels;
    for (const char* id : lawViews)
        panels.push_back(panel(QString::fromLatin1(id)));
    request(panels);
}

void MainWindow::addLawControls()
{
    for (const char* id : lawViews) {
        auto* view = panel(QString::fromLatin1(id));
        view->addControl(m_law->makeControl(QString::fromLatin1(id), view));
    }
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
    std::vector<std::pair<QString, QString>> figures;
    if (const auto& simplex = m_simplex->fullChart();
        !simplex.panels.empty() || simplex.table)   // nothing of a tab that was never opened
        figures.emplace_back(QStringLiteral("simplex_by_hand"), tr("Simplex of the tab"));
    figures.emplace_back(QStringLiteral("beta"), tr("Beta distribution of the tab"));
    return figures;
}

std::optional<ViewScheduler::Maker> MainWindow::makerOfOwnFigure(const QString& id) const
{
    if (id == QStringLiteral("simplex_by_hand"))
        return [chart = m_simplex->fullChart()](std::stop_token) { return chart; };
    if (id == QStringLiteral("beta"))
        return [law = m_simplex->beta()->law()](std::stop_token) { return to_chart(beta_laplace(law)); };
    return {};
}
