// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

void expect_refused(const PosteriorOptions& options, const std::string& field, const std::string& sentence)
{
    const auto layout = layout_with({6, 2});
    try {
        make_posterior<float>(layout, options, some_means(8));
        FAIL() << "accepted; expected: " << sentence;
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), field);
        EXPECT_EQ(error.what(), sentence);
    }
}

TEST(PosteriorOptions, OutOfRangeAreRejectedWithFieldAndRange)
{
    expect_refused({.family = "layer_scale", .initial_tau = {0.4, -1}}, "posterior.initial_tau",
                   "posterior.initial_tau is -1 for block \"dense 1 biases\", expected a number in (0, 1e6].");
    expect_refused({.family = "tridiagonal", .initial_tau = {std::nan("")}}, "posterior.initial_tau",
                   "posterior.initial_tau is nan for block \"dense 1 weights\", expected a number in (0, 1e6].");
    expect_refused({.family = "tridiagonal", .initial_rho = {0.5}}, "posterior.initial_rho",
                   "posterior.initial_rho is 0.5 for block \"dense 1 weights\", expected a number in (-0.5, 0.5).");
    expect_refused(
        {.family = "tridiagonal", .initial_rho = {0.1, 0.1, 0.1}}, "posterior.initial_rho",
        "posterior.initial_rho is a list of 3 values, expected at most 2, one for each block of weights or biases.");
    expect_refused({.family = "mean_field", .initial_sd = 0}, "posterior.initial_sd",
                   "posterior.initial_sd is 0, expected a number in [1e-30, 1e6].");
    expect_refused({.family = "bernoulli_dropout", .dropout_rate = 1}, "posterior.dropout_rate",
                   "posterior.dropout_rate is 1, expected a number in [0, 1).");
}

TEST(PosteriorOptions, OfOtherFamiliesAreIgnored)
{
    const auto layout = layout_with({6, 2});
    EXPECT_NO_THROW(make_posterior<float>(
        layout, {.family = "layer_scale", .initial_sd = -1, .initial_rho = {2}, .dropout_rate = 7}, some_means(8)));
}

TEST(PosteriorOptions, WrongNumberOfStartingWeightsIsRejected)
{
    EXPECT_THROW(make_posterior<float>(layout_with({6, 2}), {}, some_means(7)), Error);
}

std::vector<double> taus_of(const std::vector<double>& list, std::initializer_list<std::size_t> sizes)
{
    const auto layout = layout_with(sizes);
    std::vector<double> taus;
    for (const auto& layer :
         make_posterior<double>(layout, {.family = "layer_scale", .initial_tau = list}, some_means(layout.size()))
             ->describe())
        taus.push_back(std::round(*layer.tau * 1e12) / 1e12);
    return taus;
}

TEST(PosteriorOptions, StartingTausRepeatTheirLastPair)
{
    using ::testing::ElementsAre;
    EXPECT_THAT(taus_of({}, {4, 2, 4, 2, 4, 2}), ElementsAre(0.4, 0.1, 0.4, 0.1, 0.4, 0.1));
    EXPECT_THAT(taus_of({0.3}, {4, 2, 4, 2}), ElementsAre(0.3, 0.3, 0.3, 0.3));
    EXPECT_THAT(taus_of({0.5, 0.2, 0.4, 0.1}, {4, 2, 4, 2, 4, 2}), ElementsAre(0.5, 0.2, 0.4, 0.1, 0.4, 0.1));
    EXPECT_THAT(taus_of({0.5, 0.2, 0.4}, {4, 2, 4, 2, 4, 2}), ElementsAre(0.5, 0.2, 0.4, 0.2, 0.4, 0.2));
}

TEST(PosteriorOptions, StartingValuesAreTheRequestedOnes)
{
    const auto layout = layout_with({50, 4});
    const auto layers = make_posterior<double>(
                            layout,
                            {.family = "tridiagonal", .initial_tau = {0.25, 0.75}, .initial_rho = {0.3, -0.499}},
                            some_means(54))
                            ->describe();
    EXPECT_NEAR(*layers[0].tau, 0.25, 1e-14);
    EXPECT_NEAR(*layers[1].tau, 0.75, 1e-14);
    EXPECT_NEAR(*layers[0].rho, 0.3, 1e-14);
    EXPECT_NEAR(*layers[1].rho, -0.499, 1e-12);
    const auto usual = make_posterior<double>(layout, {.family = "tridiagonal"}, some_means(54))->describe();
    EXPECT_NEAR(*usual[0].rho, 0.01, 1e-14);
    const auto sds = make_posterior<double>(layout, {.family = "mean_field", .initial_sd = 1e-3}, some_means(54))
                         ->describe();
    EXPECT_NEAR(sds[1].median_sd, 1e-3, 1e-9);
}

TEST(PosteriorOptions, StartingMeansOfScaledFamiliesAreNeverZero)
{
    const auto layout = layout_with({2, 2});
    const std::vector<float> means{0.5f, -1e-9f, 0.0f, 1e-8f};
    for (const std::string family : {"layer_scale", "tridiagonal"}) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, means);
        EXPECT_THAT(std::vector<float>(posterior->parameters().begin(), posterior->parameters().begin() + 4),
                    ::testing::ElementsAre(0.5f, -1e-6f, 1e-6f, 1e-6f));
    }
    const auto mean_field = make_posterior<float>(layout, {.family = "mean_field"}, means);
    EXPECT_EQ(mean_field->parameters()[2], 0.0f);
}

}   // namespace
}   // namespace credence::testing
