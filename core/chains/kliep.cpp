// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/double_well.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "random/noise.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace credence {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr double least_reach    = 1e-100;   // of κ: smaller values make the ratios overflow

void check(const PointRows& points, const char* which)
{
    const std::string name = std::string("KLIEP: the ") + which;
    if (points.n_columns == 0 || points.values.size() % points.n_columns != 0)
        throw Error(name + " has " + std::to_string(points.values.size()) + " numbers, expected rows of "
                    + std::to_string(points.n_columns) + ".");
    if (points.n_rows() < 2)
        throw Error(name + " has " + std::to_string(points.n_rows()) + " points, expected at least 2.");
    require_finite((name + ": number").c_str(), points.values);
}

/// ‖x_i − c_l‖² [n × b]
Matrix squared_distances(const PointRows& points, const PointRows& centres)
{
    Matrix out(static_cast<Eigen::Index>(points.n_rows()), static_cast<Eigen::Index>(centres.n_rows()));
    for (std::size_t l = 0; l < centres.n_rows(); ++l)
        for (std::size_t i = 0; i < points.n_rows(); ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < points.n_columns; ++k) {
                const double difference = points.row(i)[k] - centres.row(l)[k];
                sum += difference * difference;
            }
            out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(l)) = sum;
        }
    return out;
}

Matrix kernels(const Matrix& squares, double width) { return (squares.array() * (-0.5 / (width * width))).exp(); }

/// The root mean squared distance from the mean, per column, over both samples.
double overall_sd(const PointRows& a, const PointRows& b)
{
    const double n = static_cast<double>(a.n_rows() + b.n_rows());
    double squares = 0;
    for (std::size_t k = 0; k < a.n_columns; ++k) {
        double mean = 0;
        for (const auto* points : {&a, &b})
            for (std::size_t i = 0; i < points->n_rows(); ++i)
                mean += points->row(i)[k] / n;
        for (const auto* points : {&a, &b})
            for (std::size_t i = 0; i < points->n_rows(); ++i)
                squares += (points->row(i)[k] - mean) * (points->row(i)[k] - mean) / n;
    }
    return std::sqrt(squares / static_cast<double>(a.n_columns));
}

std::vector<double> candidate_widths(const KliepOptions& options, double sd)
{
    for (const double width : options.widths)
        if (!(width > 0 && std::isfinite(width)))
            throw Error("KLIEP: a kernel width is " + number_text(width, 6) + ", expected a number above 0.");
    if (!options.widths.empty())
        return options.widths;
    if (!(sd > 0))
        throw Error("KLIEP: all points are equal, expected at least two different ones.");
    std::vector<double> widths;
    constexpr int n = 9;
    for (int i = 0; i < n; ++i)
        widths.push_back(sd * 0.02 * std::pow(100.0, i / (n - 1.0)));
    return widths;
}

/// The proportions w, and an upper bound on the distance of the mean of ln r from its maximum.
struct Mixture {
    Vector w;
    double gap = 0;
};
/// @param A  K(x_i, c_l)/κ_l [n × b] @return empty if r is 0 at a point for every w
std::optional<Mixture> fit(const Matrix& A, const KliepOptions& options)
{
    const double n = static_cast<double>(A.rows());
    Mixture out{Vector::Constant(A.cols(), 1.0 / static_cast<double>(A.cols())), 0};
    Vector r(A.rows()), g(A.cols());
    for (int iteration = 0;; ++iteration) {
        r.noalias() = A * out.w;
        if (!(r.minCoeff() > 0))
            return {};
        g.noalias() = A.transpose() * r.cwiseInverse();
        g /= n;
        out.gap = g.maxCoeff() - 1;
        if (out.gap <= options.tolerance || iteration >= options.max_iterations)
            return out;
        out.w.array() *= g.array();
        out.w /= out.w.sum();   // 1 except for rounding
    }
}

