// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/wide_product.h"

#include "foundation/simd_vector.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

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

template <class Values>
auto sum_of_lanes(Values v)
{
    if constexpr (lanes_of<Values> == 2) {
        return v[0] + v[1];
    } else {
        using Number = std::remove_cvref_t<decltype(v[0])>;
        return [&]<int... lane>(std::integer_sequence<int, lane...>)
        {
            using Half      = typename SimdVector<Number, static_cast<int>(sizeof(Values) / 2)>::Values;
            const Half low  = __builtin_shufflevector(v, v, lane...);
            const Half high = __builtin_shufflevector(v, v, (static_cast<int>(sizeof...(lane)) + lane)...);
            return sum_of_lanes<Half>(low + high);
        }
        (std::make_integer_sequence<int, lanes_of<Values> / 2>{});
    }
}

template <class T>
struct Dots {
    const T* d;
    std::ptrdiff_t d_row;
    const T* a;
    std::ptrdiff_t a_row;
    T* c;
    std::ptrdiff_t c_row;
    int n;
};

/// c[o][i] += Σ_j d[o][j] a[i][j] for `outs` × `ins` elements.
template <int outs, int ins, class T>
void dot_block(const Dots<T>& p)
{
    using V                           = Vector<T>;
    typename V::Values sum[outs][ins] = {};
    for (int j = 0; j < p.n; j += V::lanes) {
        typename V::Values x[ins];
#pragma GCC unroll 4
        for (int i = 0; i < ins; ++i)
            x[i] = V::load(p.a + i * p.a_row + j);
#pragma GCC unroll 4
        for (int o = 0; o < outs; ++o) {
            const auto y = V::load(p.d + o * p.d_row + j);
#pragma GCC unroll 4
            for (int i = 0; i < ins; ++i)
                sum[o][i] += y * x[i];
        }
    }
#pragma GCC unroll 4
    for (int o = 0; o < outs; ++o)
#pragma GCC unroll 4
        for (int i = 0; i < ins; ++i)
            p.c[o * p.c_row + i] += sum_of_lanes(sum[o][i]);
}

template <int outs, class T>
void dot_blocks(Dots<T> p, int ins)
{
    for (; ins > 0; ins -= 4, p.a += 4 * p.a_row, p.c += 4) {
        switch (ins) {
        case 1: dot_block<outs, 1>(p); break;
        case 2: dot_block<outs, 2>(p); break;
        case 3: dot_block<outs, 3>(p); break;
        default: dot_block<outs, 4>(p);
        }
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

template <class T>
void add_row_dots(const T* d, std::ptrdiff_t d_row, const T* a, std::ptrdiff_t a_row, T* c, int m, int k, int n)
{
    for (Dots<T> p{d, d_row, a, a_row, c, k, n}; m > 0; m -= 4, p.d += 4 * d_row, p.c += std::ptrdiff_t{4} * k) {
        switch (m) {
        case 1: dot_blocks<1>(p, k); break;
        case 2: dot_blocks<2>(p, k); break;
        case 3: dot_blocks<3>(p, k); break;
        default: dot_blocks<4>(p, k);
        }
    }
}

template <class T>
void add_row_sums(const T* d, std::ptrdiff_t d_row, T* sums, int m, int n)
{
    for (int i = 0; i < m; ++i) {
        const T* values = d + i * d_row;
        T sum           = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; ++j)
            sum += values[j];
        sums[i] += sum;
    }
}

template void add_row_dots(const float*, std::ptrdiff_t, const float*, std::ptrdiff_t, float*, int, int, int);
template void add_row_dots(const double*, std::ptrdiff_t, const double*, std::ptrdiff_t, double*, int, int, int);
template void add_row_sums(const float*, std::ptrdiff_t, float*, int, int);
template void add_row_sums(const double*, std::ptrdiff_t, double*, int, int);
template void wide_product(Strided<float>, const float*, std::ptrdiff_t, float*, std::ptrdiff_t, int, int, int, Begin,
                           const float*);
template void wide_product(Strided<double>, const double*, std::ptrdiff_t, double*, std::ptrdiff_t, int, int, int,
                           Begin, const double*);

}   // namespace credence
