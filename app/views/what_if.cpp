// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/what_if.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/number_slider.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "views/input_ranking.h"
#include "views/intervals.h"
#include "work/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

const QString whatIfPlaces            = QStringLiteral("whatIf/");
constexpr int whatIfRestsAfter        = 180;   ///< milliseconds without a movement
constexpr std::size_t mostWhatIfLines = 60;    ///< controls; the other inputs stay as they are

/// A power of ten of which the range has 1,000 to 10,000, unless the numbers are much larger than their range, and
/// its decimals.
std::pair<double, int> stepFor(double low, double high)
{
    constexpr double mostSteps = 1e9;   // a slider counts them from 0
    const double least         = std::max((high - low) / 1000, std::max(std::abs(low), std::abs(high)) / mostSteps);
    const int power            = static_cast<int>(std::floor(std::log10(least)));
    return {std::pow(10.0, power), std::max(0, -power)};
}

}   // namespace

/// Of the inputs that have a control, in one pass over the rows.
std::vector<WhatIf::Range> WhatIf::rangesOf(const Dataset& training, const std::vector<InputGroup>& inputs)
{
    std::vector<Range> ranges(std::min(inputs.size(), mostWhatIfLines));
    for (std::size_t row = 0; row < training.n_rows; ++row) {
        const auto values = training.row(row);
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            auto& range        = ranges[i];
            const double value = values[inputs[i].first];
            range.low          = std::min(range.low, value);
            range.high         = std::max(range.high, value);
            range.whole        = range.whole && value == std::floor(value);
        }
    }
    return ranges;
}

WhatIf::WhatIf(AppContext& context, ViewBinder& binder, InputRanking& ranking, QWidget* parent)
    : QWidget(parent), m_context(context), m_binder(binder), m_ranking(ranking), m_title(new QLabel(this)),
      m_verdict(new QLabel(this)), m_more(new QLabel(this)), m_reset(new QToolButton(this)),
      m_scroll(new QScrollArea(this)), m_grid(new QGridLayout)
{
    setObjectName(QStringLiteral("whatIf"));
    buildHead();
    auto* body   = new QWidget(m_scroll);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(6, 0, 6, 2);
    column->setSpacing(2);
    m_grid->setSpacing(3);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    column->addWidget(m_more);
    column->addStretch(1);
    m_scroll->setWidget(body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setMinimumHeight(withFont(85));
    static_cast<QVBoxLayout*>(layout())->addWidget(m_scroll, 1);
    m_more->setWordWrap(true);

    binder.add({.prefix      = whatIfPlaces,
                .show        = [this](const QString&, const Chart& chart) { showVerdict(chart); },
                .followInput = true,
                .wanted      = [this](int samples) -> std::vector<ViewScheduler::Request> {
                    if (!isVisible())
                        return {};
                    const auto& verdict = view("verdict");
                    auto options        = m_context.requests.optionsFor(verdict);
                    if (samples > 0)
                        options.samples = samples;
                    return {m_context.requests.of(whatIfPlaces + QStringLiteral("verdict"), verdict, options)};
                }});
    m_rest.setSingleShot(true);
    m_rest.setInterval(whatIfRestsAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { choose(false); });
    connect(&context.selection, &Selection::changed, this, &WhatIf::followSelection);
    connect(&ranking, &InputRanking::changed, this, &WhatIf::placeLines);
    ranking.serve(this);
}

void WhatIf::buildHead()
{
    QFont bold;
    bold.setBold(true);
    m_title->setText(tr("What if"));
    m_title->setFont(bold);
    m_verdict->setObjectName(QStringLiteral("whatIfVerdict"));
    m_verdict->setTextFormat(Qt::RichText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdict->setWordWrap(true);
    m_verdict->setContentsMargins(6, 0, 6, 0);
    describeControl(m_reset, QStringLiteral("whatIfReset"), tr("Reset the inputs"),
                    tr("Select the unchanged row again"));
    m_reset->setText(tr("Reset"));
    m_reset->setAutoRaise(true);
    m_reset->setEnabled(false);
    connect(m_reset, &QToolButton::clicked, this, &WhatIf::reset);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 0, 6, 0);
    row->addWidget(m_title, 1);
    row->addWidget(m_reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_verdict);
    column->addLayout(row);
}

void WhatIf::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_ranking.request();
    m_binder.requestOthers(whatIfPlaces);
}

void WhatIf::fit(const Experiment& experiment, bool otherData)
{
    const bool many = InputRanking::isOfMany(experiment);
    if (otherData || !many) {   // the values are of other inputs
        m_rest.stop();
        m_changed = false;
        clearLines();
    }
    if (many) {
        if (m_lines.empty())
            buildLines(experiment);
        followSelection();
    }
    setVisible(many);
}

void WhatIf::clearLines()
{
    for (const auto& line : m_lines) {
        delete line.name;
        delete line.number;
        delete line.category;
    }
    m_lines.clear();
    m_inputs.clear();
    m_values.clear();
    m_verdict->clear();
}

void WhatIf::buildLines(const Experiment& experiment)
{
    m_inputs          = input_groups(experiment.data->training);
    const auto ranges = rangesOf(experiment.data->training, m_inputs);
    for (std::size_t i = 0; i < ranges.size(); ++i)
        m_lines.push_back(lineFor(i, ranges[i]));
    std::vector<NumberSlider*> sliders;
    for (const auto& line : m_lines)
        if (line.number)
            sliders.push_back(line.number);
    NumberSlider::align(sliders);
    m_more->setVisible(m_inputs.size() > m_lines.size());
    m_more->setText(tr("The other %1 inputs keep their values.").arg(m_inputs.size() - m_lines.size()));
    placeLines();
}