/// For one width: κ, and the kernels divided by κ at the points of the numerator.
struct Scaled {
    Vector reach;   ///< κ [b]
    Matrix A;       ///< [n × b]
};
std::optional<Scaled> scaled(const Matrix& numerator_squares, const Matrix& denominator_squares, double width)
{
    Scaled out{kernels(denominator_squares, width).colwise().mean().transpose(), {}};
    if (!(out.reach.minCoeff() > least_reach))
        return {};
    out.A = kernels(numerator_squares, width).array().rowwise() / out.reach.transpose().array();
    return out;
}

/// The mean of ln r at held-out points.
double score(const Matrix& A, const std::vector<std::uint32_t>& order, std::size_t folds, const KliepOptions& options)
{
    double sum = 0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        stop_point();
        std::vector<Eigen::Index> seen, unseen;
        for (std::size_t i = 0; i < order.size(); ++i)
            (i % folds == fold ? unseen : seen).push_back(static_cast<Eigen::Index>(order[i]));
        const auto mixture = fit(A(seen, Eigen::all), options);
        if (!mixture)
            return minus_infinity;
        const Matrix held_out = A(unseen, Eigen::all);
        const Vector r        = held_out * mixture->w;
        if (!(r.minCoeff() > 0))
            return minus_infinity;
        sum += r.array().log().sum();
    }
    return sum / static_cast<double>(order.size());
}

}   // namespace

double DensityRatio::operator()(std::span<const double> x) const
{
    double sum = 0;
    for (std::size_t l = 0; l < weights.size(); ++l) {
        double square = 0;
        for (std::size_t k = 0; k < n_columns; ++k) {
            const double difference = x[k] - centres[l * n_columns + k];
            square += difference * difference;
        }
        sum += weights[l] * std::exp(-0.5 * square / (width * width));
    }
    return sum;
}

std::vector<double> DensityRatio::at(const PointRows& points) const
{
    std::vector<double> out(points.n_rows());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = (*this)(points.row(i));
    return out;
}

DensityRatio kliep(const PointRows& numerator, const PointRows& denominator, const KliepOptions& options)
{
    check(numerator, "numerator");
    check(denominator, "denominator");
    if (numerator.n_columns != denominator.n_columns)
        throw Error("KLIEP: the numerator has " + std::to_string(numerator.n_columns) + " columns and the denominator "
                    + std::to_string(denominator.n_columns) + ", expected the same number.");
    if (options.max_centres < 1 || options.folds < 2)
        throw Error("KLIEP: found " + std::to_string(options.max_centres) + " centres and "
                    + std::to_string(options.folds) + " folds, expected at least 1 and 2.");
    const auto widths = candidate_widths(options, overall_sd(numerator, denominator));

    DensityRatio out{.n_columns = numerator.n_columns};
    const auto chosen = permutation({options.seed, Stream::figures, 0}, numerator.n_rows());
    for (std::size_t l = 0; l < std::min(options.max_centres, chosen.size()); ++l) {
        const auto centre = numerator.row(chosen[l]);
        out.centres.insert(out.centres.end(), centre.begin(), centre.end());
    }
    const PointRows centres{out.centres, out.n_columns};
    const Matrix of_numerator   = squared_distances(numerator, centres),
                 of_denominator = squared_distances(denominator, centres);

    const auto order        = permutation({options.seed, Stream::figures, 1}, numerator.n_rows());
    const std::size_t folds = std::min(options.folds, numerator.n_rows());
    double best             = minus_infinity;
    for (const double width : widths) {
        const auto with = scaled(of_numerator, of_denominator, width);
        out.candidates.push_back({width, with ? score(with->A, order, folds, options) : minus_infinity});
        if (out.candidates.back().score > best) {
            best      = out.candidates.back().score;
            out.width = width;
        }
    }
    const auto with    = best > minus_infinity ? scaled(of_numerator, of_denominator, out.width) : std::nullopt;
    const auto mixture = with ? fit(with->A, options) : std::nullopt;
    if (!mixture)
        throw Error(
            "KLIEP: for every kernel width some points of the numerator are out of reach of the denominator, so the "
            "ratio is unbounded. Expected wider kernels or overlapping samples.");
    out.gap              = mixture->gap;
    const Vector weights = mixture->w.array() / with->reach.array();
    out.weights.assign(weights.data(), weights.data() + weights.size());
    return out;
}

}   // namespace credence
