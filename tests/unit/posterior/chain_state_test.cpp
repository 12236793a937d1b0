// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/point_estimate.h"

#include "posteriors.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

template <class T>
std::vector<T> gradient_of_state(const ChainState<T>& state, std::span<const T> loss_gradient,
                                 const Complexity& complexity)
{
    auto draw = state.make_draw();
    state.draw({}, draw);
    std::vector<T> all(loss_gradient.size());
    state.pullback(draw, loss_gradient, complexity, [&](std::size_t first, std::span<const T> piece) {
        std::copy(piece.begin(), piece.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return all;
}

TEST(ChainState, ItsGradientIsThatOfTheLossAndOfThePrior)
{
    const auto layout = layout_with({3000, 5});
    const Prior prior = Prior::weights_and_biases(layout, GaussianPrior{0.3, 0.5}, ScaleMixturePrior{});
    const auto w      = normals<float>(layout.size(), 2, 0.1);
    const auto loss   = normals<double>(layout.size(), 3);
    const ChainState<double> state(layout, w);
    const auto gradient = gradient_of_state<double>(state, loss, {.prior = &prior, .weight = 0.01});
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
            const double slope = log_density_gradient(prior.blocks[b], static_cast<double>(w[i]));
            EXPECT_NEAR(gradient[i], loss[i] - 0.01 * slope, 1e-12 * (1 + std::fabs(slope))) << i;
        }
}

TEST(ChainState, WithoutAPriorItIsAPointEstimate)
{
    const auto layout = layout_with({3000, 5});
    const auto loss   = normals<float>(layout.size(), 3);
    const ChainState<float> state(layout, normals<float>(layout.size(), 2));
    EXPECT_EQ(gradient_of_state<float>(state, loss, {}), loss);
    EXPECT_EQ(state.noise_in(), NoiseIn::nothing);
    EXPECT_EQ(state.clone()->noise_in(), NoiseIn::nothing);
}

}   // namespace
}   // namespace credence::testing
