// SPDX-License-Identifier: GPL-3.0-or-later
// The last minibatch of an epoch, which may have fewer rows than the others.
#include "sources/toy.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace credence {
namespace {

constexpr int full = 40, rest = 5;

/// Copies of one row: each of them has the same gradient.
std::shared_ptr<const SplitData> copies_of_a_row()
{
    ToyOptions toy;
    toy.n     = full + rest;
    auto data = std::make_shared<SplitData>(split(make_toy(toy), {.test_fraction = 0}));
    for (std::size_t i = 1; i < data->training.n_rows; ++i)
        std::copy_n(data->training_inputs.data(), 2, data->training_inputs.data() + 2 * i);
    std::fill(data->training.labels.begin(), data->training.labels.end(), 1);
    return data;
}

/// Plain gradient descent, so slow and with so little noise that the gradient of a row is nearly the same in two steps.
std::unique_ptr<Trainer> slow_trainer(const std::string& family, KlWeighting weighting, double kl_weight)
{
    TrainerOptions options;
    options.steps                   = 2;
    options.batch_size              = full;
    options.kl_weighting            = weighting;
    options.kl_weight               = kl_weight;
    options.optimizer.kind          = OptimizerKind::sgd;
    options.schedule.learning_rate  = 1e-3;
    const Architecture architecture = mlp(2, {8}, 2);
    const ParameterLayout layout    = layout_of(architecture);
    PosteriorOptions posterior;
    posterior.family     = family;
    posterior.initial_sd = 1e-4;
    auto start           = make_posterior<float>(layout, posterior, initial_weights(layout, Initialisation::he, 1));
    return std::make_unique<Trainer>(Model{architecture, {}, family != "point_estimate"},
                                     Prior::same(layout, GaussianPrior{0, 1}), copies_of_a_row(), std::move(start),
                                     options);
}

/// By how much the last bias moves in the second step, over what it moves in the first.
double second_over_first(const std::string& family, KlWeighting weighting)
{
    const auto trainer = slow_trainer(family, weighting, 1e-9);
    const auto bias    = [&] { return static_cast<double>(trainer->posterior().means().back()); };
    const double start = bias();
    trainer->step();
    const double first = bias();
    trainer->step();
    return (bias() - first) / (first - start);
}

TEST(LastMinibatch, CountsByItsRowsIfTheEpochSharesTheKl)
{
    EXPECT_NEAR(second_over_first("mean_field", KlWeighting::uniform), rest / double{full}, 0.01);
    EXPECT_NEAR(second_over_first("mean_field", KlWeighting::geometric), rest / double{full}, 0.01);
}

TEST(LastMinibatch, CountsByItsMeanIfTheKlHasAFixedWeightOrIsAbsent)
{
    EXPECT_NEAR(second_over_first("mean_field", KlWeighting::constant), 1, 0.05);
    EXPECT_NEAR(second_over_first("point_estimate", KlWeighting::uniform), 1, 0.05);
}

TEST(LastMinibatch, HasTheSameShareOfTheKlAsTheOthers)
{
    for (const int steps : {1, 2}) {
        const auto trainer = slow_trainer("mean_field", KlWeighting::uniform, 0.1);
        for (int i = 0; i < steps; ++i)
            trainer->step();
        EXPECT_DOUBLE_EQ(trainer->point().kl_weight, 0.1 / 2 / full) << steps;
    }
}

}   // namespace
}   // namespace credence
