// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/network/likelihood_properties.h"

namespace credence {
namespace {

using likelihood_properties::gradient_of;
using likelihood_properties::Rows;

const std::vector<double> three_weights{0.5, 2, 1.25};

TEST(WeightedCategorical, HasTheDerivativesOfALikelihood)
{
    const auto weighted = Likelihood::weighted_categorical(three_weights);
    const Rows rows(weighted, 7);
    likelihood_properties::expect_gradient(weighted, rows);
    likelihood_properties::expect_float_near_double(weighted, rows);
    likelihood_properties::expect_rows_of_units(weighted, rows);
    likelihood_properties::expect_hessian(weighted, rows);
}

TEST(WeightedCategorical, IsTheSumOverClassesTimesTheirWeights)
{
    const auto weighted = Likelihood::weighted_categorical(three_weights);
    const Rows rows(weighted, 9);
    double sum = 0;
    for (int i = 0; i < rows.n; ++i)
        sum += three_weights[static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)])]
               * Likelihood::categorical()->value(rows.row(i), 1, 3,
                                                  {std::span(rows.labels).subspan(static_cast<std::size_t>(i), 1), {}},
                                                  std::span<double>(), 1.0, nullptr);
    int right = 0, right_of_plain = 0;
    EXPECT_NEAR(weighted->value(rows.outputs, rows.n, 3, rows.targets(), std::span<double>(), 1.0, &right), sum, 1e-12);
    Likelihood::categorical()->value(rows.outputs, rows.n, 3, rows.targets(), std::span<double>(), 1.0,
                                     &right_of_plain);
    EXPECT_EQ(right, right_of_plain);
    EXPECT_FALSE(weighted->is_exact());
}

TEST(WeightedCategorical, OfEqualWeightsIsTheCategoricalLikelihood)
{
    const auto ones = Likelihood::weighted_categorical({1, 1, 1});
    const Rows rows(ones, 7);
    EXPECT_EQ(gradient_of(ones, rows), gradient_of(Likelihood::categorical(), rows));
    EXPECT_NE(ones, Likelihood::categorical());
    EXPECT_NE(ones, Likelihood::weighted_categorical(three_weights));
}

TEST(WeightedCategorical, HasTheMeanCurvatureUnderTheModel)
{
    const auto weighted = Likelihood::weighted_categorical(three_weights);
    const Rows rows(weighted, 4);
    const auto next = rows.outputs.size();
    std::vector<double> roots(2 * next), hessian(9);
    weighted->curvature_roots(rows.outputs, 3, roots.data(), next);
    for (int i = 0; i < rows.n; ++i) {
        std::vector<float> z(rows.row(i).begin(), rows.row(i).end()), p(3);
        float entropy = 0;
        weighted->predict(z, 3, p.data(), &entropy);
        std::vector<double> mean(9, 0);
        for (int y = 0; y < 3; ++y) {
            weighted->hessian(rows.row(i), y, hessian);
            for (std::size_t j = 0; j < 9; ++j)
                mean[j] += static_cast<double>(p[static_cast<std::size_t>(y)]) * hessian[j];
        }
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                double product = 0;
                for (std::size_t c = 0; c < 2; ++c)
                    product += roots[c * next + 3 * static_cast<std::size_t>(i) + a]
                               * roots[c * next + 3 * static_cast<std::size_t>(i) + b];
                EXPECT_NEAR(product, mean[3 * a + b], 1e-6);
            }
    }
}

}   // namespace
}   // namespace credence
