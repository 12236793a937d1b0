// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/curvature_products.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/dense_hessian.h"
#include "laplace/output_curvature.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {
namespace {

using ProductMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstProduct  = Eigen::Map<const ProductMatrix>;

constexpr int examples_of_a_product = 64;    // per task, or per forward pass of a Network
constexpr std::size_t side_by_side  = 8;     // tasks with separate sums
constexpr int examples_of_a_network = 256;   // Network runs its own threads

/// A dense layer or an activation, evaluated on some examples.
struct DenseStep {
    const Dense* dense  = nullptr;
    std::size_t weights = 0;   // index of its first weight
    std::size_t biases  = 0;
    ProductMatrix x     = {};   // input
    ProductMatrix moved = {};   // derivative of the input along v
    ProductMatrix slope = {};   // f' and f'' of an activation
    ProductMatrix bend  = {};
    ActivationKind kind = ActivationKind::identity;
};

std::vector<DenseStep> steps_of(const Architecture& architecture)
{
    const ParameterLayout layout = layout_of(architecture);
    std::vector<DenseStep> steps;
    int dense_layer = 0;
    for (const Layer& layer : architecture.layers) {
        DenseStep step;
        if (const auto* dense = std::get_if<Dense>(&layer)) {
            step.dense                   = dense;
            const auto [weights, biases] = layout.layer(dense_layer++);
            step.weights                 = weights.begin;
            step.biases                  = biases.begin;
        } else if (const auto* activation = std::get_if<Activation>(&layer)) {
            step.kind = activation->kind;
        } else {
            continue;   // other layers are the identity in the mean network
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

}   // namespace

CurvatureProducts::CurvatureProducts(const Model& model, std::span<const double> weights,
                                     std::span<const double> inputs, const Targets& targets, long n, int first_layer,
                                     CurvatureKind kind)
    : model_(model), weights_(weights), inputs_(inputs), targets_(targets), n_(n), first_layer_(first_layer),
      kind_(kind), network_(model.architecture),
      workspace_(network_, static_cast<int>(std::min<long>(n, examples_of_a_network))),
      first_weight_(network_.layout().layer(first_layer).weights.begin), along_(weights.size()),
      gradient_(weights.size())
{
    if (kind == CurvatureKind::hessian)
        if (const auto refusal = refusal_of_dense_hessian(model.architecture))
            throw Error(*refusal);
    fix_product_blocking();
}

Targets CurvatureProducts::targets_of(long first, int n) const
{
    Targets part;
    if (!targets_.labels.empty())
        part.labels = targets_.labels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    if (!targets_.values.empty())
        part.values = targets_.values.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    return part;
}

double CurvatureProducts::nll()
{
    double sum = 0;
    for (long first = 0; first < n_; first += examples_of_a_network) {
        const int n        = static_cast<int>(std::min<long>(examples_of_a_network, n_ - first));
        const auto outputs = network_.forward(weights_, inputs_.data() + first * model_.architecture.inputs, n,
                                              workspace_);
        sum += negative_log_likelihood<double>(model_.likelihood, outputs, n, model_.architecture.outputs(),
                                               targets_of(first, n), {}, 1.0);
    }
    return sum;
}

void CurvatureProducts::operator()(std::span<const double> v, std::span<double> product, const std::stop_token& stop)
{
    std::copy(v.begin(), v.end(), along_.begin() + static_cast<std::ptrdiff_t>(first_weight_));
    std::fill(product.begin(), product.end(), 0.0);
    if (kind_ == CurvatureKind::ggn) {
        for (long first = 0; first < n_ && !stop.stop_requested(); first += examples_of_a_network)
            add_ggn(first, static_cast<int>(std::min<long>(examples_of_a_network, n_ - first)), product.data());
        return;
    }
    std::vector<double> sums(side_by_side * weights_.size());
    const auto of_all_tasks = static_cast<long>(side_by_side) * examples_of_a_product;
    for (long first = 0; first < n_ && !stop.stop_requested(); first += of_all_tasks) {
        const auto tasks = static_cast<std::size_t>((std::min(of_all_tasks, n_ - first) + examples_of_a_product - 1)
                                                    / examples_of_a_product);
        std::fill(sums.begin(), sums.end(), 0.0);
        parallel_for(tasks, [&](std::size_t t) {
            const long begin = first + static_cast<long>(t) * examples_of_a_product;
            add_hessian(begin, static_cast<int>(std::min<long>(examples_of_a_product, n_ - begin)),
                        sums.data() + t * weights_.size());
        });
        for (std::size_t t = 0; t < tasks; ++t)   // in the order of the examples
            for (std::size_t i = 0; i < product.size(); ++i)
                product[i] += sums[t * weights_.size() + first_weight_ + i];
    }
}

void CurvatureProducts::add_ggn(long first, int n, double* sum)
{
    const int k = model_.architecture.outputs(), columns = curvature_columns(model_.likelihood, k);
    const auto outputs = network_.forward(weights_, inputs_.data() + first * model_.architecture.inputs, n, workspace_);
    std::vector<double> roots(static_cast<std::size_t>(columns) * n * k), back(static_cast<std::size_t>(n) * k);
    output_curvature_roots<double>(model_.likelihood, outputs, n, k, roots);
    const std::span<const double> direction(along_);
    const auto moved = network_.tangents(weights_, {&direction, 1}, workspace_, first_layer_);
    for (int c = 0; c < columns; ++c)
        for (int i = 0; i < n; ++i) {
            const double* root = roots.data() + (static_cast<std::size_t>(c) * n + i) * k;
            double part        = 0;
            for (int j = 0; j < k; ++j)
                part += root[j] * moved[static_cast<std::size_t>(i) * k + j];
            for (int j = 0; j < k; ++j)
                back[static_cast<std::size_t>(i) * k + j] += part * root[j];
        }
    network_.backward(weights_, back, workspace_, gradient_);
    for (std::size_t i = 0; i < covered(); ++i)
        sum[i] += gradient_[first_weight_ + i];
}

/// @param sum  [weights]
void CurvatureProducts::add_hessian(long first, int n, double* sum) const
{
    std::vector<DenseStep> steps = steps_of(model_.architecture);
    const int d = model_.architecture.inputs, k = model_.architecture.outputs();
    ProductMatrix value = ConstProduct(inputs_.data() + first * d, n, d), moved = ProductMatrix::Zero(n, d);
    for (DenseStep& s : steps) {   // forward: values and their derivatives along v
        s.x.swap(value);
        s.moved.swap(moved);
        const auto in = s.x.cols();
        if (s.dense) {
            const ConstProduct w(weights_.data() + s.weights, s.dense->units, in),
                v(along_.data() + s.weights, s.dense->units, in);
            value = s.x * w.transpose();
            value.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(weights_.data() + s.biases, s.dense->units);
            moved = s.moved * w.transpose() + s.x * v.transpose();
            moved.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(along_.data() + s.biases, s.dense->units);
        } else {
            value           = s.x;
            const auto size = static_cast<std::size_t>(value.size());
            activate(s.kind, value.data(), size);
            s.slope = ProductMatrix::Ones(n, in);
            multiply_by_derivative(s.kind, value.data(), s.slope.data(), size);
            s.bend = value.unaryExpr([&](double y) { return second_derivative(s.kind, y); });
            moved  = s.moved.cwiseProduct(s.slope);
        }
    }
    ProductMatrix gradient(n, k), back(n, k), hessian(k, k);
    const Targets targets = targets_of(first, n);
    const std::span<const double> outputs(value.data(), static_cast<std::size_t>(value.size()));
    negative_log_likelihood<double>(model_.likelihood, outputs, n, k, targets,
                                    {gradient.data(), static_cast<std::size_t>(gradient.size())}, 1.0);
    for (int i = 0; i < n; ++i) {
        output_hessian(model_.likelihood, outputs.subspan(static_cast<std::size_t>(i) * k, static_cast<std::size_t>(k)),
                       targets.values.empty() ? 0.0 : static_cast<double>(targets.values[static_cast<std::size_t>(i)]),
                       {hessian.data(), static_cast<std::size_t>(k) * k});
        back.row(i) = moved.row(i) * hessian;
    }
    // backward: gradients and their derivatives along v
    for (std::size_t at = steps.size(); at-- > 0;) {
        const DenseStep& s = steps[at];
        const auto in      = s.x.cols();
        if (!s.dense) {
            back     = (back.cwiseProduct(s.slope) + gradient.cwiseProduct(s.bend).cwiseProduct(s.moved)).eval();
            gradient = gradient.cwiseProduct(s.slope).eval();
            continue;
        }
        Eigen::Map<ProductMatrix>(sum + s.weights, s.dense->units, in) += back.transpose() * s.x
                                                                          + gradient.transpose() * s.moved;
        Eigen::Map<Eigen::RowVectorXd>(sum + s.biases, s.dense->units) += back.colwise().sum();
        const ConstProduct w(weights_.data() + s.weights, s.dense->units, in),
            v(along_.data() + s.weights, s.dense->units, in);
        back     = (back * w + gradient * v).eval();
        gradient = (gradient * w).eval();
    }
}

}   // namespace credence
