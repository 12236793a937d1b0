// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/mlp_rows.h"

#include "chains/row_likelihood.h"
#include "foundation/elementary_double.h"
#include "foundation/simd_vector.h"
#include "foundation/wide_product.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace credence {
namespace {

constexpr int tile_bytes =
    // of all activations of a tile: small enough for the second-level cache, large enough to
    // amortise the cost per tile
    98304;
constexpr int most_tile_rows = 1024, least_tile_rows = 32;
constexpr int many_inputs = 32;   // from this number, the gradient of the first layer is a product along its inputs

using Vector = SimdVector<double, widest_register>;

template <class Values>
double sum_of_lanes(Values v)
{
    if constexpr (lanes_of<Values> == 8) {
        using Half      = double __attribute__((vector_size(32)));
        const Half low  = __builtin_shufflevector(v, v, 0, 1, 2, 3);
        const Half high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
        return sum_of_lanes<Half>(low + high);
    } else if constexpr (lanes_of<Values> == 4) {
        using Half      = double __attribute__((vector_size(16)));
        const Half low  = __builtin_shufflevector(v, v, 0, 1);
        const Half high = __builtin_shufflevector(v, v, 2, 3);
        return sum_of_lanes<Half>(low + high);
    } else {
        return v[0] + v[1];
    }
}

/// Rows of [units × stride].
struct Units {
    const double* data;
    std::ptrdiff_t stride;
};

/// g[o][i] += Σ_j d[o][j] a[i][j] for `outs` × `ins` elements.
/// @param g_row  distance between rows o
template <int outs, int ins>
void dot_block(Units d, Units a, int n, double* g, std::ptrdiff_t g_row)
{
    typename Vector::Values sum[outs][ins] = {};
    for (int j = 0; j < n; j += Vector::lanes) {
        typename Vector::Values x[ins];
#pragma GCC unroll 4
        for (int i = 0; i < ins; ++i)
            x[i] = Vector::load(a.data + i * a.stride + j);
#pragma GCC unroll 4
        for (int o = 0; o < outs; ++o) {
            const auto y = Vector::load(d.data + o * d.stride + j);
#pragma GCC unroll 4
            for (int i = 0; i < ins; ++i)
                sum[o][i] += y * x[i];
        }
    }
#pragma GCC unroll 4
    for (int o = 0; o < outs; ++o)
#pragma GCC unroll 4
        for (int i = 0; i < ins; ++i)
            g[o * g_row + i] += sum_of_lanes(sum[o][i]);
}

template <int outs>
void dot_blocks(Units d, Units a, int ins, int n, double* g, std::ptrdiff_t g_row)
{
    for (int i = 0; i < ins; i += 4) {
        const Units from{a.data + i * a.stride, a.stride};
        switch (ins - i) {
        case 1: dot_block<outs, 1>(d, from, n, g + i, g_row); break;
        case 2: dot_block<outs, 2>(d, from, n, g + i, g_row); break;
        case 3: dot_block<outs, 3>(d, from, n, g + i, g_row); break;
        default: dot_block<outs, 4>(d, from, n, g + i, g_row);
        }
    }
}

/// g [outs × ins] += d [outs × n] · aᵀ [n × ins], n a multiple of the vector length: sums along the
/// rows of both.
void add_dots(Units d, Units a, int outs, int ins, int n, double* g)
{
    for (int o = 0; o < outs; o += 4) {
        const Units from{d.data + o * d.stride, d.stride};
        double* const to = g + std::ptrdiff_t{o} * ins;
        switch (outs - o) {
        case 1: dot_blocks<1>(from, a, ins, n, to, ins); break;
        case 2: dot_blocks<2>(from, a, ins, n, to, ins); break;
        case 3: dot_blocks<3>(from, a, ins, n, to, ins); break;
        default: dot_blocks<4>(from, a, ins, n, to, ins);
        }
    }
}

void add_sums(Units d, int outs, int n, double* g)
{
    for (int o = 0; o < outs; ++o) {
        const double* values = d.data + o * d.stride;
        double sum           = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; ++j)
            sum += values[j];
        g[o] += sum;
    }
}

/// The inputs that are not 0 in every row, if this saves a good part of a wide layer; otherwise
/// all.
std::vector<std::size_t> used_inputs(std::span<const float> inputs, std::size_t n, std::size_t d)
{
    std::vector<std::size_t> used, all(d);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t i : all) {
        bool zero = true;
        for (std::size_t row = 0; row < n && zero; ++row)
            zero = inputs[row * d + i] == 0;
        if (!zero)
            used.push_back(i);
    }
    return d >= many_inputs && !used.empty() && used.size() + d / 10 < d ? used : all;
}

