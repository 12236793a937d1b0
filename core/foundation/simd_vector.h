// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>

namespace credence {

/// One register of numbers for kernels written by hand: `bytes` wide, read from and written to any address.
template <class T, int bytes>
struct SimdVector {
    static constexpr int lanes = bytes / static_cast<int>(sizeof(T));
    typedef T Values __attribute__((vector_size(bytes)));

    static Values load(const T* from)
    {
        Values v;
        std::memcpy(&v, from, sizeof v);
        return v;
    }
    static void store(T* to, Values v) { std::memcpy(to, &v, sizeof v); }
};

}  // namespace credence
