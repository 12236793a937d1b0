// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/fit_curvature.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/curvature_sums.h"
#include "laplace/second_derivatives.h"
#include "laplace/symmetric_eigen.h"
#include "network/likelihood.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace credence {
namespace {

/// Reports progress to the caller at a limited rate.
class ShareReporter {
public:
    ShareReporter(std::stop_token stop, const CurvatureProgress& progress) : stop_(std::move(stop)), progress_(progress)
    {}
    const std::stop_token& token() const { return stop_; }
    bool stopped() const { return stop_.stop_requested(); }
    void at(double share)
    {
        const auto now = std::chrono::steady_clock::now();
        if (!progress_ || (share < 1 && now - last_ < std::chrono::milliseconds(50)))
            return;
        last_              = now;
        const double spent = std::chrono::duration<double>(now - begin_).count();
        progress_(share, share > 0.02 || spent > 1 ? std::optional(spent * (1 - share) / std::max(share, 1e-9))
                                                   : std::nullopt);
    }

private:
    std::stop_token stop_;
    const CurvatureProgress& progress_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

void require_finite(double nll)
{
    if (!std::isfinite(nll))
        throw Error(
            "The curvature cannot be computed: the network's outputs for the training data are not finite numbers.");
}

// Gradients of the widest layer, all columns: a few megabytes.
constexpr double numbers_of_a_batch = 2e6;
constexpr int most_examples         = 512;

int batch_size(const Architecture& architecture, int columns, double limit = numbers_of_a_batch)
{
    double widest                        = architecture.inputs;
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    if (const std::size_t front = layers_that_see_images(architecture);
        front > 0)   // their output is as wide as the dense layers' inputs
        widest = std::max(architecture.outputs(), shapes[front - 1].size());
    for (std::size_t l = 0; l < shapes.size(); ++l)
        if (std::holds_alternative<Dense>(architecture.layers[l]))
            widest = std::max<double>(widest, shapes[l].size());
    const int n = static_cast<int>(std::clamp(limit / (widest * columns), 1.0, static_cast<double>(most_examples)));
    return n > 16 ? n / 16 * 16 : n;
}

template <class T>
struct Problem {
    const Model& model;
    std::span<const T> map, inputs;
    Targets targets;
    long n;
    CurvatureOptions options;
};

/// Accumulates all data in `sums`, batch by batch, and adds the negative log-likelihood to nll.
/// Returns false if stopped.
/// @param share  share of this pass in the whole computation
template <class T>
bool pass_over_data(const Problem<T>& p, const Network<T>& network, int batch, CurvatureSums<T>& sums, double& nll,
                    ShareReporter& reporter, double share, function_ref<void(long first, int n)> after_batch)
{
    const int k = p.model.architecture.outputs(), d = p.model.architecture.inputs,
              columns = p.model.likelihood->curvature_columns(k);
    typename Network<T>::Workspace workspace(network, batch);
    aligned_vector<T> roots(static_cast<std::size_t>(columns) * batch * k);
    for (long first = 0; first < p.n; first += batch) {
        if (reporter.stopped())
            return false;
        const int n        = static_cast<int>(std::min<long>(batch, p.n - first));
        const auto outputs = network.forward(p.map, p.inputs.data() + first * d, n, workspace);
        Targets part;
        if (!p.targets.labels.empty())
            part.labels = p.targets.labels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
        if (!p.targets.values.empty())
            part.values = p.targets.values.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
        nll += negative_log_likelihood<T>(p.model.likelihood, outputs, n, k, part, {}, T(1));
        require_finite(nll);
        const std::span<T> column(roots.data(), static_cast<std::size_t>(columns) * n * k);
        output_curvature_roots<T>(p.model.likelihood, outputs, n, k, column);
        sums.begin_batch(n);
        network.layer_gradients(p.map, column, columns, workspace, sums,
                                first_layer_of(network.layout(), p.options.layers));
        sums.end_batch(n);
        after_batch(first, n);
        reporter.at(share * static_cast<double>(first + n) / static_cast<double>(p.n));
    }
    return true;
}

KroneckerFactor decomposed(const ParameterLayout& layout, const typename KroneckerSums<double>::Factors& f,
                           const SymmetricEigen& b, bool with_weights, bool with_bias)
{
    KroneckerFactor factor;
    factor.layer     = f.layer;
    factor.out       = f.out;
    factor.in        = (with_weights ? f.in : 0) + (with_bias ? 1 : 0);
    factor.n_weights = with_weights ? f.in : 0;
    factor.has_bias  = with_bias;
    factor.weights   = layout.layer(f.layer).weights.begin;
    factor.biases    = layout.layer(f.layer).biases.begin;
    factor.b_values  = b.values;
    factor.b_vectors = b.vectors;
    std::vector<double> a;
    const int first = with_weights ? 0 : f.in, all = f.in + 1;
    for (int i = first; i < first + factor.in; ++i)
        for (int j = first; j < first + factor.in; ++j)
            a.push_back(f.a[static_cast<std::size_t>(i) * all + j]);
    const SymmetricEigen eigen = positive_eigen(a, factor.in);
    factor.a_values            = eigen.values;
    factor.a_vectors           = eigen.vectors;
    return factor;
}

/// Decomposes the matrices in parallel, one task per matrix. Returns false if stopped.
bool decompose(const ParameterLayout& layout, const std::vector<typename KroneckerSums<double>::Factors>& factors,
               KroneckerForm form, CurvatureData& data, ShareReporter& reporter)
{
    const std::size_t per_layer = form == KroneckerForm::split ? 2 : 1;
    std::vector<KroneckerFactor> made(factors.size() * per_layer);
    parallel_for(factors.size(), [&](std::size_t k) {
        if (reporter.stopped())
            return;
        const SymmetricEigen b = positive_eigen(factors[k].b, factors[k].out);
        if (form == KroneckerForm::split) {
            made[2 * k]     = decomposed(layout, factors[k], b, true, false);
            made[2 * k + 1] = decomposed(layout, factors[k], b, false, true);
        } else {
            made[k] = decomposed(layout, factors[k], b, true, true);
        }
    });
    data.kronecker = std::move(made);
    return !reporter.stopped();
}

void set_eigenvectors(CurvatureData& data, SymmetricEigen eigen)
{
    data.eigenvalues = std::move(eigen.values);
    data.eigenvectors_float.assign(eigen.vectors.begin(), eigen.vectors.end());
    data.eigenvectors = std::move(eigen.vectors);
}

constexpr double share_of_sums = 0.9;   // of the work, if eigenvalues are computed next
// GGN eigenvalues below this fraction of the largest are rounding error.
constexpr double smallest_relative = 1e-9;

/// For few weights: the GGN itself [covered²].
bool fill_from_weights(const Problem<double>& p, const Network<double>& network, CurvatureData& data,
                       ShareReporter& reporter)
{
    const int columns         = p.model.likelihood->curvature_columns(p.model.architecture.outputs());
    const std::size_t covered = data.covered();
    JacobianRows<double> rows(network.layout(), data.first_weight, columns);
    std::vector<double> ggn(covered * covered), product(ggn.size());
    const int batch  = std::min(batch_size(p.model.architecture, columns),
                                batch_size(p.model.architecture, columns * static_cast<int>(covered), 4e8));
    const bool whole = pass_over_data<double>(p, network, std::max(1, batch), rows, data.nll, reporter, 0.5,
                                              [&](long, int n) {
        product_weight_gradient<double>(rows.rows().data(), rows.rows().data(), product.data(), n * columns,
                                        static_cast<int>(covered), static_cast<int>(covered));
        parallel_chunks(ggn.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                ggn[i] += product[i];
        });
    });
    if (!whole)
        return false;
    set_eigenvectors(data, positive_eigen(ggn, static_cast<int>(covered)));
    return !reporter.stopped();
}

/// For few training points: with G [r × covered] the rows of all Jacobians, GGN = Gᵀ G has the
/// eigenvalues of G Gᵀ = V e Vᵀ and the eigenvectors e^{-1/2} Vᵀ G.
bool fill_from_data(const Problem<double>& p, const Network<double>& network, CurvatureData& data,
                    ShareReporter& reporter)
{
    const int columns         = p.model.likelihood->curvature_columns(p.model.architecture.outputs());
    const std::size_t covered = data.covered(), r = static_cast<std::size_t>(p.n) * columns;
    JacobianRows<double> rows(network.layout(), data.first_weight, columns);
    std::vector<float> all(r * covered);
    const int batch = static_cast<int>(
        std::clamp<double>(4e6 / (static_cast<double>(columns) * static_cast<double>(covered)), 1, most_examples));
    const bool whole = pass_over_data<double>(p, network, batch, rows, data.nll, reporter, 0.4, [&](long first, int n) {
        const std::size_t begin = static_cast<std::size_t>(first) * columns * covered;
        parallel_chunks(static_cast<std::size_t>(n) * columns * covered, elementwise_chunk,
                        [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                all[begin + i] = static_cast<float>(rows.rows()[i]);
        });
    });
    if (!whole)
        return false;
    std::vector<double> gram(r * r), product(r * r), panel;
    constexpr std::size_t panel_width = 1024;
    for (std::size_t begin = 0; begin < covered; begin += panel_width) {
        if (reporter.stopped())
            return false;
        const std::size_t width = std::min(panel_width, covered - begin);
        panel.resize(r * width);
        parallel_for(r, [&](std::size_t i) {
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(i * covered + begin), width,
                        panel.begin() + static_cast<std::ptrdiff_t>(i * width));
        });
        product_forward<double>(panel.data(), panel.data(), product.data(), static_cast<int>(r),
                                static_cast<int>(width), static_cast<int>(r));
        parallel_chunks(gram.size(), elementwise_chunk, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                gram[i] += product[i];
        });
        reporter.at(0.4 + 0.2 * static_cast<double>(begin + width) / static_cast<double>(covered));
    }
    const SymmetricEigen eigen = positive_eigen(gram, static_cast<int>(r));
    if (reporter.stopped())
        return false;
    reporter.at(0.9);
    std::size_t first = 0;
    while (first < r && !(eigen.values[first] > smallest_relative * eigen.values.back()))
        ++first;
    std::vector<float> scaled;   // [kept × r]
    for (std::size_t i = first; i < r; ++i) {
        data.eigenvalues.push_back(eigen.values[i]);
        const double scale = 1 / std::sqrt(eigen.values[i]);
        for (std::size_t j = 0; j < r; ++j)
            scaled.push_back(static_cast<float>(eigen.vectors[i * r + j] * scale));
    }
    data.eigenvectors_float.resize(data.eigenvalues.size() * covered);
    if (!data.eigenvalues.empty())
        product_input_gradient<float>(scaled.data(), all.data(), data.eigenvectors_float.data(),
                                      static_cast<int>(data.eigenvalues.size()), static_cast<int>(covered),
                                      static_cast<int>(r), [](TileRange) {});
    return true;
}

