// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// A matrix somewhere in memory: element (row, column) at data[row * row_step + column * column_step].
template <class T>
struct Strided {
    const T* data              = nullptr;
    std::ptrdiff_t row_step    = 0;
    std::ptrdiff_t column_step = 1;
};

/// Returns a row length, in numbers, of at least `columns`, so that the rows of a matrix start on lines of their own and spread over the sets of a cache.
template <class T>
constexpr std::ptrdiff_t padded_row(std::ptrdiff_t columns)
{
    constexpr std::ptrdiff_t line = 64 / sizeof(T);
    return ((columns + line - 1) / line | 1) * line;
}

/// How a result begins.
enum class Begin {
    zero,   ///< c = a · b
    rows,   ///< c = start of its row + a · b
    c,      ///< c += a · b
};

/// c [m × n] = a [m × k] · b [k × n] for few rows and many columns, on the caller's thread: nothing is packed or cleared, b is read where it stands.
/// Each number of c is one sum in the order of k, whatever m and n are: the same bits for an image alone and among others.
/// @param b      rows of b_row numbers, of which as many can be read as padded_row(n) says
/// @param start  [m], for Begin::rows
template <class T>
void wide_product(Strided<T> a, const T* b, std::ptrdiff_t b_row, T* c, std::ptrdiff_t c_row, int m, int k, int n,
                  Begin begin, const T* start = nullptr);

}   // namespace credence
