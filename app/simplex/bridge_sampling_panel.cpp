// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/bridge_sampling_panel.h"

#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "work/text.h"

#include "widgets/chart_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace credence;

namespace {

QString bridgeSamplingPanelHelp()
{
    return BridgeSamplingPanel::tr(
               "<p>A network gives a Gaussian over the logits z; the goal is the distribution p of softmax(z). Samples "
               "can be counted in the cells of a triangle: the more samples, the closer the histogram is to p. The "
               "<b>Laplace Bridge</b> gives a Dirichlet at once.</p><p>Left to right: number of samples. KL(p‖q) = Σ "
               "P_b ln(P_b/Q_b), P_b the exact probability of a cell, Q_b = (n_b + ½)/(n + ½·cells), in nats. "
               "Horizontal lines: exact KL of the variants of the bridge, and of the best possible Dirichlet. Where "
               "the falling curve crosses a line, sampling matches that bridge.</p><p>Press Compare to measure wall "
               "times on this machine, on one thread.</p><p>Source: Hobbhahn 2020, Fig. 5.3. %1</p>")
        .arg(htmlFrom(why_published_values_differ));
}

}   // namespace

BridgeSamplingPanel::BridgeSamplingPanel(QWidget* parent)
    : ToolPage({.id     = QStringLiteral("bridgeSampling"),
                .title  = tr("Laplace Bridge against sampling"),
                .help   = bridgeSamplingPanelHelp,
                .run    = tr("&Compare"),
                .runTip = tr("Sample the histograms and measure the times"),
                .atOnce = true},
               parent),
      m_source(new QComboBox(this)), m_draws(new QComboBox(this)), m_byHand(buildByHand()),
      m_figure(new ChartView(this)), m_numbers(new ChartView(this))
{
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_figure, tr("Figure"));
    tabs->addTab(m_numbers, tr("Numbers"));
    m_figure->setObjectName(QStringLiteral("samplingFigure"));
    m_numbers->setObjectName(QStringLiteral("samplingNumbers"));
    for (auto* view : {m_figure, m_numbers})
        addChart(view);
    showMessage("Press Compare.");
    connect(this, &ToolPage::busyChanged, this, [this](bool busy) {
        if (m_figure->chart().panels.empty())   // else the last figure stays
            showMessage(busy ? "Sampling and measuring wall times …" : "Press Compare.");
    });
    auto* content = new QWidget(this);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(buildSettings());
    column->addWidget(m_byHand);
    column->addWidget(tabs, 1);
    setContent(nullptr, content);
}

void BridgeSamplingPanel::showMessage(const char* words)
{
    const Chart chart{.id = "bridge_against_sampling", .title = "Laplace Bridge against sampling", .message = words};
    for (auto* view : {m_figure, m_numbers})
        view->setChart(chart);
}

QWidget* BridgeSamplingPanel::buildSettings()
{
    auto* all = new QWidget(this);
    describeControl(m_source, QStringLiteral("samplingSource"), tr("Gaussians"),
                    tr("Select the Gaussians of Hobbhahn 2020, Fig. 5.3, or enter mean and covariance of "
                       "three logits"));
    m_source->addItem(tr("The three published Gaussians"));
    m_source->addItem(tr("A Gaussian by hand"));
    m_draws->setObjectName(QStringLiteral("samplingDraws"));
    for (const long n : {1000L, 10'000L, 100'000L, 1'000'000L})
        m_draws->addItem(tr("up to %1 samples").arg(toQString(n)), static_cast<qlonglong>(n));
    m_draws->setCurrentIndex(2);
    m_draws->setAccessibleName(tr("Maximum number of samples"));
    m_draws->setToolTip(tr("Set the size of the largest histogram; each size is repeated nine times"));
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_source);
    row->addWidget(m_draws);
    row->addStretch(1);
    m_byHand->hide();
    connect(m_source, &QComboBox::currentIndexChanged, m_byHand,
            [this](int index) { m_byHand->setVisible(index == 1); });
    return all;
}

QWidget* BridgeSamplingPanel::buildByHand()
{
    auto* all      = new QWidget(this);
    const auto box = [all](const QString& name, const QString& what, double value, double least, double most) {
        auto* made = new QDoubleSpinBox(all);
        describeControl(made, name, what, what);
        made->setDecimals(3);
        made->setRange(least, most);
        made->setSingleStep(0.1);
        made->setValue(value);
        return made;
    };
    const double mean[] = {1, 1, -2}, spread[] = {1, 2, 0.5, 0, 0.5, 0.3};
    for (std::size_t k = 0; k < 3; ++k)
        m_mu[k] = box(QStringLiteral("samplingMu%1").arg(k), tr("Mean of logit %1").arg(k + 1), mean[k], -50, 50);
    constexpr const char* pairs[] = {"1 and 2", "1 and 3", "2 and 3"};
    for (std::size_t i = 0; i < 6; ++i)
        m_sigma[i] = i < 3
                         ? box(QStringLiteral("samplingVariance%1").arg(i), tr("Variance of logit %1").arg(i + 1),
                               spread[i], 0.001, 1000)
                         : box(QStringLiteral("samplingCovariance%1").arg(i - 3),
                               tr("Covariance of logits %1").arg(QLatin1String(pairs[i - 3])), spread[i], -1000, 1000);
    auto* lines = new FlowLayout(all);
    lines->setContentsMargins(0, 0, 0, 0);
    const std::pair<QString, QDoubleSpinBox**> groups[] = {{tr("Mean μ"), m_mu.data()},
                                                           {tr("Variances"), m_sigma.data()},
                                                           {tr("Covariances 12, 13, 23"), m_sigma.data() + 3}};
    for (const auto& [label, first] : groups) {
        auto* boxes = new QWidget(all);
        auto* row   = new QHBoxLayout(boxes);
        row->setContentsMargins(0, 0, 8, 0);
        row->addWidget(new QLabel(label, boxes));
        for (int k = 0; k < 3; ++k)
            row->addWidget(first[k]);
        lines->addWidget(boxes);
    }
    return all;
}

std::vector<SamplingCase> BridgeSamplingPanel::cases() const
{
    if (m_source->currentIndex() == 0)
        return published_sampling_cases();
    const auto s = [this](std::size_t i) { return m_sigma[i]->value(); };
    SamplingCase one{"",
                     LogitGaussian::from_covariance({m_mu[0]->value(), m_mu[1]->value(), m_mu[2]->value()},
                                                    {s(0), s(3), s(4), s(3), s(1), s(5), s(4), s(5), s(2)}),
                     {}};
    one.name = gaussian_text(one.logits);
    return {one};
}

Worker::Work BridgeSamplingPanel::work()
{
    SamplingOptions options;
    options.most = static_cast<long>(m_draws->currentData().toLongLong());
    return [this, what = cases(), options](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        auto result = bridge_against_sampling(what, options, stop,
                                              [&progress](double share) { progress.report(share); });
        if (!result)
            return {};
        return [this, result = std::move(*result)] {
            m_figure->setChart(to_chart(result));
            m_numbers->setChart(numbers_chart(result));
        };
    };
}
