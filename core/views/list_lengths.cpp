// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "outputs/bridge_of_file.h"
#include "posterior/outputs_posterior.h"
#include "prediction/linearised_logits.h"
#include "prediction/logit_samples.h"
#include "views/chosen_logits.h"
#include "views/view_support.h"

#include <algorithm>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_bars       = 40;   // longer lists share bars
constexpr std::size_t most_table_rows = 12;   // of the table next to them; the data of the bars have more

constexpr std::size_t block_numbers = std::size_t{1} << 22;   // logits in memory at a time: draws × rows × classes

constexpr std::size_t most_rows_at_once = 2048;   // weights are sampled anew for each block

/// The Dirichlets of the given rows. Empty if stopped.
std::vector<Dirichlet> dirichlets(const RunSnapshot& run, const ViewOptions& options, std::span<const float> inputs,
                                  std::size_t n, int draws, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& posterior  = *run.snapshot->posterior;
    std::vector<Dirichlet> out;
    if (logits_by(run, options) == LogitsBy::linearisation) {
        const auto moments = linearised_moments(experiment.model, posterior, inputs, static_cast<int>(n), stop);
        if (stop.stop_requested())
            return {};
        const auto K = static_cast<std::size_t>(moments.K);
        for (std::size_t i = 0; i < n; ++i) {
            const auto part = [&](const std::vector<float>& values) {
                return std::vector<double>(&values[i * K], &values[i * K] + K);
            };
            out.push_back(bridge(corrected(part(moments.mu), part(moments.variance), part(moments.row_sum),
                                           options.simplex.density.variant))
                              .dirichlet());
        }
        return out;
    }
    if (const auto* known = known_gaussians(run)) {
        for (const auto row : rows_named(inputs, *known))
            if (!stop.stop_requested())
                out.push_back(bridged(known->gaussian(row).value(), options.simplex.density.variant));
        return stop.stop_requested() ? std::vector<Dirichlet>() : out;
    }
    if (const auto* imported = outputs_of(posterior)) {   // for 1,000 classes a covariance would cost 1,000 times as
                                                          // much
        const auto samples = read_stored_samples(*imported, RowOutputs::Kind::logits, inputs, draws, stop);
        std::vector<LogitSpread> moments(static_cast<std::size_t>(samples.n_inputs));
        parallel_chunks(moments.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                moments[i] = spread_of_samples(samples, static_cast<int>(i), added_variance(experiment));
        });
        for (auto& of_row : moments)
            out.push_back(bridge(corrected(std::move(of_row.mu), std::move(of_row.variance), of_row.row_sums,
                                           options.simplex.density.variant))
                              .dirichlet());
        return out;
    }
    const auto samples = sample_logits(model_of_weight_draws(experiment), posterior, inputs, static_cast<int>(n), draws,
                                       experiment.study.seed, stop);
    if (stop.stop_requested())
        return {};
    for (const auto& logits : logits_by_moments(samples, added_variance(experiment)))
        out.push_back(bridged(logits, options.simplex.density.variant));
    return out;
}

std::optional<Chart> make_list_lengths(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (!gives_logits(run))
        throw Error(why_no_logits(run));
    const auto& experiment = *run.experiment;
    const auto set         = scored_set(experiment);
    const auto K = experiment.data->training.class_names.size(), d = experiment.data->training.n_features,
               all          = set.inputs.size() / d;
    const int draws         = std::max(2, predictive_of(run, options).n_samples());
    const auto all_rows     = evenly_spaced(all, options.rows > 0 ? static_cast<std::size_t>(options.rows) : all);
    const std::size_t n     = all_rows.size();
    const std::size_t block = std::clamp<std::size_t>(block_numbers / (static_cast<std::size_t>(draws) * K), 1,
                                                      most_rows_at_once);
    ListLengths figure{.counts    = {},
                       .threshold = options.top_k.threshold,
                       .n_classes = static_cast<int>(K),
                       .top_1     = {},
                       .top_k     = {},
                       .rows      = "rows of the " + set.name,
                       .longest   = options.top_k.longest};
    long right = 0, listed = 0;
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t here = std::min(block, n - first);
        std::vector<float> inputs;
        std::vector<std::size_t> rows;
        for (std::size_t i = first; i < first + here; ++i) {
            rows.push_back(all_rows[i]);
            inputs.insert(inputs.end(), set.inputs.begin() + static_cast<std::ptrdiff_t>(rows.back() * d),
                          set.inputs.begin() + static_cast<std::ptrdiff_t>((rows.back() + 1) * d));
        }
        const auto distributions = dirichlets(run, options, inputs, here, draws, stop);
        if (distributions.empty())
            return {};
        std::vector<std::vector<int>> lists(here);
        parallel_chunks(here, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
                lists[i] = uncertain_top_k_list(distributions[i], options.top_k.threshold, options.top_k.longest);
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
    chart.caption += bridge_text(run, options);
    return with_setting(std::move(chart), run, draws);
}

}   // namespace

