// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

/// Window sums along one row.
void row_sums(const double* x, std::size_t n, std::size_t reach, double* out)
{
    double sum = 0;
    for (std::size_t i = 0; i < std::min(reach, n); ++i)
        sum += x[i];
    for (std::size_t i = 0; i < n; ++i) {
        if (i + reach < n)
            sum += x[i + reach];
        if (i > reach)
            sum -= x[i - reach - 1];
        out[i] = sum;
    }
}

}   // namespace

void window_sums(std::span<const double> x, int height, int width, int size, std::span<double> out)
{
    const auto h = static_cast<std::size_t>(height), w = static_cast<std::size_t>(width),
               reach = static_cast<std::size_t>(size / 2);
    std::vector<double> rows(h * w), sum(w);
    for (std::size_t r = 0; r < h; ++r)
        row_sums(x.data() + r * w, w, reach, rows.data() + r * w);
    const auto add = [&](std::size_t row, double sign) {
        for (std::size_t c = 0; c < w; ++c)
            sum[c] += sign * rows[row * w + c];
    };
    for (std::size_t r = 0; r < std::min(reach, h); ++r)
        add(r, 1);
    for (std::size_t r = 0; r < h; ++r) {   // all columns at once
        if (r + reach < h)
            add(r + reach, 1);
        if (r > reach)
            add(r - reach - 1, -1);
        std::copy(sum.begin(), sum.end(), out.begin() + static_cast<std::ptrdiff_t>(r * w));
    }
}

std::vector<double> window_counts(int height, int width, int size)
{
    std::vector<double> counts(static_cast<std::size_t>(height) * static_cast<std::size_t>(width), 1.0);
    window_sums(counts, height, width, size, counts);
    return counts;
}

LocalNormalisation::LocalNormalisation(int height, int width, int size, double floor)
    : height_(height), width_(width), size_(size), floor_(floor), count_(window_counts(height, width, size)),
      in_(count_.size()), mean_(count_.size()), inverse_sd_(count_.size()), first_(count_.size()),
      second_(count_.size())
{}

template <class T>
void LocalNormalisation::look_at(const T* x)
{
    std::copy_n(x, pixels(), in_.begin());
    window_sums(in_, height_, width_, size_, mean_);
    for (std::size_t i = 0; i < pixels(); ++i)
        inverse_sd_[i] = in_[i] * in_[i];
    window_sums(inverse_sd_, height_, width_, size_, inverse_sd_);
    for (std::size_t i = 0; i < pixels(); ++i) {
        mean_[i] /= count_[i];
        // Not negative despite rounding.
        const double variance = std::max(0.0, inverse_sd_[i] / count_[i] - mean_[i] * mean_[i]);
        inverse_sd_[i]        = 1 / std::sqrt(variance + floor_ * floor_);
    }
}

template <class T>
void LocalNormalisation::values(const T* x, T* y)
{
    look_at(x);
    for (std::size_t i = 0; i < pixels(); ++i)
        y[i] = static_cast<T>((in_[i] - mean_[i]) * inverse_sd_[i]);
}

template <class T>
void LocalNormalisation::tangent(const T* x, const T* dx, T* dy)
{
    look_at(x);
    for (std::size_t i = 0; i < pixels(); ++i) {
        first_[i]  = static_cast<double>(dx[i]);
        second_[i] = in_[i] * static_cast<double>(dx[i]);
    }
    window_sums(first_, height_, width_, size_, first_);
    window_sums(second_, height_, width_, size_, second_);
    for (std::size_t i = 0; i < pixels(); ++i) {
        const double dmean = first_[i] / count_[i], r = inverse_sd_[i], y = (in_[i] - mean_[i]) * r;
        dy[i] = static_cast<T>((static_cast<double>(dx[i]) - dmean) * r
                               - y * r * r * (second_[i] / count_[i] - mean_[i] * dmean));
    }
}

template <class T>
void LocalNormalisation::pull_back(const T* x, const T* dy, T* dx)
{
    look_at(x);
    for (std::size_t i = 0; i < pixels(); ++i) {
        const double g = static_cast<double>(dy[i]), r = inverse_sd_[i];
        const double a = g * (in_[i] - mean_[i]) * r * r * r;
        first_[i]      = (a * mean_[i] - g * r) / count_[i];
        second_[i]     = a / count_[i];
    }
    window_sums(first_, height_, width_, size_, first_);
    window_sums(second_, height_, width_, size_, second_);
    for (std::size_t i = 0; i < pixels(); ++i)
        dx[i] = static_cast<T>(static_cast<double>(dy[i]) * inverse_sd_[i] + first_[i] - in_[i] * second_[i]);
}

template void LocalNormalisation::values(const float*, float*);
template void LocalNormalisation::values(const double*, double*);
template void LocalNormalisation::tangent(const float*, const float*, float*);
template void LocalNormalisation::tangent(const double*, const double*, double*);
template void LocalNormalisation::pull_back(const float*, const float*, float*);
template void LocalNormalisation::pull_back(const double*, const double*, double*);

}   // namespace credence
