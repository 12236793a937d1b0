// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/heap.h"

#include <barrier>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace credence {

namespace {

constexpr int arenas = 4;

int bytes_that_stay = 128 << 10;   // glibc's default

}   // namespace

void keep_freed_memory()
{
    bytes_that_stay = 256 << 20;
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, bytes_that_stay);
    mallopt(M_ARENA_MAX, arenas);
}

/// malloc_trim does not trim the tops of arenas other than the first. glibc trims the top of an
/// arena when a block of at least 64 KiB is freed there. So several threads, which are assigned to
/// the arenas in turn, allocate and free such a block at the same time.
void give_freed_memory_back()
{
    malloc_trim(0);
    mallopt(M_TRIM_THRESHOLD, 0);
    {
        constexpr int some = 2 * arenas;
        std::barrier all_are_here(some);
        std::vector<std::jthread> threads;
        threads.reserve(some);
        for (int i = 0; i < some; ++i)
            threads.emplace_back([&all_are_here] {
                // volatile: the pair must not be optimised away
                void* volatile block = std::malloc(128 << 10);
                all_are_here.arrive_and_wait();
                std::free(block);
            });
    }
    mallopt(M_TRIM_THRESHOLD, bytes_that_stay);
}

ProcessMemory process_memory()
{
    const auto heap = mallinfo2();
    ProcessMemory memory{.allocated = heap.uordblks + heap.hblkhd};
    std::size_t all = 0, resident = 0, of_files = 0;
    if (std::ifstream pages("/proc/self/statm"); pages >> all >> resident >> of_files) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        memory.resident = resident * page;
        memory.of_files = of_files * page;
    }
    return memory;
}

}   // namespace credence
