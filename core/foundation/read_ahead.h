// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace credence {

/// Asks the memory for numbers begin..end-1 of an array, those that there are, so that they are in the cache when a loop comes to them. Processors do so by themselves where an array is read from
/// its begin to its end; a pass that reads some pages here and some there has to say where it goes next.
template <bool to_be_written, class T>
void read_ahead(std::span<T> of, std::size_t begin, std::size_t end)
{
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t i = begin; i < std::min(end, of.size()); i += line)
        __builtin_prefetch(of.data() + i, to_be_written ? 1 : 0);
}

}   // namespace credence
