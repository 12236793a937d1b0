// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "views/chain_draws.h"
#include "views/decision_map.h"
#include "views/probe_points.h"
#include "views/view_support.h"

#include "charts/chart.h"
#include "charts/contours.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "views/intervals.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_outputs = 8'000'000;   // draws at all points, 64 MB
constexpr std::size_t most_curves  = 40;          // of selected draws, and of the others
constexpr int most_plane_cells     = 40;          // along each side of a map

std::optional<std::string> why_no_functions(const Experiment& experiment)
{
    if (auto sentence = why_no_chains(experiment))
        return sentence;
    const auto& training = experiment.data->training;
    if (training.n_features == 1 || !why_no_plane(experiment))
        return {};
    return "This view needs one input, or two inputs with classes; these data have "
           + std::to_string(training.n_features) + " inputs.";
}

/// The functions of all draws at the plotted points.
struct DrawnFunctions {
    const Experiment& experiment;
    const ChainSnapshot& chains;
    ProbePoints probes;
    QuantityDraws draws;
    std::vector<bool> selected;   // [draws]
    std::string words;            // names the selected draws
    Tone tone;

    bool classes() const { return experiment.task() == Task::classification; }
    std::size_t n_selected() const
    {
        return static_cast<std::size_t>(std::count(selected.begin(), selected.end(), true));
    }
    /// The probability of the displayed class, or the function value, at every point.
    std::vector<double> function(std::size_t draw) const
    {
        std::vector<double> out;
        for (std::size_t i = 0; i < draws.n_inputs; ++i)
            out.push_back(draws.of((i + 1) * draws.per_input - 1)[draw]);
        return out;
    }
    /// Indices of the selected draws or of the others; at most `most`, evenly spaced.
    std::vector<std::size_t> numbers(bool of_selected, std::size_t most) const
    {
        std::vector<std::size_t> all, out;
        for (std::size_t d = 0; d < selected.size(); ++d)
            if (selected[d] == of_selected)
                all.push_back(d);
        for (const std::size_t k : evenly_spaced(all.size(), most))
            out.push_back(all[k]);
        return out;
    }
    /// Mean over the selected draws or over the others; the group must not be empty.
    std::vector<double> mean(bool of_selected) const
    {
        std::vector<double> sum(draws.n_inputs, 0);
        const auto members = numbers(of_selected, selected.size());
        for (const auto d : members) {
            const auto f = function(d);
            for (std::size_t i = 0; i < f.size(); ++i)
                sum[i] += f[i] / static_cast<double>(members.size());
        }
        return sum;
    }
    std::string class_on_show() const
    {
        return class_name(experiment.data->training.class_names, static_cast<int>(draws.per_input) - 1);
    }
};

/// Only the first of many lines of one kind is named.
Line thin_curve(Line line, const std::string& name, bool first, Tone tone)
{
    line.name    = first ? name : "";
    line.tone    = tone;
    line.width   = 0.7;
    line.opacity = 0.6;
    return line;
}

/// Lines of the selected draws over those of the others; if none is selected, all draws in the
/// colours of their chains.
/// @param line_of  turns a draw into a line
template <class LineOf>
std::vector<Series> function_lines(const DrawnFunctions& all, const LineOf& line_of)
{
    std::vector<Series> out;
    if (all.n_selected() == 0) {
        std::size_t last = all.chains.order.n_chains();   // none
        for (const auto d : all.numbers(false, 2 * most_curves)) {
            const std::size_t c = d / all.chains.order.n_draws();
            out.push_back(thin_curve(line_of(d), "chain " + std::to_string(all.chains.order.chains[c]), c != last,
                                     category(static_cast<int>(c))));
            last = c;
        }
        return out;
    }
    for (const bool of_selected : {false, true}) {
        bool first = true;
        for (const auto d : all.numbers(of_selected, most_curves)) {
            out.push_back(thin_curve(line_of(d), of_selected ? all.words : "other draws", first,
                                     of_selected ? all.tone : Tone{Tone::Kind::muted}));
            first = false;
        }
    }
    return out;
}

std::string functions_title(const DrawnFunctions& all, const ChainSelection& chain_selection)
{
    if (all.n_selected() > 0)
        return grouped_text(static_cast<long>(all.n_selected())) + " "
               + selection_words(chain_selection, all.n_selected()) + " over "
               + grouped_text(static_cast<long>(all.selected.size() - all.n_selected())) + " others";
    if (chain_selection.which == ChainSelection::Which::divergent && all.chains.statistics())
        return "No draw diverged: all draws, by chain";
    return "All draws, by chain";
}

/// Function against the input, with the means of both groups and the data.
Panel curves_panel(const DrawnFunctions& all)
{
    const auto& training = all.experiment.data->training;
    const auto& x        = all.probes.x;
    Panel panel{.x = {.label = training.feature_names[0], .range = Range{x.front(), x.back()}},
                .y = all.classes() ? Axis{.label = "Probability of " + all.class_on_show(), .range = Range{0, 1}}
                                   : Axis{.label = training.target_name}};
    RegressionBand extent;   // of the drawn curves
    panel.series        = function_lines(all, [&](std::size_t d) {
        Line line{.x = x, .y = all.function(d)};
        if (extent.lower.empty())
            extent.lower = extent.upper = line.y;
        for (std::size_t i = 0; i < line.y.size(); ++i) {
            extent.lower[i] = std::min(extent.lower[i], line.y[i]);
            extent.upper[i] = std::max(extent.upper[i], line.y[i]);
        }
        return line;
    });
    const std::size_t n = all.n_selected();
    if (n > 0 && n < all.selected.size()) {
        panel.series.push_back(Line{.name = "mean of the other draws", .x = x, .y = all.mean(false), .width = 2});
        panel.series.push_back(
            Line{.name = "mean of the " + all.words, .x = x, .y = all.mean(true), .tone = all.tone, .width = 2});
    }
    if (!all.classes()) {
        Points data   = training_points({training.inputs.begin(), training.inputs.end()},
                                        {training.targets.begin(), training.targets.end()});
        extent.data_x = data.x;
        extent.data_y = data.y;
        panel.y.range = height_of(extent);
        panel.series.push_back(std::move(data));
    }
    return panel;
}

