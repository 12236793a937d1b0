// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/convolution.h"

#include "foundation/simd_vector.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace credence {
namespace {

constexpr int taps = 5, outputs = 4, points = taps + outputs - 1;
constexpr int most_vectors = widest_register == 64 ? 4 : 2, registers = widest_register == 64 ? 24 : 12,
              most_rows = 12;   // sums computed at once

template <class T>
using Register = SimdVector<T, widest_register>;

template <class T>
constexpr int lanes = Register<T>::lanes;

constexpr int rounded_up(int n, int to) { return (n + to - 1) / to * to; }

/// The index of the vector, among five, that contains element `tap` of a group of five at lane
/// `place`. The five elements at one lane belong to different taps.
template <int lanes>
constexpr int vector_with(int tap, int place)
{
    int v = 0;
    while ((v * lanes + place) % taps != tap)
        ++v;
    return v;
}

/// Element `tap` of each group of five, for as many groups as a vector has lanes.
template <int tap, class V, class Values, int... lane>
Values every_fifth(const std::array<Values, taps>& of, std::integer_sequence<int, lane...>)
{
    constexpr int n   = V::lanes;
    const auto choose = [&]<int v>(std::integral_constant<int, v>, Values chosen) -> Values {
        return __builtin_shufflevector(chosen, of[v], (vector_with<n>(tap, lane) == v ? n + lane : lane)...);
    };
    Values chosen = choose(std::integral_constant<int, 1>{}, of[0]);
    chosen        = choose(std::integral_constant<int, 2>{}, chosen);
    chosen        = choose(std::integral_constant<int, 3>{}, chosen);
    chosen        = choose(std::integral_constant<int, 4>{}, chosen);
    return __builtin_shufflevector(chosen, chosen, ((taps * lane + tap) % n)...);
}

/// u = G g for `n` consecutive kernel rows. @param next  distance between points
template <class T>
void transform_kernels(const T* kernels, int n, T* u, std::ptrdiff_t next)
{
    using V = Register<T>;
    assert(n >= V::lanes);
    constexpr auto every_lane = std::make_integer_sequence<int, V::lanes>{};
    for (int begin = 0; begin < n; begin += V::lanes) {
        const int first = std::min(begin, n - V::lanes);   // the last vector repeats some elements of the previous one
        std::array<typename V::Values, taps> five;
        for (int v = 0; v < taps; ++v)
            five[static_cast<std::size_t>(v)] = V::load(kernels + std::ptrdiff_t{taps} * first + v * V::lanes);
        const auto g0 = every_fifth<0, V>(five, every_lane), g1 = every_fifth<1, V>(five, every_lane),
                   g2 = every_fifth<2, V>(five, every_lane), g3 = every_fifth<3, V>(five, every_lane),
                   g4    = every_fifth<4, V>(five, every_lane);
        const auto write = [&](int point, auto value) { V::store(u + point * next + first, value); };
        const auto pair  = [&](int point, T a, T factor) {   // factor · Σ_j (±a)^j g_j
            const T even = factor * a * a, odd = factor * a;
            const auto e = factor * g0 + even * g2 + even * a * a * g4, o = odd * g1 + odd * a * a * g3;
            write(point, e + o);
            write(point + 1, e - o);
        };
        write(0, -g0);
        pair(1, 1, T(-2) / 9);
        pair(3, 2, T(1) / 90);
        pair(5, T(0.5), T(32) / 45);
        write(7, g4);
    }
}

template <class T>
struct Products {
    const T* kernels;   // [rows × depth]
    const T* inputs;    // [channels × next_channel]; kernel rows are `next_row` numbers apart
    int channels;
    std::ptrdiff_t next_channel, next_row;
    T* sums;   // [rows × vectors]
};

/// Sums over channels and kernel rows at one point.
template <int rows, int vectors, class T>
void add_products(const Products<T>& p)
{
    using V      = Register<T>;
    using Values = typename V::Values;
    Values sum[rows][vectors]{};
    const int depth  = taps * p.channels;
    const T* kernels = p.kernels;
    const T* inputs  = p.inputs;
    for (int c = 0; c < p.channels; ++c, inputs += p.next_channel)
        for (int i = 0; i < taps; ++i, ++kernels) {
            Values x[vectors];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
                x[v] = V::load(inputs + i * p.next_row + v * V::lanes);
#pragma GCC unroll 12
            for (int r = 0; r < rows; ++r) {
                const T factor = kernels[r * depth];
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v)
                    sum[r][v] += factor * x[v];
            }
        }
#pragma GCC unroll 12
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            V::store(p.sums + (r * vectors + v) * V::lanes, sum[r][v]);
}

