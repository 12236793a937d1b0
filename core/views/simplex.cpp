// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simplex.h"

#include "charts/chart.h"
#include "charts/contours.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "simplex/dirichlet_fit.h"
#include "views/beta_laplace.h"
#include "views/chosen_logits.h"
#include "views/conformal_sets.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>

// Draws the two triangles as a Chart.

namespace credence {

using namespace view_support;

namespace {

/// Returns n classes: the requested ones, or those with the largest μ, in class order so that
/// corners do not keep changing places.
std::vector<int> shown_classes(const LogitGaussian& distribution, const std::vector<int>& wanted, std::size_t n)
{
    const int K = distribution.n_classes();
    if (!wanted.empty()) {
        if (wanted.size() < n)
            throw Error("Simplex: " + std::to_string(wanted.size()) + " classes chosen, expected " + std::to_string(n)
                        + ".");
        std::vector<int> chosen(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(n));
        for (std::size_t k = 0; k < n; ++k) {
            if (chosen[k] < 0 || chosen[k] >= K)
                throw Error("Simplex: class " + std::to_string(chosen[k]) + " chosen, expected 0 to "
                            + std::to_string(K - 1) + ".");
            if (std::count(chosen.begin(), chosen.end(), chosen[k]) > 1)
                throw Error("Simplex: class " + std::to_string(chosen[k])
                            + " chosen twice, expected different classes at the corners.");
        }
        return chosen;
    }
    std::vector<int> order(static_cast<std::size_t>(K));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return distribution.mu()[static_cast<std::size_t>(a)] > distribution.mu()[static_cast<std::size_t>(b)];
    });
    order.resize(n);
    std::sort(order.begin(), order.end());
    return order;
}

constexpr double inner = 0.5, outer = 0.9;   ///< probabilities enclosed by the lines
constexpr Tone of_bridge{Tone::Kind::category, 5};

struct Levels {
    double inner = 0, outer = 0, floor = 0;
};
Levels levels_of(const TernaryGrid& grid)
{
    const double shares[] = {inner, outer, 0.999};
    const auto levels     = levels_holding(grid, shares);
    return {levels[0], levels[1], levels[2]};
}

double largest(const TernaryGrid& grid)
{
    return grid.mass.empty() ? 0 : *std::max_element(grid.mass.begin(), grid.mass.end()) * 2.0 * grid.n * grid.n;
}

/// One colour scale for both triangles, from 0 to the largest density. Logarithmic if that density
/// far exceeds the density where most of a distribution's mass is.
struct Scale {
    bool logarithmic = false;
    Range range{0, 1};
};
Scale scale_of(const SimplexDensity& value, const std::vector<Levels>& levels, ColourScaling scaling)
{
    constexpr double peaked = 60;        // the peak of a Gaussian is 10 times the density at the line that encloses 90
                                         // %
    constexpr double in_a_cell = 0.02;   // a distribution with this much probability in one cell would hide in a few
                                         // cells
    const double top = std::max(largest(value.exact), largest(value.approximate));
    double body = top, floor = top;
    for (const Levels& each : levels) {
        body  = std::min(body, each.outer);
        floor = std::min(floor, each.floor);
    }
    const bool logarithmic = scaling == ColourScaling::logarithmic
                             || (scaling == ColourScaling::automatic
                                 && (top > peaked * body || top > in_a_cell * 2 * value.exact.n * value.exact.n));
    if (!logarithmic)
        return {false, {0, top}};
    return {true, {std::max({floor, top * 1e-7, 1e-300}) / (1 + 1e-9), top}};
}

TernaryMap map_of(const TernaryGrid& grid, const Scale& scale)
{
    TernaryMap map{.name        = scale.logarithmic ? "Density (logarithmic colours)" : "Density",
                   .n           = grid.n,
                   .z_range     = scale.range,
                   .logarithmic = scale.logarithmic};
    map.z.reserve(grid.mass.size());
    for (int cell = 0; cell < static_cast<int>(grid.mass.size()); ++cell)
        map.z.push_back(static_cast<float>(grid.density(cell)));
    return map;
}

