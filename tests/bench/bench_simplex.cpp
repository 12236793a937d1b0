// SPDX-License-Identifier: GPL-3.0-or-later
// The Laplace Bridge compared with sampling: 10,000 Gaussians over ten logits, once in closed form
// and once with 1,000 draws each, in one run.
#include "bench_support.h"

#include "foundation/aligned_vector.h"
#include "random/noise.h"
#include "simplex/bridge_rows.h"
#include "simplex/dirichlet_fit.h"
#include "simplex/logistic_normal.h"
#include "simplex/ternary_grid.h"

namespace credence::bench {
namespace {

constexpr int gaussians = 10'000, classes = 10, draws = 1'000;

/// Means with a spread of 2, covariances F Fᵀ/4 + diagonal, as from a last-layer Laplace approximation.
struct Logits {
    std::vector<float> mu, variance, row_sum, covariance;

    Logits() : mu(gaussians * classes), variance(mu.size()), row_sum(mu.size(), 0), covariance(mu.size() * classes)
    {
        std::vector<float> factor(covariance.size());
        standard_normals({.seed = 1, .stream = Stream::logits, .index = 0}, 0, std::span<float>(mu));
        standard_normals({.seed = 1, .stream = Stream::logits, .index = 1}, 0, std::span<float>(factor));
        for (float& m : mu)
            m *= 2;
        for (std::size_t i = 0; i < gaussians; ++i)
            for (int k = 0; k < classes; ++k)
                for (int l = 0; l < classes; ++l) {
                    float sum = k == l ? 0.2f : 0;
                    for (int r = 0; r < classes; ++r)
                        sum += 0.025f * factor[(i * classes + k) * classes + r]
                               * factor[(i * classes + l) * classes + r];
                    covariance[(i * classes + k) * classes + l] = sum;
                    row_sum[i * classes + k] += sum;
                    if (k == l)
                        variance[i * classes + k] = sum;
                }
    }
};
const Logits& logits()
{
    static const Logits the;
    return the;
}

/// Median seconds of `work` on the benchmark's threads, at least `least` repetitions.
std::vector<double> times_of(benchmark::State& state, function_ref<void()> work)
{
    std::vector<double> times;
    threads().run([&] {
        work();   // warm
        for (auto _ : state) {
            times.push_back(seconds_of(work));
            state.SetIterationTime(times.back());
        }
    });
    state.counters["median_ms"] = median(times) * 1e3;
    return times;
}

void bridge_10k(benchmark::State& state, BridgeVariant variant, bool diagonal)
{
    const Logits& l = logits();
    aligned_vector<float> alpha(l.mu.size());
    const LogitRows<float> rows{classes, l.mu, l.variance,
                                diagonal ? std::span<const float>() : std::span<const float>(l.row_sum)};
    times_of(state, [&] { bridge_rows(rows, variant, alpha); });
    state.SetLabel(name(variant));
}
void laplace_bridge_10k(benchmark::State& state) { bridge_10k(state, BridgeVariant::plain, true); }
BENCHMARK(laplace_bridge_10k)->UseManualTime()->Unit(benchmark::kMicrosecond);
void laplace_bridge_10k_conditioned(benchmark::State& state) { bridge_10k(state, BridgeVariant::conditioned, false); }
BENCHMARK(laplace_bridge_10k_conditioned)->UseManualTime()->Unit(benchmark::kMicrosecond);
void laplace_bridge_10k_projected_normalised(benchmark::State& state)
{
    bridge_10k(state, BridgeVariant::projected_normalised, false);
}
BENCHMARK(laplace_bridge_10k_projected_normalised)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// The same means by sampling. over_bridge and over_normals: time relative to the bridge and to
/// generating the normals alone.
void monte_carlo_10k(benchmark::State& state)
{
    const Logits& l = logits();
    std::vector<float> mean(l.mu.size());
    const double sampling = median(
        times_of(state, [&] { softmax_mean_by_draws(classes, l.mu, l.covariance, draws, 1, mean); }));
    aligned_vector<float> alpha(l.mu.size());
    std::vector<double> bridges, normals;
    threads().run([&] {
        for (int repetition = 0; repetition < 200; ++repetition)
            bridges.push_back(seconds_of([&] {
                bridge_rows({classes, l.mu, l.variance, {}}, BridgeVariant::plain, alpha);
            }));
        for (int repetition = 0; repetition < 5; ++repetition)
            normals.push_back(seconds_of([&] {
                parallel_chunks(gaussians, 16, [&](std::size_t begin, std::size_t end) {
                    aligned_vector<float> x(static_cast<std::size_t>(classes) * draws);
                    for (std::size_t i = begin; i < end; ++i) {
                        standard_normals({.seed = 1, .stream = Stream::logits, .index = static_cast<std::uint32_t>(i)},
                                         0, std::span<float>(x));
                        benchmark::DoNotOptimize(x.data());
                    }
                });
            }));
    });
    state.counters["over_bridge"]  = sampling / median(bridges);
    state.counters["over_normals"] = sampling / median(normals);
}
BENCHMARK(monte_carlo_10k)->UseManualTime()->Unit(benchmark::kMillisecond);

/// Cost of one redraw of the two triangles with 200 cells per side, and of the numbers next to them.
void simplex_redraw_200(benchmark::State& state)
{
    const auto gauss = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});
    times_of(state, [&] {
        const LogisticNormal p(gauss);
        const Dirichlet q = bridge(gauss, BridgeVariant::projected).dirichlet();
        benchmark::DoNotOptimize(ternary_grid(p, 200).mass.data());
        benchmark::DoNotOptimize(ternary_grid(q, 200).mass.data());
    });
}
BENCHMARK(simplex_redraw_200)->UseManualTime()->Unit(benchmark::kMillisecond);

void simplex_numbers(benchmark::State& state)
{
    const auto gauss = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});
    times_of(state, [&] {
        benchmark::DoNotOptimize(
            compare(LogisticNormal(gauss), bridge(gauss, BridgeVariant::projected).dirichlet(), expectations(gauss))
                .kl);
    });
}
BENCHMARK(simplex_numbers)->UseManualTime()->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace credence::bench
