// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/true_posterior.h"

#include "foundation/error.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace credence;
using ::testing::ElementsAre;

namespace {

const std::vector<double> three_inputs{0.7, 0.2, 0.1, 0.3, 0.4, 0.3, 0.2, 0.2, 0.6};
const std::vector<double> three_others{0.5, 0.4, 0.1, 0.4, 0.3, 0.3, 0.0, 0.0, 1.0};

/// ∫ |F_a − F_b| dx, which is the same distance seen from the other axis.
double between_distribution_functions(std::vector<double> a, std::vector<double> b)
{
    std::vector<double> places = a;
    places.insert(places.end(), b.begin(), b.end());
    std::sort(places.begin(), places.end());
    const auto share = [](const std::vector<double>& of, double t) {
        return static_cast<double>(std::count_if(of.begin(), of.end(), [=](double x) { return x <= t; }))
               / static_cast<double>(of.size());
    };
    double area = 0;
    for (std::size_t i = 0; i + 1 < places.size(); ++i)
        area += (places[i + 1] - places[i]) * std::fabs(share(a, places[i]) - share(b, places[i]));
    return area;
}
double distance(std::vector<double> a, std::vector<double> b) { return wasserstein_1(a, b); }

}   // namespace

TEST(PredictiveDistance, MatchesAHandCalculation)
{
    // Top classes 0, 1, 2 and 0, 0, 2. Half the sums of differences: 0.2, 0.1, 0.4.
    const auto found = predictive_distance({three_inputs, 3}, {three_others, 3});
    EXPECT_DOUBLE_EQ(found.agreement, 2.0 / 3);
    EXPECT_NEAR(found.total_variation, 0.7 / 3, 1e-15);
    EXPECT_FALSE(found.mutual_information_gap);
    EXPECT_THAT(total_variation_each({three_inputs, 3}, {three_others, 3}),
                ::testing::Pointwise(::testing::DoubleNear(1e-15), {0.2, 0.1, 0.4}));
}

TEST(PredictiveDistance, OfADistributionFromItselfIsZero)
{
    const auto found = predictive_distance({three_inputs, 3}, {three_inputs, 3});
    EXPECT_EQ(found.agreement, 1);
    EXPECT_EQ(found.total_variation, 0);
}

TEST(PredictiveDistance, OfOppositeCertaintiesIsOne)
{
    const std::vector<double> left{1, 0, 1, 0}, right{0, 1, 0, 1};
    const auto found = predictive_distance({left, 2}, {right, 2});
    EXPECT_EQ(found.agreement, 0);
    EXPECT_EQ(found.total_variation, 1);
}

TEST(PredictiveDistance, UsesTheLowestClassOnTies)
{
    const std::vector<double> tie{0.5, 0.5}, first{0.6, 0.4}, second{0.4, 0.6};
    EXPECT_EQ(predictive_distance({tie, 2}, {first, 2}).agreement, 1);
    EXPECT_EQ(predictive_distance({tie, 2}, {second, 2}).agreement, 0);
}

TEST(PredictiveDistance, HasTheGapOfTheEpistemicPartsWhereBothAreKnown)
{
    const std::vector<double> one{0.1, 0.5, 0.2}, other{0.3, 0.1, 0.2};
    const auto found = predictive_distance({three_inputs, 3, one}, {three_others, 3, other});
    EXPECT_NEAR(*found.mutual_information_gap, 0.2 / 3, 1e-15);
    EXPECT_FALSE(predictive_distance({three_inputs, 3, one}, {three_others, 3}).mutual_information_gap);
}

