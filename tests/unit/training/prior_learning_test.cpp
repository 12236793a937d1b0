// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation_count.h"
#include "posterior/prior.h"
#include "sources/toy.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

struct LearningCase {
    std::string family;
    Complexity::Kind complexity;
    BlockPrior prior;
};

struct LearningRun {
    Prior start;
    std::unique_ptr<Trainer> trainer;

    Prior learned() const
    {
        Prior prior = start;
        set_learned_parameters(prior, trainer->posterior().prior_parameters());
        return prior;
    }
};

LearningRun prepared(const LearningCase& of, bool learns, const std::vector<int>& hidden = {40, 30}, int samples = 1)
{
    ToyOptions toy;
    toy.n                           = 300;
    const Architecture architecture = mlp(2, hidden, 2);
    const ParameterLayout layout    = layout_of(architecture);
    auto q                          = make_posterior<float>(layout, {.family = of.family, .initial_tau = {0.2, 0.2}},
                                   initial_weights(layout, Initialisation::he, 1));
    const Prior prior               = Prior::same(layout, of.prior);
    if (learns)
        q->learn_prior(prior);
    TrainerOptions options;
    options.steps                  = 300;
    options.batch_size             = 50;
    options.samples_per_step       = samples;
    options.kl_weighting           = KlWeighting::uniform;
    options.kl_weight              = 0.1;
    options.complexity             = of.complexity;
    options.schedule.learning_rate = 0.01;
    return {prior,
            std::make_unique<Trainer>(Model{architecture, {}, true}, prior,
                                      std::make_shared<SplitData>(split(make_toy(toy), {})), std::move(q), options)};
}

/// KL to this prior; to a mixture by one draw.
double kl_to(const VariationalFamily<float>& posterior, const Prior& prior)
{
    Draw<float> draw = posterior.make_draw();
    posterior.draw({9, Stream::weight_noise, 0}, draw);
    const auto closed = posterior.kl(prior);
    return closed ? *closed : posterior.sampled_complexity(draw, prior).value();
}

class LearningPrior : public testing::TestWithParam<LearningCase> {};

TEST_P(LearningPrior, MovesCloserToThePosteriorThanTheInitialOne)
{
    const LearningRun run = prepared(GetParam(), true);
    EXPECT_EQ(run.trainer->run().stop, StopReason::steps_done);
    const auto& posterior = run.trainer->posterior();
    EXPECT_LT(kl_to(posterior, run.learned()), kl_to(posterior, run.start) - 10);
    const auto& history = run.trainer->history();
    EXPECT_EQ(history.back().prior, learned_values(run.learned()));
    ASSERT_EQ(history.front().prior.size(), history.back().prior.size());
    for (std::size_t j = 0; j < history.front().prior.size(); ++j)
        EXPECT_NEAR(history.front().prior[j], learned_values(run.start)[j], 1e-6);
}

TEST_P(LearningPrior, DoesNotChangeTheFirstStepAndItsSamples)
{
    const LearningRun plain = prepared(GetParam(), false), learning = prepared(GetParam(), true);
    const auto same = [&] {
        const auto a = plain.trainer->posterior().parameters(), b = learning.trainer->posterior().parameters();
        return std::equal(a.begin(), a.end(), b.begin());
    };
    EXPECT_EQ(plain.trainer->step(), learning.trainer->step());
    // The prior that the first step sees went through a logarithm in float: its pull may differ in the last bits.
    const auto a = plain.trainer->posterior().parameters(), b = learning.trainer->posterior().parameters();
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], 2e-5 * (1 + std::fabs(a[i])));
    for (int i = 0; i < 30; ++i) {
        plain.trainer->step();
        learning.trainer->step();
    }
    EXPECT_FALSE(same()) << "a moving prior pulls elsewhere";
    EXPECT_TRUE(plain.trainer->finish_point().prior.empty());
}

TEST_P(LearningPrior, BitsDoNotDependOnTheNumberOfThreads)
{
    std::vector<std::vector<float>> ends;
    for (const int threads : {1, 2, 7}) {
        const LearningRun run = prepared(GetParam(), true, {150, 120}, 2);
        Threads(threads).run([&] {
            for (int i = 0; i < 10; ++i)
                run.trainer->step();
        });
        const auto parameters = run.trainer->posterior().parameters();
        ends.emplace_back(parameters.begin(), parameters.end());
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
}

TEST_P(LearningPrior, AStepAllocatesNothing)
{
    const LearningRun run = prepared(GetParam(), true, {150, 120});
    Threads(2).run([&] {
        for (int i = 0; i < 10; ++i)
            run.trainer->step();
        const long before = allocation_count();
        for (int i = 0; i < 10; ++i)
            run.trainer->step();
        EXPECT_EQ(allocation_count() - before, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(All, LearningPrior,
                         testing::Values(LearningCase{"mean_field", Complexity::Kind::closed, GaussianPrior{0, 1}},
                                         LearningCase{"layer_scale", Complexity::Kind::closed, GaussianPrior{0, 1}},
                                         LearningCase{"tridiagonal", Complexity::Kind::sampled, GaussianPrior{0, 1}},
                                         LearningCase{"mean_field", Complexity::Kind::sampled,
                                                      ScaleMixturePrior{0.5, 1, 0.01}}),
                         [](const auto& info) {
    const auto& of = info.param;
    return of.family + (of.complexity == Complexity::Kind::closed ? "_closed" : "_sampled")
           + (std::holds_alternative<GaussianPrior>(of.prior) ? "" : "_mixture");
});

}   // namespace
}   // namespace credence
