// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers.h"

#include "foundation/number_text.h"
#include "runs/laplace_fit.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace credence {

double prior_mean(const BlockPrior& prior)
{
    const auto* gaussian = std::get_if<GaussianPrior>(&prior);
    return gaussian ? gaussian->mean : 0;
}

double prior_sd(const BlockPrior& prior)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior))
        return gaussian->sd;
    const auto& mixture = std::get<ScaleMixturePrior>(prior);
    return std::sqrt(mixture.pi * mixture.sigma_wide * mixture.sigma_wide
                     + (1 - mixture.pi) * mixture.sigma_narrow * mixture.sigma_narrow);
}

using namespace view_support;

namespace {

/// "dense 1 weights" → "dense 1": both blocks of a layer share a position on the axis.
std::string layer_of(const std::string& block)
{
    for (const std::string ending : {" weights", " biases"})
        if (block.ends_with(ending))
            return block.substr(0, block.size() - ending.size());
    return block;
}

std::vector<std::string> layer_names(const LayerUncertainty& blocks)
{
    std::vector<std::string> names;
    for (const auto& block : blocks)
        if (std::find(names.begin(), names.end(), layer_of(block.block)) == names.end())
            names.push_back(layer_of(block.block));
    return names;
}

using Quantity = std::function<std::optional<double>(const BlockUncertainty&)>;

Points points_of(const LayerUncertainty& blocks, const std::vector<std::string>& names, BlockKind kind,
                 const Quantity& quantity)
{
    const bool weights = kind == BlockKind::weights;
    Points points{.name   = weights ? "Weights" : "Biases",
                  .tone   = category(weights ? 0 : 1),
                  .marker = weights ? Marker::circle : Marker::square,
                  .size   = 8};
    for (const auto& block : blocks)
        if (const auto value = quantity(block); value && block.kind == kind && std::isfinite(*value)) {
            points.x.push_back(
                static_cast<double>(std::find(names.begin(), names.end(), layer_of(block.block)) - names.begin()));
            points.y.push_back(*value);
        }
    return points;
}

Panel block_panel(const Layers& layers, const std::string& title, const std::string& label, const Quantity& quantity)
{
    const auto names = layer_names(layers.blocks);
    Panel panel{
        .title = title,
        .x     = {.label = "Layer", .range = Range{-0.5, static_cast<double>(names.size()) - 0.5}, .categories = names},
        .y     = {.label = label}};
    for (const auto kind : {BlockKind::weights, BlockKind::biases})
        if (auto points = points_of(layers.blocks, names, kind, quantity); !points.x.empty())
            panel.series.push_back(std::move(points));
    return panel;
}

/// Starts the axis at 0, so that the heights of marks show their sizes, with space above the
/// highest mark.
void begin_at_zero(Panel& panel)
{
    double top = 0;
    for (const auto& series : panel.series)
        if (const auto* points = std::get_if<Points>(&series))
            for (const double y : points->y)
                top = std::max(top, y);
    if (top > 0)
        panel.y.range = Range{0, 1.1 * top};
}

bool any(const LayerUncertainty& blocks, const Quantity& quantity)
{
    return std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) { return quantity(block).has_value(); });
}

const Quantity tau          = [](const BlockUncertainty& b) { return b.tau; };
const Quantity rho          = [](const BlockUncertainty& b) { return b.rho; };
const Quantity dropout_rate = [](const BlockUncertainty& b) { return b.dropout_rate; };
const Quantity relative_sd  = [](const BlockUncertainty& b) { return std::optional(b.median_relative_sd); };
const Quantity median_sd    = [](const BlockUncertainty& b) { return std::optional(b.median_sd); };

Table table_of(const Layers& layers)
{
    const auto& blocks = layers.blocks;
    Table table{.columns = {{"Block"}}};
    for (const auto& block : blocks)
        table.rows.push_back({block.block});
    const auto add = [&](Column column, const Quantity& quantity) {
        if (!any(blocks, quantity))
            return;
        table.columns.push_back(std::move(column));
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto value = quantity(blocks[i]);
            table.rows[i].push_back(value ? Cell(*value) : Cell(std::string()));
        }
    };
    add({"τ", "", 4}, tau);
    add({"ρ", "", 4}, rho);
    add({"Dropout rate", "", 3}, dropout_rate);
    add({"Mean of |mean|", "", 4}, [](const BlockUncertainty& b) { return std::optional(b.mean_abs); });
    add({"Median σ", "", 4}, median_sd);
    add({"Median σ/|μ|", "", 4}, relative_sd);
    if (layers.priors.size() == blocks.size()) {
        table.columns.push_back({"Prior mean"});
        table.columns.push_back({"Prior σ"});
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            table.rows[i].emplace_back(prior_mean(layers.priors[i]));
            table.rows[i].emplace_back(prior_sd(layers.priors[i]));
        }
    }
    return table;
}

}   // namespace

