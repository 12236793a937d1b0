// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/activation.h"

#include "foundation/elementary.h"
#include "unit/layers/layer_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace credence {
namespace {

class EveryActivationKind : public testing::TestWithParam<ActivationKind> {};

/// NaN at each place in turn among `n` finite numbers, alone and fused with a bias: it stays in
/// place and no other number becomes NaN.
template <class T>
void expect_nan_stays_nan(ActivationKind kind, int n)
{
    const std::vector<T> bias(static_cast<std::size_t>(n), T(0.25));
    for (int at = 0; at < n; ++at) {
        std::vector<T> alone(static_cast<std::size_t>(n), T(at % 2 ? 0.5 : -0.5));
        alone[at]            = std::numeric_limits<T>::quiet_NaN();
        std::vector<T> fused = alone;
        activate(kind, alone.data(), alone.size());
        add_bias_and_activate(kind, fused.data(), bias.data(), n, TileRange{0, 1, 0, n});
        for (int i = 0; i < n; ++i) {
            EXPECT_EQ(std::isnan(alone[i]), i == at) << "number " << i << " of " << n;
            EXPECT_EQ(std::isnan(fused[i]), i == at) << "number " << i << " of " << n << ", with a bias";
        }
    }
}

TEST_P(EveryActivationKind, GivesNaNForNaN)
{
    for (const int n : {1, 7, 16, 37}) {   // less than a vector, whole vectors, and a rest
        expect_nan_stays_nan<float>(GetParam(), n);
        expect_nan_stays_nan<double>(GetParam(), n);
    }
}

TEST_P(EveryActivationKind, ObeysTheLayerContract) { expect_properties(Activation{GetParam()}, {2, 4, 5}); }

INSTANTIATE_TEST_SUITE_P(All, EveryActivationKind,
                         testing::Values(ActivationKind::relu, ActivationKind::tanh, ActivationKind::sigmoid,
                                         ActivationKind::softplus, ActivationKind::elu, ActivationKind::identity),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(Softplus, HasTheSlopeOfTheSigmoidInFloatToo)
{
    for (int k = -800; k <= 200; ++k) {
        const double t = 0.1 * k;
        float y = static_cast<float>(t), slope = 1;
        activate(ActivationKind::softplus, &y, 1);
        multiply_by_derivative(ActivationKind::softplus, &y, &slope, 1);
        const double expected = sigmoid(static_cast<double>(static_cast<float>(t)));
        EXPECT_NEAR(slope / expected, 1, 1e-6) << "t = " << t;
    }
}

}   // namespace
}   // namespace credence
