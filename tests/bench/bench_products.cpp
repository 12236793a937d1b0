// SPDX-License-Identifier: GPL-3.0-or-later
// The three products of a dense layer: in tiles on the threads, compared with one plain Eigen call
// and the peak rate of multiply-adds in registers.
#include "bench/bench_support.h"
#include "foundation/aligned_vector.h"
#include "foundation/products.h"

#include <Eigen/Core>

#include <algorithm>
#include <vector>

using namespace credence;

namespace {

enum class Kind { forward, input_gradient, weight_gradient };

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Case {
    const char* name;
    Kind kind;
    int n, in, out;
};

double peak(int count)
{
    static const double one = bench::fma_peak_gflops(1), all = bench::fma_peak_gflops(bench::threads().count());
    return count == 1 ? one : all;
}

void product(benchmark::State& state, Case c)
{
    const Matrix x = Matrix::Random(c.n, c.in), w = Matrix::Random(c.out, c.in), dz = Matrix::Random(c.n, c.out);
    Matrix out(c.n, c.out), dx(c.n, c.in), dw(c.out, c.in);
    const auto tiled = [&] {
        switch (c.kind) {
        case Kind::forward: return product_forward(x.data(), w.data(), out.data(), c.n, c.in, c.out);
        case Kind::input_gradient:
            return product_input_gradient(dz.data(), w.data(), dx.data(), c.n, c.in, c.out, [](TileRange) {});
        case Kind::weight_gradient: return product_weight_gradient(dz.data(), x.data(), dw.data(), c.n, c.in, c.out);
        }
    };
    const auto eigen = [&] {
        switch (c.kind) {
        case Kind::forward: out.noalias() = x * w.transpose(); return;
        case Kind::input_gradient: dx.noalias() = dz * w; return;
        case Kind::weight_gradient: dw.noalias() = dz.transpose() * x; return;
        }
    };
    const double gflop = 2e-9 * c.n * c.in * c.out;
    std::vector<double> ours, plain;
    bench::threads().run([&] {
        tiled();
        for (auto _ : state) {   // in turns
            ours.push_back(bench::seconds_of(tiled));
            state.SetIterationTime(ours.back());
            if (ours.size() % 8 == 0) {
                eigen();
                for (int k = 0; k < 4; ++k)
                    plain.push_back(bench::seconds_of(eigen));
                tiled();
            }
        }
    });
    if (plain.empty())
        plain.push_back(bench::seconds_of(eigen));
    const int count     = bench::threads().count();
    const double gflops = gflop / bench::median(ours), eigen_gflops = gflop / bench::median(plain);
    state.counters["GFLOPS"]           = gflops;
    state.counters["best_GFLOPS"]      = gflop / *std::min_element(ours.begin(), ours.end());
    state.counters["eigen_GFLOPS"]     = eigen_gflops;
    state.counters["share_of_peak"]    = gflops / peak(count);
    state.counters["eigen_share"]      = eigen_gflops / peak(1);
    state.counters["over_eigen_share"] = gflops / peak(count)
                                         / (eigen_gflops / peak(1));   // 1: each thread as fast as Eigen alone
}

const int registered = [] {
    for (const Case& c : {Case{"products/forward_784_1200", Kind::forward, 128, 784, 1200},
                          Case{"products/forward_1200_1200", Kind::forward, 128, 1200, 1200},
                          Case{"products/forward_1200_10", Kind::forward, 128, 1200, 10},
                          Case{"products/weight_gradient_784_1200", Kind::weight_gradient, 128, 784, 1200},
                          Case{"products/weight_gradient_1200_1200", Kind::weight_gradient, 128, 1200, 1200},
                          Case{"products/weight_gradient_1200_10", Kind::weight_gradient, 128, 1200, 10},
                          Case{"products/input_gradient_1200_1200", Kind::input_gradient, 128, 1200, 1200},
                          Case{"products/input_gradient_1200_10", Kind::input_gradient, 128, 1200, 10},
                          Case{"products/toy/forward_2_100", Kind::forward, 100, 2, 100},
                          Case{"products/toy/forward_100_100", Kind::forward, 100, 100, 100},
                          Case{"products/toy/forward_100_4", Kind::forward, 100, 100, 4},
                          Case{"products/toy/weight_gradient_2_100", Kind::weight_gradient, 100, 2, 100},
                          Case{"products/toy/weight_gradient_100_100", Kind::weight_gradient, 100, 100, 100},
                          Case{"products/toy/weight_gradient_100_4", Kind::weight_gradient, 100, 100, 4},
                          Case{"products/toy/input_gradient_100_100", Kind::input_gradient, 100, 100, 100},
                          Case{"products/toy/input_gradient_100_4", Kind::input_gradient, 100, 100, 4}})
        benchmark::RegisterBenchmark(c.name, product, c)->UseManualTime()->Unit(benchmark::kMicrosecond);
    return 0;
}();

}   // namespace
