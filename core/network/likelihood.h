// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace credence {

/// Meaning of the network's outputs.
enum class LikelihoodKind {
    softmax,    ///< outputs are logits [K]
    gaussian,   ///< output is the mean; the noise's standard deviation is given
    /// Outputs are the mean and the noise's pre-softplus standard deviation: s(x) = softplus(output
    /// 2)
    gaussian_learned,
};

/// Smallest standard deviation of learned noise, so that an exact fit does not make the likelihood
/// infinite.
inline constexpr double smallest_noise_sd = 1e-3;

struct Likelihood {
    LikelihoodKind kind = LikelihoodKind::softmax;
    double noise_sd     = 0.1;   ///< gaussian only; in the units the network sees

    bool operator==(const Likelihood&) const = default;
};

/// Targets of a minibatch: labels for softmax, numbers for the Gaussians.
struct Targets {
    std::span<const int> labels;
    std::span<const float> values;
};

/// Sum over the batch of -ln p(y | outputs), nats, and its gradient.
///     softmax:  nll = logsumexp(z) - z_y,               d/dz = softmax(z) - onehot(y)
///     gaussian: nll = (y-f)²/(2s²) + ln s + ½ ln 2π,    d/df = (f - y)/s²
///     learned:  the same with s = softplus(t) + smallest_noise_sd
/// @param outputs   [n × k]
/// @param gradient  [n × k], scaled by `scale`; can be empty
/// @param[out] correct  classification: number of rows with argmax(outputs) == label; otherwise 0
template <class T>
double negative_log_likelihood(const Likelihood& likelihood, std::span<const T> outputs, int n, int k,
                               const Targets& targets, std::span<T> gradient, T scale, int* correct = nullptr);

}   // namespace credence
