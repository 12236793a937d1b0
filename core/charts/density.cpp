// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/density.h"

#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {

namespace {

std::vector<double> sorted_finite(std::span<const double> values)
{
    std::vector<double> sorted;
    sorted.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double v) { return std::isfinite(v); });
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

double interquartile_range(const std::vector<double>& sorted)
{
    return quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25);
}

void count(Histogram& bins, std::span<const double> values)
{
    for (const double v : values) {
        if (!std::isfinite(v))
            continue;
        ++bins.total;
        const double place = (v - bins.first) / bins.width;
        const double n     = static_cast<double>(bins.counts.size());
        if (place >= 0 && place <= n)
            ++bins.counts[std::min(static_cast<std::size_t>(place),
                                   bins.counts.size() - 1)];   // the last bin is closed
    }
}

}   // namespace

Histogram histogram(std::span<const double> values, int max_bins)
{
    const auto sorted = sorted_finite(values);
    if (sorted.empty())
        return {};
    const double n = static_cast<double>(sorted.size()), range = sorted.back() - sorted.front();
    Histogram out;
    if (range <= 1e-12 * std::max(std::fabs(sorted.front()), std::fabs(sorted.back())) || range == 0) {
        out.width = std::max(1e-6, 0.1 * std::fabs(sorted.front()));
        out.first = sorted.front() - out.width / 2;
        out.counts.assign(1, 0);
    } else {
        const double fd   = 2 * interquartile_range(sorted) / std::cbrt(n);
        const double bins = std::clamp(std::ceil(fd > 0 ? range / fd : std::sqrt(n)), 1.0,
                                       static_cast<double>(max_bins));
        out.first         = sorted.front();
        out.width         = range / bins;
        out.counts.assign(static_cast<std::size_t>(bins), 0);
    }
    count(out, sorted);
    return out;
}

Histogram histogram_like(const Histogram& bins, std::span<const double> values)
{
    Histogram out{bins.first, bins.width, std::vector<long>(bins.counts.size(), 0), 0};
    count(out, values);
    return out;
}

Bars bars_of(const Histogram& histogram, const std::string& name, Tone tone, double opacity)
{
    Bars bars{.name = name, .width = histogram.width, .tone = tone, .opacity = opacity};
    for (std::size_t b = 0; b < histogram.counts.size(); ++b) {
        bars.position.push_back(histogram.centre(b));
        bars.height.push_back(histogram.density(b));
    }
    return bars;
}

DensityCurve kernel_density(std::span<const double> values)
{
    const auto sorted = sorted_finite(values);
    if (sorted.size() < 2 || sorted.front() == sorted.back())
        return {};
    const double n = static_cast<double>(sorted.size());
    double mean = 0, squares = 0;
    for (const double v : sorted)
        mean += v / n;
    for (const double v : sorted)
        squares += (v - mean) * (v - mean);
    const double sd = std::sqrt(squares / (n - 1)), iqr = interquartile_range(sorted);
    const double bandwidth = 0.9 * (iqr > 0 ? std::min(sd, iqr / 1.34) : sd) * std::pow(n, -0.2);

    constexpr int bins = 512;
    const double low = sorted.front() - 3 * bandwidth, step = (sorted.back() + 3 * bandwidth - low) / bins;
    std::vector<double> mass(bins, 0);
    for (const double v : sorted)
        mass[std::min(bins - 1, static_cast<int>((v - low) / step))] += 1 / n;
    DensityCurve out;
    for (int i = 0; i < bins; ++i) {
        const double x = low + (i + 0.5) * step;
        double density = 0;
        for (int j = 0; j < bins; ++j)
            if (mass[j] > 0)
                density += mass[j] * normal_density(x, low + (j + 0.5) * step, bandwidth);
        out.x.push_back(x);
        out.density.push_back(density);
    }
    return out;
}

double normal_density(double x, double mean, double sd)
{
    const double z = (x - mean) / sd;
    return std::exp(-0.5 * z * z) / (sd * std::sqrt(2 * std::numbers::pi));
}

}   // namespace credence
