// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/training_dock.h"

#include "images/image_area.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/quiet_parts.h"
#include "parts/row_table.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "runs/laplace_fit.h"
#include "session/app_context.h"
#include "session/session.h"
#include "session/view_requests.h"
#include "simplex/logit_source.h"
#include "study/method.h"
#include "views/image_rows.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "widgets/accessibility.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <limits>

using namespace credence;

namespace {

/// In the order of the combo box.
constexpr std::array chain_selections{ChainSelection::Which::divergent, ChainSelection::Which::steps,
                                      ChainSelection::Which::nothing};

QSpinBox* stepBox(const QString& name, const QString& title, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    describeControl(box, name, title, title);
    box->setRange(0, std::numeric_limits<int>::max());
    box->setKeyboardTracking(false);
    return box;
}

}   // namespace

ChainSelectionControl::ChainSelectionControl(QWidget* parent)
    : QWidget(parent), m_which(new QComboBox(this)), m_range(new QWidget(this)),
      m_from(stepBox(QStringLiteral("brushFrom"), tr("First step of the highlighted range"), m_range)),
      m_to(stepBox(QStringLiteral("brushTo"), tr("Last step of the highlighted range"), m_range))
{
    describeControl(m_which, QStringLiteral("chainBrush"), tr("Highlighted draws"),
                    tr("Select the draws to highlight. You can also drag over the trace to select a range of steps"));
    m_which->addItems({tr("Divergent draws"), tr("Draws of steps"), tr("All, by chain")});
    m_range->hide();
    auto* range = new QHBoxLayout(m_range);
    range->setContentsMargins(0, 0, 0, 0);
    range->addWidget(m_from);
    range->addWidget(new QLabel(tr("to"), m_range));
    range->addWidget(m_to);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_which);
    row->addWidget(m_range);
    connect(m_which, &QComboBox::currentIndexChanged, this, &ChainSelectionControl::notify);
    for (auto* box : {m_from, m_to})
        connect(box, &QSpinBox::valueChanged, this, &ChainSelectionControl::notify);
}

ChainSelection ChainSelectionControl::selection() const
{
    return {chain_selections[static_cast<std::size_t>(std::max(0, m_which->currentIndex()))],
            std::min(m_from->value(), m_to->value()), std::max(m_from->value(), m_to->value())};
}

void ChainSelectionControl::notify()
{
    m_range->setVisible(selection().which == ChainSelection::Which::steps);
    Q_EMIT changed();
}

void ChainSelectionControl::chooseSteps(long from, long to)
{
    {
        const QSignalBlocker quietWhich(m_which), quietFrom(m_from), quietTo(m_to);
        const auto place = std::find(chain_selections.begin(), chain_selections.end(), ChainSelection::Which::steps)
                           - chain_selections.begin();
        m_which->setCurrentIndex(static_cast<int>(place));
        m_from->setValue(static_cast<int>(std::min(from, to)));
        m_to->setValue(static_cast<int>(std::max(from, to)));
    }
    notify();
}

/// Selects the first tenth of the draws initially: does the start of the chain still differ?
void ChainSelectionControl::fit(const Experiment& experiment)
{
    const auto kept = plan_of(experiment.study).kept;
    if (kept.empty() || (m_to->value() > 0 && m_from->value() <= kept.back() && m_to->value() >= kept.front()))
        return;
    const QSignalBlocker quietFrom(m_from), quietTo(m_to);
    m_from->setValue(static_cast<int>(kept.front()));
    m_to->setValue(static_cast<int>(kept[(kept.size() - 1) / 10]));
    Q_EMIT changed();
}

