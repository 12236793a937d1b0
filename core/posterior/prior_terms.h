// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "posterior/prior.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <numbers>

// Common names for both precisions, so that one template serves training in float (vectorised
// polynomials) and checks in double (libm).
namespace credence::lanes {

inline float exp(float t) { return fast_exp(t); }
inline double exp(double t) { return std::exp(t); }
inline float softplus(float t) { return fast_softplus(t); }
inline double softplus(double t) { return credence::softplus(t); }
inline float sigmoid(float t) { return fast_sigmoid(t); }
inline double sigmoid(double t) { return credence::sigmoid(t); }

/// softplus(t) and its derivative σ(t), from one exponential.
template <class T>
struct SoftplusSlope {
    T value, slope;
};
inline SoftplusSlope<float> softplus_slope(float t)
{
    const float z = fast_exp(-std::fabs(t));
    return {(t > 0.0f ? t : 0.0f) + fast_log1p_unit(z), (t < 0.0f ? z : 1.0f) / (1.0f + z)};
}
inline SoftplusSlope<double> softplus_slope(double t)
{
    const double z = std::exp(-std::fabs(t));
    return {(t > 0 ? t : 0) + std::log1p(z), (t < 0 ? z : 1) / (1 + z)};
}

}   // namespace credence::lanes

// The prior in loops over many weights. Same formulas as in prior.cpp, arranged for vectorisation.

namespace credence {

/// The Gaussian prior of a block. @throws Error (field "training.complexity") if the block has a
/// mixture, whose KL has no closed form
inline const GaussianPrior& gaussian_of(const Prior& prior, const ParameterLayout& layout, std::size_t block)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[block]))
        return *gaussian;
    throw Error("training.complexity", "training.complexity is closed, but the scale mixture prior of block \""
                                           + layout.blocks[block].name + "\" has no closed KL; expected sampled.");
}

inline bool all_gaussian(const Prior& prior)
{
    for (const BlockPrior& block : prior.blocks)
        if (!std::holds_alternative<GaussianPrior>(block))
            return false;
    return true;
}

/// Calls loop(mean_at), where mean_at(i) is the prior mean of weight i of the flat vector: one
/// number, or the listed means.
template <class T, class Loop>
void with_prior_mean(const Prior& prior, const GaussianPrior& gaussian, const Loop& loop)
{
    if (prior.means.empty()) {
        loop([mean = static_cast<T>(gaussian.mean)](std::size_t) { return mean; });
    } else {
        const double* const means = prior.means.data();
        loop([means](std::size_t i) { return static_cast<T>(means[i]); });
    }
}

/// A scale mixture with precomputed logarithms.
template <class T>
struct MixtureTerms {
    T wide_precision, narrow_precision;   ///< 1/σ²
    T wide_log, narrow_log;               ///< ln π - ln σ1 - ½ ln 2π, and of the narrow one
    T gap, gap_slope;                     ///< l1 - l2 = gap + gap_slope w²

    explicit MixtureTerms(const ScaleMixturePrior& prior)
    {
        const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);
        const double p1 = 1 / (prior.sigma_wide * prior.sigma_wide), p2 = 1 / (prior.sigma_narrow * prior.sigma_narrow);
        const double l1  = std::log(prior.pi) - std::log(prior.sigma_wide),
                     l2  = std::log1p(-prior.pi) - std::log(prior.sigma_narrow);
        wide_precision   = static_cast<T>(p1);
        narrow_precision = static_cast<T>(p2);
        wide_log         = static_cast<T>(l1 - half_log_two_pi);
        narrow_log       = static_cast<T>(l2 - half_log_two_pi);
        gap              = static_cast<T>(l1 - l2);
        gap_slope        = static_cast<T>(0.5 * (p2 - p1));
    }

    /// R and 1 - R: both from one exponential, neither as a difference from 1.
    struct Shares {
        T wide, narrow;
    };
    Shares shares(T w) const
    {
        const T difference = gap + gap_slope * w * w;
        const T e          = lanes::exp(-std::fabs(difference));
        const T larger = 1 / (1 + e), smaller = e * larger;
        return {difference >= 0 ? larger : smaller, difference >= 0 ? smaller : larger};
    }
    /// -∂ln p/∂w = w (R/σ1² + (1-R)/σ2²)
    T pull(T w) const
    {
        const auto [wide, narrow] = shares(w);
        return w * (wide * wide_precision + narrow * narrow_precision);
    }
    /// ln p(w) = max(l1, l2) + softplus(-|l1 - l2|)
    T log_density(T w) const
    {
        const T l1 = wide_log - T(0.5) * wide_precision * w * w, l2 = narrow_log - T(0.5) * narrow_precision * w * w;
        const T larger = l1 > l2 ? l1 : l2, gap_down = (l1 > l2 ? l2 : l1) - larger;
        return larger
               + lanes::softplus(gap_down > T(-40) ? gap_down
                                                   : T(-40));   // e^-40 adds nothing; its square is not yet subnormal
    }
};

