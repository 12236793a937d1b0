// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

#include <limits>

using namespace credence;
using ::testing::ElementsAre;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

Convergence of(const naive::Chains& chains) { return convergence(together(chains).view()); }

std::vector<const DiagnosticValue*> values_of(const Convergence& c)
{
    return {&c.r_hat, &c.plain_r_hat, &c.bulk_ess, &c.tail_ess};
}
void expect_refused(const naive::Chains& chains, Undefined reason, const std::string& sentence)
{
    const auto found = of(chains);
    for (const auto* value : values_of(found)) {
        EXPECT_FALSE(value->has_value());
        EXPECT_EQ(value->reason(), reason);
        EXPECT_EQ(value->why_not(), sentence);
    }
}
naive::Chain repeated(naive::Chain pattern, int times)
{
    naive::Chain out;
    for (int i = 0; i < times; ++i)
        out.insert(out.end(), pattern.begin(), pattern.end());
    return out;
}

void expect_the_definition(const naive::Chains& chains)
{
    const auto found  = of(chains);
    const auto halves = naive::split(chains);
    const auto z      = naive::normal_scores(halves);
    const auto near   = [](double x, double expected) { EXPECT_NEAR(x, expected, 1e-10 * expected); };
    near(*found.r_hat, std::max(naive::r_hat(z), naive::r_hat(naive::normal_scores(naive::folded(halves)))));
    near(*found.plain_r_hat, naive::r_hat(halves));
    near(*found.bulk_ess, naive::ess(z));
    near(*found.tail_ess, std::min(naive::ess(naive::not_above_quantile(halves, 0.05)),
                                   naive::ess(naive::not_above_quantile(halves, 0.95))));
}

}   // namespace

TEST(Convergence, IsThatOfTheDefinition)
{
    for (const std::size_t n : {20u, 21u, 160u, 161u})
        for (const std::size_t M : {1u, 2u, 4u})
            expect_the_definition(autoregressive(M, n, 0.6, n + M));
}

TEST(Convergence, IsThatOfTheDefinitionWithTies)
{
    auto chains = autoregressive(4, 120, 0.6, 1);
    expect_the_definition(naive::map(chains, [](double x) { return std::round(x); }));
}

TEST(Convergence, IsThatOfTheDefinitionWithOneChainElsewhereOrWiderOrAtRest)
{
    auto shifted = autoregressive(4, 100, 0.3, 2), wider = shifted, at_rest = shifted;
    for (double& x : shifted[1])
        x += 3;
    for (double& x : wider[2])
        x *= 5;
    std::fill(at_rest[3].begin(), at_rest[3].end(), 0.5);
    for (const auto& chains : {shifted, wider, at_rest}) {
        expect_the_definition(chains);
        EXPECT_GT(*of(chains).r_hat, 1.05);
    }
    EXPECT_LT(*of(wider).plain_r_hat, 1.05);   // what folding is for
}

TEST(Convergence, OfOneChainThatDriftsIsSeenByItsHalves)
{
    naive::Chain rising;
    for (int t = 0; t < 100; ++t)
        rising.push_back(t);
    // Halves 0 … 49 and 50 … 99: variance 212.5 each (n (n + 1)/12), means 50 apart, B/n = 1250.
    EXPECT_NEAR(*of({rising}).plain_r_hat, std::sqrt((49.0 / 50 * 212.5 + 1250) / 212.5), 1e-14);
    EXPECT_GT(*of({rising}).r_hat, 1.8);
}

TEST(Convergence, OfOneChainShiftedByHand)
{
    EXPECT_NEAR(*of({{0, 1, 0, 1}, {10, 11, 10, 11}}).plain_r_hat, std::sqrt((0.25 + 100.0 / 3) / 0.5), 1e-14);
}

TEST(Convergence, LeavesOutTheMiddleDrawOfAnOddNumber)
{
    const auto odd = of({{1, 5, 1000, 2, 8}, {4, 0, -1000, 3, 9}}), even = of({{1, 5, 2, 8}, {4, 0, 3, 9}});
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(*values_of(odd)[i], *values_of(even)[i]);
    // and a quantity that varies only in its middle draws becomes constant
    EXPECT_EQ(of({{1, 1, 2, 1, 1}}).r_hat.reason(), Undefined::constant);
}

TEST(Convergence, OfAlternatingSignsHasTheLargestEssThereIs)
{
    const auto found = of({repeated({1, -1}, 20), repeated({1, -1}, 20)});
    EXPECT_NEAR(*found.bulk_ess, 80 * std::log10(80), 1e-10);
    // Halves of 20 with mean 0: W = 20/19, B = 0.
    EXPECT_NEAR(*found.plain_r_hat, std::sqrt(19.0 / 20), 1e-14);
}

TEST(Convergence, OfAFairCoinHasNoSpreadToCompareAndOneTail)
{
    const naive::Chains coin{repeated({0, 1, 1, 0}, 5), repeated({1, 1, 0, 0}, 5)};
    const auto found  = of(coin);
    const auto halves = naive::split(coin);
    EXPECT_NEAR(*found.r_hat, naive::r_hat(naive::normal_scores(halves)), 1e-13);
    EXPECT_NEAR(*found.tail_ess, naive::ess(naive::not_above_quantile(halves, 0.05)), 1e-9);
}

