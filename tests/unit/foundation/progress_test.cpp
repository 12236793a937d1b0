// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/progress.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace credence {
namespace {

TEST(StopPoint, ThrowsOnceItsScopeIsStopped)
{
    EXPECT_NO_THROW(stop_point());
    std::stop_source source;
    {
        const StopScope scope(source.get_token());
        EXPECT_NO_THROW(stop_point());
        source.request_stop();
        EXPECT_THROW(stop_point(), Stopped);
    }
    EXPECT_NO_THROW(stop_point()) << "the scope has ended";
}

TEST(StopPoint, ChecksTheOuterScopesToo)
{
    std::stop_source outer;
    const StopScope scope(outer.get_token());
    const StopScope inner(std::stop_token{});
    EXPECT_NO_THROW(stop_point());
    outer.request_stop();
    EXPECT_THROW(stop_point(), Stopped);
}

TEST(StopPoint, BelongsToItsThread)
{
    std::stop_source source;
    const StopScope scope(source.get_token());
    source.request_stop();
    bool thrown = false;
    std::thread([&] {
        try {
            stop_point();
        } catch (const Stopped&) {
            thrown = true;
        }
    }).join();
    EXPECT_FALSE(thrown);
}

TEST(ProgressScope, ReceivesReportsFromItsThreadWhileItExists)
{
    std::vector<double> heard;
    report_share(0.1);   // nobody listens
    {
        const ProgressScope scope([&](double share) { heard.push_back(share); });
        report_share(0.25);
        std::thread([] { report_share(0.5); }).join();
        report_share(1);
    }
    report_share(0.7);
    EXPECT_EQ(heard, (std::vector<double>{0.25, 1}));
}

TEST(ProgressScope, APieceReportsItsShareOfTheWhole)
{
    std::vector<double> heard;
    const ProgressScope whole([&](double share) { heard.push_back(share); });
    {
        const ProgressScope half(0.5, 1);
        report_share(0.5);
        const ProgressScope quarter(0, 0.5);   // of the half
        report_share(1);
    }
    {
        const ProgressScope other([](double) {});   // it receives only its own reports
        report_share(0.9);
    }
    report_share(0.125);
    EXPECT_EQ(heard, (std::vector<double>{0.75, 0.75, 0.125}));
}

TEST(WorkProgress, EstimatesTheRemainingTimeFromTheRate)
{
    WorkProgress quick(0), patient(1e9);
    for (auto* progress : {&quick, &patient}) {
        EXPECT_FALSE(progress->now());
        progress->report(0);
        EXPECT_FALSE(progress->now()) << "nothing is done";
        progress->report(0.5);
        ASSERT_TRUE(progress->now());
        EXPECT_EQ(progress->now()->share, 0.5);
    }
    EXPECT_FALSE(patient.now()->seconds_left) << "too early for a rate";
    ASSERT_TRUE(quick.now()->seconds_left);
    EXPECT_GE(*quick.now()->seconds_left, 0);
    quick.report(0.2);
    EXPECT_EQ(quick.now()->share, 0.2);
    EXPECT_FALSE(quick.now()->seconds_left) << "another job has started: it has no rate yet";
}

}   // namespace

}   // namespace credence
