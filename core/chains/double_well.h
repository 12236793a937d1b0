// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/langevin.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// The double-well potential, a test problem for samplers (Chen et al. 2014, section 4.1; the
/// functional-BNN submission, section 5.1).
namespace credence::double_well {

/// U(θ) = −2θ² + 0.2θ⁴, nats; its wells are at ±√5, where it is −5.
double potential(double theta);
/// dU/dθ = −4θ + 0.8θ³
double slope(double theta);

/// A functional of N(μ, s²) and its derivatives with respect to μ and s.
struct Functional {
    double value = 0, by_mu = 0, by_sd = 0;
};
/// E U = −2(μ²+s²) + 0.2(μ⁴+6μ²s²+3s⁴), nats
Functional expected_potential(double mu, double sd);
/// Differential entropy ln(s√(2πe)) of N(μ, s²), nats.
Functional entropy(double sd);
/// E U minus the entropy: the potential of SGFuncRLD's chain over (μ, s).
Functional free_energy(double mu, double sd);

/// ∫exp(−U)dθ
double normaliser();
/// exp(−U(θ))/∫exp(−U)dθ, the density sampled by a chain over θ.
double density(double theta);
/// Var θ under exp(−U); its mean is 0.
double variance();

/// U(0) − U(√5), nats: the barrier between the wells.
double barrier();
/// The same for N(μ, s²) in the free energy: the smallest rise on a path from one well to the
/// other, nats. The path follows the best s for each μ, where
/// ∂F/∂s = 0: s² = ((4 − 2.4μ²) + √((4 − 2.4μ²)² + 9.6))/4.8. At the barrier the Gaussian is wide,
/// which lowers it.
double functional_barrier();

}   // namespace credence::double_well

/// Two chains on the potential with two wells: one over a point θ, one over a Gaussian N(μ, s²)
/// (the functional-BNN submission, section 5.1 and Fig. 1).
namespace credence::double_well {

/// Bins of equal width in which θ is counted. Values beyond the ends are in no bin.
struct Bins {
    static constexpr double from = -4.5, width = 0.15;
    static constexpr int n = 60;

    static double centre(int bin) { return from + (bin + 0.5) * width; }
    static int of(double theta);   ///< n: outside the bins
};

/// The state of the chain over functionals.
struct GaussianState {
    double mu = 0, sd = 1;
};

/// Counts the crossings between the wells: a chain has arrived when it is more than half-way from
/// the middle to the bottom, |θ| > √5/2.
class Crossings {
public:
    void visit(double theta);
    long count() const { return count_; }

private:
    int side_   = 0;
    long count_ = 0;
};

/// Sums over states, each a point (s = 0) or a Gaussian; the distribution of the states is their
/// mixture.
class Tally {
public:
    void add(const GaussianState& state);

    long n() const { return n_; }
    // For the mixture; empty without states.
    std::optional<double> mean() const;
    std::optional<double> variance() const;      ///< mean of μ² + s² minus the squared mean
    std::optional<double> right_share() const;   ///< mean of P(θ > 0)
    /// Mean probability of each bin; 0 without states.
    std::vector<double> bins() const;

private:
    long n_     = 0;
    double sum_ = 0, squares_ = 0, right_ = 0;
    std::array<double, Bins::n> mass_{};
};

struct ChainPairOptions {
    double step_size   = 0.02;       ///< ε, above 0
    double momentum    = 0.5;        ///< 1 − α, in [0, 1)
    double temperature = 1;          ///< T of exp(−U/T), at least 0; 0: no noise
    std::optional<double> start{};   ///< of θ and of μ; empty: one draw from N(0, 1), the same for
                                     ///< both. s starts at 1
    std::uint64_t seed = 1;

    bool operator==(const ChainPairOptions&) const = default;
};

/// Advances both chains together. Each step is one of stochastic-gradient HMC with the whole
/// gradient (sghmc in training/langevin.h; Chen et al. 2014). The point moves on U(θ). The Gaussian
/// moves on F(μ, s) = E U − entropy, over (μ, ρ) with s = softplus ρ:
///
///     v ← (1−α)v − ε∂U + √(2αεT) ξ,   θ ← θ + v
///
/// Normal number i of step t moves coordinate i of (θ, μ, ρ). The bits do not depend on how the
/// steps are divided into calls of `advance`.
class ChainPair {
public:
    /// @throws Error "Double well: the momentum is 1.2, expected a number from 0 to below 1."
    explicit ChainPair(const ChainPairOptions& options);

    /// @throws Error if a chain diverges because the step size is too large: the states then end at
    /// the previous step, and every later call throws too
    void advance(long steps);

    const ChainPairOptions& options() const { return options_; }
    long steps() const { return static_cast<long>(points_.size()) - 1; }
    const std::vector<double>& points() const { return points_; }                ///< θ [steps + 1], the start first
    const std::vector<GaussianState>& gaussians() const { return gaussians_; }   ///< [steps + 1]
    // Over all states except the start.
    const Tally& plain() const { return plain_; }
    const Tally& functional() const { return functional_; }
    long plain_crossings() const { return plain_crossings_.count(); }
    long functional_crossings() const { return functional_crossings_.count(); }   ///< of μ

