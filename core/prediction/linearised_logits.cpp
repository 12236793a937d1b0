// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/linearised_logits.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/curvature_sums.h"
#include "layers/convolution.h"
#include "prediction/draw_loop.h"

#include <Eigen/Core>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <span>
#include <variant>
#include <vector>

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

namespace {

/// Variances of the weights [out × in] and biases of a layer.
template <class T, class Variance>
LayerNoise<T> independent_noise(const ParameterLayout& layout, int layer, const Variance& variance)
{
    const auto [weights, biases] = layout.layer(layer);
    LayerNoise<T> noise;
    noise.out       = static_cast<int>(biases.size);
    noise.n_weights = static_cast<int>(weights.size / biases.size);
    noise.in        = noise.n_weights + 1;
    noise.has_bias  = true;
    for (int o = 0; o < noise.out; ++o) {
        for (int i = 0; i < noise.n_weights; ++i)
            noise.variance.push_back(
                static_cast<T>(variance[weights.begin + static_cast<std::size_t>(o) * noise.n_weights + i]));
        noise.variance.push_back(static_cast<T>(variance[biases.begin + o]));
    }
    return noise;
}

template <class T>
LayerNoise<T> kronecker_noise(const KroneckerFactor& f, const std::vector<double>& variances)
{
    return {f.out,
            f.in,
            f.n_weights,
            f.has_bias,
            {variances.begin(), variances.end()},
            {f.a_vectors.begin(), f.a_vectors.end()},
            {f.b_vectors.begin(), f.b_vectors.end()}};
}

/// sigma_i += A_i B_iᵀ · factor for each of n inputs, with K rows of A and B each.
/// @param a, b  [n·K × r]; @param sigma  [n × K × K]
void add_products(const double* a, const double* b, int n, int K, int r, double factor, double* sigma)
{
    std::vector<double> product(static_cast<std::size_t>(K) * K);
    const std::size_t rows = static_cast<std::size_t>(K) * r;
    for (int i = 0; i < n; ++i, sigma += product.size()) {
        product_forward(a + rows * i, b + rows * i, product.data(), K, r, K);
        for (std::size_t k = 0; k < product.size(); ++k)
            sigma[k] += factor * product[k];
    }
}

/// J Uᵀ [rows × r] into `along`; J − J Uᵀ U [rows × P] into `rest` if requested. Computed in U's type.
template <class T, class Direction>
void split_along(const T* J, int rows, int P, std::span<const Direction> U, int r, std::vector<double>& along,
                 std::vector<double>* rest)
{
    const std::vector<Direction> own(J, J + static_cast<std::size_t>(rows) * P);
    std::vector<Direction> projected(static_cast<std::size_t>(rows) * r);
    product_forward(own.data(), U.data(), projected.data(), rows, P, r);
    along.assign(projected.begin(), projected.end());
    if (!rest)
        return;
    std::vector<Direction> back(own.size());
    product_input_gradient(projected.data(), U.data(), back.data(), rows, P, r, [](TileRange) {});
    rest->resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        (*rest)[i] = static_cast<double>(own[i] - back[i]);
}

/// Σ = (J − J Uᵀ U)(…)ᵀ/λ + J Uᵀ diag(1/p) U Jᵀ for some inputs at once, since U is large; the
/// first term vanishes if U has all directions.
/// @param J  [n·K × P], P uncertain weights; @param sigma  [n × K × K]
template <class T>
void add_low_rank(const T* J, int n, int K, int P, const LowRankCovariance& covariance, double* sigma)
{
    const int r = static_cast<int>(covariance.precisions.size());
    std::vector<double> along;   // [n·K × r]
    std::vector<double> rest;    // [n·K × P]
    std::vector<double>* wanted = covariance.rest ? &rest : nullptr;
    if (covariance.directions_float.empty())
        split_along(J, n * K, P, std::span<const double>(covariance.directions), r, along, wanted);
    else
        split_along(J, n * K, P, std::span<const float>(covariance.directions_float), r, along, wanted);
    std::vector<double> weighted = along;
    for (std::size_t i = 0; i < weighted.size(); ++i)
        weighted[i] /= covariance.precisions[i % static_cast<std::size_t>(r)];
    add_products(weighted.data(), along.data(), n, K, r, 1.0, sigma);
    if (covariance.rest)
        add_products(rest.data(), rest.data(), n, K, P, 1 / *covariance.rest, sigma);
}

/// Σ for some inputs from the sample covariance of M draws: 1/(M − 1) Σ_s [J(w_s − w̄)][J(w_s − w̄)]ᵀ.
/// @param J  [n·K × P]; @param deviations  w_s − w̄ [M × P]; @param sigma  [n × K × K]
template <class T>
void add_samples(const T* J, int n, int K, int P, const std::vector<T>& deviations, double* sigma)
{
    const int M = static_cast<int>(deviations.size()) / P;
    std::vector<T> along(static_cast<std::size_t>(n) * K * M);
    product_forward(J, deviations.data(), along.data(), n * K, P, M);
    const std::vector<double> wide(along.begin(), along.end());
    add_products(wide.data(), wide.data(), n, K, M, 1.0 / (M - 1), sigma);
}

/// Variances d and covariances c of neighbours of one block of weights.
template <class T>
struct NeighbourNoise {
    std::size_t begin = 0;
    std::vector<T> d, c;   ///< [size], [size − 1]
};

/// Σ of one input under the neighbours' covariances, (J C) Jᵀ with (J C)_ki = d_i J_ki + c_i
/// J_k,i+1 + c_i−1 J_k,i−1: tile by tile, so that both factors stay in the cache, and summed over
/// the tiles in double.
/// @param J  [K × n]
template <class T>
void add_neighbours(const T* J, std::size_t n, const std::vector<NeighbourNoise<T>>& blocks, int K, double* sigma)
{
    constexpr std::size_t tile = 512;
    std::vector<T> weighted(static_cast<std::size_t>(K) * tile);
    for (const auto& [begin, d, c] : blocks)
        for (std::size_t first = 0; first < d.size(); first += tile) {
            const std::size_t here = std::min(tile, d.size() - first), last = d.size() - 1;
            for (int k = 0; k < K; ++k) {
                const T* const j = J + static_cast<std::size_t>(k) * n + begin;
                T* const w       = weighted.data() + static_cast<std::size_t>(k) * tile;
                for (std::size_t i = std::max<std::size_t>(first, 1); i < std::min(first + here, last); ++i)
                    w[i - first] = d[i] * j[i] + c[i] * j[i + 1] + c[i - 1] * j[i - 1];
                if (first == 0)
                    w[0] = d[0] * j[0] + (last > 0 ? c[0] * j[1] : T(0));
                if (first + here > last && last > 0)
                    w[last - first] = d[last] * j[last] + c[last - 1] * j[last - 1];
                for (int l = 0; l <= k; ++l) {
                    const T* const other = J + static_cast<std::size_t>(l) * n + begin + first;
                    T sum                = 0;
#pragma omp simd reduction(+ : sum)
                    for (std::size_t i = 0; i < here; ++i)
                        sum += w[i] * other[i];
                    sigma[k * K + l] += static_cast<double>(sum);
                }
            }
        }
}

/// J Σ Jᵀ batch by batch.
template <class T>
class Linearisation {
public:
    Linearisation(const Linearisation&) = delete;   // its callbacks point into it
    Linearisation(const Model& model, const BasicPosterior<T>& posterior)
        : network_(model.architecture), posterior_(posterior), K_(model.architecture.outputs()),
          covariance_(posterior.covariance()), through_(posterior.layout().n_layers())
    {
        assert(network_.layout() == posterior.layout());
        std::visit([this](const auto& form) { take(form); }, covariance_);
        double widest = 1;
        for (const ImageShape shape : shapes_of(model.architecture))
            widest = std::max<double>(widest, shape.size());
        batch_ = static_cast<int>(
            std::clamp(4e6 / (K_ * (add_rows_ ? std::max<double>(widest, static_cast<double>(n_uncertain())) : widest)),
                       1.0, 512.0));
    }

