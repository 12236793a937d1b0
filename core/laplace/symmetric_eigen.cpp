// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/symmetric_eigen.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "random/noise.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

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

namespace {

constexpr double enough = 1e-7, exhausted = 1e-12;   // relative to the largest eigenvalue
constexpr std::size_t numbers_of_a_piece = 4096;

using Numbers = std::vector<double>;

Eigen::Map<const Eigen::VectorXd> as_vector(const Numbers& numbers)
{
    return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// to += Σ_j factors_j · vectors_j, each element summed in the order of the vectors.
void add_combination(const std::vector<Numbers>& vectors, std::span<const double> factors, double* to)
{
    parallel_chunks(vectors.front().size(), numbers_of_a_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = 0; j < factors.size(); ++j)
            for (std::size_t i = begin; i < end; ++i)
                to[i] += factors[j] * vectors[j][i];
    });
}

/// Orthogonalises w against all vectors.
void make_orthogonal(const std::vector<Numbers>& vectors, Numbers& w)
{
    Numbers parts(vectors.size());
    for (int pass = 0; pass < 2; ++pass) {   // the second pass removes rounding errors
        parallel_for(vectors.size(), [&](std::size_t j) { parts[j] = -as_vector(vectors[j]).dot(as_vector(w)); });
        add_combination(vectors, parts, w.data());
    }
}

/// Eigendecomposition of the tridiagonal Lanczos matrix.
SymmetricEigen eigen_of(const Numbers& diagonal, const Numbers& off_diagonal)
{
    const std::size_t m = diagonal.size();
    Numbers matrix(m * m);
    for (std::size_t j = 0; j < m; ++j) {
        matrix[j * m + j] = diagonal[j];
        if (j > 0)
            matrix[j * m + j - 1] = matrix[(j - 1) * m + j] = off_diagonal[j - 1];
    }
    return symmetric_eigen(matrix, static_cast<int>(m));
}

}   // namespace

int most_products(std::size_t n, int k)
{
    return static_cast<int>(std::min<std::size_t>(n, 4 * static_cast<std::size_t>(k) + 40));
}

std::optional<SymmetricEigen>
largest_eigenpairs(std::size_t n, int k, const std::function<void(std::span<const double>, std::span<double>)>& product,
                   const std::stop_token& stop, const std::function<void(double)>& advanced)
{
    const auto most = static_cast<std::size_t>(most_products(n, k)), wanted = static_cast<std::size_t>(k);
    // Iterations between two checks of the residuals.
    const std::size_t between = std::max<std::size_t>(10, wanted / 4);
    std::vector<Numbers> vectors;
    Numbers diagonal, off_diagonal, next(n), w(n);
    standard_normals({.seed = 1, .stream = Stream::figures, .index = 0}, 0, std::span<double>(next));
    double norm = as_vector(next).norm(), largest = 0;
    while (true) {
        for (double& value : next)
            value /= norm;
        vectors.push_back(next);
        product(vectors.back(), w);
        if (stop.stop_requested())
            return std::nullopt;
        diagonal.push_back(as_vector(vectors.back()).dot(as_vector(w)));
        make_orthogonal(vectors, w);
        norm                   = as_vector(w).norm();
        largest                = std::max({largest, std::abs(diagonal.back()), norm});
        const std::size_t done = vectors.size();
        if (advanced)
            advanced(static_cast<double>(done) / static_cast<double>(most));
        const bool last = done == most || !(norm > exhausted * largest);
        if (last || (done >= 2 * wanted && (done - 2 * wanted) % between == 0)) {
            const SymmetricEigen eigen = eigen_of(diagonal, off_diagonal);
            const double top           = std::max(eigen.values.back(), 0.0);
            const std::size_t first    = done - std::min(wanted, done);
            bool settled               = true;
            for (std::size_t i = first; i < done; ++i)
                settled = settled && norm * std::abs(eigen.vectors[i * done + done - 1]) <= enough * top;
            if (last || settled) {
                SymmetricEigen out;
                for (std::size_t i = first; i < done; ++i)
                    if (eigen.values[i] > exhausted * top) {
                        out.values.push_back(eigen.values[i]);
                        out.vectors.resize(out.vectors.size() + n);
                        add_combination(vectors, std::span(eigen.vectors).subspan(i * done, done),
                                        out.vectors.data() + out.vectors.size() - n);
                    }
                return out;
            }
        }
        off_diagonal.push_back(norm);
        next.swap(w);
    }
}

}   // namespace credence
