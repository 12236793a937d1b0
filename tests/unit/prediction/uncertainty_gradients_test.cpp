// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/uncertainty_gradients.h"

#include "foundation/error.h"
#include "posterior/sample_set.h"
#include "prediction/class_predictions.h"
#include "prediction/posterior_predictive.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

struct SmallClassifier {
    Model model;
    std::shared_ptr<const Posterior> posterior;
    std::vector<double> input{0.3, -0.8, 1.1};
};

SmallClassifier small_classifier(double scale = 0.8, double dropout = 0)
{
    SmallClassifier out;
    out.model.architecture          = mlp(3, {6}, 4, ActivationKind::tanh, dropout);
    out.model.likelihood            = Likelihood::categorical();
    out.model.dropout_at_prediction = dropout > 0;
    const auto layout               = layout_of(out.model.architecture);
    const auto numbers              = normals(20 * layout.size(), 3, scale);
    out.posterior = std::make_shared<SampleSet>(layout, aligned_vector<float>(numbers.begin(), numbers.end()));
    return out;
}

UncertaintyGradients gradients_at(const SmallClassifier& of, const std::vector<double>& input)
{
    return uncertainty_gradients(of.model, *of.posterior, 5, 20, input).value();
}

TEST(UncertaintyGradients, AreThoseOfFiniteDifferences)
{
    for (const double dropout : {0.0, 0.3}) {
        const auto network   = small_classifier(0.8, dropout);
        const auto here      = gradients_at(network, network.input);
        const auto epistemic = here.epistemic_gradient();
        constexpr double h   = 1e-5;
        for (std::size_t j = 0; j < 3; ++j) {
            auto above = network.input, below = network.input;
            above[j] += h;
            below[j] -= h;
            const auto up = gradients_at(network, above), down = gradients_at(network, below);
            EXPECT_NEAR(here.total_gradient[j], (up.total - down.total) / (2 * h), 1e-8) << j;
            EXPECT_NEAR(here.aleatoric_gradient[j], (up.aleatoric - down.aleatoric) / (2 * h), 1e-8) << j;
            EXPECT_NEAR(epistemic[j], (up.epistemic() - down.epistemic()) / (2 * h), 1e-8) << j;
        }
    }
}

TEST(UncertaintyGradients, HaveTheValuesOfThePredictive)
{
    const auto network = small_classifier();
    const auto here    = gradients_at(network, network.input);
    const std::vector<float> input(network.input.begin(), network.input.end());
    const PosteriorPredictive predictive(network.model, network.posterior, 20, 5);
    const auto predictions = class_predictions(predictive.summarise(input, 1));
    EXPECT_NEAR(here.total, predictions.entropy[0], 1e-5);
    EXPECT_NEAR(here.epistemic(), predictions.mutual_information[0], 1e-5);
    EXPECT_GT(here.epistemic(), 0.01);
}

TEST(UncertaintyGradients, StayFiniteForConfidentNetworks)
{
    const auto network = small_classifier(20000);   // logits in the ten thousands
    const auto here    = gradients_at(network, network.input);
    for (const auto* gradient : {&here.total_gradient, &here.aleatoric_gradient})
        for (const double each : *gradient)
            EXPECT_TRUE(std::isfinite(each));
    EXPECT_NEAR(here.aleatoric, 0, 1e-3);
    EXPECT_GT(here.total, 0.1) << "the networks disagree";
}

TEST(UncertaintyGradients, OfASingleNetworkHaveNoEpistemicPart)
{
    const auto network = small_classifier();
    const auto here    = uncertainty_gradients(network.model, *network.posterior, 5, 1, network.input).value();
    EXPECT_NEAR(here.epistemic(), 0, 1e-14);
    for (const double each : here.epistemic_gradient())
        EXPECT_NEAR(each, 0, 1e-14);
}

TEST(UncertaintyGradients, StopOnRequestAndNeedClasses)
{
    auto network = small_classifier();
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(uncertainty_gradients(network.model, *network.posterior, 5, 20, network.input, source.get_token()));
    network.model.likelihood = Likelihood::gaussian(1);
    EXPECT_THROW(uncertainty_gradients(network.model, *network.posterior, 5, 20, network.input), Error);
}

}   // namespace
}   // namespace credence