bool fill_hessian(const Problem<double>& p, CurvatureData& data, ShareReporter& reporter)
{
    const bool whole = p.options.structure == CurvatureStructure::full;
    auto hessian = exact_hessian(p.model, p.map, p.inputs, p.targets, p.n, data.first_weight, whole, reporter.token(),
                                 [&](double share) { reporter.at((whole ? 0.6 : 1.0) * share); });
    if (!hessian)
        return false;
    data.nll = hessian->nll;
    require_finite(data.nll);
    if (whole)
        set_eigenvectors(data, symmetric_eigen(hessian->values, static_cast<int>(data.covered())));
    else
        data.diagonal = std::move(hessian->values);
    return !reporter.stopped();
}

/// Only the directions of largest curvature, by products with the curvature.
bool fill_largest(const Problem<double>& p, CurvatureData& data, ShareReporter& reporter)
{
    CurvatureProducts products(p.model, p.map, p.inputs, p.targets, p.n, first_layer_of(data.layout, p.options.layers),
                               differs_from_ggn(p.model, p.options) ? CurvatureKind::hessian : CurvatureKind::ggn);
    data.nll = products.nll();
    require_finite(data.nll);
    auto eigen = largest_eigenpairs(
        data.covered(), p.options.rank,
        [&](std::span<const double> v, std::span<double> product) { products(v, product, reporter.token()); },
        reporter.token(), [&](double share) { reporter.at(share); });
    if (!eigen)
        return false;
    set_eigenvectors(data, std::move(*eigen));
    if (data.covered() > most_eigenvectors)
        data.eigenvectors = {};   // in float only, as in fill_from_data
    return true;
}

