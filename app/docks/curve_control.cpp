// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/curve_control.h"

#include "session/view_choices.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>

using namespace credence;

CurveControl::CurveControl(ViewChoices& choices, QWidget* parent) : QWidget(parent)
{
    auto* quantity = new QComboBox(this);
    quantity->setObjectName(QStringLiteral("curveQuantity"));
    quantity->setAccessibleName(tr("Quantity of the curves"));
    quantity->setToolTip(
        tr("Select the quantity. Errors: training set dashed, validation or test set solid. Loss: of the minibatches. "
           "KL: from posterior to prior"));
    for (const auto& [value, title] : {std::pair{CurveQuantity::error, tr("Errors")},
                                       {CurveQuantity::loss, tr("Loss")},
                                       {CurveQuantity::kl, tr("KL")}})
        quantity->addItem(title, static_cast<int>(value));
    auto* logarithmic = new QCheckBox(tr("log"), this);
    logarithmic->setObjectName(QStringLiteral("curveLogarithmic"));
    logarithmic->setAccessibleName(tr("Logarithmic curve axis"));
    logarithmic->setToolTip(tr("Use a logarithmic axis, which separates small errors; an error of 0 leaves a gap"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(quantity);
    row->addWidget(logarithmic);
    const auto tell = [&choices, quantity, logarithmic] {
        choices.set({QStringLiteral("overlay_training_curves")}, [quantity, logarithmic](ViewOptions& options) {
            options.curves = {static_cast<CurveQuantity>(quantity->currentData().toInt()), logarithmic->isChecked()};
        });
    };
    connect(quantity, &QComboBox::currentIndexChanged, &choices, tell);
    connect(logarithmic, &QCheckBox::toggled, &choices, tell);
}
