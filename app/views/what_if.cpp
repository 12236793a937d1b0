// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_dock.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/number_slider.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "views/changed_row.h"
#include "views/input_ranking.h"
#include "views/intervals.h"
#include "work/text.h"

#include "data/dataset.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

namespace {

const QString whatIfPlaces                = QStringLiteral("whatIf/");
constexpr std::size_t mostWhatIfLines     = 60;   ///< controls at a time; the search finds the others
constexpr std::size_t whatIfWithoutSearch = 12;   ///< the most inputs that are quickly found by eye
constexpr int comfortableWhatIfLines      = 8;

/// "cement" for "cement [kg/m3]".
QString nameWithoutUnit(const std::string& name)
{
    const std::string unit = unit_in_name(name);
    return toQString(unit.empty() ? name : name.substr(0, name.size() - unit.size() - 2)).trimmed();
}

}   // namespace

QWidget* WhatIf::Line::control() const { return number ? static_cast<QWidget*>(number) : category; }

WhatIf::WhatIf(AppContext& context, ViewBinder& binder, InputRanking& ranking, ChangedRow& row, QWidget* parent)
    : QWidget(parent), m_binder(binder), m_ranking(ranking), m_row(row), m_title(new QLabel(this)),
      m_verdict(new WrappedLabel(this)), m_more(new QLabel(this)), m_reset(new QToolButton(this)),
      m_search(new QLineEdit(this)), m_scroll(new QScrollArea(this)), m_grid(new QGridLayout)
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
    m_scroll->setMinimumHeight(withFont(56));
    static_cast<QVBoxLayout*>(layout())->addWidget(m_scroll, 1);
    m_more->setWordWrap(true);

    showVerdictIn(m_verdict, whatIfPlaces, context.requests, binder,
                  [this](const Chart& chart) { countAnswers(chart); });
    connect(&row, &ChangedRow::changed, this, &WhatIf::showValues);
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
    m_verdict->setContentsMargins(6, 0, 6, 0);
    describeControl(m_reset, QStringLiteral("whatIfReset"), tr("Reset the inputs"),
                    tr("Select the unchanged row again"));
    m_reset->setText(tr("Reset"));
    m_reset->setAutoRaise(true);
    m_reset->setEnabled(false);
    connect(m_reset, &QToolButton::clicked, &m_row, &ChangedRow::reset);
    describeControl(m_search, QStringLiteral("whatIfSearch"), tr("Search inputs"),
                    tr("Show only inputs whose names contain these words"));
    m_search->setPlaceholderText(tr("Search inputs"));
    m_search->setClearButtonEnabled(true);
    m_search->hide();
    connect(m_search, &QLineEdit::textChanged, this, &WhatIf::placeLines);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 0, 6, 0);
    row->addWidget(m_title);
    row->addWidget(m_search, 1);
    row->addStretch(0);
    row->addWidget(m_reset);
    setTabOrder(m_search, m_reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_verdict);
    column->addLayout(row);
}

int WhatIf::comfortableHeight() const
{
    int line = 0;
    for (const auto& each : m_lines)
        line = std::max(line, each.control()->sizeHint().height()
                                  + (m_stacked ? each.name->sizeHint().height() + m_grid->verticalSpacing() : 0));
    const int lines = std::min(comfortableWhatIfLines, static_cast<int>(m_lines.size()));
    const int width = std::max(1, this->width());
    return std::max(m_verdict->sizeHint().height(), m_verdict->heightForWidth(width)) + m_reset->sizeHint().height()
           + lines * (line + m_grid->verticalSpacing()) + 3 * layout()->spacing();
}

void WhatIf::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitWidth();
    m_ranking.request();
    m_binder.requestOthers(whatIfPlaces);
}

void WhatIf::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWidth();
}

void WhatIf::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        // Queued, so that its controls already have the new font
        QMetaObject::invokeMethod(this, &WhatIf::fitText, Qt::QueuedConnection);
}

