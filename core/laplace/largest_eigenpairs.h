// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/symmetric_eigen.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

namespace credence {

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
