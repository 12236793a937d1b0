// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

struct SymmetricEigen {
    std::vector<double> values;    ///< [n], ascending
    std::vector<double> vectors;   ///< [n × n], eigenvector i in row i
};

/// Eigendecomposition of a symmetric matrix [n × n]; reads only the lower triangle. Single-threaded
/// and deterministic.
SymmetricEigen symmetric_eigen(std::span<const double> matrix, int n);

/// The same for a positive semidefinite matrix: negative eigenvalues from rounding become 0.
SymmetricEigen positive_eigen(std::span<const double> matrix, int n);

}   // namespace credence
