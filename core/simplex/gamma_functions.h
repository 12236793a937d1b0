// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Gamma functions with their large parts removed: sums of lnΓ and ψ of the Dirichlet lose nine
/// digits by cancellation at α = 1e8, these remainders do not. All arguments > 0; relative error
/// about 1e-15.
namespace credence::gamma {

/// lnΓ(x) − [(x − ½) ln x − x + ½ ln 2π], about 1/(12x) for large x (Stirling).
double stirling_remainder(double x);
/// ln x − ψ(x) > 0, about 1/(2x) for large x.
double log_minus_digamma(double x);
/// ψ(x + d) − ψ(x), without cancellation for small d >= 0.
double digamma_difference(double x, double d);
double log_gamma(double x);
double digamma(double x);
double trigamma(double x);

/// (1 + x) ln(1 + x) − x >= 0 for x >= −1: about x²/2 near 0.
double relative_excess(double x);
/// ln(1 + x) − x <= 0 for x > −1.
double log1p_minus(double x);
/// e^x − 1 − x >= 0.
double expm1_minus(double x);

}   // namespace credence::gamma
