// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/principal_components.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "laplace/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

namespace {

constexpr std::size_t most_dense = 300;   ///< largest Σ that is formed and decomposed

std::vector<double> covariance_of(std::span<const double> centred, std::size_t d)
{
    const std::size_t n = centred.size() / d;
    std::vector<double> sum(d * d, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const double* x = centred.data() + i * d;
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b <= a; ++b)   // the lower triangle
                sum[a * d + b] += x[a] * x[b];
    }
    for (double& value : sum)
        value /= static_cast<double>(n - 1);
    return sum;
}

std::optional<SymmetricEigen> decomposed(std::span<const double> centred, std::size_t d, std::size_t k,
                                         const std::stop_token& stop)
{
    if (d <= most_dense)
        return positive_eigen(covariance_of(centred, d), static_cast<int>(d));
    const std::size_t n = centred.size() / d;
    return largest_eigenpairs(
        d, static_cast<int>(k),
        [&](std::span<const double> v, std::span<double> product) {
        std::fill(product.begin(), product.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const double* x = centred.data() + i * d;
            double along    = 0;
            for (std::size_t j = 0; j < d; ++j)
                along += x[j] * v[j];
            for (std::size_t j = 0; j < d; ++j)
                product[j] += along * x[j];
        }
        for (double& value : product)
            value /= static_cast<double>(n - 1);
        },
        stop);
}

void make_largest_entry_positive(std::span<double> axis)
{
    const auto largest = std::max_element(axis.begin(), axis.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (largest != axis.end() && *largest < 0)
        for (double& value : axis)
            value = -value;
}

}   // namespace

std::vector<double> PrincipalComponents::coordinates(std::span<const double> rows) const
{
    const std::size_t n = rows.size() / d();
    std::vector<double> out(n * k(), 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t a = 0; a < k(); ++a)
            for (std::size_t j = 0; j < d(); ++j)
                out[i * k() + a] += axes[a * d() + j] * (rows[i * d() + j] - centre[j]);
    return out;
}

std::optional<PrincipalComponents> principal_components(std::span<const double> rows, std::size_t d, std::size_t k,
                                                        const std::stop_token& stop)
{
    const std::size_t n = d > 0 ? rows.size() / d : 0;
    if (n < 2 || rows.size() != n * d)
        throw Error("Principal components: " + std::to_string(n) + " rows found, expected at least 2.");
    require_finite("Principal components: number", rows);
    PrincipalComponents out{.centre    = std::vector<double>(d, 0),
                            .axes      = std::vector<double>(k * d, 0),
                            .variances = std::vector<double>(k, 0)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < d; ++j)
            out.centre[j] += rows[i * d + j] / static_cast<double>(n);
    std::vector<double> centred(rows.begin(), rows.end());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            centred[i * d + j] -= out.centre[j];
            out.total_variance += centred[i * d + j] * centred[i * d + j] / static_cast<double>(n - 1);
        }
    if (stop.stop_requested())
        return {};
    if (!(out.total_variance > 0))
        return out;
    const auto eigen = decomposed(centred, d, k, stop);
    if (!eigen || stop.stop_requested())
        return {};
    for (std::size_t a = 0; a < std::min(k, eigen->values.size()); ++a) {
        const std::size_t from = eigen->values.size() - 1 - a;   // they are ascending
        out.variances[a]       = eigen->values[from];
        if (!(out.variances[a] > 0))
            break;
        const auto axis = std::span(out.axes).subspan(a * d, d);
        std::copy_n(eigen->vectors.begin() + static_cast<std::ptrdiff_t>(from * d), d, axis.begin());
        make_largest_entry_positive(axis);
    }
    return out;
}

std::vector<NearRow> nearest_rows(std::span<const double> rows, std::span<const double> point, std::size_t most)
{
    const std::size_t d = point.size(), n = rows.size() / d;
    std::vector<NearRow> all;
    all.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        double square = 0;
        for (std::size_t j = 0; j < d; ++j)
            square += (rows[i * d + j] - point[j]) * (rows[i * d + j] - point[j]);
        all.push_back({i, std::sqrt(square)});
    }
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, n));
    std::partial_sort(all.begin(), end, all.end(), [](const NearRow& a, const NearRow& b) {
        return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
    });
    all.erase(end, all.end());
    return all;
}

}   // namespace credence
