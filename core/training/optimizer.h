// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// The learning rate of parameters begin..end-1 is multiplied by `factor`, as by lr_mult in Caffe.
struct RateFactor {
    std::size_t begin = 0, end = 0;
    double factor = 1;
};

/// Updates parameters by their gradient, block by block. The blocks of one step are disjoint and
/// can be passed from several threads.
template <class T>
class Updater {
public:
    virtual ~Updater() = default;

    /// Starts the next step: sets the learning rate and all other step-dependent values for the
    /// following `apply` calls.
    virtual void begin_step(double learning_rate) = 0;

    /// Sets the number of examples from the next step on, for a training set that grows. Optimisers
    /// ignore it.
    virtual void set_examples(double /*n*/) {}

    /// Large per-parameter state that `apply` reads and writes in addition to the parameter.
    virtual std::array<std::span<T>, 2> state() { return {}; }

    /// Reads or writes the gradient statistics and the number of steps.
    virtual void serialise(StateBytes& state) = 0;

    /// Updates parameters[first..] by one step along `gradient`. Does not allocate.
    void apply(std::size_t first, std::span<const T> gradient, std::span<T> parameters)
    {
        std::size_t at        = first;
        const std::size_t end = first + gradient.size();
        const auto update_to  = [&](std::size_t to, double factor) {
            if (at < to)
                apply_at(factor, at, gradient.subspan(at - first, to - at), parameters);
            at = to;
        };
        for (const RateFactor& range : factors_) {
            if (range.end <= at || range.begin >= end)
                continue;
            update_to(std::max(at, range.begin), 1);
            update_to(std::min(end, range.end), range.factor);
        }
        update_to(end, 1);
    }

protected:
    /// @param factors  in the order of the parameters, not overlapping; 1 for parameters without a
    /// factor
    explicit Updater(std::vector<RateFactor> factors) : factors_(std::move(factors)) {}

    /// @param factor  multiplies the step's learning rate
    virtual void apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters) = 0;

private:
    std::vector<RateFactor> factors_;
};

enum class OptimizerKind {
    sgd,        ///< θ -= η g
    momentum,   ///< v = βv + ηg; θ -= v (Caffe's form, with the rate inside v)
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
    cyclical,   ///< η ½ (1 + cos(π (i mod C)/C)), C = ⌈steps/cycles⌉ (Zhang et al. 2020, (1))
};

struct ScheduleOptions {
    ScheduleKind kind                             = ScheduleKind::constant;
    double learning_rate                          = 1e-3;    ///< η
    double gamma                                  = 1e-4;    ///< inverse
    double power                                  = 0.75;    ///< inverse
    double factor                                 = 0.1;     ///< step
    int every                                     = 10000;   ///< step, in optimiser steps
    int cycles                                    = 1;       ///< cyclical
    bool operator==(const ScheduleOptions&) const = default;
};

/// Steps of one cycle of `cyclical`: C = ⌈steps/cycles⌉.
long cycle_length(int cycles, long steps);

/// Learning rate of step i (0-based) of `steps`.
double learning_rate(const ScheduleOptions& schedule, long i, long steps);

/// θ −= η g
template <class T>
void sgd_update(T rate, std::span<const T> g, std::span<T> theta);

/// v = βv + ηg; θ −= v
template <class T>
void momentum_update(T rate, T beta, std::span<const T> g, std::span<T> v, std::span<T> theta);

/// The optimisers of OptimizerKind.
template <class T>
class Optimizer final : public Updater<T> {
public:
    /// @param factors  as in Updater
    Optimizer(const OptimizerOptions& options, std::size_t n_parameters, std::vector<RateFactor> factors = {});

    void begin_step(double learning_rate) override;   ///< also sets the bias corrections
    std::array<std::span<T>, 2> state() override { return {first_moment_, second_moment_}; }
    void serialise(StateBytes& state) override;

private:
    void apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters) override;

    OptimizerOptions options_;
    aligned_vector<T> first_moment_, second_moment_;   // momentum: v; adam: m and v; sgd: none
    long step_   = 0;
    double rate_ = 0, correction1_ = 1, correction2_ = 1;
};

extern template class Optimizer<float>;
extern template class Optimizer<double>;

}   // namespace credence