constexpr int rows_at_once(int vectors) { return std::min(most_rows, registers / vectors); }

template <int vectors, class T>
void add_products_of_rows(const Products<T>& p, int rows)
{
    constexpr auto of_rows = []<int... r>(std::integer_sequence<int, r...>)
    {
        return std::array{&add_products<r + 1, vectors, T>...};
    }
    (std::make_integer_sequence<int, rows_at_once(vectors)>{});
    of_rows[static_cast<std::size_t>(rows - 1)](p);
}

template <class T>
void add_products(const Products<T>& p, int rows, int vectors)
{
    switch (vectors) {
    case 1: return add_products_of_rows<1>(p, rows);
    case 2: return add_products_of_rows<2>(p, rows);
    case 3: return add_products_of_rows<std::min(3, most_vectors)>(p, rows);
    default: return add_products_of_rows<most_vectors>(p, rows);
    }
}

/// z = Aᵀ m + bias, four outputs of each tile in a row. @param next  distance between points
template <class T>
void transform_sums(const T* m, std::ptrdiff_t next, T bias, T* z)
{
    using V       = Register<T>;
    const auto at = [&](int point) { return V::load(m + point * next); };
    const auto s1 = at(1) + at(2), d1 = at(1) - at(2), s2 = at(3) + at(4), d2 = at(3) - at(4), s3 = at(5) + at(6),
               d3 = at(5) - at(6);
    const auto z0 = bias + (at(0) + s1 + s2 + s3), z1 = bias + (d1 + T(2) * d2 + T(0.5) * d3),
               z2 = bias + (s1 + T(4) * s2 + T(0.25) * s3), z3 = bias + (d1 + T(8) * d2 + T(0.125) * d3 + at(7));
    constexpr int n     = V::lanes;
    const auto even_low = interleaved<0>(z0, z2), even_high = interleaved<n>(z0, z2), odd_low = interleaved<0>(z1, z3),
               odd_high = interleaved<n>(z1, z3);
    V::store(z, interleaved<0>(even_low, odd_low));
    V::store(z + n, interleaved<n>(even_low, odd_low));
    V::store(z + 2 * n, interleaved<0>(even_high, odd_high));
    V::store(z + 3 * n, interleaved<n>(even_high, odd_high));
}

/// Offsets of consecutive blocks of scratch memory.
template <class T>
struct Parts {
    Parts(int channels, int places)
        : sums(points * most_rows * taps * channels), tiles(sums + points * registers * lanes<T>),
          next_tiles(outputs * rounded_up(places, lanes<T>))
    {}
    std::size_t size() const { return static_cast<std::size_t>(tiles + most_rows * next_tiles); }

    std::ptrdiff_t sums;                // the kernels come first
    std::ptrdiff_t tiles, next_tiles;   // [most_rows × next_tiles]
};

}   // namespace

template <class T>
bool MinimalFiltering<T>::pays(const ConvolutionShape& s)
{
    constexpr int vector = 64 / sizeof(T), fewest_filters = 8;   // the same on all machines
    const auto vectors = [](int n) { return (n + vector - 1) / vector; };
    const int tiles    = s.out.height * ((s.out.width + outputs - 1) / outputs);
    return s.kernel == taps && s.stride == 1 && s.padding == 0 && s.out.channels >= fewest_filters
           && 3 * points * vectors(tiles) <= 2 * taps * vectors(s.places());
}

template <class T>
MinimalFiltering<T>::MinimalFiltering(const ConvolutionShape& shape)
    : shape_(shape), tiles_((shape.out.width + outputs - 1) / outputs), places_(shape.out.height * tiles_),
      next_channel_(shape.in.height * tiles_),
      next_point_(rounded_up(shape.in.channels * next_channel_ + taps * lanes<T>, lanes<T>))
{}

template <class T>
std::size_t MinimalFiltering<T>::scratch_size() const
{
    const auto windows = static_cast<std::size_t>(points * rounded_up(next_channel_, lanes<T>));
    return std::max(windows, Parts<T>(shape_.in.channels, places_).size());
}

