// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"
#include "network/network.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace credence {

/// The gradient of the softmax loss with respect to every input agrees with central differences; it is the same without the gradient of the weights.
inline void expect_input_gradient_matches_differences(const Architecture& architecture, int n,
                                                      std::optional<DropoutNoise> dropout = {})
{
    const Network<double> network(architecture);
    const auto w = normals<double>(network.layout().size(), 1, 0.4);
    auto x       = normals<double>(static_cast<std::size_t>(n) * architecture.inputs, 2, 1);
    const int k  = architecture.outputs();
    std::vector<int> labels;
    for (int i = 0; i < n; ++i)
        labels.push_back(i % k);
    Network<double>::Workspace workspace(network, n);
    std::vector<double> dz(static_cast<std::size_t>(n) * k);
    const auto loss = [&] {
        return negative_log_likelihood<double>({LikelihoodKind::softmax},
                                               network.forward(w, x.data(), n, workspace, dropout), n, k, {labels, {}},
                                               dz, 1.0);
    };
    loss();
    const auto output_gradient = dz;
    std::vector<double> dw(w.size()), both(x.size(), std::numeric_limits<double>::quiet_NaN()), alone = both;
    network.backward(w, output_gradient, workspace, dw, both);
    loss();
    network.backward(w, output_gradient, workspace, {}, alone);
    EXPECT_EQ(both, alone);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double h = 1e-6, at = x[i];
        x[i]              = at + h;
        const double up   = loss();
        x[i]              = at - h;
        const double down = loss();
        x[i]              = at;
        ASSERT_NEAR(alone[i], (up - down) / (2 * h), 2e-7 * std::max(1.0, std::abs(alone[i]))) << "input " << i;
    }
}

}   // namespace credence
