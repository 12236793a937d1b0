// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/output_law.h"

#include "foundation/parallel.h"
#include "foundation/simd_vector.h"
#include "foundation/sized.h"
#include "foundation/wide_product.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace credence {
namespace {

using RowLanes          = Sixteen<float>;
constexpr int row_lanes = DenseOutputLaw::most_rows;
static_assert(row_lanes == RowLanes::lanes && padded_row<float>(row_lanes) == row_lanes);

}   // namespace

DenseOutputLaw::DenseOutputLaw(int in, int out, const Weights& weights, const Weights& biases)
    : in_(in), out_(out), rho_(static_cast<float>(weights.rho)), bias_rho_(static_cast<float>(biases.rho)),
      correlated_(weights.rho != 0 || biases.rho != 0), mean_(weights.mean), spread_(weights.sd),
      bias_mean_(biases.mean), bias_sd_(biases.sd)
{
    assert(weights.mean.size() == static_cast<std::size_t>(in) * static_cast<std::size_t>(out)
           && biases.mean.size() == static_cast<std::size_t>(out));
    if (!correlated_)
        parallel_chunks(weights.sd.size(), elementwise_chunk, [s = weights.sd](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                s[i] *= s[i];
        });
}

void DenseOutputLaw::moments(const float* x, int rows, Moments& to) const
{
    assert(rows <= most_rows);
    const auto inputs = static_cast<std::size_t>(in_) * row_lanes, outputs = static_cast<std::size_t>(out_) * row_lanes;
    float *lanes = sized(to.inputs, inputs), *mean = sized(to.mean, outputs), *spread = sized(to.spread, outputs);
    for (int i = 0; i < in_; ++i)
        for (int r = 0; r < row_lanes; ++r)
            lanes[i * row_lanes + r] = r < rows ? x[std::ptrdiff_t{r} * in_ + i] : 0.0f;
    wide_product(Strided<float>{mean_.data(), in_}, lanes, row_lanes, mean, row_lanes, out_, in_, row_lanes,
                 Begin::rows, bias_mean_.data());
    if (correlated_) {
        sized(to.covariance, outputs);
        correlated_variances(lanes, to);
        return;
    }
    float* squares = sized(to.squares, inputs);
#pragma omp simd
    for (std::size_t i = 0; i < inputs; ++i)
        squares[i] = lanes[i] * lanes[i];
    wide_product(Strided<float>{spread_.data(), in_}, squares, row_lanes, spread, row_lanes, out_, in_, row_lanes,
                 Begin::zero);
    for (int o = 0; o < out_; ++o) {
        const float bias = bias_sd_[static_cast<std::size_t>(o)] * bias_sd_[static_cast<std::size_t>(o)];
#pragma omp simd
        for (int r = 0; r < row_lanes; ++r)
            spread[o * row_lanes + r] = std::sqrt(spread[o * row_lanes + r] + bias);
    }
}

void DenseOutputLaw::correlated_variances(const float* x, Moments& to) const
{
    constexpr int at_once = 4;   // units, whose sums are independent
    const float strength = std::fabs(rho_), sign = rho_ < 0 ? -1.0f : 1.0f, alone = 1 - 2 * strength;
    const auto variances = [&]<int units>(std::integral_constant<int, units>, int first) {
        const float* s = spread_.data() + std::ptrdiff_t{first} * in_;
        RowLanes before[units], squares[units], pairs[units];
        for (int i = 0; i < in_; ++i) {
            const RowLanes input = RowLanes::load(x + i * row_lanes);
#pragma GCC unroll 4
            for (int u = 0; u < units; ++u) {
                const RowLanes a = s[std::ptrdiff_t{u} * in_ + i] * input, pair = before[u] + sign * a;
                squares[u] += a * a;
                pairs[u] += pair * pair;   // the first one: a_1²
                before[u] = a;
            }
        }
        for (int u = 0; u < units; ++u) {
            const float bias    = bias_sd_[static_cast<std::size_t>(first + u)];
            const auto variance = [=](auto square, auto pair, auto last) {
                return alone * square + strength * (pair + last * last) + bias * bias;
            };
            squares[u]
                .with(variance, pairs[u], before[u])
                .store(to.spread.data() + std::ptrdiff_t{first + u} * row_lanes);
        }
    };
    int first = 0;
    for (; first + at_once <= out_; first += at_once)
        variances(std::integral_constant<int, at_once>{}, first);
    for (; first < out_; ++first)
        variances(std::integral_constant<int, 1>{}, first);

    const RowLanes ends = rho_ * RowLanes::load(x) * RowLanes::load(x + std::ptrdiff_t{in_ - 1} * row_lanes);
    for (int o = 0; o < out_; ++o) {
        const auto unit = static_cast<std::size_t>(o), width = static_cast<std::size_t>(in_);
        RowLanes covariance;
        if (o + 1 < out_)
            covariance = ends * (spread_[(unit + 1) * width - 1] * spread_[(unit + 1) * width])
                         + bias_rho_ * bias_sd_[unit] * bias_sd_[unit + 1];
        covariance.store(to.covariance.data() + std::ptrdiff_t{o} * row_lanes);
    }
}

void DenseOutputLaw::draw(const Moments& moments, int row, const float* noise, float* z) const
{
    const float *mean = moments.mean.data() + row, *spread = moments.spread.data() + row;
    if (!correlated_) {
        for (int o = 0; o < out_; ++o)
            z[o] = mean[o * row_lanes] + spread[o * row_lanes] * noise[o];
        return;
    }
    const float* covariance = moments.covariance.data() + row;
    float shared            = 0;   // l_{o-1} = Cov(z_{o-1}, z_o) / d_{o-1}: share of the previous unit's noise
    for (int o = 0; o < out_; ++o) {
        const float d = std::sqrt(std::max(0.0f, spread[o * row_lanes] - shared * shared));
        z[o]          = mean[o * row_lanes] + d * noise[o] + (o > 0 ? shared * noise[o - 1] : 0.0f);
        shared        = d > 0 ? covariance[o * row_lanes] / d : 0.0f;
    }
}

}   // namespace credence
