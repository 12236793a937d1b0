// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/output_law.h"

#include "foundation/parallel.h"
#include "foundation/sized.h"
#include "foundation/wide_product.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace credence {
namespace {

constexpr int turned_at_once = 16;   // rows and columns of a matrix that is transposed

/// to [in × row] = f(from [out × in])ᵀ, zeros behind the units.
template <class F>
void transpose(const float* from, int out, int in, std::ptrdiff_t row, float* to, F f)
{
    parallel_chunks(static_cast<std::size_t>(in), 4 * turned_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::ptrdiff_t o = 0; o < row; o += turned_at_once)
            for (std::size_t i = begin; i < end; ++i)
                for (std::ptrdiff_t u = o; u < std::min(row, o + turned_at_once); ++u)
                    to[static_cast<std::ptrdiff_t>(i) * row + u] = u < out ? f(
                                                                       from[u * in + static_cast<std::ptrdiff_t>(i)])
                                                                           : 0.0f;
    });
}

}   // namespace

DenseOutputLaw::DenseOutputLaw(int in, int out, const Weights& weights, const Weights& biases)
    : in_(in), out_(out), row_(padded_row<float>(out)), rho_(static_cast<float>(weights.rho)),
      bias_rho_(static_cast<float>(biases.rho)), correlated_(weights.rho != 0 || biases.rho != 0),
      mean_(static_cast<std::size_t>(in) * static_cast<std::size_t>(row_)), spread_(mean_.size()),
      bias_mean_(biases.mean.begin(), biases.mean.end()), bias_sd_(biases.sd.begin(), biases.sd.end())
{
    assert(weights.mean.size() == static_cast<std::size_t>(in) * static_cast<std::size_t>(out)
           && biases.mean.size() == static_cast<std::size_t>(out));
    transpose(weights.mean.data(), out, in, row_, mean_.data(), [](float m) { return m; });
    transpose(weights.sd.data(), out, in, row_, spread_.data(),
              [square = !correlated_](float s) { return square ? s * s : s; });
    bias_mean_.resize(static_cast<std::size_t>(row_));
    bias_sd_.resize(static_cast<std::size_t>(row_));
}

void DenseOutputLaw::moments(const float* x, int rows, Moments& to) const
{
    const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(row_);
    to.row                 = row_;
    float* mean            = sized(to.mean, size);
    float* sd              = sized(to.sd, size);
    wide_product(Strided<float>{x, in_}, mean_.data(), row_, mean, row_, rows, in_, out_, Begin::zero);
    if (correlated_)
        sized(to.covariance, size);
    else {
        const std::size_t inputs = static_cast<std::size_t>(rows) * static_cast<std::size_t>(in_);
        float* squares           = sized(to.squares, inputs);
#pragma omp simd
        for (std::size_t i = 0; i < inputs; ++i)
            squares[i] = x[i] * x[i];
        wide_product(Strided<float>{squares, in_}, spread_.data(), row_, sd, row_, rows, in_, out_, Begin::zero);
    }
    for (int r = 0; r < rows; ++r) {
        float *m = mean + r * row_, *s = sd + r * row_;
        if (correlated_) {
            correlated_variances(x + std::ptrdiff_t{r} * in_, s, to.covariance.data() + r * row_);
#pragma omp simd
            for (int o = 0; o < out_; ++o)
                m[o] += bias_mean_[o];
            continue;
        }
#pragma omp simd
        for (int o = 0; o < out_; ++o) {
            m[o] += bias_mean_[o];
            s[o] = std::sqrt(s[o] + bias_sd_[o] * bias_sd_[o]);
        }
    }
}

void DenseOutputLaw::correlated_variances(const float* x, float* variance, float* covariance) const
{
    constexpr int width  = 64;   // units at once: their sums stay in registers
    const float strength = std::fabs(rho_), sign = rho_ < 0 ? -1.0f : 1.0f, alone = 1 - 2 * strength;
    for (std::ptrdiff_t first = 0; first < row_; first += width) {
        const int units                 = static_cast<int>(std::min<std::ptrdiff_t>(width, row_ - first));
        alignas(64) float before[width] = {}, squares[width] = {}, pairs[width] = {};
        const auto take = [&](auto n) {
            for (int i = 0; i < in_; ++i) {
                const float* s = spread_.data() + i * row_ + first;
#pragma omp simd
                for (int u = 0; u < n; ++u) {
                    const float a = s[u] * x[i], sum = before[u] + sign * a;
                    squares[u] += a * a;
                    pairs[u] += sum * sum;   // i = 0: a_1²
                    before[u] = a;
                }
            }
        };
        if (units == width)
            take(std::integral_constant<int, width>{});
        else
            take(units);
#pragma omp simd
        for (int u = 0; u < units; ++u) {
            const float s       = bias_sd_[first + u];
            variance[first + u] = alone * squares[u] + strength * (pairs[u] + before[u] * before[u]) + s * s;
        }
    }
    const float *head = spread_.data(), *tail = head + (in_ - 1) * row_;
    const float ends = rho_ * x[in_ - 1] * x[0];
    for (int o = 0; o + 1 < out_; ++o)
        covariance[o] = ends * tail[o] * head[o + 1] + bias_rho_ * bias_sd_[o] * bias_sd_[o + 1];
    covariance[out_ - 1] = 0;
}

void DenseOutputLaw::draw(const Moments& moments, int row, const float* noise, float* z) const
{
    const float *mean = moments.mean.data() + row * row_, *sd = moments.sd.data() + row * row_;
    if (!correlated_) {
#pragma omp simd
        for (int o = 0; o < out_; ++o)
            z[o] = mean[o] + sd[o] * noise[o];
        return;
    }
    const float* covariance = moments.covariance.data() + row * row_;
    float shared = 0;   // l_{o-1} = Cov(z_{o-1}, z_o) / d_{o-1}: what a unit has of the noise of the one before
    for (int o = 0; o < out_; ++o) {
        const float d = std::sqrt(std::max(0.0f, sd[o] - shared * shared));
        z[o]          = mean[o] + d * noise[o] + (o > 0 ? shared * noise[o - 1] : 0.0f);
        shared        = d > 0 ? covariance[o] / d : 0.0f;
    }
}

}   // namespace credence
