// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/heap.h"

#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace credence {

void keep_freed_memory()
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_ARENA_MAX, 4);
}

void give_freed_memory_back() { malloc_trim(0); }

ProcessMemory process_memory()
{
    const auto heap = mallinfo2();
    ProcessMemory memory{.allocated = heap.uordblks + heap.hblkhd, .resident = 0};
    std::size_t pages = 0;
    if (std::ifstream pages_of_process("/proc/self/statm"); pages_of_process >> pages >> pages)
        memory.resident = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return memory;
}

}   // namespace credence
