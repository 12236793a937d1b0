// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice_controls.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/view_area.h"
#include "session/app_context.h"
#include "views/changed_row.h"
#include "views/input_ranking.h"
#include "work/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

using namespace credence;

namespace {

const QString slicePlace     = QStringLiteral("decision_map");   ///< of the picture in the centre
constexpr int linesOfChoices = 14;                               ///< of text: in a lower area most of them are folded

/// The second of two classes, else the most frequent one.
int usualClass(const Dataset& training)
{
    if (training.class_names.size() <= 2)
        return static_cast<int>(training.class_names.size()) - 1;
    std::vector<std::size_t> rows(training.class_names.size());
    for (const auto label : training.labels)
        ++rows[static_cast<std::size_t>(label)];
    return static_cast<int>(std::ranges::max_element(rows) - rows.begin());
}

/// Controls in one line if there is room, else in several.
class SliceLine : public FlowLayout {
public:
    using FlowLayout::FlowLayout;
    QSize sizeHint() const override
    {
        QSize all(-spacing(), 0);
        for (int i = 0; i < count(); ++i)
            if (auto* item = itemAt(i); !item->isEmpty())
                all = QSize(all.width() + spacing() + item->sizeHint().width(),
                            std::max(all.height(), item->sizeHint().height()));
        return all.grownBy(contentsMargins());
    }
};

void addNamed(QComboBox* box, const InputGroup& input) { box->addItem(toQString(input.name), toQString(input.name)); }

}   // namespace

SliceControls::SliceControls(AppContext& context, InputRanking& ranking, ChangedRow& changedRow, QWidget* parent)
    : QWidget(parent), m_context(context), m_ranking(ranking), m_area(parent),
      m_first(addBox(QStringLiteral("sliceInput"), tr("Input of the slice"),
                     tr("Select the input along which the prediction is shown; the most influential is first"))),
      m_second(addBox(QStringLiteral("sliceSecond"), tr("Second input of the slice"),
                      tr("Select a second input to show a map over both"))),
      m_hold(addBox(QStringLiteral("sliceHold"), tr("Other inputs of the slice"),
                    tr("Select the values of the other inputs: those of the selected row, the medians of the training "
                       "rows, or averaged over training rows (partial dependence)"))),
      m_quantity(addBox(QStringLiteral("sliceQuantity"), tr("Quantity of the slice"),
                        tr("Select the quantity: the prediction, its total uncertainty, or one of its two parts"))),
      m_class(addBox(QStringLiteral("sliceClass"), tr("Class of the slice"),
                     tr("Select the class whose probability is shown"))),
      m_individual(new QCheckBox(tr("Single rows"), this)), m_logarithmic(new QCheckBox(tr("log scale"), this)),
      m_more(new QToolButton(this)), m_back(new QToolButton(this))
{
    m_hold->setMinimumContentsLength(18);
    m_quantity->setMinimumContentsLength(16);
    m_hold->addItem(tr("others at selected row"), static_cast<int>(SliceHold::row));
    m_hold->addItem(tr("others at medians"), static_cast<int>(SliceHold::median));
    m_hold->addItem(tr("averaged over rows"), static_cast<int>(SliceHold::average));
    describeControl(m_individual, QStringLiteral("sliceRows"), tr("Curves of single rows"),
                    tr("Show the curves of single training rows with their average"));
    describeControl(m_logarithmic, QStringLiteral("sliceLogarithmic"), tr("Logarithmic axes of the slice"),
                    tr("Use logarithmic axes for inputs above 0; proposed for skewed inputs"));
    describeControl(m_back, QStringLiteral("sliceBack"), tr("Back to the row"), tr("Select the unchanged row again"));
    describeControl(m_more, QStringLiteral("sliceMore"), tr("More choices of the slice"),
                    tr("Show or hide the other choices of the slice"));
    m_more->setText(tr("More"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->hide();
    m_back->setText(tr("Back to the row"));
    m_back->setAutoRaise(true);
    m_back->hide();
    auto* row = new SliceLine(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setLeastShare(0.75);
    auto* by = new QLabel(tr("and"), this);
    for (QWidget* each : std::initializer_list<QWidget*>{m_first, by, m_second, m_hold, m_individual, m_quantity,
                                                         m_class, m_logarithmic, m_more, m_back})
        row->addWidget(each);
    connect(m_back, &QToolButton::clicked, &changedRow, &ChangedRow::reset);
    connect(&changedRow, &ChangedRow::changed, this,
            [this, &changedRow] { m_back->setVisible(changedRow.isChanged()); });
    connect(m_more, &QToolButton::toggled, this, &SliceControls::followChoices);
    connect(m_first, &QComboBox::activated, this, [this] { m_chosen = true; });
    for (auto* box : {m_first, m_second})
        connect(box, &QComboBox::currentIndexChanged, this, &SliceControls::proposeScale);
    for (auto* box : {m_first, m_second, m_hold, m_quantity, m_class})
        connect(box, &QComboBox::currentIndexChanged, this, &SliceControls::notify);
    connect(m_individual, &QCheckBox::toggled, this, &SliceControls::notify);
    connect(m_logarithmic, &QCheckBox::toggled, this, [this] {
        m_scaleChosen = true;
        notify();
    });
    connect(&ranking, &InputRanking::changed, this, &SliceControls::fillInputs);
    ranking.serve(this);
    m_area->installEventFilter(this);
}

QComboBox* SliceControls::addBox(const QString& name, const QString& title, const QString& tip)
{
    auto* box = new QComboBox(this);
    describeControl(box, name, title, tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->setMinimumWidth(withFont(60));   // in an area that is narrower than its text
    return box;
}

void SliceControls::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_ranking.request();
}

void SliceControls::fit(const Experiment& experiment)
{
    const auto& training = experiment.data->training;
    auto inputs          = input_groups(training);
    if (inputs == m_inputs && training.class_names == m_classes)
        return;
    m_chosen = m_chosen && inputs == m_inputs;
    m_inputs = std::move(inputs);
    m_axes.clear();
    for (const auto& input : m_inputs)
        m_axes.push_back(log_axis_for(training, input));
    m_classes = training.class_names;
    {
        const QSignalBlocker quietQuantity(m_quantity), quietClass(m_class);
        const int quantity = std::max(0, m_quantity->currentIndex());
        m_quantity->clear();
        m_quantity->addItem(m_classes.empty() ? tr("Prediction") : tr("Class probability"),
                            static_cast<int>(SliceQuantity::prediction));
        m_quantity->addItem(m_classes.empty() ? tr("Total uncertainty") : tr("Predictive entropy"),
                            static_cast<int>(SliceQuantity::total));
        m_quantity->addItem(tr("Epistemic part"), static_cast<int>(SliceQuantity::epistemic));
        m_quantity->addItem(tr("Aleatoric part"), static_cast<int>(SliceQuantity::aleatoric));
        m_quantity->setCurrentIndex(quantity);
        m_class->clear();
        for (const auto& name : m_classes)
            m_class->addItem(toQString(name));
        m_class->setCurrentIndex(usualClass(training));
    }
    fillInputs();
    proposeScale();
    notify();
}

void SliceControls::release()
{
    if (m_inputs.empty())
        return;
    m_inputs.clear();
    m_chosen = false;
    m_context.choices.set({}, [](ViewOptions& options) { options.slice = {}; });
}

/// In the order of their influence.
void SliceControls::fillInputs()
{
    if (m_inputs.empty())
        return;
    const QString first = m_first->currentData().toString(), second = m_second->currentData().toString();
    {
        const QSignalBlocker quietFirst(m_first), quietSecond(m_second);
        m_first->clear();
        m_second->clear();
        m_second->addItem(tr("no other"), QString());
        for (const std::size_t i : m_ranking.order(m_inputs)) {
            addNamed(m_first, m_inputs[i]);
            addNamed(m_second, m_inputs[i]);
        }
        m_first->setCurrentIndex(m_chosen ? std::max(0, m_first->findData(first)) : 0);
        m_second->setCurrentIndex(std::max(0, m_second->findData(second)));
    }
    if (m_first->currentData().toString() != first || m_second->currentData().toString() != second) {
        proposeScale();
        notify();
    }
}

LogAxis SliceControls::axisOf(const QComboBox& box) const
{
    const auto input = std::ranges::find(m_inputs, box.currentData().toString().toStdString(), &InputGroup::name);
    return input == m_inputs.end() ? LogAxis() : m_axes[static_cast<std::size_t>(input - m_inputs.begin())];
}

/// For other inputs.
void SliceControls::proposeScale()
{
    const QSignalBlocker quiet(m_logarithmic);
    m_logarithmic->setChecked(axisOf(*m_first).proposed || axisOf(*m_second).proposed);
    m_scaleChosen = false;
}

bool SliceControls::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_area && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange))
        followChoices();
    return QWidget::eventFilter(object, event);
}