template <class Body>
void for_units(double* values, std::ptrdiff_t stride, int units, int n, const Body& body)
{
    for (int u = 0; u < units; ++u) {
        double* const v = values + u * stride;
#pragma omp simd
        for (int j = 0; j < n; ++j)
            v[j] = body(v[j]);
    }
}
template <class Body>
void for_units(double* __restrict values, const double* __restrict outputs, std::ptrdiff_t stride, int units, int n,
               const Body& body)
{
    for (int u = 0; u < units; ++u) {
        double* const __restrict v       = values + u * stride;
        const double* const __restrict y = outputs + u * stride;
#pragma omp simd
        for (int j = 0; j < n; ++j)
            v[j] *= body(y[j]);
    }
}

void activate(ActivationKind kind, double* v, std::ptrdiff_t stride, int units, int n)
{
    const auto each = [&](const auto& f) { for_units(v, stride, units, n, f); };
    switch (kind) {
    case ActivationKind::relu: return each([](double t) { return t <= 0 ? 0 : t; });
    case ActivationKind::tanh: return each([](double t) { return fast_tanh(t); });
    case ActivationKind::sigmoid: return each([](double t) { return fast_sigmoid(t); });
    case ActivationKind::softplus: return each([](double t) { return fast_softplus(t); });
    case ActivationKind::elu:
        return each([](double t) {
            const double below = fast_expm1(t > 0 ? 0 : t);
            return t > 0 ? t : below;
        });
    case ActivationKind::identity: return;
    }
}

/// Multiplies a gradient by f'(t) as a function of the output y, as multiply_by_derivative does.
void multiply_by_slope(ActivationKind kind, double* g, const double* y, std::ptrdiff_t stride, int units, int n)
{
    const auto each = [&](const auto& f) { for_units(g, y, stride, units, n, f); };
    switch (kind) {
    case ActivationKind::relu: return each([](double y) { return y > 0 ? 1.0 : 0.0; });
    case ActivationKind::tanh: return each([](double y) { return 1 - y * y; });
    case ActivationKind::sigmoid: return each([](double y) { return y * (1 - y); });
    case ActivationKind::softplus: return each([](double y) { return -fast_expm1(-y); });
    case ActivationKind::elu: return each([](double y) { return y > 0 ? 1.0 : y + 1; });
    case ActivationKind::identity: return;
    }
}

}   // namespace

std::optional<std::vector<MlpLayer>> mlp_layers(const Architecture& architecture)
{
    const ParameterLayout layout = layout_of(architecture);
    std::vector<MlpLayer> layers;
    bool open = false;   // the last dense layer has no activation yet
    for (const Layer& layer : architecture.layers) {
        if (const auto* activation = std::get_if<Activation>(&layer); activation && open) {
            layers.back().activation = activation->kind;
            open                     = false;
        } else if (std::holds_alternative<Dense>(layer)) {
            const Block& weights = layout.blocks[2 * layers.size()];
            const Block& biases  = layout.blocks[2 * layers.size() + 1];
            layers.push_back({weights.fan_in, static_cast<int>(biases.size), weights.begin, biases.begin});
            open = true;
        } else if (!std::holds_alternative<Flatten>(layer)) {
            return std::nullopt;
        }
    }
    if (layers.empty() || layers.back().activation != ActivationKind::identity)
        return std::nullopt;
    return layers;
}

MlpRows::MlpRows(std::vector<MlpLayer> layers, const Likelihood& likelihood, std::span<const float> inputs,
                 std::size_t n, const Targets& targets)
    : layers_(std::move(layers)), likelihood_(likelihood)
{
    const auto d = static_cast<std::size_t>(layers_.front().in);
    assert(inputs.size() == n * d);
    int units = 0;
    for (const MlpLayer& layer : layers_)
        units += layer.out;
    // As many rows as fit; tiles of equal size as far as whole vectors permit.
    const int most  = std::clamp(tile_bytes / (8 * units), least_tile_rows, most_tile_rows);
    const auto rows = static_cast<int>(n);
    const int count = std::max(1, (rows + most - 1) / most);
    const int each  = ((rows + count - 1) / count + line - 1) / line * line;
    for (int first = 0; first < rows; first += each)
        tiles_.push_back({first, std::min(each, rows - first)});
    stride_ = padded_row<double>(std::max(each, 1));

    const auto stride    = static_cast<std::size_t>(stride_);
    used_                = used_inputs(inputs, n, d);
    const std::size_t in = used_.size();
    columns_.assign(tiles_.size() * in * stride, 0.0);
    targets_.assign(tiles_.size() * stride, -1.0);
    if (in >= many_inputs) {
        row_ = padded_row<double>(static_cast<std::ptrdiff_t>(in));
        rows_.assign((n + 1) * static_cast<std::size_t>(row_), 0.0);
    }
    for (std::size_t t = 0; t < tiles_.size(); ++t)
        for (int j = 0; j < tiles_[t].rows; ++j) {
            const auto row = static_cast<std::size_t>(tiles_[t].first + j);
            for (std::size_t i = 0; i < in; ++i) {
                const auto value = static_cast<double>(inputs[row * d + used_[i]]);
                columns_[(t * in + i) * stride + static_cast<std::size_t>(j)] = value;
                if (row_ > 0)
                    rows_[row * static_cast<std::size_t>(row_) + i] = value;
            }
            targets_[t * stride + static_cast<std::size_t>(j)] = likelihood_->has_labels()
                                                                     ? static_cast<double>(targets.labels[row])
                                                                     : static_cast<double>(targets.values[row]);
        }
}

