// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// How an input is moved within the ball |x' − x|_∞ <= ε.
enum class AttackKind {
    fast_gradient_sign,   ///< x' = x + ε sgn ∇_x L, one step. Source: Goodfellow, Shlens and Szegedy 2015, section 4
    projected_gradient,   ///< many small steps of the sign, each projected back into the ball: stronger. Source: Madry, Makelov, Schmidt, Tsipras and Vladu 2018, section 2.1
    random_signs,         ///< x' = x + ε s, s = ±1 by fair coins: the control that knows no gradient
};

/// Whose loss L is raised, of a posterior with draws θ_s of the weights.
enum class AttackGradient {
    one_draw,   ///< −ln p(y|x, θ_1): one net of many, as in the functional-BNN submission, Fig. 3
    mean_loss,   ///< (1/S) Σ_s −ln p(y|x, θ_s): what Carbone, Wicker, Laurenti, Patane, Bortolussi and Sanguinetti 2020 look at
    mean_predictive,   ///< −ln p̄_y, p̄ = (1/S) Σ_s p(·|x, θ_s): the predictive that is used. The default
};

struct AttackOptions {
    AttackKind kind                             = AttackKind::fast_gradient_sign;
    AttackGradient gradient                     = AttackGradient::mean_predictive;
    int draws                                   = 10;     ///< S of the gradient; one_draw: 1
    int steps                                   = 10;     ///< of projected gradient
    double step_share                           = 0.25;   ///< of projected gradient: length of a step as a share of ε
    bool operator==(const AttackOptions&) const = default;
};

std::string name(AttackKind kind);           ///< "fast_gradient_sign"
std::string name(AttackGradient gradient);   ///< "mean_predictive"
/// @throws Error that lists the names
AttackKind attack_kind_named(const std::string& name);
AttackGradient attack_gradient_named(const std::string& name);

/// The data's units as the network sees them: ε is a number in the data's units (of images 1 is the step from black to white), inputs are standardised.
struct AttackSpace {
    std::vector<float> unit;   ///< what 1 in the data's units is in each standardised input, > 0 [d]
    std::vector<float> lowest,
        highest;   ///< standardised values that an attacked input is clipped to [d]; empty: no clip
};

/// Gradients of the loss with respect to the inputs, each row in two factors, so that they neither vanish nor overflow where the draws are sure.
struct InputGradients {
    std::vector<float> direction;   ///< [n × d]: ∇_x L = e^log_size · direction, per standardised input
    std::vector<double> log_size;   ///< [n]
    double zero_share = 0;   ///< share of the n·d numbers that are exactly 0: there sgn(0) = 0 and the input stays
    double zero_rows  = 0;   ///< share of the n inputs whose whole gradient is exactly 0
};

/// An attacker of one posterior. Draw s of the gradient is a pure function of (seed, s) on streams that no prediction uses; where the net is linearised for
/// predictions, its gradient is that of the net at the mean weights. Any number of threads and any split of the inputs give the same bits beyond the rounding of the
/// network's products. Holds no data; may be called from many threads at once.
class Attack {
public:
    /// @throws Error if there are no classes, or a number of the options is not positive
    Attack(const Model& model, std::shared_ptr<const Posterior> posterior, AttackSpace space,
           const AttackOptions& options, std::uint64_t seed);

    int n_draws() const { return n_draws_; }   ///< of the gradient: no more than differ

    /// @param inputs  standardised [n × d]
    /// @param labels  y of each [n]
    /// @return        empty if `stop` was requested
    std::optional<InputGradients> gradients(std::span<const float> inputs, std::span<const int> labels,
                                            std::stop_token stop = {}) const;

    /// Attacks the inputs at each strength, from the unattacked ones anew. The fast gradient needs one gradient for all of them.
    /// @param epsilons  >= 0, in the data's units; 0 gives the inputs themselves
    /// @param use       (index of ε, attacked [n × d], standardised), in the order of ε; on the caller's thread
    /// @return          gradients at the unattacked inputs (random_signs: empty vectors, no zeros); empty if `stop` was requested
    std::optional<InputGradients> run(std::span<const float> inputs, std::span<const int> labels,
                                      std::span<const double> epsilons,
                                      function_ref<void(std::size_t, std::span<const float>)> use,
                                      std::stop_token stop = {}) const;

private:
    std::size_t width() const { return space_.unit.size(); }
    std::vector<float> random_signs(std::size_t numbers) const;
    /// x + length · unit · sgn(direction), within ε of `origin` and within the limits.
    void step(std::span<const float> origin, std::span<const float> direction, double length, double epsilon,
              std::span<float> x) const;

    Model model_;
    std::shared_ptr<const Posterior> posterior_;
    AttackSpace space_;
    AttackOptions options_;
    std::uint64_t seed_;
    int n_draws_;
};

/// The smallest strength that changes a decision: the first of a rising list whose decision differs from that at its front, halved down towards the one before it.
/// A decision that changes and changes back between two numbers of the list is not seen.
/// @param decisions   at each of `epsilons` [n]
/// @param decision_at decides at any strength
/// @param halvings    how often the interval is halved
/// @return            within (ε_i − ε_{i−1}) / 2^halvings above the change; empty: no decision of the list differs
std::optional<double> smallest_change(std::span<const double> epsilons, std::span<const int> decisions,
                                      function_ref<int(double)> decision_at, int halvings = 8);

}   // namespace credence
