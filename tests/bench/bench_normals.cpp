// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_support.h"
#include "foundation/aligned_vector.h"
#include "random/noise.h"

#include <algorithm>

using namespace credence;

namespace {

constexpr std::size_t ten_million = 10'000'000;

void fill(std::span<float> out, std::uint32_t index)
{
    const NoiseKey key{.seed = 1, .stream = Stream::weight_noise, .index = index};
    parallel_chunks(out.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        standard_normals(key, begin, out.subspan(begin, end - begin));
    });
}

/// Ten million float normals into memory, on `threads`.
void normals(benchmark::State& state, Threads& threads)
{
    aligned_vector<float> out(ten_million);
    std::vector<double> times;
    threads.run([&] {
        fill(out, 0);   // touches the pages
        for (auto _ : state) {
            times.push_back(bench::seconds_of([&] { fill(out, static_cast<std::uint32_t>(times.size())); }));
            state.SetIterationTime(times.back());
        }
    });
    state.counters["median_ms"]     = bench::median(times) * 1e3;
    state.counters["best_ms"]       = *std::min_element(times.begin(), times.end()) * 1e3;
    state.counters["ns_per_normal"] = bench::median(times) * 1e9 / ten_million;
}

void normals_10m(benchmark::State& state) { normals(state, bench::threads()); }
BENCHMARK(normals_10m)->UseManualTime()->Unit(benchmark::kMillisecond);

void normals_10m_one_thread(benchmark::State& state)
{
    Threads one(1);
    normals(state, one);
}
BENCHMARK(normals_10m_one_thread)->UseManualTime()->Unit(benchmark::kMillisecond);

/// One chunk that stays in the cache: the cost of the numbers without memory traffic.
void normals_chunk(benchmark::State& state)
{
    aligned_vector<float> out(static_cast<std::size_t>(state.range(0)));
    std::uint64_t first = 0;
    for (auto _ : state) {
        standard_normals({.seed = 1, .stream = Stream::weight_noise, .index = 7}, first, std::span<float>(out));
        benchmark::DoNotOptimize(out.data());
        first += out.size();
    }
    state.counters["ns_per_normal"] = benchmark::Counter(static_cast<double>(out.size())
                                                             * static_cast<double>(state.iterations()) * 1e-9,
                                                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(normals_chunk)->Arg(1024)->Arg(8192);

}   // namespace
