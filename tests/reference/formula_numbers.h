// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "json_compare.h"

#include <cstdint>

// Arrays made by formula, and long arrays known by their sums (README.md of the values).
namespace credence::reference {

/// SplitMix64: u_i, i = 1..n, in [0, 1).
inline std::vector<double> hash01(std::uint64_t seed, std::size_t n)
{
    std::vector<double> u(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
        z               = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z               = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z               = z ^ (z >> 31);
        u[i]            = static_cast<double>(z >> 11) * 0x1p-53;
    }
    return u;
}
inline std::vector<double> symmetric(std::uint64_t seed, std::size_t n, double scale)
{
    auto values = hash01(seed, n);
    for (double& v : values)
        v = scale * (2 * v - 1);
    return values;
}

/// A long array against the sums {n, sum, sum_abs, sum_sq, dot_hash} in `want`, and against single entries if it has {at: {index, value}}.
inline void check_summary(Case& check, const Json& want, const std::string& key, const std::vector<double>& got,
                          Tolerance tolerance)
{
    const auto u = hash01(12345, got.size());
    double sum = 0, sum_abs = 0, sum_sq = 0, dot = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        sum += got[i];
        sum_abs += std::fabs(got[i]);
        sum_sq += got[i] * got[i];
        dot += got[i] * (2 * u[i] - 1);
    }
    const double scale = want.at("sum_abs");
    check.relative_to(key + ".n", static_cast<double>(got.size()), want.at("n"), 0, {0, 0});
    check.relative_to(key + ".sum", sum, want.at("sum"), scale, tolerance);
    check.relative_to(key + ".sum_abs", sum_abs, scale, scale, tolerance);
    if (want.contains("sum_sq"))
        check.relative_to(key + ".sum_sq", sum_sq, want.at("sum_sq"), want.at("sum_sq"), tolerance);
    check.relative_to(key + ".dot_hash", dot, want.at("dot_hash"), scale, tolerance);
    if (!want.contains("at"))
        return;
    const std::vector<double> at = numbers(want.at("at").at("index")), value = numbers(want.at("at").at("value"));
    double largest = 0;   // max |want| of the array is not listed: that of the entries
    for (const double v : value)
        largest = std::max(largest, std::fabs(v));
    for (std::size_t i = 0; i < at.size(); ++i)
        check.relative_to(key + ".at " + std::to_string(static_cast<long>(at[i])),
                          got.at(static_cast<std::size_t>(at[i])), value.at(i), largest, tolerance);
}

/// The array `key` of `expected` by its sums, and its entries at the case's own list of indices (`KEY_at`, `index`).
inline void check_listed_summary(Case& check, const Json& expected, const std::string& key,
                                 const std::vector<double>& got, Tolerance tolerance)
{
    if (expected.contains(key))
        check_summary(check, expected.at(key), key, got, tolerance);
    if (expected.contains("index") && expected.contains(key + "_at")) {
        std::vector<double> at;
        for (const std::size_t i : expected.at("index"))
            at.push_back(got.at(i));
        check.near(key + "_at", at);
    }
}

}   // namespace credence::reference
