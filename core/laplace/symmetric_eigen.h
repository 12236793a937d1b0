// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
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

/// Maximum number of products that largest_eigenpairs computes, and of vectors that it stores.
int most_products(std::size_t n, int k);

/// Computes the k largest positive eigenvalues and the eigenvectors of a symmetric matrix [n × n]
/// that is only available through matrix–vector products. Uses Lanczos iterations with full
/// reorthogonalisation. Stops when the residuals ‖A u − θ u‖ are below 1e-7 of the largest
/// eigenvalue, or after most_products. In the second case the values are the best in the Krylov
/// space, never larger than the eigenvalues. A repeated eigenvalue is found only once. The result
/// has the same bits for any number of threads if `product` does.
/// @param product   computes A v from v [n]
/// @param advanced  called with the completed share of the work, counted in products
/// @return  at most k values, ascending, with one eigenvector per row; empty if stopped
std::optional<SymmetricEigen>
largest_eigenpairs(std::size_t n, int k, const std::function<void(std::span<const double>, std::span<double>)>& product,
                   const std::stop_token& stop = {}, const std::function<void(double)>& advanced = {});

}   // namespace credence
