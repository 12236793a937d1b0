// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/fit_curvature.h"
#include "network/network.h"
#include "unit/random_values.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// A network with drawn weights and a few drawn rows, for curvature and linearised outputs.
struct CurvatureCase {
    Model model;
    std::vector<double> weights, inputs;
    std::vector<int> labels;
    int n = 9;

    explicit CurvatureCase(Architecture architecture) : model{std::move(architecture), {}, false}
    {
        weights = normals(layout_of(model.architecture).size(), 3, 0.5);
        inputs  = normals(static_cast<std::size_t>(n) * model.architecture.inputs, 4);
        for (int i = 0; i < n; ++i)
            labels.push_back(i % model.architecture.outputs());
    }
    std::shared_ptr<const Curvature> curvature(CurvatureOptions options) const
    {
        return curvature_of<double>(model, weights, inputs, Targets{labels, {}}, n, options);
    }
};

inline CurvatureCase dense() { return CurvatureCase(mlp(3, {4, 5}, 3, ActivationKind::tanh)); }
inline CurvatureCase convolutions()
{
    return CurvatureCase({2 * 6 * 6,
                          {Conv2d{3, 3, 1, 1}, Activation{ActivationKind::tanh}, Pool{Pool::Kind::maximum, 2, 2},
                           Conv2d{2, 2}, Dense{4}, Activation{ActivationKind::relu}, Dense{3}},
                          ImageShape{2, 6, 6}});
}

/// J of input i at these weights, row by row from backward passes [K][weights].
inline std::vector<std::vector<double>> jacobian(const CurvatureCase& c, std::span<const double> mean, int i)
{
    const int K = c.model.architecture.outputs(), d = c.model.architecture.inputs;
    const Network<double> network(c.model.architecture);
    Network<double>::Workspace workspace(network, 1);
    network.forward(mean, c.inputs.data() + i * d, 1, workspace);
    std::vector<std::vector<double>> J;
    for (int k = 0; k < K; ++k) {
        std::vector<double> unit(K), row(mean.size());
        unit[k] = 1;
        network.backward(mean, unit, workspace, row);
        J.push_back(row);
    }
    return J;
}

/// J Σ Jᵀ of each input, with Σ as the linear map that a draw is.
template <class SomePosterior>
std::vector<std::vector<double>> naively(const CurvatureCase& c, const SomePosterior& posterior)
{
    const int K         = c.model.architecture.outputs();
    const std::size_t P = c.weights.size();
    const std::vector<double> mean(posterior.means().begin(), posterior.means().end());
    std::vector<std::vector<std::vector<double>>> J;
    for (int i = 0; i < c.n; ++i)
        J.push_back(jacobian(c, mean, i));
    std::vector sigma(c.n, std::vector<double>(static_cast<std::size_t>(K) * K));
    auto draw = posterior.make_draw();
    std::vector<double> moved(P), along(K);
    for (std::size_t p = 0; p < P; ++p) {
        std::fill(draw.noise.begin(), draw.noise.end(), 0);
        draw.noise[p] = 1;
        posterior.transform(draw);
        for (std::size_t q = 0; q < P; ++q)
            moved[q] = static_cast<double>(draw.weights[q]) - mean[q];
        for (int i = 0; i < c.n; ++i) {
            for (int k = 0; k < K; ++k)
                along[k] = std::inner_product(moved.data(), moved.data() + P, J[i][k].data(), 0.0);
            for (int k = 0; k < K; ++k)
                for (int l = 0; l < K; ++l)
                    sigma[i][k * K + l] += along[k] * along[l];
        }
    }
    return sigma;
}

}   // namespace credence