HeatMap map_of_function(const DrawnFunctions& all, const std::vector<double>& p)
{
    return {.name     = "Probability of " + all.class_on_show(),
            .nx       = all.probes.grid->nx,
            .ny       = all.probes.grid->ny,
            .x        = all.probes.grid->x,
            .y        = all.probes.grid->y,
            .z        = {p.begin(), p.end()},
            .z_range  = {0, 1},
            .contours = {0.5}};
}

/// Decision boundaries of the draws, and the means of both groups.
std::vector<Panel> plane_panels(const DrawnFunctions& all)
{
    std::vector<Panel> out;
    const auto plain = [&](std::size_t d) {
        const auto p = all.function(d);
        return contour_line(map_of_function(all, p), 0.5);
    };
    Panel borders = plane_panel(all.experiment, *all.probes.grid, map_of_function(all, all.function(0)));
    borders.series.erase(borders.series.begin());   // only the axes and the data of the map are needed
    auto lines = function_lines(all, plain);
    borders.series.insert(borders.series.begin(), std::make_move_iterator(lines.begin()),
                          std::make_move_iterator(lines.end()));
    out.push_back(std::move(borders));
    const std::size_t n = all.n_selected();
    if (n == 0 || n == all.selected.size())
        return out;
    for (const bool of_selected : {true, false}) {
        const std::string name = of_selected ? all.words : "others";
        out.push_back(plane_panel(all.experiment, *all.probes.grid, map_of_function(all, all.mean(of_selected))));
        out.back().title = "Mean of the " + name;
    }
    return out;
}

std::optional<Chart> make_chain_functions(const RunSnapshot& run, const ViewOptions& options,
                                          const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    if (const auto sentence = why_no_functions(experiment))
        throw Error(*sentence);
    const auto chains           = chain_snapshot(run);
    const bool classes          = experiment.task() == Task::classification;
    const auto& training        = experiment.data->training;
    const std::size_t per_input = classes ? static_cast<std::size_t>(std::clamp<int>(
                                                options.map.class_index, 0, static_cast<int>(training.n_classes()) - 1))
                                                + 1
                                          : 1;
    const auto most             = most_outputs / (chains.order.size() * per_input);
    auto probes                 = probe_points(experiment, options, {.cells = most_plane_cells, .most = most});
    auto draws                  = draws_at(run, chains.predictive, probes.inputs, per_input, chains.places, stop);
    if (!draws)
        return {};
    const ChainSelection& chain_selection = options.chain_selection;
    const DrawnFunctions all{
        .experiment = experiment,
        .chains     = chains,
        .probes     = std::move(probes),
        .draws      = std::move(*draws),
        .selected   = selected_draws(chains, chain_selection),
        .words      = selection_words(chain_selection),
        .tone = {chain_selection.which == ChainSelection::Which::divergent ? Tone::Kind::wrong : Tone::Kind::accent}};
    Chart chart{.id = "chain_functions", .title = "Functions of the draws"};
    if (all.probes.grid)
        chart.panels = plane_panels(all);
    else
        chart.panels.push_back(curves_panel(all));
    chart.panels.front().title = functions_title(all, chain_selection);
    chart.columns              = static_cast<int>(chart.panels.size());
    chart.caption              = "The function of each draw. ";
    if (all.probes.grid)
        chart.caption = "Lines on which the probability of " + all.class_on_show() + " is ½, one per draw. ";
    chart.caption += chains_text(chains.order);
    if (all.n_selected() > 0)
        chart.caption += " In colour: " + grouped_text(static_cast<long>(all.n_selected())) + " "
                         + selection_words(chain_selection, all.n_selected()) + ".";
    return with_setting(std::move(chart), run, static_cast<int>(chains.order.size()));
}

}   // namespace

View chain_functions_view()
{
    return {
        .id    = "chain_functions",
        .title = "Functions of the draws",
        .group = ViewGroup::chains,
        .help =
            "Single draws of the chains as functions: a curve each over one input, or the line on which the "
            "displayed class has probability ½ over two inputs. The selected draws are in colour on top of the "
            "others. They are those whose trajectory diverged, or those from a range of steps, which you can also "
            "drag on the trace. At most 40 lines of each kind are drawn. Divergent draws come from where the "
            "posterior is too steep for the chain's step size. If their functions differ from the others, the chain "
            "has trouble with exactly these functions and may miss more of them: do not trust predictions there, and "
            "try a higher target acceptance or another prior. Divergences whose functions look like those of the other "
            "draws are less worrying. If nothing is selected, each chain has its own colour: chains that have not "
            "mixed form separate bundles. Source: Betancourt 2017 on what divergences indicate.",
        .cost    = Cost::slow,
        .why_not = why_no_functions,
        .make    = make_chain_functions};
}

}   // namespace credence
