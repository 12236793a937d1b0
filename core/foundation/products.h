// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

namespace credence {

/// The three matrix products of a dense layer. All matrices are row-major: row n holds example n,
/// row o holds the weights of neuron o. Each result is split into tiles that depend only on the
/// shape. Each tile is one sequential Eigen product, and tiles run in parallel, so the bits are the
/// same for any number of threads. Nothing is allocated. Small products stay on the caller's
/// thread.
struct TileRange {
    int row_begin, row_end, column_begin, column_end;
};
using TileDone = function_ref<void(TileRange)>;

/// out [n × o] = x [n × i] · w [o × i]ᵀ. The thread that computed a tile calls `done` on it while
/// it is still in the cache.
template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o, TileDone done);
template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o);

/// True if product_forward uses several tiles, each of whole rows.
bool product_forward_makes_rows(int n, int i, int o);

/// dx [n × i] = dz [n × o] · w [o × i]
template <class T>
void product_input_gradient(const T* dz, const T* w, T* dx, int n, int i, int o, TileDone done);

/// dw [o × i] = dz [n × o]ᵀ · x [n × i]
template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o, TileDone done);
template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o);

/// Computes both gradients in one parallel loop: the same bits as one after the other.
template <class T>
void product_gradients(const T* dz, const T* x, const T* w, T* dw, T* dx, int n, int i, int o, TileDone weights_done,
                       TileDone inputs_done);

/// Eigen derives its block sizes, and with them the order of summation, from the cache sizes. This
/// function fixes them so that two machines with the same instruction set give the same bits. The
/// library calls it before its first product.
void fix_product_blocking();

}   // namespace credence
