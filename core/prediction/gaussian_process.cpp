// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/gaussian_process.h"

#include "foundation/error.h"
#include "foundation/statistics.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace credence {

double RbfKernel::operator()(double x, double y) const
{
    const double z = (x - y) / length_scale;
    return amplitude * amplitude * std::exp(-0.5 * z * z);
}

double RbfKernel::operator()(std::span<const double> x, std::span<const double> y) const
{
    double squares = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
        squares += (x[j] - y[j]) * (x[j] - y[j]);
    return amplitude * amplitude * std::exp(-0.5 * squares / (length_scale * length_scale));
}

namespace {

double relu_product(double k_uu, double k_uv, double k_vv)
{
    const double scale = std::sqrt(k_uu) * std::sqrt(k_vv);
    if (!(scale > 0))
        return 0;
    const double c = std::clamp(k_uv / scale, -1.0, 1.0), s = std::sqrt((1 - c) * (1 + c));
    return scale / (2 * std::numbers::pi) * (s + (std::numbers::pi - std::atan2(s, c)) * c);
}

/// E[erf(s u) erf(s v)], squared = s².
double erf_product(double squared, double k_uu, double k_uv, double k_vv)
{
    const double scale = std::sqrt(1 + 2 * squared * k_uu) * std::sqrt(1 + 2 * squared * k_vv);
    return 2 / std::numbers::pi * std::asin(std::clamp(2 * squared * k_uv / scale, -1.0, 1.0));
}

constexpr double tanh_slope = std::numbers::pi / 4;   // s² of erf(s u) with the slope of tanh at 0

bool has_expected_product(ActivationKind kind)
{
    return kind != ActivationKind::softplus && kind != ActivationKind::elu;
}

/// The activation after each dense layer but the last; empty if a layer is of another kind.
std::optional<std::vector<ActivationKind>> activations_of_mlp(const Architecture& architecture)
{
    std::vector<ActivationKind> out;
    bool after_dense = false;
    for (const auto& layer : architecture.layers) {
        if (std::holds_alternative<Dense>(layer)) {
            if (after_dense)
                out.push_back(ActivationKind::identity);
            after_dense = true;
        } else if (const auto* activation = std::get_if<Activation>(&layer); activation && after_dense) {
            out.push_back(activation->kind);
            after_dense = false;
        } else if (!std::holds_alternative<Flatten>(layer))
            return {};
    }
    if (!after_dense)
        return {};
    return out;
}

}   // namespace

double expected_product(ActivationKind activation, double k_uu, double k_uv, double k_vv)
{
    switch (activation) {
    case ActivationKind::relu: return relu_product(k_uu, k_uv, k_vv);
    case ActivationKind::tanh: return erf_product(tanh_slope, k_uu, k_uv, k_vv);
    case ActivationKind::sigmoid: return (1 + erf_product(tanh_slope / 4, k_uu, k_uv, k_vv)) / 4;
    case ActivationKind::identity: return k_uv;
    case ActivationKind::softplus:
    case ActivationKind::elu: break;
    }
    throw Error(std::string("The expected product of two activations \"") + name_of(activation)
                + "\" has no closed form here.");
}

double WidthLimitKernel::operator()(double x, double y) const { return after_all_layers(x * x, x * y, y * y); }

