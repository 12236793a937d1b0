// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "foundation/parallel.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

/// Shared by all benchmarks: threads, medians, and the plain matrix products that a step is
/// compared with. On a busy machine only ratios of adjacent measurements are meaningful, so both
/// sides alternate and their medians are compared.
namespace credence::bench {

/// The threads of every benchmark: CREDENCE_BENCH_THREADS, 2 if unset.
Threads& threads();

double median(std::vector<double> values);
double seconds_of(function_ref<void()> work);

struct LayerShape {
    int in, out;
};

enum class Pass {
    forward,         ///< for each layer n×i · i×o
    training_step,   ///< and the weight gradient, and the input gradient of all layers but the first
};

/// The plain products of a network in their own memory: nothing added, no bias, no activation.
class BareProducts {
public:
    enum class Way {
        threads,   ///< the library's tiled products on the benchmark's threads
        serial,    ///< the same on one thread
        eigen,     ///< one plain Eigen call per product, on one thread
    };
    BareProducts(std::vector<LayerShape> layers, int batch, Pass pass);
    ~BareProducts();

    void run(Way way);
    double flops() const;
    /// The fastest way for these shapes: medians of turns, found at the first call.
    Way fastest();
    static const char* name(Way way);

private:
    struct Memory;
    std::vector<LayerShape> layers_;
    int batch_;
    Pass pass_;
    std::vector<std::unique_ptr<Memory>> memory_;
    int fastest_ = -1;
};

/// Seconds of the plain products by the fastest way: median over at least 50 ms. For benchmarks
/// that cannot use `run_with_products`.
double seconds_of_products(std::vector<LayerShape> layers, int batch, Pass pass = Pass::training_step);

/// Runs `step` as the benchmark's iteration, on the benchmark's threads, alternating with the plain
/// products of the same shapes. Register with
/// `->UseManualTime()`. Counters: step_ms (median), products_ms (median), over_gemm = step /
/// products; label: the way of the products.
/// @param products_per_step  how often the products happen in one step, e.g. the number of draws
void run_with_products(benchmark::State& state, std::vector<LayerShape> layers, int batch, Pass pass,
                       function_ref<void()> step, double products_per_step = 1);

/// GFLOP/s of fused multiply-adds in registers, on `count` threads at once: an upper bound for every product.
double fma_peak_gflops(int count);

}   // namespace credence::bench
