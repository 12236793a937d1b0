// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_against_sampling.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "simplex/bridge_rows.h"
#include "simplex/dirichlet_fit.h"
#include "simplex/ternary_grid.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr int bridges_timed = 2000;   // a single one is too fast for the clock

double seconds_of(const std::function<void()>& work)
{
    const Stopwatch watch;
    work();
    return watch.seconds();
}

std::vector<long> numbers_of_draws(const SamplingOptions& options)
{
    if (options.fewest < 1 || options.fewest > options.most || options.repeats < 1)
        throw Error("Bridge against sampling: found " + std::to_string(options.fewest) + " to "
                    + std::to_string(options.most) + " samples and " + std::to_string(options.repeats)
                    + " repeats, expected at least 1 sample, an ascending range, and at least 1 repeat.");
    std::vector<long> draws;
    for (long power = 1; power <= options.most; power *= 10)
        for (const long digit : {1, 2, 5})
            if (const long n = digit * power; n >= options.fewest && n <= options.most)
                draws.push_back(n);
    if (draws.empty() || draws.back() != options.most)
        draws.push_back(options.most);
    return draws;
}

/// Number of samples at which the falling curve kl reaches `level`, linear between the logarithms.
std::optional<double> crossing(const std::vector<long>& draws, const std::vector<double>& kl, double level)
{
    for (std::size_t i = 1; i < draws.size(); ++i)
        if (kl[i - 1] > level && kl[i] <= level) {
            const double t = std::log(kl[i - 1] / level) / std::log(kl[i - 1] / kl[i]);
            return std::exp(
                std::lerp(std::log(static_cast<double>(draws[i - 1])), std::log(static_cast<double>(draws[i])), t));
        }
    return {};
}

using Figure = BridgeAgainstSampling;

/// The bridges of one distribution, with their divergences and times. Variants without a Dirichlet
/// (α overflows) are omitted.
std::vector<Figure::Bridge> bridges_of(const LogisticNormal& distribution, const LogitExpectations& of_distribution,
                                       Threads& one, const std::stop_token& stop)
{
    std::vector<Figure::Bridge> out;
    for (const auto variant : bridge_variants) {
        if (stop.stop_requested())
            return {};
        Figure::Bridge made;
        made.variant = variant;
        std::optional<Dirichlet> dirichlet;
        try {
            dirichlet.emplace(bridge(distribution.logits(), variant).dirichlet());
        } catch (const Error&) {
            continue;
        }
        made.alpha = dirichlet->alpha();
        made.kl    = kl_divergence(distribution, *dirichlet, of_distribution);
        std::vector<double> times;
        for (int repeat = 0; repeat < 5; ++repeat)
            one.run([&] {
                times.push_back(seconds_of([&] {
                                    double sum = 0;
                                    for (int i = 0; i < bridges_timed; ++i)
                                        sum += bridge(distribution.logits(), variant).log_total;
                                    [[maybe_unused]] const volatile double used =
                                        sum;   // prevents the computation from being optimised away
                                })
                                / bridges_timed);
            });
        made.seconds = median(times);
        out.push_back(std::move(made));
    }
    return out;
}

/// Times of one bridge and of one sample, each as a share of many computed together: the cost for a
/// set of inputs.
void time_one_of_many(const LogisticNormal& distribution, Threads& one, Figure::Distribution& out)
{
    const auto mu = distribution.logits().mu(), variance = distribution.logits().variance(),
               row_sums = distribution.logits().row_sums();
    std::vector<float> all_mu, all_variance, all_sums, alpha(bridges_timed * mu.size());
    for (int i = 0; i < bridges_timed; ++i) {
        all_mu.insert(all_mu.end(), mu.begin(), mu.end());
        all_variance.insert(all_variance.end(), variance.begin(), variance.end());
        all_sums.insert(all_sums.end(), row_sums.begin(), row_sums.end());
    }
    std::vector<double> of_bridge, of_draw;
    for (std::uint32_t repeat = 0; repeat < 9; ++repeat)
        one.run([&] {
            try {
                of_bridge.push_back(seconds_of([&] {
                    bridge_rows({.n_classes = static_cast<int>(mu.size()),
                                 .mu        = all_mu,
                                 .variance  = all_variance,
                                 .row_sum   = all_sums},
                                BridgeVariant::plain, alpha);
                }));
            } catch (const Error&) {   // α is outside the range of floats: no time
            }
            of_draw.push_back(seconds_of(
                [&] { distribution.sample({.seed = 1, .stream = Stream::figures, .index = repeat}, bridges_timed); }));
        });
    out.seconds_of_bridge = of_bridge.empty() ? 0 : median(of_bridge) / bridges_timed;
    out.seconds_of_draw   = median(of_draw) / bridges_timed;
}

