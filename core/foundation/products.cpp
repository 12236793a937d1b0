// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/products.h"

#include "foundation/parallel.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {

void fix_product_blocking()
{
    static const bool fixed = [] {
        Eigen::setCpuCacheSizes(48 * 1024, 1024 * 1024, 8 * 1024 * 1024);
        return true;
    }();
    static_cast<void>(fixed);
}

namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using In = Eigen::Map<const Matrix<T>>;
template <class T>
using Out = Eigen::Map<Matrix<T>>;

/// Splits [0, length) into `count` pieces of nearly equal size that start at multiples of `unit`,
/// so that they align with Eigen's register blocks.
struct Cut {
    int length, unit, count;

    int begin(int piece) const
    {
        const auto units = (static_cast<long>(length) * piece + static_cast<long>(unit) * count / 2)
                           / (static_cast<long>(unit) * count);
        return piece == count ? length : std::min(length, static_cast<int>(units) * unit);
    }
    int longest() const { return length / count + 1; }
};

/// Even numbers of pieces, above four multiples of four, so that 2, 4 and 8 threads get equal work.
int pieces_of_about(int target, int length)
{
    const int count = (length + target / 2) / target;
    return count <= 1 ? 1 : count <= 4 ? (count + 1) / 2 * 2 : (count + 2) / 4 * 4;
}

// Flops per tile: several microseconds, many times the task overhead.
constexpr double enough_work = 8e5;
constexpr int few_inputs     = 4;
constexpr int row_unit = 4, column_unit = 16;   // Eigen's register block for a row-major result

struct Tiles {
    Cut rows, columns;

    /// Halves the tiles until each has about `enough_work`, but keeps them large enough for Eigen's
    /// register blocks.
    void refine(double flops)
    {
        const int wanted = static_cast<int>(std::min(8.0, flops / enough_work));
        while (rows.count * columns.count < wanted) {
            if (rows.longest() > 96)
                rows.count *= 2;
            else if (columns.longest() > 192)
                columns.count *= 2;
            else
                return;
        }
    }

    int count() const { return rows.count * columns.count; }
    TileRange at(int index) const
    {
        const int r = index / columns.count, c = index % columns.count;
        return {rows.begin(r), rows.begin(r + 1), columns.begin(c), columns.begin(c + 1)};
    }
    template <class Body>
    void run(const Body& body) const
    {
        parallel_for(static_cast<std::size_t>(count()), [&](std::size_t index) { body(at(static_cast<int>(index))); });
    }
};

/// Calls `first` on each tile of `a` and `second` on each tile of `b`, in one loop. The two
/// alternate so that every thread gets a share of both.
template <class First, class Second>
void run_both(const Tiles& a, const First& first, const Tiles& b, const Second& second)
{
    const int n = a.count() + b.count();
    if (n == 2)   // small products
        return parallel_for(1, [&](std::size_t) {
            first(a.at(0));
            second(b.at(0));
        });
    parallel_for(static_cast<std::size_t>(n), [&](std::size_t index) {
        const long k           = static_cast<long>(index);
        const auto before      = static_cast<int>(k * a.count() / n);   // tiles of `a`
        const bool is_of_first = (k + 1) * a.count() / n > before;
        if (is_of_first)
            first(a.at(before));
        else
            second(b.at(static_cast<int>(k) - before));
    });
}

/// Tiles of out [n × m] = a [n × depth] · b. The width keeps the packed part of b in the L2 cache.
/// Tiles span all rows of a small batch and more rows of a large one, since each tile packs its
/// part of b again.
Tiles tiles_of_examples(int n, int m, int depth)
{
    const double flops = 2.0 * n * m * depth;
    Tiles tiles{{n, row_unit, 1}, {m, column_unit, 1}};
    if (flops < 2 * enough_work)
        return tiles;
    tiles.rows.count    = n <= 192 ? 1 : pieces_of_about(n < 1024 ? 192 : 512, n);
    tiles.columns.count = pieces_of_about(150, m);
    tiles.refine(flops);
    return tiles;
}

/// Tiles of dw [o × i], each of whole rows.
Tiles tiles_of_weights(int o, int i, int n)
{
    const double flops = 2.0 * n * i * o;
    Tiles tiles{{o, row_unit, 1}, {i, column_unit, 1}};
    if (flops < 2 * enough_work || i <= few_inputs)
        return tiles;
    tiles.rows.count    = pieces_of_about(150, o);
    tiles.columns.count = i <= 1600 ? 1 : pieces_of_about(1200, i);
    tiles.refine(flops);
    return tiles;
}

/// destination = left * right. A tile of whole rows is contiguous memory, which Eigen clears faster
/// than a block of rows.
template <class T, class Left, class Right>
void multiply_into(T* result, int result_columns, TileRange t, const Left& left, const Right& right)
{
    Out<T> rows(result + std::ptrdiff_t{t.row_begin} * result_columns, t.row_end - t.row_begin, result_columns);
    if (t.column_begin == 0 && t.column_end == result_columns)
        rows.noalias() = left * right;
    else
        rows.middleCols(t.column_begin, t.column_end - t.column_begin).noalias() = left * right;
}

