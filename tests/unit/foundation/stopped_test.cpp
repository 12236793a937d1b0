// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/stopped.h"

#include <gtest/gtest.h>

#include <thread>

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

}   // namespace
}   // namespace credence
