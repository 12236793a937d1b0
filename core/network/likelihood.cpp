// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"

#include "foundation/elementary.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);

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

}   // namespace

template <class T>
double negative_log_likelihood(const Likelihood& likelihood, std::span<const T> outputs, int n, int k,
                               const Targets& targets, std::span<T> gradient, T scale, int* correct)
{
    double total = 0;
    if (correct)
        *correct = 0;
    if (likelihood.kind == LikelihoodKind::softmax) {
        assert(targets.labels.size() >= static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i)
            total += softmax_row(outputs.data() + i * k, k, targets.labels[i],
                                 gradient.empty() ? nullptr : gradient.data() + i * k, scale, correct);
        return total;
    }
    assert(targets.values.size() >= static_cast<std::size_t>(n));
    if (likelihood.kind == LikelihoodKind::gaussian) {
        const double inverse_variance = 1 / (likelihood.noise_sd * likelihood.noise_sd);
        const double constant         = std::log(likelihood.noise_sd) + half_log_two_pi;
        for (int i = 0; i < n; ++i) {
            const double residual = static_cast<double>(outputs[i]) - static_cast<double>(targets.values[i]);
            total += 0.5 * residual * residual * inverse_variance + constant;
            if (!gradient.empty())
                gradient[i] = scale * static_cast<T>(residual * inverse_variance);
        }
        return total;
    }
    for (int i = 0; i < n; ++i) {   // gaussian_learned: d nll/ds = 1/s - r²/s³, ds/dt = σ(t)
        const double residual         = static_cast<double>(outputs[2 * i]) - static_cast<double>(targets.values[i]);
        const double t                = static_cast<double>(outputs[2 * i + 1]);
        const double s                = softplus(t) + smallest_noise_sd;
        const double inverse_variance = 1 / (s * s);
        total += 0.5 * residual * residual * inverse_variance + std::log(s) + half_log_two_pi;
        if (!gradient.empty()) {
            gradient[2 * i]     = scale * static_cast<T>(residual * inverse_variance);
            gradient[2 * i + 1] = scale * static_cast<T>((1 - residual * residual * inverse_variance) / s * sigmoid(t));
        }
    }
    return total;
}

template double negative_log_likelihood<float>(const Likelihood&, std::span<const float>, int, int, const Targets&,
                                               std::span<float>, float, int*);
template double negative_log_likelihood<double>(const Likelihood&, std::span<const double>, int, int, const Targets&,
                                                std::span<double>, double, int*);

}   // namespace credence
