// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/fresh_draws.h"

#include "posterior/sample_set.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <set>

namespace credence {
namespace {

/// M nets of one weight and one bias: draw s is (s, 0).
std::shared_ptr<const SampleSet> numbered_draws(std::size_t n)
{
    aligned_vector<float> numbers;
    for (std::size_t s = 0; s < n; ++s)
        numbers.insert(numbers.end(), {static_cast<float>(s), 0.0f});
    return std::make_shared<const SampleSet>(layout_of(mlp(1, {}, 1)), std::move(numbers));
}

std::set<float> members(const Posterior& part)
{
    std::set<float> found;
    Draw<float> draw = part.make_draw();
    for (std::uint32_t i = 0; i < 40; ++i) {
        part.draw({1, Stream::prediction, i}, draw);
        found.insert(draw.weights[0]);
    }
    return found;
}

TEST(DrawsApart, OfASetAreDisjointAndComplete)
{
    for (const std::size_t n : {2U, 3U, 5U, 12U, 25U})
        for (const int wanted : {1, 2, 10, 100}) {
            const auto apart    = draws_apart(numbered_draws(n), wanted);
            const auto gradient = members(*apart.gradient), fresh = members(*apart.fresh);
            EXPECT_EQ(gradient.size(), std::min<std::size_t>(static_cast<std::size_t>(wanted), n / 2));
            EXPECT_EQ(gradient.size() + fresh.size(), n);
            for (const float draw : gradient)
                EXPECT_FALSE(fresh.contains(draw)) << "draw " << draw << " of " << n;
            EXPECT_EQ(apart.gradient->different_draws(), gradient.size());
            EXPECT_EQ(apart.fresh->different_draws(), fresh.size());
        }
}

TEST(DrawsApart, AreSpreadOverTheSet)
{
    EXPECT_THAT(members(*draws_apart(numbered_draws(12), 3).gradient), testing::ElementsAre(0, 4, 8));
}

TEST(DrawsApart, OfAFamilyAndOfOneDrawAreThePosteriorItself)
{
    const auto layout = layout_of(mlp(1, {}, 1));
    const std::vector<float> means{1, 2};
    const std::shared_ptr<const Posterior> family = make_posterior<float>(layout, {.family = "mean_field"}, means);
    const std::shared_ptr<const Posterior> single = numbered_draws(1);
    for (const auto& posterior : {family, single}) {
        const auto apart = draws_apart(posterior, 10);
        EXPECT_EQ(apart.gradient, posterior);
        EXPECT_EQ(apart.fresh, posterior);
    }
}

}   // namespace
}   // namespace credence
