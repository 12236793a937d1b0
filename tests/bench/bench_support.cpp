// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_support.h"

#include "foundation/aligned_vector.h"
#include "foundation/products.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace credence::bench {

Threads& threads()
{
    static Threads the([] {
        const char* count = std::getenv("CREDENCE_BENCH_THREADS");
        return count != nullptr && std::atoi(count) > 0 ? std::atoi(count) : 2;
    }());
    return the;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double seconds_of(function_ref<void()> work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {

aligned_vector<float> numbers(std::size_t n)
{
    aligned_vector<float> v(n);
    for (std::size_t k = 0; k < n; ++k)
        v[k] = std::sin(0.7f * static_cast<float>(k % 7919));
    return v;
}

Threads& one_thread()
{
    static Threads the(1);
    return the;
}

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In     = Eigen::Map<const Matrix, Eigen::Aligned64>;
using Out    = Eigen::Map<Matrix, Eigen::Aligned64>;

}   // namespace

struct BareProducts::Memory {
    Memory(LayerShape s, int n)
        : x(numbers(static_cast<std::size_t>(n) * s.in)), w(numbers(static_cast<std::size_t>(s.out) * s.in)),
          dz(numbers(static_cast<std::size_t>(n) * s.out)), out(dz.size()), dx(x.size()), dw(w.size())
    {}
    aligned_vector<float> x, w, dz, out, dx, dw;
};

BareProducts::BareProducts(std::vector<LayerShape> layers, int batch, Pass pass)
    : layers_(std::move(layers)), batch_(batch), pass_(pass)
{
    for (const LayerShape& s : layers_)
        memory_.push_back(std::make_unique<Memory>(s, batch));
}

BareProducts::~BareProducts() = default;

void BareProducts::run(Way way)
{
    const auto forward = [&](Memory& m, LayerShape s) {
        if (way == Way::eigen)
            Out(m.out.data(), batch_, s.out).noalias() = In(m.x.data(), batch_, s.in)
                                                         * In(m.w.data(), s.out, s.in).transpose();
        else
            product_forward(m.x.data(), m.w.data(), m.out.data(), batch_, s.in, s.out);
    };
    const auto weight_gradient = [&](Memory& m, LayerShape s) {
        if (way == Way::eigen)
            Out(m.dw.data(), s.out, s.in).noalias() = In(m.dz.data(), batch_, s.out).transpose()
                                                      * In(m.x.data(), batch_, s.in);
        else
            product_weight_gradient(m.dz.data(), m.x.data(), m.dw.data(), batch_, s.in, s.out);
    };
    const auto input_gradient = [&](Memory& m, LayerShape s) {
        if (way == Way::eigen)
            Out(m.dx.data(), batch_, s.in).noalias() = In(m.dz.data(), batch_, s.out) * In(m.w.data(), s.out, s.in);
        else
            product_input_gradient(m.dz.data(), m.w.data(), m.dx.data(), batch_, s.in, s.out, [](TileRange) {});
    };
    const auto all = [&] {
        for (std::size_t l = 0; l < layers_.size(); ++l)
            forward(*memory_[l], layers_[l]);
        if (pass_ == Pass::training_step)
            for (std::size_t l = layers_.size(); l-- > 0;) {
                weight_gradient(*memory_[l], layers_[l]);
                if (l > 0)
                    input_gradient(*memory_[l], layers_[l]);
            }
    };
    if (way == Way::serial)
        one_thread().run(all);
    else
        threads().run(all);
}

double BareProducts::flops() const
{
    double sum = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l)
        sum += 2.0 * batch_ * layers_[l].in * layers_[l].out * (pass_ == Pass::forward ? 1 : l == 0 ? 2 : 3);
    return sum;
}

BareProducts::Way BareProducts::fastest()
{
    if (fastest_ < 0) {
        constexpr std::array ways{Way::threads, Way::serial, Way::eigen};
        std::array<std::vector<double>, 3> times;
        for (double spent = 0; spent < 0.15 || times[0].size() < 7;)
            for (std::size_t k = 0; k < ways.size(); ++k) {
                run(ways[k]);   // warm
                times[k].push_back(seconds_of([&] { run(ways[k]); }));
                spent += times[k].back();
            }
        std::array<double, 3> medians;
        std::transform(times.begin(), times.end(), medians.begin(), median);
        fastest_ = static_cast<int>(std::min_element(medians.begin(), medians.end()) - medians.begin());
    }
    return static_cast<Way>(fastest_);
}

const char* BareProducts::name(Way way)
{
    switch (way) {
    case Way::threads: return "products: in tiles on the threads";
    case Way::serial: return "products: in tiles, serial";
    case Way::eigen: return "products: plain Eigen, serial";
    }
    return "";
}

double seconds_of_products(std::vector<LayerShape> layers, int batch, Pass pass)
{
    BareProducts products(std::move(layers), batch, pass);
    const auto way = products.fastest();
    std::vector<double> times;
    threads().run([&] {
        for (double spent = 0; spent < 0.05 || times.size() < 7; spent += times.back())
            times.push_back(seconds_of([&] { products.run(way); }));
    });
    return median(times);
}

void run_with_products(benchmark::State& state, std::vector<LayerShape> layers, int batch, Pass pass,
                       function_ref<void()> step, double products_per_step)
{
    BareProducts products(std::move(layers), batch, pass);
    const auto way        = products.fastest();
    constexpr double turn = 0.01;   // seconds per turn of each side
    std::vector<double> steps, bare;
    threads().run([&] {
        const auto products_turn = [&] {
            products.run(way);   // warm up: the step has evicted the caches
            for (double spent = 0; spent < turn || spent == 0; spent += bare.back())
                bare.push_back(seconds_of([&] { products.run(way); }));
            step();
        };
        products_turn();
        double spent = 0;
        for (auto _ : state) {
            steps.push_back(seconds_of(step));
            state.SetIterationTime(steps.back());
            if ((spent += steps.back()) > turn) {
                products_turn();
                spent = 0;
            }
        }
        products_turn();
    });
    const double step_seconds = median(steps), products_seconds = median(bare) * products_per_step;
    state.counters["step_ms"]     = step_seconds * 1e3;
    state.counters["products_ms"] = products_seconds * 1e3;
    state.counters["over_gemm"]   = step_seconds / products_seconds;
    state.SetLabel(BareProducts::name(way));
}

namespace {

/// Two flops per lane, accumulator and round; twenty chains hide the latency on all current machines.
constexpr int chains = 20, rounds = 20000;
using Packet = Eigen::internal::packet_traits<float>::type;

float multiply_add_in_registers()
{
    using namespace Eigen::internal;
    Packet sums[chains];
    for (Packet& s : sums)
        s = pset1<Packet>(1.0f);
    Packet a = pset1<Packet>(0.999f), b = pset1<Packet>(1e-3f);
    asm volatile("" : "+v"(a), "+v"(b));
    for (int r = 0; r < rounds; ++r) {
#pragma GCC unroll 20
        for (int c = 0; c < chains; ++c)
            sums[c] = pmadd(sums[c], a, b);
    }
    float total = 0;
    for (const Packet& s : sums)
        total += predux(s);
    return total;
}

}   // namespace

double fma_peak_gflops(int count)
{
    Threads workers(count);
    std::vector<double> times;
    const double flops = 2.0 * sizeof(Packet) / sizeof(float) * chains * rounds * count;
    workers.run([&] {
        for (int repetition = 0; repetition < 41; ++repetition)
            times.push_back(seconds_of([&] {
                parallel_for(static_cast<std::size_t>(count),
                             [](std::size_t) { benchmark::DoNotOptimize(multiply_add_in_registers()); });
            }));
    });
    return flops / *std::min_element(times.begin(), times.end()) * 1e-9;
}

}   // namespace credence::bench