/// The first layer of a toy network, where Eigen would mostly pack: one column of dw at a time,
/// with a group of neurons in registers.
template <class T>
void weight_gradient_of_few_inputs(const T* dz, const T* x, T* dw, int n, int i, int o)
{
    constexpr int strip = 64;
    for (int c0 = 0; c0 < o; c0 += strip) {
        const int width = std::min(strip, o - c0);
        for (int k = 0; k < i; ++k) {
            alignas(64) T sum[strip] = {};
            if (width == strip)
                for (int r = 0; r < n; ++r) {
                    const T factor = x[std::ptrdiff_t{r} * i + k];
                    const T* row   = dz + std::ptrdiff_t{r} * o + c0;
                    for (int c = 0; c < strip; ++c)
                        sum[c] += factor * row[c];
                }
            else
                for (int r = 0; r < n; ++r) {
                    const T factor = x[std::ptrdiff_t{r} * i + k];
                    const T* row   = dz + std::ptrdiff_t{r} * o + c0;
                    for (int c = 0; c < width; ++c)
                        sum[c] += factor * row[c];
                }
            for (int c = 0; c < width; ++c)
                dw[std::ptrdiff_t{c0 + c} * i + k] = sum[c];
        }
    }
}

template <class T>
void weight_gradient_tile(const T* dz, const T* x, T* dw, int n, int i, int o, TileRange t)
{
    if (i <= few_inputs)
        return weight_gradient_of_few_inputs(dz, x, dw, n, i, o);   // one tile
    const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
    multiply_into(dw, i, t, In<T>(dz, n, o).middleCols(t.row_begin, rows).transpose(),
                  In<T>(x, n, i).middleCols(t.column_begin, columns));
}

template <class T>
void input_gradient_tile(const T* dz, const T* w, T* dx, int n, int i, int o, TileRange t)
{
    const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
    multiply_into(dx, i, t, In<T>(dz, n, o).middleRows(t.row_begin, rows),
                  In<T>(w, o, i).middleCols(t.column_begin, columns));
}

}   // namespace

template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o, TileDone done)
{
    fix_product_blocking();
    const In<T> x_all(x, n, i), w_all(w, o, i);
    tiles_of_examples(n, o, i).run([&](TileRange t) {
        const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
        multiply_into(out, o, t, x_all.middleRows(t.row_begin, rows),
                      w_all.middleRows(t.column_begin, columns).transpose());
        done(t);
    });
}

template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o)
{
    product_forward(x, w, out, n, i, o, [](TileRange) {});
}

bool product_forward_makes_rows(int n, int i, int o)
{
    const Tiles tiles = tiles_of_examples(n, o, i);
    return tiles.rows.count > 1 && tiles.columns.count == 1;
}

template <class T>
void product_input_gradient(const T* dz, const T* w, T* dx, int n, int i, int o, TileDone done)
{
    fix_product_blocking();
    tiles_of_examples(n, i, o).run([&](TileRange t) {
        input_gradient_tile(dz, w, dx, n, i, o, t);
        done(t);
    });
}

template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o, TileDone done)
{
    fix_product_blocking();
    tiles_of_weights(o, i, n).run([&](TileRange t) {
        weight_gradient_tile(dz, x, dw, n, i, o, t);
        done(t);
    });
}

template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o)
{
    product_weight_gradient(dz, x, dw, n, i, o, [](TileRange) {});
}

template <class T>
void product_gradients(const T* dz, const T* x, const T* w, T* dw, T* dx, int n, int i, int o, TileDone weights_done,
                       TileDone inputs_done)
{
    fix_product_blocking();
    run_both(
        tiles_of_weights(o, i, n),
        [&](TileRange t) {
        weight_gradient_tile(dz, x, dw, n, i, o, t);
        weights_done(t);
        },
        tiles_of_examples(n, i, o),
        [&](TileRange t) {
        input_gradient_tile(dz, w, dx, n, i, o, t);
        inputs_done(t);
    });
}

template void product_forward(const float*, const float*, float*, int, int, int, TileDone);
template void product_forward(const float*, const float*, float*, int, int, int);
template void product_input_gradient(const float*, const float*, float*, int, int, int, TileDone);
template void product_weight_gradient(const float*, const float*, float*, int, int, int, TileDone);
template void product_weight_gradient(const float*, const float*, float*, int, int, int);
template void product_gradients(const float*, const float*, const float*, float*, float*, int, int, int, TileDone,
                                TileDone);
template void product_forward(const double*, const double*, double*, int, int, int, TileDone);
template void product_forward(const double*, const double*, double*, int, int, int);
template void product_input_gradient(const double*, const double*, double*, int, int, int, TileDone);
template void product_weight_gradient(const double*, const double*, double*, int, int, int, TileDone);
template void product_weight_gradient(const double*, const double*, double*, int, int, int);
template void product_gradients(const double*, const double*, const double*, double*, double*, int, int, int, TileDone,
                                TileDone);

}   // namespace credence
