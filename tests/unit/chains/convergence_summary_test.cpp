// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence_summary.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

#include <limits>

using namespace credence;

namespace {

/// Quantities of one shape as the summary expects them.
std::optional<ConvergenceSummary> summary_of(const std::vector<naive::Chains>& quantities,
                                             const SummaryOptions& options = {}, std::stop_token stop = {})
{
    const auto write = [&](std::size_t q, std::span<double> draws) {
        const auto values = naive::all(quantities[q]);
        std::copy(values.begin(), values.end(), draws.begin());
    };
    const auto& first = quantities.at(0);
    return convergence_summary({quantities.size(), first.size(), first[0].size(), write}, options, stop);
}

naive::Chains shifted(naive::Chains chains, double by)
{
    for (double& x : chains[0])
        x += by;
    return chains;
}
naive::Chains all_of(double value, std::size_t n) { return naive::Chains(2, naive::Chain(n, value)); }

}   // namespace

TEST(ConvergenceSummary, HasTheConvergenceOfEachQuantity)
{
    std::vector<naive::Chains> quantities;
    for (std::uint64_t q = 0; q < 20; ++q)
        quantities.push_back(autoregressive(2, 60, 0.4, q));
    const auto summary = *summary_of(quantities);
    ASSERT_EQ(summary.quantities.size(), 20u);
    for (std::size_t q = 0; q < 20; ++q) {
        const auto alone = convergence(together(quantities[q]).view());
        EXPECT_EQ(summary.quantities[q].r_hat, alone.r_hat);
        EXPECT_EQ(summary.quantities[q].plain_r_hat, alone.plain_r_hat);
        EXPECT_EQ(summary.quantities[q].bulk_ess, alone.bulk_ess);
        EXPECT_EQ(summary.quantities[q].tail_ess, alone.tail_ess);
        EXPECT_EQ(summary.quantities[q].agreement, alone.agreement);
    }
}

TEST(ConvergenceSummary, NamesTheWorstAndTheShare)
{
    std::vector<naive::Chains> quantities;
    for (std::uint64_t q = 0; q < 10; ++q)
        quantities.push_back(autoregressive(2, 4000, 0, q));
    quantities[3]      = shifted(quantities[3], 1);
    quantities[7]      = shifted(quantities[7], 3);
    quantities[5]      = autoregressive(2, 4000, 0.5, 50);
    const auto summary = *summary_of(quantities);
    EXPECT_EQ(summary.n_judged, 10u);
    EXPECT_DOUBLE_EQ(*summary.share_below, 0.8);
    EXPECT_EQ(summary.worst_r_hat, 7u);
    EXPECT_EQ(summary.smallest_bulk_ess, 7u);
    const auto& q = summary.quantities;
    for (std::size_t k = 0; k < 10; ++k)
        EXPECT_LE(*q[*summary.smallest_tail_ess].tail_ess, *q[k].tail_ess);
    EXPECT_DOUBLE_EQ(*summary_of(quantities, {.threshold = 5})->share_below, 1);
    EXPECT_DOUBLE_EQ(*summary_of(quantities, {.threshold = 1.3})->share_below, 0.9);
}

TEST(ConvergenceSummary, DistinguishesChainsThatDifferFromSlowChainsThatAgree)
{
    std::vector<naive::Chains> differ, slow, brief;
    for (std::uint64_t q = 0; q < 40; ++q) {
        differ.push_back(shifted(autoregressive(4, 1000, 0.9, q), 1));
        slow.push_back(autoregressive(4, 1000, 0.9, q));
        brief.push_back(autoregressive(4, 60, 0.9, q));
    }
    const auto apart = *summary_of(differ), together = *summary_of(slow), too_short = *summary_of(brief);
    EXPECT_LT(*together.share_below, 0.9) << "R̂ alone cannot tell them apart";
    EXPECT_LT(*apart.agreement, 1e-6);
    EXPECT_GT(*together.agreement, 0.01);
    EXPECT_FALSE(too_short.agreement) << "60 samples are worth 3 independent ones";
    EXPECT_GT(too_short.n_too_short, 20u);
}

