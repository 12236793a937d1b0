// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights_dock.h"

#include "foundation/number_text.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "runs/derived_runs.h"
#include "runs/experiment.h"
#include "session/app_context.h"
#include "views/network_picture.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

PruningPreview::PruningPreview(QObject* parent) : QObject(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(400);
    connect(&m_rest, &QTimer::timeout, this, &PruningPreview::askThoroughly);
    for (auto* worker : {&m_quick, &m_thorough})
        connect(worker, &Worker::failed, this,
                [this](const QString&, const QString& sentence) { Q_EMIT failed(sentence); });
}

void PruningPreview::ask(const RunSnapshot& run, const PruneRule& rule, bool live, std::size_t target)
{
    if (!run.experiment || !run.snapshot) {
        forget();
        return;
    }
    m_newest = Request{++m_number, run, rule, target};
    m_thorough.cancel();
    if (live)
        m_rest.stop();
    else
        m_rest.start();
    m_quick.submit(
        [this, request = *m_newest](std::stop_token stop, Worker::Progress&) -> Worker::Show {
            const auto scores = pruned_scores(run_of_target(request.run, request.target), request.rule, 0, liveRows,
                                              std::move(stop));
            if (!scores)
                return {};
            return [this, number = request.number, scores] { notify(number, *scores, false); };
        },
        Worker::Newer::waits_for_old, live ? Worker::Pace::rested : Worker::Pace::at_once);
}

void PruningPreview::askThoroughly()
{
    if (!m_newest)
        return;
    m_thorough.submit([this, request = *m_newest](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto run      = run_of_target(request.run, request.target);
        const auto at_means = pruned_scores(run, request.rule, 0, 0, stop);
        if (!at_means)
            return {};
        progress.show([this, number = request.number, at_means] { notify(number, *at_means, true); });
        const auto& experiment  = *request.run.experiment;
        const bool draws_differ = request.run.snapshot->posterior->has_weight_noise()
                                  || experiment.model.dropout_at_prediction;
        if (!draws_differ)
            return {};
        const auto drawn = pruned_scores(run, request.rule, std::min(mostDraws, experiment.study.prediction.samples), 0,
                                         stop);
        if (!drawn)
            return {};
        return [this, number = request.number, drawn] { notify(number, *drawn, true); };
    });
}

/// Reports scores. A quick result never replaces a full one for the same or a later request.
void PruningPreview::notify(long number, const PrunedScores& scores, bool thorough)
{
    if (!m_newest || (!thorough && number <= m_reported))
        return;
    if (thorough)
        m_reported = number;
    Q_EMIT scored(scores);
}

void PruningPreview::forget()
{
    m_newest.reset();
    m_rest.stop();
    m_quick.cancel();
    m_thorough.cancel();
}

void layOutWeightCharts(QWidget* dock, QWidget* charts, QWidget* controls, ViewBinder& binder)
{
    auto* words = new QLabel(dock);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignCenter);
    words->setMargin(12);
    words->setTextFormat(Qt::PlainText);
    words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    words->hide();
    auto* known  = new QWidget(dock);
    auto* inside = new QVBoxLayout(known);
    inside->addWidget(charts, 1);
    inside->addWidget(controls);
    auto* column = new QVBoxLayout(dock);
    column->addWidget(words, 1);
    column->addWidget(known, 1);
    for (auto* layout : {inside, column}) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
    }
    QObject::connect(&binder, &ViewBinder::fitted, words,
                     [words, known](const std::shared_ptr<const Experiment>& experiment) {
        const auto& outputs = experiment->outputs;
        if (outputs)
            words->setText(QLabel::tr("%1 contains predictions only; its weights are not available.")
                               .arg(toQString(outputs->own.name)));
        words->setVisible(outputs != nullptr);
        known->setVisible(outputs == nullptr);
    });
}

PruningControl::PruningControl(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_words(new QLabel(this)), m_share(new QSlider(Qt::Horizontal, this)),
      m_by(new QComboBox(this)), m_perLayer(new QCheckBox(tr("Each layer"), this)),
      m_biases(new QCheckBox(tr("Biases too"), this)), m_score(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 0, 6, 0);
    column->setSpacing(1);
    column->addWidget(buildShare());
    column->addWidget(buildChoices());
    m_score->setObjectName(QStringLiteral("pruneScore"));
    m_score->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);   // never widens the window
    column->addWidget(m_score);
    refresh();
    connect(&context.choices, &ViewChoices::changedForAll, this, [this] {
        refresh();
        ask();
    });
    connect(&context.session, &Session::snapshotChanged, this, &PruningControl::ask);
    connect(&m_preview, &PruningPreview::scored, this, &PruningControl::notify);
    connect(&m_preview, &PruningPreview::failed, m_score, &QLabel::setText);
}

