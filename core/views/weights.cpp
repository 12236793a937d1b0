// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "foundation/statistics.h"
#include "posterior/pruning.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace credence {

double signal_to_noise(double mean, double sd)
{
    if (sd > 0)
        return std::fabs(mean) / sd;
    return mean == 0 ? 0 : std::numeric_limits<double>::infinity();
}

Pruning prune(PruneRule rule, const ParameterLayout& layout, std::span<const float> mean, std::span<const float> sd)
{
    if (std::all_of(sd.begin(), sd.end(), [](float s) { return s == 0; }))
        rule.by = PruneBy::magnitude;
    const bool one_cut = rule.by == PruneBy::signal_to_noise && !rule.per_layer;
    Pruning out{.rule = rule, .removed = std::vector<char>(mean.size(), 0)};
    for (const std::size_t i : pruned_weights(rule, layout, mean, sd)) {
        out.removed[i] = 1;
        ++out.n_removed;
        if (one_cut)
            out.cut = std::max(out.cut.value_or(0), signal_to_noise(mean[i], sd[i]));
    }
    return out;
}

namespace {

std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

std::string share_text(double share) { return number_text(100 * share, 4) + " %"; }

constexpr double tail_of_weights = 0.0005;   // of the weights, at either end, that can be outside the picture

double mean_square_root(const std::vector<double>& values)
{
    double squares = 0;
    for (const double value : values)
        squares += value * value;
    return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

}   // namespace

WeightHistograms weight_histograms(std::span<const float> mean, std::span<const float> sd, std::span<const float> draw,
                                   Pruning pruning)
{
    WeightHistograms out;
    out.n            = mean.size();
    out.pruning      = std::move(pruning);
    const auto means = doubles(mean);
    out.means        = histogram(means);
    std::vector<double> kept;
    for (std::size_t i = 0; i < means.size(); ++i)
        if (!out.pruning.removed[i])
            kept.push_back(means[i]);
    out.kept_means       = histogram_like(out.means, kept);
    out.kept_means.total = out.means.total;   // the same normalisation for all weights and for the remaining ones
    if (!draw.empty())
        out.draw = histogram(doubles(draw));
    if (std::any_of(sd.begin(), sd.end(), [](float s) { return s > 0; }))
        out.sds = histogram(doubles(sd));
    return out;
}

Chart to_chart(const WeightHistograms& value)
{
    Chart chart{.id = "weights", .title = "Weights"};
    if (value.n == 0) {
        chart.message = "This network has no weights.";
        return chart;
    }
    const auto panel = [](const std::string& title, const std::string& label) {
        return Panel{.title = title, .x = {.label = label}, .y = {.label = "Density"}};
    };
    Panel means = panel("Means", "Weight");
    if (value.pruning.rule.on()) {
        means.series.push_back(bars_of(value.means, "all", {Tone::Kind::muted}, 0.4));
        means.series.push_back(bars_of(value.kept_means, "kept after pruning " + share_text(value.pruning.rule.share),
                                       {Tone::Kind::posterior}));
    } else
        means.series.push_back(bars_of(value.means, "", {Tone::Kind::posterior}));
    chart.panels.push_back(std::move(means));
    if (value.draw) {
        Panel draw = panel("One sample", "Weight");
        draw.series.push_back(bars_of(*value.draw, "", category(2)));
        // Means and sample are compared, so they share a range.
        const auto end = [](const Histogram& h) { return h.first + h.width * static_cast<double>(h.counts.size()); };
        const Range both{std::min(value.means.first, value.draw->first), std::max(end(value.means), end(*value.draw))};
        chart.panels.front().x.range = both;
        draw.x.range                 = both;
        chart.panels.push_back(std::move(draw));
    }
    if (value.sds) {
        chart.panels.push_back(panel("Standard deviations", "Standard deviation σ"));
        chart.panels.back().series.push_back(bars_of(*value.sds, "", category(1)));
    }
    chart.columns = static_cast<int>(chart.panels.size());
    chart.caption = "Histograms over all " + std::to_string(value.n) + " weights and biases"
                    + (value.sds ? "." : "; none of them has a spread.");
    if (value.pruning.rule.on())
        chart.caption += " Pruned, " + std::to_string(value.pruning.n_removed)
                         + " of them are 0: " + words_of(value.pruning.rule)
                         + (value.pruning.cut && std::isfinite(*value.pruning.cut)
                                ? " (|μ|/σ up to " + number_text(*value.pruning.cut, 3) + ")."
                                : ".");
    return chart;
}

SignalToNoise signal_to_noise_figure(std::span<const float> mean, std::span<const float> sd, const Pruning& pruning)
{
    SignalToNoise out;
    out.n      = mean.size();
    out.pruned = pruning.rule;
    std::vector<double> decibel;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double ratio = signal_to_noise(mean[i], sd[i]);
        if (ratio == 0)
            ++out.at_zero;
        else if (std::isfinite(ratio))
            decibel.push_back(10 * std::log10(ratio));
    }
    if (decibel.empty())
        return out;
    out.density = kernel_density(decibel);
    std::sort(decibel.begin(), decibel.end());
    // At most 512 steps of the distribution function, including both ends.
    const std::size_t m = std::min<std::size_t>(512, decibel.size());
    for (std::size_t j = 0; j < m; ++j) {
        const std::size_t i = m == 1 ? 0 : j * (decibel.size() - 1) / (m - 1);
        out.x.push_back(decibel[i]);
        out.cdf.push_back(static_cast<double>(out.at_zero + i + 1) / static_cast<double>(out.n));
    }
    if (pruning.cut && *pruning.cut > 0 && std::isfinite(*pruning.cut))
        out.cut = 10 * std::log10(*pruning.cut);
    return out;
}

