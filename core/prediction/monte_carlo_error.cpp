// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/monte_carlo_error.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/recalibrated_noise.h"
#include "prediction/regression.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace credence {

double standard_error(std::span<const double> values, const SampleOrder& samples)
{
    const std::size_t S = values.size();
    if (S < 2)
        throw Error("Standard error: " + std::to_string(S) + " samples found, expected at least 2.");
    std::vector<double> ordered(values.begin(), values.end());
    if (!samples.order.empty()) {
        ordered.clear();
        for (const int s : samples.order)
            if (static_cast<std::size_t>(s) < S)
                ordered.push_back(values[static_cast<std::size_t>(s)]);
    }
    const std::size_t B = samples.independent
                              ? S
                              : std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(static_cast<double>(S))));
    std::vector<double> means;
    for (std::size_t b = 0; b < B; ++b) {
        const std::size_t first = b * S / B, end = (b + 1) * S / B;
        means.push_back(mean_of(std::span(ordered).subspan(first, end - first)));
    }
    const double mean = mean_of(means);
    double squares    = 0;
    for (const double m : means)
        squares += (m - mean) * (m - mean);
    return std::sqrt(squares / (static_cast<double>(B) * static_cast<double>(B - 1)));
}

std::vector<int> sample_counts(int first, int last, int most)
{
    std::vector<int> counts;
    for (int i = 0; i < most; ++i) {
        const double share = static_cast<double>(i) / (most - 1);
        const int count    = static_cast<int>(std::lround(first * std::pow(static_cast<double>(last) / first, share)));
        if (counts.empty() || count > counts.back())
            counts.push_back(count);
    }
    return counts;
}

ScoresOverSamples::ScoresOverSamples(std::vector<int> counts, SampleOrder samples)
    : counts_(std::move(counts)), samples_(std::move(samples))
{
    for (const int count : counts_)
        for (auto* sums : {&nll_, &rmse_})
            sums->push_back({0, std::vector<double>(static_cast<std::size_t>(count), 0)});
}

void ScoresOverSamples::add_log_densities(std::span<const double> log_densities)
{
    ++nll_rows_;
    const double top = *std::max_element(log_densities.begin(), log_densities.end());
    std::vector<double> relative;   // p_s / e^top
    for (const double l : log_densities)
        relative.push_back(std::exp(l - top));
    double sum       = 0;
    std::size_t done = 0;
    for (std::size_t c = 0; c < counts_.size(); ++c) {
        const auto S = static_cast<std::size_t>(counts_[c]);
        for (; done < S; ++done)
            sum += relative[done];
        const double mean = sum / static_cast<double>(S);
        nll_[c].value -= top + std::log(mean);
        for (std::size_t s = 0; s < S; ++s)
            nll_[c].influence[s] -= relative[s] / mean;
    }
}

void ScoresOverSamples::add_means(std::span<const double> f, double target)
{
    ++rmse_rows_;
    double sum       = 0;
    std::size_t done = 0;
    for (std::size_t c = 0; c < counts_.size(); ++c) {
        const auto S = static_cast<std::size_t>(counts_[c]);
        for (; done < S; ++done)
            sum += f[done] - target;   // small numbers: exact also for targets far from 0
        const double residual = sum / static_cast<double>(S);
        rmse_[c].value += residual * residual;
        for (std::size_t s = 0; s < S; ++s)
            rmse_[c].influence[s] += residual * (f[s] - target);
    }
}

std::vector<AtSamples> ScoresOverSamples::nll() const
{
    std::vector<AtSamples> out;
    const auto N = static_cast<double>(nll_rows_);
    for (std::size_t c = 0; c < counts_.size(); ++c)
        out.push_back({counts_[c], nll_[c].value / N, standard_error(nll_[c].influence, samples_) / N});
    return out;
}

std::vector<AtSamples> ScoresOverSamples::rmse() const
{
    std::vector<AtSamples> out;
    const auto N = static_cast<double>(rmse_rows_);
    for (std::size_t c = 0; c < counts_.size(); ++c) {
        const double rmse  = std::sqrt(rmse_[c].value / N);
        const double error = standard_error(rmse_[c].influence, samples_);
        out.push_back({counts_[c], rmse, error > 0 ? error / (N * rmse) : 0});
    }
    return out;
}

std::vector<AtSamples> mixture_quantile_over(std::span<const int> counts, const NoiseDistribution& noise,
                                             std::span<const double> f, std::span<const double> s, double p,
                                             const SampleOrder& samples)
{
    if (const auto* mapped = recalibrated_noise(noise))   // the map of levels does not depend on the samples
        return mixture_quantile_over(counts, mapped->unmapped(), f, s, mapped->levels().inverse(p), samples);
    std::vector<AtSamples> out;
    for (const int count : counts) {
        const auto S       = static_cast<std::size_t>(count);
        const auto first_f = f.first(S), first_s = s.first(S);
        const double q = mixture_quantile(noise, first_f, first_s, p);
        std::vector<double> below;
        for (std::size_t k = 0; k < S; ++k)
            below.push_back(noise.mixture_cdf(f.subspan(k, 1), s.subspan(k, 1), q));
        out.push_back({count, q, standard_error(below, samples) / noise.mixture_density(first_f, first_s, q)});
    }
    return out;
}

std::vector<AtSamples> quantile_over(std::span<const int> counts, std::span<const double> values, double p,
                                     const SampleOrder& samples)
{
    std::vector<AtSamples> out;
    for (const int count : counts) {
        const auto first = values.first(static_cast<std::size_t>(count));
        std::vector<double> sorted(first.begin(), first.end()), below;
        std::sort(sorted.begin(), sorted.end());
        const double q = quantile_of_sorted(sorted, p);
        for (const double value : first)
            below.push_back(value <= q ? 1 : 0);
        const double e    = std::max(standard_error(below, samples), std::sqrt(p * (1 - p) / count));
        const double high = quantile_of_sorted(sorted, std::min(1.0, p + e));
        const double low  = quantile_of_sorted(sorted, std::max(0.0, p - e));
        out.push_back({count, q, (high - low) / 2});
    }
    return out;
}

std::optional<long> samples_needed(const AtSamples& at, double tolerance)
{
    const double needed = at.samples * (at.error / tolerance) * (at.error / tolerance);
    if (!(tolerance > 0) || !(needed < 1e15))
        return {};
    return static_cast<long>(std::ceil(needed));
}

}   // namespace credence
