// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"
#include "network/architecture.h"
#include "posterior/posterior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace credence {

/// Weights begin..end-1 of one block: at most `longest` of them, so that the results for a tile are
/// still in the L1 cache when the next loop (or the optimiser after the sink) reads them.
struct WeightTile {
    static constexpr std::size_t longest = 1024;
    std::size_t block                    = 0;
    std::size_t begin = 0, end = 0;   ///< in the flat weight vector

    std::size_t size() const { return end - begin; }
};

/// Division of a flat weight vector for elementwise passes: into chunks (one task each), and these
/// into tiles inside one block. It depends on the layout only, so sums in the order of the tiles
/// have the same bits for any number of threads; the tiles are the same for any chunk length.
class WeightTiles {
public:
    explicit WeightTiles(const ParameterLayout& layout);

    std::size_t n_weights() const { return n_weights_; }
    std::size_t count() const { return tiles_.size(); }
    std::size_t n_chunks() const { return first_.size() - 1; }
    std::size_t chunk() const { return chunk_; }   ///< weights of each but the last
    const WeightTile& operator[](std::size_t i) const { return tiles_[i]; }

    /// Calls body(first tile, last tile + 1) once for each chunk, in parallel.
    template <class Body>
    void for_each_chunk(const Body& body) const
    {
        parallel_chunks(n_weights_, chunk_, [&](std::size_t begin, std::size_t) {
            const std::size_t chunk = begin / chunk_;
            body(first_[chunk], first_[chunk + 1]);
        });
    }

private:
    std::size_t n_weights_, chunk_;
    std::vector<WeightTile> tiles_;
    std::vector<std::size_t> first_;   // [n_chunks + 1], index of the first tile of each chunk
};

/// Workspace of one call, borrowed from the calling thread and returned at the end of the scope.
/// The thread keeps the memory, so repeated calls allocate only once. Scopes can be nested: a
/// thread that waits for its tasks can run another call meanwhile.
class Scratch {
public:
    explicit Scratch(std::size_t bytes);
    ~Scratch();
    Scratch(const Scratch&)            = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// n values, uninitialised, aligned to 64 bytes.
    template <class T>
    std::span<T> take(std::size_t n)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return {reinterpret_cast<T*>(allocate_bytes(n * sizeof(T))), n};
    }
    /// Bytes used by `take<T>(n)`.
    template <class T>
    static constexpr std::size_t bytes_for(std::size_t n)
    {
        return (n * sizeof(T) + 63) / 64 * 64;
    }

private:
    std::byte* allocate_bytes(std::size_t bytes);

    std::byte* next_;
    std::size_t left_;
};

/// The median over a block, for `describe`. For blocks with more than 4,096 weights it uses that
/// many at equal distances, since `describe` runs at every recorded step of a training and must not
/// slow it down.
template <class ValueAt>
double median_over_block(std::size_t n, const ValueAt& value_at)
{
    constexpr std::size_t most = 4096;
    if (n == 0)
        return 0;
    const std::size_t count = std::min(n, most);
    std::vector<float> values(count);
    for (std::size_t k = 0; k < count; ++k)
        values[k] = value_at(n <= most ? k : k * n / most);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (count % 2 != 0)
        return *middle;
    return 0.5 * (static_cast<double>(*middle) + static_cast<double>(*std::max_element(values.begin(), middle)));
}

/// σ/|μ| as displayed: infinite if only the mean is 0, and 0 if both are 0.
template <class T>
float relative_spread(T sd, T mean)
{
    return sd == 0 && mean == 0 ? 0 : static_cast<float>(sd / std::fabs(mean));
}

/// (1/n) Σ |x_k|
template <class T>
double mean_of_absolute(const T* x, std::size_t n)
{
    if (n == 0)
        return 0;
    return parallel_sum(
               n, elementwise_chunk,
               [&](std::size_t begin, std::size_t end) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = begin; k < end; ++k)
            sum += static_cast<double>(std::fabs(x[k]));
        return sum;
               })
        / static_cast<double>(n);
}

/// Describes independent weights.
/// @param means  [weights]
/// @param sd_at  i → the standard deviation of weight i; relative spreads are computed in its type
template <class T, class SdAt>
LayerUncertainty uncertainty_of_blocks(const ParameterLayout& layout, const T* means, const SdAt& sd_at)
{
    using Number = decltype(sd_at(std::size_t{0}));
    LayerUncertainty layers;
    for (const Block& block : layout.blocks) {
        const auto sd = [&](std::size_t k) { return sd_at(block.begin + k); };
        const T* mean = means + block.begin;
        layers.push_back(
            {.block        = block.name,
             .kind         = block.kind,
             .tau          = {},
             .rho          = {},
             .dropout_rate = {},
             .mean_abs     = mean_of_absolute(mean, block.size),
             .median_sd    = median_over_block(block.size, [&](std::size_t k) { return static_cast<float>(sd(k)); }),
             .median_relative_sd = median_over_block(block.size, [&](std::size_t k) {
                 return relative_spread<Number>(sd(k), static_cast<Number>(mean[k]));
             })});
    }
    return layers;
}

}   // namespace credence
