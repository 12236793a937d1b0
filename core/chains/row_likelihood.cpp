// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/row_likelihood.h"

#include "foundation/elementary_double.h"

#include <algorithm>
#include <numbers>

namespace credence {
namespace {

const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);

double sum_of(const double* values, int n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; ++j)
        sum += values[j];
    return sum;
}

/// ln p = z_y - top - ln Σ e^{z_k - top},  d/dz_k = [k = y] - e^{z_k - top}/Σ
double softmax_rows(const UnitRows& at, const double* __restrict targets, double* __restrict scratch)
{
    const int n                     = at.padded;
    double* const __restrict top    = scratch;
    double* const __restrict sum    = scratch + at.stride;
    double* const __restrict chosen = scratch + 2 * at.stride;
    std::copy_n(at.outputs, n, top);
    for (int k = 1; k < at.units; ++k) {
        const double* z = at.outputs + k * at.stride;
#pragma omp simd
        for (int j = 0; j < n; ++j)
            top[j] = z[j] > top[j] ? z[j] : top[j];
    }
    std::fill_n(sum, n, 0.0);
    std::fill_n(chosen, n, 0.0);
    for (int k = 0; k < at.units; ++k) {
        double* const __restrict z = at.outputs + k * at.stride;
        const double label         = k;
#pragma omp simd
        for (int j = 0; j < n; ++j) {
            const double below = z[j] - top[j];
            chosen[j] += targets[j] == label ? below : 0.0;
            z[j] = fast_exp(below);
            sum[j] += z[j];
        }
    }
#pragma omp simd
    for (int j = 0; j < n; ++j) {
        chosen[j] -= fast_log(sum[j]);
        sum[j] = 1 / sum[j];
    }
    for (int k = 0; k < at.units; ++k) {
        double* const __restrict z = at.outputs + k * at.stride;
        const double label         = k;
#pragma omp simd
        for (int j = 0; j < n; ++j)
            z[j] = (targets[j] == label ? 1.0 : 0.0) - z[j] * sum[j];
    }
    return sum_of(chosen, at.rows);
}

/// ln p = -(y - f)²/(2s²) - ln s - ½ ln 2π,  d/df = (y - f)/s²
double gaussian_rows(const UnitRows& at, double noise_sd, const double* targets)
{
    const double precision = 1 / (noise_sd * noise_sd);
    double squares         = 0;
#pragma omp simd reduction(+ : squares)
    for (int j = 0; j < at.rows; ++j) {
        const double residual = targets[j] - at.outputs[j];
        squares += residual * residual;
        at.outputs[j] = residual * precision;
    }
    return -0.5 * precision * squares - at.rows * (std::log(noise_sd) + half_log_two_pi);
}

/// The same with s = softplus(t) + smallest_noise_sd:  d/dt = ((y - f)²/s² - 1)/s · σ(t)
double learned_rows(const UnitRows& at, const double* __restrict targets, double* __restrict scratch)
{
    double* const __restrict f = at.outputs;
    double* const __restrict t = at.outputs + at.stride;
#pragma omp simd
    for (int j = 0; j < at.padded; ++j) {
        const double z = fast_exp(-std::fabs(t[j]));   // softplus and its slope from one exponential
        const double s = (t[j] > 0 ? t[j] : 0.0) + fast_log1p_unit(z) + smallest_noise_sd, inverse = 1 / s;
        const double slope = (t[j] < 0 ? z : 1.0) / (1 + z), scaled = (targets[j] - f[j]) * inverse;
        scratch[j] = -0.5 * scaled * scaled - fast_log(s);
        f[j]       = scaled * inverse;
        t[j]       = (scaled * scaled - 1) * inverse * slope;
    }
    return sum_of(scratch, at.rows) - at.rows * half_log_two_pi;
}

}   // namespace

double row_likelihood(const Likelihood& likelihood, const UnitRows& at, const double* targets, double* scratch)
{
    double sum = 0;
    switch (likelihood.kind) {
    case LikelihoodKind::softmax: sum = softmax_rows(at, targets, scratch); break;
    case LikelihoodKind::gaussian: sum = gaussian_rows(at, likelihood.noise_sd, targets); break;
    case LikelihoodKind::gaussian_learned: sum = learned_rows(at, targets, scratch); break;
    }
    for (int k = 0; k < at.units; ++k)
        std::fill(at.outputs + k * at.stride + at.rows, at.outputs + k * at.stride + at.padded, 0.0);
    return sum;
}

}   // namespace credence
