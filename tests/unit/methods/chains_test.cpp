// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chains.h"

#include "drawn.h"
#include "methods/chain_settings.h"
#include "runs/archive.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <unistd.h>

namespace credence {
namespace {

using namespace method_parts;
using testing::HasSubstr;

std::vector<std::string> methods_with_draws()
{
    std::vector<std::string> all;
    for (const Method& m : methods())
        if (m.posterior.is_sample_set)
            all.push_back(m.id);
    return all;
}

class EveryMethodWithDraws : public testing::TestWithParam<std::string> {
protected:
    /// Two parts, where the method has parts.
    Study study() const
    {
        const auto& fields = method(GetParam()).fields;
        const bool chains  = std::any_of(fields.begin(), fields.end(),
                                         [](const Field& f) { return f.path == "posterior.chains"; });
        return drawn_study(GetParam(),
                           chains ? std::vector<std::string>{"posterior.chains=2"} : std::vector<std::string>{});
    }
};

TEST_P(EveryMethodWithDraws, EndsWithDistinctDrawsSavedAtThePlannedSteps)
{
    const Study of = study();
    const auto set = draws_of(of);
    ASSERT_TRUE(set);
    ASSERT_GE(set->n_draws(), 2u);
    for (std::size_t s = 1; s < set->n_draws(); ++s)
        EXPECT_NE(weights_of(*set, s), weights_of(*set, s - 1)) << s;
    if (!method(GetParam()).training.own_steps)
        return;   // its draws are not states on its way
    const RunPlan plan = plan_of(of);
    EXPECT_EQ(draws_kept(plan, steps_of(of)), static_cast<long>(set->n_draws()));
    EXPECT_EQ(plan.shared_start + (plan.abreast ? 1 : plan.chains) * (plan.own_start + plan.steps), steps_of(of));
    std::vector<long> steps;   // of the first chain, each once
    for (std::size_t s = 0; s < set->n_draws(); ++s)
        if (set->origin().chains[s] == 0 && (steps.empty() || steps.back() != set->origin().steps[s]))
            steps.push_back(set->origin().steps[s]);
    EXPECT_EQ(steps, plan.kept);
}

TEST_P(EveryMethodWithDraws, HasTheSameBitsForAnyNumberOfThreads)
{
    std::vector<float> first;
    for (const int count : {1, 3}) {
        Threads(count).run([&] {
            const auto set     = draws_of(study());
            const auto numbers = set->numbers();
            if (first.empty())
                first.assign(numbers.begin(), numbers.end());
            EXPECT_EQ(std::vector<float>(numbers.begin(), numbers.end()), first);
        });
    }
}

TEST_P(EveryMethodWithDraws, ReportsProgressFromStartToEnd)
{
    std::vector<long> recorded;
    long of = 0, latest = 0;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> s) { recorded.push_back(s->point.step); };
    events.progress = [&](const TrainingProgress& progress) {
        EXPECT_LE(progress.step, progress.steps);
        of     = progress.steps;
        latest = progress.step;
    };
    const auto run = train(*prepare(study()), {}, nullptr, events);
    EXPECT_EQ(of, steps_of(study()));
    EXPECT_EQ(latest, of);
    EXPECT_EQ(run.report.steps, of);
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_EQ(run.report.last->point.step, of);
    ASSERT_EQ(recorded.size(), run.history.size());
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_EQ(recorded[i], run.history[i].step);
        EXPECT_TRUE(i == 0 ? recorded[i] == 0 : recorded[i] > recorded[i - 1]) << i;
    }
}

TEST_P(EveryMethodWithDraws, KeepsItsDrawsWhenCancelled)
{
    std::stop_source stop;
    TrainingEvents events;
    long stopped_at = 0;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
        if (s->point.step < 17 || stopped_at > 0)
            return;
        stopped_at = s->point.step;
        stop.request_stop();
    };
    const auto run = train(*prepare(study()), stop.get_token(), nullptr, events);
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_EQ(run.report.last->point.step, stopped_at);
    EXPECT_LT(stopped_at, 40);
    const auto set = draws_of(run);
    ASSERT_TRUE(set) << run.report.message;
    const bool all_at_once = GetParam() == "swag" || GetParam() == "deep_ensemble";   // at any position
    EXPECT_LT(set->n_draws(), draws_of(study())->n_draws() + all_at_once);
}

TEST_P(EveryMethodWithDraws, IsRestoredFromItsFile)
{
    const Study of = study();
    SavedRun kept;
    SnapshotRecorder recorder;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> s) { recorder.add(std::move(s)); };
    const auto run  = train(*prepare(of), {}, nullptr, events);
    kept.study      = of;
    kept.report     = run.report;
    kept.history    = run.history;
    kept.snapshots  = recorder.snapshots();
    const auto file = std::filesystem::path(testing::TempDir())
                      / ("draws_" + std::to_string(::getpid()) + "_" + GetParam() + ".credence");
    save_run(kept, file);
    const SavedRun read = load_run(file);
    std::filesystem::remove(file);
    ASSERT_EQ(read.snapshots.size(), kept.snapshots.size());
    for (std::size_t i = 0; i < read.snapshots.size(); ++i) {
        const auto &got = *read.snapshots[i]->posterior, &want = *kept.snapshots[i]->posterior;
        EXPECT_TRUE(
            std::equal(got.numbers().begin(), got.numbers().end(), want.numbers().begin(), want.numbers().end()))
            << i;
        EXPECT_EQ(got.noise_in(), want.noise_in()) << i;
    }
    const auto set  = draws_of(run);
    const auto back = std::dynamic_pointer_cast<const SampleSet>(read.snapshots.back()->posterior);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->origin(), set->origin());
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethodWithDraws, testing::ValuesIn(methods_with_draws()),
                         [](const auto& info) { return info.param; });

