// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// Sets how the process keeps freed memory; called first in `main`. Packing buffers and snapshots come and go in every step, so blocks of less
/// than 32 MiB are not mapped one by one and up to 256 MiB stay with the process. All threads share a few arenas: each arena keeps what its
/// busiest moment took, which grew with the number of threads that had ever been busy.
void keep_freed_memory();

/// Gives the system back every whole page of freed memory.
void give_freed_memory_back();

/// Memory of this process in bytes.
struct ProcessMemory {
    std::size_t allocated = 0;   ///< by the program, not yet freed
    std::size_t resident  = 0;   ///< in RAM, with code and freed memory that is kept; 0 where the system does not tell
    std::size_t of_files  = 0;   ///< of the resident: pages of files, above all code; the system can take them back
};
ProcessMemory process_memory();

}   // namespace credence
