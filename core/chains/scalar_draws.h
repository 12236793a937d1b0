// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Σ_{i<n} f(i) in eight partial sums, one vector. The order depends on n alone, not on the memory
/// address. Eigen's reductions begin at an aligned address, so their last digit differs between
/// buffers.
template <class F>
double lane_sum(std::size_t n, const F& f)
{
    constexpr std::size_t width = 8;
    std::array<double, width> lanes{};
    std::size_t i = 0;
    for (; i + width <= n; i += width) {
#pragma omp simd
        for (std::size_t l = 0; l < width; ++l)
            lanes[l] += f(i + l);
    }
    double rest = 0;
    for (; i < n; ++i)
        rest += f(i);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7])) + rest;
}

inline double lane_mean(std::span<const double> x)
{
    return lane_sum(x.size(), [&](std::size_t i) { return x[i]; }) / static_cast<double>(x.size());
}

/// Σ (x_i − centre)²
inline double squares_about(double centre, std::span<const double> x)
{
    return lane_sum(x.size(), [&](std::size_t i) { return (x[i] - centre) * (x[i] - centre); });
}

/// Why a diagnostic is undefined. See DiagnosticValue::why_not for the sentences.
enum class Undefined {
    no,              ///< it is defined
    too_few_draws,   ///< fewer than four per chain, or no chain
    not_finite,      ///< a draw is NaN or infinite
    constant,        ///< all draws are equal, so there is nothing to judge
    stuck,           ///< each chain is stuck at its own value, so R̂ is unbounded
};

/// A finite number, or the reason why there is none. It never contains NaN or infinity.
class DiagnosticValue {
public:
    DiagnosticValue(double value);   ///< a value that is not finite becomes a reason
    DiagnosticValue(Undefined why, std::string sentence);

    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    double operator*() const { return value_.value(); }   ///< @throws std::bad_optional_access if undefined
    const std::optional<double>& value() const { return value_; }

    Undefined reason() const { return reason_; }
    const std::string& why_not() const { return why_not_; }   ///< empty if there is a value

    bool operator==(const DiagnosticValue&) const = default;

private:
    std::optional<double> value_{};
    Undefined reason_ = Undefined::no;
    std::string why_not_{};
};

/// Draws of one scalar quantity from several chains of equal length, borrowed: [n_chains ×
/// n_draws], chain by chain.
struct ScalarDraws {
    std::span<const double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    std::span<const double> chain(std::size_t c) const { return values.subspan(c * n_draws, n_draws); }
    /// @throws Error "Draws of chains: found 7 values, expected 2 chains of 4 draws."
    void check() const;
};

/// The same with its own memory.
struct OwnedDraws {
    std::vector<double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    ScalarDraws view() const { return {values, n_chains, n_draws}; }
};

/// A power of two that scales finite values to at most 4 in magnitude, so that their squares and
/// fourth powers do not overflow. Ratios of moments keep their bits. 1 if all values are zero.
double unit_factor(std::span<const double> values);

/// True if all values are equal.
bool all_equal(std::span<const double> values);

}   // namespace credence