/// pull[k] = -∂ln p/∂w at weight begin + k.
/// @param w  [n] weights begin .. begin + n - 1
template <class T>
void prior_pull(const Prior& prior, std::size_t block, std::size_t begin, const T* w, std::size_t n, T* pull)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[block])) {
        const T precision = static_cast<T>(1 / (gaussian->sd * gaussian->sd));
        with_prior_mean<T>(prior, *gaussian, [&](auto mean_at) {
#pragma omp simd
            for (std::size_t k = 0; k < n; ++k)
                pull[k] = (w[k] - mean_at(begin + k)) * precision;
        });
    } else {
        const MixtureTerms<T> terms(std::get<ScaleMixturePrior>(prior.blocks[block]));
#pragma omp simd
        for (std::size_t k = 0; k < n; ++k)
            pull[k] = terms.pull(w[k]);
    }
}

/// Σ ln p(w_i) over weights begin .. begin + n - 1, nats.
template <class T>
double prior_log_density(const Prior& prior, std::size_t block, std::size_t begin, const T* w, std::size_t n)
{
    double sum = 0;
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[block])) {
        const double scale = 1 / gaussian->sd;
        with_prior_mean<double>(prior, *gaussian, [&](auto mean_at) {
#pragma omp simd reduction(+ : sum)
            for (std::size_t k = 0; k < n; ++k) {
                const double z = (static_cast<double>(w[k]) - mean_at(begin + k)) * scale;
                sum += z * z;
            }
        });
        return -0.5 * sum - static_cast<double>(n) * (std::log(gaussian->sd) + 0.5 * std::log(2 * std::numbers::pi));
    }
    const MixtureTerms<T> terms(std::get<ScaleMixturePrior>(prior.blocks[block]));
    constexpr std::size_t at_once = 512;
    alignas(64) T each[at_once];
    for (std::size_t from = 0; from < n; from += at_once) {
        const std::size_t count = from + at_once < n ? at_once : n - from;
#pragma omp simd
        for (std::size_t k = 0; k < count; ++k)
            each[k] = terms.log_density(w[from + k]);
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = 0; k < count; ++k)
            sum += static_cast<double>(each[k]);
    }
    return sum;
}

/// Σ ln|x_k|, nats. In float, without a logarithm per number: exponents are added, mantissas in [1,
/// 2) multiplied, 512 at a time.
inline double sum_of_logs(const double* x, std::size_t n)
{
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
        sum += std::log(std::fabs(x[k]));
    return sum;
}
inline double sum_of_logs(const float* x, std::size_t n)
{
    constexpr std::size_t at_once = 512;
    double sum                    = 0;
    for (std::size_t begin = 0; begin < n; begin += at_once) {
        const std::size_t end = begin + at_once < n ? begin + at_once : n;
        double product        = 1;
        int exponents = 0, subnormal = 0;
#pragma omp simd reduction(* : product) reduction(+ : exponents, subnormal)
        for (std::size_t k = begin; k < end; ++k) {
            const auto bits     = std::bit_cast<std::int32_t>(x[k]);
            const auto exponent = (bits >> 23) & 0xff;
            exponents += exponent - 127;
            subnormal += exponent == 0 || exponent == 0xff ? 1 : 0;
            product *= static_cast<double>(std::bit_cast<float>((bits & 0x7fffff) | 0x3f800000));
        }
        if (subnormal == 0)
            sum += std::log(product) + std::numbers::ln2 * exponents;
        else   // zeros, subnormal numbers, infinities and NaN separately
            for (std::size_t k = begin; k < end; ++k)
                sum += std::log(std::fabs(static_cast<double>(x[k])));
    }
    return sum;
}

/// -limit..limit; a limit of 0 means none.
template <class T>
struct Limit {
    T largest;
    explicit Limit(double limit) : largest(limit > 0 ? static_cast<T>(limit) : std::numeric_limits<T>::infinity()) {}
    T operator()(T value) const
    {
        value = value > largest ? largest : value;
        return value < -largest ? -largest : value;
    }
};

}   // namespace credence
