// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_dock.h"

#include "data/input_groups.h"
#include "images/image_workbench.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/number_slider.h"
#include "parts/remembered_sizes.h"
#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "simplex/logit_source.h"
#include "views/image_rows.h"
#include "work/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr int attackRestsAfter = 180;   ///< milliseconds without a movement

const QStringList attackViews{QStringLiteral("attack_input"), QStringLiteral("attack_curve"),
                              QStringLiteral("attack_arrows")};

}   // namespace

AttackControl::AttackControl(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context),
      m_epsilon(new NumberSlider(
          {.name     = QStringLiteral("attackEpsilon"),
           .title    = tr("Strength ε of the attack"),
           .low      = 0,
           .high     = 0.3,
           .step     = 0.005,
           .decimals = 3,
           .tip = tr("Set the strength ε: each component of the selected input moves by at most ε, and the result "
                     "becomes the selected input; 0 restores the original. For images 1 is the step from black to "
                     "white")},
          this)),
      m_kind(addBox(
          QStringLiteral("attackKind"), tr("Kind of attack"),
          tr("Select the attack. Fast: one step of size ε along the sign of the gradient. Projected: ten smaller "
             "steps within ε, with a new gradient each. Random: random signs, as a control"))),
      m_gradient(addBox(
          QStringLiteral("attackGradient"), tr("Gradient of the attack"),
          tr("Select the loss to increase: the loss of the mean prediction of ten samples, the mean of ten losses, "
             "or the loss of one sample"))),
      m_worker({.newer = Worker::Newer::waits_for_old})
{
    for (const auto& [kind, title] : {std::pair{AttackKind::fast_gradient_sign, tr("Fast gradient sign")},
                                      {AttackKind::projected_gradient, tr("Projected gradient")},
                                      {AttackKind::random_signs, tr("Random signs")}})
        m_kind->addItem(title, static_cast<int>(kind));
    for (const auto& [gradient, title] : {std::pair{AttackGradient::mean_predictive, tr("of −ln p̄")},
                                          {AttackGradient::mean_loss, tr("of the mean loss")},
                                          {AttackGradient::one_draw, tr("of one sample")}})
        m_gradient->addItem(title, static_cast<int>(gradient));
    setObjectName(QStringLiteral("attackControl"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(2);
    auto* epsilon = new QLabel(tr("Strength ε"), this);
    epsilon->setToolTip(m_epsilon->toolTip());
    grid->addWidget(epsilon, 0, 0);
    grid->addWidget(m_epsilon, 0, 1, 1, 3);
    grid->addWidget(m_kind, 1, 0, 1, 2);
    grid->addWidget(m_gradient, 1, 2, 1, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    m_rest.setSingleShot(true);
    m_rest.setInterval(attackRestsAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { choose(false); });
    connect(m_epsilon, &NumberSlider::valueChanged, this, &AttackControl::attack);
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        Q_EMIT failed(tr("The attack failed: %1").arg(sentence));
    });
    for (auto* box : {m_kind, m_gradient})
        connect(box, &QComboBox::currentIndexChanged, this, &AttackControl::notify);
    connect(&m_context.selection, &Selection::changed, this, [this] {
        if (!m_choosing)
            releaseInput();
    });
    m_context.choices.alsoFrom([this](ViewOptions& options) {
        if (m_origin)
            options.attack.unattacked = InputChoice{m_origin->input, m_origin->name, m_origin->label, m_origin->row};
    });
}

QComboBox* AttackControl::addBox(const QString& name, const QString& title, const QString& tip)
{
    auto* box = new QComboBox(this);
    describeControl(box, name, title, tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return box;
}

void AttackControl::fit(const Experiment& experiment, bool otherData)
{
    if (view_support::why_no_attack(experiment))
        return releaseInput();
    m_epsilon->setRange(0, view_support::attack_strengths(experiment).back());
    if (otherData)
        releaseInput();
}

void AttackControl::notify()
{
    m_context.choices.set(attackViews, [this](ViewOptions& options) {
        options.attack.method.kind     = static_cast<AttackKind>(m_kind->currentData().toInt());
        options.attack.method.gradient = static_cast<AttackGradient>(m_gradient->currentData().toInt());
    });
    if (m_origin)
        attack(m_epsilon->value());
}

/// Attacks the input. When the slider returns to 0, the figures keep the last strength above 0,
/// since they would be empty at 0.
void AttackControl::attack(double epsilon)
{
    if (epsilon <= 0)
        return takeBack();
    const auto run = m_context.session.run().current();
    if (!run.experiment || !run.snapshot || view_support::why_no_attack(*run.experiment))
        return;
    if (!m_origin)
        m_origin = m_context.selection.chosen();
    m_context.choices.set({QStringLiteral("attack_arrows")},
                          [&](ViewOptions& options) { options.attack.epsilon = epsilon; });
    auto options              = m_context.choices.options();
    options.attack.unattacked = InputChoice{m_origin->input, m_origin->name, m_origin->label, m_origin->row};
    m_worker.submit([this, run, options](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto attacked = attacked_input(run, options, stop);
        if (!attacked)
            return {};
        return [this, found = std::move(*attacked)] { take(found); };
    });
}

void AttackControl::take(AttackedInput attacked)
{
    m_attacked = std::move(attacked);
    choose(true);
    m_rest.start();
}

void AttackControl::choose(bool moving)
{
    if (!m_origin)
        return;
    const bool isRow                = m_origin->input.empty();
    const std::optional<int> madeOf = isRow ? std::optional(static_cast<int>(m_origin->row)) : m_origin->madeOf;
    m_choosing                      = true;
    m_context.selection.chooseMade({.input  = m_attacked.input,
                                    .name   = m_attacked.name,
                                    .label  = m_attacked.label,
                                    .row    = m_origin->row,
                                    .madeOf = madeOf,
                                    .drawn  = m_origin->drawn},
                                   moving);
    m_choosing = false;
}

void AttackControl::takeBack()
{
    m_worker.cancel();
    m_rest.stop();
    if (!m_origin)
        return;
    const ChosenInput before = *std::exchange(m_origin, std::nullopt);
    m_choosing               = true;
    if (before.input.empty())
        m_context.selection.chooseRow(static_cast<int>(before.row), Selection::By::canvas);
    else
        m_context.selection.chooseMade(before, false);
    m_choosing = false;
}

void AttackControl::releaseInput()
{
    m_worker.cancel();
    m_rest.stop();
    m_origin.reset();
    m_epsilon->setValue(0);
}

namespace {
/// Prefix of the charts in the workbench, followed by their view
const QString imagePlaces = QStringLiteral("image/");

}   // namespace

ImageTab::ImageTab(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QObject(parent), m_context(context), m_workbench(new ImageWorkbench(parent))
{
    m_workbench->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    binder.add({.prefix      = imagePlaces,
                .views       = {QStringLiteral("nearest_images")},
                .show        = [this](const QString& view,
                               const Chart& chart) { m_workbench->setPicture(view.toStdString(), chart); },
                .followInput = true,
                .wanted      = [this](int samples) { return wanted(samples); }});
    context.choices.alsoFrom([this](ViewOptions& options) { m_workbench->addTo(options); });
    connect(m_workbench, &ImageWorkbench::requested, this, &ImageTab::take);
    for (const auto signal : {&ImageWorkbench::viewsChanged, &ImageWorkbench::becameVisible})
        connect(m_workbench, signal, &binder, [&binder] { binder.requestOthers(imagePlaces); });
    connect(m_workbench, &ImageWorkbench::exportRequested, &binder, &ViewBinder::exportRequested);
    connect(&binder, &ViewBinder::fitted, this, &ImageTab::followSelection);
    connect(&context.selection, &Selection::changed, this, &ImageTab::followSelection);
}

void ImageTab::followSelection()
{
    if (const auto& experiment = m_context.selection.experiment())
        m_workbench->setChosen(experiment, m_context.requests.chosen());
}

void ImageTab::take(const ImageRequest& request)
{
    m_context.selection.chooseMade({.input  = request.input,
                                    .name   = request.name,
                                    .label  = request.label,
                                    .madeOf = request.base_row,
                                    .drawn  = !request.base_row && request.own},
                                   request.draft);
}

std::vector<ViewScheduler::Request> ImageTab::wanted(int samples)
{
    std::vector<ViewScheduler::Request> requests;
    const auto& experiment = m_context.session.run().experiment;
    if (!m_workbench->isVisible() || !experiment || !has_images(*experiment))
        return requests;
    auto options               = m_context.requests.options();
    options.samples            = samples;
    options.input.with_picture = false;   // the image is next to the charts
    for (const auto& id : m_workbench->wantedViews())
        requests.push_back(m_context.requests.of(imagePlaces + toQString(id), view(id), options));
    return requests;
}

namespace {

constexpr int steps             = 200;   ///< of the slider, logarithmic from the smallest to the largest
constexpr double leastThreshold = 0.001, mostThreshold = 0.9;

int placeOf(double threshold)
{
    return static_cast<int>(
        std::lround(steps * std::log(threshold / leastThreshold) / std::log(mostThreshold / leastThreshold)));
}

}   // namespace

TopKControl::TopKControl(double threshold, QWidget* parent) : QWidget(parent)
{
    auto* slider = new QSlider(Qt::Horizontal, this);
    describeControl(slider, QStringLiteral("topKSlider"), tr("Threshold T of the uncertainty-aware top-k"),
                    tr("Set the threshold T: move left to include more classes, right for fewer"));
    slider->setRange(0, steps);
    slider->setMinimumWidth(60);
    auto* number = new QDoubleSpinBox(this);
    number->setObjectName(QStringLiteral("topKThreshold"));
    number->setPrefix(tr("T = "));
    number->setDecimals(3);
    number->setRange(leastThreshold, mostThreshold);
    number->setSingleStep(0.01);
    number->setAccessibleName(slider->accessibleName());
    number->setToolTip(
        tr("Set the threshold T: a class is included while its 1 − T/2 quantile exceeds the T/2 quantile of the "
           "previous class"));
    number->setValue(threshold);
    slider->setValue(placeOf(threshold));
    connect(slider, &QSlider::valueChanged, this, [number](int at) {
        number->setValue(leastThreshold * std::pow(mostThreshold / leastThreshold, static_cast<double>(at) / steps));
    });
    connect(number, &QDoubleSpinBox::valueChanged, this, [this, slider](double now) {
        const QSignalBlocker quiet(slider);
        slider->setValue(placeOf(now));
        Q_EMIT thresholdChanged(now);
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(slider, 1);
    row->addWidget(number);
}

namespace {

QString notOfImages() { return InputDock::tr("The inputs are not images."); }

}   // namespace

InputDock::InputDock(AppContext& context, ViewBinder& binder, LogitSource& logitSource, InputRanking& ranking,
                     ChangedRow& row, QWidget* parent)
    : QWidget(parent), m_context(context), m_words(new QLabel(this)), m_verdict(new WrappedLabel(this)),
      m_row(new QSpinBox(this)), m_toRows(new QToolButton(this)),
      m_whatIf(new WhatIf(context, binder, ranking, row, this)),
      m_views(new ViewArea(QStringLiteral("inputTabs"), binder, this)), m_halves(new QSplitter(Qt::Vertical, this)),
      m_scroll(new QScrollArea(this)), m_image(new ImageTab(context, binder, this))
{
    m_views->addPage(
        {.body  = workbench(),
         .id    = QStringLiteral("image"),
         .entry = {.title = tr("Image"), .detail = tr("Show the selected image enlarged; draw or perturb an image")},
         .whole = tr("Selected image"),
         .group = ViewGroup::selected_input});
    m_views->add({{"boxplots", tr("Boxplots")},
                  {"intervals", tr("Intervals")},
                  {"simplex", tr("Simplex")},
                  {"beta_marginals", tr("Marginals")},
                  {"prepared_images", tr("Prepared")},
                  {"disturbance_curve", tr("Perturbation")},
                  {"attack_input", tr("Attack")},
                  {"influence", tr("Influence of inputs")}});
    m_views->setThere(workbench(), false, notOfImages());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildRow());
    m_verdict->setObjectName(QStringLiteral("inputVerdict"));
    m_verdict->setContentsMargins(6, 0, 6, 2);
    m_verdict->hide();
    showVerdictIn(m_verdict, QStringLiteral("inputVerdict/"), context.requests, binder);
    column->addWidget(m_verdict);
    m_halves->addWidget(m_whatIf);
    m_halves->addWidget(m_views);
    m_halves->setChildrenCollapsible(false);
    m_whatIf->hide();
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);   // its controls have it
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_halves);
    column->addWidget(m_scroll, 1);
    connect(m_halves, &QSplitter::splitterMoved, this, [this] { m_sharedByHand = true; });
    connect(m_whatIf, &WhatIf::comfortChanged, this, &InputDock::shareHeight);

    auto& choices = context.choices;
    auto* topK    = new TopKControl(choices.options().top_k.threshold, this);
    connect(topK, &TopKControl::thresholdChanged, &choices, [&choices](double threshold) {
        choices.set({QStringLiteral("beta_marginals"), QStringLiteral("list_lengths")},
                    [threshold](ViewOptions& options) { options.top_k.threshold = threshold; });
    });
    binder.panel(QStringLiteral("beta_marginals"))->addControl(topK);
    binder.panel(QStringLiteral("disturbance_curve"))->addControl(buildSweep());
    auto* attack = new AttackControl(context, this);
    binder.panel(QStringLiteral("attack_input"))->addControl(attack);
    connect(attack, &AttackControl::failed, this, &InputDock::failed);
    connect(&binder, &ViewBinder::fitted, attack,
            [attack](const std::shared_ptr<const Experiment>& experiment, bool otherData) {
        attack->fit(*experiment, otherData);
    });
    logitSource.addControls({QStringLiteral("simplex"), QStringLiteral("beta_marginals")});
    connect(&binder, &ViewBinder::fitted, this, &InputDock::fit);
    connect(&context.selection, &Selection::changed, this, &InputDock::describe);
}

ImageWorkbench* InputDock::workbench() const { return m_image->workbench(); }

QWidget* InputDock::buildRow()
{
    m_words->setObjectName(QStringLiteral("chosenInput"));
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setWordWrap(true);   // long names, large letters
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    describeControl(m_row, QStringLiteral("inputRow"), tr("Test-set row of the selected input"),
                    tr("Select an input by its test-set row, or click in the map"));
    m_row->setPrefix(tr("test row "));
    const QString tip = tr("Select an input from the test-row table, which shows the prediction for each row");
    describeControl(m_toRows, QStringLiteral("toRows"), tip, tip);
    m_toRows->setIcon(icon(QStringLiteral("table")));
    m_toRows->setAutoRaise(true);
    connect(m_toRows, &QToolButton::clicked, this, &InputDock::rowsRequested);
    connect(m_row, &QSpinBox::valueChanged, this,
            [this](int row) { m_context.selection.chooseRow(row, Selection::By::box); });
    auto* all = new QWidget(this);
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(6, 2, 4, 0);
    row->addWidget(m_words, 1);
    row->addWidget(m_row);
    row->addWidget(m_toRows);
    return all;
}

/// Selects the perturbation on the horizontal axis of the curve.
QWidget* InputDock::buildSweep()
{
    auto* sweep = new QComboBox(this);
    sweep->setObjectName(QStringLiteral("sweep"));
    sweep->setAccessibleName(tr("Perturbation of the curve"));
    for (const auto& [which, title] : {std::pair{DisturbanceSweep::rotation, tr("Rotation")},
                                       {DisturbanceSweep::scale, tr("Scale")},
                                       {DisturbanceSweep::right, tr("Shift right")},
                                       {DisturbanceSweep::down, tr("Shift down")},
                                       {DisturbanceSweep::blur, tr("Blur")},
                                       {DisturbanceSweep::noise, tr("Noise")},
                                       {DisturbanceSweep::morph, tr("Morph")}})
        sweep->addItem(title, static_cast<int>(which));
    connect(sweep, &QComboBox::currentIndexChanged, this, [this, sweep] {
        m_context.choices.set({QStringLiteral("disturbance_curve")}, [sweep](ViewOptions& options) {
            options.disturbance.sweep = static_cast<DisturbanceSweep>(sweep->currentData().toInt());
        });
    });
    return sweep;
}

void InputDock::fit(const std::shared_ptr<const Experiment>& experiment, bool otherData)
{
    const bool table = !m_whatIf->isHidden();
    m_whatIf->fit(*experiment, otherData);
    if (table == m_whatIf->isHidden())
        Q_EMIT tableShown(!table);
    shareHeight();
    const bool images = has_images(*experiment);
    if (otherData)
        m_verdict->clear();
    m_verdict->setVisible(!images && !experiment->outputs && m_whatIf->isHidden());
    const bool tests = experiment->data->test.n_rows > 0;
    fitImages(images);
    m_toRows->setVisible(!images);   // images have their grid instead
    const QSignalBlocker quiet(m_row);
    m_row->setSpecialValueText({});
    m_row->setRange(0, std::max(0, static_cast<int>(scoredPart(*experiment).n_rows) - 1));
    m_row->setValue(static_cast<int>(m_context.selection.chosen().row));
    if (experiment->outputs)
        m_row->setPrefix(images ? tr("image ") : tr("row "));
    else if (images)
        m_row->setPrefix(!tests                               ? tr("image ")
                         : has_validation_images(*experiment) ? tr("validation image ")
                                                              : tr("test image "));
    else
        m_row->setPrefix(tests ? tr("test row ") : tr("row "));
    describe();
}

void InputDock::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    shareHeight();
}

/// Gives *What if* the height that its inputs need and the rest to the views, until the user moves
/// the handle between them. Low windows scroll.
void InputDock::shareHeight()
{
    const QSize least = m_halves->minimumSizeHint();
    m_scroll->setMinimumSize(least.width() + m_scroll->verticalScrollBar()->sizeHint().width(),
                             std::min(least.height(), window()->height() / 3));
    const int height = m_halves->height() - m_halves->handleWidth();
    if (m_whatIf->isHidden() || height <= 0)
        return;
    if (m_halves->isVisible() && !std::exchange(m_restored, true) && rememberSplitter(*m_halves, "inspector/input"))
        m_sharedByHand = true;
    if (m_sharedByHand)
        return;
    const int views = std::max(m_views->minimumSizeHint().height(), height - m_whatIf->comfortableHeight());
    m_halves->setSizes({std::max(1, height - views), views});
}

void InputDock::fitImages(bool images)
{
    const bool wasThere = m_views->isThere(workbench());
    m_views->setThere(workbench(), images, notOfImages());
    const auto policy = images ? QSizePolicy::Preferred : QSizePolicy::Ignored;   // requests no space while hidden
    workbench()->setSizePolicy(policy, policy);
    if (images == wasThere)
        return;
    if (images)
        m_views->show(workbench());
    Q_EMIT imagesShown(images);
}

void InputDock::describe()
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment)
        return;
    if (has_images(*experiment) || experiment->outputs)
        describeRow(*experiment);
    else
        describePoint(*experiment);
    m_words->setToolTip(m_words->text());
}

