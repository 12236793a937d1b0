// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_distribution.h"
#include "network/noise_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

// Properties that every likelihood has: derivatives against finite differences, agreement of its
// functions with each other, and moments of its noise by integration.
namespace credence {

/// A likelihood by the id of its noise model, with the values of its settings.
inline Likelihood noise(const std::string& id, const std::vector<double>& values = {})
{
    return noise_model(id).likelihood(values);
}
/// @param beta  of the β-NLL; 0: the likelihood itself
inline Likelihood learned_noise(double beta = 0) { return noise("learned", {beta}); }
/// Noise of one learned level.
inline Likelihood learned_level() { return noise("level"); }
inline Likelihood student_t(double scale, double degrees) { return noise("student_t", {scale, degrees}); }

namespace likelihood_properties {

/// Outputs and targets of some rows.
struct Rows {
    int n, k;
    std::vector<double> outputs;
    std::vector<int> labels;
    std::vector<float> values;

    Rows(const Likelihood& likelihood, int n_rows) : n(n_rows), k(likelihood->n_outputs(3))
    {
        for (int i = 0; i < n * k; ++i)
            outputs.push_back(1.5 * std::sin(1 + 2.3 * i));
        for (int i = 0; i < n; ++i)
            if (likelihood->has_labels())
                labels.push_back(i % k);
            else
                values.push_back(static_cast<float>(2 * std::cos(3.1 * i)));
    }
    Targets targets() const { return {labels, values}; }
    std::span<const double> row(int i) const
    {
        return std::span(outputs).subspan(static_cast<std::size_t>(i) * k, static_cast<std::size_t>(k));
    }
    double target(int i) const { return values.empty() ? labels[i] : static_cast<double>(values[i]); }
};

inline std::vector<double> gradient_of(const Likelihood& likelihood, const Rows& rows)
{
    std::vector<double> gradient(rows.outputs.size());
    likelihood->value(rows.outputs, rows.n, rows.k, rows.targets(), gradient, 1.0, nullptr);
    return gradient;
}

inline void expect_gradient(const Likelihood& likelihood, Rows rows)
{
    const auto gradient = gradient_of(likelihood, rows);
    const auto value    = [&] {
        return likelihood->value(rows.outputs, rows.n, rows.k, rows.targets(), std::span<double>(), 1.0, nullptr);
    };
    for (std::size_t i = 0; i < rows.outputs.size(); ++i) {
        const double h = 1e-5, at = rows.outputs[i];
        rows.outputs[i]   = at + h;
        const double up   = value();
        rows.outputs[i]   = at - h;
        const double down = value();
        rows.outputs[i]   = at;
        EXPECT_NEAR(gradient[i], (up - down) / (2 * h), 1e-7 * std::max(1.0, std::abs(gradient[i]))) << "output " << i;
    }
}

inline void expect_float_near_double(const Likelihood& likelihood, const Rows& rows)
{
    const std::vector<float> outputs(rows.outputs.begin(), rows.outputs.end());
    std::vector<float> gradient(outputs.size());
    const double value = likelihood->value(outputs, rows.n, rows.k, rows.targets(), gradient, 1.0f, nullptr);
    std::vector<double> wide(gradient.size());
    const double want = likelihood->value(rows.outputs, rows.n, rows.k, rows.targets(), wide, 1.0, nullptr);
    EXPECT_NEAR(value, want, 1e-5 * std::max(1.0, std::abs(want)));
    for (std::size_t i = 0; i < wide.size(); ++i)
        EXPECT_NEAR(static_cast<double>(gradient[i]), wide[i], 1e-4 * std::max(1.0, std::abs(wide[i])));
}

/// Row by row and unit by unit give the same value and gradient.
inline void expect_rows_of_units(const Likelihood& likelihood, const Rows& rows)
{
    const int padded = (rows.n + 7) / 8 * 8, stride = padded + 8;
    std::vector<double> outputs(static_cast<std::size_t>(rows.k) * stride),
        targets(static_cast<std::size_t>(padded), -1), scratch(3 * static_cast<std::size_t>(stride));
    for (int i = 0; i < rows.n; ++i) {
        targets[i] = rows.target(i);
        for (int c = 0; c < rows.k; ++c)
            outputs[static_cast<std::size_t>(c) * stride + i] = rows.row(i)[c];
    }
    const double sum    = likelihood->log_density({outputs.data(), stride, rows.k, rows.n, padded}, targets.data(),
                                                  scratch.data());
    const auto gradient = gradient_of(likelihood, rows);
    EXPECT_NEAR(-sum,
                likelihood->value(rows.outputs, rows.n, rows.k, rows.targets(), std::span<double>(), 1.0, nullptr),
                1e-12 * std::max(1.0, std::abs(sum)));
    for (int i = 0; i < rows.n; ++i)
        for (int c = 0; c < rows.k; ++c) {
            const double want = -gradient[static_cast<std::size_t>(i) * rows.k + c];
            EXPECT_NEAR(outputs[static_cast<std::size_t>(c) * stride + i], want, 1e-12 * std::max(1.0, std::abs(want)));
        }
}

inline void expect_hessian(const Likelihood& likelihood, const Rows& rows)
{
    const auto k = static_cast<std::size_t>(rows.k);
    for (int i = 0; i < rows.n; ++i) {
        std::vector<double> hessian(k * k);
        likelihood->hessian(rows.row(i), rows.target(i), hessian);
        for (std::size_t a = 0; a < k; ++a) {
            const double h = 1e-5;
            Rows high = rows, low = rows;
            high.outputs[static_cast<std::size_t>(i) * k + a] += h;
            low.outputs[static_cast<std::size_t>(i) * k + a] -= h;
            const auto up = gradient_of(likelihood, high), down = gradient_of(likelihood, low);
            for (std::size_t b = 0; b < k; ++b) {
                const std::size_t at = static_cast<std::size_t>(i) * k + b;
                EXPECT_NEAR(hessian[a * k + b], (up[at] - down[at]) / (2 * h),
                            1e-6 * std::max(1.0, std::abs(hessian[a * k + b])));
            }
        }
    }
}

/// ∫ f(y) dy by the trapezoidal rule in t, y = centre + unit sinh t.
template <class Function>
double integral(double centre, double unit, const Function& f)
{
    const double step = 1e-2;
    double sum        = 0;
    for (double t = -12; t <= 12; t += step)
        sum += f(centre + unit * std::sinh(t)) * unit * std::cosh(t) * step;
    return sum;
}

inline double density(const Likelihood& likelihood, double f, double s, double y)
{
    double log_p = 0;
    likelihood->noise()->log_densities({&f, 1}, {&s, 1}, y, {&log_p, 1});
    return std::exp(log_p);
}

/// R Rᵀ is the mean of the Hessian over targets from the model, and the Hessian itself if it does not depend on them.
inline void expect_curvature(const Likelihood& likelihood, const Rows& rows)
{
    const auto k      = static_cast<std::size_t>(rows.k);
    const int columns = likelihood->curvature_columns(rows.k);
    const auto next   = rows.outputs.size();
    std::vector<double> roots(next * static_cast<std::size_t>(columns)), hessian(k * k);
    likelihood->curvature_roots(rows.outputs, rows.k, roots.data(), next);
    for (int i = 0; i < rows.n; ++i) {
        std::vector<float> outputs(rows.row(i).begin(), rows.row(i).end()), predicted(2 + k);
        float entropy = 0;
        likelihood->predict(outputs, rows.k, predicted.data(), &entropy);
        for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = 0; b < k; ++b) {
                double product = 0;
                for (int c = 0; c < columns; ++c)
                    product += roots[static_cast<std::size_t>(c) * next + static_cast<std::size_t>(i) * k + a]
                               * roots[static_cast<std::size_t>(c) * next + static_cast<std::size_t>(i) * k + b];
                const auto hessian_at = [&](double y) {
                    likelihood->hessian(rows.row(i), y, hessian);
                    return hessian[a * k + b];
                };
                const double f = rows.row(i)[0], s = static_cast<double>(predicted[1]);
                const double want = likelihood->curvature_is_exact()
                                        ? hessian_at(rows.target(i))
                                        : integral(f, s, [&](double y) {
                                              return density(likelihood, f, s, y) * hessian_at(y);
                                          });
                EXPECT_NEAR(product, want, 1e-5 * std::max(1.0, std::abs(want))) << "row " << i;
            }
    }
}

inline void expect_noise(const Likelihood& likelihood, const Rows& rows)
{
    const NoiseDistribution& noise = *likelihood->noise();
    const auto moment              = [&](int power) {
        return integral(0, 1, [&](double e) { return density(likelihood, 0, 1, e) * std::pow(e, power); });
    };
    EXPECT_NEAR(moment(0), 1, 1e-9);
    EXPECT_NEAR(moment(1), 0, 1e-9);
    EXPECT_NEAR(moment(2), 1, 1e-4);   // heavy tails beyond the range of integration
    const std::vector<double> f{-0.5, 0.7, 2}, s{0.3, 1, 0.1};
    for (const double y : {-2.0, 0.1, 2.05}) {
        const double h = 1e-5;
        EXPECT_NEAR(noise.mixture_density(f, s, y),
                    (noise.mixture_cdf(f, s, y + h) - noise.mixture_cdf(f, s, y - h)) / (2 * h), 1e-7);
        double mean = 0;
        for (std::size_t j = 0; j < f.size(); ++j)
            mean += density(likelihood, f[j], s[j], y) / 3;
        EXPECT_NEAR(noise.mixture_density(f, s, y), mean, 1e-13 * std::max(1.0, mean));
    }
    const double zero = 0, one = 1;
    for (const double p : {1e-6, 0.025, 0.5, 0.9})
        EXPECT_NEAR(noise.mixture_cdf({&zero, 1}, {&one, 1}, noise.quantile_of_e(p)), p, 1e-13);
    for (int i = 0; i < rows.n; ++i) {
        std::vector<float> outputs(rows.row(i).begin(), rows.row(i).end()), predicted(2);
        float entropy     = 1;
        const float value = rows.values[static_cast<std::size_t>(i)];
        likelihood->predict(outputs, rows.k, predicted.data(), &entropy);
        EXPECT_EQ(entropy, 0);
        EXPECT_EQ(predicted[0], outputs[0]);
        const double want = std::exp(
            -likelihood->value(rows.row(i), 1, rows.k, {{}, std::span(&value, 1)}, std::span<double>(), 1.0, nullptr));
        EXPECT_NEAR(density(likelihood, static_cast<double>(predicted[0]), static_cast<double>(predicted[1]),
                            static_cast<double>(value)),
                    want, 1e-5 * std::max(1.0, want));
    }
}

}   // namespace likelihood_properties

/// Checks derivatives, curvature and predictions against finite differences and integrals. They need a density
/// without a kink: Laplace noise, for example, has to be checked by closed forms.
inline void expect_likelihood_properties(const Likelihood& likelihood)
{
    const likelihood_properties::Rows rows(likelihood, 5);
    likelihood_properties::expect_gradient(likelihood, rows);
    likelihood_properties::expect_float_near_double(likelihood, rows);
    likelihood_properties::expect_rows_of_units(likelihood, rows);
    likelihood_properties::expect_hessian(likelihood, rows);
    likelihood_properties::expect_curvature(likelihood, rows);
    if (likelihood->noise())
        likelihood_properties::expect_noise(likelihood, rows);
}

}   // namespace credence
