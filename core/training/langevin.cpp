// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/langevin.h"

#include "posterior/weight_passes.h"
#include "training/optimizer.h"

#include <cassert>
#include <cmath>

namespace credence {

bool noisy_at(const LangevinOptions& options, long i)
{
    if (options.temperature == 0)
        return false;
    if (options.cycle <= 0)
        return true;
    const double done = static_cast<double>(i % options.cycle) / static_cast<double>(options.cycle);
    return done >= 1 - options.noisy_share;
}

template <class T>
void sgld_update(T eta, T s, std::span<const T> gradient, std::span<const T> noise, std::span<T> parameters)
{
    if (noise.empty())
        return sgd_update(eta, gradient, parameters);
    const std::size_t n = gradient.size();
    const T *const g = gradient.data(), *const xi = noise.data();
    T* const theta = parameters.data();
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k)
        theta[k] = theta[k] - eta * g[k] + s * xi[k];
}

template <class T>
void sghmc_update(T eta, T momentum, T s, std::span<const T> gradient, std::span<const T> noise, std::span<T> velocity,
                  std::span<T> parameters)
{
    if (noise.empty())
        return momentum_update(eta, momentum, gradient, velocity, parameters);
    const std::size_t n = gradient.size();
    const T *const g = gradient.data(), *const xi = noise.data();
    T *const v = velocity.data(), *const theta = parameters.data();
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k) {
        v[k] = momentum * v[k] + eta * g[k] - s * xi[k];
        theta[k] -= v[k];
    }
}

namespace {

/// Runs the same loop with and without noise; noise(k) is the noise of parameter k.
template <class T, class Loop>
void with_noise(std::span<const T> xi, const Loop& loop)
{
    if (xi.empty())
        loop([](std::size_t) { return T(0); });
    else
        loop([x = xi.data()](std::size_t k) { return x[k]; });
}

}   // namespace

template <class T>
void psgld_update(const PsgldStep<T>& step, std::span<const T> loss_gradient, std::span<const T> gradient,
                  std::span<const T> noise, std::span<T> mean_square, std::span<T> parameters)
{
    const auto [eta, s, decay, floor, curvature] = step;
    const std::size_t n                          = gradient.size();
    const T *const loss_g = loss_gradient.data(), *const g = gradient.data();
    T *const V = mean_square.data(), *const theta = parameters.data();
    const T rest = 1 - decay;
    with_noise<T>(noise, [&, eta = eta, s = s, decay = decay, floor = floor, curvature = curvature](auto xi) {
#pragma omp simd
        for (std::size_t k = 0; k < n; ++k) {
            V[k]         = decay * V[k] + rest * loss_g[k] * loss_g[k];
            const T root = std::sqrt(V[k]);
            const T D    = 1 / (floor + root);
            theta[k]     = theta[k] - D * (eta * g[k] + curvature * D * root * loss_g[k]) + s * std::sqrt(D) * xi(k);
        }
    });
}

template <class T>
void sgfuncrld_update(const FuncRldStep<T>& step, std::span<const T> gradient, std::span<const T> noise,
                      std::span<T> mean, std::span<T> mean_square, std::span<T> parameters)
{
    const std::size_t n = gradient.size();
    const T* const g    = gradient.data();
    T *const m = mean.data(), *const G = mean_square.data(), *const lambda = parameters.data();
    const FuncRldStep<T> at = step;
    const T rest1 = 1 - at.beta1, rest2 = 1 - at.beta2;
    const auto moved_by = [&](auto drift, auto noise_factor) {   // both of D = 1/(√Ĝ+ε_0)
        with_noise<T>(noise, [&](auto xi) {
#pragma omp simd
            for (std::size_t k = 0; k < n; ++k) {
                const T slope = at.n_examples * g[k];
                m[k]          = at.beta1 * m[k] + rest1 * slope;
                G[k]          = at.beta2 * G[k] + rest2 * slope * slope;
                const T D     = 1 / (std::sqrt(at.correction2 * G[k]) + at.epsilon);
                lambda[k]     = lambda[k] - at.eta * at.correction1 * m[k] * drift(D) + at.s * noise_factor(D) * xi(k);
            }
        });
    };
    const auto itself = [](T D) { return D; };
    switch (at.noise) {
    case FuncRldNoise::as_printed: return moved_by(itself, itself);
    case FuncRldNoise::matched_half: return moved_by(itself, [](T D) { return std::sqrt(D); });
    case FuncRldNoise::matched_full: return moved_by([](T D) { return D * D; }, itself);
    }
}

