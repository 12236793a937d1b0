// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/dirichlet.h"
#include "simplex/logistic_normal.h"

#include <array>
#include <span>
#include <vector>

namespace credence {

/// Division of the triangle of three classes into n² small triangles of equal area by the lines π_k
/// = i/n, for density plots on the simplex. Cell (i, j, up) has π_1 in [i/n, (i+1)/n), π_2 in [j/n,
/// (j+1)/n) and, below or above the diagonal of that square, π_3 in strip n − 1 − i − j (up) or n −
/// 2 − i − j (down). Index: i (2n − i) + 2j, one more for down.
struct TernaryGrid {
    int n = 0;
    std::vector<double> mass;   ///< probability of each cell [n²]; sums to 1

    int cell_of(double first,
                double second)
        const;   ///< the cell of (π_1, π_2, 1 − π_1 − π_2); points outside belong to the nearest edge cell
    std::array<std::array<double, 3>, 3> corners(int cell) const;   ///< three points (π_1, π_2, π_3)
    /// Mean density over a cell with respect to (π_1, π_2), the measure of `log_pdf`: the uniform
    /// distribution has density 2 everywhere.
    double density(int cell) const { return mass[static_cast<std::size_t>(cell)] * 2.0 * n * n; }
    double total() const;
};

/// Probabilities of all cells; they sum to 1 even for a very sharp distribution or one far in a
/// corner, and the measure is the same for both distributions. Dirichlet: slices of constant π_1,
/// of exact probability, divided among the cells by the distribution function of π_2/(1 − π_1).
/// Distribution of softmax(z): cubature where the density hardly changes within a cell; otherwise
/// rays from the corner of class 0, strips of π_2/(π_2 + π_3) of exact probability, divided by the
/// distribution function of π_1 given that ratio.
/// @param n  cells per side, 1..2000; @throws Error otherwise, or unless K = 3
TernaryGrid ternary_grid(const LogisticNormal& distribution, int n);
TernaryGrid ternary_grid(const Dirichlet& distribution, int n);

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
