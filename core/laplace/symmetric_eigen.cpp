// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/symmetric_eigen.h"

#include "foundation/error.h"
#include "foundation/products.h"

#include <Eigen/Eigenvalues>

#include <cassert>

namespace credence {

SymmetricEigen symmetric_eigen(std::span<const double> matrix, int n)
{
    assert(matrix.size() == static_cast<std::size_t>(n) * n);
    fix_product_blocking();
    const Eigen::MatrixXd lower =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(matrix.data(), n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(lower);
    if (solver.info() != Eigen::Success)
        throw Error("The eigenvalues of the curvature could not be computed: it holds numbers that are not finite.");
    SymmetricEigen result;
    result.values.assign(solver.eigenvalues().data(), solver.eigenvalues().data() + n);
    // Eigen's columns become rows.
    result.vectors.assign(solver.eigenvectors().data(), solver.eigenvectors().data() + matrix.size());
    return result;
}

SymmetricEigen positive_eigen(std::span<const double> matrix, int n)
{
    SymmetricEigen result = symmetric_eigen(matrix, n);
    for (double& value : result.values)
        value = std::max(value, 0.0);
    return result;
}

}   // namespace credence