/// α with few digits: "Dirichlet(2.1, 0.53, 11)".
std::string dirichlet_text(const std::vector<double>& alpha)
{
    std::string out = "Dirichlet(";
    for (std::size_t k = 0; k < alpha.size(); ++k)
        out += (k ? ", " : "") + number_text(alpha[k], 3);
    return out + ")";
}

/// "μ = (1, 1, −2), Σ = (1, 0, 0.5; 0, 2, 0.3; 0.5, 0.3, 0.5)"
std::string distribution_text(const LogitGaussian& distribution)
{
    const auto number = [](double value) { return value < 0 ? "−" + number_text(-value, 4) : number_text(value, 4); };
    std::string mean, covariance;
    for (int k = 0; k < distribution.n_classes(); ++k) {
        mean += (k ? ", " : "") + number(distribution.mu()[static_cast<std::size_t>(k)]);
        covariance += k ? "; " : "";
        for (int l = 0; l < distribution.n_classes(); ++l)
            covariance += (l ? ", " : "") + number(distribution.covariance(k, l));
    }
    return "μ = (" + mean + "), Σ = (" + covariance + ")";
}

std::string in_words(const SimplexDensity& value)
{
    if (value.n_classes == 3)
        return {};
    if (value.others == OtherClasses::merged)
        return " The other " + std::to_string(value.n_classes - 2)
               + " classes are merged into one: exact for the Dirichlet; the logit of the merged class is not "
                 "Gaussian, so the "
                 "left distribution is an approximation by the moments of its samples.";
    return " Of " + std::to_string(value.n_classes)
           + " classes these three, renormalised, π_k/(π_a + π_b + π_c): exact for both distributions.";
}

std::string numbers_in_words(const BridgeNumbers& numbers)
{
    std::string out = " KL(exact‖Dirichlet) = " + number_text(numbers.kl, 4);
    if (numbers.standard_error > 0)
        out += " ± " + number_text(numbers.standard_error, 1) + " (by samples)";
    out += " nats";
    if (numbers.best_kl)
        out += ", for the best possible Dirichlet " + number_text(*numbers.best_kl, 4);
    if (numbers.total_variation && numbers.hellinger)
        out += "; total variation " + number_text(*numbers.total_variation, 3) + ", Hellinger "
               + number_text(*numbers.hellinger, 3);
    return out + ".";
}

std::optional<std::string> why_not_simplex(const Experiment& experiment)
{
    if (experiment.task() != Task::classification)
        return "The simplex needs classes. For regression see the regression band.";
    return why_no_varying_classes(experiment);
}

/// Marks the corners of the conformal set's classes, if the Study asks for sets. False: stopped.
/// @param corners  the class at each corner
bool mark_conformal_set(Chart& chart, const RunSnapshot& run, const ViewOptions& options, std::span<const int> corners,
                        const std::stop_token& stop)
{
    if (why_no_conformal(*run.experiment))
        return true;
    const auto outputs = chosen_outputs(run, options, stop);
    if (!outputs)
        return false;
    const auto p   = class_predictions(view_of(outputs->samples));
    const auto set = conformal_set_of_chosen(run, options, p.mean, outputs->input.standardised, stop);
    if (!set)
        return false;
    for (auto& panel : chart.panels)
        for (std::size_t k = 0; panel.triangle && k < corners.size(); ++k)
            if (std::find(set->begin(), set->end(), corners[k]) != set->end())
                panel.triangle->corners[k] += " ∈ set";
    chart.caption += " Conformal set: " + set_text(*set, run.experiment->data->training.class_names) + ".";
    return true;
}

