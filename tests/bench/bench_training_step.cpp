// SPDX-License-Identifier: GPL-3.0-or-later
// One optimiser step of each family on two networks, compared with the plain matrix products of the
// same shapes in the same run.
#include "bench_support.h"

#include "network/network.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <benchmark/benchmark.h>

namespace credence::bench {
namespace {

struct Net {
    const char* name;
    int inputs;
    std::vector<int> hidden;
    int outputs;
    int batch;
    int rows;
};
const Net toy{"toy_step", 2, {100, 100, 100}, 4, 100, 1000};
const Net mlp_1200{"mlp_step", 784, {1200, 1200}, 10, 128, 1280};

constexpr std::pair<const char*, const char*> families[] = {
    {"point_estimate", "point"},    {"bernoulli_dropout", "bernoulli"}, {"mean_field", "mean_field"},
    {"layer_scale", "layer_scale"}, {"tridiagonal", "tridiagonal"},
};

std::shared_ptr<const SplitData> random_data(const Net& net)
{
    auto data                 = std::make_shared<SplitData>();
    data->training.task       = Task::classification;
    data->training.n_rows     = net.rows;
    data->training.n_features = net.inputs;
    data->training_inputs.resize(static_cast<std::size_t>(net.rows) * net.inputs);
    standard_normals({1, Stream::data, 0}, 0, std::span<float>(data->training_inputs));
    data->training.labels.resize(net.rows);
    for (int i = 0; i < net.rows; ++i)
        data->training.labels[i] = i % net.outputs;
    return data;
}

std::unique_ptr<Trainer> make_trainer(const Net& net, const std::string& family)
{
    Architecture architecture = mlp(net.inputs, net.hidden, net.outputs);
    if (family == "bernoulli_dropout")
        architecture = with_dropout_before_weights(architecture, 0.2);
    const ParameterLayout layout = layout_of(architecture);
    PosteriorOptions posterior;
    posterior.family = family;
    TrainerOptions options;
    options.steps          = 1'000'000'000;
    options.batch_size     = net.batch;
    options.kl_weighting   = KlWeighting::uniform;
    options.kl_weight      = 1;
    options.kappa          = 50;
    options.optimizer.kind = OptimizerKind::momentum;   // the MLP of Steinbrener et al. 2020: rate 0.05, momentum 0.9
    options.schedule.learning_rate = 1e-4;              // random labels: only the speed matters, not the fit
    return std::make_unique<Trainer>(
        Model{architecture, {}, true}, Prior::same(layout, GaussianPrior{0, 1}), random_data(net),
        make_posterior<float>(layout, posterior, initial_weights(layout, Initialisation::he, 1)), options);
}

std::vector<LayerShape> shapes_of(const Net& net)
{
    std::vector<LayerShape> shapes;
    int width = net.inputs;
    for (int units : net.hidden) {
        shapes.push_back({width, units});
        width = units;
    }
    shapes.push_back({width, net.outputs});
    return shapes;
}

void training_step(benchmark::State& state, const Net& net, const std::string& family)
{
    const auto trainer = make_trainer(net, family);
    run_with_products(state, shapes_of(net), net.batch, Pass::training_step, [&] { trainer->step(); });
}

[[maybe_unused]] const bool steps_registered = [] {
    for (const Net* net : {&toy, &mlp_1200})
        for (const auto& [family, name] : families)
            benchmark::RegisterBenchmark((std::string(net->name) + "/" + name).c_str(), training_step, *net, family)
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
    return true;
}();

}   // namespace
}   // namespace credence::bench