TEST(Convergence, OfARareValueHasNoTail)
{
    auto rare     = repeated({3}, 100);
    rare[17]      = 2;
    const auto is = of({rare});
    EXPECT_TRUE(is.r_hat);
    EXPECT_FALSE(is.tail_ess);
    EXPECT_EQ(is.tail_ess.why_not(), "Tail ESS: no draw is outside the quantiles at 5 % and 95 %.");
}

TEST(Convergence, OfStuckChainsThatDifferHasNoBound)
{
    const auto still = of({{1, 1, 1, 1}, {2, 2, 2, 2}});
    EXPECT_EQ(still.r_hat.reason(), Undefined::stuck);
    EXPECT_EQ(still.plain_r_hat.reason(), Undefined::stuck);
    EXPECT_NEAR(*still.bulk_ess, 8.0 / 3, 1e-14);   // four halves of two draws: 8/(2 · 2 − 1)
    // Only distances from the median are constant: ±1 here, ±2 there.
    const auto spread = of({{1, -1, 1, -1}, {2, -2, 2, -2}});
    EXPECT_EQ(spread.r_hat.reason(), Undefined::stuck);
    EXPECT_TRUE(spread.plain_r_hat);
}

TEST(Convergence, OfAConstantIsNotDefined)
{
    expect_refused({{0.1, 0.1, 0.1, 0.1}, {0.1, 0.1, 0.1, 0.1}}, Undefined::constant,
                   "Convergence: all draws are 0.1, so nothing varies.");
    expect_refused({{0.0, -0.0, 0.0, 0.0}}, Undefined::constant, "Convergence: all draws are 0, so nothing varies.");
}

TEST(Convergence, OfNonFiniteNumbersIsUndefined)
{
    expect_refused({{1, 2, 3, 4}, {5, 6, nan_value, 8}}, Undefined::not_finite,
                   "Convergence: draw 2 of chain 1 is nan, expected finite numbers.");
    expect_refused({{1, infinity, 3, 4}}, Undefined::not_finite,
                   "Convergence: draw 1 of chain 0 is inf, expected finite numbers.");
    expect_refused({{1, 2, 3, -infinity}}, Undefined::not_finite,
                   "Convergence: draw 3 of chain 0 is -inf, expected finite numbers.");
    expect_refused({{1, 2, nan_value, 3, 4}}, Undefined::not_finite,   // the middle draw, too
                   "Convergence: draw 2 of chain 0 is nan, expected finite numbers.");
}

TEST(Convergence, OfTooFewDrawsIsNotDefined)
{
    expect_refused({{1, 2, 3}, {4, 5, 6}}, Undefined::too_few_draws,
                   "Convergence: found 3 draws per chain, expected at least 4.");
    expect_refused({{1, 2}}, Undefined::too_few_draws, "Convergence: found 2 draws per chain, expected at least 4.");
    expect_refused({{1}}, Undefined::too_few_draws, "Convergence: found 1 draw per chain, expected at least 4.");
    expect_refused({{}}, Undefined::too_few_draws, "Convergence: found 0 draws per chain, expected at least 4.");
    expect_refused({}, Undefined::too_few_draws, "Convergence: there are no chains.");
}

TEST(Convergence, DoesNotDependOnWhatARisingFunctionDoes)
{
    const auto chains = autoregressive(3, 80, 0.5, 5);
    const auto a = of(chains), b = of(naive::map(chains, [](double x) { return 2 * std::exp(x); }));
    EXPECT_EQ(*a.bulk_ess, *b.bulk_ess);
    EXPECT_EQ(*a.tail_ess, *b.tail_ess);
    EXPECT_NE(*a.plain_r_hat, *b.plain_r_hat);
}

TEST(Convergence, DoesNotDependOnTheUnitHoweverLargeOrSmall)
{
    const auto chains = autoregressive(3, 80, 0.5, 5);
    const auto a      = of(chains);
    for (const double unit : {0x1p1020, 0x1p-1000}) {
        const auto b = of(naive::map(chains, [=](double x) { return unit * x; }));
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(*values_of(a)[i], *values_of(b)[i]) << "unit " << unit;
    }
}

TEST(Convergence, RejectsDrawsThatDoNotFitTheShape)
{
    ConvergenceOfDraws two_by_four(2, 4);
    const std::vector<double> values(7, 0);
    EXPECT_THAT([&] { two_by_four(values); },
                ::testing::ThrowsMessage<Error>("Draws of chains: found 7 values, expected 2 chains of 4 draws."));
}

TEST(Convergence, OfOneObjectAfterOthersIsThatOfAFreshOne)
{
    ConvergenceOfDraws used(2, 150);
    used(together(autoregressive(2, 150, 0.99, 1)).values);
    used(std::vector<double>(300, 1));
    const auto table = together(autoregressive(2, 150, 0.7, 2));
    const auto a = used(table.values), b = convergence(table.view());
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(*values_of(a)[i], *values_of(b)[i]);
}

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
