// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/activation.h"

#include "foundation/elementary.h"
#include "foundation/elementary_double.h"
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

/// Rows of fewer numbers do not fill vectors; whole rows are handled together.
constexpr int narrow = 16;

float exp_minus_one(float t) { return fast_exp(t) - 1.0F; }
double exp_minus_one(double t) { return fast_expm1(t); }

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
    template <class T>
    static T bend(T)
    {
        return T(0);
    }
};
struct Tanh {
    template <class T>
    static T value(T t)
    {
        return fast_tanh(t);
    }
    template <class T>
    static T slope(T y)
    {
        return T(1) - y * y;
    }
    template <class T>
    static T bend(T y)
    {
        return T(-2) * y * (T(1) - y * y);
    }
};
struct Sigmoid {
    template <class T>
    static T value(T t)
    {
        return fast_sigmoid(t);
    }
    template <class T>
    static T slope(T y)
    {
        return y * (T(1) - y);
    }
    template <class T>
    static T bend(T y)
    {
        return y * (T(1) - y) * (T(1) - T(2) * y);
    }
};
struct Softplus {
    template <class T>
    static T value(T t)
    {
        return fast_softplus(t);
    }
    template <class T>
    static T slope(T y)
    {
        return -fast_expm1(-y);
    }
    template <class T>
    static T bend(T y)
    {
        return slope(y) * (T(1) - slope(y));
    }
};
struct Elu {
    template <class T>
    static T value(T t)
    {
        return t > T(0) ? t : exp_minus_one(t > T(0) ? T(0) : t);
    }
    template <class T>
    static T slope(T y)
    {
        return y > T(0) ? T(1) : y + T(1);
    }
    template <class T>
    static T bend(T y)
    {
        return y > T(0) ? T(0) : y + T(1);
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
    template <class T>
    static T bend(T)
    {
        return T(0);
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
    bool uses_index() const override { return false; }

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
    void second_order(const StagePass<T>& pass, Planes<const T> /*x*/, Planes<const T> y, Planes<const T> dy,
                      SecondOrder<T> add) const override
    {
        if (!add.u.data || !add.dx.data)
            return;
        credence::for_each_run(
            this->out(), pass.n,
            [kind = kind_](const T* outputs, const T* gradient, const T* moved, T* sum, std::size_t n) {
            add_second_derivative(kind, outputs, gradient, moved, sum, n);
            },
            y, dy, add.u, add.dx);
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
void add_second_derivative(ActivationKind kind, const T* outputs, const T* a, const T* b, T* sum, std::size_t n)
{
    with_activation(kind, [=](auto f) {
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            sum[i] += f.bend(outputs[i]) * a[i] * b[i];
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
    if (width < narrow && tile.column_begin == 0 && tile.column_end == width) {
        T* const first = values + static_cast<std::size_t>(tile.row_begin) * width;
        const int rows = tile.row_end - tile.row_begin;
        for (int row = 0; row < rows; ++row)
            for (int c = 0; c < width; ++c)
                first[row * width + c] += bias[c];
        activate(kind, first, static_cast<std::size_t>(rows) * width);
        return;
    }
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
template void add_second_derivative(ActivationKind, const float*, const float*, const float*, float*, std::size_t);
template void add_second_derivative(ActivationKind, const double*, const double*, const double*, double*, std::size_t);
template void multiply_by_derivative(ActivationKind, const float*, float*, std::size_t);
template void multiply_by_derivative(ActivationKind, const double*, double*, std::size_t);
template void add_bias_and_activate(ActivationKind, float*, const float*, int, TileRange);
template void add_bias_and_activate(ActivationKind, double*, const double*, int, TileRange);
template void multiply_by_derivative(ActivationKind, const float*, float*, int, TileRange);
template void multiply_by_derivative(ActivationKind, const double*, double*, int, TileRange);

}   // namespace credence
