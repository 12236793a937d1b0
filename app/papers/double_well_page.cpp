// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/double_well_page.h"

#include "chains/double_well.h"
#include "charts/chart.h"
#include "parts/form_controls.h"
#include "views/double_well.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

namespace well = credence::double_well;

DoubleWellSettings::DoubleWellSettings(QWidget* parent) : QWidget(parent)
{
    setLayout(new FlowLayout);
    const well::ChainPairOptions usual;
    m_stepSize = addNumber(
        QStringLiteral("wellStepSize"), tr("Step size ε"),
        tr("Set the step size. Small steps are accurate but slow; large ones diverge on steep walls"), usual.step_size,
        0.001, 1, 0.01, 3);
    m_momentum    = addNumber(QStringLiteral("wellMomentum"), tr("Momentum 1 − α"),
                              tr("Set the fraction of velocity retained per step; α is the friction, and the noise "
                                    "matches it"),
                              usual.momentum, 0, 0.99, 0.05, 2);
    m_temperature = addNumber(QStringLiteral("wellTemperature"), tr("Temperature"),
                              tr("Set the temperature; the chains sample exp(−U/T). 0: no noise, the chains only "
                                 "roll downhill; 1: the posterior"),
                              usual.temperature, 0, 10, 0.25, 2);

    m_start = new QComboBox(this);
    describeControl(m_start, QStringLiteral("wellStart"), tr("Start"), tr("Set the initial θ and μ; s starts from 1"));
    m_start->addItem(tr("drawn from N(0, 1)"));
    m_start->addItem(tr("left well, −√5"), -std::sqrt(5.0));
    m_start->addItem(tr("middle, 0"), 0.0);
    m_start->addItem(tr("right well, √5"), std::sqrt(5.0));
    connect(m_start, &QComboBox::currentIndexChanged, this, &DoubleWellSettings::optionsChanged);
    add(tr("Start"), m_start);

    m_seed  = addCount(QStringLiteral("wellSeed"), tr("Seed"),
                       tr("Set the seed of all random numbers: the same seed gives the same chains"),
                       static_cast<int>(usual.seed), 0, 999'999);
    m_steps = addCount(QStringLiteral("wellSteps"), tr("Steps"), tr("Set the number of steps of Play"), 5000, 1,
                       200'000);
    m_pace  = addCount(QStringLiteral("wellPace"), tr("Each frame"),
                       tr("Set the steps between two frames; Step always makes one"), 10, 1, 5000);
    for (auto* box : {m_stepSize, m_momentum, m_temperature})
        connect(box, &QDoubleSpinBox::valueChanged, this, &DoubleWellSettings::optionsChanged);
    connect(m_seed, &QSpinBox::valueChanged, this, &DoubleWellSettings::optionsChanged);
    connect(m_pace, &QSpinBox::valueChanged, this, &DoubleWellSettings::paceChanged);

    const auto button = [this](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        made->setAutoDefault(false);
        layout()->addWidget(made);
        return made;
    };
    connect(button(tr("Restart"), "wellRestart", tr("Start over with the same seed (Ctrl+R)")), &QPushButton::clicked,
            this, &DoubleWellSettings::restartRequested);
    connect(button(tr("As p&ublished"), "wellPublished",
                   tr("Use step size 0.2, momentum 0.5, a start drawn from N(0, 1) and ten single steps: the "
                      "functional-BNN submission, Fig. 1")),
            &QPushButton::clicked, this, &DoubleWellSettings::usePublished);
}

well::ChainPairOptions DoubleWellSettings::options() const
{
    well::ChainPairOptions out{.step_size   = m_stepSize->value(),
                               .momentum    = m_momentum->value(),
                               .temperature = m_temperature->value(),
                               .seed        = static_cast<std::uint64_t>(m_seed->value())};
    if (const QVariant place = m_start->currentData(); place.isValid())
        out.start = place.toDouble();
    return out;
}

int DoubleWellSettings::steps() const { return m_steps->value(); }
int DoubleWellSettings::stepsEachFrame() const { return m_pace->value(); }

void DoubleWellSettings::usePublished()
{
    {
        const QSignalBlocker stepSize(m_stepSize), momentum(m_momentum), temperature(m_temperature), start(m_start);
        m_stepSize->setValue(0.2);
        m_momentum->setValue(0.5);
        m_temperature->setValue(1);
        m_start->setCurrentIndex(0);
    }
    m_steps->setValue(10);
    m_pace->setValue(1);
    Q_EMIT optionsChanged();
}

QDoubleSpinBox* DoubleWellSettings::addNumber(const QString& name, const QString& label, const QString& tip,
                                              double value, double low, double high, double step, int decimals)
{
    auto* box = new QDoubleSpinBox(this);
    describeBox(box, name, label, tip);
    box->setDecimals(decimals);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setValue(value);
    add(label, box);
    return box;
}

QSpinBox* DoubleWellSettings::addCount(const QString& name, const QString& label, const QString& tip, int value,
                                       int low, int high)
{
    auto* box = countBox(name, label, tip, value, low, high, this);
    add(label, box);
    return box;
}

void DoubleWellSettings::add(const QString& label, QWidget* control)
{
    layout()->addWidget(labelled(label, control, this));
}

using namespace credence;
namespace well = credence::double_well;

namespace {

constexpr std::chrono::milliseconds frameTime{40};

QString doubleWellHelp()
{
    const well::LongChainOptions reference;
    return DoubleWellPage::tr(
               "<p>A potential U(θ) = −2θ² + 0.2θ⁴ with two wells, at ±√5, and a barrier of %5 nats between them: a "
               "bimodal posterior that can be computed exactly. Both modes have equal probability, so a good chain "
               "spends half of its time on either side.</p><p><b>Plain</b> (orange) is a chain over a point θ: "
               "Hamiltonian Monte Carlo with friction and noise. It moves within one well and rarely climbs 5 nats; "
               "for thousands of steps it sees only one well, so its density is wrong.</p><p><b>Functional</b> "
               "(blue) is the same chain over a Gaussian N(μ, s²): each state is a whole distribution. It moves on "
               "the free energy F(μ, s) = E U − entropy, shown on the right, in which the bottom of a well is a "
               "narrow Gaussian. To cross the barrier, the Gaussian becomes wide, sees only the average barrier and "
               "climbs %4 nats: it crosses more often, and a few states already cover both wells. It samples the "
               "mean of all its Gaussians, which differs from the exact density: too much mass is on the "
               "barrier.</p><p><b>Densities.</b> Exact: exp(−U)/∫exp(−U), by quadrature. Long chain: a plain chain "
               "of %1 steps of size %2, thinned to every %3th, as the reference if the integral were unknown; it has "
               "an error, since it crosses only about 200 times. Plain and functional: all steps so "
               "far.</p><p><b>Density ratio.</b> The reference density divided by that of the chain, at θ; 1 is "
               "correct, and there is no line where the chain has not been. KLIEP estimates the ratio from samples "
               "alone, as a sum of kernels that averages 1 over the chain's samples and maximises the likelihood of "
               "the reference samples; the other lines divide the long chain and the exact density by the chain, bin "
               "by bin.</p><p><b>Try this.</b> Press Play and watch which chain changes sides first. Then set the "
               "temperature to 0: both only roll downhill. Then try a step size of 0.2, as published: after ten "
               "steps the Gaussians already cover more than the points do; after many more, the chains diverge, "
               "since the walls are too steep for steps of that size.</p><p><b>Play</b> runs the number of steps in "
               "the box, <b>Step</b> makes one, <b>Restart</b> goes back to the start. Changed settings start "
               "over.</p><p>Sources: the functional-BNN submission, section 5.1 and Fig. 1; Chen et al. 2014; KLIEP: "
               "Sugiyama et al. 2008.</p>")
        .arg(toQString(reference.steps))
        .arg(toQString(number_text(reference.step_size, 3)), toQString(reference.every),
             toQString(number_text(well::functional_barrier(), 2)), toQString(number_text(well::barrier(), 3)));
}

}   // namespace

/// Both chains and the reference. Everything except the options is used only by the page's tasks,
/// which run one at a time on one thread.
struct DoubleWellPage::Play {
    well::ChainPairOptions options;
    std::shared_ptr<std::optional<well::LongChain>> reference;   ///< shared by all plays; recomputed for another seed
    std::optional<well::ChainPair> pair;

    /// Creates what is missing. @throws Error, Stopped
    void begin()
    {
        if (!*reference || (*reference)->options.seed != options.seed)
            *reference = well::long_chain({.seed = options.seed});
        if (!pair)
            pair.emplace(options);
    }
};

/// All charts of one step except the ratio, and the data for the ratio.
struct DoubleWellPage::Frame {
    std::shared_ptr<const Chart> chainPair, numbers, density, trace;
    std::shared_ptr<const well::RatioSamples> samples;
};

DoubleWellPage::DoubleWellPage(QWidget* parent)
    : ToolPage({.id          = QStringLiteral("doubleWell"),
                .title       = tr("Double well"),
                .help        = doubleWellHelp,
                .run         = tr("Pl&ay"),
                .runTip      = tr("Run both chains and update the figures"),
                .pauses      = true,
                .leastHeight = 380},
               parent),
      m_settings(new DoubleWellSettings(this)), m_chainPair(new ChartView(this)), m_numbers(new ChartView(this)),
      m_density(new ChartView(this)), m_ratio(new ChartView(this)), m_trace(new ChartView(this)),
      m_pace(std::make_shared<std::atomic<int>>(m_settings->stepsEachFrame()))
{
    for (const auto& [view, name, title] : {std::tuple{m_chainPair, "wellWalkers", tr("Potential and both chains")},
                                            {m_density, "wellDensity", tr("Densities of both chains")},
                                            {m_ratio, "wellRatio", tr("Density ratio")},
                                            {m_trace, "wellTrace", tr("Traces of both chains")},
                                            {m_numbers, "wellNumbers", tr("Numbers of both chains")}}) {
        view->setObjectName(QLatin1String(name));
        view->setAccessibleName(title);
        addChart(view);
    }
    setContent(nullptr, buildContent());
    connect(m_settings, &DoubleWellSettings::optionsChanged, this, &DoubleWellPage::restart);
    connect(m_settings, &DoubleWellSettings::restartRequested, this, &DoubleWellPage::restart);
    connect(m_settings, &DoubleWellSettings::paceChanged, this, [this](int steps) { *m_pace = steps; });
    connect(&m_ratios, &Worker::failed, this,
            [this](const QString& field, const QString& sentence) { showMistake(field, sentence); });
}

QWidget* DoubleWellPage::buildContent()
{
    auto* rows = new QSplitter(Qt::Vertical, this);
    for (const auto& [views, widths] : {std::pair{std::vector{m_chainPair, m_numbers}, QList{640, 500}},
                                        {{m_density, m_ratio, m_trace}, {320, 500, 320}}}) {
        auto* row = new QSplitter(Qt::Horizontal, rows);
        for (auto* view : views)
            row->addWidget(view);
        row->setSizes(widths);
        row->setChildrenCollapsible(false);
    }
    rows->setChildrenCollapsible(false);
    auto* content = new QWidget(this);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_settings);
    column->addWidget(rows, 1);
    return content;
}

DoubleWellPage::Frame DoubleWellPage::frameOf(Play& play)
{
    const auto shared           = [](Chart chart) { return std::make_shared<const Chart>(std::move(chart)); };
    const well::ChainPair& pair = *play.pair;
    return {shared(well::chain_pair_chart(pair)), shared(well::numbers_chart(pair, **play.reference)),
            shared(well::density_chart(pair, **play.reference)), shared(well::trace_chart(pair)),
            std::make_shared<const well::RatioSamples>(well::ratio_samples(pair, **play.reference))};
}

Worker::Work DoubleWellPage::work()
{
    if (!m_play)
        return {};
    return [this, play = m_play, pace = m_pace,
            further = m_settings->steps()](std::stop_token, Worker::Progress& progress) -> Worker::Show {
        play->begin();
        const auto show = [&] { progress.show([this, frame = frameOf(*play)] { showFrame(frame); }); };
        for (long left = further; left > 0;) {
            if (!progress.gate())
                return {};
            const bool single = progress.paused();
            const long n      = single ? 1 : std::min<long>(*pace, left);
            try {
                play->pair->advance(n);
            } catch (const std::exception&) {
                show();   // the intermediate state
                throw;
            }
            left -= n;
            show();
            progress.report(1 - static_cast<double>(left) / further);
            if (!single && left > 0)
                std::this_thread::sleep_for(frameTime);
        }
        return {};
    };
}

void DoubleWellPage::restart()
{
    m_ratios.cancel();
    auto reference = m_play ? m_play->reference : std::make_shared<std::optional<well::LongChain>>();
    m_play         = std::make_shared<Play>(Play{m_settings->options(), std::move(reference), {}});
    start([this, play = m_play](std::stop_token, Worker::Progress&) -> Worker::Show {
        play->begin();
        return [this, frame = frameOf(*play)] { showFrame(frame); };
    });
}

void DoubleWellPage::showFrame(const Frame& frame)
{
    m_steps = frame.samples->steps;
    m_chainPair->setChart(frame.chainPair);
    m_numbers->setChart(frame.numbers);
    m_density->setChart(frame.density);
    m_trace->setChart(frame.trace);
    m_ratios.submit(
        [this, samples = frame.samples](std::stop_token, Worker::Progress&) -> Worker::Show {
            auto chart = std::make_shared<const Chart>(to_chart(well::density_ratios(*samples)));
            return [this, chart] { m_ratio->setChart(chart); };
        },
        Worker::Newer::waits_for_old, Worker::Pace::rested);
}

void DoubleWellPage::cancel()
{
    ToolPage::cancel();
    m_ratios.cancel();
}

bool DoubleWellPage::busy() const { return ToolPage::busy() || m_ratios.busy(); }

void DoubleWellPage::showEvent(QShowEvent* event)
{
    ToolPage::showEvent(event);
    if (m_chainPair->chart().panels.empty())
        restart();
}
