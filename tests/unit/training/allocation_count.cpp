// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation_count.h"

#include <atomic>
#include <cstdlib>

// glibc's own entry points, counted: operator new and Eigen's buffers end here. Sanitizers bring
// their own malloc and are left alone.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {
std::atomic<long> calls{0};
}

extern "C" void* malloc(std::size_t size)
{
    calls.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t n, std::size_t size)
{
    calls.fetch_add(1, std::memory_order_relaxed);
    return __libc_calloc(n, size);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    calls.fetch_add(1, std::memory_order_relaxed);
    return __libc_memalign(alignment, size);
}

namespace credence {
long allocation_count() { return calls.load(); }
}   // namespace credence
#else
namespace credence {
long allocation_count() { return 0; }
}   // namespace credence
#endif
