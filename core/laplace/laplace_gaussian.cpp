// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/laplace_gaussian.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "posterior/weight_passes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace credence {
namespace {

constexpr std::size_t noise_chunk = 8192;

/// Copies the block's weights to a matrix [out × in], with the biases as its last column.
template <class T>
void gather(const KroneckerFactor& f, const T* flat, T* matrix)
{
    for (int o = 0; o < f.out; ++o, matrix += f.in) {
        std::copy_n(flat + f.weights + static_cast<std::size_t>(o) * f.n_weights, f.n_weights, matrix);
        if (f.has_bias)
            matrix[f.in - 1] = flat[f.biases + o];
    }
}
/// Adds the matrix to the flat weights.
template <class T>
void scatter(const KroneckerFactor& f, const T* matrix, T* flat)
{
    for (int o = 0; o < f.out; ++o, matrix += f.in) {
        T* row = flat + f.weights + static_cast<std::size_t>(o) * f.n_weights;
        for (int i = 0; i < f.n_weights; ++i)
            row[i] += matrix[i];
        if (f.has_bias)
            flat[f.biases + o] += matrix[f.in - 1];
    }
}

template <class T>
std::span<const T> full_vectors(const CurvatureData& data, aligned_vector<T>& own)
{
    if constexpr (std::is_same_v<T, float>) {
        return data.eigenvectors_float;
    } else {
        if (!data.eigenvectors.empty())
            return data.eigenvectors;
        own.assign(data.eigenvectors_float.begin(), data.eigenvectors_float.end());
        return own;
    }
}

}   // namespace

template <class T>
LaplaceGaussian<T>::LaplaceGaussian(std::shared_ptr<const Curvature> curvature, double precision)
    : BasicPosterior<T>(curvature->layout()), curvature_(std::move(curvature)), precision_(precision)
{
    if (!(precision > 0) || !std::isfinite(precision))
        throw Error("The prior precision is " + number_text(precision, 6) + ", expected a number > 0.");
    const CurvatureData& data = curvature_->data();
    if (!(curvature_->smallest_eigenvalue() + precision > 0))
        throw Error("The prior precision is " + number_text(precision, 6) + ", expected more than "
                    + number_text(-curvature_->smallest_eigenvalue(), 6)
                    + ": the exact Hessian has a negative eigenvalue there; the GGN has none.");
    map_.assign(data.map.begin(), data.map.end());
    switch (data.options.structure) {
    case CurvatureStructure::diagonal: {
        auto& scale = scales_.emplace_back(data.covered());
        for (std::size_t i = 0; i < scale.size(); ++i)
            scale[i] = static_cast<T>(1 / std::sqrt(data.diagonal[i] + precision));
        break;
    }
    case CurvatureStructure::kronecker: {
        const double sqrt_n = std::sqrt(static_cast<double>(data.n_data)), sqrt_precision = std::sqrt(precision);
        for (const KroneckerFactor& f : data.kronecker) {
            auto& variance = kronecker_variances_.emplace_back(static_cast<std::size_t>(f.out) * f.in);
            auto& scale    = scales_.emplace_back(variance.size());
            for (int o = 0; o < f.out; ++o)
                for (int i = 0; i < f.in; ++i) {
                    const std::size_t at = static_cast<std::size_t>(o) * f.in + i;
                    variance[at]         = 1
                                   / kronecker_precision(data.options.form, f.b_values[o], f.a_values[i], precision,
                                                         sqrt_n, sqrt_precision);
                    scale[at] = static_cast<T>(std::sqrt(variance[at]));
                }
        }
        break;
    }
    case CurvatureStructure::full: {
        auto& scale       = scales_.emplace_back(data.eigenvalues.size());
        const double rest = data.eigenvalues.size() < data.covered() ? 1 / std::sqrt(precision) : 0;
        for (std::size_t r = 0; r < scale.size(); ++r)
            scale[r] = static_cast<T>(1 / std::sqrt(data.eigenvalues[r] + precision) - rest);
        break;
    }
    }
}

template <class T>
void LaplaceGaussian<T>::draw(NoiseKey key, Draw<T>& out) const
{
    out.key = key;
    parallel_chunks(out.noise.size(), noise_chunk, [&](std::size_t begin, std::size_t end) {
        standard_normals(key, begin, std::span<T>(out.noise.data() + begin, end - begin));
    });
    transform(out);
}