long ListLengths::total() const { return std::accumulate(counts.begin(), counts.end(), 0L); }

double ListLengths::mean() const
{
    double sum = 0;
    for (std::size_t l = 0; l < counts.size(); ++l)
        sum += static_cast<double>(l) * static_cast<double>(counts[l]);
    return total() ? sum / static_cast<double>(total()) : 0;
}

Chart to_chart(const ListLengths& value)
{
    Chart chart{.id = "list_lengths", .title = "List lengths"};
    const long total = value.total();
    if (total == 0) {
        chart.message = "There are no lists to count.";
        return chart;
    }
    const std::size_t longest = value.counts.size() - 1, a_bar = (longest + most_bars - 1) / most_bars;
    Bars bars{.name = "", .width = 0.85 * static_cast<double>(a_bar), .tone = {Tone::Kind::posterior}, .opacity = 0.7};
    Table table{.columns = {{"Length", "classes"}, {"Rows"}, {"Share", "", 4}}, .rows = {}};
    for (std::size_t from = 1; from <= longest; from += a_bar) {
        long count = 0;
        for (std::size_t l = from; l < std::min(from + a_bar, longest + 1); ++l)
            count += value.counts[l];
        bars.position.push_back(static_cast<double>(from) + 0.5 * static_cast<double>(a_bar - 1));
        bars.height.push_back(static_cast<double>(count) / static_cast<double>(total));
    }
    for (std::size_t l = 1; l <= longest; ++l)
        if (value.counts[l] > 0)
            table.rows.push_back({static_cast<long>(l), value.counts[l],
                                  static_cast<double>(value.counts[l]) / static_cast<double>(total)});
    Panel panel{.title  = "Mean length " + fixed_text(value.mean(), 3),
                .x      = {.label = "Classes in the list"},
                .y      = {.label = "Share of rows"},
                .legend = false};
    if (value.top_1 && value.top_k)
        panel.title += ", top-1 " + fixed_text(*value.top_1, 3) + ", in the list " + fixed_text(*value.top_k, 3);
    panel.x.range = Range{0.4, std::max(4.6, static_cast<double>(longest) + 0.6 * static_cast<double>(a_bar))};
    panel.series.push_back(std::move(bars));
    chart.panels.push_back(std::move(panel));
    if (table.rows.size() <= most_table_rows)
        chart.table = std::move(table);
    chart.caption = "How many classes the uncertainty-aware top-k keeps for each of " + std::to_string(total) + " "
                    + (value.rows.empty() ? "rows" : value.rows) + ", threshold T = " + number_text(value.threshold, 4)
                    + (value.longest > 0 ? ", at most " + std::to_string(value.longest) + " of " : ", ")
                    + std::to_string(value.n_classes) + " classes"
                    + (a_bar > 1 ? "; each bar covers " + std::to_string(a_bar) + " lengths" : std::string())
                    + ". Source: Hobbhahn 2020, Algorithm 1 and Fig. 5.6.";
    if (value.top_1 && value.top_k)
        chart.caption += " The most probable class is the true one for " + fixed_text(100 * *value.top_1, 2)
                         + " %, the list contains it for " + fixed_text(100 * *value.top_k, 2) + " %.";
    return chart;
}

View list_lengths_view()
{
    return {
        .id    = "list_lengths",
        .title = "List lengths",
        .group = ViewGroup::uncertainty,
        .help =
            "How many classes the uncertainty-aware top-k keeps for each test row (see Beta marginals), at threshold "
            "T. Short lists that contain the true class are good; the mean length is the price of the accuracy gained "
            "over the single best class. A list has at least one class, and at most the maximum length if you set one "
            "(10 in Hobbhahn 2020, appendix D; no limit by default). Source: Hobbhahn 2020, section 5.5 and Fig. 5.6.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_varying_classes,
        .make    = make_list_lengths};
}

}   // namespace credence
