// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions from many weight draws, compared with the plain forward products of the same shapes in the same run.
#include "bench_support.h"

#include "posterior/variational_family.h"
#include "prediction/posterior_predictive.h"
#include "unit/families.h"

namespace credence::bench {
namespace {

/// Predictive entropy and its two parts on 100×100 points, 200 draws, network 2-100-100-100-4, as for a decision map.
void entropy_grid(benchmark::State& state)
{
    const Architecture architecture = mlp(2, {100, 100, 100}, 4);
    const ParameterLayout layout    = layout_of(architecture);
    PosteriorOptions options;
    options.family = "mean_field";
    const PosteriorPredictive predictive(
        Model{architecture, {}, true},
        make_posterior<float>(layout, options, initial_weights(layout, Initialisation::he, 1)), 200, 1);
    constexpr int cells = 100, points = cells * cells, draws = 200;
    std::vector<float> inputs;
    for (int i = 0; i < points; ++i) {
        inputs.push_back(static_cast<float>(i % cells) * 0.06f - 3);
        inputs.push_back(static_cast<float>(i / cells) * 0.06f - 3);
    }
    run_with_products(
        state, {{2, 100}, {100, 100}, {100, 100}, {100, 4}}, points, Pass::forward,
        [&] { benchmark::DoNotOptimize(predictive.summarise(inputs, points)); }, draws);
}
BENCHMARK(entropy_grid)->UseManualTime()->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace credence::bench