TEST(ConvergenceSummary, MultipliesTheSmallestProbabilityByTheNumberOfQuantities)
{
    std::vector<naive::Chains> quantities;
    for (std::uint64_t q = 0; q < 10; ++q)
        quantities.push_back(autoregressive(3, 200, 0.3, q));
    quantities[4]      = shifted(quantities[4], 0.5);
    const auto summary = *summary_of(quantities);
    double smallest    = 1;
    for (const auto& quantity : summary.quantities)
        smallest = std::min(smallest, *quantity.agreement);
    EXPECT_EQ(smallest, *summary.quantities[4].agreement);
    EXPECT_DOUBLE_EQ(*summary.agreement, 10 * smallest);
}

TEST(ConvergenceSummary, JudgesOnlyDefinedQuantities)
{
    auto broken         = autoregressive(2, 40, 0, 2);
    broken[1][7]        = std::numeric_limits<double>::quiet_NaN();
    naive::Chains still = all_of(1, 40);
    std::fill(still[1].begin(), still[1].end(), 2);
    const auto good    = autoregressive(2, 40, 0, 1);
    const auto summary = *summary_of({all_of(1, 40), broken, shifted(good, 9), still, good, still}, {.threshold = 1.5});
    EXPECT_EQ(summary.n_judged, 4u);
    EXPECT_DOUBLE_EQ(*summary.share_below, 0.25);
    EXPECT_EQ(summary.worst_r_hat, 3u);   // no bound comes before any number
    EXPECT_EQ(summary.smallest_bulk_ess, 3u);
    EXPECT_EQ(summary.quantities[1].r_hat.why_not(), "Convergence: draw 7 of chain 1 is nan, expected finite numbers.");
}

TEST(ConvergenceSummary, WithoutDefinedQuantitiesHasNoShare)
{
    for (const auto& summary : {*summary_of({all_of(1, 40), all_of(2, 40)}), *summary_of({all_of(1, 2)})}) {
        EXPECT_EQ(summary.n_judged, 0u);
        EXPECT_FALSE(summary.share_below);
        EXPECT_FALSE(summary.agreement);
        EXPECT_FALSE(summary.worst_r_hat);
        EXPECT_FALSE(summary.smallest_bulk_ess);
        EXPECT_FALSE(summary.smallest_tail_ess);
    }
    const auto never = [](std::size_t, std::span<double>) { FAIL(); };
    EXPECT_EQ(convergence_summary({0, 2, 10, never})->n_judged, 0u);
}

TEST(ConvergenceSummary, HasTheSameBitsForAnyNumberOfThreads)
{
    std::vector<naive::Chains> quantities;
    for (std::uint64_t q = 0; q < 60; ++q)
        quantities.push_back(autoregressive(3, 150, q % 2 == 0 ? 0.2 : 0.97, q));
    std::optional<ConvergenceSummary> first;
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        std::optional<ConvergenceSummary> found;
        threads.run([&] { found = summary_of(quantities); });
        if (!first)
            first = found;
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            EXPECT_EQ(found->quantities[q].r_hat, first->quantities[q].r_hat);
            EXPECT_EQ(found->quantities[q].bulk_ess, first->quantities[q].bulk_ess);
            EXPECT_EQ(found->quantities[q].tail_ess, first->quantities[q].tail_ess);
        }
        EXPECT_EQ(found->agreement, first->agreement);
        EXPECT_EQ(found->share_below, first->share_below);
    }
}

TEST(ConvergenceSummary, IsEmptyWhenStopped)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(summary_of({autoregressive(2, 40, 0, 1)}, {}, stop.get_token()).has_value());
}

TEST(ConvergenceSummary, RejectsAMeaninglessThreshold)
{
    EXPECT_THAT([] { summary_of({autoregressive(2, 40, 0, 1)}, {.threshold = 1}); },
                ::testing::ThrowsMessage<Error>("Convergence: the threshold of R̂ is 1, expected a number above 1."));
}
