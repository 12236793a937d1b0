// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/curvature_sums.h"

#include "foundation/parallel.h"
#include "foundation/products.h"
#include "layers/convolution.h"

#include <Eigen/Core>

#include <algorithm>
#include <cassert>

namespace credence {
namespace {

template <class T>
using Rows =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
template <class T>
using Square = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
void add(const T* from, double* to, std::size_t n)
{
    parallel_chunks(n, elementwise_chunk, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            to[i] += static_cast<double>(from[i]);
    });
}

/// to += u v elementwise, for a multiple of the vector width
template <class T>
void add_products(const T* u, const T* v, std::ptrdiff_t n, T* __restrict to)
{
    constexpr std::ptrdiff_t unit = 16;
    for (std::ptrdiff_t begin = 0; begin < n; begin += unit)
#pragma omp simd
        for (std::ptrdiff_t k = begin; k < begin + unit; ++k)
            to[k] += u[k] * v[k];
}

}   // namespace

template <class T>
DiagonalSums<T>::DiagonalSums(const ParameterLayout& layout, std::size_t first_weight)
    : layout_(layout), first_weight_(first_weight), sums_(layout.size()), groups_(most_image_groups)
{}

template <class T>
void DiagonalSums<T>::dense(int layer, const T* x, const T* g, int columns, int n, int in, int out)
{
    const std::size_t n_x = static_cast<std::size_t>(n) * in, n_g = static_cast<std::size_t>(n) * out;
    T* x2 = sized(squared_inputs_, n_x);
    T* g2 = sized(squared_gradients_, n_g);
    parallel_chunks(n_x, elementwise_chunk, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            x2[i] = x[i] * x[i];
    });
    parallel_chunks(n_g, elementwise_chunk, [=](std::size_t begin, std::size_t end) {
        std::fill(g2 + begin, g2 + end, T(0));
        for (int c = 0; c < columns; ++c) {
            const T* column = g + static_cast<std::size_t>(c) * n_g;
            for (std::size_t i = begin; i < end; ++i)
                g2[i] += column[i] * column[i];
        }
    });
    T* product = sized(product_, static_cast<std::size_t>(in) * out);
    product_weight_gradient<T>(g2, x2, product, n, in, out);
    add(product, sums_.data() + layout_.layer(layer).weights.begin, static_cast<std::size_t>(in) * out);
    double* biases = sums_.data() + layout_.layer(layer).biases.begin;
    for (int i = 0; i < n; ++i)
        for (int o = 0; o < out; ++o)
            biases[o] += static_cast<double>(g2[static_cast<std::size_t>(i) * out + o]);
}

template <class T>
void DiagonalSums<T>::convolution(int layer, int g, int, const ConvolutionShape& shape, Planes<const T> x,
                                  ColumnGradients<T>& dz)
{
    Group& group                 = groups_[g];
    const auto [weights, biases] = layout_.layer(layer);
    if (group.sums.size() < biases.end())
        group.sums.resize(biases.end());
    const T* rows                = patch_rows(shape, x, group.rows, group.scratch);
    T* gradient                  = sized(group.gradient, weights.size + biases.size);
    double* sums                 = group.sums.data() + weights.begin;
    const Planes<const T> planes = dz.planes();
    for (int c = 0; c < dz.columns(); ++c) {
        convolution_gradient(shape, rows, planes, c, gradient, gradient + weights.size);
        // Biases are stored after their weights.
        for (std::size_t i = 0; i < weights.size + biases.size; ++i)
            sums[i] += static_cast<double>(gradient[i] * gradient[i]);
    }
}

template <class T>
void DiagonalSums<T>::end_batch(int)
{
    for (Group& group : groups_) {
        add(group.sums.data(), sums_.data(), group.sums.size());
        std::fill(group.sums.begin(), group.sums.end(), 0.0);
    }
}

template <class T>
std::vector<double> DiagonalSums<T>::diagonal() const
{
    return {sums_.begin() + static_cast<std::ptrdiff_t>(first_weight_), sums_.end()};
}

