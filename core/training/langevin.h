// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "random/noise.h"
#include "training/optimizer.h"

#include <cstdint>

/// Stochastic-gradient samplers. With N training points, U(θ) = −(N/m) Σ_j ln p(y_j|x_j, θ) − ln
/// p_0(θ) over a minibatch of m, and Ū = U/N. Gradients
/// and learning rates η here refer to Ū, as in papers with learning rates of 0.1 or 0.001. Then ε =
/// 2η/N in Langevin's step and ε = η/N in SGHMC's.
/// At temperature T the noise is scaled by √T: the chains sample exp(−U/T). Source: docs/maths.md,
/// section 9.
namespace credence {

enum class LangevinKind {
    sgld,    ///< θ −= η∇Ū; θ += √(2ηT/N) ξ (Welling and Teh 2011)
    psgld,   ///< the same with a step size per weight, from the mean square of its gradient (Li et al. 2016)
    sghmc,   ///< momentum with friction and noise (Chen et al. 2014)
    /// Adam with noise, over the parameters of a variational family (the functional-BNN submission,
    /// Algorithm 1)
    sgfuncrld,
};

/// The noise that accompanies SGFuncRLD's drift. In the printed form, drift and noise do not match:
/// the sampled distribution has temperature G^{−1/2}.
enum class FuncRldNoise {
    as_printed,     ///< drift G^{−1/2}, noise of covariance 2η G^{−1}
    matched_half,   ///< drift G^{−1/2}, noise 2η G^{−1/2}: exp(−U) is invariant
    matched_full,   ///< drift G^{−1}, noise 2η G^{−1}: exp(−U) is invariant
};

struct LangevinOptions {
    LangevinKind kind  = LangevinKind::sgld;
    double temperature = 1;     ///< T; 0: no noise, an optimiser
    double friction    = 0.1;   ///< sghmc: α in (0, 1]; 1 − α is the momentum
    /// sghmc: β̂ in [0, α), the part of the noise contributed by minibatches; εV/2 for gradient
    /// noise of variance V
    double noise_of_gradient = 0;
    double rms_decay         = 0.99;                       ///< psgld: α of V = αV + (1−α)ḡ²
    double rms_floor         = 1e-5;                       ///< psgld: λ of D = 1/(λ + √V)
    bool curvature_term      = false;                      ///< psgld: with Γ, the derivative of D
    FuncRldNoise noise       = FuncRldNoise::as_printed;   ///< sgfuncrld
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;     ///< sgfuncrld: of m, of G, and ε_0
    long cycle         = 0;                                ///< steps of a cycle of the learning rate; 0: none
    double noisy_share = 1;   ///< share of each cycle, at its end, with noise (Zhang et al. 2020)

    bool operator==(const LangevinOptions&) const = default;
};

/// True if step i (0-based) has noise.
bool noisy_at(const LangevinOptions& options, long i);

// The updates of one block of n parameters, given the noise. All spans have n numbers; an empty ξ
// means no noise.

/// θ −= η g + s ξ, s = √(2ηT/N). Without ξ: sgd_update, bit for bit.
template <class T>
void sgld_update(T eta, T s, std::span<const T> g, std::span<const T> xi, std::span<T> theta);

/// v = (1−α)v + η g − s ξ; θ −= v, s = √(2(α−β̂)ηT/N): Chen's v with opposite sign, as in Caffe. θ
/// moves by the new v. Without ξ: momentum_update.
template <class T>
void sghmc_update(T eta, T momentum, T s, std::span<const T> g, std::span<const T> xi, std::span<T> v,
                  std::span<T> theta);

/// The constants of a pSGLD step.
template <class T>
struct PsgldStep {
    T eta;         ///< η
    T s;           ///< √(2ηT/N)
    T decay;       ///< α
    T floor;       ///< λ
    T curvature;   ///< (η/N)(1−α)m, m the size of the minibatch; 0: no Γ
};
/// V = αV + (1−α)ḡ², D = 1/(λ+√V); θ −= ηDg; θ += s√D ξ, and with Γ = ∂D/∂θ: θ += (η/N)Γ.
/// ∂V/∂θ = 2(1−α)ḡ ∂ḡ/∂θ, where mV, the empirical Fisher information of one example, replaces the
/// second derivative ∂ḡ/∂θ of the mean loss:
///     Γ = −(1−α) m ḡ √V D²
/// @param loss_g  ḡ, the gradient of the mean loss alone; @param g  with the prior's
/// Source: Li et al. 2016, (6) and (7), Algorithm 1, which drops Γ, of order 1−α
template <class T>
void psgld_update(const PsgldStep<T>& step, std::span<const T> loss_g, std::span<const T> g, std::span<const T> xi,
                  std::span<T> V, std::span<T> theta);

/// The constants of an SGFuncRLD step.
template <class T>
struct FuncRldStep {
    T eta, s;       ///< η and √(2ηT)
    T n_examples;   ///< N: ∇U = N g
    T beta1, beta2;
    T correction1, correction2;   ///< 1/(1−β^t) of m and of G
    T epsilon;                    ///< ε_0
    FuncRldNoise noise;
};
/// m = β_1m + (1−β_1)∇U; G = β_2G + (1−β_2)(∇U)²; λ −= η m̂/(√Ĝ+ε_0); λ += (√(2ηT)/(√Ĝ+ε_0)) ξ, or
/// a matched pair, see FuncRldNoise.
template <class T>
void sgfuncrld_update(const FuncRldStep<T>& step, std::span<const T> g, std::span<const T> xi, std::span<T> m,
                      std::span<T> G, std::span<T> lambda);

/// The distribution that a chain samples, and the sizes of the data.
struct ChainTarget {
    std::uint64_t seed = 1;   ///< of ξ: number i of step t is normal i of the key (seed, samplers, t)
    double n_examples  = 1;   ///< N
    double batch_size  = 1;   ///< m
};

/// Updates parameters as a chain does: drift and noise in one pass. The bits are the same for any
/// division into blocks and any number of threads.
template <class T>
class Langevin final : public Updater<T> {
public:
    /// @param factors        as in Updater; each multiplies η of its weights, and their noise by
    /// its square root
    /// @param loss_gradient  psgld: contains the gradient of the mean loss when `apply` is called
    /// [n_parameters]; empty: the gradient passed to `apply`
    Langevin(const LangevinOptions& options, const ChainTarget& target, std::size_t n_parameters,
             std::vector<RateFactor> factors = {}, std::span<const T> loss_gradient = {});

    void begin_step(double learning_rate) override;
    void serialise(StateBytes& state) override;
    void set_examples(double n) override { target_.n_examples = n; }

private:
    void apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters) override;
    void apply_piece(double rate, std::size_t first, std::span<const T> g, std::span<const T> xi, std::span<T> theta);

    LangevinOptions options_;
    ChainTarget target_;
    std::span<const T> loss_gradient_;
    aligned_vector<T> first_, second_;   // sghmc: v; psgld: V; sgfuncrld: m and G
    long step_   = 0;                    // number of steps started so far
    double rate_ = 0, correction1_ = 1, correction2_ = 1;
    bool noisy_ = true;
};

extern template class Langevin<float>;
extern template class Langevin<double>;

}   // namespace credence
