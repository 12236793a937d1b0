// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/form_controls.h"
#include "study/study_panel.h"

#include "charts/chart.h"
#include "parts/appearance.h"
#include "runs/comparison.h"
#include "study/method.h"
#include "study/presets.h"
#include "views/training_curves.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QVBoxLayout>

using namespace credence;

namespace {

const QString comparisonPrefix = QStringLiteral("compare/");   ///< of the lines that are no Study

void appendHeading(QStandardItemModel& lines, const QString& words, QFont font)
{
    auto* heading = new QStandardItem(words);
    font.setBold(true);
    heading->setFont(font);
    heading->setFlags(Qt::NoItemFlags);
    lines.appendRow(heading);
}

}   // namespace

PresetRow::PresetRow(QWidget* parent) : QWidget(parent), m_box(new QComboBox(this))
{
    describeControl(
        m_box, QStringLiteral("presets"), tr("Preset"),
        tr("Select an annotated Study that trains in one click. Ctrl+N shows all presets with previews and search"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(7);
    m_box->setMinimumWidth(110);   // otherwise it is as wide as its text without a preset
    fill();
    connect(m_box, &QComboBox::activated, this, [this] { choose(m_box->currentData().toString()); });
    auto* label = new QLabel(tr("&Preset"), this);
    label->setBuddy(m_box);
    auto* row = new QVBoxLayout(this);   // next to the label, the name and *(changed)* would be cut off
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    row->addWidget(label);
    row->addWidget(m_box);
}

/// Each group has a heading that cannot be selected.
void PresetRow::fill()
{
    auto* lines = new QStandardItemModel(m_box);
    for (const auto group : preset_groups) {
        appendHeading(*lines, toQString(title_of(group)), m_box->font());
        for (const auto& preset : presets())
            if (group_of(preset.study) == group) {
                auto* line = new QStandardItem(toQString(preset.study.name));
                line->setData(toQString(preset.id), Qt::UserRole);
                line->setToolTip(toQString(preset.study.note));
                lines->appendRow(line);
            }
    }
    appendHeading(*lines, tr("Compare with reference"), m_box->font());
    for (const auto& one : comparisons()) {
        auto* line = new QStandardItem(toQString(one.title));
        line->setData(comparisonPrefix + toQString(one.id), Qt::UserRole);
        line->setToolTip(toQString(one.help));
        lines->appendRow(line);
    }
    m_box->setModel(lines);
}

void PresetRow::choose(const QString& id)
{
    if (id.startsWith(comparisonPrefix))
        Q_EMIT comparisonChosen(id.mid(comparisonPrefix.size()));
    else if (!id.isEmpty())   // of a heading
        Q_EMIT presetChosen(id);
}

void PresetRow::showStudy(const Study& study)
{
    const auto* same = preset_with(study);
    m_box->setPlaceholderText(is_named_as_preset(study) ? tr("%1 (changed)").arg(toQString(study.name))
                                                        : tr("(own Study)"));
    m_box->setCurrentIndex(same ? m_box->findData(toQString(same->id)) : -1);
}

namespace {

constexpr int linesHigh = 8;   ///< of text

}   // namespace

StepPreview::StepPreview(QWidget* parent) : QWidget(parent), m_picture(new ChartView(this))
{
    setObjectName(QStringLiteral("stepPreview"));
    m_picture->setAccessibleName(tr("Preview of step sizes and saved draws"));
    setToolTip(tr("Preview the learning rate over the steps of a run with the settings above; marks show saved draws, "
                  "shading shows steps without saved draws"));
    // The wheel scrolls the form, and Tab skips the chart.
    m_picture->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_picture->setFocusPolicy(Qt::NoFocus);
    fixWithText(m_picture, 0, atUsualFont(linesHigh * fontMetrics().height()));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 2, 0, 2);
    all->addWidget(m_picture);
    hide();
}

void StepPreview::showStepsOf(const Study& study)
{
    const bool shown = has_step_schedule(study);
    setVisible(shown);
    if (!shown)
        return;
    Chart chart = to_chart(step_schedule(plan_of(study)));
    for (auto& panel : chart.panels)
        panel.legend = false;   // no space here: the tooltip has the same text
    m_picture->setChart(chart);
}

const Chart& StepPreview::chart() const { return m_picture->chart(); }