double WidthLimitKernel::operator()(std::span<const double> x, std::span<const double> y) const
{
    const auto product = [](std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    return after_all_layers(product(x, x), product(x, y), product(y, y));
}

/// From the inner products of the inputs.
double WidthLimitKernel::after_all_layers(double xx, double xy, double yy) const
{
    for (double* each : {&xx, &xy, &yy})
        *each = layers.front().biases + layers.front().weights * *each;
    for (std::size_t l = 1; l < layers.size(); ++l) {
        const auto next = [&](double uu, double uv, double vv) {
            return layers[l].biases + layers[l].weights * expected_product(activation, uu, uv, vv);
        };
        const double between = next(xx, xy, yy);
        xx                   = next(xx, xx, xx);
        yy                   = next(yy, yy, yy);
        xy                   = between;
    }
    return xy;
}

std::optional<std::string> why_no_width_limit(const Architecture& architecture, const Prior& prior)
{
    const auto activations = activations_of_mlp(architecture);
    if (!activations)
        return "The infinite-width kernel needs dense layers only, without dropout.";
    for (const auto kind : *activations) {
        if (!has_expected_product(kind))
            return std::string("The infinite-width kernel has no closed form for the activation ") + name_of(kind)
                   + "; it needs relu, tanh, sigmoid or identity.";
        if (kind != activations->front())
            return "The infinite-width kernel needs the same activation in all layers.";
    }
    for (const auto& block : prior.blocks) {
        const auto* gaussian = std::get_if<GaussianPrior>(&block);
        if (!gaussian || gaussian->mean != 0 || !prior.means.empty())
            return "The infinite-width kernel needs a Gaussian prior with mean 0.";
    }
    return {};
}

WidthLimitKernel width_limit(const Architecture& architecture, const Prior& prior)
{
    const auto layout      = layout_of(architecture);
    const auto activations = activations_of_mlp(architecture).value();
    WidthLimitKernel out;
    if (!activations.empty())
        out.activation = activations.front();
    for (int l = 0; l < layout.n_layers(); ++l) {
        const auto blocks      = static_cast<std::size_t>(2 * l);
        const double weight_sd = std::get<GaussianPrior>(prior.blocks[blocks]).sd;
        const double bias_sd   = std::get<GaussianPrior>(prior.blocks[blocks + 1]).sd;
        const double inputs    = l == 0 ? 1 : layout.layer(l).weights.fan_in;
        out.layers.push_back({.weights = inputs * weight_sd * weight_sd, .biases = bias_sd * bias_sd});
    }
    return out;
}

struct GaussianProcess::Factor {
    Eigen::LLT<Eigen::MatrixXd> cholesky;
    Eigen::VectorXd alpha;   // C⁻¹ y
};

namespace {

/// Decomposes C, with a growing multiple of the identity if rounding errors make it indefinite.
Eigen::LLT<Eigen::MatrixXd> cholesky_with_jitter(const Eigen::MatrixXd& covariance)
{
    constexpr double least = 1e-12, most = 1e-6;
    const double scale = covariance.diagonal().mean();
    Eigen::LLT<Eigen::MatrixXd> out(covariance);
    for (double jitter = least; out.info() != Eigen::Success && jitter <= 1.5 * most; jitter *= 10) {
        Eigen::MatrixXd raised = covariance;
        raised.diagonal().array() += jitter * scale;
        out.compute(raised);
    }
    if (out.info() != Eigen::Success)
        throw Error("Gaussian process: the covariance matrix of the training rows is not positive definite.");
    return out;
}

}   // namespace

GaussianProcess::GaussianProcess(Kernel kernel, std::span<const double> x, std::span<const double> y, double noise_sd)
    : kernel_(std::move(kernel)), x_(x.begin(), x.end())
{
    if (x.empty() || x.size() != y.size())
        throw Error("Gaussian process: " + std::to_string(x.size()) + " inputs and " + std::to_string(y.size())
                    + " targets, expected the same number of at least 1.");
    require_finite("Gaussian process: input", x);
    require_finite("Gaussian process: target", y);
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::MatrixXd covariance(n, n);
    for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = j; i < n; ++i)
            covariance(i, j) = covariance(j, i) = kernel_(x_[static_cast<std::size_t>(i)],
                                                          x_[static_cast<std::size_t>(j)]);
    covariance.diagonal().array() += noise_sd * noise_sd;
    auto factor      = std::make_unique<Factor>();
    factor->cholesky = cholesky_with_jitter(covariance);
    const Eigen::Map<const Eigen::VectorXd> targets(y.data(), n);
    factor->alpha             = factor->cholesky.solve(targets);
    const double half_log_det = factor->cholesky.matrixLLT().diagonal().array().log().sum();
    log_marginal_likelihood_  = -0.5 * targets.dot(factor->alpha) - half_log_det
                               - 0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
    factor_ = std::move(factor);
}

