// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include "allocation_count.h"
#include "posterior/chain_state.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <cmath>

// A Trainer over a growing number of rows, as an agent collects them.
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
    return Trainer({architecture, {LikelihoodKind::gaussian, noise_sd}, true}, Prior::same(layout, GaussianPrior{0, 1}),
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
        Trainer trainer({architecture, {LikelihoodKind::gaussian, 1e4}, false},
                        Prior::same(layout, GaussianPrior{0, 1}), std::make_unique<ChainState<float>>(layout, start),
                        options);
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

}   // namespace
}   // namespace credence
