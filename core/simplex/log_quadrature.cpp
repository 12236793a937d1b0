// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/log_quadrature.h"

#include "foundation/elementary.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace credence {

namespace {

using Kronrod                     = boost::math::quadrature::gauss_kronrod<double, 31>;
using Gauss                       = boost::math::quadrature::gauss<double, 15>;
constexpr double precision        = 1e-11;   // of the Gauss rule; the Kronrod rule is far better
constexpr double rounding_below   = 1e-8;    // relative to the total; larger errors do not count as rounding
constexpr std::size_t most_pieces = 400;

struct Piece {
    double from, to;
    double log_value = -INFINITY, log_error = -INFINITY;

    bool operator<(const Piece& other) const { return log_error < other.log_error; }
};

Piece measured(function_ref<double(double)> log_f, double from, double to)
{
    const auto& nodes   = Kronrod::abscissa();   // 0 first; even indices are nodes of the Gauss rule
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    std::array<std::array<double, 2>, 16> values{};
    double top = -INFINITY;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        values[i] = {log_f(middle - half * nodes[i]), i == 0 ? -INFINITY : log_f(middle + half * nodes[i])};
        top       = std::max({top, values[i][0], values[i][1]});
    }
    Piece piece{from, to};
    if (std::isinf(top))
        return piece;
    double kronrod = 0, gauss = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double both = std::exp(values[i][0] - top) + std::exp(values[i][1] - top);
        kronrod += Kronrod::weights()[i] * both;
        if (i % 2 == 0)
            gauss += Gauss::weights()[i / 2] * both;
    }
    piece.log_value = std::log(kronrod * half) + top;
    piece.log_error = std::log(std::fabs(kronrod - gauss) * half) + top;
    return piece;
}

double log_sum(const std::vector<Piece>& pieces, double Piece::*part)
{
    double sum = -INFINITY;
    for (const Piece& piece : pieces)
        sum = log_add_exp(sum, piece.*part);
    return sum;
}

double log_integral_of_finite(function_ref<double(double)> log_f, double from, double to)
{
    std::vector<Piece> pieces;   // a heap, the largest error first
    const auto add = [&](const Piece& piece) {
        pieces.push_back(piece);
        std::push_heap(pieces.begin(), pieces.end());
    };
    // Narrow intervals at both ends, so that even a very thin boundary layer is sampled
    double before    = from;
    const auto up_to = [&](double end) {
        if (before < end)
            add(measured(log_f, before, end));
        before = std::max(before, end);
    };
    for (const double share : {1e-8, 1e-6, 1e-4, 1e-2, 0.5})
        up_to(from + share * (to - from));
    for (const double share : {1e-2, 1e-4, 1e-6, 1e-8, 0.0})
        up_to(to - share * (to - from));
    while (pieces.size() < most_pieces) {
        const double whole = log_sum(pieces, &Piece::log_value);
        if (std::isinf(whole) || log_sum(pieces, &Piece::log_error) <= whole + std::log(precision))
            break;
        std::pop_heap(pieces.begin(), pieces.end());
        const Piece worst   = pieces.back();
        const double middle = 0.5 * (worst.from + worst.to);
        if (!(worst.from < middle && middle < worst.to))
            break;
        pieces.pop_back();
        Piece left = measured(log_f, worst.from, middle), right = measured(log_f, middle, worst.to);
        // For a smooth function, half an interval has far less than half the error; a remaining
        // error is rounding, which division cannot reduce
        if (worst.log_error < whole + std::log(rounding_below)
            && log_add_exp(left.log_error, right.log_error) > worst.log_error - std::log(2))
            left.log_error = right.log_error = -INFINITY;
        add(left);
        add(right);
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.from < b.from; });
    return log_sum(pieces, &Piece::log_value);
}

}   // namespace

double log_integral(function_ref<double(double)> log_f, double from, double to)
{
    if (!(from < to))
        return -INFINITY;
    if (std::isinf(from) && std::isinf(to))
        return log_add_exp(log_integral(log_f, from, 0), log_integral(log_f, 0, to));
    // t = end ∓ x/(1 − x), dt = dx/(1 − x)²
    const auto far = [&](double end, double sign) {
        return log_integral_of_finite([&](double x) { return log_f(end + sign * x / (1 - x)) - 2 * std::log1p(-x); }, 0,
                                      1);
    };
    if (std::isinf(from))
        return far(to, -1);
    if (std::isinf(to))
        return far(from, 1);
    return log_integral_of_finite(log_f, from, to);
}

}   // namespace credence
