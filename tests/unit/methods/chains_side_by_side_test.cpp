// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "methods/trained_chain.h"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

namespace credence {
namespace {

using namespace method_parts;
using testing::HasSubstr;

Study alone(const std::string& method, const std::vector<std::string>& settings, int k)
{
    Study study = drawn_study(method, settings);
    study.seed  = seed_of_chain(study.seed, k);
    return study;
}

TEST(ChainsSideBySide, EachEqualsASingleChainWithItsSeed)
{
    for (const char* method : {"sgld", "psgld", "sghmc", "cyclical_sgld"})
        for (const char* start : {"weights", "prior", "trained"}) {
            const std::vector<std::string> settings{std::string("posterior.start=") + start, "posterior.start_steps=30",
                                                    "posterior.kept_draws=4"};
            auto several = settings;
            several.emplace_back("posterior.chains=3");
            const auto set    = draws_of(drawn_study(method, several));
            const auto n_each = set->n_draws() / 3;
            for (int k = 0; k < 3; ++k) {
                const auto one = draws_of(alone(method, settings, k));
                ASSERT_EQ(one->n_draws(), n_each);
                for (std::size_t i = 0; i < n_each; ++i) {
                    const std::size_t s = static_cast<std::size_t>(k) * n_each + i;
                    EXPECT_EQ(weights_of(*set, s), weights_of(*one, i)) << method << ' ' << start << ' ' << s;
                    EXPECT_EQ(set->origin().chains[s], k);
                    EXPECT_EQ(set->origin().steps[s], one->origin().steps[i]);
                }
            }
        }
}

TEST(ChainsSideBySide, TheDrawsOfEachStateHaveNumbersOfTheirOwn)
{
    const std::vector<std::string> settings{"posterior.states=2", "posterior.draws_of_state=3"};
    auto two = settings;
    two.emplace_back("posterior.chains=2");
    const auto one = draws_of(drawn_study("sgfuncrld", settings)), both = draws_of(drawn_study("sgfuncrld", two));
    for (std::size_t s = 0; s < 6; ++s)
        EXPECT_EQ(weights_of(*both, s), weights_of(*one, s)) << s;
}

TEST(ChainsSideBySide, APointIsTheSumOfTheirStepsAndTheMeanOfTheirLosses)
{
    const auto run = train(*prepare(drawn_study("sgld", {"posterior.chains=2"})));
    std::vector<TrainingHistory> each;
    for (int k = 0; k < 2; ++k)
        each.push_back(train(*prepare(alone("sgld", {}, k))).history);
    ASSERT_EQ(run.history.size(), each[0].size());
    for (std::size_t i = 0; i < run.history.size(); ++i) {
        const auto &both = run.history[i], &a = each[0][i], &b = each[1][i];
        EXPECT_EQ(both.step, a.step + b.step);
        EXPECT_DOUBLE_EQ(both.epoch, a.epoch + b.epoch);
        EXPECT_EQ(both.learning_rate, a.learning_rate);
        ASSERT_EQ(both.data_loss.has_value(), i > 0);
        if (i > 0) {
            EXPECT_DOUBLE_EQ(*both.data_loss, (*a.data_loss + *b.data_loss) / 2) << i;
        }
    }
}

TEST(ChainsSideBySide, SnapshotsHaveTheDrawsSoFarOfAll)
{
    std::vector<std::shared_ptr<const SampleSet>> sets;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
        sets.push_back(std::dynamic_pointer_cast<const SampleSet>(s->posterior));
    };
    train(*prepare(drawn_study("sgld", {"posterior.chains=2", "posterior.kept_draws=5"})), {}, nullptr, events);
    ASSERT_EQ(sets.size(), 21u);
    ASSERT_TRUE(sets.front());
    EXPECT_EQ(sets.front()->origin(), (SampleOrigin{{0, 1}, {0, 0}})) << "where they start";
    EXPECT_EQ(sets[10]->origin(), (SampleOrigin{{0, 1}, {10, 10}})) << "at their positions";
    EXPECT_EQ(sets[16]->origin(), (SampleOrigin{{0, 1, 0, 1, 0, 1}, {12, 12, 14, 14, 16, 16}}));
    EXPECT_EQ(sets[16]->numbers().data(), sets[14]->numbers().data()) << "one memory";
    EXPECT_EQ(sets.back()->origin(),
              (SampleOrigin{{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, {12, 14, 16, 18, 20, 12, 14, 16, 18, 20}}));
    EXPECT_EQ(weights_of(*sets.back(), 5), weights_of(*sets[16], 1));
}

TEST(ChainsSideBySide, PausedTheyMakeSingleStepsTogether)
{
    TrainingControl control;
    control.pause();
    std::vector<long> shown;
    TrainingEvents events;
    events.snapshot = [&](const std::shared_ptr<const Snapshot>& snapshot) { shown.push_back(snapshot->point.step); };
    const auto experiment = prepare(drawn_study("deep_ensemble", {"posterior.members=3", "training.steps=4"}));
    std::thread training([&] { train(*experiment, {}, &control, events); });
    for (int i = 0; i < 4; ++i)
        control.step_once();
    training.join();
    EXPECT_THAT(shown, testing::ElementsAre(0, 3, 6, 9, 12));
}

TEST(ChainsSideBySide, ANonFiniteLossEndsAllChainsAndNamesItsChain)
{
    std::vector<std::string> messages;
    for (const int threads : {1, 3})
        Threads(threads).run([&] {
            const auto run = train(*prepare(
                drawn_study("sgld", {"posterior.chains=3", "training.learning_rate=1000", "training.steps=500"})));
            EXPECT_EQ(run.report.stop, StopReason::not_finite);
            EXPECT_GT(run.report.bad_step, 0);
            EXPECT_FALSE(run.report.bad_block.empty());
            EXPECT_THAT(
                run.report.message,
                testing::ContainsRegex("In chain [123] of 3: the loss or the parameters became NaN or infinite, "
                                       "first at step [0-9]+ in "));
            ASSERT_TRUE(run.report.last);
            for (const float w : run.report.last->posterior->numbers())
                ASSERT_TRUE(std::isfinite(w));
            messages.push_back(run.report.message);
        });
    EXPECT_EQ(messages[0], messages[1]);
}

TEST(ChainsSideBySide, AStoppedEnsembleKeepsAllMembersInTheirCurrentState)
{
    std::stop_source stop;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
        if (s->point.step >= 30)
            stop.request_stop();
    };
    const auto run = train(*prepare(drawn_study("deep_ensemble", {"posterior.members=3"})), stop.get_token(), nullptr,
                           events);
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_EQ(draws_of(run)->origin(), (SampleOrigin{{0, 1, 2}, {10, 10, 10}}));
    EXPECT_THAT(run.report.message, HasSubstr("Each of the 3 members made at least 10 of 20 steps. Draws kept: 3."));
}

TEST(ChainsSideBySide, VeryManyRunInTurn)
{
    EXPECT_EQ(chains_at_once(100), 64);
    EXPECT_EQ(chains_at_once(431'080), 9);
    EXPECT_EQ(chains_at_once(2'400'000), 8);
    const std::vector<std::string> settings{"training.steps=4"};
    auto many = settings;
    many.emplace_back("posterior.chains=70");
    const auto run = train(*prepare(drawn_study("sgld", many)));
    EXPECT_EQ(run.report.steps, 280);
    EXPECT_EQ(run.history.back().step, 280);
    const auto set = draws_of(run);
    ASSERT_EQ(set->n_draws(), 140u);
    EXPECT_EQ(set->origin().chains[139], 69);
    for (const int k : {63, 64, 69})
        EXPECT_EQ(weights_of(*set, static_cast<std::size_t>(2 * k) + 1),
                  weights_of(*draws_of(alone("sgld", settings, k)), 1))
            << k;
}

TEST(ChainsSideBySide, StartAtOneTrainedNetworkOrAtOneEach)
{
    const auto ends = [](const std::string& start) {   // of chains that do not move
        return train(*prepare(drawn_study("sgld", {"posterior.start=" + start, "posterior.start_steps=200",
                                                   "posterior.chains=2", "posterior.temperature=0",
                                                   "training.learning_rate=1e-30", "posterior.kept_draws=2"})));
    };
    const auto one = ends("one_trained"), each = ends("trained");
    EXPECT_EQ(one.report.steps, 200 + 2 * 20);
    EXPECT_EQ(each.report.steps, 2 * (200 + 20));
    const auto of_one = draws_of(one), of_each = draws_of(each);
    EXPECT_EQ(weights_of(*of_one, 0), weights_of(*of_one, 2));
    EXPECT_NE(weights_of(*of_each, 0), weights_of(*of_each, 2));
    EXPECT_EQ(weights_of(*of_one, 0), weights_of(*of_each, 0)) << "the first chain's";
}

TEST(StoredDraws, AreOrderedByDrawDuringTheRunAndByChainAtTheEnd)
{
    ParameterLayout layout = layout_of(mlp(1, {}, 1));   // two weights
    StoredDraws kept(layout, 3, 2, 2);                   // two at a time, then the third
    const auto keep = [&](int chain, float value) { kept.keep(std::vector<float>(2, value), chain, 7 + chain); };
    EXPECT_FALSE(kept.set());
    keep(1, 11);
    EXPECT_FALSE(kept.set()) << "the other one has none";
    keep(0, 1);
    keep(0, 2);
    EXPECT_EQ(kept.set()->origin(), (SampleOrigin{{0, 1}, {7, 8}}));
    EXPECT_EQ(kept.in_order()->origin(), (SampleOrigin{{0, 0, 1}, {7, 7, 8}}));
    keep(1, 12);
    keep(1, 13);   // one too many
    keep(2, std::nanf(""));
    keep(2, 21);
    EXPECT_EQ(kept.count(), 5u);
    EXPECT_EQ(kept.set()->origin().chains, (std::vector<int>{0, 1, 0, 1, 2}));
    EXPECT_EQ(weights_of(*kept.set(), 3).front(), 12);
    EXPECT_EQ(weights_of(*kept.in_order(), 4).front(), 21);
}

}   // namespace
}   // namespace credence
