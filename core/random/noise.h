// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// The purpose of a stream of random numbers. Two purposes never share numbers. Values are part of
/// every saved result: append only.
enum class Stream : std::uint32_t {
    data               = 1,   ///< toy generators
    split              = 2,   ///< training / test split
    initial_weights    = 3,
    minibatches        = 4,   ///< the order of examples in an epoch
    weight_noise       = 5,   ///< weight samples during training
    dropout            = 6,
    guards             = 7,   ///< random choices of the numerical guards
    prediction         = 8,   ///< weight samples for predictions
    prediction_dropout = 9,
    figures            = 10,   ///< random numbers of figures
    samplers           = 11,   ///< noise of Markov chains
    logits             = 12,   ///< samples of logits and of class probabilities
    attacks            = 13,   ///< weight samples for gradients of attacks, and random signs
    attack_dropout     = 14,
    bandit_contexts    = 15,   ///< contexts of an agent
    bandit_coins       = 16,   ///< whether a poisonous mushroom does harm
    bandit_choices     = 17,   ///< random choices of an agent: its action, the ensemble member used
    prediction_outputs = 18,   ///< outputs of one input, sampled instead of weights
    prior_draws        = 19,   ///< weight samples from the prior
    directions         = 20,   ///< random directions in weight space
    active_learning    = 21,   ///< pool, starting rows and random choices of active learning
    corruptions        = 22,   ///< random numbers of image corruptions
    conformal          = 23,   ///< random shares of conformal scores
    calibration_band   = 24,   ///< events drawn from predicted probabilities, for the bands of CORP
};

/// Names one infinite sequence of random numbers: number `i` of a key is a pure function of (seed,
/// stream, index, i). Philox4x32-10 (Salmon et al. 2011), four words of 32 bits a block:
///
///     key     = (seed mod 2^32, seed / 2^32)
///     counter = (block mod 2^32, block / 2^32 + 2^24 * kind, index, stream)
///
/// `kind` distinguishes the sequences below (bits 0, float normals 1, double normals 2, float
/// uniforms 3, double uniforms 4, permutation 5), so
/// that they can share a key. Number i of a float sequence comes from block i / 4, of a double
/// sequence from block i / 2; i < 2^57.
struct NoiseKey {
    std::uint64_t seed  = 0;
    Stream stream       = Stream::data;
    std::uint32_t index = 0;   ///< step, sample or epoch: one key for each

    bool operator==(const NoiseKey&) const = default;
};

/// The raw bits: word i is word i mod 4 of block i / 4.
void random_bits(NoiseKey key, std::uint64_t first, std::span<std::uint32_t> out);

/// out[j] = number `first + j` of the key's standard normals: a range filled in parts equals the
/// range filled at once. Box–Muller: a pair of words (a, b) gives sqrt(-2 ln u(a)) * (cos φ(b), sin
/// φ(b)), u of 31 bits (so |z| < 6.7), φ of 32. Multiples of 64 for `first` are fastest.
/// Sequential: callers cut their range into chunks; chunks of 1024 and more run at full speed.
void standard_normals(NoiseKey key, std::uint64_t first, std::span<float> out);
void standard_normals(NoiseKey key, std::uint64_t first,
                      std::span<double> out);   ///< its own sequence, 53 bits, |z| < 8.6

/// Uniform on (0, 1), never 0, never 1: odd multiples of 2^-24 (float) or 2^-53 (double).
void uniforms(NoiseKey key, std::uint64_t first, std::span<float> out);
void uniforms(NoiseKey key, std::uint64_t first, std::span<double> out);

/// A random order of 0..n-1 (Fisher–Yates on the key's bits, no modulo bias).
void permutation(NoiseKey key, std::span<std::uint32_t> out);
std::vector<std::uint32_t> permutation(NoiseKey key, std::size_t n);

}   // namespace credence
