// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/regression.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "prediction/recalibrated_noise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

namespace credence {

template <class T>
RegressionSamples regression_samples(const SampleView<T>& outputs, const Likelihood& likelihood, double target_mean,
                                     double target_sd)
{
    outputs.check();
    if (outputs.n_outputs != 2)
        throw Error("Regression: " + std::to_string(outputs.n_outputs)
                    + " outputs per input found, expected 2 (f and the noise's standard deviation).");
    require_finite(outputs);
    RegressionSamples out{
        .n_samples = outputs.n_samples, .n_inputs = outputs.n_inputs, .f = {}, .s = {}, .noise = likelihood->noise()};
    out.f.reserve(outputs.values.size() / 2);
    out.s.reserve(outputs.values.size() / 2);
    for (int s = 0; s < outputs.n_samples; ++s)
        for (int i = 0; i < outputs.n_inputs; ++i) {
            out.f.push_back(target_mean + target_sd * outputs.at(s, i, 0));
            out.s.push_back(target_sd * outputs.at(s, i, 1));
        }
    if (outputs.levels)
        set_noise(out, std::make_shared<RecalibratedNoise>(out.noise, outputs.levels));
    return out;
}

template RegressionSamples regression_samples(const SampleView<float>&, const Likelihood&, double, double);
template RegressionSamples regression_samples(const SampleView<double>&, const Likelihood&, double, double);

namespace {

/// All samples at one input.
std::vector<double> column(const std::vector<double>& values, const RegressionSamples& samples, int input)
{
    std::vector<double> out(samples.n_samples);
    for (int s = 0; s < samples.n_samples; ++s)
        out[s] = values[static_cast<std::size_t>(s) * samples.n_inputs + input];
    return out;
}

void require_targets(const RegressionSamples& samples, std::span<const double> targets)
{
    if (static_cast<int>(targets.size()) != samples.n_inputs)
        throw Error("Regression scores: " + std::to_string(targets.size()) + " targets for "
                    + std::to_string(samples.n_inputs) + " predictions.");
    require_finite("Regression scores: f", samples.f);
    require_finite("Regression scores: noise", samples.s);
    require_finite("Regression scores: target", targets);
}

/// Calls `use(input, f, s)` with all samples at each input, in parallel.
void for_each_input(const RegressionSamples& samples,
                    const std::function<void(int, std::vector<double>, std::vector<double>)>& use)
{
    parallel_chunks(static_cast<std::size_t>(samples.n_inputs), 16, [&](std::size_t first, std::size_t end) {
        for (int i = static_cast<int>(first); i < static_cast<int>(end); ++i)
            use(i, column(samples.f, samples, i),
                // Samples of functions have no noise
                samples.s.empty() ? std::vector<double>() : column(samples.s, samples, i));
    });
}

}   // namespace

void set_noise(RegressionSamples& samples, std::shared_ptr<const NoiseDistribution> noise)
{
    samples.noise = std::move(noise);
    samples.moments.clear();
    if (!samples.noise->is_recalibrated() || samples.n_samples == 0)
        return;
    samples.moments.resize(static_cast<std::size_t>(samples.n_inputs));
    for_each_input(samples, [&](int i, const std::vector<double>& f, const std::vector<double>& s) {
        samples.moments[static_cast<std::size_t>(i)] = samples.noise->mixture_moments(f, s);
    });
}

std::vector<double> mean_function(const RegressionSamples& samples)
{
    std::vector<double> mean(samples.n_inputs, 0);
    if (!samples.moments.empty()) {
        std::ranges::transform(samples.moments, mean.begin(), &MixtureMoments::mean);
        return mean;
    }
    for (int s = 0; s < samples.n_samples; ++s)
        for (int i = 0; i < samples.n_inputs; ++i)
            mean[i] += samples.f_of(s)[i];
    for (double& m : mean)
        m /= samples.n_samples;
    return mean;
}

Spread spread_at(const RegressionSamples& samples, double mean, std::size_t i)
{
    double square = 0, noise = 0;
    if (!samples.moments.empty()) {
        mean = 0;
        for (int s = 0; s < samples.n_samples; ++s)
            mean += samples.f_of(s)[i] / samples.n_samples;
    }
    for (int s = 0; s < samples.n_samples; ++s) {
        square += std::pow(samples.f_of(s)[i] - mean, 2);
        noise += std::pow(samples.s[static_cast<std::size_t>(s) * static_cast<std::size_t>(samples.n_inputs) + i], 2);
    }
    const double S = samples.n_samples;
    const Spread spread{std::sqrt(square / S), std::sqrt(noise / S), std::sqrt((square + noise) / S)};
    if (samples.moments.empty())
        return spread;
    const double sd = samples.moments[i].sd, factor = sd / spread.y;
    return {factor * spread.function, factor * spread.noise, sd};
}

std::vector<std::vector<double>> function_quantiles(const RegressionSamples& samples, std::span<const double> p)
{
    std::vector<std::vector<double>> out(p.size(), std::vector<double>(samples.n_inputs));
    for_each_input(samples, [&](int i, std::vector<double> f, const std::vector<double>&) {
        std::sort(f.begin(), f.end());
        for (std::size_t j = 0; j < p.size(); ++j)
            out[j][i] = quantile_of_sorted(f, p[j]);
    });
    return out;
}

double mixture_quantile(const NoiseDistribution& noise, std::span<const double> f, std::span<const double> s, double p,
                        double last_step)
{
    if (f.empty() || f.size() != s.size())
        throw Error("Mixture quantile: " + std::to_string(f.size()) + " means and " + std::to_string(s.size())
                    + " standard deviations.");
    if (!(p > 0 && p < 1))
        throw Error("Mixture quantile: the share is " + plain_text(p) + ", expected a number between 0 and 1.");
    require_finite("Mixture quantile: mean", f);
    require_finite("Mixture quantile: standard deviation", s);
    const double z = noise.quantile_of_e(p);
    double low = f[0] + z * s[0], high = low;
    for (std::size_t j = 1; j < f.size(); ++j) {
        low  = std::min(low, f[j] + z * s[j]);
        high = std::max(high, f[j] + z * s[j]);
    }
    // Newton steps from the quantile of a distribution with the same moments; bisection if a step leaves
    // the bracket or the bracket shrinks too slowly. After a step of δ the error is at most about δ²/s.
    const double centre = mean_of(f);
    double variance     = 0;
    for (std::size_t j = 0; j < f.size(); ++j)
        variance += ((f[j] - centre) * (f[j] - centre) + s[j] * s[j]) / static_cast<double>(f.size());
    const double last    = last_step * *std::ranges::min_element(s);
    const bool tabulated = last_step > 1e-6;   // the table's error is smaller than that of the last step
    double y             = std::clamp(centre + z * std::sqrt(variance), low, high);
    for (int i = 0; i < 200; ++i) {
        const auto at          = tabulated ? noise.tabulated_mixture(f, s, y)
                                           : MixturePoint{noise.mixture_cdf(f, s, y), noise.mixture_density(f, s, y)};
        const double gap       = at.cdf - p;
        (gap < 0 ? low : high) = y;
        const double next      = y - gap / at.density;
        const double exact     = 1e-15 * std::max(std::fabs(low), std::fabs(high));
        if (gap == 0 || high - low <= exact || std::fabs(next - y) <= exact)
            return y;
        const bool newton = i % 8 != 7 && next > low && next < high;   // false for values that are not finite
        if (newton && std::fabs(next - y) <= last)
            return next;
        y = newton ? next : std::midpoint(low, high);
    }
    return y;
}

std::vector<std::vector<double>> predictive_quantiles(const RegressionSamples& samples, std::span<const double> p)
{
    std::vector<std::vector<double>> out(p.size(), std::vector<double>(samples.n_inputs));
    for_each_input(samples, [&](int i, const std::vector<double>& f, const std::vector<double>& s) {
        for (std::size_t j = 0; j < p.size(); ++j)
            out[j][i] = mixture_quantile(*samples.noise, f, s, p[j]);
    });
    return out;
}

double coverage(std::span<const double> lower, std::span<const double> upper, std::span<const double> targets)
{
    if (targets.empty() || lower.size() != targets.size() || upper.size() != targets.size())
        throw Error("Coverage: " + std::to_string(lower.size()) + " intervals for " + std::to_string(targets.size())
                    + " targets.");
    require_no_nan("Coverage: lower end", lower);
    require_no_nan("Coverage: upper end", upper);
    require_no_nan("Coverage: target", targets);
    long inside = 0;
    for (std::size_t i = 0; i < targets.size(); ++i)
        inside += lower[i] <= targets[i] && targets[i] <= upper[i] ? 1 : 0;
    return static_cast<double>(inside) / static_cast<double>(targets.size());
}

std::vector<double> regression_nll_each(const RegressionSamples& samples, std::span<const double> targets)
{
    require_targets(samples, targets);
    std::vector<double> nll(samples.n_inputs);
    for_each_input(samples, [&](int i, const std::vector<double>& f, const std::vector<double>& s) {
        std::vector<double> log_density(f.size());
        samples.noise->log_densities(f, s, targets[i], log_density);
        const double top = *std::max_element(log_density.begin(), log_density.end());
        double sum       = 0;
        for (const double l : log_density)
            sum += std::exp(l - top);
        nll[i] = -(top + std::log(sum / samples.n_samples));
    });
    return nll;
}

std::vector<double> pit_each(const RegressionSamples& samples, std::span<const double> targets)
{
    require_targets(samples, targets);
    std::vector<double> pit(samples.n_inputs);
    for_each_input(samples, [&](int i, const std::vector<double>& f, const std::vector<double>& s) {
        pit[i] = std::clamp(samples.noise->mixture_cdf(f, s, targets[i]), 0.0, 1.0);
    });
    return pit;
}

std::vector<double> crps_each(const RegressionSamples& samples, std::span<const double> targets)
{
    require_targets(samples, targets);
    std::vector<double> crps(samples.n_inputs);
    for_each_input(samples, [&](int i, const std::vector<double>& f, const std::vector<double>& s) {
        crps[i] = samples.noise->mixture_crps(f, s, targets[i]);
    });
    return crps;
}

double interval_score(double lower, double upper, double target, double level)
{
    return upper - lower + 2 / (1 - level) * (std::max(0.0, lower - target) + std::max(0.0, target - upper));
}

RegressionScores regression_scores(const RegressionSamples& samples, std::span<const double> targets, double level)
{
    require_targets(samples, targets);
    if (targets.empty())
        throw Error("Regression scores: there are no targets.");
    const double n = static_cast<double>(targets.size());
    const std::vector<double> tails{(1 - level) / 2, (1 + level) / 2};
    const auto mean       = mean_function(samples);
    const auto nll        = regression_nll_each(samples, targets);
    const auto crps       = crps_each(samples, targets);
    const auto predictive = predictive_quantiles(samples, tails);
    const auto function   = function_quantiles(samples, tails);

    RegressionScores out;
    out.n                 = static_cast<int>(targets.size());
    out.level             = level;
    out.nll               = mean_of(nll);
    out.crps              = mean_of(crps);
    out.coverage          = coverage(predictive[0], predictive[1], targets);
    out.function_coverage = coverage(function[0], function[1], targets);
    out.mean_noise_sd     = samples.moments.empty() ? mean_of(samples.s) : 0;
    for (int i = 0; i < out.n; ++i) {
        double squares = 0;
        if (samples.moments.empty())
            for (int j = 0; j < samples.n_samples; ++j) {
                const double gap = samples.f_of(j)[i] - mean[i];
                squares += gap * gap;
            }
        else {
            const auto spread = spread_at(samples, mean[i], static_cast<std::size_t>(i));
            squares           = spread.function * spread.function * samples.n_samples;
            out.mean_noise_sd += spread.noise / n;
        }
        const double square = (mean[i] - targets[i]) * (mean[i] - targets[i]);
        out.rmse += square / n;
        out.mae += std::fabs(mean[i] - targets[i]) / n;
        out.mean_fourth += square * square / n;
        out.mean_width += (predictive[1][i] - predictive[0][i]) / n;
        out.interval_score += interval_score(predictive[0][i], predictive[1][i], targets[i], level) / n;
        out.mean_function_sd += std::sqrt(squares / samples.n_samples) / n;
    }
    out.rmse = std::sqrt(out.rmse);
    return out;
}

}   // namespace credence
