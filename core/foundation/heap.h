// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// Configures how the process retains freed memory; call it first in `main`. Packing buffers and
/// snapshots are allocated and freed in every step. Blocks below 32 MiB are therefore not mapped
/// individually, and up to 256 MiB are retained. All threads share a few arenas, because each arena
/// retains its peak size; with one arena per thread, memory would grow with the number of threads
/// ever active.
void keep_freed_memory();

/// Returns every whole page of freed memory to the system.
void give_freed_memory_back();

/// Memory of this process, bytes.
struct ProcessMemory {
    std::size_t allocated = 0;   ///< allocated by the program and not yet freed
    std::size_t resident  = 0;   ///< in RAM, including code and retained freed memory; 0 if unknown
    /// Resident pages that map files, mainly code; the system can reclaim them.
    std::size_t of_files = 0;
};
ProcessMemory process_memory();

}   // namespace credence
