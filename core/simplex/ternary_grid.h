// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/dirichlet.h"
#include "simplex/logistic_normal.h"

#include <array>
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

}   // namespace credence
