// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/variational_family.h"

namespace credence {

/// Starting τ of block b: its entry of the list; beyond the list its last pair (weights, biases) goes on. Empty list: 0.4 weights, 0.1 biases (Steinbrener et al. 2020).
double initial_tau(const PosteriorOptions& options, std::size_t block);
/// Starting ρ of block b, the same way. Empty list: 0.01, where the guard of Posch and Pilz 2021 begins.
double initial_rho(const PosteriorOptions& options, std::size_t block);

/// @throws Error (field "posterior.…") for a value out of range or a list longer than the blocks
void check_options(const PosteriorOptions& options, const ParameterLayout& layout);

}  // namespace credence
