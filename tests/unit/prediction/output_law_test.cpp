// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/output_law.h"

#include "posterior/pruned_posterior.h"
#include "posterior/tridiagonal.h"
#include "unit/families.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

/// Σ of one block [K × K].
Eigen::MatrixXd covariance_of_block(const Posterior& posterior, std::size_t b)
{
    const auto form          = posterior.covariance();
    const Block& block       = posterior.layout().blocks[b];
    const auto K             = static_cast<Eigen::Index>(block.size);
    Eigen::MatrixXd variance = Eigen::MatrixXd::Zero(K, K);
    for (Eigen::Index i = 0; i < K; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (const auto* alone = std::get_if<IndependentCovariance>(&form)) {
            variance(i, i) = alone->variances[block.begin + k];
            continue;
        }
        const auto& neighbours = std::get<NeighbourCovariances>(form).blocks[b];
        variance(i, i)         = neighbours.diagonal[k];
        if (i + 1 < K)
            variance(i, i + 1) = variance(i + 1, i) = neighbours.off_diagonal[k];
    }
    return variance;
}

/// Covariance of z = W x + b: J Σ Jᵀ of both blocks.
Eigen::MatrixXd exact_covariance(const Posterior& posterior, int in, int out, const std::vector<float>& x)
{
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(out, in * out);
    for (int o = 0; o < out; ++o)
        for (int i = 0; i < in; ++i)
            J(o, o * in + i) = static_cast<double>(x[static_cast<std::size_t>(i)]);
    return J * covariance_of_block(posterior, 0) * J.transpose() + covariance_of_block(posterior, 1);
}

struct LawCase {
    LawCase(const std::string& family, int inputs, int outputs, std::array<double, 2> rho = {0.35, -0.45})
        : in(inputs), out(outputs)
    {
        const ParameterLayout layout = layout_of(mlp(in, {}, out));
        std::vector<float> means(layout.size());
        standard_normals({3, Stream::initial_weights, 0}, 0, std::span<float>(means));
        PosteriorOptions options{
            .family = family, .initial_sd = 0.3, .initial_tau = {0.4, 0.2}, .initial_rho = {rho[0], rho[1]}};
        std::shared_ptr<VariationalFamily<float>> made = make_posterior<float>(layout, options, means);
        if (family == "mean_field") {   // spreads that differ
            const auto r = made->parameters().last(layout.size());
            standard_normals({4, Stream::initial_weights, 0}, 0, r);
        }
        posterior = made;
    }
    DenseOutputLaw law()
    {
        const auto rho = posterior->neighbour_correlations().value();
        mean.resize(posterior->layout().size());
        sd.resize(mean.size());
        posterior->moments(mean, sd);
        const auto of = [&](std::size_t b) {
            const Block& block = posterior->layout().blocks[b];
            return DenseOutputLaw::Weights{std::span<const float>(mean).subspan(block.begin, block.size),
                                           std::span<float>(sd).subspan(block.begin, block.size), rho[b]};
        };
        return {in, out, of(0), of(1)};
    }

    int in, out;
    std::shared_ptr<const Posterior> posterior;
    std::vector<float> mean, sd;   // that the distribution borrows
};

std::vector<float> some_inputs(int n)
{
    std::vector<float> x(static_cast<std::size_t>(n));
    standard_normals({6, Stream::data, 0}, 0, std::span<float>(x));
    if (n > 3)
        x[1] = 0;
    return x;
}

/// What `draw` makes of the noise is linear in it: its matrix, column by column, and the mean.
void expect_exact(LawCase c, const std::string& name)
{
    const auto law = c.law();
    const auto x   = some_inputs(c.in);
    DenseOutputLaw::Moments moments;
    law.moments(x.data(), 1, moments);
    const auto units = static_cast<std::size_t>(c.out);
    std::vector<float> noise(units), mean(units), z(units);
    law.draw(moments, 0, noise.data(), mean.data());
    Eigen::MatrixXd factor(c.out, c.out);
    for (int k = 0; k < c.out; ++k) {
        std::fill(noise.begin(), noise.end(), 0.0f);
        noise[static_cast<std::size_t>(k)] = 1;
        law.draw(moments, 0, noise.data(), z.data());
        for (std::size_t o = 0; o < units; ++o)
            factor(static_cast<Eigen::Index>(o), k) = static_cast<double>(z[o]) - static_cast<double>(mean[o]);
    }
    const Eigen::MatrixXd want = exact_covariance(*c.posterior, c.in, c.out, x), got = factor * factor.transpose();
    EXPECT_LT((got - want).cwiseAbs().maxCoeff(), 2e-5 * want.cwiseAbs().maxCoeff()) << name << "\n"
                                                                                     << got << "\n\n"
                                                                                     << want;
    std::vector<float> m(c.posterior->layout().size()), sd(m.size());
    c.posterior->moments(m, sd);
    for (int o = 0; o < c.out; ++o) {
        double sum = m[static_cast<std::size_t>(c.in * c.out + o)];
        for (int i = 0; i < c.in; ++i)
            sum += static_cast<double>(m[static_cast<std::size_t>(o * c.in + i)])
                   * static_cast<double>(x[static_cast<std::size_t>(i)]);
        EXPECT_NEAR(mean[static_cast<std::size_t>(o)], sum, 1e-4) << name;
    }
}

TEST(DenseOutputLaw, IsThatOfTheWeightsOfEveryFamily)
{
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        for (const auto& [in, out] : {std::pair{5, 4}, {1, 6}, {7, 1}, {1, 1}, {3, 70}})
            expect_exact(LawCase(family, in, out), family + " " + std::to_string(in) + "-" + std::to_string(out));
}

TEST(DenseOutputLaw, KnowsTheNeighboursAcrossTheEndOfARow)
{
    const LawCase c("tridiagonal", 5, 4);
    const auto x    = some_inputs(5);
    const auto want = exact_covariance(*c.posterior, 5, 4, x);
    EXPECT_GT(std::fabs(want(0, 1)), 0.01 * want(0, 0));
    EXPECT_EQ(want(0, 2), 0);
    EXPECT_EQ(want(1, 3), 0);
}

TEST(DenseOutputLaw, KeepsItsPrecisionWhereTermsCancel)
{
    for (const double rho : {-0.4999, 0.4999, -0.1, 0.0})
        expect_exact(LawCase("tridiagonal", 100, 4, {rho, -rho}), std::to_string(rho));
}

TEST(DenseOutputLaw, FollowsPrunedWeights)
{
    for (const std::string family : {"mean_field", "tridiagonal"}) {
        LawCase c(family, 6, 5);
        c.posterior = std::make_shared<PrunedPosterior>(c.posterior, PruneRule{.share = 0.5});
        expect_exact(c, family);
    }
}

TEST(DenseOutputLaw, OfARowIsTheSameAloneAndAmongOthers)
{
    for (const std::string family : {"mean_field", "tridiagonal"}) {
        LawCase c(family, 33, 21);
        const auto law = c.law();
        const auto x   = some_inputs(33 * 7);
        DenseOutputLaw::Moments all, one;
        law.moments(x.data(), 7, all);
        std::vector<float> noise = some_inputs(21), a(21), b(21);
        for (int row = 0; row < 7; ++row) {
            law.moments(x.data() + row * 33, 1, one);
            law.draw(all, row, noise.data(), a.data());
            law.draw(one, 0, noise.data(), b.data());
            EXPECT_EQ(a, b) << family << row;
        }
    }
}

}   // namespace
}   // namespace credence
