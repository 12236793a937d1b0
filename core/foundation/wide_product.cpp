// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/wide_product.h"

#include "foundation/simd_vector.h"

#include <algorithm>
#include <cstring>

namespace credence {
namespace {

// Compiler vectors as wide as the instruction set allows, with as many sums as fit in the registers
// together with a row of b.
constexpr int vectors_at_once = widest_register == 64 ? 4 : 2, rows_at_once = widest_register == 16 ? 4 : 6;
// Part of b that is read again for each group of rows: stays in the L1 cache.
constexpr int panel_bytes = 32768;

template <class T>
using Vector = SimdVector<T, widest_register>;

template <class T>
struct Operands {
    Strided<T> a;
    const T* b;
    std::ptrdiff_t b_row;
    T* c;
    std::ptrdiff_t c_row;
    int k;
    const T* start;   // null: the result starts from c or zero
    bool add;
};

/// Computes `rows` rows and `vectors` vectors of c; the last vector has only `rest` valid numbers.
template <int rows, int vectors, class T>
void block(const Operands<T>& o, int rest)
{
    using V             = Vector<T>;
    using Values        = typename V::Values;
    constexpr int lanes = V::lanes;
    Values sum[rows][vectors];
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
            T* c = o.c + i * o.c_row + v * lanes;
            if (!o.add)
                sum[i][v] = Values{} + (o.start ? o.start[i] : T(0));
            else if (v + 1 < vectors || rest == lanes)
                sum[i][v] = V::load(c);
            else {
                T some[lanes] = {};
                std::memcpy(some, c, static_cast<std::size_t>(rest) * sizeof(T));
                sum[i][v] = V::load(some);
            }
        }
    const T* a = o.a.data;
    const T* b = o.b;
    for (int k = 0; k < o.k; ++k, a += o.a.column_step, b += o.b_row) {
        Values x[vectors];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            x[v] = V::load(b + v * lanes);
#pragma GCC unroll 6
        for (int i = 0; i < rows; ++i) {
            const T factor = a[i * o.a.row_step];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
                sum[i][v] += factor * x[v];
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
            T* c = o.c + i * o.c_row + v * lanes;
            if (v + 1 < vectors || rest == lanes)
                V::store(c, sum[i][v]);
            else {
                T some[lanes];
                V::store(some, sum[i][v]);
                std::memcpy(c, some, static_cast<std::size_t>(rest) * sizeof(T));
            }
        }
}

template <int vectors, class T>
void block_of_rows(const Operands<T>& o, int rows, int rest)
{
    switch (rows) {
    case 1: return block<1, vectors>(o, rest);
    case 2: return block<2, vectors>(o, rest);
    case 3: return block<3, vectors>(o, rest);
    case 4: return block<4, vectors>(o, rest);
    case 5: return block<5, vectors>(o, rest);
    default: return block<6, vectors>(o, rest);
    }
}

}   // namespace

template <class T>
void wide_product(Strided<T> a, const T* b, std::ptrdiff_t b_row, T* c, std::ptrdiff_t c_row, int m, int k, int n,
                  Begin begin, const T* start)
{
    constexpr int lanes = Vector<T>::lanes, width = lanes * vectors_at_once;
    constexpr int depth = panel_bytes / (width * static_cast<int>(sizeof(T)));
    const int pieces = std::max(1, (k + depth - 1) / depth), groups = (m + rows_at_once - 1) / rows_at_once;
    for (int column = 0; column < n; column += width) {
        const int columns = std::min(width, n - column), vectors = (columns + lanes - 1) / lanes,
                  rest = columns - (vectors - 1) * lanes;
        for (int piece = 0; piece < pieces; ++piece) {
            const int from = static_cast<int>(static_cast<long>(k) * piece / pieces),
                      to   = static_cast<int>(static_cast<long>(k) * (piece + 1) / pieces);
            const bool add = piece > 0 || begin == Begin::c;
            for (int group = 0; group < groups; ++group) {
                const int row = m * group / groups, rows = m * (group + 1) / groups - row;
                const Operands<T> o{{a.data + row * a.row_step + from * a.column_step, a.row_step, a.column_step},
                                    b + from * b_row + column,
                                    b_row,
                                    c + row * c_row + column,
                                    c_row,
                                    to - from,
                                    begin == Begin::rows ? start + row : nullptr,
                                    add};
                switch (vectors) {
                case 1: block_of_rows<1>(o, rows, rest); break;
                case 2: block_of_rows<2>(o, rows, rest); break;
                case 3: block_of_rows<(vectors_at_once > 2 ? 3 : 2)>(o, rows, rest); break;
                default: block_of_rows<vectors_at_once>(o, rows, rest);
                }
            }
        }
    }
}

template void wide_product(Strided<float>, const float*, std::ptrdiff_t, float*, std::ptrdiff_t, int, int, int, Begin,
                           const float*);
template void wide_product(Strided<double>, const double*, std::ptrdiff_t, double*, std::ptrdiff_t, int, int, int,
                           Begin, const double*);

}   // namespace credence
