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
void normalise_backward(const ResponseNorm& norm, int height, int width, const T* x, const T* dy, T* dx, T* scratch)
{
    const int n = height * width;
    T *s = scratch, *power = scratch + n, *inner = scratch + 2 * n, *more = scratch + 3 * n;
    scales(norm, height, width, x, s, more);
    std::copy_n(s, n, power);
    negative_power(power, n, norm.beta);
    for (int i = 0; i < n; ++i) inner[i] = dy[i] * x[i] * power[i] / s[i];
    box_sums(inner, height, width, norm.size, inner, more);
    const T factor = static_cast<T>(2 * norm.alpha * norm.beta / (double(norm.size) * norm.size));
    for (int i = 0; i < n; ++i) dx[i] = dy[i] * power[i] - factor * x[i] * inner[i];
}

template void normalise(const ResponseNorm&, int, int, const float*, float*, float*);
template void normalise(const ResponseNorm&, int, int, const double*, double*, double*);
template void normalise_backward(const ResponseNorm&, int, int, const float*, const float*, float*, float*);
template void normalise_backward(const ResponseNorm&, int, int, const double*, const double*, double*, double*);

}  // namespace credence