template <class T>
void LaplaceGaussian<T>::transform(Draw<T>& out) const
{
    std::copy(map_.begin(), map_.end(), out.weights.begin());
    switch (curvature_->data().options.structure) {
    case CurvatureStructure::diagonal: {
        const std::size_t first = curvature_->data().first_weight;
        const T* scale          = scales_[0].data();
        const T* x              = out.noise.data() + first;
        T* w                    = out.weights.data() + first;
        parallel_chunks(curvature_->data().covered(), elementwise_chunk, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
            for (std::size_t i = begin; i < end; ++i)
                w[i] += scale[i] * x[i];
        });
        break;
    }
    case CurvatureStructure::kronecker:
        for (std::size_t k = 0; k < curvature_->data().kronecker.size(); ++k)
            add_kronecker(k, out);
        break;
    case CurvatureStructure::full: add_full(out); break;
    }
}

template <class T>
void LaplaceGaussian<T>::add_kronecker(std::size_t k, Draw<T>& out) const
{
    const KroneckerFactor& f = curvature_->data().kronecker[k];
    const std::size_t size   = static_cast<std::size_t>(f.out) * f.in;
    Scratch scratch(2 * Scratch::bytes_for<T>(size));
    T* z       = scratch.take<T>(size).data();
    T* rotated = scratch.take<T>(size).data();
    gather(f, out.noise.data(), z);
    for (std::size_t i = 0; i < size; ++i)
        z[i] *= scales_[k][i];
    const T *a, *b;
    if constexpr (std::is_same_v<T, float>) {
        a = curvature_->float_factors()[k].a_vectors.data();
        b = curvature_->float_factors()[k].b_vectors.data();
    } else {
        a = f.a_vectors.data();
        b = f.b_vectors.data();
    }
    product_input_gradient<T>(z, a, rotated, f.out, f.in, f.in, [](TileRange) {});   // Z V_A
    product_weight_gradient<T>(b, rotated, z, f.out, f.in, f.out);                   // V_Bᵀ (Z V_A)
    scatter(f, z, out.weights.data());
}

template <class T>
void LaplaceGaussian<T>::add_full(Draw<T>& out) const
{
    const CurvatureData& data = curvature_->data();
    const std::size_t n = data.covered(), r = data.eigenvalues.size();
    const T* x = out.noise.data() + data.first_weight;
    T* w       = out.weights.data() + data.first_weight;
    aligned_vector<T> own;
    const T* vectors = full_vectors<T>(data, own).data();
    Scratch scratch(Scratch::bytes_for<T>(r) + Scratch::bytes_for<T>(n));
    T* along = scratch.take<T>(r).data();
    T* back  = scratch.take<T>(n).data();
    if (r < n) {
        product_forward<T>(x, vectors, along, 1, static_cast<int>(n), static_cast<int>(r));
        const T rest = static_cast<T>(1 / std::sqrt(precision_));
        for (std::size_t i = 0; i < n; ++i)
            w[i] += rest * x[i];
    } else {
        std::copy_n(x, r, along);
    }
    for (std::size_t k = 0; k < r; ++k)
        along[k] *= scales_[0][k];
    if (r > 0) {
        product_input_gradient<T>(along, vectors, back, 1, static_cast<int>(n), static_cast<int>(r), [](TileRange) {});
        for (std::size_t i = 0; i < n; ++i)
            w[i] += back[i];
    }
}