CurveControl::CurveControl(ViewChoices& choices, QWidget* parent) : QWidget(parent)
{
    auto* quantity = new QComboBox(this);
    describeControl(
        quantity, QStringLiteral("curveQuantity"), tr("Quantity of the curves"),
        tr("Select the quantity. Errors: training set dashed, validation or test set solid. Loss: of the minibatches. "
           "KL: from posterior to prior"));
    for (const auto& [value, title] : {std::pair{CurveQuantity::error, tr("Errors")},
                                       {CurveQuantity::loss, tr("Loss")},
                                       {CurveQuantity::kl, tr("KL")}})
        quantity->addItem(title, static_cast<int>(value));
    auto* logarithmic = new QCheckBox(tr("log scale"), this);
    describeControl(logarithmic, QStringLiteral("curveLogarithmic"), tr("Logarithmic curve axis"),
                    tr("Use a logarithmic axis, which separates small errors; an error of 0 leaves a gap"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(quantity);
    row->addWidget(logarithmic);
    const auto notify = [&choices, quantity, logarithmic] {
        choices.set({QStringLiteral("overlay_training_curves")}, [quantity, logarithmic](ViewOptions& options) {
            options.curves = {static_cast<CurveQuantity>(quantity->currentData().toInt()), logarithmic->isChecked()};
        });
    };
    connect(quantity, &QComboBox::currentIndexChanged, &choices, notify);
    connect(logarithmic, &QCheckBox::toggled, &choices, notify);
}

namespace {

constexpr int lowest      = 110;   ///< pixels: below it a picture is none
constexpr int lowStage    = 190;   ///< pixels at 100 % text, below which the stage has no room for the slider
constexpr int leastSlider = 60;    ///< pixels at 100 % text

}   // namespace

TrainingDock::TrainingDock(AppContext& context, ViewBinder& binder, MainTabs& centre, QWidget* parent)
    : ViewArea(QStringLiteral("trainingTabs"), binder, parent), m_selection(new ChainSelectionControl(this)),
      m_rows(new RowsPanel(this))
{
    setMinimumHeight(lowest);
    add("training_curves", tr("Curves"));
    addRows(context, binder);
    add({{"overlay_training_curves", tr("Errors")},
         {"schedule", tr("Steps")},
         {"scores", tr("Scores")},
         {"certainty", tr("Certainty")},
         {"confusion", tr("Confusion")},
         {"roc", tr("ROC")},
         {"calibration", tr("Calibration")},
         {"out_of_distribution", tr("OOD data")},
         {"attack_curve", tr("Attacks")},
         {"attack_arrows", tr("Attack map")},
         {"list_lengths", tr("List lengths")},
         {"bridge_scores", tr("Bridge")},
         {"enough_samples", tr("Enough samples")},
         {"chain_convergence", tr("Chains")},
         {"chain_traces", tr("Traces")},
         {"chain_functions", tr("Functions")},
         {"prior_predictive", tr("Prior predictive")}});
    centre.logitSource().addControls({QStringLiteral("list_lengths")});
    addLongest(context, binder);
    addResample(context, binder);
    auto* errors = binder.panel(QStringLiteral("overlay_training_curves"));
    errors->addControl(new CurveControl(context.choices, errors));
    connectSelection(context, binder);
    // For images the confusion matrix is that of the grid; a click on a cell leads there.
    auto* confusion = binder.panel(QStringLiteral("confusion"));
    connect(centre.images(), &ImageArea::confusionMade, this,
            [confusion, images = centre.images()](const Chart& chart) {
        confusion->chartView()->setStudyJson(images->confusion()->chartView()->studyJson());
        confusion->setChart(chart);
    });
    connect(&confusion->chartView()->hand(), &ChartHand::pointClicked, this, [&centre](int, double x, double y) {
        if (centre.predictions()->showsImages())
            centre.images()->showCell(x, y);
    });
}

/// The marginals of the selected input, which show one list, follow too.
void TrainingDock::addLongest(AppContext& context, ViewBinder& binder)
{
    auto& choices = context.choices;
    auto* panel   = binder.panel(QStringLiteral("list_lengths"));
    auto* box     = longestListBox(QStringLiteral("listLongest"), choices.options().top_k.longest, panel);
    connect(box, &QSpinBox::valueChanged, &choices, [&choices](int longest) {
        choices.set({QStringLiteral("beta_marginals"), QStringLiteral("list_lengths")},
                    [longest](ViewOptions& options) { options.top_k.longest = longest; });
    });
    panel->addControl(box);
}

void TrainingDock::addResample(AppContext& context, ViewBinder& binder)
{
    auto* panel  = binder.panel(QStringLiteral("prior_predictive"));
    auto* button = new QToolButton(panel);
    describeControl(button, QStringLiteral("resamplePrior"), tr("Resample the prior"),
                    tr("Draw other samples of the weights from the prior. The posterior stays the same"));
    button->setText(tr("Resample"));
    connect(button, &QToolButton::clicked, &context.choices, [&choices = context.choices] {
        choices.set({QStringLiteral("prior_predictive")}, [](ViewOptions& options) { ++options.map.prior_set; });
    });
    panel->addControl(button);
}

/// Images have their grid instead. Data without a chart of all inputs show the same table in the centre too, where it
/// is not too low.
void TrainingDock::addRows(AppContext& context, ViewBinder& binder)
{
    m_rows->join(context, binder, QStringLiteral("test_rows"));
    addPage(m_rows, tr("Test rows"));
    connect(&binder, &ViewBinder::fitted, this, [this](const std::shared_ptr<const Experiment>& experiment) {
        setThere(m_rows, !has_images(*experiment), tr("Images are listed in the grid in the centre."));
    });
}

/// One selection for both views: chosen next to the functions, or dragged over the trace.
void TrainingDock::connectSelection(AppContext& context, ViewBinder& binder)
{
    binder.panel(QStringLiteral("chain_functions"))->addControl(m_selection, 0);
    connect(m_selection, &ChainSelectionControl::changed, &context.choices, [this, &choices = context.choices] {
        choices.set({QStringLiteral("chain_functions"), QStringLiteral("chain_traces")},
                    [this](ViewOptions& options) { options.chain_selection = m_selection->selection(); });
    });
    connect(&binder, &ViewBinder::fitted, m_selection,
            [this](const std::shared_ptr<const Experiment>& experiment) { m_selection->fit(*experiment); });
    auto* hand = &binder.panel(QStringLiteral("chain_traces"))->chartView()->hand();
    connect(hand, &ChartHand::pointPressed, this, [this](int, double x, double) {
        m_pressedAt      = x;
        m_selectingSteps = false;
    });
    connect(hand, &ChartHand::pointDragged, this,
            [this](int panel, double, double) { m_selectingSteps = panel == 0; });   // the trace comes first
    connect(hand, &ChartHand::pointReleased, this, [this](int, double x, double) {
        if (std::exchange(m_selectingSteps, false))
            m_selection->chooseSteps(std::lround(std::max(0.0, m_pressedAt)), std::lround(std::max(0.0, x)));
    });
}

TimeMachine::TimeMachine(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_slider(new QSlider(Qt::Horizontal, this)), m_step(new QLabel(this)),
      m_newest(new QToolButton(this)), m_quiet(new QuietParts(nullptr, this))
{
    auto* inside = new QWidget(this);
    describeControl(m_slider, QStringLiteral("timeMachine"), tr("Time machine: recorded step shown in all views"),
                    tr("Show any recorded step in all views (Alt+Left, Alt+Right)"));
    m_slider->setPageStep(10);
    m_step->setObjectName(QStringLiteral("shownStep"));
    m_newest->setObjectName(QStringLiteral("newest"));
    m_newest->setText(tr("Newest"));
    m_newest->setToolTip(tr("Follow the newest step in all views"));
    auto* row = new QHBoxLayout(inside);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_step);
    row->addWidget(m_slider, 1);
    row->addWidget(m_newest);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(inside);
    m_quiet->add(inside);

    connect(m_slider, &QSlider::valueChanged, &session.currentRun(), &CurrentRun::showRecorded);
    connect(m_newest, &QToolButton::clicked, &session, [&session] { session.currentRun().showRecorded(-1); });
    connect(&session, &Session::recordedChanged, this, &TimeMachine::refresh);
    connect(&session, &Session::snapshotChanged, this, &TimeMachine::refresh);
    connect(&session, &Session::stateChanged, this, &TimeMachine::refresh);
    if (parent)
        parent->installEventFilter(this);
    refresh();
}

/// So small that the slider never dictates the width of the stage.
QSize TimeMachine::minimumSizeHint() const
{
    const int words = m_step->fontMetrics().horizontalAdvance(m_shortWords);
    return {words + m_newest->sizeHint().width() + withFont(leastSlider), QWidget::minimumSizeHint().height()};
}

void TimeMachine::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWords();
}

bool TimeMachine::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        fitHeight();
    return QWidget::eventFilter(watched, event);
}

