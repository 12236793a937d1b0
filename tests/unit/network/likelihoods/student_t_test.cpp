// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "unit/network/likelihood_properties.h"

#include <gmock/gmock.h>

#include <numbers>

namespace credence {
namespace {

double student_nll(const Likelihood& likelihood, double f, float y)
{
    return likelihood->value(std::span<const double>(&f, 1), 1, 1, {{}, std::span<const float>(&y, 1)},
                             std::span<double>(), 1.0, nullptr);
}

TEST(StudentT, HasThePropertiesOfALikelihood)
{
    expect_likelihood_properties(student_t(0.3, 5));
    expect_likelihood_properties(student_t(2, 3.5));
}

TEST(StudentT, IsTheDensityWithItsConstant)
{
    // Four degrees of freedom: p(e) = 3/8 (1 + e²/4)^(−5/2), here at e = 2
    EXPECT_NEAR(student_nll(student_t(0.75, 4), 0.5, 2), -std::log(3.0 / 8 * std::pow(2, -2.5) / 0.75), 1e-14);
    // Three degrees of freedom: p(e) = 2 / (π √3 (1 + e²/3)²)
    EXPECT_NEAR(student_nll(student_t(1, 3), 0, 1), -std::log(2 / (std::numbers::pi * std::sqrt(3.0) * 16 / 9)), 1e-14);
}

TEST(StudentT, WithManyDegreesOfFreedomIsNearlyGaussian)
{
    EXPECT_NEAR(student_nll(student_t(0.5, 1000), 0.2, 1), student_nll(Likelihood::gaussian(0.5), 0.2, 1), 2e-3);
}

TEST(StudentT, PullsLessOnTheCurveTheFartherAnOutlierIs)
{
    std::vector<double> pull;
    for (const float y : {1.0f, 10.0f, 100.0f}) {
        const double f  = 0;
        double gradient = 0;
        student_t(0.5, 4)->value(std::span<const double>(&f, 1), 1, 1, {{}, std::span<const float>(&y, 1)},
                                 std::span<double>(&gradient, 1), 1.0, nullptr);
        pull.push_back(-gradient);
    }
    EXPECT_GT(pull[0], pull[1]);
    EXPECT_GT(pull[1], pull[2]);
    EXPECT_GT(pull[2], 0);
}

TEST(StudentT, PredictsTheStandardDeviationOfItsNoise)
{
    const std::vector<float> outputs{1.5f, -2};
    std::vector<float> predicted(4), entropy(2);
    student_t(0.5, 4)->predict(outputs, 1, predicted.data(), entropy.data());
    const auto sd = static_cast<float>(0.5 * std::sqrt(2.0));   // √(ν/(ν − 2))
    EXPECT_THAT(predicted, testing::ElementsAre(1.5f, testing::FloatEq(sd), -2, testing::FloatEq(sd)));
}

TEST(StudentT, QuantilesAreThoseOfTheTableScaledToAStandardDeviationOf1)
{
    // Table of Student's t, 0.975 and 5 degrees of freedom: 2.571
    EXPECT_NEAR(student_t(1, 5)->noise()->quantile_of_e(0.975), 2.571 / std::sqrt(5.0 / 3), 5e-4);
}

TEST(NoiseModels, AreComparedByKindAndParameters)
{
    EXPECT_EQ(student_t(0.5, 4), student_t(0.5, 4));
    EXPECT_NE(student_t(0.5, 4), student_t(0.5, 5));
    EXPECT_NE(student_t(0.5, 4), student_t(0.4, 4));
    EXPECT_NE(Likelihood::gaussian(0.5), Likelihood::gaussian(0.4));
    EXPECT_NE(Likelihood::categorical(), learned_noise());
    EXPECT_EQ(Likelihood(), Likelihood::categorical());
}

TEST(NoiseModels, AnUnknownIdIsRejected)
{
    EXPECT_THAT([] { noise_model("unknown"); },
                testing::ThrowsMessage<Error>(testing::StartsWith(
                    "network.noise is \"unknown\", expected one of given, level, learned, student_t")));
}

}   // namespace
}   // namespace credence