/// Fits the names to the current text size.
void WhatIf::fitText()
{
    for (const auto& line : m_lines)
        if (line.input < m_row.inputs().size())
            showName(line);
    fitWidth();
    Q_EMIT comfortChanged();
}

void WhatIf::showName(const Line& line)
{
    line.name->setText(line.name->fontMetrics().elidedText(nameWithoutUnit(m_row.inputs()[line.input].name),
                                                           Qt::ElideRight, withFont(90)));
}

/// Places names above their controls if there is no space next to them.
void WhatIf::fitWidth()
{
    int names = 0, controls = 0;
    for (const auto& line : m_lines) {
        names    = std::max(names, line.name->sizeHint().width());
        controls = std::max(controls, line.control()->minimumSizeHint().width());
    }
    const bool stacked = names + controls + m_grid->horizontalSpacing() > m_scroll->viewport()->width() - 12;
    if (std::exchange(m_stacked, stacked) != stacked)
        placeLines();
}

void WhatIf::fit(const Experiment& experiment, bool otherData)
{
    const bool many = InputRanking::isOfMany(experiment);
    if (otherData || !many)
        clearLines();
    if (many && m_lines.empty()) {
        m_search->setVisible(m_row.inputs().size() > whatIfWithoutSearch);
        placeLines();
        fitWidth();
    }
    setVisible(many);
}

void WhatIf::clearLines()
{
    for (const auto& line : m_lines) {
        delete line.name;
        delete line.control();
    }
    m_lines.clear();
    m_verdict->clear();
    const QSignalBlocker quiet(m_search);
    m_search->clear();
}

WhatIf::Line& WhatIf::lineFor(std::size_t input)
{
    if (const auto made = std::ranges::find(m_lines, input, &Line::input); made != m_lines.end())
        return *made;
    m_lines.push_back(makeLine(input));
    showValue(m_lines.back());
    return m_lines.back();
}

WhatIf::Line WhatIf::makeLine(std::size_t input)
{
    const auto& group  = m_row.inputs()[input];
    const QString name = toQString(group.name), control = QStringLiteral("whatIf/") + name;
    Line line{.input = input, .name = new QLabel(m_scroll->widget()), .number = nullptr, .category = nullptr};
    showName(line);
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
    const auto& range = m_row.numbersOf(input);
    NumberSlider::Number number{.name     = control,
                                .title    = name,
                                .low      = std::floor(range.low / range.step) * range.step,
                                .high     = std::ceil(range.high / range.step) * range.step,
                                .step     = range.step,
                                .value    = range.low,
                                .decimals = range.decimals,
                                .tip      = tr("Set %1 within the range of the training rows").arg(name)};
    if (range.logarithmic && !range.whole && !group.date) {
        number.scale       = NumberSlider::Scale::logarithmic;
        number.significant = 4;
        number.low         = range.low;
        number.high        = range.high;
    }
    if (group.date) {
        number.date = true;
        number.step = std::max(1.0, range.step);   // days
    }
    line.number = new NumberSlider(number, m_scroll->widget());
    line.name->setBuddy(line.number->box());
    connect(line.number, &NumberSlider::valueChanged, this, [this, input](double value) { change(input, value); });
    return line;
}

