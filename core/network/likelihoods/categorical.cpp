// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/elementary.h"
#include "foundation/elementary_double.h"
#include "foundation/softmax.h"
#include "network/likelihoods/in_both_precisions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace credence {
namespace {

/// Returns −ln softmax(z)_label of one row. The gradient is softmax(z) − onehot(label).
template <class T>
double softmax_row(const T* z, int k, int label, T* gradient, T scale, int* correct)
{
    int largest = 0;
    for (int c = 1; c < k; ++c)
        if (z[c] > z[largest])
            largest = c;
    if (correct && largest == label)
        ++*correct;
    const T top = z[largest];
    T sum       = 0;
    if (gradient) {
        for (int c = 0; c < k; ++c) {
            gradient[c] = std::exp(z[c] - top);
            sum += gradient[c];
        }
        const T factor = scale / sum;
        for (int c = 0; c < k; ++c)
            gradient[c] *= factor;
        gradient[label] -= scale;
    } else {
        for (int c = 0; c < k; ++c)
            sum += std::exp(z[c] - top);
    }
    return std::log(static_cast<double>(sum)) + static_cast<double>(top) - static_cast<double>(z[label]);
}

constexpr int lanes = 16;   // rows whose probabilities are computed together

/// Softmax of `n` rows of logits [n × k] in place, and the entropy of each row: H = ln Σe^{z-top} -
/// Σ p (z - top), nats. Rows are handled in groups of `lanes`, transposed, so that small K makes
/// full use of vectors.
void probabilities_of_rows(float* z, int n, int k, float* entropy)
{
    constexpr int largest_transposed = 64;
    float columns[largest_transposed * lanes];
    for (int first = 0; first < n; first += lanes) {
        const int rows = std::min(lanes, n - first);
        float* block   = z + static_cast<std::size_t>(first) * k;
        if (k > largest_transposed || rows < lanes) {
            for (int r = 0; r < rows; ++r) {
                float* row      = block + static_cast<std::size_t>(r) * k;
                const float top = *std::max_element(row, row + k);
                float sum = 0, dot = 0;
#pragma omp simd reduction(+ : sum, dot)
                for (int c = 0; c < k; ++c) {
                    const float t = row[c] - top, e = fast_exp(t);
                    sum += e;
                    dot += e * t;
                    row[c] = e;
                }
                const float inverse = 1 / sum;
                for (int c = 0; c < k; ++c)
                    row[c] *= inverse;
                entropy[first + r] = std::max(0.0f, fast_log(sum) - dot * inverse);
            }
            continue;
        }
        for (int c = 0; c < k; ++c)
            for (int r = 0; r < lanes; ++r)
                columns[c * lanes + r] = block[r * k + c];
        float top[lanes], sum[lanes] = {}, dot[lanes] = {}, inverse[lanes];
        std::copy_n(columns, lanes, top);
        for (int c = 1; c < k; ++c)
            for (int r = 0; r < lanes; ++r)
                top[r] = top[r] > columns[c * lanes + r] ? top[r] : columns[c * lanes + r];
        for (int c = 0; c < k; ++c) {
#pragma omp simd
            for (int r = 0; r < lanes; ++r) {
                const float t = columns[c * lanes + r] - top[r], e = fast_exp(t);
                sum[r] += e;
                dot[r] += e * t;
                columns[c * lanes + r] = e;
            }
        }
#pragma omp simd
        for (int r = 0; r < lanes; ++r) {
            inverse[r]         = 1 / sum[r];
            const float h      = fast_log(sum[r]) - dot[r] * inverse[r];
            entropy[first + r] = h > 0 ? h : 0;
        }
        for (int c = 0; c < k; ++c)
            for (int r = 0; r < lanes; ++r)
                block[r * k + c] = columns[c * lanes + r] * inverse[r];
    }
}

/// Class labels: p(y | z) = softmax(z)_y.
class Categorical final : public likelihood_parts::InBothPrecisions<Categorical> {
public:
    bool has_labels() const override { return true; }
    int n_outputs(int n_classes) const override { return n_classes; }

    template <class T>
    double value_of(std::span<const T> outputs, int n, int k, const Targets& targets, std::span<T> gradient, T scale,
                    int* correct) const
    {
        assert(targets.labels.size() >= static_cast<std::size_t>(n));
        double total = 0;
        if (correct)
            *correct = 0;
        for (int i = 0; i < n; ++i)
            total += softmax_row(outputs.data() + i * k, k, targets.labels[i],
                                 gradient.empty() ? nullptr : gradient.data() + i * k, scale, correct);
        return total;
    }

    /// ln p = z_y - top - ln Σ e^{z_k - top},  d/dz_k = [k = y] - e^{z_k - top}/Σ
    double log_density(const UnitRows& at, const double* __restrict targets, double* __restrict scratch) const override
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
        return likelihood_parts::sum_of(chosen, at.rows);
    }

    int curvature_columns(int n_outputs) const override { return n_outputs - 1; }
    bool curvature_is_exact() const override { return true; }

    /// Λ = diag p − p pᵀ, with the tails q_j = Σ_{i>j} p_i. The columns of its Cholesky factor:
    ///     R_jj = √(p_j q_j / q_{j−1}),  R_ij = −p_i √(p_j / (q_{j−1} q_j)) for i > j;
    /// the last column is 0 and is omitted.
    template <class T>
    void roots_of(std::span<const T> outputs, int k, T* roots, std::size_t next) const
    {
        for (std::size_t first = 0; first < outputs.size(); first += static_cast<std::size_t>(k)) {
            const auto row = outputs.subspan(first, static_cast<std::size_t>(k));
            std::vector<double> p(row.begin(), row.end()), tail(row.size() + 1, 0);
            to_softmax(p);
            for (int j = k - 1; j >= 0; --j)
                tail[j] = tail[j + 1] + p[j];   // tail[j] = q_{j−1}
            T* root = roots + first;
            for (int j = 0; j + 1 < k; ++j, root += next) {
                const double above = tail[j], below = tail[j + 1];
                std::fill(root, root + j, T(0));
                root[j]             = static_cast<T>(above > 0 ? std::sqrt(p[j] * (below / above)) : 0);
                const double factor = above > 0 && below > 0 ? std::sqrt(p[j] / above) / std::sqrt(below) : 0;
                for (int i = j + 1; i < k; ++i)
                    root[i] = static_cast<T>(-p[i] * factor);
            }
        }
    }

    void hessian(std::span<const double> outputs, double /*target*/, std::span<double> hessian) const override
    {
        const std::vector<double> p = softmax(outputs);
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t j = 0; j < p.size(); ++j)
                hessian[i * p.size() + j] = (i == j ? p[i] : 0) - p[i] * p[j];
    }

    int n_predicted(int n_outputs) const override { return n_outputs; }
    void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const override
    {
        std::copy(outputs.begin(), outputs.end(), predicted);
        probabilities_of_rows(predicted, static_cast<int>(outputs.size()) / k, k, entropy);
    }
};

}   // namespace

Likelihood Likelihood::categorical()
{
    static const auto family = std::make_shared<const Categorical>();
    return Likelihood(family);
}

}   // namespace credence
