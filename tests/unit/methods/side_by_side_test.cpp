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
class CountingChains : public Walkers {
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
    long next_meeting(long fewest) const override { return std::min(length_, (fewest / every_ + 1) * every_); }
    std::optional<StopReason> met(long step) override
    {
        meetings.push_back(step);
        for (std::size_t k = 0; k < count(); ++k)
            EXPECT_TRUE(ended(k) || done_[k] == step) << k;
        return step == ends_at ? std::optional(StopReason::converged) : std::nullopt;
    }
    void show() override { shown.push_back(done_); }
    void report_progress() const override {}

    std::vector<long> meetings;
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

StopReason walk(CountingChains& walkers, TrainingControl* control = nullptr, double most = 0)
{
    RunTime time;
    time.most = most;
    return walk_side_by_side(walkers, time, walkers.stop.get_token(), control);
}

TEST(SideBySide, AllMeetAtTheBarriersAndNoStepRunsTwice)
{
    for (const int threads : {1, 2, 7}) {
        CountingChains walkers(5, 100, 30);
        Threads(threads).run([&] { EXPECT_EQ(walk(walkers), StopReason::steps_done); });
        EXPECT_THAT(walkers.meetings, testing::ElementsAre(30, 60, 90, 100)) << threads;
        EXPECT_EQ(walkers.clashes, 0) << threads;
        for (std::size_t k = 0; k < walkers.count(); ++k)
            EXPECT_EQ(walkers.done(k), 100);
    }
}

TEST(SideBySide, LoopsInsideAStepNeitherDeadlockNorStarve)
{
    for (const int threads : {2, 3}) {
        CountingChains walkers(7, 40, 40);
        walkers.nested = 64;
        Threads(threads).run([&] { EXPECT_EQ(walk(walkers), StopReason::steps_done); });
        EXPECT_EQ(walkers.clashes, 0);
        for (std::size_t k = 0; k < walkers.count(); ++k)
            EXPECT_EQ(walkers.done(k), 40);
    }
}

TEST(SideBySide, OneThatEndsEarlyDoesNotDelayTheOthers)
{
    CountingChains walkers(3, 50, 20);
    walkers.first_ends_at = 7;
    EXPECT_EQ(walk(walkers), StopReason::steps_done);
    EXPECT_EQ(walkers.done(0), 7);
    EXPECT_EQ(walkers.done(2), 50);
    EXPECT_THAT(walkers.meetings, testing::ElementsAre(20, 40, 50));
}

TEST(SideBySide, ABarrierCanEndThemAll)
{
    CountingChains walkers(3, 50, 20);
    walkers.ends_at = 40;
    EXPECT_EQ(walk(walkers), StopReason::converged);
    EXPECT_EQ(walkers.done(1), 40);
}

TEST(SideBySide, ACancelEndsThemWithinAStep)
{
    CountingChains walkers(2, 1'000'000'000, 1'000'000'000);
    walkers.cancel_at = 1000;
    EXPECT_EQ(walk(walkers), StopReason::cancelled);
    EXPECT_TRUE(walkers.meetings.empty());
}

TEST(SideBySide, ATimeLimitEndsThem)
{
    CountingChains walkers(2, 1'000'000'000'000, 1'000'000'000'000);
    EXPECT_EQ(walk(walkers, nullptr, 0.02), StopReason::time_limit);
    EXPECT_GT(walkers.done(0) + walkers.done(1), 0);
}

TEST(SideBySide, ASingleStepAdvancesEachByOne)
{
    CountingChains walkers(3, 4, 100);
    TrainingControl control;
    control.pause();
    std::thread others([&] {
        for (int i = 0; i < 4; ++i)
            control.step_once();
    });
    EXPECT_EQ(walk(walkers, &control), StopReason::steps_done);
    others.join();
    ASSERT_GE(walkers.shown.size(), 4u);
    for (const auto& shown : walkers.shown)
        EXPECT_EQ(shown, std::vector<long>(3, shown.front()));
}

TEST(SideBySide, InSlowMotionAllMakeTheirStepsTogetherAndEachIsShown)
{
    CountingChains walkers(3, 4, 2);
    TrainingControl control;
    control.set_rate(16);
    EXPECT_EQ(walk(walkers, &control), StopReason::steps_done);
    EXPECT_THAT(walkers.meetings, testing::ElementsAre(2, 4));
    ASSERT_GE(walkers.shown.size(), 4u);
    for (const auto& shown : walkers.shown)
        EXPECT_EQ(shown, std::vector<long>(3, shown.front()));
}

}   // namespace
}   // namespace credence::method_parts
