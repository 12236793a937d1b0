// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logit_nodes.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace credence {

LogitAxes::LogitAxes(const LogitGaussian& logits)
{
    const int K = logits.n_classes();
    Eigen::MatrixXd sigma(K, K);
    for (int k = 0; k < K; ++k)
        for (int l = 0; l < K; ++l)
            sigma(k, l) = logits.covariance(k, l);
    const Eigen::VectorXd rows = sigma.rowwise().mean();
    const double all           = rows.mean();
    sigma.colwise() -= rows;
    sigma.rowwise() -= rows.transpose();
    sigma.array() += all;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(sigma);
    const double largest = eigen.eigenvalues()(K - 1);
    for (int i = 0; i < K; ++i) {
        const double lambda = eigen.eigenvalues()(i);
        if (!(lambda > 1e-15 * largest) || !(largest > 0))
            continue;
        Axis axis;
        const Eigen::VectorXd direction = std::sqrt(lambda)
                                          * (eigen.eigenvectors().col(i).array() - eigen.eigenvectors().col(i).mean());
        axis.direction.assign(direction.data(), direction.data() + K);
        axis.range = direction.maxCoeff() - direction.minCoeff();
        if (axis.range > 0)
            axes.push_back(std::move(axis));
    }
    while (axes.size() > static_cast<std::size_t>(K - 1))
        axes.erase(axes.begin());   // the smallest is rounding in the direction of 1
}

AxisNodes axis_nodes(const LogitAxes::Axis& axis, double finer, double reach)
{
    AxisNodes nodes;
    nodes.step  = 0.5 * std::min(1.0, 1 / axis.range) / finer;
    const int n = static_cast<int>(std::ceil(reach / nodes.step));
    double sum  = 0;
    for (int i = -n; i <= n; ++i) {
        nodes.position.push_back(i * nodes.step);
        nodes.weight.push_back(std::exp(-0.5 * nodes.position.back() * nodes.position.back()));
        sum += nodes.weight.back();
    }
    for (double& w : nodes.weight)
        w /= sum;
    return nodes;
}

}   // namespace credence
