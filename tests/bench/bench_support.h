// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "foundation/parallel.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

/// What all benchmarks share: the threads, medians, and the bare matrix products that a step is measured against. On a busy machine only
/// ratios of neighbouring measurements mean something, so both sides are measured in turns and compared by their medians.
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

/// The bare products of a net, with memory of their own: nothing added, no bias, no activation.
class BareProducts {
public:
    enum class Way {
        threads,   ///< the library's tiled products on the benchmark's threads
        serial,    ///< the same on one thread
        eigen,     ///< one plain call of Eigen a product, on one thread
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

/// Seconds of the bare products by the fastest way: median over at least 50 ms. For benchmarks that cannot use `run_beside_products`.
double seconds_of_products(std::vector<LayerShape> layers, int batch, Pass pass = Pass::training_step);

/// Runs `step` as the benchmark's iteration, on the benchmark's threads, in turns with the bare products of the same shapes. Register with
/// `->UseManualTime()`. Counters: step_ms (median), products_ms (median), over_gemm = step / products; label: the way of the products.
/// @param products_per_step  how often the products happen in one step, e.g. the number of draws
void run_beside_products(benchmark::State& state, std::vector<LayerShape> layers, int batch, Pass pass,
                         function_ref<void()> step, double products_per_step = 1);

/// GFLOP/s of fused multiply-adds in registers, on `count` threads at once: what no product can exceed.
double fma_peak_gflops(int count);

}   // namespace credence::bench
