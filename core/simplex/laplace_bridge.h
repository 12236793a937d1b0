// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/softmax.h"
#include "simplex/dirichlet.h"
#include "simplex/logit_gaussian.h"

#include <span>
#include <vector>

namespace credence {

/// Correction of the Gaussian before (2.7) of Hobbhahn 2020, which assumes a Gaussian in the plane
/// Σ z = 0; covariances of networks are not in this plane.
enum class BridgeVariant {
    plain,         ///< none: (2.7) applied to μ and diag Σ unchanged, as in Hobbhahn 2020
    conditioned,   ///< conditioned on Σ z = 0 (H22, laplace-torch "bridge"): changes the distribution of softmax(z)
    projected,     ///< the distribution of z − mean(z): the only one that preserves the distribution of softmax(z)
    /// Then μ/√c, Σ/c with c = mean(diag Σ)/√(K/2) (laplace-torch "bridge_norm"): limits large
    /// variances
    conditioned_normalised,
    projected_normalised,
};
inline constexpr BridgeVariant bridge_variants[] = {BridgeVariant::plain, BridgeVariant::conditioned,
                                                    BridgeVariant::projected, BridgeVariant::conditioned_normalised,
                                                    BridgeVariant::projected_normalised};
constexpr bool is_conditioned(BridgeVariant v)
{
    return v == BridgeVariant::conditioned || v == BridgeVariant::conditioned_normalised;
}
constexpr bool is_normalised(BridgeVariant v)
{
    return v == BridgeVariant::conditioned_normalised || v == BridgeVariant::projected_normalised;
}
/// "plain", "conditioned", …, as used in files.
const char* name(BridgeVariant variant);

/// μ and diag Σ after the correction; c is the divisor of the normalised variants, otherwise 1.
struct CorrectedLogits {
    std::vector<double> mu, variance;   ///< [K]
    double c = 1;
};
/// Depends only on μ, diag Σ and the row sums Σ1.
///     conditioned: μ − Σ1 (1ᵀμ)/(1ᵀΣ1),  diag Σ − (Σ1)²/(1ᵀΣ1)
///     projected:   μ − mean μ,            diag Σ − 2 Σ1/K + (1ᵀΣ1)/K²
/// A Gaussian in the plane is unchanged.
/// @throws Error if a variance is not positive afterwards
CorrectedLogits corrected(const LogitGaussian& logits, BridgeVariant variant);
/// @param variance  diag Σ [K]; @param row_sums  Σ1 [K], for a diagonal Σ the same
CorrectedLogits corrected(std::vector<double> mu, std::vector<double> variance, std::span<const double> row_sums,
                          BridgeVariant variant);

/// A Dirichlet stored as ln α, since exp(μ) in the bridge overflows a double for realistic logits.
struct LogDirichlet {
    std::vector<double> log_alpha;   ///< [K]
    double log_total = 0;            ///< ln α_0

    std::vector<double> mean() const;       ///< softmax(ln α) [K]
    std::vector<double> variance() const;   ///< m (1 − m)/(α_0 + 1) [K]; 0 where it underflows
    bool overflows() const;                 ///< α overflows a double, or underflows to 0
    /// @throws Error "Laplace bridge: ln alpha of class 0 is 997.8, …" if it overflows
    Dirichlet dirichlet() const;
};

/// Gaussian → Dirichlet, Hobbhahn 2020, (2.7) with the sign of the exponent corrected
/// (docs/maths.md, section 12):
///     α_k = (1/Σ_kk)(1 − 2/K + (e^{μ_k}/K²) Σ_l e^{−μ_l})
///     ln α_k = −ln Σ_kk + ln(1 − 2/K + exp(μ_k + logsumexp(−μ) − 2 ln K))
LogDirichlet bridge(const LogitGaussian& logits, BridgeVariant variant);
/// The same map applied to corrected moments.
LogDirichlet bridge(const CorrectedLogits& logits);

/// Dirichlet → Gaussian, its Laplace approximation in the softmax basis, in the plane Σ z = 0
/// (Hobbhahn 2020, (2.5), (2.6); MacKay 1998):
///     μ_k = ln α_k − mean ln α,  Σ_kl = δ_kl/α_k − (1/K)(1/α_k + 1/α_l − (1/K) Σ_u 1/α_u)
/// `bridge(…, plain)` recovers α exactly. Each row of Σ sums to 0.
LogitGaussian logit_gaussian(const Dirichlet& distribution);

/// Mean-field probit approximation of E softmax(z): softmax(μ_k/√(1 + π Σ_kk/8)) [K], for
/// comparison.
std::vector<double> probit_mean(const LogitGaussian& logits);

}   // namespace credence
