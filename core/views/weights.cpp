// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weight_moments.h"

#include "charts/shared_captions.h"
#include "figures/weight_densities.h"
#include "figures/weights.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_weights(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token&)
{
    const auto& posterior = *moment.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    return with_setting(
        to_chart(weight_histograms(moments.mean, moments.sd, one_draw(posterior, moment.experiment->study.seed),
                                   prune(options.prune, posterior.layout(), moments.mean, moments.sd))),
        moment);
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
        .help =
            "Histograms over all weights: their means, one posterior sample, and their standard deviations (bins by "
            "Freedman and Diaconis). The sample spreads wider than the means; the difference is the uncertainty. "
            "During pruning the grey bars show all weights and the coloured bars the remaining ones; the sample and "
            "the standard deviations are of the whole posterior. Several runs at once: the density of the weights of "
            "each run, one sample where they vary, in one panel. Training by dropout or by Bayes by Backprop spreads "
            "them wider than plain gradient descent. Source: Blundell et al. 2015, Fig. 3 and Table 2.",
        .cost              = Cost::quick,
        .when_pruned       = WhenPruned::shows,
        .make              = make_weights,
        .compare           = overlay_weights,
        .compares_any_data = true};
}

}   // namespace credence