Chart to_chart(const SignalToNoise& value)
{
    Chart chart{.id = "signal_to_noise", .title = "Signal-to-noise ratio", .columns = 2};
    if (value.x.empty()) {
        chart.message =
            "The weights of this posterior have no spread, so they have no signal-to-noise ratio. Choose mean "
            "field, one τ per block, or tridiagonal.";
        return chart;
    }
    const Tone tone{Tone::Kind::posterior};
    Panel density{.title = "Density", .x = {.label = "|μ|/σ", .unit = "dB"}, .y = {.label = "Density", .unit = "1/dB"}};
    Panel cdf{.title = "Distribution function",
              .x     = {.label = "|μ|/σ", .unit = "dB"},
              .y     = {.label = "Share of weights", .range = Range{0, 1}}};
    density.series.push_back(Line{.x = value.density.x, .y = value.density.density, .tone = tone});
    cdf.series.push_back(Line{.x = value.x, .y = value.cdf, .tone = tone, .steps = true});
    if (value.cut)
        for (auto* panel : {&density, &cdf})
            panel->series.push_back(Rule{.direction = Rule::Direction::vertical,
                                         .at        = *value.cut,
                                         .label     = share_text(value.pruned.share) + " pruned",
                                         .tone      = {Tone::Kind::accent}});
    const double margin = value.density.x.empty() ? 1 : 0;
    const Range range   = value.density.x.empty() ? Range{value.x.front() - margin, value.x.back() + margin}
                                                  : Range{value.density.x.front(), value.density.x.back()};
    density.x.range = cdf.x.range = range;
    chart.panels                  = {std::move(density), std::move(cdf)};
    chart.caption = "Signal-to-noise ratio 10 log10(|μ|/σ) of " + std::to_string(value.n) + " weights.";
    if (value.pruned.on())
        chart.caption += " Pruned: " + words_of(value.pruned) + ".";
    if (value.at_zero)
        chart.caption += " " + std::to_string(value.at_zero) + " with mean 0 have no finite dB.";
    return chart;
}