bool fill_in_double(const Problem<double>& p, CurvatureData& data, ShareReporter& reporter)
{
    if (keeps_largest(p.options, data.covered()))
        return fill_largest(p, data, reporter);
    if (differs_from_ggn(p.model, p.options))
        return fill_hessian(p, data, reporter);
    const Network<double> network(p.model.architecture);
    return data.covered() <= most_eigenvectors ? fill_from_weights(p, network, data, reporter)
                                               : fill_from_data(p, network, data, reporter);
}

}   // namespace

template <class T>
std::shared_ptr<const Curvature> curvature_of(const Model& model, std::span<const T> map, std::span<const T> inputs,
                                              const Targets& targets, long n, const CurvatureOptions& options,
                                              std::stop_token stop, const CurvatureProgress& progress)
{
    if (n < 1)
        throw Error("The curvature needs training data: 0 examples found, expected at least 1.");
    if (const auto refusal = refusal_of_curvature(model, n, options))
        throw Error(*refusal);
    ShareReporter reporter(std::move(stop), progress);
    CurvatureData data;
    data.options      = options;
    data.layout       = layout_of(model.architecture);
    data.first_weight = first_weight_of(data.layout, options.layers);
    data.map.assign(map.begin(), map.end());
    data.n_data = n;
    assert(map.size() == data.layout.size());
    reporter.at(0);
    bool whole = false;
    if (options.structure == CurvatureStructure::full || differs_from_ggn(model, options)) {
        if constexpr (std::is_same_v<T, double>) {
            whole = fill_in_double({model, map, inputs, targets, n, options}, data, reporter);
        } else {
            const std::vector<double> wide(inputs.begin(), inputs.end());
            whole = fill_in_double({model, data.map, wide, targets, n, options}, data, reporter);
        }
    } else {
        const Network<T> network(model.architecture);
        const Problem<T> problem{model, map, inputs, targets, n, options};
        const int batch    = static_cast<int>(std::min<long>(
            n, batch_size(model.architecture, model.likelihood->curvature_columns(model.architecture.outputs()))));
        const auto nothing = [](long, int) {};
        if (options.structure == CurvatureStructure::diagonal) {
            DiagonalSums<T> sums(data.layout, data.first_weight);
            whole         = pass_over_data<T>(problem, network, batch, sums, data.nll, reporter, 1, nothing);
            data.diagonal = sums.diagonal();
        } else {
            std::vector<typename KroneckerSums<double>::Factors> factors;
            {
                KroneckerSums<T> sums(model.architecture, data.layout, first_layer_of(data.layout, options.layers));
                whole = pass_over_data<T>(problem, network, batch, sums, data.nll, reporter, share_of_sums, nothing);
                if (whole)
                    for (auto& f : sums.factors())
                        factors.push_back({f.layer, f.in, f.out, std::move(f.a), std::move(f.b)});
            }
            whole = whole && decompose(data.layout, factors, options.form, data, reporter);
        }
    }
    if (!whole)
        return nullptr;
    auto curvature = std::make_shared<const Curvature>(std::move(data));
    reporter.at(1);
    return curvature;
}

template std::shared_ptr<const Curvature> curvature_of(const Model&, std::span<const float>, std::span<const float>,
                                                       const Targets&, long, const CurvatureOptions&, std::stop_token,
                                                       const CurvatureProgress&);
template std::shared_ptr<const Curvature> curvature_of(const Model&, std::span<const double>, std::span<const double>,
                                                       const Targets&, long, const CurvatureOptions&, std::stop_token,
                                                       const CurvatureProgress&);

std::shared_ptr<const Curvature> fit_curvature(const Model& model, std::span<const float> map, const SplitData& data,
                                               const CurvatureOptions& options, std::stop_token stop,
                                               const CurvatureProgress& progress)
{
    return curvature_of<float>(model, map, data.training_inputs, Targets{data.training.labels, data.training_targets},
                               static_cast<long>(data.training.n_rows), options, std::move(stop), progress);
}

}   // namespace credence
