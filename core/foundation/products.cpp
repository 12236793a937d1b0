// SPDX-License-Identifier: GPL-3.0-or-later
#define EIGEN_DONT_PARALLELIZE
#include "foundation/products.h"

#include "foundation/parallel.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {

void fix_product_blocking()
{
    static const bool fixed = [] {
        Eigen::setCpuCacheSizes(32 * 1024, 1024 * 1024, 8 * 1024 * 1024);
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

/// Cuts a result [rows × columns] into tiles of at most the given size and calls `body` for each: over the threads, or one after the other
/// where the whole product is too small to be worth a task.
void over_tiles(int rows, int columns, int tile_rows, int tile_columns, double flops, function_ref<void(TileRange)> body)
{
    const int  n_rows = (rows + tile_rows - 1) / tile_rows, n_columns = (columns + tile_columns - 1) / tile_columns;
    const auto tile   = [&](std::size_t index) {
        const int r = static_cast<int>(index) / n_columns * tile_rows, c = static_cast<int>(index) % n_columns * tile_columns;
        body({r, std::min(rows, r + tile_rows), c, std::min(columns, c + tile_columns)});
    };
    const auto n_tiles = static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(n_columns);
    constexpr double worth_a_task = 5e5;
    if (flops >= worth_a_task)
        parallel_for(n_tiles, tile);
    else
        for (std::size_t k = 0; k < n_tiles; ++k)
            tile(k);
}

double flops_of(int n, int i, int o) { return 2.0 * n * i * o; }

}  // namespace

template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o, TileDone done)
{
    fix_product_blocking();
    const In<T> x_all(x, n, i), w_all(w, o, i);
    Out<T>      out_all(out, n, o);
    over_tiles(n, o, 128, 96, flops_of(n, i, o), [&](TileRange t) {
        const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
        out_all.block(t.row_begin, t.column_begin, rows, columns).noalias() = x_all.middleRows(t.row_begin, rows) * w_all.middleRows(t.column_begin, columns).transpose();
        done(t);
    });
}

template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o)
{
    product_forward(x, w, out, n, i, o, [](TileRange) {});
}

template <class T>
void product_input_gradient(const T* dz, const T* w, T* dx, int n, int i, int o, TileDone done)
{
    fix_product_blocking();
    const In<T> dz_all(dz, n, o), w_all(w, o, i);
    Out<T>      dx_all(dx, n, i);
    over_tiles(n, i, 128, 96, flops_of(n, i, o), [&](TileRange t) {
        const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
        dx_all.block(t.row_begin, t.column_begin, rows, columns).noalias() = dz_all.middleRows(t.row_begin, rows) * w_all.middleCols(t.column_begin, columns);
        done(t);
    });
}

template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o)
{
    fix_product_blocking();
    const In<T> dz_all(dz, n, o), x_all(x, n, i);
    Out<T>      dw_all(dw, o, i);
    over_tiles(o, i, 96, 1 << 30, flops_of(n, i, o), [&](TileRange t) {
        const int rows = t.row_end - t.row_begin, columns = t.column_end - t.column_begin;
        dw_all.block(t.row_begin, t.column_begin, rows, columns).noalias() = dz_all.middleCols(t.row_begin, rows).transpose() * x_all.middleCols(t.column_begin, columns);
    });
}

#define CREDENCE_PRODUCTS(T)                                                          \
    template void product_forward(const T*, const T*, T*, int, int, int, TileDone);   \
    template void product_forward(const T*, const T*, T*, int, int, int);             \
    template void product_input_gradient(const T*, const T*, T*, int, int, int, TileDone); \
    template void product_weight_gradient(const T*, const T*, T*, int, int, int);
CREDENCE_PRODUCTS(float)
CREDENCE_PRODUCTS(double)
#undef CREDENCE_PRODUCTS

}  // namespace credence