std::vector<BlockPrior> priors_of(const RunSnapshot& run)
{
    if (method_of(run.experiment->study).under_prior())
        return prior_at(run).blocks;
    if (const auto fitted = laplace_of(*run.snapshot); fitted && fitted->curvature()->first_weight() == 0)
        return std::vector<BlockPrior>(fitted->layout().blocks.size(),
                                       GaussianPrior::from_precision(fitted->precision()));
    return {};
}

namespace {

/// Describes the learned parameters of a prior. Empty for a Gaussian, whose marks show them.
std::string learned_words(const Prior& prior)
{
    const auto* mixture = std::get_if<ScaleMixturePrior>(&prior.blocks.front());
    if (!mixture)
        return " The standard deviations of the prior are learned.";
    return " The prior is learned: π = " + number_text(mixture->pi, 3) + ", σ₁ = " + number_text(mixture->sigma_wide, 3)
           + ", σ₂ = " + number_text(mixture->sigma_narrow, 3) + ".";
}

std::optional<Chart> make_layers(const RunSnapshot& run, const ViewOptions&, const std::stop_token&)
{
    const Layers layers{.blocks = run.snapshot->posterior->describe(), .priors = priors_of(run)};
    Chart chart = to_chart(layers);
    if (learns_prior(run.experiment->study))
        chart.caption += learned_words(prior_at(run));
    return with_setting(std::move(chart), run);
}

}   // namespace

Chart to_chart(const Layers& layers)
{
    Chart chart{.id = "layers", .title = "Layers"};
    if (layers.blocks.empty()) {
        chart.message = "This posterior does not describe its layers.";
        return chart;
    }
    const bool spread = std::any_of(layers.blocks.begin(), layers.blocks.end(),
                                    [](const auto& b) { return b.median_sd > 0; });
    chart.table       = table_of(layers);
    if (any(layers.blocks, tau))
        chart.panels.push_back(block_panel(layers, "Relative standard deviation τ", "τ", tau));
    if (any(layers.blocks, rho)) {
        chart.panels.push_back(block_panel(layers, "Neighbour correlation ρ", "ρ", rho));
        chart.panels.back().y.range = Range{-0.5, 0.5};
        chart.panels.back().series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = 0});
    }
    if (any(layers.blocks, dropout_rate)) {
        chart.panels.push_back(block_panel(layers, "Dropout rate before each layer", "Rate", dropout_rate));
        chart.panels.back().y.range = Range{0, 1};
    }
    if (spread && !any(layers.blocks, tau))
        chart.panels.push_back(block_panel(layers, "Relative standard deviation", "Median σ/|μ|", relative_sd));
    if (spread) {
        auto panel = block_panel(layers, "Standard deviation and its prior", "Median σ", median_sd);
        if (layers.priors.size() == layers.blocks.size()) {
            LayerUncertainty priors = layers.blocks;
            for (std::size_t i = 0; i < priors.size(); ++i)
                priors[i].median_sd = prior_sd(layers.priors[i]);
            const auto names = layer_names(priors);
            for (const auto kind : {BlockKind::weights, BlockKind::biases}) {
                auto points   = points_of(priors, names, kind, median_sd);
                points.name   = kind == BlockKind::weights ? "Prior σ, weights" : "Prior σ, biases";
                points.tone   = {Tone::Kind::prior};
                points.filled = false;
                if (!points.x.empty())
                    panel.series.push_back(std::move(points));
            }
        }
        chart.panels.push_back(std::move(panel));
    }
    for (auto& panel : chart.panels)
        if (!panel.y.range)
            begin_at_zero(panel);
    chart.columns = std::max<int>(1, static_cast<int>(chart.panels.size()));
    chart.caption = spread || any(layers.blocks, tau) ? "Uncertainty of the weights and biases of each layer."
                    : any(layers.blocks, dropout_rate)
                        ? "The noise of dropout is in the activations; the weights themselves have no spread."
                        : "A point estimate: the weights have no spread.";
    if (chart.panels.empty())
        chart.message.clear();   // the table alone still shows the sizes of the weights
    return chart;
}

