// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simplex.h"

#include "foundation/error.h"
#include "simplex/laplace_bridge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

using Logits = LogitHandles::Logits;
using Plane  = std::array<double, 2>;   ///< coordinates in the basis below

// An orthonormal basis of the plane Σz = 0.
constexpr double r2 = 0.70710678118654752440, r6 = 0.40824829046386301637;
constexpr Logits basis[2] = {{r2, -r2, 0}, {r6, r6, -2 * r6}};

constexpr double smallest_probability = 1e-3;      ///< closest distance to the border
constexpr double shortest = 1e-4, longest = 1e3;   ///< standard deviations

double dot(const Logits& a, const Logits& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Plane in_plane(const Logits& z) { return {dot(z, basis[0]), dot(z, basis[1])}; }
Logits in_space(const Plane& p)
{
    Logits z{};
    for (std::size_t k = 0; k < 3; ++k)
        z[k] = p[0] * basis[0][k] + p[1] * basis[1][k];
    return z;
}
double norm(const Plane& p) { return std::hypot(p[0], p[1]); }

TrianglePlace softmax_place(const std::vector<double>& mu, const Logits& shift)
{
    const auto p = softmax(std::vector<double>{mu[0] + shift[0], mu[1] + shift[1], mu[2] + shift[2]});
    return {p[0], p[1]};
}

/// ln π, centred; π is moved slightly inside the border.
Logits centred_log(TrianglePlace place)
{
    Logits z{place.first, place.second, place.third()};
    double sum = 0;
    for (double& p : z) {
        p = std::max(p, smallest_probability);
        sum += p;
    }
    double mean = 0;
    for (double& p : z) {
        p = std::log(p / sum);
        mean += p / 3;
    }
    for (double& p : z)
        p -= mean;
    return z;
}

}   // namespace

LogitHandles::LogitHandles(LogitGaussian distribution) : distribution_(std::move(distribution)), axes_{}
{
    if (distribution_.n_classes() != 3)
        throw Error("Handles on the triangle: a distribution over " + std::to_string(distribution_.n_classes())
                    + " classes found, expected 3.");
    double c[2][2] = {};
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    c[a][b] += basis[a][static_cast<std::size_t>(k)] * distribution_.covariance(k, l)
                               * basis[b][static_cast<std::size_t>(l)];
    const double half = 0.5 * (c[0][0] - c[1][1]), root = std::hypot(half, c[0][1]), middle = 0.5 * (c[0][0] + c[1][1]);
    const double angle   = root > 0 ? 0.5 * std::atan2(c[0][1], half) : 0;
    const double long_sd = std::sqrt(middle + root), short_sd = std::sqrt(std::max(0.0, middle - root));
    axes_[0] = in_space({long_sd * std::cos(angle), long_sd * std::sin(angle)});
    axes_[1] = in_space({-short_sd * std::sin(angle), short_sd * std::cos(angle)});
}

TrianglePlace LogitHandles::mean() const { return softmax_place(distribution_.mu(), {}); }
TrianglePlace LogitHandles::end(int which) const { return softmax_place(distribution_.mu(), axis(which)); }
double LogitHandles::length(int which) const { return std::sqrt(dot(axis(which), axis(which))); }

Line LogitHandles::ellipse(int points) const
{
    Line line{.halo = true};
    for (int i = 0; i <= points; ++i) {
        const double angle = 2 * std::numbers::pi * i / points;
        Logits z{};
        for (std::size_t k = 0; k < 3; ++k)
            z[k] = std::cos(angle) * axes_[0][k] + std::sin(angle) * axes_[1][k];
        const TrianglePlace place = softmax_place(distribution_.mu(), z);
        line.x.push_back(place.first);
        line.y.push_back(place.second);
    }
    return line;
}

LogitHandles::Logits LogitHandles::towards(TrianglePlace place) const
{
    Logits z          = centred_log(place);
    const auto& mu    = distribution_.mu();
    const double mean = (mu[0] + mu[1] + mu[2]) / 3;
    for (std::size_t k = 0; k < 3; ++k)
        z[k] -= mu[k] - mean;
    return z;
}

LogitHandles LogitHandles::with_mean(TrianglePlace place) const
{
    const Logits z    = centred_log(place);
    const auto& mu    = distribution_.mu();
    const double mean = (mu[0] + mu[1] + mu[2]) / 3;
    return {LogitGaussian::from_covariance({z[0] + mean, z[1] + mean, z[2] + mean}, distribution_.covariance()), axes_};
}

LogitHandles LogitHandles::with_axis(int which, const Logits& to) const
{
    const Plane old[2]         = {in_plane(axes_[0]), in_plane(axes_[1])};
    const auto w               = static_cast<std::size_t>(which);
    Plane wanted               = in_plane(to);
    const double wanted_length = norm(wanted);
    if (!(wanted_length > 0) || !std::isfinite(wanted_length))
        return *this;
    const double length = std::clamp(wanted_length, shortest, longest),
                 other  = std::clamp(norm(old[1 - w]), shortest, longest);
    const Plane along{wanted[0] / wanted_length, wanted[1] / wanted_length};
    Plane across{-along[1], along[0]};
    if (across[0] * old[1 - w][0] + across[1] * old[1 - w][1] < 0)
        across = {along[1], -along[0]};
    Plane fresh[2];
    fresh[w]         = {length * along[0], length * along[1]};
    fresh[1 - w]     = {other * across[0], other * across[1]};
    const double det = old[0][0] * old[1][1] - old[0][1] * old[1][0];
    if (!(std::fabs(det) > 0))
        return *this;
    // T maps the old axes to the new ones. In logit space, M = E T Eᵀ + 11ᵀ/3, and Σ becomes M Σ
    // Mᵀ.
    double T[2][2];
    for (std::size_t r = 0; r < 2; ++r) {
        T[r][0] = (fresh[0][r] * old[1][1] - fresh[1][r] * old[0][1]) / det;
        T[r][1] = (fresh[1][r] * old[0][0] - fresh[0][r] * old[1][0]) / det;
    }
    double M[3][3], MS[3][3] = {};
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
            M[k][l] = 1.0 / 3;
            for (std::size_t a = 0; a < 2; ++a)
                for (std::size_t b = 0; b < 2; ++b)
                    M[k][l] += basis[a][k] * T[a][b] * basis[b][l];
        }
    const auto S = distribution_.covariance();
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            for (int j = 0; j < 3; ++j)
                MS[k][l] += M[k][j] * S[static_cast<std::size_t>(3 * j + l)];
    std::vector<double> after(9, 0);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l <= k; ++l) {
            double sum = 0;
            for (int j = 0; j < 3; ++j)
                sum += MS[k][j] * M[l][j];
            after[static_cast<std::size_t>(3 * k + l)] = after[static_cast<std::size_t>(3 * l + k)] = sum;
        }
    return {LogitGaussian::from_covariance(distribution_.mu(), after), {in_space(fresh[0]), in_space(fresh[1])}};
}

LogitHandles LogitHandles::with_length(int which, double wanted) const
{
    Logits to        = axis(which);
    const double now = length(which);
    for (double& z : to)
        z *= now > 0 ? wanted / now : 0;
    return with_axis(which, to);
}

}   // namespace credence
