// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/selection.h"

#include <algorithm>

using namespace credence;

const Dataset& scoredPart(const Experiment& experiment)
{
    return experiment.data->test.n_rows > 0 ? experiment.data->test : experiment.data->training;
}

ImagePart scoredImages(const Experiment& experiment)
{
    return experiment.data->test.n_rows > 0 ? ImagePart::test : ImagePart::training;
}

std::vector<double> numbersOf(const ChosenInput& chosen, const Experiment& experiment)
{
    const auto& part = scoredPart(experiment);
    auto input       = chosen.input;
    if (input.empty() && !experiment.data->image && !experiment.outputs
        && chosen.row < part.n_rows)   // images and imported predictions are identified by their row
        input.assign(part.row(chosen.row).begin(), part.row(chosen.row).end());
    return input;
}

std::optional<DataRow> dataRowOf(const ChosenInput& chosen)
{
    if (chosen.of || !chosen.input.empty())
        return chosen.of;
    return DataRow{DataRow::Part::scored, static_cast<std::uint32_t>(chosen.row)};
}

std::optional<std::size_t> rowOf(std::span<const double> input, const Experiment& experiment)
{
    const auto& part = scoredPart(experiment);
    if (experiment.data->image || input.size() != part.n_features)
        return {};
    for (std::size_t row = 0; row < part.n_rows; ++row)
        if (std::ranges::equal(input, part.row(row)))
            return row;
    return {};
}

std::vector<double> Selection::numbers() const
{
    return m_experiment ? numbersOf(m_chosen, *m_experiment) : m_chosen.input;
}

void Selection::addTo(ViewOptions& options) const
{
    options.input.values = m_chosen.input;
    options.input.name   = m_chosen.name;
    options.input.label  = m_chosen.label;
    options.input.row    = m_chosen.row;
    options.input.draws  = m_chosen.drawn || m_chosen.madeOf ? DrawsOf::outputs : DrawsOf::weights;
}

void Selection::choose(ChosenInput chosen, By by, bool moving)
{
    m_chosen = std::move(chosen);
    m_by     = by;
    Q_EMIT changed(moving);
}

void Selection::choosePoint(std::vector<double> input, By by)
{
    if (const auto row = m_experiment ? rowOf(input, *m_experiment) : std::nullopt)
        return choose({.row = *row}, by);
    choose({.input = std::move(input), .row = m_chosen.row}, by);
}

void Selection::chooseRow(int row, By by) { choose({.row = static_cast<std::size_t>(row)}, by); }

void Selection::chooseImage(ImagePart part, int image, By by)
{
    if (!m_experiment)
        return;
    if (part == ImagePart::test || m_experiment->data->test.n_rows == 0)
        return chooseRow(image, by);
    const auto bytes = image_bytes(*m_experiment, part, static_cast<std::size_t>(image));
    choose({.input = {bytes.begin(), bytes.end()},
            .name  = tr("training image %1").arg(image).toStdString(),
            .label = m_experiment->data->training.labels[static_cast<std::size_t>(image)],
            .row   = m_chosen.row,
            .of    = DataRow{DataRow::Part::training, static_cast<std::uint32_t>(image)}},
           by);
}

void Selection::chooseDataRow(const DataRow& at, By by)
{
    if (!m_experiment)
        return;
    const auto& training = m_experiment->data->training;
    const int row        = static_cast<int>(at.row);
    switch (at.part) {
    case DataRow::Part::scored:
        if (at.row < scoredPart(*m_experiment).n_rows)
            chooseRow(row, by);
        return;
    case DataRow::Part::training:
        if (at.row >= training.n_rows || m_experiment->outputs)
            return;
        if (m_experiment->data->image || &scoredPart(*m_experiment) == &training)
            return chooseImage(ImagePart::training, row, by);
        return choose({.input = {training.row(at.row).begin(), training.row(at.row).end()},
                       .name  = tr("training row %1").arg(row).toStdString(),
                       .label = training.labels.empty() ? std::nullopt : std::optional(training.labels[at.row]),
                       .row   = m_chosen.row,
                       .of    = at},
                      by);
    case DataRow::Part::ood:
        if (const auto other = other_data(m_experiment); at.row < other->n) {   // the chart has loaded them
            auto chosen = other_input(*m_experiment, *other, at.row);
            choose({.input = std::move(chosen.input), .name = std::move(chosen.name), .row = m_chosen.row, .of = at},
                   by);
        }
        return;
    }
}

void Selection::list(RowsOfBar bar)
{
    m_listed = std::move(bar);
    Q_EMIT listedChanged();
}

void Selection::chooseOutside(ChosenInput outside, By by)
{
    outside.row = m_chosen.row;
    choose(std::move(outside), by);
}

void Selection::chooseMade(ChosenInput made, bool moving)
{
    made.row = made.madeOf ? static_cast<std::size_t>(*made.madeOf) : m_chosen.row;
    choose(std::move(made), By::canvas, moving);
}

void Selection::fit(std::shared_ptr<const Experiment> experiment)
{
    const bool otherData = !m_experiment || m_experiment->data != experiment->data;
    if (m_experiment && !m_experiment->data->image && !m_chosen.input.empty())
        m_chosen.row = 0;   // replaces a point that was not a row
    if (m_experiment != experiment && !m_listed.rows.empty())
        list({});   // bars of another run count other rows
    m_experiment          = std::move(experiment);
    const auto& part      = scoredPart(*m_experiment);
    const std::size_t end = part.n_rows;
    m_chosen.row          = std::min(m_chosen.row, end > 0 ? end - 1 : 0);
    const bool ofItsData  = part.n_features > 2 || m_experiment->data->image || m_experiment->outputs;
    if (m_chosen.input.size() != part.n_features || (otherData && ofItsData))
        m_chosen.input.clear();
    if (m_chosen.input.empty() || otherData)
        m_chosen.of.reset();
    if (!otherData)
        return;
    m_chosen.name.clear();
    m_chosen.label.reset();
    m_chosen.madeOf.reset();
    m_chosen.drawn = false;
    m_by           = By::data;
}
