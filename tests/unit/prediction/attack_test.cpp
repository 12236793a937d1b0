// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "prediction/attack.h"
#include "prediction/posterior_predictive.h"
#include "unit/families.h"
#include "unit/network/likelihood_properties.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace credence {
namespace {

using testing::Each;

Model softmax_model(Architecture architecture) { return {std::move(architecture), Likelihood::categorical(), false}; }

std::shared_ptr<const Posterior> one_net(const Model& model, const std::vector<float>& weights)
{
    return make_posterior<float>(layout_of(model.architecture), {.family = "point_estimate"}, weights);
}

AttackSpace plain_space(int d) { return {std::vector<float>(static_cast<std::size_t>(d), 1.0f), {}, {}}; }

/// The inputs after an attack of one strength.
std::vector<float> attacked_by(const Attack& attack, const std::vector<float>& x, const std::vector<int>& labels,
                               double epsilon)
{
    std::vector<float> out;
    attack.run(x, labels, std::span(&epsilon, 1),
               [&](std::size_t, std::span<const float> moved) { out.assign(moved.begin(), moved.end()); });
    return out;
}

constexpr AttackGradient every_gradient[] = {AttackGradient::one_draw, AttackGradient::mean_loss,
                                             AttackGradient::mean_predictive};
constexpr AttackKind every_kind[]         = {AttackKind::fast_gradient_sign, AttackKind::projected_gradient,
                                             AttackKind::random_signs};

}   // namespace

TEST(Attack, OfLogisticRegressionGoesAgainstTheSignsOfItsWeights)
{
    // Logits 3 x1 − 2 x2 + 0.5 x3 for class 1 against 0 for class 0.
    const Model model = softmax_model(mlp(3, {}, 2));
    const auto net    = one_net(model, {0, 0, 0, 3, -2, 0.5f, 0, 0});
    const AttackSpace space{{1, 0.5f, 2}, {}, {}};
    const std::vector<float> x{0.25f, 0.5f, -1, 0.25f, 0.5f, -1};
    const std::vector<int> labels{1, 0};
    const double p = 1 / (1 + std::exp(-(0.75 - 1 - 0.5)));   // of class 1
    for (const auto gradient : every_gradient) {
        const Attack attack(model, net, space, {.gradient = gradient}, 1);
        const auto found = attack.gradients(x, labels).value();
        for (int j = 0; j < 3; ++j) {
            const double w = std::vector<double>{3, -2, 0.5}[static_cast<std::size_t>(j)];
            EXPECT_NEAR(std::exp(found.log_size[0]) * found.direction[j], -(1 - p) * w, 1e-6);
            EXPECT_NEAR(std::exp(found.log_size[1]) * found.direction[3 + j], p * w, 1e-6);
        }
        EXPECT_EQ(found.zero_share, 0);
        EXPECT_EQ(attacked_by(attack, x, labels, 0.25), (std::vector<float>{0, 0.625f, -1.5f, 0.5f, 0.375f, -0.5f}));
        // Straight on, the small steps end at the same corner of the ball.
        const Attack steps(model, net, space, {.kind = AttackKind::projected_gradient, .gradient = gradient}, 1);
        EXPECT_EQ(attacked_by(steps, x, labels, 0.25), attacked_by(attack, x, labels, 0.25));
    }
}

TEST(Attack, GradientsMatchDifferencesOfTheLossOfTheirSamples)
{
    const Model model                                = softmax_model(mlp(3, {6}, 4, ActivationKind::tanh));
    const auto layout                                = layout_of(model.architecture);
    const std::shared_ptr<const Posterior> posterior = make_posterior<float>(
        layout, {.family = "mean_field", .initial_sd = 0.4}, initial_weights(layout, Initialisation::glorot, 4));
    constexpr int n = 5, draws = 7;
    const auto x = normals<float>(n * 3, 3);
    const std::vector<int> labels{0, 1, 2, 3, 0};
    const Network<double> exact(model.architecture);
    Network<double>::Workspace workspace(exact, 1);
    for (const auto gradient : every_gradient) {
        const int S = gradient == AttackGradient::one_draw ? 1 : draws;
        std::vector<std::vector<double>> weights;
        Draw<float> draw = posterior->make_draw();
        for (int s = 0; s < S; ++s) {
            posterior->draw({9, Stream::attacks, static_cast<std::uint32_t>(s)}, draw);
            weights.emplace_back(draw.weights.begin(), draw.weights.end());
        }
        const auto loss = [&](const std::vector<double>& at, int label) {
            double sum = 0;
            for (const auto& w : weights) {
                const auto z = exact.forward(w, at.data(), 1, workspace);
                double all   = 0;
                for (const double logit : z)
                    all += std::exp(logit);
                const double p = std::exp(z[static_cast<std::size_t>(label)]) / all;
                sum += gradient == AttackGradient::mean_predictive ? p : -std::log(p);
            }
            return gradient == AttackGradient::mean_predictive ? -std::log(sum / S) : sum / S;
        };
        const auto found = Attack(model, posterior, plain_space(3), {.gradient = gradient, .draws = draws}, 9)
                               .gradients(x, labels)
                               .value();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                std::vector<double> at(x.begin() + static_cast<std::ptrdiff_t>(3 * i),
                                       x.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
                const double h = 1e-6, here = at[j];
                at[j]             = here + h;
                const double up   = loss(at, labels[i]);
                at[j]             = here - h;
                const double down = loss(at, labels[i]);
                EXPECT_NEAR(std::exp(found.log_size[i]) * found.direction[3 * i + j], (up - down) / (2 * h), 5e-5)
                    << name(gradient) << ", input " << i << ", number " << j;
            }
    }
}

