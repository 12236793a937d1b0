// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

enum class OptimizerKind {
    sgd,        ///< θ -= η g
    momentum,   ///< v = βv + ηg; θ -= v (Caffe's form: the rate sits inside v)
    adam,       ///< Kingma and Ba 2015, bias-corrected
};

struct OptimizerOptions {
    OptimizerKind kind                             = OptimizerKind::adam;
    double momentum                                = 0.9;     ///< momentum: β
    double beta1                                   = 0.9;     ///< adam
    double beta2                                   = 0.999;   ///< adam
    double epsilon                                 = 1e-8;    ///< adam
    bool operator==(const OptimizerOptions&) const = default;
};

enum class ScheduleKind {
    constant,   ///< η
    inverse,    ///< η (1 + γ i)^-p  (Posch and Pilz 2021: 0.01 (1 + 1e-4 i)^-0.75)
    step,       ///< η factor^floor(i / every)
    cosine,     ///< η ½ (1 + cos(π i / steps))
};

struct ScheduleOptions {
    ScheduleKind kind                             = ScheduleKind::constant;
    double learning_rate                          = 1e-3;    ///< η
    double gamma                                  = 1e-4;    ///< inverse
    double power                                  = 0.75;    ///< inverse
    double factor                                 = 0.1;     ///< step
    int every                                     = 10000;   ///< step, in optimiser steps
    bool operator==(const ScheduleOptions&) const = default;
};

/// Learning rate of step i (0-based) of `steps`.
double learning_rate(const ScheduleOptions& schedule, long i, long steps);

/// The learning rate of parameters begin..end-1 is multiplied by `factor`, as by lr_mult in Caffe.
struct RateFactor {
    std::size_t begin = 0, end = 0;
    double factor = 1;
};

/// Updates parameters piece by piece; the pieces of one step are disjoint and may come from several threads.
template <class T>
class Optimizer {
public:
    /// @param factors  in the order of the parameters, none overlapping; outside of them the factor is 1
    Optimizer(const OptimizerOptions& options, std::size_t n_parameters, std::vector<RateFactor> factors = {});

    /// Begins step i (0-based): fixes the rate and the bias corrections of all following `apply` calls.
    void begin_step(double learning_rate);
    /// parameters[first..] -= the step for `gradient`. Allocates nothing.
    void apply(std::size_t first, std::span<const T> gradient, std::span<T> parameters);

private:
    void apply_at(double rate, std::size_t first, std::span<const T> gradient, std::span<T> parameters);

    OptimizerOptions options_;
    std::vector<RateFactor> factors_;
    aligned_vector<T> first_moment_, second_moment_;   // momentum: v; adam: m and v; sgd: none
    long step_   = 0;
    double rate_ = 0, correction1_ = 1, correction2_ = 1;
};

extern template class Optimizer<float>;
extern template class Optimizer<double>;

}   // namespace credence
