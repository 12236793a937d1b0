// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/output_curvature.h"

#include "foundation/elementary.h"
#include "foundation/parallel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace credence {
namespace {

std::vector<double> softmax_of(const double* z, int k)
{
    const double top = *std::max_element(z, z + k);
    std::vector<double> p(z, z + k);
    double sum = 0;
    for (double& value : p)
        sum += value = std::exp(value - top);
    for (double& value : p)
        value /= sum;
    return p;
}

/// Computes the columns of one example; column j starts at root + j · next.
template <class T>
void softmax_root(const T* z, int k, T* root, std::size_t next)
{
    std::vector<double> values(z, z + k), tail(static_cast<std::size_t>(k) + 1, 0);
    const std::vector<double> p = softmax_of(values.data(), k);
    for (int j = k - 1; j >= 0; --j)
        tail[j] = tail[j + 1] + p[j];   // tail[j] = q_{j−1}
    for (int j = 0; j + 1 < k; ++j, root += next) {
        const double above = tail[j], below = tail[j + 1];
        std::fill(root, root + j, T(0));
        root[j]             = static_cast<T>(above > 0 ? std::sqrt(p[j] * (below / above)) : 0);
        const double factor = above > 0 && below > 0 ? std::sqrt(p[j] / above) / std::sqrt(below) : 0;
        for (int i = j + 1; i < k; ++i)
            root[i] = static_cast<T>(-p[i] * factor);
    }
}

struct LearnedNoise {
    double s, slope;   // softplus(t) + smallest, σ(t)
};
LearnedNoise learned_noise(double t) { return {softplus(t) + smallest_noise_sd, sigmoid(t)}; }

}   // namespace

int curvature_columns(const Likelihood& likelihood, int n_outputs)
{
    return likelihood.kind == LikelihoodKind::softmax    ? n_outputs - 1
           : likelihood.kind == LikelihoodKind::gaussian ? 1
                                                         : 2;
}

template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots)
{
    const std::size_t next = static_cast<std::size_t>(n) * k;   // distance between columns
    assert(roots.size() == next * curvature_columns(likelihood, k));
    parallel_chunks(static_cast<std::size_t>(n), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const T* z = outputs.data() + i * k;
            T* root    = roots.data() + i * k;
            switch (likelihood.kind) {
            case LikelihoodKind::softmax: softmax_root(z, k, root, next); break;
            case LikelihoodKind::gaussian: root[0] = static_cast<T>(1 / likelihood.noise_sd); break;
            case LikelihoodKind::gaussian_learned: {
                const auto [s, slope] = learned_noise(static_cast<double>(z[1]));
                root[0]               = static_cast<T>(1 / s);
                root[1]               = 0;
                root[next]            = 0;
                root[next + 1]        = static_cast<T>(std::sqrt(2.0) * slope / s);
                break;
            }
            }
        }
    });
}

void output_hessian(const Likelihood& likelihood, std::span<const double> outputs, double target,
                    std::span<double> hessian)
{
    const int k = static_cast<int>(outputs.size());
    switch (likelihood.kind) {
    case LikelihoodKind::softmax: {
        const std::vector<double> p = softmax_of(outputs.data(), k);
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                hessian[static_cast<std::size_t>(i) * k + j] = (i == j ? p[i] : 0) - p[i] * p[j];
        break;
    }
    case LikelihoodKind::gaussian: hessian[0] = 1 / (likelihood.noise_sd * likelihood.noise_sd); break;
    case LikelihoodKind::gaussian_learned: {
        const auto [s, slope] = learned_noise(outputs[1]);
        const double r = outputs[0] - target, s2 = s * s;
        hessian[0] = 1 / s2;
        hessian[1] = hessian[2] = -2 * r * slope / (s2 * s);
        hessian[3] = (3 * r * r / s2 - 1) / s2 * slope * slope + (1 - r * r / s2) / s * slope * (1 - slope);
        break;
    }
    }
}

template void output_curvature_roots(const Likelihood&, std::span<const float>, int, int, std::span<float>);
template void output_curvature_roots(const Likelihood&, std::span<const double>, int, int, std::span<double>);

}   // namespace credence
