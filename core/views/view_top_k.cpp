// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "charts/number_text.h"
#include "figures/beta_marginals.h"
#include "figures/list_lengths.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "outputs/bridge_of_file.h"
#include "prediction/linearised_logits.h"
#include "prediction/logit_draws.h"

#include <algorithm>

// Uncertainty-aware top-k by the Laplace Bridge: of the chosen input, and over the whole test set.
namespace credence::view_makers {

using namespace view_support;

namespace {

constexpr std::size_t block_numbers = std::size_t{1} << 22;   // logits that are held at a time: draws × rows × classes

constexpr std::size_t most_rows_at_once = 2048;   // weights are drawn anew for each block

std::string bridge_text(const RunMoment& moment, const ViewOptions& options)
{
    return std::string(logits_by(moment, options) == LogitsBy::linearisation ? " Logits by linearisation"
                                                                             : " Logits by moments of draws")
           + "; Laplace Bridge: " + name(options.bridge_variant) + ".";
}

/// The Dirichlets of some rows. Empty if stopped.
std::vector<Dirichlet> dirichlets(const RunMoment& moment, const ViewOptions& options, std::span<const float> inputs,
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
    const auto samples = sample_logits(model_of_weight_draws(experiment), posterior, inputs, static_cast<int>(n), draws,
                                       experiment.study.seed, stop);
    if (stop.stop_requested())
        return {};
    for (const auto& logits : logits_by_moments(samples))
        out.push_back(bridged(logits, options.bridge_variant));
    return out;
}

}   // namespace

Chart beta_marginals_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const char *const id = "beta_marginals", *const title = "Beta marginals";
    if (!gives_logits(moment))
        return {.id = id, .title = title, .message = why_no_logits(moment)};
    const auto input  = chosen_input(moment, options);
    const auto logits = chosen_logits(moment, options, logits_by(moment, options), stop);
    if (!logits)
        return stopped(id, title);
    Chart chart = to_chart(beta_marginals(bridged(*logits, options.bridge_variant),
                                          moment.experiment->data->training.class_names, options.top_k_threshold, 6,
                                          input.label));
    chart.caption += " Input: " + input.name + "." + bridge_text(moment, options);
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

Chart list_lengths_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const char *const id = "list_lengths", *const title = "List lengths";
    if (!gives_logits(moment))
        return {.id = id, .title = title, .message = why_no_logits(moment)};
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
                       .rows      = "rows of the " + set.name};
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
            return stopped(id, title);
        std::vector<std::vector<int>> lists(here);
        parallel_chunks(here, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
                lists[i] = uncertain_top_k_list(laws[i], options.top_k_threshold);
        });
        if (stop.stop_requested())
            return stopped(id, title);
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
        chart.caption += " " + std::to_string(n) + " of " + std::to_string(all) + " rows, evenly over the set.";
    chart.caption += bridge_text(moment, options);
    return with_setting(std::move(chart), moment, draws);
}

}   // namespace credence::view_makers
