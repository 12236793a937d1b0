// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace credence {

long cycle_length(int cycles, long steps)
{
    const long count = std::max(1, cycles);
    return std::max(1L, (steps + count - 1) / count);
}

double learning_rate(const ScheduleOptions& schedule, long i, long steps)
{
    const double step = static_cast<double>(i);
    switch (schedule.kind) {
    case ScheduleKind::constant: return schedule.learning_rate;
    case ScheduleKind::inverse: return schedule.learning_rate * std::pow(1 + schedule.gamma * step, -schedule.power);
    case ScheduleKind::step:
        return schedule.learning_rate
               * std::pow(schedule.factor, static_cast<double>(schedule.every > 0 ? i / schedule.every : 0));
    case ScheduleKind::cyclical: {
        const long C = cycle_length(schedule.cycles, steps);
        return schedule.learning_rate * 0.5
               * (1 + std::cos(std::numbers::pi * static_cast<double>(i % C) / static_cast<double>(C)));
    }
    case ScheduleKind::cosine:
        return steps > 0 ? schedule.learning_rate * 0.5
                               * (1 + std::cos(std::numbers::pi * std::fmin(1, step / static_cast<double>(steps))))
                         : schedule.learning_rate;
    }
    return schedule.learning_rate;
}

template <class T>
Optimizer<T>::Optimizer(const OptimizerOptions& options, std::size_t n_parameters, std::vector<RateFactor> factors)
    : Updater<T>(std::move(factors)), options_(options),
      first_moment_(options.kind == OptimizerKind::sgd ? 0 : n_parameters),
      second_moment_(options.kind == OptimizerKind::adam ? n_parameters : 0)
{}

template <class T>
void Optimizer<T>::begin_step(double learning_rate)
{
    ++step_;
    rate_        = learning_rate;
    correction1_ = 1 / (1 - std::pow(options_.beta1, static_cast<double>(step_)));
    correction2_ = 1 / (1 - std::pow(options_.beta2, static_cast<double>(step_)));
}

template <class T>
void Optimizer<T>::serialise(StateBytes& state)
{
    state.section("optimiser");
    state.value(step_);
    state.values(std::span<T>(first_moment_));
    state.values(std::span<T>(second_moment_));
}

template <class T>
void sgd_update(T rate, std::span<const T> gradient, std::span<T> parameters)
{
    const std::size_t n = gradient.size();
    const T* const g    = gradient.data();
    T* const theta      = parameters.data();
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k)
        theta[k] -= rate * g[k];
}

template <class T>
void momentum_update(T rate, T beta, std::span<const T> gradient, std::span<T> velocity, std::span<T> parameters)
{
    const std::size_t n = gradient.size();
    const T* const g    = gradient.data();
    T* const v          = velocity.data();
    T* const theta      = parameters.data();
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k) {
        v[k] = beta * v[k] + rate * g[k];
        theta[k] -= v[k];
    }
}

template <class T>
void Optimizer<T>::apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters)
{
    const double unscaled_rate = rate_ * factor;
    const std::size_t n        = gradient.size();
    const auto moved           = parameters.subspan(first, n);
    switch (options_.kind) {
    case OptimizerKind::sgd: sgd_update(static_cast<T>(unscaled_rate), gradient, moved); break;
    case OptimizerKind::momentum:
        momentum_update(static_cast<T>(unscaled_rate), static_cast<T>(options_.momentum), gradient,
                        std::span<T>(first_moment_).subspan(first, n), moved);
        break;
    case OptimizerKind::adam: {
        const T beta1 = static_cast<T>(options_.beta1), rest1 = static_cast<T>(1 - options_.beta1);
        const T beta2 = static_cast<T>(options_.beta2), rest2 = static_cast<T>(1 - options_.beta2);
        const T rate = static_cast<T>(unscaled_rate * correction1_), correction2 = static_cast<T>(correction2_),
                epsilon  = static_cast<T>(options_.epsilon);
        const T* const g = gradient.data();
        T* const theta   = moved.data();
        T* const m       = first_moment_.data() + first;
        T* const v       = second_moment_.data() + first;
#pragma omp simd
        for (std::size_t k = 0; k < n; ++k) {
            m[k] = beta1 * m[k] + rest1 * g[k];
            v[k] = beta2 * v[k] + rest2 * g[k] * g[k];
            theta[k] -= rate * m[k] / (std::sqrt(v[k] * correction2) + epsilon);
        }
        break;
    }
    }
}

template void sgd_update(float, std::span<const float>, std::span<float>);
template void sgd_update(double, std::span<const double>, std::span<double>);
template void momentum_update(float, float, std::span<const float>, std::span<float>, std::span<float>);
template void momentum_update(double, double, std::span<const double>, std::span<double>, std::span<double>);
template class Optimizer<float>;
template class Optimizer<double>;

}   // namespace credence