template <class T>
KroneckerSums<T>::KroneckerSums(const Architecture& architecture, const ParameterLayout& layout, int first_layer)
    : first_layer_(first_layer), layers_(static_cast<std::size_t>(layout.n_layers())), groups_(most_image_groups)
{
    moments_.resize(layers_.size());
    const std::vector<LayerWeights> weights = weights_of_layers(architecture);
    for (std::size_t l = 0; l < weights.size(); ++l)
        if (const auto& shape = weights[l].convolution) {
            layers_[l].places = shape->places();
            if (static_cast<int>(l) >= first_layer && PatchMoments<T>::pays(*shape))
                moments_[l].emplace(*shape);
        }
    for (std::size_t l = static_cast<std::size_t>(first_layer); l < layers_.size(); ++l) {
        Layer& layer              = layers_[l];
        const auto [kernel, bias] = layout.layer(static_cast<int>(l));
        layer.out                 = static_cast<int>(bias.size);
        layer.in                  = static_cast<int>(kernel.size / bias.size);
        layer.a.resize(static_cast<std::size_t>(layer.in) * layer.in);
        layer.b.resize(static_cast<std::size_t>(layer.out) * layer.out);
        layer.sum.resize(static_cast<std::size_t>(layer.in));
    }
    for (Group& group : groups_) {
        group.a.resize(layers_.size());
        group.lanes.resize(layers_.size());
    }
}

template <class T>
void KroneckerSums<T>::dense(int number, const T* x, const T* g, int columns, int n, int in, int out)
{
    Layer& layer = layers_[number];
    product_weight_gradient<T>(x, x, sized(product_, layer.a.size()), n, in, in);
    add(product_.data(), layer.a.data(), layer.a.size());
    product_weight_gradient<T>(g, g, sized(product_, layer.b.size()), columns * n, out, out);
    add(product_.data(), layer.b.data(), layer.b.size());
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < in; ++k)
            layer.sum[k] += static_cast<double>(x[static_cast<std::size_t>(i) * in + k]);
}

template <class T>
void KroneckerSums<T>::convolution(int number, int g, int image, const ConvolutionShape& shape, Planes<const T> x,
                                   ColumnGradients<T>& dz)
{
    Group& group  = groups_[g];
    const int out = shape.out.channels, patch = shape.patch();
    // Σ over columns and positions of dz dzᵀ, lower triangle
    const auto& entries        = dz.nonzeros();
    const std::ptrdiff_t width = entries.width;
    auto& lanes                = group.lanes[number];
    if (lanes.empty())
        lanes.resize(static_cast<std::size_t>(out) * out * static_cast<std::size_t>(width));
    for (int place = 0; place < shape.places(); ++place)
        for (int i = entries.begin[place]; i < entries.begin[place + 1]; ++i) {
            T* of_filter = lanes.data() + entries.filters[i] * out * width;
            for (int j = entries.begin[place]; j <= i; ++j)
                add_products(entries.values.data() + i * width, entries.values.data() + j * width, width,
                             of_filter + entries.filters[j] * width);
        }
    if (moments_[number])
        return moments_[number]->set_image(image, x);
    // Σ over positions of patch patchᵀ, and Σ patch in the last row
    auto& a = group.a[number];
    a.resize(static_cast<std::size_t>(patch) * (patch + 1));
    const T* rows = patch_rows(shape, x, group.rows, group.scratch);
    const Rows<T> patches(rows, shape.places(), patch, Eigen::OuterStride<>(shape.rows_row<T>()));
    Square<T>(a.data(), patch, patch).template selfadjointView<Eigen::Lower>().rankUpdate(patches.transpose());
    Square<T>(a.data() + static_cast<std::size_t>(patch) * patch, 1, patch) += patches.colwise().sum();
}

template <class T>
void KroneckerSums<T>::begin_batch(int n)
{
    for (auto& moments : moments_)
        if (moments)
            moments->begin_batch(n);
}

