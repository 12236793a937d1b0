// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation_count.h"
#include "posterior/point_estimate.h"
#include "sources/toy.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

// A Trainer over a growing number of rows, as an agent collects them.
// The last minibatch of an epoch, which may have fewer rows than the others.

namespace credence {
namespace {

/// Rows y = 2x₁ − x₂, as many as requested.
struct Rows {
    std::vector<float> inputs, targets;
    explicit Rows(std::size_t n) : inputs(2 * n), targets(n)
    {
        standard_normals({3, Stream::data, 0}, 0, std::span<float>(inputs));
        for (std::size_t i = 0; i < n; ++i)
            targets[i] = 2 * inputs[2 * i] - inputs[2 * i + 1];
    }
    GrowingRows first(std::size_t n) const { return {std::span(inputs).first(2 * n), std::span(targets).first(n)}; }
};

Trainer trainer_of(const std::string& family, TrainerOptions options, double noise_sd = 0.1)
{
    const Architecture architecture = mlp(2, {8}, 1);
    const ParameterLayout layout    = layout_of(architecture);
    PosteriorOptions posterior;
    posterior.family     = family;
    posterior.initial_sd = 0.02;
    options.batch_size   = 16;
    options.steps        = 1000;
    return Trainer({architecture, Likelihood::gaussian(noise_sd), true}, Prior::same(layout, GaussianPrior{0, 1}),
                   make_posterior<float>(layout, posterior, initial_weights(layout, Initialisation::he, 1)), options);
}

TrainerOptions bound_to_elbo()
{
    TrainerOptions options;
    options.kl_weighting           = KlWeighting::uniform;
    options.kl_weight              = 1;
    options.schedule.learning_rate = 0.01;
    return options;
}

TEST(GrowingRows, TheKlWeightFollowsTheCurrentNumberOfRows)
{
    const Rows rows(100);
    Trainer trainer = trainer_of("mean_field", bound_to_elbo());
    for (const std::size_t n : {1u, 10u, 100u}) {
        trainer.set_rows(rows.first(n));
        trainer.step();
        EXPECT_DOUBLE_EQ(trainer.point().kl_weight, 1.0 / static_cast<double>(n));
    }
}

TEST(GrowingRows, OnlyPresentRowsAreLearned)
{
    Rows rows(40);
    for (std::size_t i = 20; i < 40; ++i)   // reading one of these would give a non-finite loss
        rows.targets[i] = std::numeric_limits<float>::quiet_NaN();
    Trainer trainer = trainer_of("point_estimate", bound_to_elbo());
    trainer.set_rows(rows.first(20));
    for (int i = 0; i < 200; ++i)
        ASSERT_TRUE(std::isfinite(trainer.step()));
    trainer.set_rows(rows.first(40));
    bool finite = true;
    for (int i = 0; i < 20; ++i)
        finite = finite && std::isfinite(trainer.step());
    EXPECT_FALSE(finite) << "the minibatches include the new rows";
}

TEST(GrowingRows, TheFitMatchesTheRows)
{
    const Rows rows(200);
    Trainer trainer = trainer_of("point_estimate", bound_to_elbo(), 1);
    double first = 0, last = 0;
    for (std::size_t t = 1; t <= 400; ++t) {
        trainer.set_rows(rows.first(std::min<std::size_t>(t, 200)));
        const double loss = trainer.step();
        first += t <= 100 ? loss / 100 : 0;
        last += t > 300 ? loss / 100 : 0;
    }
    EXPECT_LT(last, first - 0.1);
}

TEST(GrowingRows, BitsDoNotDependOnTheNumberOfThreads)
{
    const Rows rows(50);
    std::vector<std::vector<float>> ends;
    for (const int threads : {1, 2}) {
        Trainer trainer = trainer_of("mean_field", bound_to_elbo());
        Threads(threads).run([&] {
            for (std::size_t t = 1; t <= 50; ++t) {
                trainer.set_rows(rows.first(t));
                trainer.step();
            }
        });
        const auto now = trainer.posterior().parameters();
        ends.emplace_back(now.begin(), now.end());
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST(GrowingRows, AStepAllocatesNothing)
{
    const Rows rows(50);
    Trainer trainer = trainer_of("mean_field", bound_to_elbo());
    Threads(1).run([&] {
        for (std::size_t t = 1; t <= 20; ++t) {
            trainer.set_rows(rows.first(t));
            trainer.step();
        }
        const long before = allocation_count();
        for (std::size_t t = 21; t <= 50; ++t) {
            trainer.set_rows(rows.first(t));
            trainer.step();
        }
        EXPECT_EQ(allocation_count(), before);
    });
}

/// θ −= η∇Ū; θ += √(2ηT/N) ξ: where the gradient is next to nothing, N rows move it by the noise alone.
TEST(GrowingRows, TheNoiseOfAChainFollowsTheCurrentNumberOfRows)
{
    const Rows rows(400);
    const auto moved = [&](std::size_t n) {
        const Architecture architecture = mlp(2, {8}, 1);
        const ParameterLayout layout    = layout_of(architecture);
        TrainerOptions options;
        options.kl_weighting           = KlWeighting::uniform;
        options.kl_weight              = 0;
        options.batch_size             = 16;
        options.langevin               = LangevinOptions{.kind = LangevinKind::sgld};
        options.schedule.learning_rate = 0.01;
        const auto start               = initial_weights(layout, Initialisation::he, 1);
        Trainer trainer({architecture, Likelihood::gaussian(1e4), false}, Prior::same(layout, GaussianPrior{0, 1}),
                        std::make_unique<ChainState<float>>(layout, start), options);
        trainer.set_rows(rows.first(n));
        trainer.step();
        std::vector<double> by;
        for (std::size_t i = 0; i < start.size(); ++i)
            by.push_back(static_cast<double>(trainer.posterior().means()[i]) - static_cast<double>(start[i]));
        return by;
    };
    const auto few = moved(4), many = moved(400);
    for (std::size_t i = 0; i < few.size(); ++i)
        EXPECT_NEAR(few[i], 10 * many[i], 1e-5) << "weight " << i;
}

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