TEST(Attack, AddingAMillionToAllLogitsChangesNeitherAccuracyNorAttack)
{
    // Whole numbers everywhere, so that the raised logits are exact.
    const Model model = softmax_model(mlp(2, {3}, 3));
    const std::vector<float> first{1, -2, 3, 1, -1, 2, 0, 1, -1, 4, -3, 2, -2, 5, 1, 3, 1, -4, 0, 1, -1},
        second{2, 1, -1, 3, 2, -2, 1, 0, 1, -2, 1, 4, 3, -1, -3, 1, 2, 2, 1, 0, -2};
    ASSERT_EQ(first.size(), layout_of(model.architecture).size());
    const auto set = [&](float raise) {
        aligned_vector<float> numbers;
        for (const auto* net : {&first, &second}) {
            numbers.insert(numbers.end(), net->begin(), net->end());
            for (std::size_t i = numbers.size() - 3; i < numbers.size(); ++i)
                numbers[i] += raise;
        }
        return std::make_shared<const SampleSet>(layout_of(model.architecture), std::move(numbers));
    };
    const auto plain = set(0), raised = set(1e6f);
    const std::vector<float> x{1, 2, -1, 1, 3, -2, 0, 1, 40, -30};   // the last one far out, where each network is sure
    const std::vector<int> labels{0, 1, 2, 0, 1};
    const auto outputs = [&](const std::shared_ptr<const Posterior>& posterior, const std::vector<float>& inputs) {
        return PosteriorPredictive(model, posterior, 2, 1).summarise(inputs, 5).mean;
    };
    for (const auto kind : every_kind)
        for (const auto gradient : every_gradient) {
            const AttackOptions options{.kind = kind, .gradient = gradient, .draws = 2};
            const auto a = attacked_by(Attack(model, plain, plain_space(2), options, 1), x, labels, 1);
            const auto b = attacked_by(Attack(model, raised, plain_space(2), options, 1), x, labels, 1);
            EXPECT_EQ(a, b) << name(kind) << ", " << name(gradient);
            EXPECT_NE(a, x);
            EXPECT_EQ(outputs(plain, a), outputs(raised, b));
        }
}

TEST(Attack, AConfidentNetworkStillHasAGradient)
{
    // A margin of 500 nats: p − e is exactly 0 in floats.
    const Model model = softmax_model(mlp(1, {}, 2));
    for (const auto gradient : every_gradient) {
        const Attack attack(model, one_net(model, {0, 500, 0, 0}), plain_space(1), {.gradient = gradient}, 1);
        const auto found = attack.gradients(std::vector<float>{1}, std::vector<int>{1}).value();
        EXPECT_EQ(found.zero_rows, 0) << name(gradient);
        EXPECT_LT(found.direction[0], 0);
        EXPECT_NEAR(found.log_size[0] + std::log(-found.direction[0]), std::log(500.0) - 500, 1e-4);
    }
}

TEST(Attack, DeadUnitsGiveZerosThatAreCountedAndUnchanged)
{
    // relu(x1 − 10) only: the first two inputs do not reach it, and x2 has no weight.
    const Model model = softmax_model(mlp(2, {1}, 2));
    const Attack attack(model, one_net(model, {1, 0, -10, 1, -1, 0, 0}), plain_space(2), {}, 1);
    const std::vector<float> x{0, 0, 5, 1, 12, 3, 20, -3};
    const std::vector<int> labels{0, 1, 0, 1};
    const auto found = attack.gradients(x, labels).value();
    EXPECT_EQ(found.zero_share, 6 / 8.0);
    EXPECT_EQ(found.zero_rows, 2 / 4.0);
    EXPECT_EQ(attacked_by(attack, x, labels, 0.5), (std::vector<float>{0, 0, 5, 1, 11.5f, 3, 20.5f, -3}));
}

