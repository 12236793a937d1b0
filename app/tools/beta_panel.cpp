// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/beta_panel.h"

#include "parts/help_mark.h"
#include "parts/number_slider.h"
#include "parts/view_panel.h"
#include "work/text.h"

#include "figures/beta_figure.h"
#include "figures/simplex_presets.h"
#include "views/views.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

constexpr double smallest = 0.05, largest = 200;

const View& betaView()
{
    static const View view = [] {
        View v;
        v.id    = "beta";
        v.title = "Beta distribution";
        v.help =
            "Why the bridge uses the softmax basis. A Laplace approximation is the Gaussian at the mode of a "
            "density, with the curvature of its logarithm there. On π itself (left) a Beta(a, b) has a mode only "
            "for a, b > 1, at (a − 1)/(a + b − 2) with variance (a − 1)(b − 1)/(a + b − 2)³, and the Gaussian "
            "extends beyond 0 and 1. As a density of y = logit π (middle) it is π^a (1 − π)^b/B(a, b), which has a "
            "mode for every a, b > 0: ln(a/b), with variance 1/a + 1/b. Transformed back to π (right), that "
            "Gaussian stays within [0, 1]. Source: Hobbhahn 2020, Fig. 2.1; MacKay 1998.";
        return v;
    }();
    return view;
}

}   // namespace

BetaPanel::BetaPanel(QWidget* parent) : QWidget(parent), m_picture(new ViewPanel(betaView(), this))
{
    setObjectName(QStringLiteral("betaPanel"));
    m_picture->chartView()->hand().setZoomEnabled(false);
    connect(&m_job, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_picture->setChart({.id = "beta", .message = sentence.toStdString()});
    });
    connect(m_picture, &ViewPanel::exportRequested, this, [this] { Q_EMIT exportRequested(QStringLiteral("beta")); });
    auto* presets = new QToolButton(this);
    presets->setObjectName(QStringLiteral("betaPresets"));
    presets->setText(tr("Preset"));
    presets->setToolTip(tr("Load an instructive shape, including those of the figure in the thesis"));
    presets->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(presets);
    for (const auto& preset : beta_presets())
        menu->addAction(toQString(preset.title), this, [this, law = preset.law] { setLaw(law); });
    presets->setMenu(menu);
    m_picture->addControl(presets);

    auto* grid = new QGridLayout;
    grid->setContentsMargins(8, 0, 4, 4);
    grid->setColumnStretch(1, 1);
    m_a = addRow(
        grid, QStringLiteral("a"),
        tr("<b>a</b><p>The first shape parameter of Beta(a, b), density π<sup>a−1</sup>(1 − π)<sup>b−1</sup>/B(a, "
           "b): pseudo-counts of the class. Mean a/(a + b). At 1 or below the density has no mode inside (0, "
           "1).</p>"));
    m_b       = addRow(grid, QStringLiteral("b"),
                       tr("<b>b</b><p>The second shape parameter: pseudo-counts of the other "
                                "class.</p>"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_picture, 1);
    all->addLayout(grid);
    setLaw(m_law);
}

NumberSlider* BetaPanel::addRow(QGridLayout* grid, const QString& name, const QString& help)
{
    auto* made = new NumberSlider(
        {.name     = QStringLiteral("beta_%1").arg(name),
         .title    = tr("Shape %1").arg(name),
         .low      = smallest,
         .high     = largest,
         .step     = 0.1,
         .value    = 1,
         .decimals = 2,
         .tip   = tr("Set shape parameter %1 of the Beta distribution, %2 to %3").arg(name).arg(smallest).arg(largest),
         .scale = NumberSlider::Scale::logarithmic},
        this);
    auto* label = new QLabel(name, this);
    label->setBuddy(made->box());
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(made, line, 1);
    grid->addWidget(new HelpMark(
                        tr("Shape %1").arg(name), [help] { return help; }, this),
                    line, 2);
    connect(made, &NumberSlider::valueChanged, this, [this] { take({m_a->value(), m_b->value()}); });
    return made;
}

void BetaPanel::setLaw(const Beta& law)
{
    take({std::clamp(law.a, smallest, largest), std::clamp(law.b, smallest, largest)});
    m_a->setValue(m_law.a);
    m_b->setValue(m_law.b);
}

void BetaPanel::take(const Beta& law)
{
    m_law   = law;
    m_stale = true;
    request();
}

const Chart& BetaPanel::chart() const { return m_picture->chart(); }

void BetaPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    request();
}

void BetaPanel::request()
{
    if (!m_stale || !isVisible())
        return;
    m_stale = false;
    m_job.submit([this, law = m_law](std::stop_token, Worker::Progress&) -> Worker::Show {
        const Chart chart = to_chart(beta_laplace(law));
        return [this, chart] { m_picture->setChart(chart); };
    });
}