std::optional<Chart> make_simplex(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    if (!gives_logits(run))
        throw Error(why_no_logits(run));
    const LogitsBy by       = logits_by(run, options);
    const bool linearised   = by == LogitsBy::linearisation;
    const auto distribution = chosen_logits(run, options, by, stop);
    if (!distribution || stop.stop_requested())
        return {};
    const auto input   = chosen_input(run, options.input);
    const auto& names  = experiment.data->training.class_names;
    const auto& wanted = options.simplex;
    Chart chart;
    std::vector<int> corners;
    if (distribution->n_classes() == 2) {
        chart = two_class_chart(*distribution, names, wanted.density.variant, wanted.look.table);
    } else {
        auto how   = wanted.density;
        how.seed   = experiment.study.seed;
        auto value = simplex_density(*distribution, names, how);
        if (stop.stop_requested())
            return {};
        value.numbers = bridge_numbers(value);
        chart         = to_chart(value, wanted.look);
        corners       = value.classes;   // without the merged ones
    }
    if (!mark_conformal_set(chart, run, options, corners, stop))
        return {};
    chart.caption += " Input: " + input.name
                     + (linearised             ? "; Gaussian over logits by linearising the network."
                        : known_gaussians(run) ? "; Gaussian over logits from the file."
                        : experiment.outputs   ? "; Gaussian over logits by moments of the samples in the file."
                                               : "; Gaussian over logits by moments of weight samples.");
    return with_setting(std::move(chart), run,
                        linearised ? std::nullopt : std::optional(predictive_of(run, options).n_samples()));
}

}   // namespace

SimplexDensity simplex_density(const LogitGaussian& distribution, const std::vector<std::string>& names,
                               const SimplexOptions& options)
{
    const int K = distribution.n_classes();
    if (K < 3)
        throw Error("Simplex: a distribution over " + std::to_string(K)
                    + " classes found, expected at least 3; two classes have a density on a line.");
    const bool merged = options.others == OtherClasses::merged && K > 3;
    const auto chosen = shown_classes(distribution, options.classes, merged ? 2 : 3);
    std::vector<int> group(static_cast<std::size_t>(K), 2);
    for (std::size_t k = 0; k < chosen.size(); ++k)
        group[static_cast<std::size_t>(chosen[k])] = static_cast<int>(k);

    SimplexDensity out{.classes   = chosen,
                       .n_classes = K,
                       .others    = merged ? OtherClasses::merged : OtherClasses::left_out,
                       .variant   = options.variant,
                       .logits    = merged ? merged_by_moments(distribution, group, options.seed)
                                           : distribution.among(chosen),
                       .bridge    = {},
                       .numbers   = {}};
    for (std::size_t k = 0; k < chosen.size(); ++k)
        out.names[k] = class_name(names, chosen[k]);
    if (merged)
        out.names[2] = "the other " + std::to_string(K - 2);

    const LogisticNormal exact(out.logits);
    out.exact = ternary_grid(exact, options.cells);
    if (options.samples > 0)
        out.samples = exact.sample({.seed = options.seed, .stream = Stream::logits, .index = 0}, options.samples);
    try {
        const Dirichlet all = bridge(distribution, options.variant).dirichlet();
        out.bridge          = merged ? all.grouped(group) : all.among(chosen);
        out.approximate     = ternary_grid(*out.bridge, options.cells);
    } catch (const Error& error) {
        out.bridge.reset();
        out.approximate = {};
        out.no_bridge   = error.what();
    }
    return out;
}

std::optional<BridgeNumbers> bridge_numbers(const SimplexDensity& value, long most_nodes)
{
    return value.bridge ? bridge_numbers(value.logits, *value.bridge, most_nodes) : std::nullopt;
}

std::optional<BridgeNumbers> bridge_numbers(const LogitGaussian& logits, const Dirichlet& bridge, long most_nodes)
{
    const LogisticNormal exact(logits);
    const auto of_exact   = expectations(logits, {.most_nodes = most_nodes});
    const auto comparison = compare(exact, bridge, of_exact);
    BridgeNumbers out{.kl              = comparison.kl,
                      .best_kl         = {},
                      .total_variation = comparison.total_variation,
                      .hellinger       = comparison.hellinger,
                      .mean            = of_exact.mean,
                      .bridge_mean     = bridge.mean(),
                      .variance        = of_exact.variance(),
                      .bridge_variance = bridge.variance(),
                      .proposition1    = proposition1_holds(bridge),
                      .standard_error  = bridge.total() * of_exact.standard_error};
    try {
        out.best_kl = kl_divergence(exact, best_dirichlet(logits, of_exact), of_exact);
    } catch (const Error&) {
        // no Dirichlet with representable parameters minimises the divergence
    }
    return out;
}

