// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace credence;

namespace {

double harmonic(std::size_t begin, std::size_t end)
{
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
        sum += 1.0 / (1.0 + static_cast<double>(i));
    return sum;
}

}   // namespace

TEST(Threads, AreAsManyAsAskedFor)
{
    EXPECT_EQ(Threads(1).count(), 1);
    EXPECT_EQ(Threads(7).count(), 7);
    EXPECT_GE(Threads().count(), 1);
}

TEST(ParallelFor, VisitsEveryIndexOnce)
{
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        for (const std::size_t n : {0u, 1u, 2u, 3u, 100u, 10007u}) {
            std::vector<std::atomic<int>> visits(n);
            threads.run([&] { parallel_for(n, [&](std::size_t i) { ++visits[i]; }); });
            for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(visits[i], 1) << "index " << i << " of " << n << " on " << count << " threads";
        }
    }
}

TEST(ParallelFor, WorksOutsideAnyThreads)
{
    std::atomic<int> visits = 0;
    parallel_for(1000, [&](std::size_t) { ++visits; });
    EXPECT_EQ(visits, 1000);
}

TEST(ParallelFor, PropagatesExceptions)
{
    Threads threads(7);
    for (const std::size_t culprit : {0u, 500u, 999u})
        EXPECT_THROW(threads.run([&] {
            parallel_for(1000, [&](std::size_t i) {
                if (i == culprit)
                    throw std::runtime_error("found");
            });
        }),
                     std::runtime_error);
    std::atomic<int> visits = 0;
    threads.run([&] { parallel_for(1000, [&](std::size_t) { ++visits; }); });
    EXPECT_EQ(visits, 1000) << "after an exception the threads continue";
}

TEST(ParallelFor, Nests)
{
    Threads threads(7);
    std::vector<std::atomic<int>> visits(50 * 60);
    threads.run([&] {
        parallel_for(50, [&](std::size_t i) { parallel_for(60, [&](std::size_t j) { ++visits[i * 60 + j]; }); });
    });
    for (const auto& v : visits)
        EXPECT_EQ(v, 1);
}

TEST(ParallelFor, NeverBeginsAnOuterBodyInsideAnother)
{
    static thread_local bool inside = false;
    Threads threads(7);
    std::atomic<bool> re_entered = false;
    threads.run([&] {
        parallel_for(200, [&](std::size_t) {
            if (inside)
                re_entered = true;
            inside = true;
            parallel_for(20, [](std::size_t) { std::this_thread::yield(); });
            inside = false;
        });
    });
    EXPECT_FALSE(re_entered);
}

TEST(ParallelChunks, CoverTheRangeAtMultiplesOfTheChunk)
{
    Threads threads(7);
    for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 1000u}) {
        std::vector<std::atomic<int>> visits(n);
        std::atomic<bool> aligned = true;
        threads.run([&] {
            parallel_chunks(n, 64, [&](std::size_t begin, std::size_t end) {
                if (begin % 64 != 0 || end - begin > 64 || end <= begin)
                    aligned = false;
                for (std::size_t i = begin; i < end; ++i)
                    ++visits[i];
            });
        });
        EXPECT_TRUE(aligned);
        for (const auto& v : visits)
            EXPECT_EQ(v, 1);
    }
}

TEST(ParallelChunks, KeepOneChunkOnTheCallersThread)
{
    Threads threads(7);
    threads.run([&] {
        const auto caller = std::this_thread::get_id();
        parallel_chunks(64, 64, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
        EXPECT_EQ(parallel_sum(64, 64, harmonic), harmonic(0, 64));
    });
}

TEST(ParallelSum, HasTheSameBitsForAnyNumberOfThreads)
{
    constexpr std::size_t n = 300000, chunk = 100;   // more chunks than fit in one batch
    double expected = 0;
    for (std::size_t begin = 0; begin < n; begin += chunk)
        expected += harmonic(begin, std::min(n, begin + chunk));
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        double sum = 0;
        threads.run([&] { sum = parallel_sum(n, chunk, harmonic); });
        EXPECT_EQ(sum, expected) << count << " threads";
    }
}

TEST(ParallelSum, HasTheSameBitsOnNumbersBelowTheSmallestNormalOne)
{
    constexpr std::size_t n = 50000;
    std::vector<double> x(n);
    std::vector<float> y(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = i % 3 ? std::ldexp(1.0 + static_cast<double>(i), -1070) : 1e-160;
        y[i] = i % 3 ? std::ldexp(1.0f, -149 + static_cast<int>(i % 23)) : 1e-20f;
    }
    const auto sum_of = [&](std::size_t chunk) {
        return parallel_sum(n, chunk, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const double small = i % 3 ? x[i] : x[i] * x[i];
                const float least  = i % 3 ? y[i] : y[i] * y[i];
                sum += 1.0 / (1.0 + static_cast<double>(i)) + small * 1e308 * 1e10
                       + static_cast<double>(least) * 1e40;   // about 1 each if it is not zero
            }
            return sum;
        });
    };
    for (const std::size_t chunk : {std::size_t{100}, n}) {   // n: on the caller's thread alone
        const double alone = sum_of(chunk);
        EXPECT_NEAR(alone, harmonic(0, n), 1e-11) << "outside Threads, chunks of " << chunk;
        for (const int count : {1, 2, 7}) {
            Threads threads(count);
            double sum = 0;
            threads.run([&] { sum = sum_of(chunk); });
            EXPECT_EQ(sum, alone) << count << " threads, chunks of " << chunk;
        }
    }
    volatile double smallest = std::numeric_limits<double>::denorm_min();
    EXPECT_NE(smallest + smallest, 0) << "the caller's own arithmetic is unchanged";
}
