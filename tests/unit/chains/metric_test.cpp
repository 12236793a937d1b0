// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/metric.h"

#include "chains/chain_noise.h"
#include "foundation/error.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

namespace credence::testing {
namespace {

Eigen::MatrixXd some_covariance()
{
    Eigen::MatrixXd covariance(3, 3);
    covariance << 2, 0.5, 0.1, 0.5, 1, -0.3, 0.1, -0.3, 0.5;
    return covariance;
}

TEST(Metric, VelocityIsTheInverseMassTimesTheMomentum)
{
    const std::vector<double> p = {1, -2, 3};
    std::vector<double> v(3);
    const double variances[] = {2, 0.5, 0.1};
    EXPECT_DOUBLE_EQ(Metric::diagonal(variances).velocity(p, v), 0.5 * (2 * 1 + 0.5 * 4 + 0.1 * 9));
    EXPECT_THAT(v, ::testing::ElementsAre(2, -1, ::testing::DoubleEq(0.3)));

    const Eigen::MatrixXd covariance = some_covariance();
    const Eigen::Vector3d at(1, -2, 3), expected = covariance * at;
    EXPECT_NEAR(Metric::dense(covariance).velocity(p, v), 0.5 * at.dot(expected), 1e-14);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(v[i], expected[i], 1e-14);
}

TEST(Metric, ADiagonalCovarianceIsTheDiagonalMetric)
{
    const std::vector<double> variances = {2, 0.5, 0.1};
    const Eigen::MatrixXd covariance    = Eigen::Vector3d(2, 0.5, 0.1).asDiagonal();
    const Metric diagonal = Metric::diagonal(variances), dense = Metric::dense(covariance);
    std::vector<double> p = {1, -2, 3}, q = p;
    diagonal.make_momentum(p);
    dense.make_momentum(q);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(p[i], q[i], 1e-14);
}

TEST(Metric, MomentaHaveTheMassAsCovariance)
{
    const Eigen::MatrixXd covariance = some_covariance(), mass = covariance.inverse();
    const Metric metric = Metric::dense(covariance);
    ChainNoise noise(3, 0);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 3);
    constexpr int n     = 40000;
    Eigen::Vector3d p;
    for (int t = 0; t < n; ++t) {
        noise.begin(t);
        noise.normals({p.data(), 3});
        metric.make_momentum({p.data(), 3});
        sum += p * p.transpose() / n;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(sum(i, j), mass(i, j), 5 * std::sqrt((mass(i, i) * mass(j, j) + mass(i, j) * mass(i, j)) / n));
}

TEST(Metric, RejectsInvalidMetrics)
{
    const auto sentence = [](auto make) {
        try {
            make();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing refused");
    };
    const double variances[] = {1, -1};
    EXPECT_EQ(sentence([&] { Metric::diagonal(variances); }),
              "Metric: variance of weight 2 is -1, expected a positive number.");
    Eigen::MatrixXd singular(2, 2);
    singular << 1, 2, 2, 1;
    EXPECT_EQ(sentence([&] { Metric::dense(singular); }), "Metric: the covariance is not positive definite.");
    EXPECT_THAT(sentence([&] { Metric::dense(Eigen::MatrixXd::Identity(2, 3)); }),
                ::testing::HasSubstr("is 2 × 3, expected a square"));
}

}   // namespace
}   // namespace credence::testing
