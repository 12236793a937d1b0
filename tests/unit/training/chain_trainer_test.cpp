// SPDX-License-Identifier: GPL-3.0-or-later
// Chains in the Trainer's loop.
#include "allocation_count.h"
#include "posterior/mean_field.h"
#include "posterior/point_estimate.h"
#include "posterior/sample_set.h"
#include "sources/toy.h"
#include "training/trainer.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

const Architecture& chain_net()
{
    static const Architecture net = mlp(2, {150, 120}, 2);   // of more weights than one task has
    return net;
}

std::unique_ptr<Trainer> chain_trainer(const LangevinOptions& langevin, long steps = 25)
{
    ToyOptions toy;
    toy.n             = 300;
    const auto layout = layout_of(chain_net());
    const auto means  = initial_weights(layout, Initialisation::he, 1);
    TrainerOptions options;
    options.steps                  = steps;
    options.batch_size             = 50;
    options.kl_weight              = 1.0 / 240;
    options.langevin               = langevin;
    options.schedule.learning_rate = 0.01;
    std::unique_ptr<VariationalFamily<float>> start;
    if (langevin.kind == LangevinKind::sgfuncrld)
        start = std::make_unique<MeanField<float>>(layout, PosteriorOptions{}, means);
    else
        start = std::make_unique<ChainState<float>>(layout, means);
    return std::make_unique<Trainer>(Model{chain_net(), {}, false}, Prior::same(layout, GaussianPrior{0, 1}),
                                     std::make_shared<SplitData>(split(make_toy(toy), {})), std::move(start), options);
}

class EveryChain : public testing::TestWithParam<LangevinKind> {
protected:
    LangevinOptions options() const { return {.kind = GetParam(), .epsilon = 1}; }
};

TEST_P(EveryChain, BitsDoNotDependOnTheNumberOfThreads)
{
    std::vector<float> first;
    for (const int count : {1, 2, 7}) {
        const auto trainer = chain_trainer(options());
        Threads(count).run([&] { trainer->run(); });
        const auto now = trainer->posterior().parameters();
        if (first.empty())
            first.assign(now.begin(), now.end());
        EXPECT_EQ(std::vector<float>(now.begin(), now.end()), first) << count;
    }
}

TEST_P(EveryChain, AStepAllocatesNothing)
{
    const auto trainer = chain_trainer(options());
    Threads(2).run([&] {
        for (int i = 0; i < 10; ++i)
            trainer->step();
        const long before = allocation_count();
        for (int i = 0; i < 10; ++i)
            trainer->step();
        EXPECT_EQ(allocation_count() - before, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(All, EveryChain,
                         testing::Values(LangevinKind::sgld, LangevinKind::psgld, LangevinKind::sghmc,
                                         LangevinKind::sgfuncrld));

TEST(TrainerHooks, SeeEveryStepAndProvideSnapshots)
{
    const auto trainer = chain_trainer({}, 12);
    std::vector<long> seen;
    std::shared_ptr<const SampleSet> set;
    trainer->set_hooks({.after_step =
                            [&](long step, const VariationalFamily<float>& now) {
        seen.push_back(step);
        set = std::make_shared<SampleSet>(now.layout(), aligned_vector<float>(now.means().begin(), now.means().end()));
                        },
                        .shown = [&](const VariationalFamily<float>&) { return set; }});
    std::vector<std::shared_ptr<const Snapshot>> recorded;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> s) { recorded.push_back(std::move(s)); };
    trainer->run({}, nullptr, events);
    EXPECT_EQ(seen, (std::vector<long>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    ASSERT_EQ(recorded.size(), 13u);
    EXPECT_TRUE(std::dynamic_pointer_cast<const ChainState<float>>(recorded.front()->posterior));
    for (std::size_t i = 1; i < recorded.size(); ++i)
        EXPECT_TRUE(std::dynamic_pointer_cast<const SampleSet>(recorded[i]->posterior)) << i;
    EXPECT_EQ(recorded.back()->posterior, set);
}

TEST(LearningRate, OfCyclesRestartsInEach)
{
    const ScheduleOptions cycles{.kind = ScheduleKind::cyclical, .learning_rate = 2, .cycles = 4};
    EXPECT_EQ(cycle_length(4, 100), 25);
    EXPECT_EQ(cycle_length(4, 101), 26);
    for (const long begin : {0L, 25L, 50L, 75L}) {
        EXPECT_EQ(learning_rate(cycles, begin, 100), 2);
        EXPECT_NEAR(learning_rate(cycles, begin + 5, 100), 1 + std::cos(std::acos(-1.0) / 5), 1e-15);
        EXPECT_LT(learning_rate(cycles, begin + 24, 100), 0.02);
    }
}

}   // namespace
}   // namespace credence
