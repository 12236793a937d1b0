// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// What a stream of random numbers is for. Two purposes never share numbers. Values are part of every saved result: append only.
enum class Stream : std::uint32_t {
    data              = 1,   ///< toy generators
    split             = 2,   ///< training / test split
    initial_weights   = 3,
    minibatches       = 4,   ///< the order of examples in an epoch
    weight_noise      = 5,   ///< draws from the posterior during training
    dropout           = 6,
    guards            = 7,   ///< coins of the numerical guards
    prediction        = 8,   ///< draws from the posterior for predictions
    prediction_dropout = 9,
    figures           = 10,  ///< whatever a figure draws
    samplers          = 11,  ///< noise of Markov chains
};

/// Names one infinite sequence of random numbers: number `i` of a key is a pure function of (seed, stream, index, i).
/// Philox4x32-10 (Salmon et al. 2011): key = seed, counter = (i / 4, index, stream).
struct NoiseKey {
    std::uint64_t seed   = 0;
    Stream        stream = Stream::data;
    std::uint32_t index  = 0;   ///< the step, the draw, the epoch: one key for each

    bool operator==(const NoiseKey&) const = default;
};

/// out[j] = number `first + j` of the key's standard normals (Box–Muller on Philox): a range filled in pieces is the range filled at once.
/// Multiples of 64 for `first` are fastest. Sequential: callers cut their range into chunks.
void standard_normals(NoiseKey key, std::uint64_t first, std::span<float> out);
void standard_normals(NoiseKey key, std::uint64_t first, std::span<double> out);   ///< its own sequence, 53 bits

/// Uniform on (0, 1): never 0, never 1.
void uniforms(NoiseKey key, std::uint64_t first, std::span<float> out);
void uniforms(NoiseKey key, std::uint64_t first, std::span<double> out);

/// A random order of 0..n-1 (Fisher–Yates on the key's bits, no modulo bias).
void permutation(NoiseKey key, std::span<std::uint32_t> out);
std::vector<std::uint32_t> permutation(NoiseKey key, std::size_t n);

}  // namespace credence
