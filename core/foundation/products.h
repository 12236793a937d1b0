// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

namespace credence {

/// The three matrix products of a dense layer, row-major throughout: examples are rows, neuron o's weights are row o.
/// Each result is cut into tiles that depend on the shape only, one sequential Eigen product a tile, tiles over threads: the same bits
/// for any number of threads. Nothing is allocated. Small products stay on the caller's thread.
struct TileRange {
    int row_begin, row_end, column_begin, column_end;
};
using TileDone = function_ref<void(TileRange)>;

/// out [n × o] = x [n × i] · w [o × i]ᵀ. `done` is called on each finished tile, by the thread that made it, while it is in the cache.
template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o, TileDone done);
template <class T>
void product_forward(const T* x, const T* w, T* out, int n, int i, int o);

/// Are the tiles of product_forward several, each of whole rows?
bool product_forward_makes_rows(int n, int i, int o);

/// dx [n × i] = dz [n × o] · w [o × i]
template <class T>
void product_input_gradient(const T* dz, const T* w, T* dx, int n, int i, int o, TileDone done);

/// dw [o × i] = dz [n × o]ᵀ · x [n × i]
template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o, TileDone done);
template <class T>
void product_weight_gradient(const T* dz, const T* x, T* dw, int n, int i, int o);

/// Both gradients, the tiles of the two in one loop over threads: the same bits as one after the other.
template <class T>
void product_gradients(const T* dz, const T* x, const T* w, T* dw, T* dx, int n, int i, int o, TileDone weights_done,
                       TileDone inputs_done);

/// Eigen chooses its cache blocks by the sizes of the caches, and with them the order of summation. Fixed here, so that two machines with
/// one instruction set give the same bits. Called by the library before its first product.
void fix_product_blocking();

}   // namespace credence
