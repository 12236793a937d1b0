// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/pooling.h"

#include "foundation/simd_vector.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace credence {
namespace {

/// `lanes` values of T, with integers and window positions alongside, as compiler vectors, which
/// work with any instruction set.
template <class T, int lanes>
struct Vectors {
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef T Values __attribute__((vector_size(lanes * sizeof(T))));
    typedef Integer Integers __attribute__((vector_size(lanes * sizeof(T))));
    typedef PlaceInWindow Places __attribute__((vector_size(lanes * sizeof(PlaceInWindow))));

    template <class Vector>
    static Vector load(const void* from)
    {
        Vector v;
        std::memcpy(&v, from, sizeof v);
        return v;
    }
    template <class Vector>
    static void store(void* to, Vector v)
    {
        std::memcpy(to, &v, sizeof v);
    }
    /// Every second of the 2 · lanes values at `from`, starting with index `first`.
    template <int first>
    static Values every_other(const T* from)
    {
        return credence::every_other<first>(load<Values>(from), load<Values>(from + lanes));
    }
};

/// Maxima of the 2 × 2 windows in two rows, `lanes` windows at once, from column c as far as whole
/// vectors fit.
template <int lanes, class T>
int maxima(const T* upper, const T* lower, int c, int columns, T* y, PlaceInWindow* place)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        Values best = V::template every_other<0>(upper + 2 * c);
        Integers at{};
        const auto challenge = [&](Values value, int number) {
            const auto larger = ~(value <= best) & (best == best);   // NaN replaces any number and is never replaced
            best              = larger ? value : best;
            at                = larger ? Integers{} + number : at;
        };
        challenge(V::template every_other<1>(upper + 2 * c), 1);
        challenge(V::template every_other<0>(lower + 2 * c), 2);
        challenge(V::template every_other<1>(lower + 2 * c), 3);
        V::store(y + c, best);
        V::store(place + c, __builtin_convertvector(at, typename V::Places));
    }
    return c;
}

/// The change in x at the maxima of those windows.
template <int lanes, class T>
int values_at_maxima(const T* upper, const T* lower, const PlaceInWindow* place, int c, int columns, T* y)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        const Integers at    = __builtin_convertvector(V::template load<typename V::Places>(place + c), Integers);
        const Integers right = at & 1;
        const auto chosen    = [&](const T* row) {
            return right != 0 ? V::template every_other<1>(row + 2 * c) : V::template every_other<0>(row + 2 * c);
        };
        const Values above = chosen(upper), below = chosen(lower);
        V::store(y + c, at > 1 ? below : above);
    }
    return c;
}

/// The gradient for those windows.
template <int lanes, class T>
int gradients(const T* dy, const PlaceInWindow* place, int c, int columns, T* upper, T* lower)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        const Values gradient = V::template load<Values>(dy + c);
        const Integers at     = __builtin_convertvector(V::template load<typename V::Places>(place + c), Integers);
        const auto where      = [&](int number) { return at == Integers{} + number ? gradient : Values{}; };
        const auto write      = [&](T* row, Values even, Values odd) {
            V::store(row + 2 * c, interleaved<0>(even, odd));
            V::store(row + 2 * c + lanes, interleaved<lanes>(even, odd));
        };
        write(upper, where(0), where(1));
        write(lower, where(2), where(3));
    }
    return c;
}

/// Calls step<lanes>(c), which returns the next column, for 16, 8, 4 and 1 windows at once, without
/// vectors that are wider than a register: g++ 12 moves those through memory.
template <class T, class Step>
void widest_first(Step step)
{
    int c              = 0;
    const auto at_once = [&]<int lanes>(std::integral_constant<int, lanes>) {
        if constexpr (lanes == 1 || lanes * sizeof(T) <= widest_register)
            c = step.template operator()<lanes>(c);
    };
    at_once(std::integral_constant<int, 16>{});
    at_once(std::integral_constant<int, 8>{});
    at_once(std::integral_constant<int, 4>{});
    at_once(std::integral_constant<int, 1>{});
}

/// Adjacent 2 × 2 windows completely inside the image.
template <class T>
void maxima_of_plane(const T* x, int in_width, int rows, int columns, T* y, PlaceInWindow* place)
{
    for (int r = 0; r < rows; ++r, x += 2 * in_width, y += columns, place += columns)
        widest_first<T>([&]<int lanes>(int c) { return maxima<lanes>(x, x + in_width, c, columns, y, place); });
}
template <class T>
void values_at_maxima_of_plane(const T* x, const PlaceInWindow* place, int in_width, int rows, int columns, T* y)
{
    for (int r = 0; r < rows; ++r, x += 2 * in_width, y += columns, place += columns)
        widest_first<T>(
            [&]<int lanes>(int c) { return values_at_maxima<lanes>(x, x + in_width, place, c, columns, y); });
}
template <class T>
void gradients_of_plane(const T* dy, const PlaceInWindow* place, int in_width, int rows, int columns, T* dx)
{
    for (int r = 0; r < rows; ++r, dx += 2 * in_width, dy += columns, place += columns)
        widest_first<T>([&]<int lanes>(int c) { return gradients<lanes>(dy, place, c, columns, dx, dx + in_width); });
}