template <class T>
std::vector<double> LaplaceGaussian<T>::variances() const
{
    const CurvatureData& data = curvature_->data();
    std::vector<double> variance(this->layout_.size(), 0.0);
    double* covered = variance.data() + data.first_weight;
    switch (data.options.structure) {
    case CurvatureStructure::diagonal:
        for (std::size_t i = 0; i < data.covered(); ++i)
            covered[i] = 1 / (data.diagonal[i] + precision_);
        break;
    case CurvatureStructure::kronecker:   // Var W_oi = Σ_jk (V_B)²_jo S_jk (V_A)²_ki
        for (std::size_t k = 0; k < data.kronecker.size(); ++k) {
            const KroneckerFactor& f = data.kronecker[k];
            std::vector<double> a(f.a_vectors), b(f.b_vectors), sums(kronecker_variances_[k].size()),
                result(sums.size());
            for (auto* vectors : {&a, &b})
                for (double& value : *vectors)
                    value *= value;
            product_input_gradient<double>(kronecker_variances_[k].data(), a.data(), sums.data(), f.out, f.in, f.in,
                                           [](TileRange) {});
            product_weight_gradient<double>(b.data(), sums.data(), result.data(), f.out, f.in, f.out);
            scatter(f, result.data(), variance.data());
        }
        break;
    case CurvatureStructure::full: {
        const std::size_t r = data.eigenvalues.size(), n = data.covered();
        const double rest = r < n ? 1 / precision_ : 0;
        parallel_chunks(n, 512, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                covered[i] = rest;
            for (std::size_t k = 0; k < r; ++k) {
                // 1/(e + λ) − 1/λ without cancellation
                const double e      = data.eigenvalues[k],
                             weight = r < n ? -e / (precision_ * (e + precision_)) : 1 / (e + precision_);
                for (std::size_t i = begin; i < end; ++i) {
                    const double u = data.eigenvectors.empty() ? static_cast<double>(data.eigenvectors_float[k * n + i])
                                                               : data.eigenvectors[k * n + i];
                    covered[i] += weight * u * u;
                }
            }
            for (std::size_t i = begin; i < end; ++i)
                covered[i] = std::max(covered[i], 0.0);
        });
        break;
    }
    }
    return variance;
}

template <class T>
Covariance LaplaceGaussian<T>::covariance() const
{
    switch (curvature_->options().structure) {
    case CurvatureStructure::diagonal: return IndependentCovariance{variances()};
    case CurvatureStructure::kronecker: return KroneckerCovariance{curvature_->data().kronecker, kronecker_variances_};
    case CurvatureStructure::full: return low_rank_covariance();
    }
    assert(false);
    return NoCovariance{};
}

/// Directions whose eigenvalue is negligible compared with the prior precision are left to `rest`:
/// along them the posterior precision equals the prior precision.
template <class T>
LowRankCovariance LaplaceGaussian<T>::low_rank_covariance() const
{
    const CurvatureData& data = curvature_->data();
    const auto& values        = data.eigenvalues;   // ascending
    const bool all = values.size() == data.covered(), in_double = !data.eigenvectors.empty();
    const double tiny = precision_ * (in_double ? 1e-14 : 1e-7);
    std::size_t begin = 0;
    while (!all && begin < values.size() && std::abs(values[begin]) <= tiny)
        ++begin;
    const std::size_t offset = begin * data.covered();
    LowRankCovariance low_rank;
    if (in_double)
        low_rank.directions = std::span(data.eigenvectors).subspan(offset);
    else
        low_rank.directions_float = std::span(data.eigenvectors_float).subspan(offset);
    for (std::size_t k = begin; k < values.size(); ++k)
        low_rank.precisions.push_back(values[k] + precision_);
    if (!all)
        low_rank.rest = precision_;
    return low_rank;
}

template <class T>
std::optional<double> LaplaceGaussian<T>::kl(const Prior& prior) const
{
    if (curvature_->first_weight() > 0)
        return std::nullopt;
    const std::vector<double> variance = variances();
    double sum                         = curvature_->log_determinant(precision_);   // −ln det Σ
    for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b) {
        const Block& block   = this->layout_.blocks[b];
        const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[b]);
        if (!gaussian)
            return std::nullopt;
        const double s2 = gaussian->sd * gaussian->sd;
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            const double shift = static_cast<double>(map_[i]) - (prior.means.empty() ? gaussian->mean : prior.means[i]);
            sum += (variance[i] + shift * shift) / s2 - 1 + std::log(s2);
        }
    }
    return 0.5 * sum;
}

template <class T>
void LaplaceGaussian<T>::moments(std::span<float> mean, std::span<float> sd) const
{
    const std::vector<double> variance = variances();
    for (std::size_t i = 0; i < variance.size(); ++i) {
        mean[i] = static_cast<float>(map_[i]);
        sd[i]   = static_cast<float>(std::sqrt(variance[i]));
    }
}

template <class T>
LayerUncertainty LaplaceGaussian<T>::describe() const
{
    const std::vector<double> variance = variances();
    return uncertainty_of_blocks(this->layout_, map_.data(), [&](std::size_t i) { return std::sqrt(variance[i]); });
}

const LaplaceGaussian<float>* laplace_of(const Posterior& posterior)
{
    return dynamic_cast<const LaplaceGaussian<float>*>(&posterior);
}

template class LaplaceGaussian<float>;
template class LaplaceGaussian<double>;

}   // namespace credence
