// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/symmetric_eigen.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

namespace credence {

/// How many products largest_eigenpairs asks for at most, and so how many vectors it holds.
int most_products(std::size_t n, int k);

/// Computes the k largest positive eigenvalues of a symmetric matrix [n × n] that is known by its products with vectors, and their eigenvectors, by Lanczos iterations in
/// which every new vector is made orthogonal to all before it. Ends when the residuals ‖A u − θ u‖ are below 1e-7 of the largest eigenvalue, or after most_products; what is had
/// then are the best values in the space of all these products, never larger than the eigenvalues. An eigenvalue that stands several times is found once. The same bits for any
/// number of threads if `product` has them.
/// @param product   A v of v [n]
/// @param advanced  called with the share that is done, by products
/// @return  values ascending, at most k of them, vectors one a row; empty if stopped
std::optional<SymmetricEigen>
largest_eigenpairs(std::size_t n, int k, const std::function<void(std::span<const double>, std::span<double>)>& product,
                   const std::stop_token& stop = {}, const std::function<void(double)>& advanced = {});

}   // namespace credence
