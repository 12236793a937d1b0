// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"
#include "network/network.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

namespace credence {

/// Outputs and gradients, with dropout, by 1, 2, 3 and 7 threads.
inline void expect_same_bits_for_any_threads(const Network<float>& network, int n)
{
    const std::size_t d    = static_cast<std::size_t>(network.architecture().inputs),
                      k    = static_cast<std::size_t>(network.architecture().outputs()),
                      rows = static_cast<std::size_t>(n);
    const auto w = normals<float>(network.layout().size(), 1, 0.1), x = normals<float>(d * rows, 2),
               dz = normals<float>(k * rows, 3);
    std::vector<std::vector<float>> outputs, gradients;
    for (int threads : {1, 2, 3, 7}) {
        Threads(threads).run([&] {
            Network<float>::Workspace workspace(network, n);
            const auto z = network.forward(w, x.data(), n, workspace, DropoutNoise{{4, Stream::dropout, 0}, 0});
            outputs.emplace_back(z.begin(), z.end());
            gradients.emplace_back(w.size());
            network.backward(w, dz, workspace, gradients.back());
        });
        EXPECT_EQ(outputs.front(), outputs.back()) << threads << " threads";
        EXPECT_EQ(gradients.front(), gradients.back()) << threads << " threads";
    }
}

}   // namespace credence