/// In low windows or with large text the picture comes first. The height is that of picture and controls together, so
/// that it stays the same when they fold.
bool SliceControls::folds() const
{
    const QWidget* whole = m_area;
    while (whole && !qobject_cast<const ViewArea*>(whole))
        whole = whole->parentWidget();
    return whole && whole->height() < linesOfChoices * m_area->fontMetrics().lineSpacing();
}

/// Controls that have no effect on the current slice are hidden.
void SliceControls::followChoices()
{
    const auto& slice     = m_context.choices.options().slice;
    const bool prediction = slice.quantity == SliceQuantity::prediction;
    const bool low        = folds();
    const bool all        = !low || m_more->isChecked();
    m_more->setVisible(low);
    m_hold->setVisible(all);
    m_quantity->setVisible(all);
    m_class->setVisible(all && !m_classes.empty() && prediction);
    m_logarithmic->setVisible(all && (axisOf(*m_first).possible || axisOf(*m_second).possible));
    m_individual->setVisible(all && slice.hold == SliceHold::average && slice.second.empty() && prediction);
}

void SliceControls::notify()
{
    if (m_inputs.empty())
        return;
    m_context.choices.set({slicePlace}, [this](ViewOptions& options) {
        auto& slice      = options.slice;
        slice.first      = m_first->currentData().toString().toStdString();
        slice.second     = m_second->currentData().toString().toStdString();
        slice.hold       = static_cast<SliceHold>(m_hold->currentData().toInt());
        slice.quantity   = static_cast<SliceQuantity>(m_quantity->currentData().toInt());
        slice.individual = m_individual->isChecked();
        slice.scale      = !m_scaleChosen               ? SliceScale::automatic
                           : m_logarithmic->isChecked() ? SliceScale::logarithmic
                                                        : SliceScale::linear;
        if (!m_classes.empty())
            options.map.class_index = m_class->currentIndex();
    });
    followChoices();
}
