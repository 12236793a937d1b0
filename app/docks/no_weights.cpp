// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/no_weights.h"

#include "parts/view_binder.h"
#include "work/text.h"

#include "runs/experiment.h"

using namespace credence;

NoWeights::NoWeights(ViewBinder& binder, QWidget* instead, QWidget* parent) : QLabel(parent)
{
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    setMargin(12);
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    hide();
    connect(&binder, &ViewBinder::fitted, this, [this, instead](const std::shared_ptr<const Experiment>& experiment) {
        const auto& outputs = experiment->outputs;
        if (outputs)
            setText(
                tr("%1 contains predictions only; its weights are not available.").arg(toQString(outputs->own.name)));
        setVisible(outputs != nullptr);
        instead->setVisible(outputs == nullptr);
    });
}
