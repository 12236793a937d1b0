// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace credence {

double learning_rate(const ScheduleOptions& schedule, long i, long steps)
{
    const double step = static_cast<double>(i);
    switch (schedule.kind) {
    case ScheduleKind::constant: return schedule.learning_rate;
    case ScheduleKind::inverse: return schedule.learning_rate * std::pow(1 + schedule.gamma * step, -schedule.power);
    case ScheduleKind::step:
        return schedule.learning_rate
               * std::pow(schedule.factor, static_cast<double>(schedule.every > 0 ? i / schedule.every : 0));
    case ScheduleKind::cosine:
        return steps > 0 ? schedule.learning_rate * 0.5
                               * (1 + std::cos(std::numbers::pi * std::fmin(1, step / static_cast<double>(steps))))
                         : schedule.learning_rate;
    }
    return schedule.learning_rate;
}

template <class T>
Optimizer<T>::Optimizer(const OptimizerOptions& options, std::size_t n_parameters, std::vector<RateFactor> factors)
    : options_(options), factors_(std::move(factors)),
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
void Optimizer<T>::apply(std::size_t first, std::span<const T> gradient, std::span<T> parameters)
{
    std::size_t at        = first;
    const std::size_t end = first + gradient.size();
    const auto update_to  = [&](std::size_t to, double factor) {
        if (at < to)
            apply_at(rate_ * factor, at, gradient.subspan(at - first, to - at), parameters);
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

template <class T>
void Optimizer<T>::apply_at(double unscaled_rate, std::size_t first, std::span<const T> gradient,
                            std::span<T> parameters)
{
    const std::size_t n = gradient.size();
    const T* const g    = gradient.data();
    T* const theta      = parameters.data() + first;
    switch (options_.kind) {
    case OptimizerKind::sgd: {
        const T rate = static_cast<T>(unscaled_rate);
#pragma omp simd
        for (std::size_t k = 0; k < n; ++k)
            theta[k] -= rate * g[k];
        break;
    }
    case OptimizerKind::momentum: {
        const T rate = static_cast<T>(unscaled_rate), beta = static_cast<T>(options_.momentum);
        T* const v = first_moment_.data() + first;
#pragma omp simd
        for (std::size_t k = 0; k < n; ++k) {
            v[k] = beta * v[k] + rate * g[k];
            theta[k] -= v[k];
        }
        break;
    }
    case OptimizerKind::adam: {
        const T beta1 = static_cast<T>(options_.beta1), rest1 = static_cast<T>(1 - options_.beta1);
        const T beta2 = static_cast<T>(options_.beta2), rest2 = static_cast<T>(1 - options_.beta2);
        const T rate = static_cast<T>(unscaled_rate * correction1_), correction2 = static_cast<T>(correction2_),
                epsilon = static_cast<T>(options_.epsilon);
        T* const m      = first_moment_.data() + first;
        T* const v      = second_moment_.data() + first;
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

template class Optimizer<float>;
template class Optimizer<double>;

}   // namespace credence
