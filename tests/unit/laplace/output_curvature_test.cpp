// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"
#include "unit/laplace/small_nets.h"
#include "unit/network/likelihood_properties.h"

#include <gtest/gtest.h>

namespace credence {
namespace {

using namespace small_nets;

TEST(OutputCurvature, RootsMultiplyToTheHessianOfTheOutputs)
{
    for (const double scale : {0.1, 3.0, 300.0}) {
        const int k = 5, n = 7;
        const auto z = normals(n * k, 9, scale);
        std::vector<double> roots(static_cast<std::size_t>(k - 1) * n * k), hessian(k * k);
        output_curvature_roots<double>({}, z, n, k, roots);
        for (int i = 0; i < n; ++i) {
            Likelihood::categorical()->hessian(std::span(z).subspan(static_cast<std::size_t>(i) * k, k), 0, hessian);
            for (int a = 0; a < k; ++a)
                for (int b = 0; b < k; ++b) {
                    double sum = 0;
                    for (int c = 0; c + 1 < k; ++c)
                        sum += roots[(static_cast<std::size_t>(c) * n + i) * k + a]
                               * roots[(static_cast<std::size_t>(c) * n + i) * k + b];
                    EXPECT_NEAR(sum, hessian[a * k + b], 1e-15) << "scale " << scale << ", example " << i;
                }
        }
    }
}

TEST(OutputCurvature, HessiansOfTheOutputsAreDifferencesOfTheirGradients)
{
    for (const Likelihood& likelihood : {Likelihood::gaussian(0.3), learned_noise(), student_t(0.3, 3.5)}) {
        const int k                 = likelihood->n_outputs(0);
        const std::vector<double> z = {0.4, -0.3};
        const std::vector<float> y  = {1.1f};
        std::vector<double> hessian(k * k);
        likelihood->hessian(std::span(z).first(k), y[0], hessian);
        for (int a = 0; a < k; ++a) {
            const double h = 1e-6;
            std::vector<double> high(k), low(k);
            for (auto [sign, gradient] : {std::pair{1.0, &high}, {-1.0, &low}}) {
                auto at = z;
                at[a] += sign * h;
                negative_log_likelihood<double>(likelihood, std::span<const double>(at).first(k), 1, k, Targets{{}, y},
                                                *gradient, 1.0);
            }
            for (int b = 0; b < k; ++b)
                EXPECT_NEAR(hessian[a * k + b], (high[b] - low[b]) / (2 * h), 1e-7);
        }
    }
}

}   // namespace
}   // namespace credence
