// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/fit_curvature.h"
#include "network/architecture.h"
#include "network/likelihood.h"
#include "network/network.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

/// Nets small enough to compute their curvature naively, and that naive curvature.
namespace credence::small_nets {

/// A network, weights and data to test with.
struct Small {
    Model model;
    std::vector<double> weights, inputs;
    std::vector<int> labels;
    std::vector<float> values;
    int n;

    Small(Architecture architecture, int n_examples, Likelihood likelihood = {})
        : model{std::move(architecture), likelihood, false}, n(n_examples)
    {
        weights = normals(layout_of(model.architecture).size(), 3, 0.5);
        inputs  = normals(static_cast<std::size_t>(n) * model.architecture.inputs, 4);
        for (int i = 0; i < n; ++i) {
            labels.push_back(i % model.architecture.outputs());
            values.push_back(static_cast<float>(std::sin(i)));
        }
        if (!likelihood->has_labels())
            labels.clear();
        else
            values.clear();
    }
    Targets targets() const { return {labels, values}; }
    int columns() const { return model.likelihood->curvature_columns(model.architecture.outputs()); }
    std::shared_ptr<const Curvature> curvature(CurvatureOptions options) const
    {
        return curvature_of<double>(model, weights, inputs, targets(), n, options);
    }
};

inline std::vector<double> gradient_at(const Small& s, const std::vector<double>& weights)
{
    const Network<double> network(s.model.architecture);
    Network<double>::Workspace workspace(network, s.n);
    const auto z = network.forward(weights, s.inputs.data(), s.n, workspace);
    std::vector<double> dz(z.size()), gradient(weights.size());
    negative_log_likelihood<double>(s.model.likelihood, z, s.n, s.model.architecture.outputs(), s.targets(), dz, 1.0);
    network.backward(weights, dz, workspace, gradient);
    return gradient;
}

/// Central differences of the gradient [P × P].
inline std::vector<double> hessian_by_differences(const Small& s, double h = 1e-5)
{
    const std::size_t P = s.weights.size();
    std::vector<double> hessian(P * P);
    for (std::size_t p = 0; p < P; ++p) {
        auto up = s.weights, down = s.weights;
        up[p] += h;
        down[p] -= h;
        const auto high = gradient_at(s, up), low = gradient_at(s, down);
        for (std::size_t q = 0; q < P; ++q)
            hessian[p * P + q] = (high[q] - low[q]) / (2 * h);
    }
    return hessian;
}

/// Σ Jᵀ Λ J the naive way: one backward pass for each example and output, Λ from the exact Hessian
/// of the outputs or given.
inline std::vector<double> ggn_naively(const Small& s)
{
    const std::size_t P = s.weights.size();
    const int k = s.model.architecture.outputs(), d = s.model.architecture.inputs;
    const Network<double> network(s.model.architecture);
    Network<double>::Workspace workspace(network, 1);
    std::vector<double> ggn(P * P);
    for (int i = 0; i < s.n; ++i) {
        const auto z = network.forward(s.weights, s.inputs.data() + i * d, 1, workspace);
        std::vector<double> lambda(static_cast<std::size_t>(k) * k);
        s.model.likelihood->hessian(z, s.values.empty() ? 0.0 : static_cast<double>(s.values[i]), lambda);
        std::vector<std::vector<double>> J;
        for (int c = 0; c < k; ++c) {
            std::vector<double> unit(k), row(P);
            unit[c] = 1;
            network.backward(s.weights, unit, workspace, row);
            J.push_back(row);
        }
        for (int a = 0; a < k; ++a)
            for (int b = 0; b < k; ++b)
                for (std::size_t p = 0; p < P; ++p)
                    for (std::size_t q = 0; q < P; ++q)
                        ggn[p * P + q] += J[a][p] * lambda[a * k + b] * J[b][q];
    }
    return ggn;
}

inline std::vector<double> composed(const CurvatureData& data)
{
    const std::size_t P = data.covered();
    std::vector<double> matrix(P * P);
    for (std::size_t r = 0; r < data.eigenvalues.size(); ++r)
        for (std::size_t p = 0; p < P; ++p)
            for (std::size_t q = 0; q < P; ++q)
                matrix[p * P + q] += data.eigenvalues[r]
                                     * (data.eigenvectors.empty()
                                            ? double(data.eigenvectors_float[r * P + p])
                                                  * data.eigenvectors_float[r * P + q]
                                            : data.eigenvectors[r * P + p] * data.eigenvectors[r * P + q]);
    return matrix;
}

inline std::vector<double> diagonal_of(const std::vector<double>& matrix, std::size_t first = 0)
{
    const auto P = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
    std::vector<double> diagonal;
    for (std::size_t p = first; p < P; ++p)
        diagonal.push_back(matrix[p * P + p]);
    return diagonal;
}

/// B ⊗ A of one factor, among the weights of its layer: [size × size] with the biases after the weights.
inline std::vector<double> product_of(const KroneckerFactor& f)
{
    const auto in = static_cast<std::size_t>(f.in), out = static_cast<std::size_t>(f.out), size = in * out;
    std::vector<double> A(in * in), B(out * out), matrix(size * size);
    for (std::size_t r = 0; r < in; ++r)
        for (std::size_t i = 0; i < in; ++i)
            for (std::size_t j = 0; j < in; ++j)
                A[i * in + j] += f.a_values[r] * f.a_vectors[r * in + i] * f.a_vectors[r * in + j];
    for (std::size_t r = 0; r < out; ++r)
        for (std::size_t i = 0; i < out; ++i)
            for (std::size_t j = 0; j < out; ++j)
                B[i * out + j] += f.b_values[r] * f.b_vectors[r * out + i] * f.b_vectors[r * out + j];
    const auto place = [&](std::size_t o, std::size_t i) {
        return i + 1 == in ? out * (in - 1) + o : o * (in - 1) + i;
    };
    for (std::size_t o = 0; o < out; ++o)
        for (std::size_t i = 0; i < in; ++i)
            for (std::size_t u = 0; u < out; ++u)
                for (std::size_t v = 0; v < in; ++v)
                    matrix[place(o, i) * size + place(u, v)] = B[o * out + u] * A[i * in + v];
    return matrix;
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& want, double relative,
                        const char* what)
{
    ASSERT_EQ(got.size(), want.size()) << what;
    double largest = 0, worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        largest = std::max(largest, std::fabs(want[i]));
        if (!(std::fabs(got[i] - want[i]) <= worst)) {
            worst = std::fabs(got[i] - want[i]);
            at    = i;
        }
    }
    EXPECT_LE(worst, relative * largest) << what << "[" << at << "] is " << got[at] << ", expected " << want[at];
}

