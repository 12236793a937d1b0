// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <cmath>
#include <numbers>

namespace credence::likelihood_parts {

inline const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);

inline double sum_of(const double* values, int n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; ++j)
        sum += values[j];
    return sum;
}

/// LikelihoodFamily::predict of y = f + noise with a given standard deviation; f is the first output.
inline void predict_with_sd(std::span<const float> outputs, int k, double sd, float* predicted, float* entropy)
{
    for (std::size_t i = 0; i * k < outputs.size(); ++i) {
        predicted[2 * i]     = outputs[i * k];
        predicted[2 * i + 1] = static_cast<float>(sd);
        entropy[i]           = 0;
    }
}

/// Forwards the functions for float and for double to one template of the family each:
/// `value_of<T>` and `roots_of<T>`, with the parameters of `value` and `curvature_roots`.
template <class Family>
class InBothPrecisions : public LikelihoodFamily {
public:
    double value(std::span<const float> outputs, int n, int k, const Targets& targets, std::span<float> gradient,
                 float scale, int* correct) const final
    {
        return own().template value_of<float>(outputs, n, k, targets, gradient, scale, correct);
    }
    double value(std::span<const double> outputs, int n, int k, const Targets& targets, std::span<double> gradient,
                 double scale, int* correct) const final
    {
        return own().template value_of<double>(outputs, n, k, targets, gradient, scale, correct);
    }
    void curvature_roots(std::span<const float> outputs, int k, float* roots, std::size_t next) const final
    {
        own().template roots_of<float>(outputs, k, roots, next);
    }
    void curvature_roots(std::span<const double> outputs, int k, double* roots, std::size_t next) const final
    {
        own().template roots_of<double>(outputs, k, roots, next);
    }

private:
    const Family& own() const { return static_cast<const Family&>(*this); }
};

}   // namespace credence::likelihood_parts
