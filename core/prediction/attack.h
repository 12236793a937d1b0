// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "posterior/posterior.h"
#include "training/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Disjoint samples of one posterior: some for the gradient of an attack, the others to evaluate
/// it.
struct DrawsApart {
    std::shared_ptr<const Posterior> gradient, fresh;
};

/// Divides a set of M >= 2 draws: min(draws, ⌊M/2⌋) of them, evenly spaced, for gradients, and all
/// others for predictions. For any other posterior, both parts are the posterior itself: its
/// samples differ by the streams of their keys, or it has only one sample.
/// In a part, `draw` returns the draws in order; moments and summaries are those of the whole set.
/// Source: the functional-BNN submission uses one state for the gradient, and the others for
/// entropy and accuracy
DrawsApart draws_apart(const std::shared_ptr<const Posterior>& posterior, int draws);

/// How an input is perturbed within the ball |x' − x|_∞ <= ε.
enum class AttackKind {
    fast_gradient_sign,   ///< x' = x + ε sgn ∇_x L, one step. Source: Goodfellow, Shlens and Szegedy 2015, section 4
    /// Many small steps of the sign, each projected back into the ball: stronger. Source: Madry,
    /// Makelov, Schmidt, Tsipras and Vladu 2018, section 2.1
    projected_gradient,
    random_signs,   ///< x' = x + ε s, s = ±1 at random: the control without a gradient
};

/// The loss L that is increased, for a posterior with weight samples θ_s.
enum class AttackGradient {
    one_draw,   ///< −ln p(y|x, θ_1): a single network, as in the functional-BNN submission, Fig. 3
    /// (1/S) Σ_s −ln p(y|x, θ_s): as in Carbone, Wicker, Laurenti, Patane, Bortolussi and
    /// Sanguinetti 2020
    mean_loss,
    mean_predictive,   ///< −ln p̄_y, p̄ = (1/S) Σ_s p(·|x, θ_s): the predictive distribution itself. The default
};

struct AttackOptions {
    AttackKind kind                             = AttackKind::fast_gradient_sign;
    AttackGradient gradient                     = AttackGradient::mean_predictive;
    int draws                                   = 10;     ///< S for the gradient; one_draw: 1
    int steps                                   = 10;     ///< for projected gradient
    double step_share                           = 0.25;   ///< for projected gradient: step length as a share of ε
    bool operator==(const AttackOptions&) const = default;
};

std::string name(AttackKind kind);           ///< "fast_gradient_sign"
std::string name(AttackGradient gradient);   ///< "mean_predictive"
/// @throws Error that lists the names
AttackKind attack_kind_named(const std::string& name);
AttackGradient attack_gradient_named(const std::string& name);

/// Scale between data units and standardised inputs: ε is in the data's units (for images 1 is the
/// range from black to white), while the network's inputs are standardised.
struct AttackSpace {
    std::vector<float> unit;   ///< size of one data unit in each standardised input, > 0 [d]
    std::vector<float> lowest,
        highest;   ///< limits for attacked inputs, standardised [d]; empty: none
};

/// Gradients of the loss with respect to the inputs. Each row is stored as two factors, so that
/// gradients of confident samples neither vanish nor overflow.
struct InputGradients {
    std::vector<float> direction;   ///< [n × d]: ∇_x L = e^log_size · direction, per standardised input
    std::vector<double> log_size;   ///< [n]
    double zero_share =
        0;   ///< share of the n·d numbers that are exactly 0; these inputs do not change, since sgn(0) = 0
    double zero_rows = 0;   ///< share of the n inputs whose whole gradient is exactly 0
};

/// Attacks the inputs of one posterior. Sample s of the gradient is a pure function of (seed, s) on
/// streams that no prediction uses. If predictions use the linearised network, the gradient is that
/// of the network at the mean weights. The bits are the same for any number of threads and any
/// division of the inputs, up to the rounding of the network's products. Stores no data; can be
/// called from many threads at once.
class Attack {
public:
    /// @throws Error if there are no classes, or an option is not positive
    Attack(const Model& model, std::shared_ptr<const Posterior> posterior, AttackSpace space,
           const AttackOptions& options, std::uint64_t seed);

    int n_draws() const { return n_draws_; }   ///< for the gradient: at most the number of different samples

    /// @param inputs  standardised [n × d]
    /// @param labels  y [n]
    /// @return        empty if `stop` was requested
    std::optional<InputGradients> gradients(std::span<const float> inputs, std::span<const int> labels,
                                            std::stop_token stop = {}) const;

    /// Attacks the original inputs at each strength. The fast gradient method needs only one
    /// gradient for all strengths.
    /// @param epsilons  >= 0, in the data's units; 0 gives the inputs themselves
    /// @param use       (index of ε, attacked [n × d], standardised), in the order of ε; on the
    /// caller's thread
    /// @return          gradients at the unattacked inputs (random_signs: empty vectors, no zeros);
    /// empty if `stop` was requested
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

/// The smallest strength that changes a decision: finds the first of an ascending list whose
/// decision differs from the first one, and refines it by bisection.
/// A decision that changes and changes back between two entries of the list is not found.
/// @param decisions   at each of `epsilons` [n]
/// @param decision_at returns the decision at any strength
/// @param halvings    number of bisections
/// @return            within (ε_i − ε_{i−1}) / 2^halvings above the change; empty: no decision of
/// the list differs
std::optional<double> smallest_change(std::span<const double> epsilons, std::span<const int> decisions,
                                      function_ref<int(double)> decision_at, int halvings = 8);

}   // namespace credence