/// Places the lines that match the search, the most influential first.
void WhatIf::placeLines()
{
    for (const auto& line : m_lines) {
        m_grid->removeWidget(line.name);
        m_grid->removeWidget(line.control());
    }
    std::size_t found = 0;
    std::vector<QWidget*> controls;
    for (const std::size_t input : m_ranking.order(m_row.inputs())) {
        if (!hasAllWords(toQString(m_row.inputs()[input].name), m_search->text()) || ++found > mostWhatIfLines)
            continue;
        const auto& line = lineFor(input);
        const int row    = static_cast<int>(controls.size());
        if (m_stacked) {
            m_grid->addWidget(line.name, 2 * row, 0, 1, 2);
            m_grid->addWidget(line.control(), 2 * row + 1, 0, 1, 2);
        } else {
            m_grid->addWidget(line.name, row, 0);
            m_grid->addWidget(line.control(), row, 1);
        }
        controls.push_back(line.control());
    }
    for (const auto& line : m_lines) {
        const bool placed = std::ranges::find(controls, line.control()) != controls.end();
        line.name->setVisible(placed);
        line.control()->setVisible(placed);
    }
    std::vector<NumberSlider*> sliders;
    for (const auto& line : m_lines)
        if (line.number)
            sliders.push_back(line.number);
    NumberSlider::align(sliders);
    m_more->setVisible(found == 0 || found > mostWhatIfLines);
    m_more->setText(found == 0 ? tr("No input has such a name.")
                    : found == mostWhatIfLines + 1
                        ? tr("1 more input: search for it by name.")
                        : tr("%1 more inputs: search for them by name.").arg(found - std::min(found, mostWhatIfLines)));
    orderTabs(controls);
    Q_EMIT comfortChanged();
}

void WhatIf::orderTabs(const std::vector<QWidget*>& controls)
{
    QWidget* before = m_reset;
    for (auto* control : controls) {
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

/// The prediction for one input as rich text: a line for each number of the view *Verdict*.
static QString verdictTable(const Chart& verdict)
{
    QString rows;
    for (const auto& [name, value] : verdict_lines(verdict))
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align='right'><b>%2</b></td></tr>")
                    .arg(toQString(name).toHtmlEscaped(), toQString(value).toHtmlEscaped());
    return QStringLiteral("<table width='100%'>%1</table>").arg(rows);
}

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setWordWrap(true);
}

QSize WrappedLabel::minimumSizeHint() const { return {0, text().isEmpty() ? 0 : heightForWidth(width())}; }

void WrappedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void showVerdictIn(QLabel* label, const QString& places, ViewRequests& requests, ViewBinder& binder,
                   std::function<void(const Chart&)> shown)
{
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    binder.add({.prefix = places,
                .show =
                    [label, shown = std::move(shown)](const QString&, const Chart& chart) {
        if (!chart.table)
            return;   // the computation takes long; the last result stays
        label->setText(verdictTable(chart));
        if (shown)
            shown(chart);
                },
                .followInput = true,
                .wanted      = [label, places, &requests](int samples) -> std::vector<ViewScheduler::Request> {
                    if (!label->isVisible())
                        return {};
                    return {requests.onScreen(places + QStringLiteral("verdict"), view("verdict"), samples)};
                }});
}

void WhatIf::countAnswers(const Chart& chart)
{
    const auto lines = verdict_lines(chart).size();
    if (std::exchange(m_answers, lines) != lines)
        Q_EMIT comfortChanged();
}

void WhatIf::showValues()
{
    m_reset->setEnabled(m_row.isChanged());
    for (const auto& line : m_lines)
        if (&line != m_moving)   // a control stays under the pointer even if its box rounds
            showValue(line);
}

void WhatIf::showValue(const Line& line)
{
    if (m_row.values().empty() || line.input >= m_row.inputs().size())
        return;
    const double value = m_row.valueOf(line.input);
    if (line.number) {
        const auto* box     = line.number->box();
        const bool drawable = value > 0 || !m_row.numbersOf(line.input).logarithmic;
        if (drawable && (value < box->minimum() || value > box->maximum()))   // a test row beyond the training rows
            line.number->setRange(std::min(value, box->minimum()), std::max(value, box->maximum()));
        line.number->setValue(value);
        return;
    }
    const QSignalBlocker quiet(line.category);
    line.category->setCurrentIndex(static_cast<int>(value));
}

void WhatIf::change(std::size_t input, double value)
{
    m_moving = &*std::ranges::find(m_lines, input, &Line::input);
    m_row.set(input, value);
    m_moving = nullptr;
}
