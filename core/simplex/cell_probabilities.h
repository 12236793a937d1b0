// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/dirichlet.h"
#include "simplex/logistic_normal.h"

#include <span>
#include <vector>

namespace credence {

/// Division of the simplex of three classes into square cells [i/B, (i+1)/B) × [j/B, (j+1)/B) of
/// (π_1, π_2), i + j < B, those on the long edge clipped to triangles. Order: i, then j; B (B +
/// 1)/2 cells. This is the lattice for counting samples (docs/maths.md, section 7).
int n_square_cells(int B);

/// Logarithms of the exact probabilities of the cells, by quadrature over t = ln(π_2/π_3): given t,
/// each cell is an interval of π_1, whose probability is a difference of distribution functions.
/// Computed in logarithms throughout: a cell in the far tail, even with probability e^−1e6, has
/// about nine correct digits, so any two distributions with a density have a finite KL on the
/// cells.
/// @throws Error unless K = 3 and B >= 1
std::vector<double> log_cell_probabilities(const LogisticNormal& distribution, int B);
std::vector<double> log_cell_probabilities(const Dirichlet& distribution, int B);
/// The probabilities themselves; 0 below 1e-323.
std::vector<double> cell_probabilities(const LogisticNormal& distribution, int B);
std::vector<double> cell_probabilities(const Dirichlet& distribution, int B);

/// Number of samples in each cell. @param probabilities  [n × 3]
std::vector<long> cell_counts(std::span<const double> probabilities, int B);
/// (n_b + ½)/(n + ½ · cells): with raw counts, every empty cell would make the KL infinite.
std::vector<double> histogram_probabilities(std::span<const long> counts);
/// Σ P_b ln(P_b/Q_b), nats; 0 ln 0 := 0. Infinite if Q is 0 where P is not; for two exact
/// distributions use logarithms.
double kl_of_cells(std::span<const double> p, std::span<const double> q);
double kl_of_log_cells(std::span<const double> log_p, std::span<const double> log_q);

}   // namespace credence