TEST(Attack, StaysInTheBallAndWithinTheLimits)
{
    const Model model = softmax_model(mlp(4, {8}, 3));
    const auto layout = layout_of(model.architecture);
    const auto net    = one_net(model, initial_weights(layout, Initialisation::he, 2));
    std::vector<float> x(4 * 30);
    uniforms({3, Stream::data, 0}, 0, std::span<float>(x));
    const std::vector<int> labels(30, 1);
    const std::vector<float> zeros(4, 0.0f), ones(4, 1.0f);
    for (const auto kind : every_kind) {
        const Attack free(model, net, plain_space(4), {.kind = kind}, 1);
        const Attack clipped(model, net, {ones, zeros, ones}, {.kind = kind}, 1);
        const auto a = attacked_by(free, x, labels, 0.3), b = attacked_by(clipped, x, labels, 0.3);
        double largest = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_LE(std::abs(a[i] - x[i]), 0.3f + 1e-6f) << name(kind);
            EXPECT_GE(b[i], 0) << name(kind);
            EXPECT_LE(b[i], 1) << name(kind);
            largest = std::max(largest, static_cast<double>(std::abs(a[i] - x[i])));
            if (kind != AttackKind::projected_gradient) {
                EXPECT_NEAR(b[i], std::clamp(a[i], 0.0f, 1.0f), 1e-6);
            }
        }
        EXPECT_NEAR(largest, 0.3, 1e-6) << name(kind);
        EXPECT_EQ(attacked_by(clipped, x, labels, 0), x);
    }
}

TEST(Attack, TheRandomControlChangesEveryInputByTheSameAmount)
{
    const Model model = softmax_model(mlp(4, {}, 2));
    const Attack control(model, one_net(model, std::vector<float>(10, 0.5f)), plain_space(4),
                         {.kind = AttackKind::random_signs}, 1);
    const std::vector<float> x(4 * 500, 0.0f);
    const std::vector<int> labels(500, 0);
    const auto moved = attacked_by(control, x, labels, 0.5);
    EXPECT_THAT(moved, Each(testing::AnyOf(0.5f, -0.5f)));
    const auto up = static_cast<double>(std::count(moved.begin(), moved.end(), 0.5f));
    EXPECT_NEAR(up / 2000, 0.5, 4 * std::sqrt(0.25 / 2000));
    const std::vector<float> few(x.begin(), x.begin() + 40);
    const auto first = attacked_by(control, few, std::vector<int>(10, 0), 0.5);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), moved.begin()));
}

TEST(Attack, BitsDoNotDependOnTheNumberOfThreads)
{
    Model model                 = softmax_model(with_dropout_before_weights(mlp(20, {30}, 5), 0.2));
    model.dropout_at_prediction = true;
    const auto layout           = layout_of(model.architecture);
    const std::shared_ptr<const Posterior> posterior = make_posterior<float>(
        layout, {.family = "mean_field", .initial_sd = 0.2}, initial_weights(layout, Initialisation::he, 4));
    const auto x = normals<float>(20 * 150, 5);
    std::vector<int> labels;
    for (int i = 0; i < 150; ++i)
        labels.push_back(i % 5);
    std::vector<std::vector<float>> all;
    for (const int threads : {1, 2, 7})
        Threads(threads).run([&] {
            all.push_back(attacked_by(Attack(model, posterior, plain_space(20),
                                             {.kind = AttackKind::projected_gradient, .draws = 18, .steps = 3}, 6),
                                      x, labels, 0.2));
        });
    EXPECT_EQ(all[0], all[1]);
    EXPECT_EQ(all[0], all[2]);
}

TEST(Attack, OfALinearisedNetworkIsThatOfTheMeanWeights)
{
    Model model                                 = softmax_model(mlp(3, {5}, 2, ActivationKind::tanh));
    const auto layout                           = layout_of(model.architecture);
    const auto means                            = initial_weights(layout, Initialisation::glorot, 4);
    const std::shared_ptr<const Posterior> wide = make_posterior<float>(
        layout, {.family = "mean_field", .initial_sd = 2}, means);
    const auto x = normals<float>(3 * 6, 5);
    const std::vector<int> labels{0, 1, 0, 1, 0, 1};
    const auto of_means = Attack(model, one_net(model, means), plain_space(3), {}, 6).gradients(x, labels).value();
    model.linearised_at_prediction = true;
    const Attack attack(model, wide, plain_space(3), {}, 6);
    EXPECT_EQ(attack.n_draws(), 1);
    EXPECT_EQ(attack.gradients(x, labels).value().direction, of_means.direction);
}

