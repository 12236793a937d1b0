// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"
#include "views/reasons.h"
#include "views/view_support.h"

#include "figures/list_lengths.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "outputs/bridge_of_file.h"
#include "posterior/outputs_posterior.h"
#include "prediction/linearised_logits.h"
#include "prediction/logit_draws.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t block_numbers = std::size_t{1} << 22;   // logits in memory at a time: draws × rows × classes

constexpr std::size_t most_rows_at_once = 2048;   // weights are sampled anew for each block

/// The Dirichlets of the given rows. Empty if stopped.
std::vector<Dirichlet> dirichlets(const RunSnapshot& moment, const ViewOptions& options, std::span<const float> inputs,
                                  std::size_t n, int draws, const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto& posterior  = *moment.snapshot->posterior;
    std::vector<Dirichlet> out;
    if (logits_by(moment, options) == LogitsBy::linearisation) {
        const auto moments = linearised_moments(experiment.model, posterior, inputs, static_cast<int>(n), stop);
        if (stop.stop_requested())
            return {};
        const auto K = static_cast<std::size_t>(moments.K);
        for (std::size_t i = 0; i < n; ++i) {
            const auto part = [&](const std::vector<float>& values) {
                return std::vector<double>(&values[i * K], &values[i * K] + K);
            };
            out.push_back(bridge(corrected(part(moments.mu), part(moments.variance), part(moments.row_sum),
                                           options.bridge_variant))
                              .dirichlet());
        }
        return out;
    }
    if (const auto* known = known_gaussians(moment)) {
        for (const auto row : rows_named(inputs, *known))
            if (!stop.stop_requested())
                out.push_back(bridged(known->gaussian(row).value(), options.bridge_variant));
        return stop.stop_requested() ? std::vector<Dirichlet>() : out;
    }
    if (const auto* at_hand = outputs_of(posterior)) {   // for 1,000 classes a covariance would cost 1,000 times as
                                                         // much
        const auto samples = samples_at_hand(*at_hand, RowOutputs::Kind::logits, inputs, draws, stop);
        std::vector<LogitSpread> moments(static_cast<std::size_t>(samples.n_inputs));
        parallel_chunks(moments.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                moments[i] = spread_of_draws(samples, static_cast<int>(i), added_variance(experiment));
        });
        for (auto& of_row : moments)
            out.push_back(bridge(corrected(std::move(of_row.mu), std::move(of_row.variance), of_row.row_sums,
                                           options.bridge_variant))
                              .dirichlet());
        return out;
    }
    const auto samples = sample_logits(model_of_weight_draws(experiment), posterior, inputs, static_cast<int>(n), draws,
                                       experiment.study.seed, stop);
    if (stop.stop_requested())
        return {};
    for (const auto& logits : logits_by_moments(samples, added_variance(experiment)))
        out.push_back(bridged(logits, options.bridge_variant));
    return out;
}

std::optional<Chart> make_list_lengths(const RunSnapshot& moment, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    if (!gives_logits(moment))
        throw Error(why_no_logits(moment));
    const auto& experiment = *moment.experiment;
    const auto set         = scored_set(experiment);
    const auto K = experiment.data->training.class_names.size(), d = experiment.data->training.n_features,
               all          = set.inputs.size() / d;
    const int draws         = std::max(2, predictive_of(moment, options).n_samples());
    const std::size_t n     = options.rows > 0 ? std::min(all, static_cast<std::size_t>(options.rows)) : all;
    const std::size_t block = std::clamp<std::size_t>(block_numbers / (static_cast<std::size_t>(draws) * K), 1,
                                                      most_rows_at_once);
    ListLengths figure{.counts    = {},
                       .threshold = options.top_k_threshold,
                       .n_classes = static_cast<int>(K),
                       .top_1     = {},
                       .top_k     = {},
                       .rows      = "rows of the " + set.name,
                       .longest   = options.top_k_longest};
    long right = 0, listed = 0;
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t here = std::min(block, n - first);
        std::vector<float> inputs;
        std::vector<std::size_t> rows;
        for (std::size_t i = first; i < first + here; ++i) {
            rows.push_back(i * all / n);
            inputs.insert(inputs.end(), set.inputs.begin() + static_cast<std::ptrdiff_t>(rows.back() * d),
                          set.inputs.begin() + static_cast<std::ptrdiff_t>((rows.back() + 1) * d));
        }
        const auto laws = dirichlets(moment, options, inputs, here, draws, stop);
        if (laws.empty())
            return {};
        std::vector<std::vector<int>> lists(here);
        parallel_chunks(here, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
                lists[i] = uncertain_top_k_list(laws[i], options.top_k_threshold, options.top_k_longest);
        });
        if (stop.stop_requested())
            return {};
        for (std::size_t i = 0; i < here; ++i) {
            const auto& list = lists[i];
            const int label  = set.data->labels[rows[i]];
            figure.counts.resize(std::max(figure.counts.size(), list.size() + 1), 0);
            ++figure.counts[list.size()];
            right += list.front() == label;
            listed += std::find(list.begin(), list.end(), label) != list.end();
        }
    }
    figure.top_1 = static_cast<double>(right) / static_cast<double>(n);
    figure.top_k = static_cast<double>(listed) / static_cast<double>(n);
    Chart chart  = to_chart(figure);
    if (n < all)
        chart.caption += " " + std::to_string(n) + " of " + std::to_string(all) + " rows, evenly spaced over the set.";
    chart.caption += bridge_text(moment, options);
    return with_setting(std::move(chart), moment, draws);
}

}   // namespace

View list_lengths_view()
{
    return {
        .id    = "list_lengths",
        .title = "List lengths",
        .help =
            "How many classes the uncertainty-aware top-k keeps for each test row (see Beta marginals), at threshold "
            "T. Short lists that contain the true class are good; the mean length is the price for the accuracy "
            "gained over the single best class. A list has at least one class, and at most the maximum length if you "
            "set one (10 in Hobbhahn 2020, appendix D; no limit by default). Source: Hobbhahn 2020, section 5.5 and "
            "Fig. 5.6.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_varying_classes,
        .make    = make_list_lengths};
}

}   // namespace credence
