// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/chain_selection.h"

#include "study/method.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <limits>

using namespace credence;

namespace {

/// In the order of the combo box.
constexpr std::array brushes{ChainSelection::Which::divergent, ChainSelection::Which::steps,
                             ChainSelection::Which::nothing};

QSpinBox* stepBox(const QString& name, const QString& title, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(0, std::numeric_limits<int>::max());
    box->setKeyboardTracking(false);
    box->setAccessibleName(title);
    box->setToolTip(title);
    return box;
}

}   // namespace

ChainSelectionControl::ChainSelectionControl(QWidget* parent)
    : QWidget(parent), m_which(new QComboBox(this)), m_range(new QWidget(this)),
      m_from(stepBox(QStringLiteral("brushFrom"), tr("First step of the highlighted range"), m_range)),
      m_to(stepBox(QStringLiteral("brushTo"), tr("Last step of the highlighted range"), m_range))
{
    m_which->setObjectName(QStringLiteral("chainBrush"));
    m_which->setAccessibleName(tr("Highlighted draws"));
    m_which->setToolTip(
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
    connect(m_which, &QComboBox::currentIndexChanged, this, &ChainSelectionControl::tell);
    for (auto* box : {m_from, m_to})
        connect(box, &QSpinBox::valueChanged, this, &ChainSelectionControl::tell);
}

ChainSelection ChainSelectionControl::brush() const
{
    return {brushes[static_cast<std::size_t>(std::max(0, m_which->currentIndex()))],
            std::min(m_from->value(), m_to->value()), std::max(m_from->value(), m_to->value())};
}

void ChainSelectionControl::tell()
{
    m_range->setVisible(brush().which == ChainSelection::Which::steps);
    Q_EMIT changed();
}

void ChainSelectionControl::chooseSteps(long from, long to)
{
    {
        const QSignalBlocker quietWhich(m_which), quietFrom(m_from), quietTo(m_to);
        const auto place = std::find(brushes.begin(), brushes.end(), ChainSelection::Which::steps) - brushes.begin();
        m_which->setCurrentIndex(static_cast<int>(place));
        m_from->setValue(static_cast<int>(std::min(from, to)));
        m_to->setValue(static_cast<int>(std::max(from, to)));
    }
    tell();
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
