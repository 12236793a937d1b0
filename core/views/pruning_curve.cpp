// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pruning_scores.h"
#include "views/reasons.h"
#include "views/view_support.h"

#include "charts/shared_captions.h"
#include "figures/pruning_curve.h"
#include "foundation/progress.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr int most_draws_of_pruned = 10;   // at each published share; for a large network each takes half a second

/// Empty: stopped.
std::optional<PruningCurve::Curve> curve_at_means(const RunSnapshot& moment, PruneRule rule, const ViewOptions& options,
                                                  const std::stop_token& stop)
{
    PruningCurve::Curve curve{.name = symbol_of(rule.by), .points = {}, .drawn = {}};
    for (std::size_t i = 0; i < pruned_shares.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / pruned_shares.size(),
                                 static_cast<double>(i + 1) / pruned_shares.size());
        rule.share        = pruned_shares[i];
        const auto scores = pruned_scores(moment, rule, 0, static_cast<std::size_t>(options.rows), stop);
        if (!scores)
            return {};
        curve.points.push_back({rule.share, *scores->classes});
    }
    return curve;
}

/// Adds the scores by samples at the published shares. @return false: stopped
bool add_draws(PruningCurve::Curve& curve, const RunSnapshot& moment, PruneRule rule, const ViewOptions& options,
               const std::stop_token& stop)
{
    const int samples = options.samples > 0 ? options.samples : moment.experiment->study.prediction.samples;
    for (std::size_t i = 0; i < published_shares.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / published_shares.size(),
                                 static_cast<double>(i + 1) / published_shares.size());
        rule.share        = published_shares[i];
        const auto scores = pruned_scores(moment, rule, std::min(samples, most_draws_of_pruned),
                                          static_cast<std::size_t>(options.rows), stop);
        if (!scores)
            return false;
        curve.drawn.push_back({rule.share, *scores->classes});
        curve.n_draws = scores->n_draws;
    }
    return true;
}

PruningCurve begun(const RunSnapshot& moment, const ViewOptions& options)
{
    const auto set = scored_set(*moment.experiment);
    const auto n   = static_cast<std::size_t>(std::max(0, options.rows));
    PruningCurve out{
        .curves = {}, .rows = set.name, .per_layer = options.prune.per_layer, .biases = options.prune.biases};
    if (n > 0 && n < set.data->n_rows)
        out.rows += ", " + std::to_string(n) + " of " + std::to_string(set.data->n_rows);
    if (options.prune.on())
        out.now = options.prune.share;
    return out;
}

/// |μ|/σ first; weights without spread have only one order.
std::vector<PruneBy> orders_of(const RunSnapshot& moment)
{
    if (!moment.snapshot->posterior->has_weight_noise())
        return {PruneBy::magnitude};
    return {PruneBy::signal_to_noise, PruneBy::magnitude, PruneBy::spread};
}

std::optional<Chart> make_pruning_curve(const RunSnapshot& moment, const ViewOptions& options,
                                        const std::stop_token& stop)
{
    auto value        = begun(moment, options);
    const auto orders = orders_of(moment);
    const auto parts  = static_cast<double>(orders.size() + 1);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / parts, static_cast<double>(i + 1) / parts);
        auto rule  = options.prune;
        rule.by    = orders[i];
        auto curve = curve_at_means(moment, rule, options, stop);
        if (!curve)
            return {};
        value.curves.push_back(std::move(*curve));
    }
    if (moment.experiment->model.dropout_at_prediction || moment.snapshot->posterior->has_weight_noise()) {
        const ProgressScope part(static_cast<double>(orders.size()) / parts, 1);
        auto rule = options.prune;
        rule.by   = orders.front();
        if (!add_draws(value.curves.front(), moment, rule, options, stop))
            return {};
    }
    return with_setting(to_chart(value), moment);
}

/// Several runs, each by |μ|/σ, or by |μ| if its weights have no spread.
std::optional<Chart> compare_pruning(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                     const std::stop_token& stop)
{
    Chart refused{.id = "pruning_curve", .title = "Pruning curve"};
    if (runs.empty()) {
        refused.message = "No run is selected. Tick the runs to overlay.";
        return refused;
    }
    const auto names = names_of(runs);
    auto value       = begun(runs.front(), options);
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (const auto why = why_no_classes_to_count(*runs[r].experiment)) {
            refused.message = "Run \"" + names[r] + "\" does not fit. " + *why;
            return refused;
        }
        const ProgressScope part(static_cast<double>(r) / static_cast<double>(runs.size()),
                                 static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        auto rule  = options.prune;
        rule.by    = orders_of(runs[r]).front();
        auto curve = curve_at_means(runs[r], rule, options, stop);
        if (!curve)
            return {};
        curve->name = names[r] + ", by " + symbol_of(rule.by);
        settings.push_back(setting_of(runs[r]));
        value.curves.push_back(std::move(*curve));
    }
    Chart chart = to_chart(value);
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View pruning_curve_view()
{
    return {
        .id    = "pruning_curve",
        .title = "Pruning curve",
        .help =
            "How many weights does the network need? The share on the x axis is set to zero, and error, NLL and ECE "
            "of the remaining network are drawn for three orders: smallest |μ|/σ first, as Bayes by Backprop "
            "proposes; smallest |μ| first, which needs no posterior; and largest σ first. If the first order stays "
            "low the longest, the posterior spread identifies the weights that the network does not need. If the "
            "first two agree, magnitude alone is enough. With one τ per block σ is τ|μ|, so |μ|/σ is constant within "
            "a block and blocks are removed one after the other; use |μ| instead. Lines show the network at its mean "
            "weights, marks the mean over at most 10 weight samples. For ensembles and chains the mean weights were "
            "never trained as a network, so only the marks are meaningful. The table has the published shares: 0, "
            "50, 75, 95 and 98 %. The network is not retrained after pruning. Several runs at once: one curve each. "
            "Source: Blundell et al. 2015, section 5.1, Table 2.",
        .cost         = Cost::all_rows,
        .with_results = false,
        .when_pruned  = WhenPruned::shows,
        .why_not      = why_no_classes_to_count,
        .make         = make_pruning_curve,
        .compare      = compare_pruning};
}

}   // namespace credence
