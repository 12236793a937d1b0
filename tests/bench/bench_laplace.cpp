// SPDX-License-Identifier: GPL-3.0-or-later
// Curvature of LeNet (h = 100) on 60,000 images compared with one training epoch, and the cost of a
// Laplace approximation.
#include "bench_support.h"

#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "network/architecture.h"
#include "prediction/linearised_logits.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <ctime>

namespace credence::bench {
namespace {

constexpr ImageShape digit_shape{1, 28, 28};
constexpr int fit_batch = 64, images = 60000;

struct LeNet {
    Model model{lenet_caffe(digit_shape, 100, 10), {}, false};
    ParameterLayout layout          = layout_of(model.architecture);
    std::vector<float> map          = initial_weights(layout, Initialisation::caffe, 1);
    std::shared_ptr<SplitData> data = std::make_shared<SplitData>();

    explicit LeNet(int n)
    {
        data->training.task       = Task::classification;
        data->training.n_rows     = static_cast<std::size_t>(n);
        data->training.n_features = digit_shape.size();
        data->training_inputs.resize(static_cast<std::size_t>(n) * digit_shape.size());
        uniforms({1, Stream::data, 0}, 0, std::span<float>(data->training_inputs));
        for (int i = 0; i < n; ++i)
            data->training.labels.push_back(i % 10);
    }
    std::shared_ptr<const Curvature> curvature(CurvatureStructure structure,
                                               CurvatureLayers layers = CurvatureLayers::all) const
    {
        return fit_curvature(model, map, *data, {structure, layers, CurvatureKind::ggn, KroneckerForm::joint});
    }
};

void laplace_curvature(benchmark::State& state, CurvatureStructure structure, CurvatureLayers layers)
{
    const LeNet net(images);
    TrainerOptions options;
    options.steps                  = 1'000'000'000;
    options.batch_size             = fit_batch;
    options.optimizer.kind         = OptimizerKind::momentum;
    options.schedule.learning_rate = 1e-4;   // random labels: only the speed matters, not the fit
    Trainer trainer(net.model, Prior::same(net.layout, GaussianPrior{0, 1}), net.data,
                    make_posterior<float>(net.layout, {.family = "point_estimate"}, net.map), options);
    std::vector<double> steps, ours;
    double cpu_steps = 0, cpu_ours = 0;   // CPU time of all threads, which a busy machine distorts less
    const auto cpu_of = [](double& sum, auto work) {
        const std::clock_t begin = std::clock();
        work();
        sum += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    threads().run([&] {
        const auto steps_turn = [&] {
            cpu_of(cpu_steps, [&] {
                for (int i = 0; i < 100; ++i)
                    steps.push_back(seconds_of([&] { trainer.step(); }));
            });
        };
        steps_turn();
        for (auto _ : state) {
            cpu_of(cpu_ours, [&] {
                ours.push_back(seconds_of([&] { benchmark::DoNotOptimize(net.curvature(structure, layers)); }));
            });
            state.SetIterationTime(ours.back());
            steps_turn();
        }
    });
    state.counters["curvature_s"]    = median(ours);
    state.counters["epoch_s"]        = median(steps) * images / fit_batch;
    state.counters["cpu_over_epoch"] = cpu_ours / static_cast<double>(ours.size())
                                       / (cpu_steps / static_cast<double>(steps.size()) * images / fit_batch);
    state.counters["over_epoch"] = median(ours) / (median(steps) * images / fit_batch);
}

/// μ, diag Σ and row sums of the logits of 1,000 images.
void linearised(benchmark::State& state, CurvatureStructure structure)
{
    const LeNet net(1000);
    threads().run([&] {
        const LaplaceGaussian<float> posterior(net.curvature(structure), 1);
        for (auto _ : state)
            state.SetIterationTime(seconds_of([&] {
                benchmark::DoNotOptimize(linearised_moments(net.model, posterior, net.data->training_inputs, 1000));
            }));
    });
}

void draw(benchmark::State& state, CurvatureStructure structure)
{
    const LeNet net(640);
    threads().run([&] {
        const LaplaceGaussian<float> posterior(net.curvature(structure), 1);
        auto draw            = posterior.make_draw();
        std::uint32_t number = 0;
        for (auto _ : state)
            state.SetIterationTime(seconds_of([&] { posterior.draw({1, Stream::prediction, number++}, draw); }));
    });
}

[[maybe_unused]] const bool laplace_registered = [] {
    benchmark::RegisterBenchmark("laplace_curvature/kronecker", laplace_curvature, CurvatureStructure::kronecker,
                                 CurvatureLayers::all)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    benchmark::RegisterBenchmark("laplace_curvature/diagonal", laplace_curvature, CurvatureStructure::diagonal,
                                 CurvatureLayers::all)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    benchmark::RegisterBenchmark("laplace_curvature/last_full", laplace_curvature, CurvatureStructure::full,
                                 CurvatureLayers::last)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    for (const auto& [structure, name] :
         {std::pair{CurvatureStructure::diagonal, "diagonal"}, {CurvatureStructure::kronecker, "kronecker"}}) {
        benchmark::RegisterBenchmark((std::string("laplace_linearised_1000/") + name).c_str(), linearised, structure)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark((std::string("laplace_draw/") + name).c_str(), draw, structure)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    }
    return true;
}();

}   // namespace
}   // namespace credence::bench
