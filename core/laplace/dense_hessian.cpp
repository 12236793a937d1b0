// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/dense_hessian.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/output_curvature.h"
#include "network/network.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Map    = Eigen::Map<const Matrix>;

/// One step of the network: x Wᵀ + b, or f(x).
struct Operation {
    bool dense          = false;
    std::size_t weights = 0, biases = 0;
    int in = 0, out = 0;
    ActivationKind activation = ActivationKind::identity;
    Matrix x = {}, slope = {}, bend = {};   // input; f', f'' of an activation
    Matrix above = {};                      // dL/d output
};

constexpr std::size_t at_once = 16;   // simultaneous Hessian–vector products

}   // namespace

std::optional<std::string> refusal_of_dense_hessian(const Architecture& architecture)
{
    if (layers_that_see_images(architecture) > 0)
        return "The exact Hessian is made for dense layers alone, and this net has convolutions or pooling: choose the GGN.";
    const auto unknown = std::find_if_not(architecture.layers.begin(), architecture.layers.end(), in_exact_hessian);
    if (unknown == architecture.layers.end())
        return std::nullopt;
    return "The exact Hessian does not know the layer '" + text_of(*unknown) + "': choose the GGN.";
}

std::optional<std::string> refusal_of_hessian_bytes(const Architecture& architecture, std::size_t n,
                                                    std::size_t first_weight, bool whole)
{
    const auto weights  = static_cast<double>(layout_of(architecture).size() - first_weight),
               examples = static_cast<double>(n);
    // Per example.
    double width = architecture.inputs, numbers_of_net = width, numbers_of_product = 0, widest = width;
    for (const Layer& layer : architecture.layers) {
        const auto* dense = std::get_if<Dense>(&layer);
        if (!dense && !std::get_if<Activation>(&layer))
            continue;
        const double in = width;
        width           = dense ? dense->units : width;
        // x and above; slope and bend of an activation
        numbers_of_net += in + (dense ? 1 : 3) * width;
        numbers_of_product += in;
        widest = std::max(widest, width);
    }
    const double k       = architecture.outputs();
    const double numbers = examples
                               * (numbers_of_net + k * k
                                  + static_cast<double>(at_once) * (numbers_of_product + 3 * widest))
                           + weights * ((whole ? weights : 1) + static_cast<double>(whole ? at_once : 0));
    const double bytes = sizeof(double) * numbers;
    if (bytes <= most_hessian_bytes)
        return std::nullopt;
    return "Exact Hessian: " + std::to_string(n) + " training examples and "
           + std::to_string(static_cast<std::size_t>(weights)) + " weights need " + number_text(bytes / 1e9, 3)
           + " GB of memory, expected at most " + number_text(most_hessian_bytes / 1e9, 3)
           + " GB: choose the GGN or fewer training examples.";
}

