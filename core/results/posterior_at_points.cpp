// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results.h"

#include "chains/convergence.h"
#include "formats/encode_rows.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "posterior/sample_set.h"
#include "runs/derived_runs.h"
#include "views/chain_draws.h"
#include "views/recalibration_fit.h"
#include "views/view_support.h"

#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr std::array shares{0.05, 0.25, 0.5, 0.75, 0.95};

Cell cell_of(const DiagnosticValue& value) { return value ? Cell(*value) : Cell(std::string()); }

/// The tables of all targets; the column "output" is the index of the target.
std::optional<Table> points_of_targets(const RunSnapshot& end, const std::stop_token& stop)
{
    Table all;
    for (std::size_t t = 0; t < end.experiment->data->training.n_targets(); ++t) {
        auto one = posterior_at_points(run_of_target(end, t), stop);
        if (!one)
            return {};
        all.columns = one->columns;
        for (auto& row : one->rows) {
            row[1] = static_cast<long>(t);
            all.rows.push_back(std::move(row));
        }
    }
    return all;
}

}   // namespace

std::optional<Table> posterior_at_points(const RunSnapshot& end, const std::stop_token& stop)
{
    const auto& experiment = *end.experiment;
    if (experiment.data->training.n_targets() > 1)
        return points_of_targets(end, stop);
    const auto& study = experiment.study;
    const auto* set   = sample_set_of(*end.snapshot->posterior);
    auto order        = set ? chain_order(*set) : std::nullopt;
    if (order && order->n_left_out > 0)   // predictions use all draws
        order = {};
    const auto predictive = PosteriorPredictive(experiment.model, end.snapshot->posterior,
                                                set ? static_cast<int>(set->n_draws()) : study.prediction.samples,
                                                study.seed)
                                .recalibrated(recalibration_source(end));
    const auto rows      = read_input_rows(study.prediction.points, experiment.data->training.feature_names);
    const auto inputs    = standardised(experiment, rows);
    const auto n_outputs = experiment.task() == Task::classification ? static_cast<std::size_t>(predictive.n_outputs())
                                                                     : 1;
    const auto asked     = draws_at(end, predictive, inputs, n_outputs,
                                order ? places_of_draws(*set, *order, study.seed) : std::vector<std::size_t>(), stop);
    if (!asked)
        return {};

    Table table;
    for (const auto* const name : {"row", "output", "mean", "sd", "q05", "q25", "q50", "q75", "q95"})
        table.columns.push_back({.name = name});
    if (order)
        for (const auto* const name : {"mcse", "ess_bulk", "ess_tail", "rhat"})
            table.columns.push_back({.name = name});
    table.rows.resize(asked->n_quantities());
    parallel_for(table.rows.size(), [&](std::size_t q) {
        const auto draws = asked->of(q);
        const double S   = static_cast<double>(draws.size());
        double sum = 0, squares = 0;
        for (const double x : draws)
            sum += x;
        for (const double x : draws)
            squares += (x - sum / S) * (x - sum / S);
        auto& row = table.rows[q];
        row       = {static_cast<long>(q / n_outputs), static_cast<long>(q % n_outputs), sum / S,
               draws.size() > 1 ? std::sqrt(squares / (S - 1)) : 0.0};
        for (const double x : quantiles(draws, shares))
            row.push_back(x);
        if (!order)
            return;
        const ScalarDraws by_chain{draws, order->n_chains(), order->n_draws()};
        const auto errors = monte_carlo_errors(by_chain);
        const auto agreed = convergence(by_chain);
        for (const auto& value : {errors.of_mean, agreed.bulk_ess, agreed.tail_ess, agreed.r_hat})
            row.push_back(cell_of(value));
    });
    return table;
}

}   // namespace credence
