// SPDX-License-Identifier: GPL-3.0-or-later
// LeNet of Posch and Pilz 2021 (h = 100): optimiser steps of each family at batch 64, and
// predictions from 200 draws, compared with the plain products of its layers.
#include "conv_products.h"

#include "network/architecture.h"
#include "prediction/posterior_predictive.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <tuple>

namespace credence::bench {
namespace {

constexpr ImageShape mnist{1, 28, 28};
constexpr int batch = 64;

std::vector<float> random_images(int n)
{
    std::vector<float> images(static_cast<std::size_t>(n) * mnist.size());
    uniforms({1, Stream::data, 0}, 0, std::span<float>(images));
    return images;
}

Architecture lenet(const std::string& family)
{
    const Architecture plain = lenet_caffe(mnist, 100, 10);
    return family == "bernoulli_dropout" ? with_dropout_before_weights(plain, 0.2) : plain;
}

std::unique_ptr<VariationalFamily<float>> posterior_of(const std::string& family, const ParameterLayout& layout)
{
    PosteriorOptions options;
    options.family      = family;
    options.initial_tau = {0.4, 0.1};
    return make_posterior<float>(layout, options, initial_weights(layout, Initialisation::caffe, 1));
}

/// Runs `work` as the benchmark's iteration, alternating with the plain products, which it contains `times` times.
void run_with_products_of(benchmark::State& state, NetworkProducts& products, double times, function_ref<void()> work)
{
    std::vector<double> ours, bare, own;
    const auto products_turn = [&] {
        for (auto [by, seconds] :
             {std::pair{NetworkProducts::By::eigen, &bare}, std::pair{NetworkProducts::By::own, &own}}) {
            products.run(by);
            for (double spent = 0; spent < 0.02; spent += seconds->back())
                seconds->push_back(seconds_of([&] { products.run(by); }));
        }
        work();
    };
    threads().run([&] {
        work();
        products_turn();
        double spent = 0;
        for (auto _ : state) {
            ours.push_back(seconds_of(work));
            state.SetIterationTime(ours.back());
            if ((spent += ours.back()) > 0.03) {
                products_turn();
                spent = 0;
            }
        }
        products_turn();
    });
    state.counters["step_ms"]       = median(ours) * 1e3;
    state.counters["products_ms"]   = median(bare) * times * 1e3;
    state.counters["over_gemm"]     = median(ours) / (median(bare) * times);
    state.counters["over_own_gemm"] = median(ours) / (median(own) * times);
    state.SetLabel(products.ways());
}

void lenet_step(benchmark::State& state, const std::string& family)
{
    constexpr int rows        = 1280;
    auto data                 = std::make_shared<SplitData>();
    data->training.task       = Task::classification;
    data->training.n_rows     = rows;
    data->training.n_features = mnist.size();
    const auto images         = random_images(rows);
    data->training_inputs.assign(images.begin(), images.end());
    data->training.labels.resize(rows);
    for (int i = 0; i < rows; ++i)
        data->training.labels[i] = i % 10;
    const Architecture architecture = lenet(family);
    const ParameterLayout layout    = layout_of(architecture);
    TrainerOptions options;
    options.steps                  = 1'000'000'000;
    options.batch_size             = batch;
    options.kl_weight              = 1 / 6e6;
    options.kappa                  = 50;
    options.optimizer.kind         = OptimizerKind::momentum;
    options.schedule.learning_rate = 1e-4;   // random labels: only the speed matters, not the fit
    Trainer trainer(Model{architecture, {}, true}, Prior::same(layout, GaussianPrior{0, 1}), data,
                    posterior_of(family, layout), options);
    NetworkProducts products(lenet("point_estimate"), batch, Pass::training_step);
    run_with_products_of(state, products, 1, [&] { trainer.step(); });
}

/// All draws of all images, their mean and entropies, compared with the products of `product_images` images.
void predictive(benchmark::State& state, const std::string& family, int images, DrawsOf of)
{
    constexpr int draws             = 200;
    const Architecture architecture = lenet(family);
    const PosteriorPredictive posterior(Model{architecture, {}, true}, posterior_of(family, layout_of(architecture)),
                                        draws, 1, of);
    const auto inputs = random_images(images);
    const int at_once = std::min(images, 100);
    NetworkProducts products(lenet("point_estimate"), at_once, Pass::forward);
    run_with_products_of(state, products, double(draws) * images / at_once,
                         [&] { benchmark::DoNotOptimize(posterior.summarise(inputs, images)); });
}

[[maybe_unused]] const bool images_registered = [] {
    for (const auto& [family, name] : {std::pair{"point_estimate", "point"},
                                       {"bernoulli_dropout", "bernoulli"},
                                       {"mean_field", "mean_field"},
                                       {"layer_scale", "layer_scale"},
                                       {"tridiagonal", "tridiagonal"}})
        benchmark::RegisterBenchmark((std::string("lenet_step/") + name).c_str(), lenet_step, family)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("predictive_200x1000", predictive, "layer_scale", 1000, DrawsOf::weights)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    for (const auto& [name, family, of] : {std::tuple{"predictive_200x1", "layer_scale", DrawsOf::outputs},
                                           {"predictive_200x1_mean_field", "mean_field", DrawsOf::outputs},
                                           {"predictive_200x1_tridiagonal", "tridiagonal", DrawsOf::outputs},
                                           {"predictive_200x1_weights", "layer_scale", DrawsOf::weights}})
        benchmark::RegisterBenchmark(name, predictive, family, 1, of)->UseManualTime()->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("dropout_200x1000", predictive, "bernoulli_dropout", 1000, DrawsOf::weights)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    return true;
}();

}   // namespace
}   // namespace credence::bench
