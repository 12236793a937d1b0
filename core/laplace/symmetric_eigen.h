// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

struct SymmetricEigen {
    std::vector<double> values;    ///< [n], ascending
    std::vector<double> vectors;   ///< [n × n], eigenvector i in row i
};

/// Of a symmetric matrix [n × n], of which the lower triangle is read. One thread; the same bits every time.
SymmetricEigen symmetric_eigen(std::span<const double> matrix, int n);

/// The same where the matrix has no negative eigenvalue but for rounding: those become 0.
SymmetricEigen positive_eigen(std::span<const double> matrix, int n);

}   // namespace credence