QWidget* PruningControl::buildShare()
{
    auto* line = new QWidget(this);
    m_words->setMinimumWidth(m_words->fontMetrics().horizontalAdvance(tr("Prune 100 % ")));
    describeControl(m_share, QStringLiteral("prune"), tr("Percentage of weights set to zero"),
                    tr("Set this percentage of the weights to zero. Every view shows the remaining weights"));
    m_share->setRange(0, 100);
    connect(m_share, &QSlider::valueChanged, this, [this] { set(m_share->isSliderDown()); });
    connect(m_share, &QSlider::sliderReleased, this, [this] { set(false); });
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words);
    row->addWidget(m_share, 1);
    row->addWidget(new HelpMark(
        tr("Pruning"),
        [this] {
        return tr("<b>Pruning</b><p>Sets a fraction of the weights to zero, in every sample and in the mean, "
                  "without retraining. Every view of the posterior updates and mentions pruning in its caption. "
                  "Training curves, chains, the evidence and comparisons with the reference posterior are not "
                  "affected.</p><p><b>|μ|/σ</b>: signal-to-noise ratio, smallest first: weights that are small "
                  "relative to their uncertainty carry least information. <b>|μ|</b>: magnitude, smallest first. "
                  "<b>σ</b>: standard deviation, largest first. Weights with zero standard deviation are ranked by "
                  "|μ|.</p><p><b>Each layer</b>: prunes the fraction in each layer separately. <b>Biases too</b>: "
                  "ranks biases together with the weights; otherwise biases are not pruned.</p><p>The number below "
                  "is a test-set score. While you move the slider it uses the mean weights and at most %1 rows; "
                  "afterwards it uses all rows and %2 samples.</p><p>Source: Blundell et al. 2015, section 5.1, "
                  "Table 2.</p>")
            .arg(toQString(PruningPreview::liveRows))
            .arg(PruningPreview::mostDraws);
        },
        {line, this}, line));
    return line;
}

QWidget* PruningControl::buildChoices()
{
    auto* line = new QWidget(this);
    m_by->setObjectName(QStringLiteral("pruneBy"));
    m_by->setAccessibleName(tr("Pruning criterion"));
    for (const auto& [by, tip] : {std::pair{PruneBy::signal_to_noise, tr("Smallest signal-to-noise ratio first")},
                                  {PruneBy::magnitude, tr("Smallest mean first")},
                                  {PruneBy::spread, tr("Largest standard deviation first")}}) {
        m_by->addItem(tr("by %1").arg(toQString(symbol_of(by))), static_cast<int>(by));
        m_by->setItemData(m_by->count() - 1, tip, Qt::ToolTipRole);
    }
    m_by->setToolTip(tr("Select which weights are pruned first"));
    m_perLayer->setObjectName(QStringLiteral("prunePerLayer"));
    m_perLayer->setToolTip(tr("Prune the fraction in each layer separately instead of all layers together"));
    m_biases->setObjectName(QStringLiteral("pruneBiases"));
    m_biases->setToolTip(tr("Rank biases together with the weights; otherwise biases are not pruned"));
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] { set(false); });
    for (auto* box : {m_perLayer, m_biases})
        connect(box, &QCheckBox::toggled, this, [this] { set(false); });
    auto* flow = new FlowLayout(line);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->addWidget(m_by);
    flow->addWidget(m_perLayer);
    flow->addWidget(m_biases);
    return line;
}

void PruningControl::set(bool moving)
{
    const PruneRule rule{.share     = m_share->value() / 100.0,
                         .by        = static_cast<PruneBy>(m_by->currentData().toInt()),
                         .per_layer = m_perLayer->isChecked(),
                         .biases    = m_biases->isChecked()};
    m_context.choices.setForAll(moving, [&rule](ViewOptions& options) { options.prune = rule; });
}

