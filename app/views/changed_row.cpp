// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/changed_row.h"

#include "parts/view_binder.h"
#include "session/app_context.h"
#include "views/input_ranking.h"
#include "views/slice.h"
#include "work/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

using namespace credence;

namespace {

constexpr int changedRowRestsAfter = 180;   ///< milliseconds without a movement

/// Returns a power of ten such that the range has 1,000 to 10,000 steps (fewer if the numbers are
/// much larger than their range), and its decimals.
std::pair<double, int> stepFor(double low, double high)
{
    constexpr double mostSteps = 1e9;   // a slider counts them from 0
    const double least         = std::max((high - low) / 1000, std::max(std::abs(low), std::abs(high)) / mostSteps);
    const int power            = static_cast<int>(std::floor(std::log10(least)));
    return {std::pow(10.0, power), std::max(0, -power)};
}

ChangedRow::Numbers numbersOver(double low, double high, bool whole, bool logarithmic)
{
    ChangedRow::Numbers numbers{.low = low, .high = high, .whole = whole, .logarithmic = logarithmic};
    if (!(low < high)) {   // a constant column
        numbers.low -= 0.5;
        numbers.high += 0.5;
    }
    std::tie(numbers.step, numbers.decimals) = stepFor(numbers.low, numbers.high);
    if (whole && numbers.step < 1) {
        numbers.step     = 1;
        numbers.decimals = 0;
    }
    return numbers;
}

}   // namespace

ChangedRow::ChangedRow(AppContext& context, ViewBinder& binder, QObject* parent) : QObject(parent), m_context(context)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(changedRowRestsAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { choose(false); });
    connect(&binder, &ViewBinder::fitted, this,
            [this](const auto& experiment, bool otherData) { fit(*experiment, otherData); });
    connect(&context.selection, &Selection::changed, this, &ChangedRow::followSelection);
}

void ChangedRow::fit(const Experiment& experiment, bool otherData)
{
    const bool many = InputRanking::isOfMany(experiment);
    if (otherData || !many) {   // the values are of other inputs
        m_rest.stop();
        m_changed = false;
        m_moved.reset();
        m_inputs.clear();
        m_numbers.clear();
        m_values.clear();
    }
    if (many && m_inputs.empty()) {
        m_inputs = input_groups(experiment.data->training);
        m_numbers.resize(m_inputs.size());
    }
    if (many)
        followSelection();
    else if (otherData)
        Q_EMIT changed();
}

std::optional<std::size_t> ChangedRow::inputNamed(const std::string& name) const
{
    const auto found = std::ranges::find(m_inputs, name, &InputGroup::name);
    return found == m_inputs.end() ? std::nullopt : std::optional<std::size_t>(found - m_inputs.begin());
}

/// Computes the numbers in one pass over the rows for this input and its neighbours, which are
/// usually requested next.
const ChangedRow::Numbers& ChangedRow::numbersOf(std::size_t input) const
{
    if (m_numbers[input])
        return *m_numbers[input];
    constexpr std::size_t together = 64;
    constexpr double infinity      = std::numeric_limits<double>::infinity();
    const std::size_t first = input / together * together, n = std::min(together, m_inputs.size() - first);
    const auto& training = m_context.session.run().experiment->data->training;
    std::vector<double> low(n, infinity), high(n, -infinity);
    std::vector<char> whole(n, 1);
    for (std::size_t row = 0; row < training.n_rows; ++row) {
        const auto values = training.row(row);
        for (std::size_t k = 0; k < n; ++k) {
            const double value = values[m_inputs[first + k].first];
            low[k]             = std::min(low[k], value);
            high[k]            = std::max(high[k], value);
            whole[k]           = whole[k] && value == std::floor(value);
        }
    }
    for (std::size_t k = 0; k < n; ++k)
        m_numbers[first + k] = numbersOver(low[k], high[k], whole[k],
                                           log_axis_for(training, m_inputs[first + k]).proposed);
    return *m_numbers[input];
}

double ChangedRow::nearest(std::size_t input, double value) const
{
    const auto& group = m_inputs[input];
    if (group.is_category())
        return std::clamp(std::round(value), 0.0, static_cast<double>(group.categories.size()) - 1);
    const auto& numbers   = numbersOf(input);
    const double original = group.value_of(m_original);
    if (numbers.whole)
        value = std::round(value);
    else if (!numbers.logarithmic)
        value = std::round(value / numbers.step) * numbers.step;
    else if (value > 0) {   // four significant digits
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3);
        value             = std::round(value / unit) * unit;
    }
    return std::clamp(value, std::min(numbers.low, original), std::max(numbers.high, original));
}

/// Restarts from an input that was selected elsewhere.
void ChangedRow::followSelection()
{
    if (m_choosing || m_inputs.empty())
        return;
    const auto& chosen = m_context.selection.chosen();
    if (m_changed && chosen.input == m_values)
        return;   // another snapshot of the same run
    m_rest.stop();
    m_changed = false;
    m_moved.reset();
    m_origin   = chosen;
    m_values   = m_context.selection.numbers();
    m_original = m_values;
    Q_EMIT changed();
}

void ChangedRow::set(std::size_t input, double value)
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment || m_values.size() != experiment->data->training.n_features || valueOf(input) == value)
        return;
    m_inputs[input].set(m_values, value);
    m_moved   = m_changed ? std::optional(input) : std::nullopt;
    m_changed = true;
    choose(true);
    m_rest.start();
    Q_EMIT changed();
}

void ChangedRow::choose(bool moving)
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

void ChangedRow::reset()
{
    if (!m_changed)
        return;
    m_rest.stop();
    m_changed         = false;
    const auto before = m_origin;   // replaced by the next selection
    if (before.input.empty())
        m_context.selection.chooseRow(static_cast<int>(before.row), Selection::By::canvas);
    else if (before.of)
        m_context.selection.chooseDataRow(*before.of, Selection::By::canvas);
    else
        m_context.selection.choosePoint(before.input, Selection::By::canvas);
}
