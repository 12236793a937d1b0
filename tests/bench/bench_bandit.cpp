// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent of the mushroom bandit computes after each interaction, compared with the plain
// matrix products of the same shapes in the same run.
#include "bench_support.h"

#include "training/trainer.h"
#include "unit/families.h"

#include <benchmark/benchmark.h>

namespace credence::bench {
namespace {

constexpr int bandit_inputs = 119, bandit_batch = 64, bandit_updates = 64;   // Blundell et al. 2015, section 5.3
constexpr std::size_t bandit_rows = 4096;

/// A full memory: 22 ones per row, a one-hot action, and rewards between −3.5 and 0.5.
struct FullMemory {
    std::vector<float> inputs, targets;
    FullMemory() : inputs(bandit_rows * bandit_inputs), targets(bandit_rows)
    {
        std::vector<std::uint32_t> words(bandit_rows * 24);
        random_bits({1, Stream::data, 0}, 0, words);
        for (std::size_t i = 0; i < bandit_rows; ++i) {
            float* row = inputs.data() + i * bandit_inputs;
            for (std::size_t a = 0; a < 22; ++a)
                row[5 * a + words[24 * i + a] % 5] = 1;
            row[117 + words[24 * i + 22] % 2] = 1;
            targets[i]                        = words[24 * i + 23] % 2 == 0 ? 0.5f : -3.5f;
        }
    }
};

void bandit_interaction(benchmark::State& state, const std::string& family)
{
    static const FullMemory memory;
    const Architecture architecture = mlp(bandit_inputs, {100, 100}, 1);
    const ParameterLayout layout    = layout_of(architecture);
    PosteriorOptions posterior;
    posterior.family = family;
    TrainerOptions options;
    options.steps                  = 1'000'000'000;
    options.batch_size             = bandit_batch;
    options.kl_weighting           = KlWeighting::uniform;
    options.kl_weight              = 1;
    options.schedule.learning_rate = 1e-5;   // only the speed matters, not the fit
    Trainer trainer({architecture, Likelihood::gaussian(0.5), true}, Prior::same(layout, GaussianPrior{0, 0.3}),
                    make_posterior<float>(layout, posterior, initial_weights(layout, Initialisation::he, 1)), options);
    run_with_products(
        state, {{bandit_inputs, 100}, {100, 100}, {100, 1}}, bandit_batch, Pass::training_step,
        [&] {
        trainer.set_rows({memory.inputs, memory.targets});
        for (int u = 0; u < bandit_updates; ++u)
            trainer.step();
        },
        bandit_updates);
    state.counters["over_products"] = state.counters["over_gemm"];
}

[[maybe_unused]] const bool bandit_registered = [] {
    for (const auto& [family, name] : {std::pair{"mean_field", "mean_field"}, {"point_estimate", "point"}})
        benchmark::RegisterBenchmark((std::string("bandit_interaction/") + name).c_str(), bandit_interaction,
                                     std::string(family))
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}   // namespace
}   // namespace credence::bench
