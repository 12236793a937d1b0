// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/regression_rows.h"

#include "data/dataset.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "runs/result_cache.h"
#include "views/run_summary.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

std::shared_ptr<const RegressionRows> predicted_rows(const RunSnapshot& run, const ViewOptions& options, int n_samples,
                                                     std::size_t most, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = view_support::scored_set(experiment);
    RegressionRows out{.level     = experiment.study.prediction.level,
                       .n_samples = n_samples,
                       .n_all     = set.data->n_rows,
                       .name      = set.name,
                       .target    = set.data->target_name};
    const auto rows = evenly_spaced(set.data->n_rows, most);
    const auto add  = [&](const RegressionSamples& samples, std::size_t first) {
        std::vector<std::uint32_t> numbers;
        std::vector<double> targets;
        for (std::size_t i = first; i < first + static_cast<std::size_t>(samples.n_inputs); ++i) {
            numbers.push_back(static_cast<std::uint32_t>(rows[i]));
            targets.push_back(set.data->targets[rows[i]]);
        }
        append(out, samples, numbers, targets);
    };
    constexpr std::size_t at_once = 250;
    if (!stream_numbers(run, options, set.inputs, rows, stop, add, at_once))
        return nullptr;
    return std::make_shared<const RegressionRows>(std::move(out));
}

}   // namespace

long RegressionRows::n_inside() const
{
    long count = 0;
    for (std::size_t i = 0; i < n(); ++i)
        count += inside(i) ? 1 : 0;
    return count;
}

void append(RegressionRows& to, const RegressionSamples& samples, std::span<const std::uint32_t> rows,
            std::span<const double> targets)
{
    const std::size_t before = to.n(), n = rows.size();
    const auto S = static_cast<std::size_t>(samples.n_samples);
    to.rows.insert(to.rows.end(), rows.begin(), rows.end());
    to.observed.insert(to.observed.end(), targets.begin(), targets.end());
    for (auto* each : {&to.mean, &to.sd, &to.function_sd, &to.lower, &to.upper, &to.pit, &to.crps})
        each->resize(before + n);
    parallel_chunks(n, 16, [&](std::size_t begin, std::size_t end) {
        std::vector<double> f(S), s(S);
        for (std::size_t i = begin; i < end; ++i) {
            double mean = 0, between = 0, noise = 0;   // variances
            for (std::size_t k = 0; k < S; ++k) {
                f[k] = samples.f[k * n + i];
                s[k] = samples.s[k * n + i];
                mean += f[k] / static_cast<double>(S);
            }
            for (std::size_t k = 0; k < S; ++k) {
                between += (f[k] - mean) * (f[k] - mean) / static_cast<double>(S);
                noise += s[k] * s[k] / static_cast<double>(S);
            }
            to.mean[before + i]        = mean;
            to.sd[before + i]          = std::sqrt(between + noise);
            to.function_sd[before + i] = std::sqrt(between);
            if (!samples.moments.empty()) {
                const auto moments         = samples.moments[i];
                to.mean[before + i]        = moments.mean;
                to.sd[before + i]          = moments.sd;
                to.function_sd[before + i] = std::sqrt(between / (between + noise)) * moments.sd;
            }
            to.pit[before + i]   = std::clamp(samples.noise->mixture_cdf(f, s, to.observed[before + i]), 0.0, 1.0);
            to.crps[before + i]  = samples.noise->mixture_crps(f, s, to.observed[before + i]);
            to.lower[before + i] = mixture_quantile(*samples.noise, f, s, (1 - to.level) / 2);
            to.upper[before + i] = mixture_quantile(*samples.noise, f, s, (1 + to.level) / 2);
        }
    });
}

std::shared_ptr<const RegressionRows> regression_rows(const RunSnapshot& run, const ViewOptions& options,
                                                      const std::stop_token& stop, std::size_t most)
{
    static ResultCache<SnapshotKey<int, std::size_t>, RegressionRows> memory(6);   // by samples and rows
    const int n_samples = view_support::predictive_of(run, options).n_samples();
    most                = std::min(most, view_support::scored_set(*run.experiment).data->n_rows);
    if (options.rows > 0)
        most = std::min(most, static_cast<std::size_t>(options.rows));
    return memory.find_or_make({run, n_samples, most}, stop,
                               [&] { return predicted_rows(run, options, n_samples, most, stop); });
}

Chart on_rows(Chart chart, const RunSnapshot& run, const RegressionRows& rows)
{
    chart.caption += " Rows: the " + rows.name;
    if (rows.n() < rows.n_all)
        chart.caption += ", " + grouped_text(static_cast<long>(rows.n())) + " of "
                         + grouped_text(static_cast<long>(rows.n_all)) + ", evenly spaced";
    chart.caption += ".";
    return view_support::with_setting(std::move(chart), run, rows.n_samples);
}

namespace {

std::string tenths_of_percent(double share) { return fixed_text(100 * share, 1) + " %"; }

}   // namespace

std::string words_of_coverage(const RegressionRows& rows)
{
    return std::to_string(rows.n_inside()) + " of " + std::to_string(rows.n()) + " rows inside, "
           + tenths_of_percent(static_cast<double>(rows.n_inside()) / static_cast<double>(rows.n()));
}

std::string sentence_of_coverage(const RegressionRows& rows)
{
    const Range range = share_interval(rows.n_inside(), static_cast<long>(rows.n()));
    return std::to_string(rows.n_inside()) + " of " + std::to_string(rows.n()) + " rows ("
           + tenths_of_percent(static_cast<double>(rows.n_inside()) / static_cast<double>(rows.n()))
           + ") are inside their " + percent_text(rows.level) + " interval; exact 95 % interval of that share: "
           + tenths_of_percent(range.first) + " to " + tenths_of_percent(range.second) + ".";
}

}   // namespace credence
