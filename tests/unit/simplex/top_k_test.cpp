// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/top_k.h"

#include "foundation/error.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

TEST(TopK, AClearWinnerIsTheOnlyEntry)
{
    EXPECT_THAT(uncertain_top_k(Dirichlet({100, 3, 2, 1}), 0.05).selected, ElementsAre(0));
}

TEST(TopK, IndistinguishableClassesStayTogetherInTheOrderOfAlpha)
{
    EXPECT_THAT(uncertain_top_k(Dirichlet({0.5, 18, 17.5, 1, 20}), 0.05).selected, ElementsAre(4, 1, 2));
    EXPECT_THAT(uncertain_top_k(Dirichlet({2, 2, 2}), 0.05).selected, ElementsAre(0, 1, 2));
}

TEST(TopK, EachClassIsComparedWithThePreviousOne)
{
    // a chain: each overlaps with its neighbour, the last one not with the first
    const Dirichlet distribution({50, 45, 30, 20, 12, 7, 4, 2, 1});
    EXPECT_EQ(uncertain_top_k(distribution, 0.01).selected.size(), 9u);
    EXPECT_LT(upper_quantile(distribution.marginal(8), 0.005).value, quantile(distribution.marginal(0), 0.005).value);
}

TEST(TopK, AWiderIntervalNeverShortensTheList)
{
    const Dirichlet distribution({30, 22, 18, 9, 3, 1});
    std::size_t before = 0;
    for (const double T : {0.9, 0.5, 0.2, 0.05, 0.01, 1e-4}) {
        const auto list = uncertain_top_k(distribution, T);
        EXPECT_GE(list.selected.size(), before) << T;
        before = list.selected.size();
        EXPECT_EQ(list.left_previous.size(), list.right_current.size());
        EXPECT_EQ(list.left_previous.size(), std::min<std::size_t>(5, before)) << "quantiles up to the first failure";
    }
}

TEST(TopK, SharpDistributionsAreDistinguishedByTheSmallTail)
{
    // both quantiles are 1 in a double: 1 − x decides
    const TopK list = uncertain_top_k(Dirichlet({1e8, 1e-6}), 0.05);
    EXPECT_THAT(list.selected, ElementsAre(0));
    EXPECT_EQ(list.left_previous[0].value, 1);
}

TEST(TopK, RejectsAThresholdOutsideZeroAndOne)
{
    EXPECT_THAT(
        [] {
        uncertain_top_k(Dirichlet({1, 1}), 1);
        },
        testing::ThrowsMessage<Error>(
            "Uncertainty-aware top-k: the threshold is 1, expected a number between 0 and 1."));
}

TEST(UncertainTopKList, IsThatOfTheQuantilesForEveryThreshold)
{
    std::vector<double> numbers(400);
    uniforms({.seed = 5, .stream = Stream::logits, .index = 0}, 0, std::span(numbers));
    for (const double scale : {0.01, 1.0, 30.0, 1e5})
        for (std::size_t from = 0; from + 20 <= numbers.size(); from += 20) {
            std::vector<double> alpha(numbers.begin() + static_cast<long>(from),
                                      numbers.begin() + static_cast<long>(from) + 20);
            for (double& a : alpha)
                a = scale * std::pow(a, 3) + 1e-6;
            const Dirichlet distribution(alpha);
            for (const double T : {1e-4, 0.05, 0.5, 0.99})
                ASSERT_EQ(uncertain_top_k_list(distribution, T), uncertain_top_k(distribution, T).selected)
                    << "scale " << scale << ", T " << T;
        }
    EXPECT_EQ(uncertain_top_k_list(Dirichlet({2, 2, 2}), 0.999), (std::vector<int>{0, 1, 2}))
        << "equal classes are never separated";
    EXPECT_EQ(uncertain_top_k_list(Dirichlet({2, 2, 2}), 0.999, 2), (std::vector<int>{0, 1}))
        << "no longer than allowed";
    EXPECT_EQ(uncertain_top_k_list(Dirichlet({2, 2, 2}), 0.999, 7), (std::vector<int>{0, 1, 2}));
}
