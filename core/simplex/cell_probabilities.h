// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/dirichlet.h"
#include "simplex/logistic_normal.h"

#include <span>
#include <vector>

namespace credence {

/// The simplex of three classes in square cells [i/B, (i+1)/B) × [j/B, (j+1)/B) of (π_1, π_2), i + j < B, those on the long edge cut to triangles.
/// Order: i, then j; B (B + 1)/2 cells. This is the lattice on which draws are counted (MATHS.md section 7).
int n_square_cells(int B);

/// Exact probabilities of the cells, by quadrature over s = π_2/(1 − π_1): given s, each cell is an interval of π_1, whose probability is a difference of
/// distribution functions. Probability that hides in a corner or on an edge is counted to the last bit. Relative error about 1e-10 of the largest.
/// @throws Error unless K = 3 and B >= 1
std::vector<double> cell_probabilities(const LogisticNormal& law, int B);
std::vector<double> cell_probabilities(const Dirichlet& law, int B);

/// How many draws fall into each cell. @param probabilities  [n × 3]
std::vector<long> cell_counts(std::span<const double> probabilities, int B);
/// (n_b + ½)/(n + ½ · cells): raw counts would make every KL infinite that meets an empty cell.
std::vector<double> histogram_probabilities(std::span<const long> counts);
/// Σ P_b ln(P_b/Q_b), nats; 0 ln 0 := 0.
double kl_of_cells(std::span<const double> p, std::span<const double> q);

}  // namespace credence