/// Divergences and times of histograms of samples. @param key  of the first sample; its index rises
/// @return  false: stopped
bool measure_histograms(const LogisticNormal& distribution, NoiseKey key, const std::vector<long>& draws,
                        const SamplingOptions& options, Threads& one, const std::function<void(double)>& advance,
                        const std::stop_token& stop, Figure::Distribution& out)
{
    const auto cells = cell_probabilities(distribution, options.cells_a_side);
    for (const long n : draws) {
        std::vector<double> kl, seconds;
        for (int repeat = 0; repeat < options.repeats; ++repeat) {
            if (stop.stop_requested())
                return false;
            std::vector<double> q;
            one.run([&] {
                seconds.push_back(seconds_of([&] {
                    q = histogram_probabilities(
                        cell_counts(distribution.sample(key, static_cast<int>(n)), options.cells_a_side));
                }));
            });
            kl.push_back(kl_of_cells(cells, q));
            advance(static_cast<double>(n));
            ++key.index;
        }
        std::sort(kl.begin(), kl.end());
        out.kl_lower.push_back(quantile_of_sorted(kl, 0.25));
        out.kl_median.push_back(quantile_of_sorted(kl, 0.5));
        out.kl_upper.push_back(quantile_of_sorted(kl, 0.75));
        out.seconds.push_back(median(seconds));
    }
    return true;
}

}   // namespace

const char* const why_published_values_differ =
    "Hobbhahn 2020 evaluated both distributions on a triangular lattice of 561 points: samples count towards the "
    "nearest point, the Dirichlet density is evaluated at the points (coordinates clipped to [0.001, 0.999]) and "
    "normalised to sum to 1, and empty points get 1e-20. This misses mass between the points and in the corners; the "
    "exact values need no lattice.";

std::vector<SamplingCase> published_sampling_cases()
{
    std::vector<SamplingCase> cases{
        {"", LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}), 0.0882},
        {"", LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1}), 0.7075},
        {"", LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5}), 1.7655}};
    for (auto& one : cases)
        one.name = gaussian_text(one.logits);
    return cases;
}

std::string gaussian_text(const LogitGaussian& logits)
{
    const auto list = [](const std::vector<double>& numbers) {
        return joined(numbers, [](double v) { return v < 0 ? "−" + number_text(-v, 4) : number_text(v, 4); });
    };
    const auto variance = logits.variance();
    bool diagonal       = true;
    for (int k = 0; k < logits.n_classes(); ++k)
        for (int l = 0; l < k; ++l)
            diagonal = diagonal && logits.covariance(k, l) == 0;
    const bool equal = std::all_of(variance.begin(), variance.end(), [&](double v) { return v == variance.front(); });
    const std::string scale = variance.front() == 1 ? "I" : number_text(variance.front(), 4) + " I";
    return "μ = (" + list(logits.mu()) + "), "
           + (!diagonal ? "full Σ"
              : equal   ? "Σ = " + scale
                        : "Σ = diag(" + list(variance) + ")");
}

std::optional<BridgeAgainstSampling> bridge_against_sampling(const std::vector<SamplingCase>& cases,
                                                             const SamplingOptions& options, std::stop_token stop,
                                                             const std::function<void(double)>& progress)
{
    Figure figure{.draws         = numbers_of_draws(options),
                  .distributions = {},
                  .repeats       = options.repeats,
                  .n_cells       = n_square_cells(options.cells_a_side),
                  .at_once       = bridges_timed};
    for (const auto& one : cases)
        if (one.logits.n_classes() != 3)
            throw Error("Bridge against sampling: " + std::to_string(one.logits.n_classes())
                        + " classes found, expected 3: the histogram is on the triangle.");
    double whole = 0, done = 0;   // in samples, with a fixed cost for exact values
    constexpr double exact_price = 2e5;
    for (const long n : figure.draws)
        whole += static_cast<double>(n) * options.repeats;
    whole              = (whole + exact_price) * static_cast<double>(cases.size());
    const auto advance = [&](double by) {
        done += by;
        if (progress)
            progress(std::min(1.0, done / whole));
    };
    for (std::size_t c = 0; c < cases.size(); ++c) {
        const LogisticNormal distribution(cases[c].logits);
        const auto of_distribution = expectations(cases[c].logits);
        Figure::Distribution out{
            .what      = cases[c],
            .kl_lower  = {},
            .kl_median = {},
            .kl_upper  = {},
            .seconds   = {},
            .bridges   = {},
            .best_kl = kl_divergence(distribution, best_dirichlet(cases[c].logits, of_distribution), of_distribution)};
        if (stop.stop_requested())
            return {};
        Threads one(1);   // used for timing
        out.bridges = bridges_of(distribution, of_distribution, one, stop);
        time_one_of_many(distribution, one, out);
        advance(exact_price);
        if (!measure_histograms(distribution, {.seed = options.seed + c, .stream = Stream::figures}, figure.draws,
                                options, one, advance, stop, out))
            return {};
        for (auto& bridge : out.bridges) {
            bridge.fewer_than_fewest = out.kl_median.front() <= bridge.kl;
            bridge.draws_to_match    = crossing(figure.draws, out.kl_median, bridge.kl);
        }
        figure.distributions.push_back(std::move(out));
    }
    return figure;
}

}   // namespace credence