TEST(Attack, StopsOnRequest)
{
    const Model model = softmax_model(mlp(2, {}, 2));
    std::stop_source source;
    source.request_stop();
    const double epsilon = 0.1;
    for (const auto kind : every_kind)
        EXPECT_FALSE(Attack(model, one_net(model, std::vector<float>(6, 1.0f)), plain_space(2), {.kind = kind}, 1)
                         .run(
                             std::vector<float>{1, 2}, std::vector<int>{0}, std::span(&epsilon, 1),
                             [](std::size_t, std::span<const float>) { FAIL(); }, source.get_token()));
}

TEST(Attack, ReportsInvalidInput)
{
    const Model model     = softmax_model(mlp(2, {}, 2));
    const auto net        = one_net(model, std::vector<float>(6, 1.0f));
    Model regression      = model;
    regression.likelihood = learned_noise();
    EXPECT_THAT([&] { Attack(regression, net, plain_space(2), {}, 1); },
                testing::ThrowsMessage<Error>("Attack: the network has no classes, expected at least 2."));
    EXPECT_THAT([&] { Attack(model, net, plain_space(2), {.draws = 0}, 1); },
                testing::ThrowsMessage<Error>(
                    "Attack: found 0 samples and 10 steps, expected at least 1 of each and a step longer than 0."));
    for (const auto kind : every_kind)
        EXPECT_EQ(attack_kind_named(name(kind)), kind);
    for (const auto gradient : every_gradient)
        EXPECT_EQ(attack_gradient_named(name(gradient)), gradient);
    EXPECT_THAT([] { attack_kind_named("fgsm"); },
                testing::ThrowsMessage<Error>(
                    "The attack is \"fgsm\", expected one of fast_gradient_sign, projected_gradient, random_signs."));
}

TEST(SmallestChange, IsFoundBetweenTheNumbersOfTheList)
{
    const std::vector<double> epsilons{0, 0.1, 0.2, 0.3};
    int asked         = 0;
    const auto decide = [&](double epsilon) {
        ++asked;
        return epsilon >= 0.137 ? 4 : 2;
    };
    const auto found = smallest_change(epsilons, std::vector<int>{2, 2, 4, 2}, decide, 8);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, 0.137);
    EXPECT_LE(*found, 0.137 + 0.1 / 256);
    EXPECT_EQ(asked, 8);
    EXPECT_FALSE(smallest_change(epsilons, std::vector<int>{2, 2, 2, 2}, decide));
}

namespace {

/// M networks of one weight and one bias: draw s is (s, 0).
std::shared_ptr<const SampleSet> numbered_draws(std::size_t n)
{
    aligned_vector<float> numbers;
    for (std::size_t s = 0; s < n; ++s)
        numbers.insert(numbers.end(), {static_cast<float>(s), 0.0f});
    return std::make_shared<const SampleSet>(layout_of(mlp(1, {}, 1)), std::move(numbers));
}

std::set<float> members(const Posterior& part)
{
    std::set<float> found;
    Draw<float> draw = part.make_draw();
    for (std::uint32_t i = 0; i < 40; ++i) {
        part.draw({1, Stream::prediction, i}, draw);
        found.insert(draw.weights[0]);
    }
    return found;
}

TEST(DrawsApart, OfASetAreDisjointAndComplete)
{
    for (const std::size_t n : {2U, 3U, 5U, 12U, 25U})
        for (const int wanted : {1, 2, 10, 100}) {
            const auto apart    = draws_apart(numbered_draws(n), wanted);
            const auto gradient = members(*apart.gradient), fresh = members(*apart.fresh);
            EXPECT_EQ(gradient.size(), std::min<std::size_t>(static_cast<std::size_t>(wanted), n / 2));
            EXPECT_EQ(gradient.size() + fresh.size(), n);
            for (const float draw : gradient)
                EXPECT_FALSE(fresh.contains(draw)) << "draw " << draw << " of " << n;
            EXPECT_EQ(apart.gradient->different_draws(), gradient.size());
            EXPECT_EQ(apart.fresh->different_draws(), fresh.size());
        }
}

TEST(DrawsApart, AreSpreadOverTheSet)
{
    EXPECT_THAT(members(*draws_apart(numbered_draws(12), 3).gradient), testing::ElementsAre(0, 4, 8));
}

TEST(DrawsApart, OfAFamilyAndOfOneDrawAreThePosteriorItself)
{
    const auto layout = layout_of(mlp(1, {}, 1));
    const std::vector<float> means{1, 2};
    const std::shared_ptr<const Posterior> family = make_posterior<float>(layout, {.family = "mean_field"}, means);
    const std::shared_ptr<const Posterior> single = numbered_draws(1);
    for (const auto& posterior : {family, single}) {
        const auto apart = draws_apart(posterior, 10);
        EXPECT_EQ(apart.gradient, posterior);
        EXPECT_EQ(apart.fresh, posterior);
    }
}

}   // namespace

}   // namespace credence
