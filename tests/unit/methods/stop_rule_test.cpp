// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/stop_rule.h"

#include "drawn.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using method_parts::ConvergenceWatch;
using testing::HasSubstr;

/// Of a logistic regression, whose posterior has one mode.
std::vector<std::string> with_rule(std::vector<std::string> settings)
{
    for (const char* setting : {"posterior.chains=2", "posterior.warmup=60", "posterior.draws=400", "network.hidden="})
        settings.emplace_back(setting);
    return settings;
}

TEST(StopRule, EndsARunAtANumberOfDrawsThatDoesNotDependOnTheThreads)
{
    const Study all       = drawn_study("nuts", with_rule({})),
                rule      = drawn_study("nuts", with_rule({"posterior.stop_ess=100"}));
    const auto every_draw = draws_of(all);
    long steps            = 0;
    for (const int threads : {1, 3})
        Threads(threads).run([&] {
            const auto run = train(*prepare(rule));
            EXPECT_EQ(run.report.stop, StopReason::converged) << run.report.message;
            const long draws = run.report.steps - 60;
            EXPECT_LT(draws, 400);
            EXPECT_EQ(draws % 20, 0);
            EXPECT_THAT(run.report.message, HasSubstr("Stopped by the stopping rule after " + std::to_string(draws)
                                                      + " of 400 draws per chain: smallest bulk ESS "));
            EXPECT_THAT(run.report.message, HasSubstr(" ≥ 100."));
            EXPECT_TRUE(steps == 0 || steps == run.report.steps);
            steps          = run.report.steps;
            const auto set = draws_of(run);
            ASSERT_EQ(set->n_draws(), static_cast<std::size_t>(2 * draws));
            for (const std::size_t s : {std::size_t{0}, set->n_draws() - 1})
                EXPECT_EQ(weights_of(*set, s), weights_of(*every_draw, s)) << s;
        });
}

TEST(StopRule, ThatIsNotMetChangesNothing)
{
    const auto run  = train(*prepare(drawn_study("nuts", with_rule({"posterior.stop_ess=1000000"}))));
    const auto free = draws_of(drawn_study("nuts", with_rule({})));
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_EQ(run.report.steps, 460);
    const auto a = draws_of(run)->numbers(), b = free->numbers();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TEST(StopRule, EndsStochasticGradientChainsAndOneChainAlone)
{
    for (const char* chains : {"posterior.chains=1", "posterior.chains=3"}) {
        const std::vector<std::string> settings{chains, "training.steps=4000", "posterior.kept_draws=400",
                                                "training.learning_rate=0.05"};
        auto ruled = settings;
        ruled.emplace_back("posterior.stop_rhat=9");
        const auto run = train(*prepare(drawn_study("sgld", ruled)));
        EXPECT_EQ(run.report.stop, StopReason::converged) << run.report.message;
        EXPECT_THAT(run.report.message,
                    HasSubstr("Stopped by the stopping rule after 20 of 400 draws per chain: worst R̂ "));
        EXPECT_THAT(run.report.message, HasSubstr(" ≤ 9."));
        const auto all = draws_of(drawn_study("sgld", settings)), set = draws_of(run);
        const std::size_t n_chains = chains == std::string("posterior.chains=1") ? 1 : 3;
        ASSERT_EQ(set->n_draws(), 20 * n_chains);
        EXPECT_EQ(set->origin().chains.back(), static_cast<int>(n_chains) - 1);
        EXPECT_EQ(weights_of(*set, 20 * n_chains - 1), weights_of(*all, 400 * (n_chains - 1) + 19));
    }
}

/// Chains whose last bias is noise of sd 1 around a different value each.
std::optional<std::string> looked_at(const method_parts::StopRule& rule, double apart, double scale, long draws)
{
    const auto experiment = prepare(drawn_study("sgld"));
    ConvergenceWatch watch(*experiment, rule, 2, 1000);
    const auto start    = experiment->start->means();
    const std::size_t W = start.size();
    std::vector<std::vector<float>> weights;
    std::vector<float> noise(2000);
    standard_normals({3, Stream::figures, 0}, 0, std::span<float>(noise));
    for (std::size_t s = 0; s < 2000; ++s) {
        weights.emplace_back(start.begin(), start.end());
        weights.back()[W - 1] += static_cast<float>(scale) * noise[s] + static_cast<float>(s % 2 == 0 ? apart : 0);
    }
    std::optional<std::string> last;
    for (auto next = watch.next_look(0); next && *next <= draws; next = watch.next_look(*next))
        last = watch.look(*next,
                          [&](std::size_t k, std::size_t i) { return std::span<const float>(weights[2 * i + k]); }, {});
    return last;
}

TEST(StopRule, UsesThePredictionsOfTheChains)
{
    // Independent draws: 2 × 500 of them are worth about 1000.
    EXPECT_TRUE(looked_at({.ess = 700, .r_hat = 1.02}, 0, 1, 500));
    EXPECT_FALSE(looked_at({.ess = 700}, 0, 1, 200)) << "400 draws";
    EXPECT_FALSE(looked_at({.r_hat = 1.02}, 3, 1, 500)) << "chains at two positions";
    EXPECT_FALSE(looked_at({.ess = 1}, 3, 0, 500)) << "stuck chains";
    EXPECT_FALSE(looked_at({.r_hat = 1.02}, 0, 0, 500)) << "nothing varies, so nothing is judged";
}

TEST(StopRule, ChecksAtMostTwentyTimesAndNotBeforeTwentyDraws)
{
    const auto experiment = prepare(drawn_study("sgld"));
    const ConvergenceWatch watch(*experiment, {.ess = 1}, 2, 1000);
    EXPECT_EQ(watch.next_look(0), 50);
    EXPECT_EQ(watch.next_look(50), 100);
    EXPECT_EQ(watch.next_look(949), 950);
    EXPECT_EQ(watch.next_look(950), std::nullopt);
    const ConvergenceWatch brief(*experiment, {.ess = 1}, 2, 30);
    EXPECT_EQ(brief.next_look(0), 20);
    EXPECT_EQ(brief.next_look(20), std::nullopt);
}

TEST(StopRule, RejectsAnImpossibleRHat)
{
    for (const char* method : {"nuts", "sghmc"})
        EXPECT_THAT(refusal_of(drawn_study(method, {"posterior.stop_rhat=1"})),
                    HasSubstr("posterior.stop_rhat is 1, expected 0 (no rule) or more than 1"))
            << method;
}

TEST(StopRule, IsAbsentForMethodsThatDoNotListIt)
{
    Study study                               = drawn_study("sgfuncrld");
    study.posterior.own["posterior.stop_ess"] = 5.0;
    EXPECT_FALSE(method_parts::stop_rule_of(study).on());
    study.posterior.family = "psgld";
    EXPECT_TRUE(method_parts::stop_rule_of(study).on());
}

}   // namespace
}   // namespace credence
