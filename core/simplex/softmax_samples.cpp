// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logistic_normal.h"

#include "foundation/aligned_vector.h"
#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace credence {

namespace {

constexpr int lanes = 16;
constexpr int block = 64;   ///< samples per block: K · 64 normals stay in the L1 cache

/// L of Σ = L Lᵀ, lower triangle by rows; a zero pivot (up to rounding) gives a zero column. False
/// if Σ has a negative direction.
bool cholesky(int K, const float* sigma, std::vector<float>& L)
{
    double largest = 0;
    for (int k = 0; k < K; ++k)
        largest = std::max(largest, static_cast<double>(std::fabs(sigma[k * K + k])));
    std::vector<double> l(static_cast<std::size_t>(K) * K, 0);
    for (int k = 0; k < K; ++k) {
        double pivot = sigma[k * K + k];
        for (int j = 0; j < k; ++j)
            pivot -= l[k * K + j] * l[k * K + j];
        if (!(pivot > -1e-5 * largest))
            return false;
        const double root = pivot > 1e-7 * largest ? std::sqrt(pivot) : 0;
        l[k * K + k]      = root;
        for (int i = k + 1; i < K && root > 0; ++i) {
            double v = sigma[i * K + k];
            for (int j = 0; j < k; ++j)
                v -= l[i * K + j] * l[k * K + j];
            l[i * K + k] = v / root;
        }
    }
    L.assign(l.begin(), l.end());
    return true;
}

/// Σ over the first `used` of `block` draws of softmax(μ + L x), added to sums [K × lanes]. x [K ×
/// block]: one row of normals per logit.
/// @tparam fixed  K if known at compile time, otherwise 0
template <int fixed>
void add_block(int n_classes, int used, const float* mu, const float* L, const float* x, float* z, float* sums)
{
    const int K = fixed > 0 ? fixed : n_classes;
    float high[block], total[block];
    for (int k = 0; k < K; ++k) {
        float* zk = z + k * block;
        for (int b = 0; b < block; ++b)
            zk[b] = mu[k];
        for (int j = 0; j <= k; ++j) {
            const float l   = L[k * K + j];
            const float* xj = x + j * block;
#pragma omp simd
            for (int b = 0; b < block; ++b)
                zk[b] += l * xj[b];
        }
        if (k == 0)
            std::memcpy(high, zk, sizeof high);
        else
#pragma omp simd
            for (int b = 0; b < block; ++b)
                high[b] = zk[b] > high[b] ? zk[b] : high[b];
    }
    std::fill(total, total + block, 0.0f);
    for (int k = 0; k < K; ++k) {
        float* zk = z + k * block;
#pragma omp simd
        for (int b = 0; b < block; ++b) {
            zk[b] = fast_exp(zk[b] - high[b]);
            total[b] += zk[b];
        }
    }
#pragma omp simd
    for (int b = 0; b < block; ++b)
        total[b] = b < used ? 1.0f / total[b] : 0.0f;
    for (int k = 0; k < K; ++k) {
        const float* zk = z + k * block;
        float* s        = sums + k * lanes;
        for (int b = 0; b < block; b += lanes)
#pragma omp simd
            for (int l = 0; l < lanes; ++l)
                s[l] += zk[b + l] * total[b + l];
    }
}

}   // namespace

void softmax_mean_by_draws(int n_classes, std::span<const float> mu, std::span<const float> covariance, int n_draws,
                           std::uint64_t seed, std::span<float> mean)
{
    const int K = n_classes;
    if (K < 2 || n_draws < 1)
        throw Error("Softmax by sampling: " + std::to_string(K) + " classes and " + std::to_string(n_draws)
                    + " samples requested, expected at least 2 and 1.");
    const std::size_t n = mu.size() / static_cast<std::size_t>(K);
    if (mu.size() != n * K || covariance.size() != n * K * K || mean.size() != n * K)
        throw Error("Softmax by sampling: " + std::to_string(mu.size()) + " means and "
                    + std::to_string(covariance.size())
                    + " covariances found, expected N·K and N·K·K of them, K = " + std::to_string(K) + ".");
    parallel_chunks(n, 16, [&](std::size_t begin, std::size_t end) {
        aligned_vector<float> x(static_cast<std::size_t>(K) * block), z(x.size()),
            sums(static_cast<std::size_t>(K) * lanes);
        std::vector<float> L;
        for (std::size_t i = begin; i < end; ++i) {
            if (!cholesky(K, &covariance[i * K * K], L))
                throw Error("Softmax by sampling: the covariance of row " + std::to_string(i)
                            + " has a negative eigenvalue, expected a positive semidefinite matrix.");
            std::fill(sums.begin(), sums.end(), 0.0f);
            const NoiseKey key{.seed = seed, .stream = Stream::logits, .index = static_cast<std::uint32_t>(i)};
            for (int first = 0; first < n_draws; first += block) {
                standard_normals(key, static_cast<std::uint64_t>(first) * K, std::span<float>(x));
                const auto add = K == 10 ? add_block<10> : add_block<0>;
                add(K, std::min(block, n_draws - first), &mu[i * K], L.data(), x.data(), z.data(), sums.data());
            }
            for (int k = 0; k < K; ++k) {
                float sum = 0;
                for (int l = 0; l < lanes; ++l)
                    sum += sums[static_cast<std::size_t>(k) * lanes + l];
                mean[i * K + k] = sum / static_cast<float>(n_draws);
            }
        }
    });
}

}   // namespace credence
