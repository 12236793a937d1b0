// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/side_by_side.h"

#include "foundation/parallel.h"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace credence::method_parts {
namespace {

/// Counting workers that detect concurrent access.
class CountingChains : public ParallelChains {
public:
    CountingChains(std::size_t n, long length, long every)
        : length_(length), every_(every), done_(n), at_work_(std::make_unique<std::atomic<bool>[]>(n))
    {}

    std::size_t count() const override { return done_.size(); }
    long done(std::size_t k) const override { return done_[k]; }
    bool ended(std::size_t k) const override { return done_[k] >= length_ || (k == 0 && done_[0] == first_ends_at); }
    void step(std::size_t k) override
    {
        if (at_work_[k].exchange(true))
            ++clashes;
        sum = sum + parallel_sum(nested, 1, [](std::size_t begin, std::size_t) { return static_cast<double>(begin); });
        ++done_[k];
        at_work_[k] = false;
        if (done_[k] == cancel_at)
            stop.request_stop();
    }
    long next_synchronisation(long fewest) const override { return std::min(length_, (fewest / every_ + 1) * every_); }
    std::optional<StopReason> synchronised(long step) override
    {
        synchronisations.push_back(step);
        for (std::size_t k = 0; k < count(); ++k)
            EXPECT_TRUE(ended(k) || done_[k] == step) << k;
        return step == ends_at ? std::optional(StopReason::converged) : std::nullopt;
    }
    void show() override { shown.push_back(done_); }
    void report_progress() const override {}

    std::vector<long> synchronisations;
    std::vector<std::vector<long>> shown;
    std::atomic<int> clashes{0};
    std::atomic<double> sum{0};
    std::size_t nested = 1;
    long first_ends_at = -1;
    long ends_at       = -1;
    long cancel_at     = -1;
    std::stop_source stop{};

private:
    long length_, every_;
    std::vector<long> done_;
    std::unique_ptr<std::atomic<bool>[]> at_work_;
};

StopReason run(CountingChains& chains, TrainingControl* control = nullptr, double most = 0)
{
    RunTime time;
    time.most = most;
    return run_side_by_side(chains, time, chains.stop.get_token(), control);
}

TEST(SideBySide, AllWaitAtTheBarriersAndNoStepRunsTwice)
{
    for (const int threads : {1, 2, 7}) {
        CountingChains chains(5, 100, 30);
        Threads(threads).run([&] { EXPECT_EQ(run(chains), StopReason::steps_done); });
        EXPECT_THAT(chains.synchronisations, testing::ElementsAre(30, 60, 90, 100)) << threads;
        EXPECT_EQ(chains.clashes, 0) << threads;
        for (std::size_t k = 0; k < chains.count(); ++k)
            EXPECT_EQ(chains.done(k), 100);
    }
}

TEST(SideBySide, LoopsInsideAStepNeitherDeadlockNorStarve)
{
    for (const int threads : {2, 3}) {
        CountingChains chains(7, 40, 40);
        chains.nested = 64;
        Threads(threads).run([&] { EXPECT_EQ(run(chains), StopReason::steps_done); });
        EXPECT_EQ(chains.clashes, 0);
        for (std::size_t k = 0; k < chains.count(); ++k)
            EXPECT_EQ(chains.done(k), 40);
    }
}

TEST(SideBySide, OneThatEndsEarlyDoesNotDelayTheOthers)
{
    CountingChains chains(3, 50, 20);
    chains.first_ends_at = 7;
    EXPECT_EQ(run(chains), StopReason::steps_done);
    EXPECT_EQ(chains.done(0), 7);
    EXPECT_EQ(chains.done(2), 50);
    EXPECT_THAT(chains.synchronisations, testing::ElementsAre(20, 40, 50));
}

TEST(SideBySide, ABarrierCanEndThemAll)
{
    CountingChains chains(3, 50, 20);
    chains.ends_at = 40;
    EXPECT_EQ(run(chains), StopReason::converged);
    EXPECT_EQ(chains.done(1), 40);
}

TEST(SideBySide, ACancelEndsThemWithinAStep)
{
    CountingChains chains(2, 1'000'000'000, 1'000'000'000);
    chains.cancel_at = 1000;
    EXPECT_EQ(run(chains), StopReason::cancelled);
    EXPECT_TRUE(chains.synchronisations.empty());
}

TEST(SideBySide, ATimeLimitEndsThem)
{
    CountingChains chains(2, 1'000'000'000'000, 1'000'000'000'000);
    EXPECT_EQ(run(chains, nullptr, 0.02), StopReason::time_limit);
    EXPECT_GT(chains.done(0) + chains.done(1), 0);
}

TEST(SideBySide, ASingleStepAdvancesEachByOne)
{
    CountingChains chains(3, 4, 100);
    TrainingControl control;
    control.pause();
    std::thread others([&] {
        for (int i = 0; i < 4; ++i)
            control.step_once();
    });
    EXPECT_EQ(run(chains, &control), StopReason::steps_done);
    others.join();
    ASSERT_GE(chains.shown.size(), 4u);
    for (const auto& shown : chains.shown)
        EXPECT_EQ(shown, std::vector<long>(3, shown.front()));
}

TEST(SideBySide, InSlowMotionAllMakeTheirStepsTogetherAndEachIsShown)
{
    CountingChains chains(3, 4, 2);
    TrainingControl control;
    control.set_rate(16);
    EXPECT_EQ(run(chains, &control), StopReason::steps_done);
    EXPECT_THAT(chains.synchronisations, testing::ElementsAre(2, 4));
    ASSERT_GE(chains.shown.size(), 4u);
    for (const auto& shown : chains.shown)
        EXPECT_EQ(shown, std::vector<long>(3, shown.front()));
}

}   // namespace
}   // namespace credence::method_parts