Chart to_chart(const OneWeight& value)
{
    Chart chart{.id = "one_weight", .title = "One weight"};
    const double prior_width  = std::holds_alternative<GaussianPrior>(value.prior)
                                    ? std::get<GaussianPrior>(value.prior).sd
                                    : std::get<ScaleMixturePrior>(value.prior).sigma_wide;
    const double prior_centre = std::holds_alternative<GaussianPrior>(value.prior)
                                    ? std::get<GaussianPrior>(value.prior).mean
                                    : 0;
    const Range range{std::min(prior_centre - 3 * prior_width, value.mean - 4 * value.sd),
                      std::max(prior_centre + 3 * prior_width, value.mean + 4 * value.sd)};
    std::vector<double> x;
    const auto add_grid = [&x](double centre, double half, int steps) {
        for (int i = -steps; i <= steps; ++i)
            x.push_back(centre + half * i / steps);
    };
    add_grid((range.first + range.second) / 2, (range.second - range.first) / 2, 200);
    if (value.sd > 0)
        add_grid(value.mean, 5 * value.sd, 100);
    if (const auto* mixture = std::get_if<ScaleMixturePrior>(&value.prior))
        add_grid(0, 5 * mixture->sigma_narrow, 100);   // its narrow part is a spike
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    std::erase_if(x, [&](double t) { return t < range.first || t > range.second; });

    Line prior{.name = "Prior", .x = x, .tone = {Tone::Kind::prior}, .style = LineStyle::dashed},
        posterior{.name = "Posterior", .x = x, .tone = {Tone::Kind::posterior}, .width = 2};
    for (const double t : x) {
        prior.y.push_back(std::exp(log_density(value.prior, t)));
        if (value.sd > 0)
            posterior.y.push_back(normal_density(t, value.mean, value.sd));
    }
    Panel panel{.title = value.block + ", weight " + std::to_string(value.index),
                .x     = {.label = "Weight", .range = range},
                .y     = {.label = "Density"}};
    panel.series.push_back(std::move(prior));
    if (value.sd > 0)
        panel.series.push_back(std::move(posterior));
    else
        panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                    .at        = value.mean,
                                    .label     = "its value, no spread",
                                    .tone      = {Tone::Kind::posterior},
                                    .style     = LineStyle::solid});
    chart.panels.push_back(std::move(panel));
    chart.table   = Table{.columns = {{"Weight"}, {"Block"}, {"Mean", "", 6}, {"σ", "", 6}, {"|μ|/σ"}},
                          .rows    = {{static_cast<long>(value.index), value.block, value.mean, value.sd,
                                       signal_to_noise(value.mean, value.sd)}}};
    chart.caption = "Weight " + std::to_string(value.index) + " (" + value.block + "): "
                    + (value.sd > 0
                           ? "posterior N(" + number_text(value.mean, 4) + ", " + number_text(value.sd, 4) + "²)"
                           : "one value, " + number_text(value.mean, 4)
                                 + ", because this posterior gives it no spread,")
                    + " over its prior.";
    return chart;
}

Chart overlay_of_weights(std::span<const WeightsOfRun> runs)
{
    Chart chart{.id = "weights", .title = "Weights of several runs"};
    if (runs.empty()) {
        chart.message = "No run is selected. Tick the runs to overlay.";
        return chart;
    }
    Panel panel{.title = "", .x = {.label = "Weight"}, .y = {.label = "Density"}};
    Table table{
        .columns = {{"Run"}, {"Weights"}, {"Removed"}, {"Root mean square"}, {"0.05 % quantile"}, {"99.95 % quantile"}},
        .rows    = {}};
    std::optional<Range> shown;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& run = runs[r];
        auto values     = run.values;
        std::sort(values.begin(), values.end());
        const auto n = static_cast<long>(run.values.size()), removed = static_cast<long>(run.n_removed);
        if (values.empty()) {
            table.rows.push_back({run.name, n, removed, std::string(), std::string(), std::string()});
            continue;
        }
        const Range range{quantile_of_sorted(values, tail_of_weights), quantile_of_sorted(values, 1 - tail_of_weights)};
        table.rows.push_back({run.name, n, removed, mean_square_root(values), range.first, range.second});
        const auto curve = kernel_density(values);
        if (curve.x.empty())   // all weights are equal
            continue;
        shown = shown ? Range{std::min(shown->first, range.first), std::max(shown->second, range.second)} : range;
        panel.series.push_back(Line{.name  = run.name + (run.drawn ? " (one sample)" : ""),
                                    .x     = curve.x,
                                    .y     = curve.density,
                                    .tone  = category(static_cast<int>(r)),
                                    .style = static_cast<LineStyle>(r % 3),
                                    .width = 2});
    }
    if (panel.series.empty()) {
        chart.message = "No weights are left. Prune fewer of them.";
        return chart;
    }
    panel.x.range = shown;
    chart.panels.push_back(std::move(panel));
    chart.table = std::move(table);
    chart.caption =
        "Densities of all weights and biases of " + std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs")
        + ", by a Gaussian kernel with Silverman's bandwidth; one sample where the weights vary. Pruned weights are "
          "not included.";
    return chart;
}

}   // namespace credence

