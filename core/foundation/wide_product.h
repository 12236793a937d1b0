// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// A matrix view with strides: element (row, column) is at data[row * row_step + column *
/// column_step].
template <class T>
struct Strided {
    const T* data              = nullptr;
    std::ptrdiff_t row_step    = 0;
    std::ptrdiff_t column_step = 1;
};

/// Returns a row length, in numbers, of at least `columns`. Matrix rows then start on cache lines
/// and spread over the cache sets.
template <class T>
constexpr std::ptrdiff_t padded_row(std::ptrdiff_t columns)
{
    constexpr std::ptrdiff_t line = 64 / sizeof(T);
    return ((columns + line - 1) / line | 1) * line;
}

/// Initial value of a result.
enum class Begin {
    zero,   ///< c = a · b
    rows,   ///< c = start[row] + a · b
    c,      ///< c += a · b
};

/// Computes c [m × n] = a [m × k] · b [k × n] for few rows and many columns, on the caller's
/// thread. Reads b in place and packs nothing. Each number of c is one sum in the order of k for
/// any m and n, so an image gives the same bits alone and in a batch.
/// @param b      rows with a stride of b_row numbers; padded_row(n) numbers per row must be
///               readable
/// @param start  [m], for Begin::rows
template <class T>
void wide_product(Strided<T> a, const T* b, std::ptrdiff_t b_row, T* c, std::ptrdiff_t c_row, int m, int k, int n,
                  Begin begin, const T* start = nullptr);

/// Computes c [m × k] += d [m × n] · aᵀ [n × k] and sums [m] += Σ of the rows of d, on the caller's
/// thread: the gradients of a product with long rows.
/// @param n  whole cache lines
template <class T>
void add_row_dots(const T* d, std::ptrdiff_t d_row, const T* a, std::ptrdiff_t a_row, T* c, int m, int k, int n);
template <class T>
void add_row_sums(const T* d, std::ptrdiff_t d_row, T* sums, int m, int n);

}   // namespace credence