void InputDock::describeRow(const Experiment& experiment)
{
    const auto& part   = scoredPart(experiment);
    const auto& chosen = m_context.selection.chosen();
    const auto label = chosen.input.empty() && chosen.row < part.labels.size() ? std::optional(part.labels[chosen.row])
                                                                               : chosen.label;
    QStringList words;
    if (!chosen.name.empty())
        words += toQString(chosen.name);
    if (label)
        words += tr("true class %1").arg(toQString(part.class_names[static_cast<std::size_t>(*label)]));
    else if (!chosen.input.empty() || (experiment.outputs && part.labels.empty()))
        words += tr("true class unknown");
    m_words->setText(words.join(QStringLiteral(", ")));
    showRow(!chosen.input.empty() && !chosen.madeOf, tr("another image"));
}

void InputDock::describePoint(const Experiment& experiment)
{
    const auto& part   = scoredPart(experiment);
    const auto& chosen = m_context.selection.chosen();
    const auto input   = m_context.selection.numbers();
    const bool many    = input.size() > 2;
    QStringList parts;
    for (std::size_t i = 0; !many && i < input.size(); ++i)
        parts += QStringLiteral("%1\u00a0=\u00a0%2")
                     .arg(toQString(part.feature_names[i]),
                          QString::number(input[i], 'g', 3).replace(QLatin1Char('-'), QChar(0x2212)));
    if (many)   // What if shows them
        parts = {chosen.name.empty() ? tr("%1 inputs").arg(input_groups(experiment.data->training).size())
                                     : toQString(chosen.name)};
    m_words->setText(parts.join(QStringLiteral(", ")));
    showRow(!chosen.input.empty(), !many ? tr("map point") : chosen.of ? tr("other row") : tr("changed row"));
}

/// @param outside  the input is not one of the rows, so the box shows no row number and any step
///        selects a row
void InputDock::showRow(bool outside, const QString& words)
{
    const QSignalBlocker quiet(m_row);
    m_row->setSpecialValueText(outside ? words : QString());
    m_row->setMinimum(outside ? -1 : 0);
    m_row->setValue(outside ? -1 : static_cast<int>(m_context.selection.chosen().row));
}