namespace credence::view_support {

Moments moments_of(const Posterior& posterior)
{
    const std::size_t n = posterior.layout().size();
    Moments out{std::vector<float>(n), std::vector<float>(n)};
    posterior.moments(out.mean, out.sd);
    if (!posterior.has_weight_noise())
        std::fill(out.sd.begin(), out.sd.end(), 0.0f);
    return out;
}

std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed)
{
    if (!posterior.has_weight_noise())
        return {};
    auto draw = posterior.make_draw();
    posterior.draw({seed, Stream::figures, 0}, draw);
    return {draw.weights.begin(), draw.weights.end()};
}

WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name)
{
    const auto moments = moments_of(posterior);
    const auto pruning = prune(rule, posterior.layout(), moments.mean, moments.sd);
    const auto draw    = one_draw(posterior, seed);
    WeightsOfRun of{
        .name = std::move(name), .drawn = !draw.empty(), .n_removed = pruning.n_removed, .removed_by = pruning.rule};
    const auto& weights = of.drawn ? draw : moments.mean;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (!pruning.removed[i])
            of.values.push_back(static_cast<double>(weights[i]));
    return of;
}

}   // namespace credence::view_support

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_weights(const RunSnapshot& snapshot, const ViewOptions& options, const std::stop_token&)
{
    const auto& posterior = *snapshot.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    return with_setting(
        to_chart(weight_histograms(moments.mean, moments.sd, one_draw(posterior, snapshot.experiment->study.seed),
                                   prune(options.prune, posterior.layout(), moments.mean, moments.sd))),
        snapshot);
}

/// The weights of several runs in one panel: Blundell et al. 2015, Fig. 3.
std::optional<Chart> overlay_weights(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                     const std::stop_token& stop)
{
    const auto names = names_of(runs);
    std::vector<WeightsOfRun> all;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (stop.stop_requested())
            return {};
        all.push_back(
            weights_of_run(*runs[r].snapshot->posterior, runs[r].experiment->study.seed, options.prune, names[r]));
        const auto& rule = all.back().removed_by;
        settings.push_back(setting_of(runs[r]) + (rule.on() ? " Pruned: " + words_of(rule) + "." : ""));
    }
    Chart chart = overlay_of_weights(all);
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View weights_view()
{
    return {
        .id    = "weights",
        .title = "Weights",
        .group = ViewGroup::weights,
        .help =
            "Histograms over all weights: their means, one posterior sample, and their standard deviations (bins by "
            "Freedman and Diaconis). The sample spreads wider than the means; the difference is the uncertainty. "
            "During pruning the grey bars show all weights and the coloured bars the remaining ones; the sample and "
            "the standard deviations are of the whole posterior. Several runs at once: the density of the weights of "
            "each run, one sample where they vary, in one panel. Training by dropout or by Bayes by Backprop spreads "
            "them wider than plain gradient descent. Source: Blundell et al. 2015, Fig. 3 and Table 2.",
        .cost              = Cost::quick,
        .when_pruned       = WhenPruned::shows,
        .many_targets      = ManyTargets::all,
        .make              = make_weights,
        .compare           = overlay_weights,
        .compares_any_data = true};
}

}   // namespace credence
