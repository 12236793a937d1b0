// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
