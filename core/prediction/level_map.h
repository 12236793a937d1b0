// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// A continuous, strictly increasing, piecewise linear map R of [0, 1] with R(0) = 0 and R(1) = 1,
/// from the levels of a predictive distribution to the observed frequencies below them. A
/// distribution F becomes R(F(y)), with the density R′(F(y)) f(y) and the quantiles F⁻¹(R⁻¹(u)).
/// Source: Kuleshov, Fenner and Ermon 2018
class LevelMap {
public:
    LevelMap() = default;   ///< the identity
    /// @param levels, frequencies  the knots, both strictly increasing from 0 to 1; @throws Error otherwise
    LevelMap(std::vector<double> levels, std::vector<double> frequencies);

    double operator()(double level) const;
    double inverse(double frequency) const;
    /// R′; at a knot, the slope of the segment to its right.
    double slope(double level) const;

    bool is_identity() const { return levels_.size() == 2; }
    std::size_t n_segments() const { return levels_.size() - 1; }
    const std::vector<double>& levels() const { return levels_; }
    const std::vector<double>& frequencies() const { return frequencies_; }
    bool operator==(const LevelMap&) const = default;

private:
    std::vector<double> levels_{0, 1}, frequencies_{0, 1};
};

/// The map fitted to probability integral transforms v_i = F_i(y_i). Its slopes are a histogram of v
/// whose bins are found by halving. With n values in a bin, n₁ of them in its lower half:
///
///     halve if  B(n₁ + ½, n − n₁ + ½) / B(½, ½) · 2ⁿ · E₁ · E₂ · ⅓ > 1,   E: the same of the halves, at least 1
///     share of the lower half = (n₁ + ½) / (n + 1)
///
/// so that uniform values give the identity, every slope is positive, and Σ ln R′(v_i) >= 0: the mean
/// log density of these values never falls. A bin is at least 2⁻²⁰ wide.
/// @throws Error if a value is outside [0, 1]
/// Sources: Kuleshov, Fenner and Ermon 2018; Wong and Ma 2010 (optional Pólya trees)
LevelMap fit_level_map(std::span<const double> values);

}   // namespace credence
