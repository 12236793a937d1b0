// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"
#include "network/network.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace credence {

/// A gradient agrees with the central differences of `loss` in each entry of `at`, which is as it was afterwards.
/// @param each   the name of one entry: "weight"
/// @param bound  of the difference, for entries of up to 1 in size; larger ones by as much more
template <class Loss>
void expect_central_differences(const char* each, const std::vector<double>& gradient, std::vector<double>& at,
                                Loss loss, double bound = 2e-7)
{
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double h = 1e-6, before = at[i];
        at[i]             = before + h;
        const double up   = loss();
        at[i]             = before - h;
        const double down = loss();
        at[i]             = before;
        ASSERT_NEAR(gradient[i], (up - down) / (2 * h), bound * std::max(1.0, std::abs(gradient[i])))
            << each << " " << i;
    }
}

/// The gradient of the softmax loss with respect to every input agrees with central differences; it
/// is the same without the gradient of the weights.
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
        return negative_log_likelihood<double>(Likelihood::categorical(),
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
    expect_central_differences("input", alone, x, loss);
}

}   // namespace credence
