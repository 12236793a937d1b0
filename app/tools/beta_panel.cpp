// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/beta_panel.h"

#include "docks/view_panel.h"
#include "parts/help_mark.h"

#include "figures/beta_figure.h"
#include "figures/simplex_presets.h"
#include "views/views.h"
#include "widgets/chart_view.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

namespace {

constexpr double smallest = 0.05, largest = 200;
constexpr int perDecade = 100;   ///< steps of a slider

int notch(double shape) { return static_cast<int>(std::lround(perDecade * std::log10(shape))); }
double shapeAt(int notch) { return std::pow(10.0, static_cast<double>(notch) / perDecade); }

const View& betaView()
{
    static const View view = [] {
        View v;
        v.id    = "beta";
        v.title = "Beta distribution";
        v.help =
            "Why the bridge goes through the softmax basis. A Laplace approximation is the Gaussian at the mode of a density, with the curvature of its logarithm there. On π itself "
            "(left) a Beta(a, b) has a mode only for a, b > 1, at (a − 1)/(a + b − 2) with variance (a − 1)(b − 1)/(a + b − 2)³, and the Gaussian reaches beyond 0 and 1. As a density of "
            "y = logit π (middle) it is π^a (1 − π)^b/B(a, b), which has a mode for every a, b > 0: ln(a/b), with variance 1/a + 1/b. Carried back to π (right) that Gaussian stays "
            "within [0, 1]. Source: Hobbhahn 2020, Fig. 2.1; MacKay 1998.";
        return v;
    }();
    return view;
}

}   // namespace

BetaPanel::BetaPanel(QWidget* parent) : QWidget(parent), m_picture(new ViewPanel(betaView(), this))
{
    setObjectName(QStringLiteral("betaPanel"));
    m_picture->chartView()->setZoomEnabled(false);
    connect(&m_job, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_picture->setChart({.id = "beta", .message = sentence.toStdString()});
    });
    connect(m_picture, &ViewPanel::exportRequested, this, [this] { Q_EMIT exportRequested(QStringLiteral("beta")); });
    auto* presets = new QToolButton(this);
    presets->setObjectName(QStringLiteral("betaPresets"));
    presets->setText(tr("Preset"));
    presets->setToolTip(tr("Shapes worth looking at, also those of the figure in the thesis"));
    presets->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(presets);
    for (const auto& preset : beta_presets())
        menu->addAction(QString::fromStdString(preset.title), this, [this, law = preset.law] { setLaw(law); });
    presets->setMenu(menu);
    m_picture->addControl(presets);

    auto* grid = new QGridLayout;
    grid->setContentsMargins(8, 0, 4, 4);
    grid->setColumnStretch(1, 1);
    m_a = addRow(
        grid, QStringLiteral("a"),
        tr("<b>a</b><p>The first shape of Beta(a, b), density π<sup>a−1</sup>(1 − π)<sup>b−1</sup>/B(a, b): pseudo-counts of the class. Mean a/(a + b). "
           "At 1 or below the density has no mode inside (0, 1).</p>"));
    m_b = addRow(grid, QStringLiteral("b"), tr("<b>b</b><p>The second shape: pseudo-counts of the other class.</p>"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_picture, 1);
    all->addLayout(grid);
    setLaw(m_law);
}

BetaPanel::Row BetaPanel::addRow(QGridLayout* grid, const QString& name, const QString& help)
{
    const Row row{new QSlider(Qt::Horizontal, this), new QDoubleSpinBox(this)};
    row.slider->setObjectName(QStringLiteral("beta_%1_slider").arg(name));
    row.slider->setRange(notch(smallest), notch(largest));
    row.slider->setPageStep(perDecade / 5);
    row.slider->setAccessibleName(tr("Shape %1").arg(name));
    row.box->setObjectName(QStringLiteral("beta_%1").arg(name));
    row.box->setRange(smallest, largest);
    row.box->setDecimals(2);
    row.box->setSingleStep(0.1);
    row.box->setKeyboardTracking(false);
    row.box->setAccessibleName(tr("Shape %1").arg(name));
    row.box->setToolTip(tr("Shape %1 of the Beta distribution, %2 to %3").arg(name).arg(smallest).arg(largest));
    auto* label = new QLabel(name, this);
    label->setBuddy(row.box);
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(row.slider, line, 1);
    grid->addWidget(row.box, line, 2);
    grid->addWidget(new HelpMark(
                        tr("Shape %1").arg(name), [help] { return help; }, this),
                    line, 3);
    connect(row.slider, &QSlider::valueChanged, this, [row](int value) { row.box->setValue(shapeAt(value)); });
    connect(row.box, &QDoubleSpinBox::valueChanged, this, [this] { setLaw({m_a.box->value(), m_b.box->value()}); });
    return row;
}

void BetaPanel::setLaw(const Beta& law)
{
    m_law = {std::clamp(law.a, smallest, largest), std::clamp(law.b, smallest, largest)};
    for (const auto& [row, shape] : {std::pair{m_a, m_law.a}, std::pair{m_b, m_law.b}}) {
        const QSignalBlocker quietBox(row.box), quietSlider(row.slider);
        row.box->setValue(shape);
        row.slider->setValue(notch(shape));
    }
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
