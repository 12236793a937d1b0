// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/gaussian_outputs.h"

#include "foundation/error.h"
#include "foundation/softmax.h"
#include "random/noise.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

/// L with L Lᵀ = Σ; for a singular Σ from its eigenvectors.
Eigen::MatrixXd root_of(const LogitGaussian& law)
{
    const int K                  = law.n_classes();
    auto sigma                   = law.covariance();
    const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(sigma.data(), K, K);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(matrix);
    if (cholesky.info() == Eigen::Success)
        return cholesky.matrixL();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

}   // namespace

GaussianOutputs::GaussianOutputs(std::shared_ptr<const LogitsFile> file, int n_draws, std::uint64_t seed)
    : file_(std::move(file)), n_draws_(n_draws), seed_(seed), reader_(file_)
{
    if (file_->n_rows() > most_rows)
        throw Error(file_->name() + ": mean has " + std::to_string(file_->n_rows()) + " rows, expected at most "
                    + std::to_string(most_rows) + ".");
}

std::optional<LogitGaussian> GaussianOutputs::gaussian(std::uint32_t row) const
{
    const std::lock_guard lock(mutex_);
    return reader_.row(row);
}

bool GaussianOutputs::read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                           const std::stop_token& stop) const
{
    const auto K = static_cast<std::size_t>(n_classes());
    std::vector<double> noise(K);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (stop.stop_requested())
            return false;
        const auto law             = *gaussian(rows[i]);
        const auto variance        = law.variance();
        const Eigen::MatrixXd root = file_->full() ? root_of(law) : Eigen::MatrixXd();
        for (int s = 0; s < n_draws; ++s) {
            standard_normals({seed_, Stream::logits, rows[i]}, static_cast<std::uint64_t>(s) * K, std::span(noise));
            Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(law.mu().data(), static_cast<Eigen::Index>(K));
            const Eigen::Map<const Eigen::VectorXd> xi(noise.data(), static_cast<Eigen::Index>(K));
            if (file_->full())
                z += root * xi;
            else
                for (std::size_t k = 0; k < K; ++k)
                    z[static_cast<Eigen::Index>(k)] += std::sqrt(variance[k]) * noise[k];
            const auto numbers = out.subspan((static_cast<std::size_t>(s) * rows.size() + i) * K, K);
            std::copy(z.begin(), z.end(), numbers.begin());
            if (kind == Kind::probabilities)
                to_softmax(numbers);
            else if (kind == Kind::log_probabilities)
                to_log_softmax(numbers);
        }
    }
    return true;
}

}   // namespace credence