std::string short_title_of(BridgeVariant variant)
{
    switch (variant) {
    case BridgeVariant::plain: return "plain";
    case BridgeVariant::conditioned: return "conditioned";
    case BridgeVariant::projected: return "projected";
    case BridgeVariant::conditioned_normalised: return "conditioned, norm.";
    case BridgeVariant::projected_normalised: return "projected, norm.";
    }
    return {};
}

std::string title_of(BridgeVariant variant)
{
    switch (variant) {
    case BridgeVariant::plain: return "plain";
    case BridgeVariant::conditioned: return "conditioned on Σz = 0";
    case BridgeVariant::projected: return "projected";
    case BridgeVariant::conditioned_normalised: return "conditioned, normalised";
    case BridgeVariant::projected_normalised: return "projected, normalised";
    }
    return {};
}

Table numbers_table(const BridgeNumbers& numbers, const std::vector<double>& alpha, std::span<const std::string> names)
{
    Table table{.columns = {{"Quantity"}, {"Value"}}, .rows = {}};
    for (const auto& name : names)
        table.columns.push_back({name});
    const auto row = [&](const std::string& quantity, Cell value, const std::vector<Cell>& of_classes = {}) {
        std::vector<Cell> cells{quantity, std::move(value)};
        for (std::size_t k = 0; k < names.size(); ++k)
            cells.push_back(k < of_classes.size() ? of_classes[k] : Cell(std::string()));
        table.rows.push_back(std::move(cells));
    };
    const auto cells = [](const std::vector<double>& values) {
        return std::vector<Cell>(values.begin(), values.end());
    };
    const auto known = [](const std::optional<double>& value) {
        return value ? Cell(*value) : Cell(std::string("not known"));
    };
    const Cell none = std::string();
    row(numbers.standard_error > 0 ? "KL(exact‖Dirichlet), nats, by samples" : "KL(exact‖Dirichlet), nats", numbers.kl);
    row("KL of the best Dirichlet, nats", known(numbers.best_kl));
    row("Total variation", known(numbers.total_variation));
    row("Hellinger distance", known(numbers.hellinger));
    double total = 0;
    for (const double a : alpha)
        total += a;
    row("α, their sum first", total, cells(alpha));
    row("Mean, exact", none, cells(numbers.mean));
    row("Mean, Dirichlet", none, cells(numbers.bridge_mean));
    row("Variance, exact", none, cells(numbers.variance));
    row("Variance, Dirichlet", none, cells(numbers.bridge_variance));
    std::vector<Cell> holds;
    for (const char each : numbers.proposition1)
        holds.emplace_back(std::string(each ? "holds" : "fails"));
    row("Proposition 1", none, holds);
    return table;
}

namespace {

std::string caption_of(const SimplexDensity& value, const SimplexLook& look, const Scale& scale)
{
    std::string caption =
        look.over_one_another
            ? "The exact distribution of softmax(z) for z ~ N(μ, Σ), and lines of it and of the Dirichlet of its "
              "Laplace Bridge ("
                  + title_of(value.variant) + ")"
            : "The exact distribution of softmax(z) for z ~ N(μ, Σ) and the Dirichlet of its Laplace Bridge ("
                  + title_of(value.variant) + "): densities with respect to (π_1, π_2) on one colour scale";
    caption += scale.logarithmic ? ", which is logarithmic." : ".";
    if (look.contours)
        caption += " Lines enclose 50 % and 90 % of each distribution.";
    caption += in_words(value) + " The Gaussian over the logits: " + distribution_text(value.logits) + ".";
    if (value.bridge)
        caption += " The bridge: " + dirichlet_text(value.bridge->alpha()) + ".";
    if (!value.no_bridge.empty())
        caption += " There is no Dirichlet to show: " + value.no_bridge;
    constexpr double one_cell = 0.2;
    const auto in_one         = [](const TernaryGrid& grid) {
        return grid.mass.empty() ? 0.0 : *std::max_element(grid.mass.begin(), grid.mass.end());
    };
    if (const double most = std::max(in_one(value.exact), in_one(value.approximate)); most > one_cell)
        caption += " One of the " + std::to_string(value.exact.mass.size()) + " cells holds "
                   + number_text(100 * most, 2)
                   + " % of a distribution: its shape is finer than this picture. The numbers do not depend "
                     "on the cells.";
    return caption;
}

/// Contours of both densities, drawn on every triangle.
std::vector<Line> contour_lines(const SimplexDensity& value, const std::vector<Levels>& levels)
{
    std::vector<Line> lines;
    const double of_exact[] = {levels[0].outer, levels[0].inner};
    lines.push_back(contours_of(value.exact, of_exact));
    lines.back().name  = "exact: 50 %, 90 %";
    lines.back().width = 1.0;
    if (value.bridge) {
        const double of_dirichlet[] = {levels[1].outer, levels[1].inner};
        lines.push_back(contours_of(value.approximate, of_dirichlet));
        lines.back().name  = "Dirichlet: 50 %, 90 %";
        lines.back().tone  = of_bridge;
        lines.back().style = LineStyle::dashed;
        lines.back().width = 1.2;
    }
    return lines;
}

}   // namespace

