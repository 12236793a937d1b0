// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace credence {

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
