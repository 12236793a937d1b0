// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/activation.h"

#include "foundation/elementary.h"
#include "layers/stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {
namespace {

constexpr std::pair<ActivationKind, const char*> names[] = {
    {ActivationKind::relu, "relu"},         {ActivationKind::tanh, "tanh"}, {ActivationKind::sigmoid, "sigmoid"},
    {ActivationKind::softplus, "softplus"}, {ActivationKind::elu, "elu"},   {ActivationKind::identity, "identity"},
};

float exponential(float t) { return fast_exp(t); }
double exponential(double t) { return std::exp(t); }
float one_minus_exp_of_minus(float y) { return -fast_expm1(-y); }
double one_minus_exp_of_minus(double y) { return -std::expm1(-y); }
float smooth_plus(float t) { return fast_softplus(t); }
double smooth_plus(double t) { return softplus(t); }
float logistic(float t) { return fast_sigmoid(t); }
double logistic(double t) { return sigmoid(t); }
float hyperbolic(float t) { return fast_tanh(t); }
double hyperbolic(double t) { return std::tanh(t); }

// Comparisons with NaN are false, so NaN takes the branch that returns it.
struct Relu {
    template <class T>
    static T value(T t)
    {
        return t <= T(0) ? T(0) : t;
    }
    template <class T>
    static T slope(T y)
    {
        return y > T(0) ? T(1) : T(0);
    }
};
struct Tanh {
    template <class T>
    static T value(T t)
    {
        return hyperbolic(t);
    }
    template <class T>
    static T slope(T y)
    {
        return T(1) - y * y;
    }
};
struct Sigmoid {
    template <class T>
    static T value(T t)
    {
        return logistic(t);
    }
    template <class T>
    static T slope(T y)
    {
        return y * (T(1) - y);
    }
};
struct Softplus {
    template <class T>
    static T value(T t)
    {
        return smooth_plus(t);
    }
    template <class T>
    static T slope(T y)
    {
        return one_minus_exp_of_minus(y);
    }
};
struct Elu {
    template <class T>
    static T value(T t)
    {
        return t > T(0) ? t : exponential(t > T(0) ? T(0) : t) - T(1);
    }
    template <class T>
    static T slope(T y)
    {
        return y > T(0) ? T(1) : y + T(1);
    }
};
struct Identity {
    template <class T>
    static T value(T t)
    {
        return t;
    }
    template <class T>
    static T slope(T)
    {
        return T(1);
    }
};

template <class Body>
void with_activation(ActivationKind kind, Body body)
{
    switch (kind) {
    case ActivationKind::relu: return body(Relu{});
    case ActivationKind::tanh: return body(Tanh{});
    case ActivationKind::sigmoid: return body(Sigmoid{});
    case ActivationKind::softplus: return body(Softplus{});
    case ActivationKind::elu: return body(Elu{});
    case ActivationKind::identity: return body(Identity{});
    }
}

template <class T>
class ActivationStage final : public PointwiseStage<T> {
public:
    ActivationStage(ActivationKind kind, const StagePlace& place) : PointwiseStage<T>(place), kind_(kind) {}

    void values(const T* x, T* y, std::size_t n) const override
    {
        std::copy_n(x, n, y);
        activate(kind_, y, n);
    }
    void multiply_by_slope(const StageMemory*, std::size_t, const T*, const T* y, T* gradient,
                           std::size_t n) const override
    {
        multiply_by_derivative(kind_, y, gradient, n);
    }

private:
    ActivationKind kind_;
};

}   // namespace

const char* name_of(ActivationKind kind)
{
    for (const auto& [value, name] : names)
        if (value == kind)
            return name;
    return "";
}

std::optional<Activation> Activation::from_text(LayerWords& words)
{
    for (const auto& [value, name] : names)
        if (words.take(name))
            return Activation{value};
    return std::nullopt;
}

Activation Activation::from_json(const LayerJson& json)
{
    const std::string found = json.word(json_name);
    for (const auto& [value, name] : names)
        if (found == name)
            return {value};
    json.refuse("found the activation '" + found + "', expected relu, tanh, sigmoid, softplus, elu or identity.");
}

template <class T>
std::unique_ptr<Stage<T>> Activation::stage(const StagePlace& place) const
{
    return std::make_unique<ActivationStage<T>>(kind, place);
}
template std::unique_ptr<Stage<float>> Activation::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Activation::stage(const StagePlace&) const;

double second_derivative(ActivationKind kind, double y)
{
    switch (kind) {
    case ActivationKind::relu:
    case ActivationKind::identity: return 0;
    case ActivationKind::tanh: return -2 * y * (1 - y * y);
    case ActivationKind::sigmoid: return y * (1 - y) * (1 - 2 * y);
    case ActivationKind::softplus: {   // f' = σ = 1 − e^−y
        const double slope = -std::expm1(-y);
        return slope * (1 - slope);
    }
    case ActivationKind::elu: return y > 0 ? 0 : y + 1;
    }
    return 0;
}

template <class T>
void activate(ActivationKind kind, T* values, std::size_t n)
{
    with_activation(kind, [=](auto f) {
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            values[i] = f.value(values[i]);
    });
}

template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, std::size_t n)
{
    with_activation(kind, [=](auto f) {
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            gradient[i] *= f.slope(outputs[i]);
    });
}

template <class T>
void add_bias_and_activate(ActivationKind kind, T* values, const T* bias, int width, TileRange tile)
{
    with_activation(kind, [=](auto f) {
        for (int row = tile.row_begin; row < tile.row_end; ++row) {
            T* out = values + static_cast<std::size_t>(row) * width;
#pragma omp simd
            for (int c = tile.column_begin; c < tile.column_end; ++c)
                out[c] = f.value(out[c] + bias[c]);
        }
    });
}

template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, int width, TileRange tile)
{
    with_activation(kind, [=](auto f) {
        for (int row = tile.row_begin; row < tile.row_end; ++row) {
            const std::size_t start = static_cast<std::size_t>(row) * width;
#pragma omp simd
            for (int c = tile.column_begin; c < tile.column_end; ++c)
                gradient[start + c] *= f.slope(outputs[start + c]);
        }
    });
}

template void activate(ActivationKind, float*, std::size_t);
template void activate(ActivationKind, double*, std::size_t);
template void multiply_by_derivative(ActivationKind, const float*, float*, std::size_t);
template void multiply_by_derivative(ActivationKind, const double*, double*, std::size_t);
template void add_bias_and_activate(ActivationKind, float*, const float*, int, TileRange);
template void add_bias_and_activate(ActivationKind, double*, const double*, int, TileRange);
template void multiply_by_derivative(ActivationKind, const float*, float*, int, TileRange);
template void multiply_by_derivative(ActivationKind, const double*, double*, int, TileRange);

}   // namespace credence
