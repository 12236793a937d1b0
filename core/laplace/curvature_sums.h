// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/column_gradients.h"
#include "network/network.h"
#include "posterior/curvature.h"

#include <optional>

namespace credence {

/// Accumulates the curvature from the layer gradients, batch by batch. Sums within a batch use type
/// T. Sums over batches use double and a fixed order. Network::layer_gradients runs between
/// begin_batch and end_batch.
template <class T>
class CurvatureSums : public LayerGradients<T> {
public:
    virtual void begin_batch(int /*n*/) {}
    virtual void end_batch(int /*n*/) {}
};

/// Diagonal GGN of the weights from first_weight on: Σ over examples and columns of squared
/// gradients. Dense layers: (Σ_c g²)ᵀ x², exact.
template <class T>
class DiagonalSums final : public CurvatureSums<T> {
public:
    DiagonalSums(const ParameterLayout& layout, std::size_t first_weight);
    void dense(int layer, const T* x, const T* g, int columns, int n, int in, int out) override;
    void convolution(int layer, int group, int image, const ConvolutionShape& shape, Planes<const T> x,
                     ColumnGradients<T>& dz) override;
    void end_batch(int n) override;

    std::vector<double> diagonal() const;   ///< [covered]

private:
    struct Group {
        std::vector<double> sums;   // convolution weights
        aligned_vector<T> rows, gradient, scratch;
    };
    const ParameterLayout& layout_;
    std::size_t first_weight_;
    std::vector<double> sums_;   // [layout.size()]
    std::vector<Group> groups_;
    aligned_vector<T> squared_inputs_, squared_gradients_, product_;
};

/// Computes Σ patch patchᵀ and Σ patch of a convolution without forming the patches. Every entry of
/// A is a sum over positions of products of two pixels at most one kernel width apart. The products
/// of pairs of image rows are therefore summed over the images first, for nearby pixels only, and
/// over the patch positions last. This takes a quarter of the operations for LeNet's second
/// convolution.
template <class T>
class PatchMoments {
public:
    PatchMoments() = default;
    /// @return  false if forming the patches is cheaper, or if the pairs of rows would take too
    ///          much memory
    static bool pays(const ConvolutionShape& shape);
    explicit PatchMoments(const ConvolutionShape& shape);

    void begin_batch(int n);
    void set_image(int image, Planes<const T> x);   ///< different images can be set concurrently
    void end_batch(int n);
    /// Overwrites a [patch²] and sum [patch].
    void read(std::vector<double>& a, std::vector<double>& sum) const;

private:
    // Values per image row, pixel by pixel.
    int line() const { return shape_.in.channels * shape_.in.width; }
    const double* block(int y, int dy) const
    {
        return products_.data() + (static_cast<std::size_t>(y) * shape_.kernel + dy) * line() * line();
    }

    ConvolutionShape shape_{};
    aligned_vector<T> lines_;   // [n × height × line]
    // Row y times row y + dy [height × kernel × line × line]; dy = 0: upper triangle.
    std::vector<double> products_;
    std::vector<double> sums_;   // [height × line]
};

/// Kronecker factors of the layers from first_layer on.
template <class T>
class KroneckerSums final : public CurvatureSums<T> {
public:
    KroneckerSums(const Architecture& architecture, const ParameterLayout& layout, int first_layer);
    void dense(int layer, const T* x, const T* g, int columns, int n, int in, int out) override;
    void convolution(int layer, int group, int image, const ConvolutionShape& shape, Planes<const T> x,
                     ColumnGradients<T>& dz) override;
    void begin_batch(int n) override;
    void end_batch(int n) override;

    /// Factors of one layer: A = mean of āāᵀ [(in + 1)²] with the bias last, B = sum [out²].
    struct Factors {
        int layer = 0, in = 0, out = 0;
        std::vector<double> a, b;
    };
    std::vector<Factors> factors() const;

private:
    struct Layer {
        int in = 0, out = 0, places = 1;
        std::vector<double> a, b, sum;   // Σ x xᵀ [in²], Σ g gᵀ [out²], Σ x [in]
        double count = 0;                // number of vectors x
    };
    struct Group {
        // Σ g gᵀ of this batch: one sum per filter pair and column, to avoid horizontal sums
        std::vector<aligned_vector<T>> lanes;
        std::vector<aligned_vector<T>> a;   // Σ x xᵀ of this batch with the bias, lower triangle
        aligned_vector<T> rows, scratch;
    };
    int first_layer_;
    std::vector<Layer> layers_;
    // Set for convolutions where they are cheaper.
    std::vector<std::optional<PatchMoments<T>>> moments_;
    std::vector<Group> groups_;
    aligned_vector<T> product_;
};

/// Jacobian rows of all columns for one batch: [n × columns × covered].
template <class T>
class JacobianRows final : public CurvatureSums<T> {
public:
    JacobianRows(const ParameterLayout& layout, std::size_t first_weight, int columns);
    void dense(int layer, const T* x, const T* g, int columns, int n, int in, int out) override;
    void convolution(int layer, int group, int image, const ConvolutionShape& shape, Planes<const T> x,
                     ColumnGradients<T>& dz) override;
    void begin_batch(int n) override;

    const T* row(int example, int column) const
    {
        return rows_.data() + (static_cast<std::size_t>(example) * columns_ + column) * covered_;
    }
    const aligned_vector<T>& rows() const { return rows_; }

private:
    struct Group {
        aligned_vector<T> rows, gradient, scratch;
    };
    const ParameterLayout& layout_;
    std::size_t first_weight_, covered_;
    int columns_;
    std::vector<Group> groups_;
    aligned_vector<T> rows_;
};

extern template class PatchMoments<float>;
extern template class PatchMoments<double>;
extern template class DiagonalSums<float>;
extern template class DiagonalSums<double>;
extern template class KroneckerSums<float>;
extern template class KroneckerSums<double>;
extern template class JacobianRows<float>;
extern template class JacobianRows<double>;

}   // namespace credence