    /// Calls done(first, n, outputs [n × K], Σ [n × K × K]) for each batch; false if stopped.
    template <class Done>
    bool run(std::span<const T> inputs, int n, const std::stop_token& stop, const Done& done)
    {
        const int d = network_.architecture().inputs, batch = std::min(batch_, std::max(1, n));
        const Expansion<T> around        = expansion_around_means(posterior_);
        const std::span<const T> weights = around.means;
        typename Network<T>::Workspace workspace(network_, batch);
        std::vector<double> sigma(static_cast<std::size_t>(batch) * K_ * K_);
        aligned_vector<T> identity;
        JacobianRows<T> rows(posterior_.layout(), posterior_.first_uncertain_weight(), K_);
        const int lowest = add_rows_ ? around.lowest_layer : through_.lowest();
        for (int first = 0; first < n; first += batch) {
            if (stop.stop_requested())
                return false;
            const int m            = std::min(batch, n - first);
            const std::size_t next = static_cast<std::size_t>(m) * K_;
            identity.assign(next * K_, T(0));
            for (int k = 0; k < K_; ++k)
                for (int i = 0; i < m; ++i)
                    identity[static_cast<std::size_t>(k) * next + static_cast<std::size_t>(i) * K_ + k] = 1;
            const auto outputs = network_.forward(weights, inputs.data() + static_cast<std::size_t>(first) * d, m,
                                                  workspace);
            std::fill(sigma.begin(), sigma.end(), 0.0);
            if (add_rows_) {
                rows.begin_batch(m);
                network_.layer_gradients(weights, identity, K_, workspace, rows, lowest);
                parallel_chunks(static_cast<std::size_t>(m), together_, [&](std::size_t begin, std::size_t end) {
                    add_rows_(rows.row(static_cast<int>(begin), 0), static_cast<int>(end - begin),
                              sigma.data() + begin * K_ * K_);
                });
            } else {
                through_.write_to(sigma.data());
                network_.layer_gradients(weights, identity, K_, workspace, through_, lowest);
            }
            for (int i = 0; i < m; ++i) {   // both triangles
                double* s = sigma.data() + static_cast<std::size_t>(i) * K_ * K_;
                for (int k = 0; k < K_; ++k)
                    for (int l = 0; l < k; ++l)
                        s[l * K_ + k] = s[k * K_ + l];
            }
            done(first, m, outputs, std::span<const double>(sigma.data(), next * K_));
        }
        return true;
    }
    int K() const { return K_; }

private:
    std::size_t n_uncertain() const { return posterior_.layout().size() - posterior_.first_uncertain_weight(); }

