// SPDX-License-Identifier: GPL-3.0-or-later
// One step of each stochastic-gradient sampler, alternating with one step of the point estimate of the same net.
#include "bench_support.h"

#include "network/architecture.h"
#include "posterior/mean_field.h"
#include "posterior/point_estimate.h"
#include "training/trainer.h"

#include <benchmark/benchmark.h>

namespace credence::bench {
namespace {

struct ChainNet {
    const char* name;
    Architecture architecture;
    int batch;
};

const ChainNet& lenet()
{
    static const ChainNet net{"lenet", lenet_caffe({1, 28, 28}, 500, 10), 64};
    return net;
}
const ChainNet& wide_mlp()
{
    static const ChainNet net{"mlp", mlp(784, {1200, 1200}, 10), 128};
    return net;
}

std::shared_ptr<const SplitData> images_of_noise(const ChainNet& net)
{
    auto data                 = std::make_shared<SplitData>();
    const int rows            = 10 * net.batch;
    data->training.task       = Task::classification;
    data->training.n_rows     = static_cast<std::size_t>(rows);
    data->training.n_features = 784;
    data->training_inputs.resize(static_cast<std::size_t>(rows) * 784);
    standard_normals({1, Stream::data, 0}, 0, std::span<float>(data->training_inputs));
    for (int i = 0; i < rows; ++i)
        data->training.labels.push_back(i % 10);
    return data;
}

/// @param langevin  empty: the point estimate, by SGD
std::unique_ptr<Trainer> trainer_of(const ChainNet& net, std::optional<LangevinOptions> langevin)
{
    const ParameterLayout layout = layout_of(net.architecture);
    TrainerOptions options;
    options.steps                  = 1'000'000'000;
    options.batch_size             = net.batch;
    options.kl_weight              = 1.0 / (10 * net.batch);
    options.optimizer.kind         = OptimizerKind::sgd;
    options.schedule.learning_rate = 1e-6;   // random labels: only the speed matters, not the fit
    options.langevin               = langevin;
    const auto weights             = initial_weights(layout, Initialisation::he, 1);
    std::unique_ptr<VariationalFamily<float>> start;
    if (!langevin)
        start = std::make_unique<PointEstimate<float>>(layout, weights);
    else if (langevin->kind == LangevinKind::sgfuncrld)
        start = std::make_unique<MeanField<float>>(layout, PosteriorOptions{}, weights);
    else
        start = std::make_unique<ChainState<float>>(layout, weights);
    return std::make_unique<Trainer>(Model{net.architecture, {}, false}, Prior::same(layout, GaussianPrior{0, 1}),
                                     images_of_noise(net), std::move(start), options);
}

/// Counters: step_ms and point_ms (medians), over_point their ratio.
void chain_step(benchmark::State& state, const ChainNet& net, const LangevinOptions& langevin)
{
    const auto chain = trainer_of(net, langevin), point = trainer_of(net, {});
    constexpr double turn = 0.03;   // seconds per turn of each side
    std::vector<double> chain_seconds, point_seconds;
    threads().run([&] {
        const auto points_turn = [&] {
            point->step();   // warm up: the other side has evicted the caches
            for (double spent = 0; spent < turn || spent == 0; spent += point_seconds.back())
                point_seconds.push_back(seconds_of([&] { point->step(); }));
            chain->step();
        };
        points_turn();
        double spent = 0;
        for (auto _ : state) {
            chain_seconds.push_back(seconds_of([&] { chain->step(); }));
            state.SetIterationTime(chain_seconds.back());
            if ((spent += chain_seconds.back()) > turn) {
                points_turn();
                spent = 0;
            }
        }
        points_turn();
    });
    const double chain_step = median(chain_seconds), point_step = median(point_seconds);
    state.counters["step_ms"]    = chain_step * 1e3;
    state.counters["point_ms"]   = point_step * 1e3;
    state.counters["over_point"] = chain_step / point_step;
}

[[maybe_unused]] const bool registered_chains = [] {
    constexpr std::pair<const char*, LangevinKind> kinds[] = {{"sgld_step", LangevinKind::sgld},
                                                              {"sghmc_step", LangevinKind::sghmc},
                                                              {"psgld_step", LangevinKind::psgld},
                                                              {"funcrld_step", LangevinKind::sgfuncrld}};
    for (const auto& [name, kind] : kinds)
        for (const auto net : {lenet, wide_mlp})
            benchmark::RegisterBenchmark(
                (std::string(name) + "/" + net().name).c_str(),
                [net, kind = kind](benchmark::State& state) { chain_step(state, net(), {.kind = kind}); })
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
    return true;
}();

}   // namespace
}   // namespace credence::bench
