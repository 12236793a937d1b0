// SPDX-License-Identifier: GPL-3.0-or-later
// A network without a hidden layer, Gaussian noise, Gaussian prior: the posterior of its weights is a
// Gaussian in closed form.
#include "chains/network_density.h"

#include "chains.h"
#include "unit/random_values.h"

namespace credence::testing {
namespace {

struct LinearRegression {
    static constexpr int rows = 25, inputs = 2;
    static constexpr double noise = 0.5, prior_sd = 1.5;
    std::vector<float> x = normals<float>(rows * inputs, 11), y = normals<float>(rows, 12, 0.5);
    Eigen::VectorXd mean;         // of both weights and the bias
    Eigen::MatrixXd covariance;   // (XᵀX/s² + I/σ²)⁻¹

    LinearRegression()
    {
        Eigen::MatrixXd design(rows, inputs + 1);
        Eigen::VectorXd targets(rows);
        for (int i = 0; i < rows; ++i) {
            y[i] += 0.8F * x[2 * i] - 0.4F * x[2 * i + 1] + 0.2F;
            design.row(i) << x[2 * i], x[2 * i + 1], 1;
            targets[i] = y[i];
        }
        const Eigen::MatrixXd precision = design.transpose() * design / (noise * noise)
                                          + Eigen::MatrixXd::Identity(3, 3) / (prior_sd * prior_sd);
        covariance = precision.inverse();
        mean       = covariance * design.transpose() * targets / (noise * noise);
    }
    std::unique_ptr<LogDensity> density() const
    {
        const Architecture net = mlp(inputs, {}, 1);
        return std::make_unique<NetworkDensity>(net, Likelihood::gaussian(noise),
                                                Prior::same(layout_of(net), GaussianPrior::from_sigma(prior_sd)), x,
                                                Targets{{}, y});
    }
};

TEST(LinearRegressionPosterior, IsWhatNutsFinds)
{
    const LinearRegression problem;
    ChainOptions options;
    options.warmup.transitions = 500;
    Chain chain(problem.density(), normals(3, 1), options);
    expect_moments(draws_of(chain, 8000), problem.mean, problem.covariance);
}

TEST(LinearRegressionPosterior, IsWhatNutsFindsWithADenseMetric)
{
    const LinearRegression problem;
    ChainOptions options;
    options.warmup.transitions = 500;
    options.warmup.metric      = MetricKind::dense;
    Chain chain(problem.density(), normals(3, 2), options);
    expect_moments(draws_of(chain, 8000), problem.mean, problem.covariance);
}

TEST(LinearRegressionPosterior, IsWhatHmcFinds)
{
    const LinearRegression problem;
    ChainOptions options;
    options.sampler            = HmcOptions{.steps = 8, .step_size_jitter = 0.3};
    options.warmup.transitions = 500;
    Chain chain(problem.density(), normals(3, 3), options);
    expect_moments(draws_of(chain, 8000), problem.mean, problem.covariance);
}

}   // namespace
}   // namespace credence::testing
