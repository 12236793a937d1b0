// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"

namespace credence {

/// Returns memory for n numbers. The vector grows if necessary and never shrinks.
template <class T, class Allocator>
T* sized(std::vector<T, Allocator>& memory, std::size_t n)
{
    if (memory.size() < n)
        memory.resize(n);
    return memory.data();
}

}   // namespace credence
