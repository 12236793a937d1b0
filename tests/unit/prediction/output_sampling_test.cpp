// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "posterior/pruning.h"
#include "posterior/sample_set.h"
#include "posterior/scaled_means.h"
#include "prediction/logit_samples.h"
#include "prediction/output_sampling.h"
#include "unit/families.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
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

struct OutputDistributionCase {
    OutputDistributionCase(const std::string& family, int inputs, int outputs,
                           std::array<double, 2> rho = {0.35, -0.45})
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
    DenseOutputDistribution distribution()
    {
        const auto rho = posterior->neighbour_correlations().value();
        mean.resize(posterior->layout().size());
        sd.resize(mean.size());
        posterior->moments(mean, sd);
        const auto of = [&](std::size_t b) {
            const Block& block = posterior->layout().blocks[b];
            return DenseOutputDistribution::Weights{std::span<const float>(mean).subspan(block.begin, block.size),
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
void expect_exact(OutputDistributionCase c, const std::string& name)
{
    const auto distribution = c.distribution();
    const auto x            = some_inputs(c.in);
    DenseOutputDistribution::Moments moments;
    distribution.moments(x.data(), 1, moments);
    const auto units = static_cast<std::size_t>(c.out);
    std::vector<float> noise(units), mean(units), z(units);
    distribution.draw(moments, 0, noise.data(), mean.data());
    Eigen::MatrixXd factor(c.out, c.out);
    for (int k = 0; k < c.out; ++k) {
        std::fill(noise.begin(), noise.end(), 0.0f);
        noise[static_cast<std::size_t>(k)] = 1;
        distribution.draw(moments, 0, noise.data(), z.data());
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

TEST(DenseOutputDistribution, IsThatOfTheWeightsOfEveryFamily)
{
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        for (const auto& [in, out] : {std::pair{5, 4}, {1, 6}, {7, 1}, {1, 1}, {3, 70}})
            expect_exact(OutputDistributionCase(family, in, out),
                         family + " " + std::to_string(in) + "-" + std::to_string(out));
}

TEST(DenseOutputDistribution, IncludesTheNeighboursAcrossTheEndOfARow)
{
    const OutputDistributionCase c("tridiagonal", 5, 4);
    const auto x    = some_inputs(5);
    const auto want = exact_covariance(*c.posterior, 5, 4, x);
    EXPECT_GT(std::fabs(want(0, 1)), 0.01 * want(0, 0));
    EXPECT_EQ(want(0, 2), 0);
    EXPECT_EQ(want(1, 3), 0);
}

TEST(DenseOutputDistribution, KeepsItsPrecisionWhereTermsCancel)
{
    for (const double rho : {-0.4999, 0.4999, -0.1, 0.0})
        expect_exact(OutputDistributionCase("tridiagonal", 100, 4, {rho, -rho}), std::to_string(rho));
}

TEST(DenseOutputDistribution, FollowsPrunedWeights)
{
    for (const std::string family : {"mean_field", "tridiagonal"}) {
        OutputDistributionCase c(family, 6, 5);
        c.posterior = std::make_shared<PrunedPosterior>(c.posterior, PruneRule{.share = 0.5});
        expect_exact(c, family);
    }
}

TEST(DenseOutputDistribution, OfARowIsTheSameAloneAndAmongOthers)
{
    for (const std::string family : {"mean_field", "tridiagonal"}) {
        OutputDistributionCase c(family, 33, 21);
        const auto distribution = c.distribution();
        const auto x            = some_inputs(33 * 7);
        DenseOutputDistribution::Moments all, one;
        distribution.moments(x.data(), 7, all);
        std::vector<float> noise = some_inputs(21), a(21), b(21);
        for (int row = 0; row < 7; ++row) {
            distribution.moments(x.data() + row * 33, 1, one);
            distribution.draw(all, row, noise.data(), a.data());
            distribution.draw(one, 0, noise.data(), b.data());
            EXPECT_EQ(a, b) << family << row;
        }
    }
}

constexpr int many = 100'000;

struct OutputCase {
    std::string name;
    Model model;
    std::shared_ptr<const Posterior> posterior;
    std::vector<float> input;

    OutputSamples logits(DrawsOf of, int draws = many) const
    {
        return sample_logits(model, *posterior, input, 1, draws, 9, {}, of);
    }
};

OutputCase output_case(const std::string& name, const Architecture& architecture, const std::string& family)
{
    const ParameterLayout layout = layout_of(architecture);
    const PosteriorOptions options{
        .family = family, .initial_sd = 0.4, .initial_tau = {0.7, 0.5}, .initial_rho = {-0.45, 0.4}};
    std::vector<float> means = initial_weights(layout, Initialisation::glorot, 4);
    for (std::size_t i = 0; i < means.size(); ++i)   // biases too
        means[i] += i % 3 == 0 ? 0.3f : -0.2f;
    std::vector<float> input(static_cast<std::size_t>(architecture.inputs));
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(input));
    return {name + ", " + family, {architecture, {}, true}, make_posterior<float>(layout, options, means), input};
}

Architecture small_dense() { return mlp(3, {4, 3}, 3, ActivationKind::relu); }
Architecture small_images()
{
    return {25, {Conv2d{3, 2}, Pool{}, Conv2d{2, 2}, Activation{ActivationKind::tanh}, Dense{3}}, ImageShape{1, 5, 5}};
}
Architecture with_masks() { return with_dropout_before_weights(small_dense(), 0.3); }

/// Kolmogorov and Smirnov: √(nm/(n+m)) sup |F − G|, above 2.3 with probability 5e-5 if both
/// distributions are equal. F and G are compared at 4,000 points.
double two_sample_distance(const std::vector<float>& a, const std::vector<float>& b)
{
    constexpr int places         = 4000;
    const auto [least_a, most_a] = std::minmax_element(a.begin(), a.end());
    const auto [least_b, most_b] = std::minmax_element(b.begin(), b.end());
    const float least = std::min(*least_a, *least_b), step = (std::max(*most_a, *most_b) - least) / places;
    std::vector<double> lead(places + 1);   // of F over G, from one point to the next
    for (const float value : a)
        lead[static_cast<std::size_t>((value - least) / step)] += 1 / static_cast<double>(a.size());
    for (const float value : b)
        lead[static_cast<std::size_t>((value - least) / step)] -= 1 / static_cast<double>(b.size());
    double sum = 0, most = 0;
    for (const double each : lead)
        most = std::max(most, std::fabs(sum += each));
    const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    return std::sqrt(n * m / (n + m)) * most;
}

/// Of each logit, and of some functions of two, which depend on the correlations.
void expect_one_distribution(const OutputCase& c)
{
    const auto by_weights = c.logits(DrawsOf::weights), by_outputs = c.logits(DrawsOf::outputs);
    const int K = by_weights.n_outputs;
    ASSERT_EQ(by_outputs.n_samples, many) << c.name;
    const auto compare = [&](const std::string& what, auto f) {
        std::vector<float> a(many), b(many);
        for (int s = 0; s < many; ++s) {
            a[static_cast<std::size_t>(s)] = f(by_weights, s);
            b[static_cast<std::size_t>(s)] = f(by_outputs, s);
        }
        EXPECT_LT(two_sample_distance(a, b), 2.3) << c.name << ": " << what;
    };
    for (int k = 0; k < K; ++k)
        compare("logit " + std::to_string(k), [k](const auto& z, int s) { return z.at(s, 0, k); });
    for (int k = 0; k + 1 < K; ++k) {
        compare("sum " + std::to_string(k), [k](const auto& z, int s) { return z.at(s, 0, k) + z.at(s, 0, k + 1); });
        compare("difference " + std::to_string(k),
                [k](const auto& z, int s) { return z.at(s, 0, k) - z.at(s, 0, k + 1); });
    }
    compare("product of the ends", [K](const auto& z, int s) { return z.at(s, 0, 0) * z.at(s, 0, K - 1); });
}

TEST(OutputSampling, OfDenseNetworksHaveTheDistributionOfWeightSamples)
{
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        expect_one_distribution(output_case("dense", small_dense(), family));
}

TEST(OutputSampling, OfConvolutionsHaveTheDistributionOfWeightSamples)
{
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        expect_one_distribution(output_case("images", small_images(), family));
}

TEST(OutputSampling, UnderMasksHaveTheDistributionOfWeightSamples)
{
    expect_one_distribution(output_case("masks", with_masks(), "tridiagonal"));
}

TEST(OutputSampling, TheTestDetectsADifferentDistribution)
{
    const auto c      = output_case("dense", small_dense(), "tridiagonal");
    const auto real   = c.logits(DrawsOf::weights);
    const auto as_if  = output_case("dense", small_dense(), "layer_scale").logits(DrawsOf::outputs);   // ρ left out
    const auto logits = [](const OutputSamples& z) {
        std::vector<float> first(many);
        for (int s = 0; s < many; ++s)
            first[static_cast<std::size_t>(s)] = z.at(s, 0, 0);
        return first;
    };
    EXPECT_GT(two_sample_distance(logits(real), logits(as_if)), 4);
}

TEST(OutputSampling, ArePureFunctionsOfSeedAndNumberForAnyThreads)
{
    for (const auto& c :
         {output_case("dense", small_dense(), "tridiagonal"), output_case("images", small_images(), "mean_field"),
          output_case("masks", with_masks(), "layer_scale")}) {
        std::vector<OutputSamples> made;
        for (const int threads : {1, 2, 5})
            Threads(threads).run([&] { made.push_back(c.logits(DrawsOf::outputs, 203)); });
        EXPECT_EQ(made[0].values, made[1].values) << c.name;
        EXPECT_EQ(made[0].values, made[2].values) << c.name;
        const auto few = c.logits(DrawsOf::outputs, 5);
        EXPECT_TRUE(std::equal(few.values.begin(), few.values.end(), made[0].values.begin())) << c.name;
        const auto p = PosteriorPredictive(c.model, c.posterior, 203, 9, DrawsOf::outputs).sample_outputs(c.input, 1);
        for (int s = 0; s < 203; ++s) {
            double sum = 0;
            for (int k = 0; k < 3; ++k)
                sum += std::exp(static_cast<double>(made[0].at(s, 0, k)));
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(p.at(s, 0, k), std::exp(static_cast<double>(made[0].at(s, 0, k))) / sum, 2e-6) << c.name;
        }
    }
}

TEST(OutputSampling, SummariesMatchTheSamples)
{
    auto c = output_case("dense", small_dense(), "mean_field");
    for (const auto& likelihood : {Likelihood::categorical(), Likelihood::gaussian(0.3)}) {
        c.model.likelihood = likelihood;
        const PosteriorPredictive predictive(c.model, c.posterior, 40, 9, DrawsOf::outputs);
        const auto samples = predictive.sample_outputs(c.input, 1);
        const auto summary = predictive.summarise(c.input, 1);
        double mean = 0, entropy = 0;
        for (int s = 0; s < 40; ++s) {
            mean += static_cast<double>(samples.at(s, 0, 0)) / 40;
            for (int k = 0; k < samples.n_outputs; ++k)
                entropy -= static_cast<double>(samples.at(s, 0, k)) * std::log(static_cast<double>(samples.at(s, 0, k)))
                           / 40;
        }
        EXPECT_NEAR(summary.mean.at(0), mean, 1e-6);
        EXPECT_EQ(summary.n_outputs, likelihood->has_labels() ? 3 : 1);
        if (likelihood->has_labels())
            EXPECT_NEAR(summary.expected_entropy.at(0), entropy, 1e-5);
        else
            EXPECT_TRUE(summary.expected_entropy.empty());
    }
}

TEST(OutputSampling, AreWeightSamplesIfTheOutputDistributionIsUnknown)
{
    auto c = output_case("dense", small_dense(), "mean_field");
    std::vector<float> two(c.input);
    two.insert(two.end(), c.input.begin(), c.input.end());
    const auto of = [&](DrawsOf draws, int n) {
        return PosteriorPredictive(c.model, c.posterior, 20, 9, draws).sample_outputs(two, n).values;
    };
    EXPECT_NE(of(DrawsOf::outputs, 1), of(DrawsOf::weights, 1));
    EXPECT_EQ(of(DrawsOf::outputs, 2), of(DrawsOf::weights, 2)) << "two inputs share their weights";
    c.model.linearised_at_prediction = true;
    EXPECT_EQ(of(DrawsOf::outputs, 1), of(DrawsOf::weights, 1));
    c.model.linearised_at_prediction = false;
    const auto weights               = c.posterior->layout().size();
    aligned_vector<float> draws(5 * weights);
    standard_normals({8, Stream::weight_noise, 0}, 0, std::span<float>(draws));
    c.posterior = std::make_shared<SampleSet>(c.posterior->layout(), draws);
    EXPECT_EQ(of(DrawsOf::outputs, 1), of(DrawsOf::weights, 1));
    for (const std::string family : {"point_estimate", "bernoulli_dropout"}) {
        c = output_case("masks", with_masks(), family);
        EXPECT_EQ(of(DrawsOf::outputs, 1), of(DrawsOf::weights, 1)) << family;
    }
}

TEST(OutputSampling, StopAndReportProgress)
{
    const auto c = output_case("dense", small_dense(), "tridiagonal");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(sample_logits(c.model, *c.posterior, c.input, 1, 50, 9, stop.get_token(), DrawsOf::outputs).n_samples, 0);
    double last = 0;
    Threads(1).run([&] {
        const ProgressScope scope([&](double share) { last = std::max(last, share); });
        c.logits(DrawsOf::outputs, 100);
    });
    EXPECT_EQ(last, 1);
}

}   // namespace

}   // namespace credence