    // Computes J Σ Jᵀ for each form of Σ: through the layers, or from the rows of J.
    void take(const NoCovariance&)
    {
        throw Error("The logits cannot be linearised: this posterior has no noise in its weights, "
                    "expected a mean field, a Laplace approximation or another Gaussian.");
    }
    void take(const IndependentCovariance& form)
    {
        const ParameterLayout& layout = posterior_.layout();
        for (int l = 0; l < layout.n_layers(); ++l)
            if (layout.layer(l).weights.begin >= posterior_.first_uncertain_weight())
                through_.of(l).push_back(independent_noise<T>(layout, l, form.variances));
    }
    void take(const KroneckerCovariance& form)
    {
        for (std::size_t f = 0; f < form.factors.size(); ++f)
            through_.of(form.factors[f].layer).push_back(kronecker_noise<T>(form.factors[f], form.variances[f]));
    }
    void take(const NeighbourCovariances& form)
    {
        together_ = 1;
        for (std::size_t b = 0; b < form.blocks.size(); ++b) {
            const auto &d = form.blocks[b].diagonal, &c = form.blocks[b].off_diagonal;
            neighbours_.push_back({posterior_.layout().blocks[b].begin, {d.begin(), d.end()}, {c.begin(), c.end()}});
        }
        add_rows_ = [this](const T* J, int n, double* sigma) {
            const std::size_t P = posterior_.layout().size(), K = static_cast<std::size_t>(K_);
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
                add_neighbours(J + i * K * P, P, neighbours_, K_, sigma + i * K * K);
        };
    }
    void take(const LowRankCovariance& form)
    {
        add_rows_ = [this, &form](const T* J, int n, double* sigma) {
            add_low_rank(J, n, K_, static_cast<int>(n_uncertain()), form, sigma);
        };
    }
    void take(const SampleCovariance& form)
    {
        const std::size_t P = posterior_.layout().size();
        deviations_.resize(form.draws.size());
        for (std::size_t i = 0; i < deviations_.size(); ++i)
            deviations_[i] = static_cast<T>(form.draws[i]) - static_cast<T>(form.mean[i % P]);
        add_rows_ = [this, P](const T* J, int n, double* sigma) {
            add_samples(J, n, K_, static_cast<int>(P), deviations_, sigma);
        };
    }

