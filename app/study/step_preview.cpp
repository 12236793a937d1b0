// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_panel.h"

#include "charts/chart.h"
#include "parts/appearance.h"
#include "study/method.h"
#include "views/training_curves.h"
#include "widgets/chart_view.h"

#include <QVBoxLayout>

using namespace credence;

namespace {

constexpr int linesHigh = 8;   ///< of text

}   // namespace

StepPreview::StepPreview(QWidget* parent) : QWidget(parent), m_picture(new ChartView(this))
{
    setObjectName(QStringLiteral("stepPreview"));
    m_picture->setAccessibleName(tr("Preview of step sizes and saved draws"));
    setToolTip(tr("Preview the learning rate over the steps of a run with the settings above; marks show saved draws, "
                  "shading shows steps without saved draws"));
    // The wheel scrolls the form, and Tab skips the chart.
    m_picture->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_picture->setFocusPolicy(Qt::NoFocus);
    fixWithText(m_picture, 0, linesHigh * fontMetrics().height() * usualText / textSize());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 2, 0, 2);
    all->addWidget(m_picture);
    hide();
}

void StepPreview::showStepsOf(const Study& study)
{
    const bool shown = has_step_schedule(study);
    setVisible(shown);
    if (!shown)
        return;
    Chart chart = to_chart(step_schedule(plan_of(study)));
    for (auto& panel : chart.panels)
        panel.legend = false;   // no space here: the tooltip has the same text
    m_picture->setChart(chart);
}

const Chart& StepPreview::chart() const { return m_picture->chart(); }