/// The slider keeps its place while the step grows, and at least half of a narrow row.
void TimeMachine::fitWords()
{
    const auto widthOf = [&](const QString& words) { return m_step->fontMetrics().horizontalAdvance(words); };
    const int wide     = std::max(widthOf(m_longestWords), widthOf(m_words));
    const bool narrow  = width() < 2 * wide + m_newest->sizeHint().width();
    m_step->setText(narrow ? m_shortWords : m_words);
    m_step->setFixedWidth(1 + (narrow ? widthOf(m_shortWords) : wide));
}

/// A low stage has the room for its picture; the keys that move through the steps still work.
void TimeMachine::fitHeight()
{
    const bool low = parentWidget() && parentWidget()->height() < withFont(lowStage);
    setVisible(!low && !m_session.run().ofOutputs());   // imported predictions have no steps
}

void TimeMachine::move(int by)
{
    const int last = static_cast<int>(m_session.run().recorded().size()) - 1;
    if (last < 1)
        return;
    const int from = m_session.run().at < 0 ? last : m_session.run().at;
    m_session.currentRun().showRecorded(from + by > last ? -1 : std::max(0, from + by));
}

void TimeMachine::refresh()
{
    fitHeight();
    const int count = static_cast<int>(m_session.run().recorded().size());
    const QSignalBlocker quiet(m_slider);
    m_quiet->setNeeded(count > 1);
    m_slider->setEnabled(count > 1);
    m_slider->setRange(0, std::max(0, count - 1));
    m_slider->setValue(m_session.run().at < 0 ? count - 1 : m_session.run().at);
    m_newest->setEnabled(m_session.run().at >= 0);
    const auto run = m_session.run().current();
    if (!run.snapshot) {
        m_words = m_shortWords = m_longestWords = QString();
        return fitWords();
    }
    const QString step = toQString(run.snapshot->point.step), last = toQString(steps_of(run.experiment->study));
    QString words  = tr("Step %1 of %2").arg(step, last);
    m_shortWords   = tr("Step %1").arg(step);
    m_longestWords = tr("Step %1 of %2").arg(last, last);
    if (method_of(run.experiment->study).training.fits_curvature)   // two snapshots of the last step
        words += laplace_of(*run.snapshot) ? tr(" · curvature") : tr(" · point estimate");
    m_words = words;
    fitWords();
    if (m_slider->hasFocus()) {
        m_slider->setAccessibleDescription(words);
        announce(m_slider, words, Announcer::Urgency::settled);
    }
}
