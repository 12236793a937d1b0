// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <new>
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

}   // namespace credence
