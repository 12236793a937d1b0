// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/layers_dock.h"

#include "docks/laplace_panel.h"
#include "docks/no_weights.h"
#include "docks/notifier.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "session/app_context.h"

#include "study/method.h"

#include <QVBoxLayout>

using namespace credence;

namespace {

const QString laplaceView = QStringLiteral("laplace_evidence");

}   // namespace

LayersDock::LayersDock(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_binder(binder), m_views(new ViewTabs(binder,
                                                              {{"layers", tr("Current")},
                                                               {"layers_over_training", tr("Over training")},
                                                               {"laplace_evidence", tr("Laplace")}},
                                                              this)),
      m_laplace(new LaplacePanel(context.document, this))
{
    m_views->setObjectName(QStringLiteral("layersTabs"));
    m_laplace->hide();
    const auto say = [&notifier](const QString& sentence) { notifier.say(sentence); };
    connect(m_laplace, &LaplacePanel::refused, this, say);
    connect(&context.session.currentRun(), &CurrentRun::fitSaid, this, say);
    connect(m_views, &QTabWidget::currentChanged, this,
            [this] { m_laplace->setVisible(m_views->currentWidget() == m_binder.panel(laplaceView)); });
    connect(&binder, &ViewBinder::fitted, this, &LayersDock::fit);
    auto* known  = new QWidget(this);
    auto* inside = new QVBoxLayout(known);
    inside->addWidget(m_views, 1);
    inside->addWidget(m_laplace);
    auto* column = new QVBoxLayout(this);
    column->addWidget(new NoWeights(binder, known, this), 1);
    column->addWidget(known, 1);
    for (auto* layout : {inside, column}) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
    }
}

void LayersDock::fit(const std::shared_ptr<const Experiment>& experiment)
{
    const bool laplace = method_of(experiment->study).fits_curvature;
    if (laplace && !std::exchange(m_wasLaplace, laplace))
        m_views->setCurrentWidget(m_binder.panel(laplaceView));   // where its precision is moved
    m_wasLaplace = laplace;
}
