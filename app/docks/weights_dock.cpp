// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/weights_dock.h"

#include "docks/no_weights.h"
#include "docks/pruning_control.h"
#include "parts/picture_desk.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "session/workspace.h"

#include <QSpinBox>
#include <QVBoxLayout>

using namespace credence;

namespace {

/// The views of pruning itself.
const QStringList prunedViews{QStringLiteral("weights"), QStringLiteral("signal_to_noise"),
                              QStringLiteral("pruning_curve")};

}   // namespace

WeightsDock::WeightsDock(Workspace& workspace, PictureDesk& desk, QWidget* parent) : QWidget(parent)
{
    auto* views = new ViewTabs(desk,
                               {{"weights", tr("Histograms")},
                                {"signal_to_noise", tr("SNR")},
                                {"pruning_curve", tr("Pruning")},
                                {"one_weight", tr("One weight")},
                                {"prior_and_start", tr("Prior")},
                                {"kernels", tr("Kernels")}},
                               this);
    desk.panel(QStringLiteral("one_weight"))->addControl(buildWeight(workspace, desk));
    auto* prune  = new PruningControl(workspace, this);
    auto* known  = new QWidget(this);
    auto* inside = new QVBoxLayout(known);
    inside->addWidget(views, 1);
    inside->addWidget(prune);
    auto* column = new QVBoxLayout(this);
    column->addWidget(new NoWeights(desk, known, this), 1);
    column->addWidget(known, 1);
    for (auto* layout : {inside, column}) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
    }
    connect(views, &QTabWidget::currentChanged, prune, [views, prune, &desk] {
        const auto shows = [&](const QString& view) { return views->currentWidget() == desk.panel(view); };
        prune->setVisible(std::any_of(prunedViews.begin(), prunedViews.end(), shows));
    });
}

QSpinBox* WeightsDock::buildWeight(Workspace& workspace, PictureDesk& desk)
{
    auto* weight = new QSpinBox(this);
    weight->setObjectName(QStringLiteral("weightIndex"));
    weight->setPrefix(tr("weight "));
    weight->setAccessibleName(tr("Displayed weight, by its index in the flat weight vector"));
    connect(weight, &QSpinBox::valueChanged, &workspace.choices, [&choices = workspace.choices](int index) {
        choices.set({QStringLiteral("one_weight")},
                    [index](ViewOptions& options) { options.weight = static_cast<std::size_t>(index); });
    });
    connect(&desk, &PictureDesk::fitted, weight, [weight](const std::shared_ptr<const Experiment>& experiment) {
        const QSignalBlocker quiet(weight);
        weight->setRange(0, static_cast<int>(experiment->start->layout().size()) - 1);
    });
    return weight;
}