GaussianProcess::~GaussianProcess()                                     = default;
GaussianProcess::GaussianProcess(GaussianProcess&&) noexcept            = default;
GaussianProcess& GaussianProcess::operator=(GaussianProcess&&) noexcept = default;

GaussianProcess::Prediction GaussianProcess::at(std::span<const double> x) const
{
    const auto n = static_cast<Eigen::Index>(x_.size());
    Prediction out;
    Eigen::VectorXd between(n);
    for (const double there : x) {
        for (Eigen::Index i = 0; i < n; ++i)
            between(i) = kernel_(there, x_[static_cast<std::size_t>(i)]);
        out.mean.push_back(between.dot(factor_->alpha));
        factor_->cholesky.matrixL().solveInPlace(between);
        out.sd.push_back(std::sqrt(std::max(0.0, kernel_(there, there) - between.squaredNorm())));
    }
    return out;
}

namespace {

using LogPoint = std::array<double, 2>;   // ln ℓ, ln A

/// Limits of the search.
struct LogBox {
    LogPoint low, high;
    LogPoint clamped(LogPoint p) const
    {
        return {std::clamp(p[0], low[0], high[0]), std::clamp(p[1], low[1], high[1])};
    }
};

}   // namespace

std::optional<RbfKernel> fitted_rbf(std::span<const double> x, std::span<const double> y, double noise_sd,
                                    const std::stop_token& stop)
{
    if (x.empty())
        throw Error("Gaussian process: there are no rows to fit.");
    const auto [first, last] = std::minmax_element(x.begin(), x.end());
    const double range       = *last > *first ? *last - *first : 1;
    double squares           = 0;
    for (const double each : y)
        squares += each * each / static_cast<double>(y.size());
    const double size = squares > 0 ? std::sqrt(squares) : 1;
    const LogBox box{{std::log(1e-3 * range), std::log(1e-2 * size)}, {std::log(10 * range), std::log(100 * size)}};
    const auto value = [&](const LogPoint& p) {
        if (stop.stop_requested())
            return -std::numeric_limits<double>::infinity();
        try {
            return GaussianProcess(RbfKernel{std::exp(p[0]), std::exp(p[1])}, x, y, noise_sd).log_marginal_likelihood();
        } catch (const Error&) {   // not positive definite: no kernel to choose
            return -std::numeric_limits<double>::infinity();
        }
    };

    LogPoint best{};
    double highest = -std::numeric_limits<double>::infinity();
    for (const double share : {0.01, 0.03, 0.1, 0.2, 0.5, 1.0, 3.0})
        for (const double times : {0.3, 1.0, 3.0, 10.0}) {
            const LogPoint p{std::log(share * range), std::log(times * size)};
            if (const double there = value(p); there > highest || (best == LogPoint{} && there == highest)) {
                best    = p;
                highest = there;
            }
        }
    // A pattern search: to the best of the eight neighbours, with half the step if none is better.
    for (double step = 0.5; step > 1e-4 && !stop.stop_requested();) {
        LogPoint next      = best;
        double next_height = highest;
        for (const double dl : {-1.0, 0.0, 1.0})
            for (const double da : {-1.0, 0.0, 1.0}) {
                if (dl == 0 && da == 0)
                    continue;
                const auto p = box.clamped({best[0] + dl * step, best[1] + da * step});
                if (const double there = value(p); there > next_height) {
                    next        = p;
                    next_height = there;
                }
            }
        if (next_height > highest) {
            best    = next;
            highest = next_height;
        } else
            step /= 2;
    }
    if (stop.stop_requested())
        return {};
    return RbfKernel{std::exp(best[0]), std::exp(best[1])};
}

}   // namespace credence