using enum CurvatureStructure;
inline constexpr CurvatureOptions options(CurvatureStructure structure, CurvatureLayers layers = CurvatureLayers::all,
                                          CurvatureKind kind = CurvatureKind::ggn)
{
    return {structure, layers, kind, KroneckerForm::joint};
}

inline Architecture conv_net(ActivationKind activation = ActivationKind::tanh)
{
    return {2 * 6 * 6,
            {Conv2d{3, 3, 1, 1}, Activation{activation}, Pool{Pool::Kind::maximum, 2, 2}, Conv2d{2, 2},
             Pool{Pool::Kind::average, 2, 1}, Dense{4}, Activation{activation}, Dense{3}},
            ImageShape{2, 6, 6}};
}

/// Two residual blocks: with a stride and more channels, and with a projection.
inline Architecture residual_net()
{
    constexpr Activation smooth{ActivationKind::softplus};
    return {2 * 4 * 4,
            {Conv2d{2, 1}, Save{}, FilterResponseNorm{0.1}, smooth, Conv2d{3, 3, 2, 1}, Add{}, Save{}, Conv2d{2, 1},
             Pool{Pool::Kind::maximum, 2, 2}, Swap{}, Conv2d{2, 1}, Add{}, smooth, Dense{3}},
            ImageShape{2, 4, 4}};
}

}   // namespace credence::small_nets