void PruningControl::refresh()
{
    const auto& rule = m_context.choices.options().prune;
    const QSignalBlocker noShare(m_share), noOrder(m_by), noLayers(m_perLayer), noBiases(m_biases);
    m_share->setValue(static_cast<int>(std::lround(100 * rule.share)));
    m_by->setCurrentIndex(m_by->findData(static_cast<int>(rule.by)));
    m_perLayer->setChecked(rule.per_layer);
    m_biases->setChecked(rule.biases);
    m_words->setText(tr("Prune %1 %").arg(m_share->value()));
    m_score->setVisible(rule.on());
}

/// Requests scores. Without pruning nothing is scored: other views show the scores of the whole
/// network.
void PruningControl::ask()
{
    const auto& rule = m_context.choices.options().prune;
    if (rule.on() && !m_context.session.run().ofOutputs()) {
        m_preview.ask(m_context.session.run().current(), rule, m_context.session.currentRun().live(),
                      m_context.choices.options().target);
        return;
    }
    m_preview.forget();
    m_score->clear();
}

void PruningControl::notify(const PrunedScores& scores)
{
    QString words = scores.classes ? tr("Accuracy %1 %").arg(toQString(fixed_text(100 * scores.classes->accuracy, 2)))
                                   : tr("RMSE %1").arg(toQString(number_text(scores.rmse, 4)));
    words += scores.n_draws > 0 ? tr(" with %1 samples").arg(scores.n_draws) : tr(" at the mean weights");
    words += scores.rows < scores.all_rows
                 ? tr(", %1 of %2 rows").arg(toQString(scores.rows), toQString(scores.all_rows))
                 : tr(", all %1 rows").arg(toQString(scores.all_rows));
    if (scores.rule.by != m_context.choices.options().prune.by)
        words += tr(" · by %1: these weights have zero standard deviation").arg(toQString(symbol_of(scores.rule.by)));
    m_score->setText(words);
    m_score->setToolTip(words);
}

namespace {

/// The views of pruning itself.
const QStringList prunedViews{QStringLiteral("weights"), QStringLiteral("signal_to_noise"),
                              QStringLiteral("pruning_curve")};

}   // namespace

WeightsDock::WeightsDock(AppContext& context, ViewBinder& binder, QWidget* parent) : QWidget(parent)
{
    auto* views = new ViewArea(QStringLiteral("weightsTabs"), binder, this);
    views->add({{"weights", tr("Histograms")},
                {"signal_to_noise", tr("SNR")},
                {"pruning_curve", tr("Pruning")},
                {"one_weight", tr("One weight")},
                {"prior_and_start", tr("Prior")},
                {"kernels", tr("Kernels")},
                {"network", tr("Network")}});
    binder.panel(QStringLiteral("one_weight"))->addControl(buildWeight(context, binder));
    auto* prune = new PruningControl(context, this);
    layOutWeightCharts(this, views, prune, binder);
    connect(views, &ViewArea::currentChanged, prune, [prune, &binder](QWidget* page) {
        prune->setVisible(std::any_of(prunedViews.begin(), prunedViews.end(),
                                      [&](const QString& view) { return page == binder.panel(view); }));
    });
}

QSpinBox* WeightsDock::buildWeight(AppContext& context, ViewBinder& binder)
{
    auto* weight = new QSpinBox(this);
    weight->setObjectName(QStringLiteral("weightIndex"));
    weight->setPrefix(tr("weight "));
    weight->setAccessibleName(tr("Displayed weight, by its index in the flat weight vector"));
    connect(weight, &QSpinBox::valueChanged, &context.choices, [&choices = context.choices](int index) {
        choices.set({QStringLiteral("one_weight"), QStringLiteral("network")},
                    [index](ViewOptions& options) { options.weight = static_cast<std::size_t>(index); });
    });
    connect(&binder.panel(QStringLiteral("network"))->chartView()->hand(), &ChartHand::pointClicked, weight,
            [weight, &session = context.session](int, double x, double y) {
        const auto& experiment = session.run().experiment;
        if (!experiment)
            return;
        const auto picture = network_picture(experiment->model.architecture, {}, {});
        if (const auto* edge = edge_at(picture, x, y))
            weight->setValue(static_cast<int>(edge->weight));
    });
    connect(&binder, &ViewBinder::fitted, weight, [weight](const std::shared_ptr<const Experiment>& experiment) {
        const QSignalBlocker quiet(weight);
        weight->setRange(0, static_cast<int>(experiment->start->layout().size()) - 1);
    });
    return weight;
}
