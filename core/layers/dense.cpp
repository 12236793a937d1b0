// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/dense.h"

#include "layers/dense_stage.h"

#include <algorithm>
#include <cassert>

namespace credence {
namespace {

/// db[o] = Σ_n dz[n × o] for the neurons of a tile of dw [o × i], rows added in order.
template <class T>
void bias_gradient(const T* dz, T* db, int n, int o, TileRange tile)
{
    if (tile.column_begin > 0)
        return;   // another tile also covers these neurons
    std::fill(db + tile.row_begin, db + tile.row_end, T(0));
    for (int row = 0; row < n; ++row) {
        const T* values = dz + static_cast<std::size_t>(row) * o;
#pragma omp simd
        for (int c = tile.row_begin; c < tile.row_end; ++c)
            db[c] += values[c];
    }
}

/// values += more on a tile of row-major matrices with `width` columns.
template <class T>
void add(const T* more, T* values, int width, TileRange tile)
{
    for (int row = tile.row_begin; row < tile.row_end; ++row) {
        const std::size_t start = static_cast<std::size_t>(row) * width;
#pragma omp simd
        for (int c = tile.column_begin; c < tile.column_end; ++c)
            values[start + c] += more[start + c];
    }
}

}   // namespace

void Dense::pass(Flow& flow) const
{
    if (units < 1 || units > largest_width)
        flow.refuse("found " + std::to_string(units) + " units, expected 1 to 1,000,000.");
    if (constant < 0 || constant >= units)
        flow.refuse("found " + std::to_string(constant) + " constant units of " + std::to_string(units)
                    + ", expected 0 to " + std::to_string(units - 1) + ".");
    flow.add_weights(static_cast<long long>(units) * (flow.shape.size() + 1LL));
    flow.become_vector(units);
}

std::optional<Dense> Dense::from_text(LayerWords& words)
{
    if (!words.take("dense"))
        return std::nullopt;
    const int units = words.whole("the number of units");
    return Dense{units, words.take("constant") ? words.whole("the number of constant units") : 0};
}

template <class T>
std::unique_ptr<Stage<T>> Dense::stage(const StagePlace& place) const
{
    return std::make_unique<DenseStage<T>>(place, constant);
}
template std::unique_ptr<Stage<float>> Dense::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Dense::stage(const StagePlace&) const;

template <class T>
bool DenseStage<T>::absorb_activation(ActivationKind kind)
{
    if (has_activation() || varying_ < out_)
        return false;
    activation_ = kind;
    return true;
}

template <class T>
void DenseStage<T>::forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const
{
    multiply(pass.weights, pass.n, x, y, Begin::rows, pass.weights + biases_);
    for (int o = varying_; o < out_; ++o)
        std::fill_n(y.plane(o, 0), pass.n, pass.weights[biases_ + static_cast<std::size_t>(o)]);
    for (int o = 0; o < out_ && has_activation(); ++o)
        activate(y.plane(o, 0), static_cast<std::size_t>(pass.n));
}

template <class T>
void DenseStage<T>::backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                             WeightSums<T> sums) const
{
    through_activation(y, dy, pass.n);
    if (sums.gradient) {
        T *dw = sums.gradient + weights_, *db = sums.gradient + biases_;
        if (!sums.add) {
            std::fill_n(dw, std::ptrdiff_t{out_} * in_, T(0));
            std::fill_n(db, out_, T(0));
        }
        add_row_sums<T>(dy.data, dy.channel, db, out_, pass.n);
        add_row_dots<T>(dy.data, dy.channel, x.data, x.channel, dw, varying_, in_, pass.n);
    }
    if (dx.data)
        multiply_by_transpose(pass.weights, pass.n, dy, dx, Begin::zero);
}

template <class T>
void DenseStage<T>::tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                             std::span<const Direction<T>> directions, bool inputs_move) const
{
    for (const Direction<T>& d : directions) {
        if (d.along)
            multiply(d.along, pass.n, x, d.dy, Begin::rows, d.along + biases_);
        if (inputs_move)
            multiply(pass.weights, pass.n, d.dx, d.dy, d.along ? Begin::c : Begin::zero);
        for (int o = varying_; o < out_; ++o)
            std::fill_n(d.dy.plane(o, 0), pass.n, d.along ? d.along[biases_ + static_cast<std::size_t>(o)] : T(0));
        through_activation(y, d.dy, pass.n);
    }
}