Chart to_chart(const SimplexDensity& value, const SimplexLook& look)
{
    Chart chart{.id = "simplex", .title = "Simplex", .columns = 2};
    std::vector<Levels> levels{levels_of(value.exact)};
    if (value.bridge)
        levels.push_back(levels_of(value.approximate));
    const Scale scale             = scale_of(value, levels, look.scaling);
    const std::vector<Line> lines = look.contours ? contour_lines(value, levels) : std::vector<Line>();
    Triangle triangle{.corners = value.names};
    for (std::size_t k = 0; k < std::min<std::size_t>(3, value.classes.size()); ++k)
        triangle.tones[k] = category(value.classes[k]);   // merged classes have no colour
    const auto panel_of = [&](std::string title, const TernaryGrid& grid) {
        Panel panel{.title    = std::move(title),
                    .x        = {.label = "π(" + value.names[0] + ")"},
                    .y        = {.label = "π(" + value.names[1] + ")"},
                    .triangle = triangle};
        panel.series.push_back(map_of(grid, scale));
        if (!value.samples.empty()) {
            Points points{.name   = "samples of the exact distribution",
                          .tone   = {Tone::Kind::neutral},
                          .marker = Marker::circle,
                          .size   = 2.4};
            for (std::size_t i = 0; i + 2 < value.samples.size(); i += 3) {
                points.x.push_back(value.samples[i]);
                points.y.push_back(value.samples[i + 1]);
            }
            panel.series.push_back(std::move(points));
        }
        for (const Line& line : lines)
            panel.series.push_back(line);
        return panel;
    };
    if (look.over_one_another) {
        const bool known = value.numbers.has_value();
        chart.panels.push_back(
            panel_of(known ? "KL " + number_text(value.numbers->kl, 3) + " nats" : "Exact density", value.exact));
    } else {
        chart.panels.push_back(panel_of("Exact", value.exact));
        if (value.bridge)
            chart.panels.push_back(panel_of("Laplace Bridge", value.approximate));
    }

    chart.caption = caption_of(value, look, scale);
    if (value.numbers) {
        chart.caption += numbers_in_words(*value.numbers);
        if (look.table)
            chart.table = numbers_table(*value.numbers, value.bridge->alpha(), value.names);
    }
    return chart;
}

View simplex_view()
{
    return {
        .id    = "simplex",
        .title = "Simplex",
        .group = ViewGroup::selected_input,
        .help =
            "The distribution of the class probabilities, π = softmax(z), for the selected input: z ~ N(μ, Σ) is the "
            "Gaussian over its logits given by the posterior. Each point of the triangle is one set of probabilities "
            "for three classes; a corner is certainty. Left: the exact distribution, whose density has a closed "
            "form. Right: the Dirichlet of its Laplace Bridge, α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}). "
            "Both use the same measure and the same colours; lines enclose 50 % and 90 % of each. "
            "KL(exact‖Dirichlet), total variation and Hellinger distance measure how far apart they are. Wide and "
            "flat: the samples disagree. With more than three classes the triangle shows the most probable three, "
            "renormalised. Two classes have a density on a line. Source: MacKay 1998; Hobbhahn, Kristiadi and Hennig "
            "2022.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_simplex,
        .make        = make_simplex};
}

}   // namespace credence
