// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// A Gaussian over the K logits of one input, N(μ, Σ). Σ is stored as given: full, diagonal, or
/// diagonal plus a thin factor, diag(d) + F Fᵀ.
class LogitGaussian {
public:
    /// @param mu          [K], K >= 2
    /// @param covariance  [K × K] by rows, symmetric, no negative eigenvalue (up to rounding; it
    /// can be singular). @throws Error otherwise
    static LogitGaussian from_covariance(std::vector<double> mu, std::vector<double> covariance);
    /// @param variance  [K], all > 0
    static LogitGaussian from_diagonal(std::vector<double> mu, std::vector<double> variance);
    /// Σ = diag(d) + F Fᵀ. @param diagonal  [K], all >= 0; @param factor  [K × r] by rows, r >= 1
    static LogitGaussian from_factor(std::vector<double> mu, std::vector<double> diagonal, std::vector<double> factor);

    int n_classes() const { return static_cast<int>(mu_.size()); }
    const std::vector<double>& mu() const { return mu_; }
    std::vector<double> variance() const;     ///< diag Σ [K]
    std::vector<double> row_sums() const;     ///< Σ 1 [K]
    std::vector<double> covariance() const;   ///< Σ [K × K]
    double covariance(int k, int l) const;

    /// The distribution of some of the logits: exact. The softmax of these is the distribution of π
    /// among these classes (π_k/Σ π_j): exactly logistic-normal again.
    LogitGaussian among(std::span<const int> classes) const;

private:
    LogitGaussian(std::vector<double> mu, std::vector<double> full, std::vector<double> diagonal,
                  std::vector<double> factor);

    std::vector<double> mu_, full_, diagonal_, factor_;
    int rank_ = 0;
};

/// A Gaussian over G logits whose softmax is close to the distribution of π with classes merged,
/// adding each group's probabilities. Not exact: the logit of a group, ln Σ e^z over its classes,
/// is not Gaussian; its mean and covariance are estimated from samples.
/// @param group  [K], the group 0..G−1 of each class, every group used, G >= 2
LogitGaussian merged_by_moments(const LogitGaussian& logits, std::span<const int> group, std::uint64_t seed,
                                int n_draws = 20000);

/// Σ without the direction that softmax ignores, as principal axes: z − mean(z) = μ − mean(μ) + Σ_i
/// x_i direction_i, x standard normal. Internal to core/simplex.
struct LogitAxes {
    struct Axis {
        std::vector<double> direction;   ///< √λ_i q_i [K], sums to 0
        double range =
            0;   ///< largest minus smallest entry: largest separation of two logits in one standard deviation
    };
    explicit LogitAxes(const LogitGaussian& logits);
    std::vector<Axis>
        axes;   ///< at most K − 1, widest last; axes without effect on softmax (up to rounding) are omitted
};

/// The trapezoidal rule for a standard normal coordinate: weights sum to 1.
struct AxisNodes {
    double step = 0;
    std::vector<double> position, weight;
};
/// Its step resolves the Gaussian and the nearest singularity of ln Σ e^z in the complex plane, at
/// a distance of π/range:
/// 0.5 min(1, 1/range), so that the error of both is below 1e-15. Reaches 9 standard deviations.
/// @param finer  divides the step further
AxisNodes axis_nodes(const LogitAxes::Axis& axis, double finer = 1);

}   // namespace credence