    /// At most `most` states of the plain chain, equally spaced.
    std::vector<double> plain_draws(std::size_t most) const;
    /// At most `most` samples from the states of the functional chain: 100 from every state, or fewer
    /// if these would be too many.
    std::vector<double> functional_draws(std::size_t most) const;

private:
    ChainPairOptions options_;
    Langevin<double> chain_;
    std::array<double, 3> state_{};   // θ, μ, ρ
    std::vector<double> points_;
    std::vector<GaussianState> gaussians_;
    Tally plain_, functional_;
    Crossings plain_crossings_, functional_crossings_;
};

struct LongChainOptions {
    long steps = 1'000'000, every = 100;   ///< of which every 100th is saved
    double step_size = 0.02, momentum = 0.5;
    std::uint64_t seed = 1;
};

/// A plain chain long enough to serve as the reference, up to the error of its step size and of its
/// few crossings.
struct LongChain {
    LongChainOptions options;
    std::vector<double> draws;   ///< [steps / every]
    Tally tally;                 ///< of the draws
    long crossings = 0;          ///< in all steps
};
/// Its noise is independent of a ChainPair with the same seed.
/// @throws Error as ChainPair does; Stopped at a stop_point
LongChain long_chain(const LongChainOptions& options = {});

/// At most `most` values, equally spaced, including the last; all if they are few.
std::vector<double> thinned(std::span<const double> values, std::size_t most);

}   // namespace credence::double_well

namespace credence {

/// Points of one space, borrowed: [n_rows × n_columns], row by row.
struct PointRows {
    std::span<const double> values{};
    std::size_t n_columns = 1;

    std::size_t n_rows() const { return n_columns ? values.size() / n_columns : 0; }
    std::span<const double> row(std::size_t i) const { return values.subspan(i * n_columns, n_columns); }
};

struct KliepOptions {
    std::size_t max_centres = 100;   ///< of the kernels: at most this many points of the numerator,
                                     ///< chosen at random
    std::vector<double> widths{};    ///< candidates σ; empty: nine between 2 % and 200 % of the standard deviation
                                     ///< of all points, geometrically spaced
    std::size_t folds  = 5;          ///< of the cross-validation, at most as many as the numerator has points
    double tolerance   = 1e-3;       ///< nats: maximum distance of the mean of ln r from its optimum
    int max_iterations = 2000;       ///< of each fit, even if the tolerance is not reached
    std::uint64_t seed = 1;          ///< of the centres and of the folds
};

/// An estimate of r(x) = p(x)/q(x) for samples of p (the numerator) and q (the denominator).
struct DensityRatio {
    /// A candidate and its score: the mean of ln r over held-out points of the numerator. −∞ if r
    /// is 0 at one of them, or if some centre has no point of the denominator nearby.
    struct Candidate {
        double width = 0, score = 0;
    };
    std::size_t n_columns = 1;
    double width          = 0;       ///< σ, the candidate with the highest score
    std::vector<double> centres{};   ///< c [b × n_columns]
    std::vector<double> weights{};   ///< a [b], a >= 0
    double gap = 0;                  ///< nats: upper bound on the distance of the mean of ln r from its maximum
    std::vector<Candidate> candidates{};

    /// r(x) = Σ_l a_l exp(−‖x − c_l‖²/(2σ²)) @param x  [n_columns]
    double operator()(std::span<const double> x) const;
    /// r of each row [n_rows].
    std::vector<double> at(const PointRows& points) const;
};

/// Estimates a ratio of densities without estimating either (Kullback-Leibler importance estimation
/// procedure):
///
///     maximise Σ_i ln r(x_i) over x of the numerator,   r(x) = Σ_l a_l K_σ(x, c_l),
///     subject to a_l >= 0,   mean of r over the denominator = 1
///
/// with Gaussian kernels K_σ whose width σ has the highest likelihood in cross-validation. With κ_l
/// the mean of K_σ(·, c_l) over the denominator, w_l = a_l κ_l are the proportions of a mixture:
/// w_l >= 0, Σ w_l = 1, r = Σ_l w_l K_σ(·, c_l)/κ_l. They are found by expectation-maximisation,
///
///     w_l ← w_l g_l,   g_l = (1/n) Σ_i K_σ(x_i, c_l)/(κ_l r(x_i)),
///
/// which satisfies both constraints at every step; the gradient steps of the source need a
/// projection. The problem is concave, so both methods have the same maximum. The mean of ln r is
/// at most max_l g_l − 1 below it. The ratio is unbounded where the numerator has points and the
/// denominator has none.
///
/// @return the same bits for the same samples and seed
/// @throws Error if a sample has fewer than 2 points or a point that is not finite, the columns
/// differ, all points are equal, or a width is not above 0; also if, for every width, some centre
/// has no point of the denominator nearby; Stopped at a stop_point
/// Source: Sugiyama, Suzuki, Nakajima, Kashima, von Bünau and Kawanabe 2008: KLIEP and its
/// likelihood cross-validation
DensityRatio kliep(const PointRows& numerator, const PointRows& denominator, const KliepOptions& options = {});

}   // namespace credence