LayersOverTraining layers_over_training(const TrainingHistory& history)
{
    LayersOverTraining out;
    const auto first = std::find_if(history.begin(), history.end(),
                                    [](const TrainingPoint& p) { return !p.layers.empty(); });
    if (first == history.end())
        return out;
    const std::size_t n = first->layers.size();
    const bool has_tau = any(first->layers, tau), has_rho = any(first->layers, rho);
    for (const auto& block : first->layers) {
        out.blocks.push_back(block.block);
        out.kinds.push_back(block.kind);
    }
    out.relative_sd.resize(n);
    out.sd.resize(n);
    out.tau.resize(has_tau ? n : 0);
    out.rho.resize(has_rho ? n : 0);
    out.prior.resize(first->prior.size());
    for (const auto& point : history) {
        if (point.layers.size() != n)
            continue;
        out.step.push_back(static_cast<double>(point.step));
        for (std::size_t b = 0; b < n; ++b) {
            out.relative_sd[b].push_back(point.layers[b].median_relative_sd);
            out.sd[b].push_back(point.layers[b].median_sd);
            if (has_tau)
                out.tau[b].push_back(point.layers[b].tau.value_or(std::nan("")));
            if (has_rho)
                out.rho[b].push_back(point.layers[b].rho.value_or(std::nan("")));
        }
        for (std::size_t j = 0; j < out.prior.size(); ++j)
            out.prior[j].push_back(j < point.prior.size() ? point.prior[j] : std::nan(""));
    }
    return out;
}

/// π, σ_1 and σ_2 of a learned scale mixture.
static Panel mixture_panel(const LayersOverTraining& layers)
{
    Panel panel{.title = "Scale mixture prior, learned",
                .x     = {.label = "Step"},
                .y     = {.label = "π, σ₁ and σ₂", .logarithmic = true}};
    constexpr std::array names{"Share π of the wide part", "Wide σ₁", "Narrow σ₂"};
    for (std::size_t j = 0; j < names.size(); ++j)
        panel.series.push_back(
            Line{.name = names[j], .x = layers.step, .y = layers.prior[j], .tone = category(static_cast<int>(j))});
    return panel;
}

Chart to_chart(const LayersOverTraining& layers)
{
    Chart chart{.id = "layers_over_training", .title = "Layers over training"};
    if (layers.step.empty()) {
        chart.message = "Nothing has been recorded yet. Train a few steps.";
        return chart;
    }
    const auto add =
        [&](const std::string& title, const std::string& label, const std::vector<std::vector<double>>& values) {
        Panel panel{.title = title, .x = {.label = "Step"}, .y = {.label = label}};
        int layer = -1;
        std::string last;
        for (std::size_t b = 0; b < values.size(); ++b) {
            if (layer_of(layers.blocks[b]) != last) {
                last = layer_of(layers.blocks[b]);
                ++layer;
            }
            panel.series.push_back(
                Line{.name  = layers.blocks[b],
                     .x     = layers.step,
                     .y     = values[b],
                     .tone  = category(layer),
                     .style = layers.kinds[b] == BlockKind::weights ? LineStyle::solid : LineStyle::dashed});
        }
        chart.panels.push_back(std::move(panel));
    };
    const auto any_positive = [](const auto& blocks) {
        return std::any_of(blocks.begin(), blocks.end(), [](const auto& line) {
            return std::any_of(line.begin(), line.end(), [](double v) { return v > 0; });
        });
    };
    if (!layers.tau.empty())
        add("Relative standard deviation τ", "τ", layers.tau);
    if (!layers.rho.empty())
        add("Neighbour correlation ρ", "ρ", layers.rho);
    if (layers.tau.empty() && any_positive(layers.sd)) {
        add("Relative standard deviation", "Median σ/|μ|", layers.relative_sd);
        add("Standard deviation", "Median σ", layers.sd);
    }
    if (!layers.prior.empty() && layers.prior.size() == layers.blocks.size())
        add("Standard deviation of the prior, learned", "Prior σ", layers.prior);
    else if (layers.prior.size() == 3)
        chart.panels.push_back(mixture_panel(layers));
    if (chart.panels.empty()) {
        chart.message =
            "The weights of this posterior have no spread. Choose mean field, one τ per block, or tridiagonal.";
        return chart;
    }
    chart.columns = static_cast<int>(chart.panels.size());
    chart.caption = "Uncertainty of each block over training; solid lines are weights, dashed lines biases.";
    return chart;
}

View layers_view()
{
    return {
        .id    = "layers",
        .title = "Layers",
        .group = ViewGroup::weights,
        .help =
            "The current uncertainty of the weights and biases of each layer. Families with one τ per block: each "
            "weight has standard deviation τ|m|, where m is its mean. If τ is above 1, a typical weight can easily "
            "change sign. ρ is the correlation of neighbouring weights, between −½ and ½ (tridiagonal family). Other "
            "families show the medians of σ and σ/|μ| over the block. Open marks show the prior's standard "
            "deviation; a block at its prior has learned little. Source: Posch and Pilz 2021, Table II; Steinbrener "
            "et al. 2020.",
        .cost = Cost::quick,
        .make = make_layers};
}

}   // namespace credence
