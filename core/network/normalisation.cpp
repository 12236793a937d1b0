// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/normalisation.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

/// out = sum of `in` over the size × size values around each place: first along the rows, then along the columns.
template <class T>
void box_sums(const T* in, int height, int width, int size, T* out, T* scratch)
{
    const int reach = size / 2;
    for (int r = 0; r < height; ++r) {
        const T* row = in + std::ptrdiff_t{r} * width;
        T* sums = scratch + std::ptrdiff_t{r} * width;
        std::copy_n(row, width, sums);
        for (int d = 1; d <= std::min(reach, width - 1); ++d) {
            for (int c = d; c < width; ++c) sums[c] += row[c - d];
            for (int c = 0; c < width - d; ++c) sums[c] += row[c + d];
        }
    }
    std::copy_n(scratch, height * width, out);
    for (int d = 1; d <= std::min(reach, height - 1); ++d) {
        const int shift = d * width, count = (height - d) * width;
        for (int i = 0; i < count; ++i) out[i + shift] += scratch[i];
        for (int i = 0; i < count; ++i) out[i] += scratch[i + shift];
    }
}

/// s^-β in place; β = ¾ of the papers by roots.
template <class T>
void negative_power(T* s, int n, double beta)
{
    if (beta == 0.75) {
        for (int i = 0; i < n; ++i) {
            const T root = std::sqrt(s[i]);
            s[i] = 1 / (root * std::sqrt(root));
        }
        return;
    }
    for (int i = 0; i < n; ++i) s[i] = std::pow(s[i], static_cast<T>(-beta));
}

/// s of the whole plane.
template <class T>
void scales(const ResponseNorm& norm, int height, int width, const T* x, T* s, T* scratch)
{
    const int n = height * width;
    for (int i = 0; i < n; ++i) s[i] = x[i] * x[i];
    box_sums(s, height, width, norm.size, s, scratch);
    const T factor = static_cast<T>(norm.alpha / (double(norm.size) * norm.size));
    for (int i = 0; i < n; ++i) s[i] = 1 + factor * s[i];
}

/// What the derivatives need: s and s^-β of the whole plane, and memory for two planes more.
template <class T>
struct ScalesAndPowers {
    T *s, *power, *inner, *more;
};
template <class T>
ScalesAndPowers<T> scales_and_powers(const ResponseNorm& norm, int height, int width, const T* x, T* scratch)
{
    const int n = height * width;
    const ScalesAndPowers<T> planes{scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};
    scales(norm, height, width, x, planes.s, planes.more);
    std::copy_n(planes.s, n, planes.power);
    negative_power(planes.power, n, norm.beta);
    return planes;
}

/// 2 α β / size²
template <class T>
T inner_factor(const ResponseNorm& norm)
{
    return static_cast<T>(2 * norm.alpha * norm.beta / (double(norm.size) * norm.size));
}

}  // namespace

template <class T>
void normalise(const ResponseNorm& norm, int height, int width, const T* x, T* y, T* scratch)
{
    const int n = height * width;
    T* s = scratch;
    scales(norm, height, width, x, s, scratch + n);
    negative_power(s, n, norm.beta);
    for (int i = 0; i < n; ++i) y[i] = x[i] * s[i];
}

template <class T>
void normalise_tangent(const ResponseNorm& norm, int height, int width, const T* x, const T* dx, T* dy, T* scratch)
{
    const int n = height * width;
    const auto [s, power, inner, more] = scales_and_powers(norm, height, width, x, scratch);
    for (int i = 0; i < n; ++i) inner[i] = x[i] * dx[i];
    box_sums(inner, height, width, norm.size, inner, more);
    const T factor = inner_factor<T>(norm);
    for (int i = 0; i < n; ++i) dy[i] = dx[i] * power[i] - factor * x[i] * power[i] / s[i] * inner[i];
}

template <class T>
void normalise_backward(const ResponseNorm& norm, int height, int width, const T* x, const T* dy, T* dx, T* scratch)
{
    const int n = height * width;
    const auto [s, power, inner, more] = scales_and_powers(norm, height, width, x, scratch);
    for (int i = 0; i < n; ++i) inner[i] = dy[i] * x[i] * power[i] / s[i];
    box_sums(inner, height, width, norm.size, inner, more);
    const T factor = inner_factor<T>(norm);
    for (int i = 0; i < n; ++i) dx[i] = dy[i] * power[i] - factor * x[i] * inner[i];
}

template void normalise(const ResponseNorm&, int, int, const float*, float*, float*);
template void normalise(const ResponseNorm&, int, int, const double*, double*, double*);
template void normalise_tangent(const ResponseNorm&, int, int, const float*, const float*, float*, float*);
template void normalise_tangent(const ResponseNorm&, int, int, const double*, const double*, double*, double*);
template void normalise_backward(const ResponseNorm&, int, int, const float*, const float*, float*, float*);
template void normalise_backward(const ResponseNorm&, int, int, const double*, const double*, double*, double*);

}  // namespace credence
