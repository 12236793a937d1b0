// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_ranking.h"

#include "parts/view_binder.h"
#include "session/app_context.h"
#include "views/image_rows.h"

#include <algorithm>
#include <numeric>
#include <variant>

using namespace credence;

namespace {

const QString rankingPlaces = QStringLiteral("inputRanking/");

}   // namespace

InputRanking::InputRanking(AppContext& context, ViewBinder& binder, QObject* parent)
    : QObject(parent), m_context(context), m_binder(binder)
{
    binder.add(
        {.prefix = rankingPlaces,
         .show   = [this](const QString&, const Chart& chart) { take(chart); },
         .wanted = [this](int samples) -> std::vector<ViewScheduler::Request> {
             const auto& experiment = m_context.session.run().experiment;
             const bool seen        = std::any_of(m_parts.begin(), m_parts.end(),
                                                  [](const auto& part) { return part && part->isVisible(); });
             if (samples > 0 || !seen || m_context.session.currentRun().live() || !experiment || !isOfMany(*experiment))
                 return {};
             return {m_context.requests.onScreen(rankingPlaces + QStringLiteral("influence"), view("influence"))};
         }});
    connect(&binder, &ViewBinder::fitted, this, [this](const auto&, bool otherData) {
        if (otherData)
            m_names.clear();
    });
}

bool InputRanking::isOfMany(const Experiment& experiment)
{
    return experiment.data->training.n_features > 2 && view("slice").applies(experiment);
}

void InputRanking::serve(QWidget* part) { m_parts.emplace_back(part); }

void InputRanking::request() { m_binder.requestOthers(rankingPlaces); }

void InputRanking::take(const Chart& chart)
{
    if (!chart.table)
        return;   // the computation takes long
    std::vector<std::string> names;
    for (const auto& row : chart.table->rows)
        names.push_back(std::get<std::string>(row.front()));
    if (names == m_names)
        return;
    m_names = std::move(names);
    Q_EMIT changed();
}

std::vector<std::size_t> InputRanking::order(const std::vector<InputGroup>& inputs) const
{
    std::vector<std::size_t> order(inputs.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [this](const InputGroup& input) {
        return std::ranges::find(m_names, input.name) - m_names.begin();
    };
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank(inputs[i]); });
    return order;
}