    Network<T> network_;
    const BasicPosterior<T>& posterior_;
    int K_, batch_ = 1;
    std::size_t together_ = 16;   // inputs per call of add_rows_
    Covariance covariance_;
    NoiseThroughLayers<T> through_;
    std::vector<NeighbourNoise<T>> neighbours_;
    std::vector<T> deviations_;                                        // of draws: w_s − w̄ [M × weights]
    std::function<void(const T* J, int n, double* sigma)> add_rows_;   // empty: through the layers
};

}   // namespace

template <class T>
LinearisedOutputs<T> linearised_outputs(const Model& model, const BasicPosterior<T>& posterior,
                                        std::span<const T> inputs, int n, std::stop_token stop)
{
    Linearisation<T> linearisation(model, posterior);
    LinearisedOutputs<T> result{n, linearisation.K(), {}, {}};
    const bool whole = linearisation.run(inputs, n, stop,
                                         [&](int, int, std::span<const T> mu, std::span<const double> sigma) {
        result.mu.insert(result.mu.end(), mu.begin(), mu.end());
        result.covariance.insert(result.covariance.end(), sigma.begin(), sigma.end());
    });
    return whole ? result : LinearisedOutputs<T>{};
}

template LinearisedOutputs<float> linearised_outputs(const Model&, const Posterior&, std::span<const float>, int,
                                                     std::stop_token);
template LinearisedOutputs<double> linearised_outputs(const Model&, const BasicPosterior<double>&,
                                                      std::span<const double>, int, std::stop_token);

std::vector<LogitGaussian> linearised_logits(const Model& model, const Posterior& posterior,
                                             std::span<const float> inputs, int n, std::stop_token stop)
{
    const auto K = static_cast<std::size_t>(model.architecture.outputs());
    if (K < 2)
        throw Error("The logits cannot be linearised: the network has 1 output, expected at least 2.");
    Linearisation<float> linearisation(model, posterior);
    std::vector<LogitGaussian> logits;
    const bool whole = linearisation.run(inputs, n, stop,
                                         [&](int, int m, std::span<const float> mu, std::span<const double> sigma) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) {
            const auto mean       = mu.subspan(i * K, K);
            const auto covariance = sigma.subspan(i * K * K, K * K);
            logits.push_back(
                LogitGaussian::from_covariance({mean.begin(), mean.end()}, {covariance.begin(), covariance.end()}));
        }
    });
    if (!whole)
        return {};
    return logits;
}

LogitMoments linearised_moments(const Model& model, const Posterior& posterior, std::span<const float> inputs, int n,
                                std::stop_token stop)
{
    Linearisation<float> linearisation(model, posterior);
    const int K = linearisation.K();
    LogitMoments moments{n, K, {}, {}, {}};
    const bool whole = linearisation.run(
        inputs, n, stop, [&](int /*first*/, int m, std::span<const float> mu, std::span<const double> sigma) {
            moments.mu.insert(moments.mu.end(), mu.begin(), mu.end());
            for (int i = 0; i < m; ++i)
                for (int k = 0; k < K; ++k) {
                    const double* row = sigma.data() + (static_cast<std::size_t>(i) * K + k) * K;
                    double sum        = 0;
                    for (int l = 0; l < K; ++l)
                        sum += row[l];
                    moments.variance.push_back(static_cast<float>(row[k]));
                    moments.row_sum.push_back(static_cast<float>(sum));
                }
        });
    if (!whole)
        return {};
    return moments;
}

}   // namespace credence
