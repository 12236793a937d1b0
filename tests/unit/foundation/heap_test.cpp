// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/heap.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

using namespace credence;

// Sanitizers have their own allocator, which the C library's counters do not include.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(Heap, CountsWhatIsAllocatedByAnyThread)
{
    constexpr std::size_t block = 3 << 20;
    const auto before           = process_memory();
    EXPECT_GT(before.resident, before.allocated / 2);
    std::unique_ptr<char[]> own(new char[block]), others;
    std::thread([&] { others.reset(new char[block]); }).join();
    EXPECT_GE(process_memory().allocated, before.allocated + 2 * block);
    EXPECT_LT(process_memory().allocated, before.allocated + 2 * block + 1'000'000);
    own.reset();
    others.reset();
    EXPECT_LT(process_memory().allocated, before.allocated + 1'000'000);
}

TEST(Heap, ReturnsPagesOfFreedBlocks)
{
    constexpr std::size_t blocks = 40, block = 100'000;   // too small to be mapped one by one
    std::vector<std::unique_ptr<char[]>> all;
    for (std::size_t i = 0; i < blocks; ++i)
        all.push_back(std::make_unique<char[]>(block));   // written, so resident
    const std::unique_ptr<char> above(new char);          // keeps the end of the heap in use
    const auto full = process_memory().resident;
    all.clear();
    give_freed_memory_back();
    EXPECT_LT(process_memory().resident, full - blocks * block / 2);
}

TEST(Heap, ReturnsMemoryFreedByOtherThreads)
{
    keep_freed_memory();
    constexpr std::size_t blocks = 300, block = 100'000;
    std::size_t full = 0, freed = 0;
    std::thread([&] {
        std::vector<std::unique_ptr<char[]>> all;
        for (std::size_t i = 0; i < blocks; ++i)
            all.push_back(std::make_unique<char[]>(block));
        full = process_memory().resident;
        all.clear();
        freed = process_memory().resident;
    }).join();
    EXPECT_GT(freed, full - blocks * block / 2) << "it is kept for the next";
    give_freed_memory_back();
    EXPECT_LT(process_memory().resident, full - blocks * block / 2);
}

#endif