WhatIf::Line WhatIf::lineFor(std::size_t input, const Range& range)
{
    const auto& group  = m_inputs[input];
    const QString name = toQString(group.name), control = QStringLiteral("whatIf/") + name;
    Line line{.input = input, .name = new QLabel(m_scroll->widget()), .number = nullptr, .category = nullptr};
    line.name->setText(line.name->fontMetrics().elidedText(name, Qt::ElideRight, withFont(90)));
    line.name->setToolTip(name);
    if (group.is_category()) {
        line.category = new QComboBox(m_scroll->widget());
        describeControl(line.category, control, name, tr("Select the value of %1").arg(name));
        line.category->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        line.category->setMinimumContentsLength(8);
        for (const auto& value : group.categories)
            line.category->addItem(toQString(value));
        line.name->setBuddy(line.category);
        connect(line.category, &QComboBox::currentIndexChanged, this,
                [this, input](int index) { change(input, index); });
        return line;
    }
    auto [low, high, whole] = range;
    if (!(low < high)) {   // a constant column
        low -= 0.5;
        high += 0.5;
    }
    auto [step, decimals] = stepFor(low, high);
    if (whole && step < 1) {
        step     = 1;
        decimals = 0;
    }
    line.number = new NumberSlider({.name     = control,
                                    .title    = name,
                                    .low      = std::floor(low / step) * step,
                                    .high     = std::ceil(high / step) * step,
                                    .step     = step,
                                    .value    = low,
                                    .decimals = decimals,
                                    .tip      = tr("Set %1 within the range of the training rows").arg(name)},
                                   m_scroll->widget());
    line.name->setBuddy(line.number->box());
    connect(line.number, &NumberSlider::valueChanged, this, [this, input](double value) { change(input, value); });
    return line;
}

/// The most influential inputs first.
void WhatIf::placeLines()
{
    int row = 0;
    for (const std::size_t input : m_ranking.order(m_inputs)) {
        const auto line = std::ranges::find(m_lines, input, &Line::input);
        if (line == m_lines.end())
            continue;
        auto* control = line->number ? static_cast<QWidget*>(line->number) : line->category;
        m_grid->addWidget(line->name, row, 0);
        m_grid->addWidget(control, row++, 1);
    }
    QWidget* before = m_reset;   // the order of the Tab key
    for (int i = 0; i < row; ++i) {
        auto* control = m_grid->itemAtPosition(i, 1)->widget();
        for (auto* part : control->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (part->focusPolicy() & Qt::TabFocus) {
                QWidget::setTabOrder(before, part);
                before = part;
            }
        if (qobject_cast<QComboBox*>(control)) {
            QWidget::setTabOrder(before, control);
            before = control;
        }
    }
}

void WhatIf::showVerdict(const Chart& chart)
{
    if (!chart.table)
        return;   // it takes long; the last one stays
    QString rows;
    for (const auto& [name, value] : verdict_lines(chart))
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align='right'><b>%2</b></td></tr>")
                    .arg(toQString(name).toHtmlEscaped(), toQString(value).toHtmlEscaped());
    m_verdict->setText(QStringLiteral("<table width='100%'>%1</table>").arg(rows));
}

/// Starts again from an input that was selected elsewhere.
void WhatIf::followSelection()
{
    if (m_choosing || m_lines.empty())
        return;
    const auto& chosen = m_context.selection.chosen();
    if (m_changed && chosen.input == m_values)
        return;   // another snapshot of the same run
    m_rest.stop();
    m_changed = false;
    m_origin  = chosen;
    m_values  = m_context.selection.numbers();
    showValues();
}

void WhatIf::showValues()
{
    m_reset->setEnabled(m_changed);
    if (m_values.empty())
        return;
    for (const auto& line : m_lines) {
        const double value = m_inputs[line.input].value_of(m_values);
        if (line.number) {
            const auto* box = line.number->box();
            if (value < box->minimum() || value > box->maximum())   // a test row beyond the training rows
                line.number->setRange(std::min(value, box->minimum()), std::max(value, box->maximum()));
            line.number->setValue(value);
            continue;
        }
        const QSignalBlocker quiet(line.category);
        line.category->setCurrentIndex(static_cast<int>(value));
    }
}

void WhatIf::change(std::size_t input, double value)
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment || m_values.size() != experiment->data->training.n_features)
        return;
    m_inputs[input].set(m_values, value);
    m_changed = true;
    m_reset->setEnabled(true);
    choose(true);
    m_rest.start();
}

void WhatIf::choose(bool moving)
{
    const bool isRow   = m_origin.input.empty();
    const bool tests   = m_context.session.run().experiment->data->test.n_rows > 0;
    const QString name = isRow ? (tests ? tr("test row %1") : tr("training row %1")).arg(m_origin.row)
                               : toQString(m_origin.name);
    m_choosing         = true;
    m_context.selection.chooseMade(
        {.input  = m_values,
         .name   = (name.isEmpty() ? tr("changed input") : tr("%1, changed").arg(name)).toStdString(),
         .row    = m_origin.row,
         .madeOf = isRow ? std::optional(static_cast<int>(m_origin.row)) : m_origin.madeOf},
        moving);
    m_choosing = false;
}

void WhatIf::reset()
{
    m_rest.stop();
    m_changed         = false;
    const auto before = m_origin;   // which the next selection replaces
    if (before.input.empty())
        m_context.selection.chooseRow(static_cast<int>(before.row), Selection::By::canvas);
    else if (before.of)
        m_context.selection.chooseDataRow(*before.of, Selection::By::canvas);
    else
        m_context.selection.choosePoint(before.input, Selection::By::canvas);
}