TEST(Chains, SavedStepsAreEvenlySpacedAndIncludeTheLast)
{
    EXPECT_EQ(evenly_kept(0, 10, 5), (std::vector<long>{2, 4, 6, 8, 10}));
    EXPECT_EQ(evenly_kept(4, 7, 100), (std::vector<long>{5, 6, 7}));
    EXPECT_EQ(evenly_kept(10, 21, 3), (std::vector<long>{13, 17, 21}));
    EXPECT_EQ(evenly_kept(500'000'000, 1'000'000'000, 2), (std::vector<long>{750'000'000, 1'000'000'000}));
}

TEST(Chains, EachChainHasItsOwnSeed)
{
    EXPECT_EQ(seed_of_chain(5, 0), 5u);
    EXPECT_NE(seed_of_chain(5, 1), seed_of_chain(5, 2));
    EXPECT_NE(seed_of_chain(5, 1), seed_of_chain(6, 1));
    EXPECT_EQ(seed_of_chain(5, 1), seed_of_chain(5, 1));
}

TEST(Chains, DrawsStoreTheirChainAndStep)
{
    const auto set = draws_of(drawn_study("sgld", {"posterior.chains=2", "posterior.kept_draws=3"}));
    EXPECT_EQ(set->origin(), (SampleOrigin{{0, 0, 0, 1, 1, 1}, {13, 16, 20, 13, 16, 20}}));
}

TEST(Chains, TheFirstOfSeveralEqualsASingleChain)
{
    const auto one = draws_of(drawn_study("sgld")), two = draws_of(drawn_study("sgld", {"posterior.chains=2"}));
    for (std::size_t s = 0; s < one->n_draws(); ++s)
        EXPECT_EQ(weights_of(*two, s), weights_of(*one, s));
}

TEST(Chains, SetsOfAGrowingChainShareTheirMemory)
{
    std::vector<std::shared_ptr<const SampleSet>> sets;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
        if (auto set = std::dynamic_pointer_cast<const SampleSet>(s->posterior))
            sets.push_back(set);
    };
    train(*prepare(drawn_study("sgld")), {}, nullptr, events);
    ASSERT_GE(sets.size(), 2u);
    EXPECT_EQ(sets.front()->numbers().data(), sets.back()->numbers().data());
    EXPECT_LT(sets.front()->n_draws(), sets.back()->n_draws());
    EXPECT_EQ(weights_of(*sets.front(), 0), weights_of(*sets.back(), 0));
}

TEST(Chains, StartWhereTheSettingSpecifies)
{
    const auto start = [](const char* from) {
        std::vector<float> weights;
        TrainingEvents events;
        events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
            if (weights.empty())
                weights.assign(s->posterior->means().begin(), s->posterior->means().end());
        };
        const auto experiment = prepare(
            drawn_study("sgld", {std::string("posterior.start=") + from, "prior.weight_sd=3"}));
        const auto run = train(*experiment, {}, nullptr, events);
        EXPECT_EQ(run.report.steps, std::string(from).ends_with("trained") ? 1020 : 20);
        double squares     = 0;
        const Block& first = experiment->start->layout().blocks.front();
        for (std::size_t i = 0; i < first.size; ++i)
            squares += weights[i] * weights[i] / static_cast<float>(first.size);
        return std::sqrt(squares);
    };
    EXPECT_NEAR(start("weights"), 1, 0.5);   // He: √(2/2)
    EXPECT_GT(start("prior"), 1.7);
    start("trained");
    start("one_trained");
}

TEST(Chains, RejectsMoreDrawsThanAFileCanStore)
{
    const auto sentence = refusal_of(
        drawn_study("sghmc", {"posterior.kept_draws=100000", "training.steps=1000000", "network.hidden=100, 100"}));
    EXPECT_THAT(sentence, HasSubstr("posterior.kept_draws gives 100000 draws of 10602 weights, 4.24 GB, expected at "
                                    "most 25319 draws for this network."));
}

TEST(Chains, ATimeLimitEndsThemAll)
{
    const auto run = train(*prepare(
        drawn_study("sgld", {"posterior.chains=50", "training.steps=100000000", "training.max_seconds=0.05"})));
    EXPECT_EQ(run.report.stop, StopReason::time_limit);
    EXPECT_THAT(run.report.message, HasSubstr("The time limit was reached. Each of the 50 chains made at least "));
    EXPECT_THAT(run.report.message, HasSubstr("No draws were kept yet"));
}

}   // namespace
}   // namespace credence
