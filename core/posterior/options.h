// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "network/architecture.h"
#include "posterior/laplace_options.h"

#include <map>
#include <string>
#include <vector>

namespace credence {

/// Initial values and guards of a posterior, per block where the papers have one per block.
struct PosteriorOptions {
    std::string family = "mean_field";   ///< id of a Method
    double initial_sd  = 0.05;           ///< mean_field: σ = softplus(pre-softplus σ)
    std::vector<double> initial_tau =
        {};   ///< layer_scale, tridiagonal: per block; a shorter list repeats its last pair (weights, biases)
    std::vector<double> initial_rho =
        {};                      ///< tridiagonal: per block, in (-½, ½); a shorter list repeats its last pair
    double dropout_rate = 0.2;   ///< bernoulli_dropout: shown by describe(); the masks are layers of the network
    bool guard_gamma =
        true;   ///< |γ| >= 0.04000533 (Posch and Pilz 2021, pseudocode lines 7–25); not needed by the closed form
    bool guard_spread      = true;        ///< δ >= guard_delta, |γ| <= 10, |m| >= guard_mean
    double guard_delta     = -4.600166;   ///< τ >= 0.01 (Posch and Pilz 2021)
    double guard_mean      = 1e-6;        ///< 0: means are not limited
    LaplaceOptions laplace = {};          ///< laplace: settings of the phase after training
    std::map<std::string, FieldValue> own =
        {};   ///< settings of the methods, by path; missing ones have their defaults
};

/// Initial τ of block b (blocks alternate between weights and biases): its entry in the list; beyond
/// the list, the last pair (weights, biases) is repeated. Empty list: 0.4 weights, 0.1 biases
/// (Steinbrener et al. 2020).
double initial_tau(const PosteriorOptions& options, std::size_t block);
/// Initial ρ of block b, in the same way. Empty list: 0.01, the limit of the guard of Posch and
/// Pilz 2021.
double initial_rho(const PosteriorOptions& options, std::size_t block);

// Checks of initial values. @throws Error (field "posterior.…")
void require_initial_sd(const PosteriorOptions& options);
void require_dropout_rate(double rate);
void require_initial_tau(const PosteriorOptions& options,
                         const ParameterLayout& layout);   ///< positive, no more than blocks
void require_initial_rho(const PosteriorOptions& options,
                         const ParameterLayout& layout);   ///< in (-½, ½), no more than blocks

}   // namespace credence
