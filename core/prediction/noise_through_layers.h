// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/convolution_gradient.h"
#include "laplace/curvature_sums.h"

#include <Eigen/Core>

#include <algorithm>
#include <cassert>
#include <vector>

/// Parts of linearised_logits.cpp, not for use outside it.
namespace credence {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Map = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;

/// Independent noise of a layer's weights [out × in] along some axes: the weights themselves, or
/// eigenvectors of Kronecker factors. The last of `in` can be the bias.
template <class T>
struct LayerNoise {
    int out = 0, in = 0, n_weights = 0;
    bool has_bias = false;
    aligned_vector<T> variance;               // [out × in]
    aligned_vector<T> a_vectors, b_vectors;   // axes by rows; empty: the weights themselves
};

/// Σ_kl += Σ_i J_ki J_li v_i
template <class T>
void add_weighted_gram(const T* J, std::ptrdiff_t row, const T* variance, std::size_t n, int K, double* sigma)
{
    for (int k = 0; k < K; ++k)
        for (int l = 0; l <= k; ++l) {
            const T *a = J + k * row, *b = J + l * row;
            double sum                  = 0;
            constexpr std::size_t piece = 256;   // in T, then in double
            for (std::size_t begin = 0; begin < n; begin += piece) {
                const std::size_t end = std::min(n, begin + piece);
                T part                = 0;
#pragma omp simd reduction(+ : part)
                for (std::size_t i = begin; i < end; ++i)
                    part += a[i] * b[i] * variance[i];
                sum += static_cast<double>(part);
            }
            sigma[k * K + l] += sum;
        }
}

/// Σ += J diag(v) Jᵀ of every layer, without forming J for dense layers. Computes the lower
/// triangles of [n × K × K].
template <class T>
class NoiseThroughLayers final : public LayerGradients<T> {
public:
    NoiseThroughLayers(int n_layers) : noise_(static_cast<std::size_t>(n_layers)), groups_(most_image_groups) {}
    std::vector<LayerNoise<T>>& of(int layer) { return noise_[static_cast<std::size_t>(layer)]; }
    int lowest() const
    {
        int layer = 0;
        while (layer + 1 < static_cast<int>(noise_.size()) && noise_[static_cast<std::size_t>(layer)].empty())
            ++layer;
        return layer;
    }
    void write_to(double* sigma) { sigma_ = sigma; }

    void dense(int layer, const T* x, const T* g, int K, int n, int in, int out) override
    {
        const std::size_t rows = static_cast<std::size_t>(n);
        for (const LayerNoise<T>& noise : of(layer)) {
            const std::size_t width = static_cast<std::size_t>(noise.in);
            T* inputs               = sized(inputs_, rows * width);
            parallel_for(rows, [&](std::size_t i) {
                std::copy_n(x + i * in, noise.n_weights, inputs + i * width);
                if (noise.has_bias)
                    inputs[i * width + width - 1] = 1;
            });
            if (!noise.a_vectors.empty()) {
                T* rotated = sized(rotated_, rows * width);
                product_forward<T>(inputs, noise.a_vectors.data(), rotated, n, noise.in, noise.in);
                inputs = rotated;
            }
            parallel_chunks(rows * width, elementwise_chunk, [=](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    inputs[i] *= inputs[i];
            });
            T* variance = sized(variance_, rows * static_cast<std::size_t>(out));
            product_forward<T>(inputs, noise.variance.data(), variance, n, noise.in,
                               out);   // variances of the outputs of each unit
            const T* gradient = g;
            if (!noise.b_vectors.empty()) {
                T* rotated = sized(rotated_gradients_, rows * static_cast<std::size_t>(K) * out);
                product_forward<T>(g, noise.b_vectors.data(), rotated, K * n, out, out);
                gradient = rotated;
            }
            parallel_for(rows, [&](std::size_t i) {
                add_weighted_gram(gradient + i * out, std::ptrdiff_t{n} * out, variance + i * out,
                                  static_cast<std::size_t>(out), K, sigma_ + i * K * K);
            });
        }
    }

    void convolution(int layer, int g, int image, const ConvolutionShape& shape, Planes<const T> x,
                     ColumnGradients<T>& dz) override
    {
        Group& group    = groups_[static_cast<std::size_t>(g)];
        const int patch = shape.patch(), places = shape.places(), out = shape.out.channels, K = dz.columns();
        const Planes<const T> planes = dz.planes();
        const T* rows                = patch_rows(shape, x, group.rows, group.scratch);
        for (const LayerNoise<T>& noise : of(layer)) {
            const std::size_t size = static_cast<std::size_t>(out) * noise.in;
            T* J                   = sized(group.jacobian, size * K);
            // The rows in the axes of the noise [positions × in]
            Matrix<T>& inputs = group.inputs;
            inputs.resize(places, noise.in);
            const Map<T> patches(rows, places, patch, Eigen::OuterStride<>(shape.rows_row<T>()));
            if (noise.a_vectors.empty()) {
                if (noise.n_weights > 0)
                    inputs.leftCols(patch) = patches;
                if (noise.has_bias)
                    inputs.rightCols(1).setOnes();
            } else {
                const Map<T> axes(noise.a_vectors.data(), noise.in, noise.in, Eigen::OuterStride<>(noise.in));
                if (noise.n_weights > 0)
                    inputs.noalias() = patches * axes.leftCols(patch).transpose();
                else
                    inputs.setZero();
                if (noise.has_bias)
                    inputs.rowwise() += axes.col(noise.in - 1).transpose();
            }
            for (int k = 0; k < K; ++k) {
                const Map<T> z(planes.plane(0, k), out, places, Eigen::OuterStride<>(planes.channel));
                Eigen::Map<Matrix<T>> of_class(J + static_cast<std::size_t>(k) * size, out, noise.in);
                if (noise.b_vectors.empty())
                    of_class.noalias() = z * inputs;
                else {
                    group.turned.noalias() = Map<T>(noise.b_vectors.data(), out, out, Eigen::OuterStride<>(out)) * z;
                    of_class.noalias()     = group.turned * inputs;
                }
            }
            add_weighted_gram(J, static_cast<std::ptrdiff_t>(size), noise.variance.data(), size, K,
                              sigma_ + static_cast<std::size_t>(image) * K * K);
        }
    }

private:
    struct Group {
        aligned_vector<T> rows, scratch, jacobian;
        Matrix<T> inputs, turned;
    };
    std::vector<std::vector<LayerNoise<T>>> noise_;
    std::vector<Group> groups_;
    double* sigma_ = nullptr;
    aligned_vector<T> inputs_, rotated_, variance_, rotated_gradients_;
};

}   // namespace credence
