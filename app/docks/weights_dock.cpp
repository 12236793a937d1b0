// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/weights_dock.h"

#include "docks/no_weights.h"
#include "docks/pruning_control.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "session/app_context.h"

#include <QSpinBox>
#include <QVBoxLayout>

using namespace credence;

namespace {

/// The views of pruning itself.
const QStringList prunedViews{QStringLiteral("weights"), QStringLiteral("signal_to_noise"),
                              QStringLiteral("pruning_curve")};

}   // namespace

WeightsDock::WeightsDock(AppContext& context, ViewBinder& binder, QWidget* parent) : QWidget(parent)
{
    auto* views = new ViewTabs(binder,
                               {{"weights", tr("Histograms")},
                                {"signal_to_noise", tr("SNR")},
                                {"pruning_curve", tr("Pruning")},
                                {"one_weight", tr("One weight")},
                                {"prior_and_start", tr("Prior")},
                                {"kernels", tr("Kernels")}},
                               this);
    binder.panel(QStringLiteral("one_weight"))->addControl(buildWeight(context, binder));
    auto* prune  = new PruningControl(context, this);
    auto* known  = new QWidget(this);
    auto* inside = new QVBoxLayout(known);
    inside->addWidget(views, 1);
    inside->addWidget(prune);
    auto* column = new QVBoxLayout(this);
    column->addWidget(new NoWeights(binder, known, this), 1);
    column->addWidget(known, 1);
    for (auto* layout : {inside, column}) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
    }
    connect(views, &QTabWidget::currentChanged, prune, [views, prune, &binder] {
        const auto shows = [&](const QString& view) { return views->currentWidget() == binder.panel(view); };
        prune->setVisible(std::any_of(prunedViews.begin(), prunedViews.end(), shows));
    });
}

QSpinBox* WeightsDock::buildWeight(AppContext& context, ViewBinder& binder)
{
    auto* weight = new QSpinBox(this);
    weight->setObjectName(QStringLiteral("weightIndex"));
    weight->setPrefix(tr("weight "));
    weight->setAccessibleName(tr("Displayed weight, by its index in the flat weight vector"));
    connect(weight, &QSpinBox::valueChanged, &context.choices, [&choices = context.choices](int index) {
        choices.set({QStringLiteral("one_weight")},
                    [index](ViewOptions& options) { options.weight = static_cast<std::size_t>(index); });
    });
    connect(&binder, &ViewBinder::fitted, weight, [weight](const std::shared_ptr<const Experiment>& experiment) {
        const QSignalBlocker quiet(weight);
        weight->setRange(0, static_cast<int>(experiment->start->layout().size()) - 1);
    });
    return weight;
}
