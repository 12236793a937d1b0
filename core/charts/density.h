// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <span>
#include <vector>

namespace credence {

/// Counts in bins of equal width.
struct Histogram {
    double first = 0, width = 1;   ///< lower edge of the first bin
    std::vector<long> counts;
    long total = 0;

    double centre(std::size_t bin) const { return first + (static_cast<double>(bin) + 0.5) * width; }
    double density(std::size_t bin) const
    {
        return total ? static_cast<double>(counts[bin]) / (static_cast<double>(total) * width) : 0;
    }
};

/// Width 2 · IQR · n^{-1/3} (Freedman and Diaconis 1981), 1 to `max_bins` bins over the range of
/// the values. If the quartiles are equal, √n bins; if all values are equal, a single bin around
/// the value. Values that are not finite are left out.
Histogram histogram(std::span<const double> values, int max_bins = 100);
/// In the bins of another histogram (for comparison); values beyond its ends are not counted but
/// are in `total`.
Histogram histogram_like(const Histogram& bins, std::span<const double> values);

Bars bars_of(const Histogram& histogram, const std::string& name, Tone tone,
             double opacity = 0.6);   ///< heights are densities

/// Density estimate with a Gaussian kernel of Silverman's bandwidth 0.9 min(sd, IQR/1.34) n^{-1/5},
/// on 512 bins over the range and three bandwidths beyond. Takes O(n + 512²) for any n. Values that
/// are not finite are left out; fewer than two distinct values give no curve.
struct DensityCurve {
    std::vector<double> x, density;
};
DensityCurve kernel_density(std::span<const double> values);

/// exp(−(x−μ)²/(2σ²)) / (σ√(2π))
double normal_density(double x, double mean, double sd);

}   // namespace credence