template <class T>
void DenseStage<T>::second_order(const StagePass<T>& pass, Planes<const T> /*x*/, Planes<const T> /*y*/,
                                 Planes<const T> dy, SecondOrder<T> add) const
{
    assert(!has_activation());
    if (add.dx.data && add.along)
        multiply_by_transpose(add.along, pass.n, dy, add.dx, Begin::c);
    if (add.gradient && add.u.data)
        add_row_dots(dy.data, dy.channel, add.u.data, add.u.channel, add.gradient + weights_, varying_, in_, pass.n);
}

template <class T>
void DenseStage<T>::multiply(const T* weights, int n, Planes<const T> x, Planes<T> y, Begin begin, const T* start) const
{
    wide_product<T>({weights + weights_, in_}, x.data, x.channel, y.data, y.channel, varying_, in_, n, begin, start);
}

template <class T>
void DenseStage<T>::multiply_by_transpose(const T* weights, int n, Planes<const T> dz, Planes<T> dx, Begin begin) const
{
    wide_product<T>({weights + weights_, 1, in_}, dz.data, dz.channel, dx.data, dx.channel, in_, varying_, n, begin);
}

template <class T>
void DenseStage<T>::through_activation(Planes<const T> y, Planes<T> dy, int n) const
{
    for (int o = 0; o < out_ && has_activation(); ++o)
        through_activation(y.plane(o, 0), dy.plane(o, 0), static_cast<std::size_t>(n));
}

/// Gives the constant units of a tile of y [n × out] their values.
template <class T>
void DenseStage<T>::set_constant(T* y, const T* bias, TileRange tile) const
{
    for (int row = tile.row_begin; row < tile.row_end && varying_ < out_; ++row)
        for (int c = std::max(tile.column_begin, varying_); c < tile.column_end; ++c)
            y[static_cast<std::size_t>(row) * out_ + c] = bias[c];
}

/// Returns dz [n × out] with zeros for the constant units, whose weights get no gradient.
template <class T>
const T* DenseStage<T>::without_constant(const T* dz, int n, aligned_vector<T>& copy) const
{
    if (varying_ == out_)
        return dz;
    copy.assign(dz, dz + static_cast<std::ptrdiff_t>(n) * out_);
    for (std::size_t end = out_; end <= copy.size(); end += out_)
        std::fill(copy.begin() + static_cast<std::ptrdiff_t>(end) - (out_ - varying_),
                  copy.begin() + static_cast<std::ptrdiff_t>(end), T(0));
    return copy.data();
}

template <class T>
void DenseStage<T>::forward(const T* weights, const T* x, T* y, int n, TileDone done) const
{
    const T* bias = weights + biases_;
    product_forward(x, weights + weights_, y, n, in_, out_, [&](TileRange tile) {
        add_bias_and_activate(activation_, y, bias, out_, tile);
        set_constant(y, bias, tile);
        done(tile);
    });
}

template <class T>
void DenseStage<T>::weight_gradient(const T* dz, const T* x, int n, T* gradient) const
{
    aligned_vector<T> copy;
    product_weight_gradient(without_constant(dz, n, copy), x, gradient + weights_, n, in_, out_,
                            [&](TileRange tile) { bias_gradient(dz, gradient + biases_, n, out_, tile); });
}

template <class T>
void DenseStage<T>::input_gradient(const T* weights, const T* dz, T* dx, int n, TileDone done) const
{
    aligned_vector<T> copy;
    product_input_gradient(without_constant(dz, n, copy), weights + weights_, dx, n, in_, out_, done);
}

template <class T>
void DenseStage<T>::gradients(const T* weights, const T* dz, const T* x, T* gradient, T* dx, int n, TileDone done) const
{
    aligned_vector<T> copy;
    product_gradients(
        without_constant(dz, n, copy), x, weights + weights_, gradient + weights_, dx, n, in_, out_,
        [&](TileRange tile) { bias_gradient(dz, gradient + biases_, n, out_, tile); }, done);
}

template <class T>
void DenseStage<T>::tangents(const T* weights, std::span<const std::span<const T>> directions, const T* x, const T* y,
                             int n, bool inputs_move, T* tangent, T* carried) const
{
    const std::size_t size = static_cast<std::size_t>(n) * out_;   // for one direction
    if (inputs_move)
        product_forward(tangent, weights + weights_, carried, static_cast<int>(directions.size()) * n, in_, out_);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        T* out = tangent + d * size;
        product_forward(x, directions[d].data() + weights_, out, n, in_, out_, [&](TileRange tile) {
            add_bias_and_activate(ActivationKind::identity, out, directions[d].data() + biases_, out_, tile);
            if (inputs_move)
                add(carried + d * size, out, out_, tile);
            set_constant(out, directions[d].data() + biases_, tile);
            if (has_activation())
                through_activation(y, out, tile);
        });
    }
}

template class DenseStage<float>;
template class DenseStage<double>;

}   // namespace credence
