// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include "runs/archive.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <unistd.h>

namespace credence {
namespace {

const std::vector<std::string> quick_chains{"posterior.chains=3", "posterior.warmup=60", "posterior.draws=40",
                                            "network.hidden=4"};

TEST(Nuts, StoresEveryDrawOfEveryChainWithItsDiagnostics)
{
    const auto run = train(*prepare(drawn_study("nuts", quick_chains)));
    const auto set = draws_of(run);
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_EQ(run.report.steps, 100);
    EXPECT_EQ(set->n_draws(), 120u);
    EXPECT_EQ(set->origin().chains[4], 1) << "draw by draw, chain by chain";
    EXPECT_EQ(set->origin().steps[4], 62);
    ASSERT_NE(set->origin().statistics, nullptr);
    EXPECT_EQ(set->origin().statistics->draws.size(), 120u);
    EXPECT_EQ(set->origin().statistics->chains.size(), 3u);
    EXPECT_GT(set->origin().statistics->chains[0].gradients, set->origin().statistics->chains[0].warmup_gradients);
    EXPECT_FALSE(set->origin().statistics->chains[0].warmup.empty());
    EXPECT_EQ(run.history.back().step, 100);
    EXPECT_TRUE(run.history.back().test_error);
}

TEST(Nuts, GivesTheSameBitsOnAnyNumberOfThreads)
{
    const Study study = drawn_study("nuts", quick_chains);
    std::vector<std::vector<float>> all;
    for (const int threads : {1, 3})
        Threads(threads).run([&] {
            const auto set = draws_of(study);
            all.emplace_back(set->numbers().begin(), set->numbers().end());
        });
    EXPECT_EQ(all[0], all[1]);
}

TEST(Nuts, AChainDoesNotDependOnTheOthers)
{
    auto settings  = quick_chains;
    const auto set = draws_of(drawn_study("nuts", settings));
    settings[0]    = "posterior.chains=1";
    const auto one = draws_of(drawn_study("nuts", settings));
    EXPECT_EQ(weights_of(*one, 39), weights_of(*set, 39 * 3));
}

TEST(Nuts, IsReadBackFromItsArchiveWithTheDiagnosticsOfItsChains)
{
    const auto experiment = prepare(drawn_study("nuts", quick_chains));
    const auto trained    = train(*experiment);
    const auto file = std::filesystem::path(testing::TempDir()) / ("nuts_" + std::to_string(::getpid()) + ".credence");
    save_run({"nuts", "", experiment->study, trained.report, trained.history, {trained.report.last}}, file);
    const auto again = load_run(file);
    std::filesystem::remove(file);
    const auto set  = std::dynamic_pointer_cast<const SampleSet>(again.snapshots.back()->posterior);
    const auto made = draws_of(trained);
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(weights_of(*set, 17), weights_of(*made, 17));
    ASSERT_NE(set->origin().statistics, nullptr);
    EXPECT_TRUE(*set->origin().statistics == *made->origin().statistics);
}

TEST(Nuts, StoppedKeepsItsDraws)
{
    std::stop_source stop;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step >= 70)
            stop.request_stop();
    };
    const auto run = train(*prepare(drawn_study("nuts", quick_chains)), stop.get_token(), nullptr, events);
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_GE(run.report.steps, 70);
    EXPECT_LT(run.report.steps, 100);
    EXPECT_EQ(draws_of(run)->n_draws(), static_cast<std::size_t>(run.report.steps - 60) * 3);
    EXPECT_THAT(run.report.message, testing::HasSubstr("Draws kept: "));
}

TEST(Nuts, RejectsPosteriorsThatChainsCannotSample)
{
    for (const std::string path : {"network.dropout", "network.input_dropout"}) {
        auto settings = quick_chains;
        settings.push_back(path + "=0.2");
        EXPECT_THAT(refusal_of(drawn_study("nuts", settings)), testing::HasSubstr(path + " is above 0"));
    }
}

TEST(Nuts, StartsWhereTheSettingSpecifies)
{
    const auto first_loss = [](const std::string& start) {
        auto settings = quick_chains;
        for (const std::string& more :
             {std::string("posterior.start=") + start, std::string("posterior.start_steps=300")})
            settings.push_back(more);
        const auto run = train(*prepare(drawn_study("nuts", settings)));
        EXPECT_EQ(run.report.steps, 100) << "steps before the start are not transitions";
        return *run.history.front().data_loss;
    };
    const double prior = first_loss("prior"), weights = first_loss("weights"), each = first_loss("trained"),
                 one = first_loss("one_trained");
    EXPECT_NE(prior, weights);
    EXPECT_LT(each, 0.7 * weights);
    EXPECT_LT(one, 0.7 * weights);
    EXPECT_NE(one, each);
}

TEST(Nuts, CancelBeforeTheStartingPointsLeavesTheInitialWeights)
{
    auto settings = quick_chains;
    settings.emplace_back("posterior.start=trained");
    std::stop_source stop;
    stop.request_stop();
    const auto run = train(*prepare(drawn_study("nuts", settings)), stop.get_token());
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_EQ(run.report.steps, 0);
    EXPECT_EQ(draws_of(run)->n_draws(), 3u);
}

}   // namespace
}   // namespace credence