template <class T>
void KroneckerSums<T>::end_batch(int n)
{
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        Layer& layer = layers_[l];
        layer.count += static_cast<double>(n) * layer.places;
        const std::size_t pairs = layer.b.size();
        parallel_chunks(pairs, 256, [&](std::size_t begin, std::size_t end) {
            for (Group& group : groups_) {
                if (group.lanes[l].empty())
                    continue;
                const std::size_t padded = group.lanes[l].size() / pairs;
                for (std::size_t p = begin; p < end; ++p) {
                    T* from    = group.lanes[l].data() + p * padded;
                    double sum = 0;
#pragma omp simd reduction(+ : sum)
                    for (std::size_t k = 0; k < padded; ++k)
                        sum += static_cast<double>(from[k]);
                    layer.b[p] += sum;
                    std::fill_n(from, padded, T(0));
                }
            }
        });
        for (Group& group : groups_) {
            if (group.a[l].empty())
                continue;
            add(group.a[l].data(), layer.a.data(), layer.a.size());
            add(group.a[l].data() + layer.a.size(), layer.sum.data(), layer.sum.size());
            std::fill(group.a[l].begin(), group.a[l].end(), T(0));
        }
        if (moments_[l])
            moments_[l]->end_batch(n);
    }
}

template <class T>
auto KroneckerSums<T>::factors() const -> std::vector<Factors>
{
    std::vector<Factors> all;
    for (std::size_t l = static_cast<std::size_t>(first_layer_); l < layers_.size(); ++l) {
        Layer layer = layers_[l];
        if (moments_[l])
            moments_[l]->read(layer.a, layer.sum);
        const auto in = static_cast<std::size_t>(layer.in);
        Factors f{static_cast<int>(l), layer.in, layer.out, std::vector<double>((in + 1) * (in + 1)), layer.b};
        for (std::size_t i = 0; i < in; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                f.a[i * (in + 1) + j] = f.a[j * (in + 1) + i] = layer.a[i * in + j] / layer.count;
            f.a[i * (in + 1) + in] = f.a[in * (in + 1) + i] = layer.sum[i] / layer.count;
        }
        f.a.back()     = 1;
        const auto out = static_cast<std::size_t>(layer.out);
        for (std::size_t i = 0; i < out; ++i)
            for (std::size_t j = 0; j < i; ++j)
                f.b[j * out + i] = f.b[i * out + j];
        all.push_back(std::move(f));
    }
    return all;
}

template <class T>
JacobianRows<T>::JacobianRows(const ParameterLayout& layout, std::size_t first_weight, int columns)
    : layout_(layout), first_weight_(first_weight), covered_(layout.size() - first_weight), columns_(columns),
      groups_(most_image_groups)
{}

template <class T>
void JacobianRows<T>::begin_batch(int n)
{
    sized(rows_, static_cast<std::size_t>(n) * columns_ * covered_);
}

template <class T>
void JacobianRows<T>::dense(int layer, const T* x, const T* g, int columns, int n, int in, int out)
{
    const std::size_t weights = layout_.layer(layer).weights.begin - first_weight_,
                      biases  = layout_.layer(layer).biases.begin - first_weight_;
    parallel_for(static_cast<std::size_t>(n), [&](std::size_t i) {
        for (int c = 0; c < columns; ++c) {
            T* row            = rows_.data() + (i * columns_ + c) * covered_;
            const T* gradient = g + (static_cast<std::size_t>(c) * n + i) * out;
            const T* input    = x + i * in;
            for (int o = 0; o < out; ++o) {
                T* to          = row + weights + static_cast<std::size_t>(o) * in;
                const T factor = gradient[o];
#pragma omp simd
                for (int k = 0; k < in; ++k)
                    to[k] = factor * input[k];
            }
            std::copy_n(gradient, out, row + biases);
        }
    });
}

template <class T>
void JacobianRows<T>::convolution(int layer, int g, int image, const ConvolutionShape& shape, Planes<const T> x,
                                  ColumnGradients<T>& dz)
{
    Group& group                 = groups_[g];
    const auto [weights, biases] = layout_.layer(layer);
    const T* rows                = patch_rows(shape, x, group.rows, group.scratch);
    const Planes<const T> planes = dz.planes();
    for (int c = 0; c < dz.columns(); ++c) {
        T* row = rows_.data() + (static_cast<std::size_t>(image) * columns_ + c) * covered_ - first_weight_;
        convolution_gradient(shape, rows, planes, c, row + weights.begin, row + biases.begin);
    }
}

template class DiagonalSums<float>;
template class DiagonalSums<double>;
template class KroneckerSums<float>;
template class KroneckerSums<double>;
template class JacobianRows<float>;
template class JacobianRows<double>;

}   // namespace credence
