// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/psis_loo.h"

#include "foundation/error.h"
#include "foundation/softmax.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace credence {

double ParetoFit::quantile(double p) const
{
    return k == 0 ? -sigma * std::log1p(-p) : sigma * std::expm1(-k * std::log1p(-p)) / k;
}

ParetoFit fit_generalised_pareto(std::span<const double> sorted)
{
    const std::size_t n = sorted.size();
    if (n < 5 || !(sorted.back() > 0))
        throw Error("Generalised Pareto fit: expected at least 5 exceedances and a positive one.");
    const double count    = static_cast<double>(n);
    const auto mean_log1p = [&](double theta) {
        double sum = 0;
        for (const double x : sorted)
            sum += std::log1p(-theta * x);
        return sum / count;
    };
    std::size_t quarter = static_cast<std::size_t>(std::floor(count / 4 + 0.5)) - 1;
    while (!(sorted[quarter] > 0))   // chains repeat draws, so that exceedances can be 0
        ++quarter;
    const int points = 30 + static_cast<int>(std::floor(std::sqrt(count)));
    std::vector<double> theta, weight;
    for (int j = 1; j <= points; ++j) {
        const double at = 1 / sorted.back() + (1 - std::sqrt(points / (j - 0.5))) / (3 * sorted[quarter]);
        const double k  = mean_log1p(at);
        theta.push_back(at);
        weight.push_back(count * (std::log(-at / k) - k - 1));   // profile log likelihood
    }
    const double total = log_sum_exp(weight);
    double mean        = 0;
    for (int j = 0; j < points; ++j)
        mean += theta[static_cast<std::size_t>(j)] * std::exp(weight[static_cast<std::size_t>(j)] - total);
    const double k = mean_log1p(mean);
    return {(count * k + 5) / (count + 10), -k / mean};
}

int pareto_tail(int n_samples)
{
    return static_cast<int>(std::ceil(std::min(0.2 * n_samples, 3 * std::sqrt(static_cast<double>(n_samples)))));
}

SmoothedWeights pareto_smoothed(std::span<const double> log_ratios)
{
    require_finite("Pareto smoothing: log ratio", log_ratios);
    const std::size_t S = log_ratios.size();
    const auto tail     = static_cast<std::size_t>(pareto_tail(static_cast<int>(S)));
    SmoothedWeights out{.log = {log_ratios.begin(), log_ratios.end()}};
    if (S == 0)
        return out;
    const double top = *std::max_element(log_ratios.begin(), log_ratios.end());
    for (double& l : out.log)
        l -= top;
    if (tail < 5)
        out.pareto_k = std::numeric_limits<double>::infinity();
    else {
        std::vector<std::size_t> order(S);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return out.log[a] < out.log[b]; });
        const auto largest   = std::span(order).last(tail);
        const double cut_off = std::exp(out.log[order[S - tail - 1]]);
        std::vector<double> exceedances;
        for (const std::size_t s : largest)
            exceedances.push_back(std::exp(out.log[s]) - cut_off);
        if (out.log[largest.back()] - out.log[largest.front()] > std::numeric_limits<double>::epsilon()) {
            const auto fit = fit_generalised_pareto(exceedances);
            out.pareto_k   = std::isfinite(fit.k) ? fit.k : std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < tail && std::isfinite(fit.k); ++j)
                out.log[largest[j]] = std::min(
                    0.0, std::log(fit.quantile((static_cast<double>(j) + 0.5) / static_cast<double>(tail)) + cut_off));
        }
    }
    const double total = log_sum_exp(out.log);
    for (double& l : out.log)
        l -= total;
    return out;
}

double reliable_pareto_k(int n_samples) { return std::min(1 - 1 / std::log10(static_cast<double>(n_samples)), 0.7); }

LooRow psis_loo(std::span<const double> log_likelihood)
{
    std::vector<double> values(log_likelihood.size());
    std::transform(log_likelihood.begin(), log_likelihood.end(), values.begin(), [](double l) { return -l; });
    const auto weights = pareto_smoothed(values);
    LooRow row{.elpd     = 0,
               .lpd      = log_sum_exp(log_likelihood) - std::log(static_cast<double>(log_likelihood.size())),
               .pareto_k = weights.pareto_k};
    for (std::size_t s = 0; s < values.size(); ++s)
        values[s] = weights.log[s] + log_likelihood[s];
    row.elpd = log_sum_exp(values);
    return row;
}

LooSummary loo_summary(std::span<const LooRow> rows)
{
    LooSummary out;
    const double n = static_cast<double>(rows.size());
    for (const auto& row : rows) {
        out.elpd += row.elpd;
        out.p_loo += row.lpd - row.elpd;
        out.over_limit += row.pareto_k > 0.7 ? 1 : 0;
    }
    double squares = 0;
    for (const auto& row : rows)
        squares += (row.elpd - out.elpd / n) * (row.elpd - out.elpd / n);
    if (rows.size() > 1)
        out.standard_error = std::sqrt(n * squares / (n - 1));
    return out;
}

}   // namespace credence
