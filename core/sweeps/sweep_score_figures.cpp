// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "sweeps/score_against_axis.h"
#include "sweeps/sweep_figure_parts.h"
#include "views/scores.h"

#include <algorithm>
#include <array>
#include <limits>

namespace credence {

std::optional<std::string> why_nothing_done(const SweepResults& results)
{
    if (results.n_done() > 0)
        return {};
    return "No cell of this sweep is done yet. Run it.";
}

namespace {

/// The scores that are drawn by default, if the cells have them.
constexpr std::array drawn_scores{"Error",
                                  "RMSE",
                                  relative_rmse_name,
                                  "NLL",
                                  "Expected calibration error, 15 bins",
                                  "AUROC of confidence, right against wrong"};

std::optional<std::string> why_no_axis(const SweepResults& results)
{
    if (!usual_figure_axis(results.sweep))
        return "This sweep varies only the seed, so there is no axis to plot against. Its table has mean and standard "
               "deviation.";
    return why_nothing_done(results);
}

bool is_drawn_unasked(const Sweep& sweep, const ScoreName& score)
{
    if (score.validation)
        return sweep.choose && sweep.choose->by == score.name;
    return std::any_of(drawn_scores.begin(), drawn_scores.end(), [&](const char* name) { return score.name == name; });
}

/// @throws Error that lists the columns if one does not exist
std::vector<ScoreName> scores_to_draw(const SweepResults& results, const std::vector<std::string>& wanted)
{
    const auto all = score_names(results);
    std::vector<ScoreName> drawn;
    if (wanted.empty()) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(drawn),
                     [&](const ScoreName& score) { return is_drawn_unasked(results.sweep, score); });
        return drawn;
    }
    for (const auto& column : wanted) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const ScoreName& score) { return score.column() == column; });
        if (found == all.end()) {
            std::string columns;
            for (const auto& score : all)
                columns += (columns.empty() ? "\"" : ", \"") + score.column() + "\"";
            throw Error("The cells of this sweep have no score \"" + column + "\", expected one of " + columns + ".");
        }
        drawn.push_back(*found);
    }
    return drawn;
}

/// This score of the finished cells among some cells; NaN: not finite.
std::vector<double> score_of_cells(const SweepResults& results, const std::vector<std::size_t>& cells,
                                   const ScoreName& score, double factor)
{
    std::vector<double> out;
    for (const std::size_t c : cells)
        if (results.scores[c])
            for (const auto& [name, value] : results.scores[c]->scores)
                if (name.validation == score.validation && name.name == score.name)
                    out.push_back(value ? factor * *value : std::numeric_limits<double>::quiet_NaN());
    return out;
}

std::optional<Chart> make_sweep_scores(const SweepFolder&, const SweepResults& results,
                                       const SweepFigureOptions& options, const std::stop_token&)
{
    if (const auto why = why_no_axis(results))
        throw Error(*why);
    const auto layout = layout_along(results, options.axis);
    ScoresAgainstAxis figure{.axis = layout.axis, .panels = {}};
    for (const auto& score : scores_to_draw(results, options.scores)) {
        const bool share = score.name == "Error";   // in percent, as in all figures
        const auto set   = score.validation ? std::string(", validation set") : std::string();
        SweptPanel panel{
            .title = score.name + set, .label = score.name, .unit = share ? "%" : score.unit, .series = {}};
        for (const auto& row : layout.rows) {
            SweptSeries series{.name = row.name, .of_seeds = {}};
            for (const auto& cells : row.cells)
                series.of_seeds.push_back(score_of_cells(results, cells, score, share ? 100 : 1));
            panel.series.push_back(std::move(series));
        }
        figure.panels.push_back(std::move(panel));
    }
    return of_sweep(to_chart(figure), "sweep_scores", "Scores", results);
}

bool has_spread(const SweepResults& results)
{
    return std::any_of(results.scores.begin(), results.scores.end(), [](const auto& cell) {
        return cell && std::any_of(cell->layers.begin(), cell->layers.end(), [](const CellLayer& layer) {
                   return layer.tau || layer.relative_sd.value_or(0) > 0;
               });
    });
}

std::optional<std::string> why_no_tau(const SweepResults& results)
{
    if (const auto why = why_no_axis(results))
        return why;
    if (has_spread(results))
        return {};
    return "No finished run has weights with a spread, as variational methods, chains and Laplace approximations do.";
}

LayerUncertainty layers_of_cell(const CellScores& cell)
{
    LayerUncertainty out;
    for (const auto& layer : cell.layers)
        out.push_back({.block              = layer.block,
                       .tau                = layer.tau,
                       .rho                = layer.rho,
                       .dropout_rate       = layer.dropout_rate,
                       .median_relative_sd = layer.relative_sd.value_or(0)});
    return out;
}

std::optional<Chart> make_sweep_tau(const SweepFolder&, const SweepResults& results, const SweepFigureOptions& options,
                                    const std::stop_token&)
{
    if (const auto why = why_no_tau(results))
        throw Error(*why);
    const auto layout = layout_along(results, options.axis);
    TauAgainstAxis figure{.axis = layout.axis, .series = {}};
    for (const auto& row : layout.rows) {
        SweptLayers series{.name = row.name, .of_seeds = {}};
        for (const auto& cells : row.cells) {
            series.of_seeds.emplace_back();
            for (const std::size_t c : cells)
                if (results.scores[c])
                    series.of_seeds.back().push_back(layers_of_cell(*results.scores[c]));
        }
        figure.series.push_back(std::move(series));
    }
    return of_sweep(to_chart(figure), "sweep_tau", "τ of the blocks", results);
}

}   // namespace

SweepFigure sweep_scores_figure()
{
    return {
        .id    = "sweep_scores",
        .title = "Scores",
        .help =
            "Test scores against one axis of the sweep, one line for each combination of the other axes: the mean over "
            "the seeds, mean ± standard deviation, and a small mark for each run. If the sweep chooses a setting, the "
            "validation score used for the choice is also shown. An axis of positive numbers over more than two powers "
            "of ten is logarithmic; values that are not numbers are evenly spaced.",
        .along_axis = true,
        .why_not    = why_no_axis,
        .make       = make_sweep_scores};
}

SweepFigure sweep_tau_figure()
{
    return {
        .id    = "sweep_tau",
        .title = "τ of the blocks",
        .help =
            "Spread of the weights of each block relative to their means after training, τ (for methods without τ, the "
            "median of σ/|μ|), against one axis of the sweep: mean over the seeds, mean ± standard deviation, and each "
            "run. A block with a large τ carries little information: its layer could be smaller. Source: Posch and "
            "Pilz 2021, Table II; Steinbrener et al. 2020, Table 3.",
        .along_axis = true,
        .view       = "layers",
        .why_not    = why_no_tau,
        .make       = make_sweep_tau};
}

}   // namespace credence
