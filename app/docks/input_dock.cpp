// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/input_dock.h"

#include "docks/attack_control.h"
#include "images/image_workbench.h"
#include "parts/icons.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "session/app_context.h"
#include "tools/logit_source.h"
#include "views/image_rows.h"
#include "work/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

const QString imagePlaces = QStringLiteral("image/");   ///< pictures of the workbench: these and their view

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
    options.input.with_picture = false;   // it is next to them
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
    slider->setObjectName(QStringLiteral("topKSlider"));
    slider->setRange(0, steps);
    slider->setMinimumWidth(60);
    slider->setAccessibleName(tr("Threshold T of the uncertainty-aware top-k"));
    slider->setToolTip(tr("Set the threshold T: move left to include more classes, right for fewer"));
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

InputDock::InputDock(AppContext& context, ViewBinder& binder, LogitSource& logitSource, QWidget* parent)
    : QWidget(parent), m_context(context), m_words(new QLabel(this)), m_row(new QSpinBox(this)),
      m_toRows(new QToolButton(this)), m_tabs(new ViewTabs(binder,
                                                           {{"boxplots", tr("Boxplots")},
                                                            {"intervals", tr("Intervals")},
                                                            {"simplex", tr("Simplex")},
                                                            {"beta_marginals", tr("Marginals")},
                                                            {"prepared_images", tr("Prepared")},
                                                            {"disturbance_curve", tr("Perturbation")},
                                                            {"attack_input", tr("Attack")}},
                                                           this)),
      m_image(new ImageTab(context, binder, this))
{
    m_tabs->setObjectName(QStringLiteral("inputTabs"));
    m_tabs->addFirst(workbench(), tr("Image"), tr("Show the selected image enlarged; draw or perturb an image"));
    setTabThere(*m_tabs, 0, false);
    m_tabs->setCurrentIndex(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildRow());
    column->addWidget(m_tabs, 1);

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
    m_row->setObjectName(QStringLiteral("inputRow"));
    m_row->setPrefix(tr("test row "));
    m_row->setAccessibleName(tr("Test-set row of the selected input"));
    m_row->setToolTip(tr("Select an input by its test-set row, or click in the map"));
    m_toRows->setObjectName(QStringLiteral("toRows"));
    m_toRows->setIcon(icon(QStringLiteral("table")));
    m_toRows->setAutoRaise(true);
    m_toRows->setToolTip(tr("Select an input from the test-row table, which shows the prediction for each row"));
    m_toRows->setAccessibleName(m_toRows->toolTip());
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

void InputDock::fit(const std::shared_ptr<const Experiment>& experiment)
{
    const bool images = has_images(*experiment);
    const bool tests  = experiment->data->test.n_rows > 0;
    fitImages(images);
    m_toRows->setVisible(!images);   // which have their grid
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

void InputDock::fitImages(bool images)
{
    const int tab       = m_tabs->indexOf(workbench());
    const bool wasThere = m_tabs->isTabVisible(tab);
    setTabThere(*m_tabs, tab, images);
    const auto policy = images ? QSizePolicy::Preferred
                               : QSizePolicy::Ignored;   // where it is not shown it claims no room
    workbench()->setSizePolicy(policy, policy);
    if (images == wasThere)
        return;
    m_tabs->setCurrentIndex(images ? tab : tab + 1);
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
    QStringList parts;
    for (std::size_t i = 0; i < input.size() && i < 2; ++i)
        parts += QStringLiteral("%1\u00a0=\u00a0%2").arg(toQString(part.feature_names[i])).arg(input[i], 0, 'g', 3);
    if (input.size() > 2)
        parts += tr("… (%1 inputs)").arg(input.size());
    m_words->setText(parts.join(QStringLiteral(", ")));
    showRow(!chosen.input.empty(), tr("map point"));
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