TEST(PredictiveDistance, RejectsIncomparablePredictions)
{
    const std::vector<double> broken{0.5, std::nan(""), 0.5}, two{0.5, 0.5}, one{1};
    EXPECT_THAT(
        ([&] {
            predictive_distance({three_inputs, 3}, {broken, 3});
        }),
        ::testing::ThrowsMessage<Error>("Predictive distance: mean probability 1 is nan, expected a finite number."));
    EXPECT_THAT(([&] {
                    predictive_distance({three_inputs, 3}, {two, 2});
                }),
                ::testing::ThrowsMessage<Error>(
                    "Predictive distance: one side has 3 inputs and 3 classes, the other 1 and 2."));
    EXPECT_THAT(([&] {
                    predictive_distance({two, 3}, {two, 3});
                }),
                ::testing::ThrowsMessage<Error>(
                    "Predictive distance: found 2 probabilities of 3 classes, expected some for each input."));
    EXPECT_THROW(predictive_distance({{}, 3}, {{}, 3}), Error);
    EXPECT_THAT(([&] {
                    predictive_distance({three_inputs, 3, one}, {three_inputs, 3});
                }),
                ::testing::ThrowsMessage<Error>("Predictive distance: found 1 mutual informations for 3 inputs."));
}

TEST(Wasserstein1, MatchesAHandCalculation)
{
    EXPECT_DOUBLE_EQ(distance({3, 1, 2}, {4, 2, 6}), 2);   // |1 − 2|, |2 − 4|, |3 − 6|
    EXPECT_DOUBLE_EQ(distance({0}, {-2.5}), 2.5);
    // (0, 1) against (0, 0, 3): u to 1/3: 0, to 1/2: 0, to 2/3: 1, to 1: 2.
    EXPECT_DOUBLE_EQ(distance({0, 1}, {3, 0, 0}), 1.0 / 6 + 2.0 / 3);
}

TEST(Wasserstein1, IsTheAreaBetweenTheDistributionFunctions)
{
    for (const std::size_t n_a : {1u, 2u, 7u, 60u})
        for (const std::size_t n_b : {1u, 3u, 60u, 91u}) {
            const auto a = normals(n_a, n_a), b = normals(n_b, 100 + n_b, 2.0);
            EXPECT_NEAR(distance(a, b), between_distribution_functions(a, b), 1e-13) << n_a << " and " << n_b;
        }
}

TEST(Wasserstein1, OfAShiftIsTheShiftAndOfEqualSetsZero)
{
    const auto a = normals(50, 1);
    auto b       = a;
    for (double& x : b)
        x += 0.75;
    EXPECT_NEAR(distance(a, b), 0.75, 1e-14);
    EXPECT_EQ(distance(a, a), 0);
    EXPECT_EQ(distance(a, b), distance(b, a));
    // each draw three times is the same distribution
    std::vector<double> thrice;
    for (const double x : a)
        thrice.insert(thrice.end(), 3, x);
    EXPECT_EQ(distance(a, thrice), 0);
}

TEST(Wasserstein1, IsComputedPointByPoint)
{
    const std::vector<double> a{0, 1, 10, 11}, b{0, 0, 0, 13, 13, 13};
    EXPECT_THAT(wasserstein_1_each(a, b, 2), ::testing::Pointwise(::testing::DoubleNear(1e-15), {0.5, 2.5}));
    EXPECT_DOUBLE_EQ(mean_wasserstein_1(a, b, 2), 1.5);
}

TEST(Wasserstein1, RejectsEmptySetsInconsistentShapesAndNonFiniteValues)
{
    const std::vector<double> none, two{1, 2}, broken{1, std::numeric_limits<double>::infinity()};
    EXPECT_THAT(
        [&] { wasserstein_1(none, two); },
        ::testing::ThrowsMessage<Error>("Wasserstein distance: found 0 and 2 draws, expected some on both sides."));
    EXPECT_THAT([&] { wasserstein_1(two, broken); },
                ::testing::ThrowsMessage<Error>("Wasserstein distance: draw 1 is inf, expected a finite number."));
    EXPECT_THAT([&] { mean_wasserstein_1(two, std::vector<double>(3, 0), 2); },
                ::testing::ThrowsMessage<Error>(
                    "Wasserstein distance: found 2 and 3 draws for 2 points, expected as many for each point."));
    EXPECT_THROW(wasserstein_1_each(two, two, 0), Error);
}