MlpRows::Memory MlpRows::memory() const
{
    Memory memory;
    const auto stride  = static_cast<std::size_t>(stride_);
    std::size_t widest = 0;
    for (const MlpLayer& layer : layers_) {
        memory.outputs.emplace_back(static_cast<std::size_t>(layer.out) * stride);
        widest = std::max(widest, static_cast<std::size_t>(layer.out));
    }
    for (auto& gradient : memory.gradient)
        gradient.resize(widest * stride);
    memory.scratch.resize(row_likelihood_scratch(stride_));
    if (packed()) {
        memory.first_weights.resize(used_.size() * static_cast<std::size_t>(layers_.front().out));
        memory.first_gradient.resize(memory.first_weights.size());
    }
    return memory;
}

const double* MlpRows::columns(std::size_t tile) const
{
    return columns_.data() + static_cast<std::ptrdiff_t>(tile) * inputs_of(0) * stride_;
}

void MlpRows::forward(std::size_t tile, const double* weights, Memory& memory) const
{
    const int n     = tiles_[tile].padded();
    const double* x = columns(tile);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const MlpLayer& layer = layers_[l];
        const double* const w = l == 0 && packed() ? memory.first_weights.data() : weights + layer.weights;
        double* const y       = memory.outputs[l].data();
        wide_product<double>({w, inputs_of(l), 1}, x, stride_, y, stride_, layer.out, inputs_of(l), n, Begin::rows,
                             weights + layer.biases);
        activate(layer.activation, y, stride_, layer.out, n);
        x = y;
    }
}

void MlpRows::backward(std::size_t tile, const double* weights, double* gradient, Memory& memory) const
{
    const auto [first, rows] = tiles_[tile];
    const int n              = tiles_[tile].padded();
    const double* dz         = memory.outputs.back().data();   // of the last layer: written by row_likelihood
    for (std::size_t l = layers_.size(); l-- > 0;) {
        const MlpLayer& layer = layers_[l];
        const double* x       = l > 0 ? memory.outputs[l - 1].data() : columns(tile);
        double* const dw      = l == 0 && packed() ? memory.first_gradient.data() : gradient + layer.weights;
        add_sums({dz, stride_}, layer.out, n, gradient + layer.biases);
        if (l == 0 && !rows_.empty())
            wide_product<double>({dz, stride_, 1}, rows_.data() + first * row_, row_, dw, inputs_of(0), layer.out, rows,
                                 inputs_of(0), Begin::c);
        else
            add_dots({dz, stride_}, {x, stride_}, layer.out, inputs_of(l), n, dw);
        if (l > 0) {
            double* const dx = memory.gradient[l % 2].data();
            wide_product<double>({weights + layer.weights, 1, layer.in}, dz, stride_, dx, stride_, layer.in, layer.out,
                                 n, Begin::zero);
            multiply_by_slope(layers_[l - 1].activation, dx, x, stride_, layer.in, n);
            dz = dx;
        }
    }
}

double MlpRows::add_gradient(std::span<const double> weights, std::span<double> gradient, Memory& memory) const
{
    const MlpLayer &lowest = layers_.front(), &highest = layers_.back();
    const std::size_t used = used_.size();
    if (packed()) {
        for (int o = 0; o < lowest.out; ++o)
            for (std::size_t i = 0; i < used; ++i)
                memory.first_weights[o * used + i] = weights[lowest.weights + std::size_t(o) * lowest.in + used_[i]];
        std::fill(memory.first_gradient.begin(), memory.first_gradient.end(), 0.0);
    }
    double sum = 0;
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        forward(t, weights.data(), memory);
        const UnitRows at{memory.outputs.back().data(), stride_, highest.out, tiles_[t].rows, tiles_[t].padded()};
        sum += row_likelihood(likelihood_, at, targets_.data() + static_cast<std::ptrdiff_t>(t) * stride_,
                              memory.scratch.data());
        backward(t, weights.data(), gradient.data(), memory);
    }
    if (packed())
        for (int o = 0; o < lowest.out; ++o)
            for (std::size_t i = 0; i < used; ++i)
                gradient[lowest.weights + std::size_t(o) * lowest.in + used_[i]] += memory.first_gradient[o * used + i];
    return sum;
}

}   // namespace credence