/// Rows and columns of one clipped window.
struct Window {
    int row, row_end, column, column_end;
    int area() const { return (row_end - row) * (column_end - column); }
};
Window window_of(const PoolingShape& s, int r, int c)
{
    const int row = r * s.pool.stride, column = c * s.pool.stride;
    return {row, std::min(row + s.pool.kernel, s.in.height), column, std::min(column + s.pool.kernel, s.in.width)};
}

/// Calls body(output number, window) for each output of a plane, row by row.
template <class Body>
void for_each_window(const PoolingShape& s, Body body)
{
    for (int r = 0; r < s.out.height; ++r)
        for (int c = 0; c < s.out.width; ++c)
            body(r * s.out.width + c, window_of(s, r, c));
}

bool is_pairs(const PoolingShape& s)
{
    return s.pool.kernel == 2 && s.pool.stride == 2 && s.in.height == 2 * s.out.height && s.in.width == 2 * s.out.width;
}

}   // namespace

template <class T>
void pool_forward(const PoolingShape& s, Planes<const T> x, int images, Planes<T> y, PlaceInWindow* place)
{
    const int width             = s.in.width;
    const std::ptrdiff_t places = std::ptrdiff_t{s.out.height} * s.out.width;
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b) {
            const T* in = x.plane(channel, b);
            T* out      = y.plane(channel, b);
            if (s.pool.kind == Pool::Kind::average) {
                for_each_window(s, [&](int o, Window w) {
                    T sum = 0;
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            sum += in[r * width + c];
                    out[o] = sum / static_cast<T>(w.area());
                });
                continue;
            }
            if (is_pairs(s)) {
                maxima_of_plane(in, width, s.out.height, s.out.width, out, place);
            } else {
                for_each_window(s, [&](int o, Window w) {
                    T best           = in[w.row * width + w.column];
                    PlaceInWindow at = 0;
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            if (const T value = in[r * width + c]; !(value <= best) && best == best) {   // as above
                                best = value;
                                at   = static_cast<PlaceInWindow>((r - w.row) * s.pool.kernel + c - w.column);
                            }
                    out[o]   = best;
                    place[o] = at;
                });
            }
            place += places;
        }
}

template <class T>
void pool_tangent(const PoolingShape& s, Planes<const T> dx, const PlaceInWindow* place, int images, Planes<T> dy)
{
    if (s.pool.kind == Pool::Kind::average)
        return pool_forward(s, dx, images, dy, nullptr);
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b, place += std::ptrdiff_t{s.out.height} * s.out.width) {
            const T* in = dx.plane(channel, b);
            T* out      = dy.plane(channel, b);
            if (is_pairs(s))
                values_at_maxima_of_plane(in, place, s.in.width, s.out.height, s.out.width, out);
            else
                for_each_window(s, [&](int o, Window w) {
                    out[o] = in[(w.row + place[o] / s.pool.kernel) * s.in.width + w.column + place[o] % s.pool.kernel];
                });
        }
}

template <class T>
void pool_backward(const PoolingShape& s, Planes<const T> dy, const PlaceInWindow* place, int images, Planes<T> dx)
{
    const int width             = s.in.width;
    const std::ptrdiff_t places = std::ptrdiff_t{s.out.height} * s.out.width;
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b) {
            const T* out = dy.plane(channel, b);
            T* in        = dx.plane(channel, b);
            if (s.pool.kind == Pool::Kind::maximum && is_pairs(s)) {
                gradients_of_plane(out, place, width, s.out.height, s.out.width, in);
                place += places;
                continue;
            }
            std::fill_n(in, s.in.height * width, T(0));
            if (s.pool.kind == Pool::Kind::maximum) {
                for_each_window(s, [&](int o, Window w) {
                    in[(w.row + place[o] / s.pool.kernel) * width + w.column + place[o] % s.pool.kernel] += out[o];
                });
                place += places;
            } else {
                for_each_window(s, [&](int o, Window w) {
                    const T share = out[o] / static_cast<T>(w.area());
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            in[r * width + c] += share;
                });
            }
        }
}

template void pool_forward(const PoolingShape&, Planes<const float>, int, Planes<float>, PlaceInWindow*);
template void pool_forward(const PoolingShape&, Planes<const double>, int, Planes<double>, PlaceInWindow*);
template void pool_tangent(const PoolingShape&, Planes<const float>, const PlaceInWindow*, int, Planes<float>);
template void pool_tangent(const PoolingShape&, Planes<const double>, const PlaceInWindow*, int, Planes<double>);
template void pool_backward(const PoolingShape&, Planes<const float>, const PlaceInWindow*, int, Planes<float>);
template void pool_backward(const PoolingShape&, Planes<const double>, const PlaceInWindow*, int, Planes<double>);

}   // namespace credence