template <class T>
void MinimalFiltering<T>::transform(Planes<const T> x, int b, T* inputs, T* windows) const
{
    using V         = Register<T>;
    const int width = shape_.in.width, next = rounded_up(next_channel_, V::lanes);
    T* to = inputs;
    for (int c = 0; c < shape_.in.channels; ++c, to += next_channel_) {
        const T* row = x.plane(c, b);
        T* window    = windows;
        for (int y = 0; y < shape_.in.height; ++y, row += width)
            for (int k = 0; k < tiles_; ++k, ++window)
                for (int q = 0; q < points; ++q)
                    window[q * next] = outputs * k + q < width ? row[outputs * k + q] : T(0);
        for (int n = 0; n < next_channel_;
             n += V::lanes) {   // the last vector extends into the next channel, which is written later
            const auto d     = [&](int q) { return V::load(windows + q * next + n); };
            const auto write = [&](int point, auto value) { V::store(to + point * next_point_ + n, value); };
            const auto pair  = [&](int point, auto even, auto odd) {
                write(point, even + odd);
                write(point + 1, even - odd);
            };
            const auto d1 = d(1), d2 = d(2), d3 = d(3), d4 = d(4), d5 = d(5), d6 = d(6);
            write(0, (d6 - d(0)) + T(5.25) * (d2 - d4));
            pair(1, d6 + d2 - T(4.25) * d4, d5 + d1 - T(4.25) * d3);
            pair(3, d6 + T(0.25) * d2 - T(1.25) * d4, T(2) * d5 + T(0.5) * d1 - T(2.5) * d3);
            pair(5, d6 + T(4) * d2 - T(5) * d4, T(0.5) * d5 + T(2) * d1 - T(2.5) * d3);
            write(7, (d(7) - d1) + T(5.25) * (d3 - d5));
        }
    }
    for (int point = 0; point < points; ++point)   // padding that vectors of sums read but do not use
        std::fill(to + point * next_point_, inputs + (point + 1) * next_point_, T(0));
}

template <class T>
void MinimalFiltering<T>::run(const T* weights, const T* biases, const T* inputs, Planes<T> z, int b, T* scratch) const
{
    constexpr int n   = lanes<T>;
    const int filters = shape_.out.channels, depth = taps * shape_.in.channels, vectors = (places_ + n - 1) / n,
              panels = (vectors + most_vectors - 1) / most_vectors, at_once = (vectors + panels - 1) / panels,
              most = rows_at_once(at_once), groups = (filters + most - 1) / most;
    const bool whole_rows = outputs * tiles_ == shape_.out.width && places_ % n == 0;
    const Parts<T> parts(shape_.in.channels, places_);
    T *kernels = scratch, *sums = scratch + parts.sums, *tiles = scratch + parts.tiles;
    for (int group = 0; group < groups; ++group) {
        const int first = filters * group / groups, rows = filters * (group + 1) / groups - first;
        const std::ptrdiff_t next_kernels = std::ptrdiff_t{rows} * depth;
        transform_kernels(weights + std::ptrdiff_t{first} * taps * depth, rows * depth, kernels, next_kernels);
        for (int v = 0; v < vectors; v += at_once) {
            const int now                  = std::min(at_once, vectors - v);
            const std::ptrdiff_t next_sums = std::ptrdiff_t{rows} * now * n;
            for (int point = 0; point < points; ++point)
                add_products(Products<T>{kernels + point * next_kernels, inputs + point * next_point_ + v * n,
                                         shape_.in.channels, next_channel_, tiles_, sums + point * next_sums},
                             rows, now);
            for (int r = 0; r < rows; ++r) {
                T* to = whole_rows ? z.plane(first + r, b) : tiles + r * parts.next_tiles;
                for (int w = 0; w < now; ++w)
                    transform_sums(sums + (std::ptrdiff_t{r} * now + w) * n, next_sums, biases[first + r],
                                   to + std::ptrdiff_t{outputs} * (v + w) * n);
            }
        }
        if (!whole_rows)
            for (int r = 0; r < rows; ++r)
                for (int y = 0; y < shape_.out.height; ++y)
                    std::copy_n(tiles + r * parts.next_tiles + std::ptrdiff_t{y} * outputs * tiles_, shape_.out.width,
                                z.plane(first + r, b) + std::ptrdiff_t{y} * shape_.out.width);
    }
}

template class MinimalFiltering<float>;
template class MinimalFiltering<double>;

}   // namespace credence
