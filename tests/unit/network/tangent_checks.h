// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/network.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace credence {

/// Some inputs, more than one chunk of images, and directions.
struct TangentCase {
    static constexpr int n = 11;
    Network<double> network;
    std::vector<double> weights, inputs;
    std::vector<double> directions[3];

    explicit TangentCase(const Architecture& architecture)
        : network(architecture), weights(normals(network.layout().size(), 1, 0.4)),
          inputs(normals(std::size_t{n} * architecture.inputs, 2, 1))
    {
        for (std::uint64_t d = 0; d < 3; ++d)
            directions[d] = normals(weights.size(), 5 + d, 1);
    }
    std::vector<double> outputs(const std::vector<double>& at) const
    {
        Network<double>::Workspace workspace(network, n);
        const auto z = network.forward(at, inputs.data(), n, workspace);
        return {z.begin(), z.end()};
    }
    /// [directions × n × outputs]
    template <class T>
    std::vector<T> tangents(int lowest_layer = 0) const
    {
        const Network<T> net(network.architecture());
        const std::vector<T> w(weights.begin(), weights.end()), x(inputs.begin(), inputs.end());
        std::vector<std::vector<T>> values;
        for (const auto& direction : directions)
            values.emplace_back(direction.begin(), direction.end());
        const std::vector<std::span<const T>> along(values.begin(), values.end());
        typename Network<T>::Workspace workspace(net, n);
        net.forward(w, x.data(), n, workspace);
        const auto t = net.tangents(w, along, workspace, lowest_layer);
        return {t.begin(), t.end()};
    }
};

inline void expect_near_all(const std::vector<double>& got, const std::vector<double>& want, double tolerance,
                            const char* what)
{
    ASSERT_EQ(got.size(), want.size()) << what;
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], want[i], tolerance * std::max(1.0, std::abs(want[i]))) << what << ", number " << i;
}

/// J δ: by central differences, by the rows of J from backward passes, in float, and with the lower layers fixed.
inline void expect_tangents_match(const Architecture& architecture)
{
    const TangentCase c(architecture);
    const auto got      = c.tangents<double>();
    const std::size_t K = static_cast<std::size_t>(architecture.outputs());
    std::vector<double> differences, products;
    Network<double>::Workspace workspace(c.network, c.n);
    for (const auto& direction : c.directions) {
        constexpr double h     = 1e-6;
        std::vector<double> up = c.weights, down = c.weights;
        for (std::size_t i = 0; i < up.size(); ++i) {
            up[i] += h * direction[i];
            down[i] -= h * direction[i];
        }
        const auto above = c.outputs(up), below = c.outputs(down);
        for (std::size_t i = 0; i < above.size(); ++i)
            differences.push_back((above[i] - below[i]) / (2 * h));
        c.network.forward(c.weights, c.inputs.data(), c.n, workspace);
        for (std::size_t i = 0; i < above.size(); ++i) {
            std::vector<double> unit(c.n * K), row(c.weights.size());
            unit[i] = 1;
            c.network.backward(c.weights, unit, workspace, row);
            products.push_back(0);
            for (std::size_t w = 0; w < row.size(); ++w)
                products.back() += row[w] * direction[w];
        }
    }
    expect_near_all(got, differences, 2e-7, "differences");
    expect_near_all(got, products, 1e-11, "rows of the Jacobian");
    const auto single = c.tangents<float>();
    expect_near_all({single.begin(), single.end()}, got, 1e-4, "float");

    const auto& blocks = c.network.layout().blocks;
    for (int lowest = 1; lowest < static_cast<int>(blocks.size()) / 2; ++lowest) {
        TangentCase upper = c;
        for (auto& direction : upper.directions)
            for (const auto& block : blocks)
                if (block.layer < lowest)
                    std::fill_n(direction.begin() + static_cast<std::ptrdiff_t>(block.begin), block.size, 0.0);
        expect_near_all(c.tangents<double>(lowest), upper.tangents<double>(), 1e-12, "fixed layers");
    }
}

}   // namespace credence