template <class T>
Langevin<T>::Langevin(const LangevinOptions& options, const ChainTarget& target, std::size_t n_parameters,
                      std::vector<RateFactor> factors, std::span<const T> loss_gradient)
    : Updater<T>(std::move(factors)), options_(options), target_(target), loss_gradient_(loss_gradient),
      first_(options.kind == LangevinKind::sgld ? 0 : n_parameters),
      second_(options.kind == LangevinKind::sgfuncrld ? n_parameters : 0)
{
    assert(loss_gradient.empty() || loss_gradient.size() == n_parameters);
}

template <class T>
void Langevin<T>::begin_step(double learning_rate)
{
    noisy_ = noisy_at(options_, step_);
    ++step_;
    rate_        = learning_rate;
    correction1_ = 1 / (1 - std::pow(options_.beta1, static_cast<double>(step_)));
    correction2_ = 1 / (1 - std::pow(options_.beta2, static_cast<double>(step_)));
}

template <class T>
void Langevin<T>::serialise(StateBytes& state)
{
    state.section("chain's updates");
    state.value(step_);
    state.values(std::span<T>(first_));
    state.values(std::span<T>(second_));
}

template <class T>
void Langevin<T>::apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters)
{
    const auto moved  = parameters.subspan(first, gradient.size());
    const double rate = rate_ * factor;
    if (!noisy_)
        return apply_piece(rate, first, gradient, {}, moved);
    const NoiseKey key{target_.seed, Stream::samplers, static_cast<std::uint32_t>(step_ - 1)};
    alignas(64) T noise[WeightTile::longest];   // still in the L1 cache when the update reads it
    for (std::size_t at = 0; at < gradient.size(); at += WeightTile::longest) {
        const std::size_t n = std::min(WeightTile::longest, gradient.size() - at);
        standard_normals(key, first + at, std::span<T>(noise, n));
        apply_piece(rate, first + at, gradient.subspan(at, n), {noise, n}, moved.subspan(at, n));
    }
}

template <class T>
void Langevin<T>::apply_piece(double rate, std::size_t first, std::span<const T> g, std::span<const T> xi,
                              std::span<T> theta)
{
    const auto number = [](double value) { return static_cast<T>(value); };
    const double N = target_.n_examples, heat = options_.temperature * rate;
    const auto first_of = [&] { return std::span<T>(first_).subspan(first, g.size()); };
    switch (options_.kind) {
    case LangevinKind::sgld: return sgld_update(number(rate), number(std::sqrt(2 * heat / N)), g, xi, theta);
    case LangevinKind::sghmc: {
        const double s = std::sqrt(2 * (options_.friction - options_.noise_of_gradient) * heat / N);
        return sghmc_update(number(rate), number(1 - options_.friction), number(s), g, xi, first_of(), theta);
    }
    case LangevinKind::psgld: {
        const double curvature = options_.curvature_term ? rate / N * (1 - options_.rms_decay) * target_.batch_size : 0;
        const PsgldStep<T> step{number(rate), number(std::sqrt(2 * heat / N)), number(options_.rms_decay),
                                number(options_.rms_floor), number(curvature)};
        return psgld_update(step, loss_gradient_.empty() ? g : loss_gradient_.subspan(first, g.size()), g, xi,
                            first_of(), theta);
    }
    case LangevinKind::sgfuncrld: {
        const FuncRldStep<T> step{.eta         = number(rate),
                                  .s           = number(std::sqrt(2 * heat)),
                                  .n_examples  = number(N),
                                  .beta1       = number(options_.beta1),
                                  .beta2       = number(options_.beta2),
                                  .correction1 = number(correction1_),
                                  .correction2 = number(correction2_),
                                  .epsilon     = number(options_.epsilon),
                                  .noise       = options_.noise};
        return sgfuncrld_update(step, g, xi, first_of(), std::span<T>(second_).subspan(first, g.size()), theta);
    }
    }
}

#define CREDENCE_LANGEVIN(T)                                                                                           \
    template void sgld_update(T, T, std::span<const T>, std::span<const T>, std::span<T>);                             \
    template void sghmc_update(T, T, T, std::span<const T>, std::span<const T>, std::span<T>, std::span<T>);           \
    template void psgld_update(const PsgldStep<T>&, std::span<const T>, std::span<const T>, std::span<const T>,        \
                               std::span<T>, std::span<T>);                                                            \
    template void sgfuncrld_update(const FuncRldStep<T>&, std::span<const T>, std::span<const T>, std::span<T>,        \
                                   std::span<T>, std::span<T>);                                                        \
    template class Langevin<T>;
CREDENCE_LANGEVIN(float)
CREDENCE_LANGEVIN(double)
#undef CREDENCE_LANGEVIN

}   // namespace credence
