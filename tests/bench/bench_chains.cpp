// SPDX-License-Identifier: GPL-3.0-or-later
// One leapfrog step of small networks, and NUTS from end to end. A chain runs on one thread; several run side by side.
#include "bench_support.h"

#include "chains/chain.h"
#include "chains/network_density.h"
#include "sources/stroke_digits.h"
#include "sources/toy.h"

#include <array>

namespace credence::bench {
namespace {

/// A network and its data.
struct Posterior {
    Architecture architecture;
    std::vector<float> inputs;
    std::vector<int> labels;

    NetworkDensity density(NetworkDensity::Way way = NetworkDensity::Way::fastest) const
    {
        return {architecture, {}, Prior::same(layout_of(architecture), GaussianPrior{0, 1}), inputs, {labels, {}}, way};
    }
};

Posterior two_moons(int rows)
{
    const Dataset moons = make_toy({.kind = ToyKind::two_moons, .n = rows, .noise = 0.2});
    return {mlp(2, {10}, 2, ActivationKind::tanh), {moons.inputs.begin(), moons.inputs.end()}, moons.labels};
}

/// 100 drawn digits of MNIST size. As in MNIST, border pixels are 0 in all of them, and the sampler
/// skips their columns.
Posterior mnist100()
{
    const ImageSet digits = draw_strokes({.n = 100});
    Posterior posterior{mlp(784, {10}, 10, ActivationKind::tanh), {}, digits.labels};
    for (const std::uint8_t pixel : digits.pixels)
        posterior.inputs.push_back(static_cast<float>(pixel) / 255);
    return posterior;
}

/// The same without pixels that are always 0.
Posterior mnist100_dense()
{
    Posterior posterior = mnist100();
    uniforms({1, Stream::data, 0}, 0, std::span<float>(posterior.inputs));
    return posterior;
}

void leapfrog(benchmark::State& state, const Posterior& posterior, NetworkDensity::Way way)
{
    NetworkDensity density = posterior.density(way);
    const Hamiltonian hamiltonian(density, Metric::unit(density.dimension()));
    PhasePoint from(density.dimension()), to(density.dimension());
    ChainNoise noise(1, 0);
    noise.normals(from.theta);
    hamiltonian.evaluate(from);
    hamiltonian.draw_momentum(from, noise);
    std::vector<double> seconds;
    threads().run([&] {
        for (auto _ : state) {
            seconds.push_back(seconds_of([&] { hamiltonian.leapfrog(from, to, 1e-3); }));
            state.SetIterationTime(seconds.back());
        }
    });
    state.counters["us"] = 1e6 * median(seconds);
}

/// 4 chains of 1,000 + 1,000 transitions.
void nuts(benchmark::State& state, const Posterior& posterior)
{
    constexpr std::size_t chains = 4;
    std::vector<double> seconds;
    std::array<long, chains> gradients{};
    std::array<double, chains> energies{};
    for (auto _ : state) {
        const NetworkDensity density = posterior.density();
        threads().run([&] {
            seconds.push_back(seconds_of([&] {
                parallel_for(chains, [&](std::size_t k) {
                    const auto number = static_cast<std::uint32_t>(k);
                    std::vector<double> start(density.dimension());
                    ChainNoise(1, number).normals(start);
                    Chain chain(density.another(), start, {.number = number});
                    for (int t = 0; t < 2000; ++t)
                        energies[k] = chain.step().energy;
                    gradients[k] = chain.gradients();
                });
            }));
        });
        state.SetIterationTime(seconds.back());
    }
    const double all             = static_cast<double>(gradients[0] + gradients[1] + gradients[2] + gradients[3]);
    state.counters["seconds"]    = median(seconds);
    state.counters["gradients"]  = all;
    state.counters["us_of_each"] = 1e6 * median(seconds) / all;
}

[[maybe_unused]] const bool registered = [] {
    using Way         = NetworkDensity::Way;
    const auto shapes = {std::pair{"two_moons_2_10_2", two_moons(400)},
                         {"two_moons60_2_10_2", two_moons(60)},
                         {"mnist100_784_10_10", mnist100()},
                         {"mnist100_784_10_10_every_pixel", mnist100_dense()}};
    for (const auto& [name, posterior] : shapes)
        for (const auto& [way, suffix] : {std::pair{Way::fastest, ""}, {Way::network, "/by_network"}})
            benchmark::RegisterBenchmark((std::string("leapfrog/") + name + suffix).c_str(), leapfrog, posterior, way)
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("nuts_two_moons", nuts, two_moons(400))
        ->UseManualTime()
        ->Unit(benchmark::kSecond)
        ->Iterations(1);
    return true;
}();

}   // namespace
}   // namespace credence::bench