std::vector<double> dense_hessian(const Model& model, std::span<const double> weights, std::span<const double> inputs,
                                  const Targets& targets, int n, std::size_t first_weight, bool whole,
                                  const std::stop_token& stop, const std::function<void(double)>& advanced)
{
    if (const auto refusal = refusal_of_dense_hessian(model.architecture))
        throw Error(*refusal);
    if (const auto refusal = refusal_of_hessian_bytes(model.architecture, static_cast<std::size_t>(n), first_weight,
                                                      whole))
        throw Error(*refusal);
    fix_product_blocking();
    const ParameterLayout layout = layout_of(model.architecture);
    std::vector<Operation> stages;
    int layer_with_weights = 0;
    int width              = model.architecture.inputs;
    for (const Layer& layer : model.architecture.layers) {
        if (const auto* dense = std::get_if<Dense>(&layer)) {
            const auto blocks = layout.layer(layer_with_weights++);
            stages.push_back({.dense   = true,
                              .weights = blocks.weights.begin,
                              .biases  = blocks.biases.begin,
                              .in      = width,
                              .out     = dense->units});
            width = dense->units;
        } else if (const auto* activation = std::get_if<Activation>(&layer)) {
            stages.push_back({.in = width, .out = width, .activation = activation->kind});
        }   // other layers are the identity in the mean network
    }
    const int k = model.architecture.outputs();
    // One forward pass, and one backward pass for dL/ds.
    Matrix value = Map(inputs.data(), n, model.architecture.inputs);
    for (Operation& s : stages) {
        s.x = value;
        if (s.dense) {
            value = s.x * Map(weights.data() + s.weights, s.out, s.in).transpose();
            value.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(weights.data() + s.biases, s.out);
        } else {
            activate(s.activation, value.data(), static_cast<std::size_t>(value.size()));
            s.slope = Matrix::Ones(n, s.out);
            multiply_by_derivative(s.activation, value.data(), s.slope.data(), static_cast<std::size_t>(value.size()));
            s.bend = value.unaryExpr([&](double y) { return second_derivative(s.activation, y); });
        }
    }
    Matrix gradient(n, k);
    negative_log_likelihood<double>(model.likelihood, {value.data(), static_cast<std::size_t>(value.size())}, n, k,
                                    targets, {gradient.data(), static_cast<std::size_t>(gradient.size())}, 1.0);
    std::vector<double> output_hessians(static_cast<std::size_t>(n) * k * k);
    for (int i = 0; i < n; ++i)
        output_hessian(model.likelihood, {value.data() + std::ptrdiff_t{i} * k, static_cast<std::size_t>(k)},
                       targets.values.empty() ? 0.0 : targets.values[i],
                       {output_hessians.data() + static_cast<std::size_t>(i) * k * k, static_cast<std::size_t>(k) * k});
    for (std::size_t s = stages.size(); s-- > 0;) {
        stages[s].above = gradient;
        if (stages[s].dense)
            gradient = (gradient * Map(weights.data() + stages[s].weights, stages[s].out, stages[s].in)).eval();
        else
            gradient = (gradient.array() * stages[s].slope.array()).matrix().eval();
    }

    // H e_p for every covered weight p. R(·) is the derivative along e_p.
    const std::size_t covered = layout.size() - first_weight;
    std::vector<double> result(whole ? covered * covered : covered);
    for (std::size_t begin = 0; begin < covered && !stop.stop_requested(); begin += at_once) {
        const std::size_t end = std::min(covered, begin + at_once);
        parallel_for(end - begin, [&](std::size_t offset) {
            if (stop.stop_requested())
                return;
            const std::size_t p = first_weight + begin + offset;
            std::size_t start   = 0;   // stage of weight p
            while (!(stages[start].dense && p >= stages[start].weights
                     && p < stages[start].biases + static_cast<std::size_t>(stages[start].out)))
                ++start;
            const bool is_bias = p >= stages[start].biases;
            const auto place   = static_cast<int>(p - (is_bias ? stages[start].biases : stages[start].weights));
            const int unit     = is_bias ? place : place / stages[start].in,
                      input    = is_bias ? -1 : place % stages[start].in;
            // R of each stage's input; empty below `start`, where it is 0.
            std::vector<Matrix> r_x(stages.size());
            Matrix r;
            for (std::size_t s = start; s < stages.size(); ++s) {
                const Operation& stage = stages[s];
                if (s == start) {
                    r = Matrix::Zero(n, stage.out);
                    if (is_bias)
                        r.col(unit).setOnes();
                    else
                        r.col(unit) = stage.x.col(input);
                } else {
                    r_x[s] = r;
                    if (stage.dense)
                        r = (r_x[s] * Map(weights.data() + stage.weights, stage.out, stage.in).transpose()).eval();
                    else
                        r.array() *= stage.slope.array();
                }
            }
            Matrix r_above(n, k);   // R(dL/dy) at the outputs
            for (int i = 0; i < n; ++i)
                r_above.row(i) = r.row(i) * Map(output_hessians.data() + static_cast<std::size_t>(i) * k * k, k, k);
            const auto write = [&](std::size_t q, double v) {
                if (q < first_weight)
                    return;
                if (whole)
                    result[(p - first_weight) * covered + q - first_weight] = v;
                else if (q == p)
                    result[p - first_weight] = v;
            };
            for (std::size_t s = stages.size(); s-- > 0;) {
                const Operation& stage = stages[s];
                if (!stage.dense) {
                    r_above.array() *= stage.slope.array();
                    if (r_x[s].size() > 0)
                        r_above.array() += stage.above.array() * stage.bend.array() * r_x[s].array();
                    continue;
                }
                if (stage.biases + static_cast<std::size_t>(stage.out) <= first_weight)
                    break;
                if (whole) {
                    Matrix dw = r_above.transpose() * stage.x;
                    if (r_x[s].size() > 0)
                        dw.noalias() += stage.above.transpose() * r_x[s];
                    for (Eigen::Index j = 0; j < dw.size(); ++j)
                        write(stage.weights + static_cast<std::size_t>(j), dw.data()[j]);
                    for (int o = 0; o < stage.out; ++o)
                        write(stage.biases + static_cast<std::size_t>(o), r_above.col(o).sum());
                } else if (s == start) {   // R of the input is 0 there
                    write(p, is_bias ? r_above.col(unit).sum() : r_above.col(unit).dot(stage.x.col(input)));
                    break;
                }
                Matrix down = r_above * Map(weights.data() + stage.weights, stage.out, stage.in);
                if (s == start && !is_bias)
                    down.col(input) += stage.above.col(unit);
                r_above.swap(down);
            }
        });
        advanced(static_cast<double>(end) / static_cast<double>(covered));
    }
    if (stop.stop_requested())
        return {};
    if (whole)   // symmetric despite rounding
        for (std::size_t i = 0; i < covered; ++i)
            for (std::size_t j = 0; j < i; ++j)
                result[i * covered + j] = result[j * covered + i] = 0.5
                                                                    * (result[i * covered + j]
                                                                       + result[j * covered + i]);
    return result;
}

}   // namespace credence
