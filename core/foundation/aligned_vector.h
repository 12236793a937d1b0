// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

namespace credence {

/// Allocator with 64-byte alignment: one AVX-512 register, one cache line.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&)
    {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
    bool operator==(const LineAllocator&) const = default;
};

template <class T>
using aligned_vector = std::vector<T, LineAllocator<T>>;

/// Returns memory for n numbers. The vector grows if necessary and never shrinks.
template <class T, class Allocator>
T* sized(std::vector<T, Allocator>& memory, std::size_t n)
{
    if (memory.size() < n)
        memory.resize(n);
    return memory.data();
}

/// Prefetches elements begin..end-1 of an array into the cache for a later loop; indices beyond its
/// end are ignored. Processors prefetch sequential reads by themselves. A pass that jumps between
/// pages must announce its next page.
template <bool to_be_written, class T>
void read_ahead(std::span<T> of, std::size_t begin, std::size_t end)
{
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t i = begin; i < std::min(end, of.size()); i += line)
        __builtin_prefetch(of.data() + i, to_be_written ? 1 : 0);
}

}   // namespace credence
