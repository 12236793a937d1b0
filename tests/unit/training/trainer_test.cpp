// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation_count.h"
#include "sources/toy.h"
#include "training/trainer.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

namespace credence {
namespace {

using testing::HasSubstr;

std::shared_ptr<const SplitData> moons()
{
    ToyOptions toy;
    toy.n = 300;
    return std::make_shared<SplitData>(split(make_toy(toy), {}));
}

struct Setting {
    std::string family = "mean_field";
    TrainerOptions options;
    std::vector<int> hidden{40, 30};
};

std::unique_ptr<Trainer> make_trainer(const Setting& setting)
{
    Architecture architecture = mlp(2, setting.hidden, 2);
    if (setting.family == "bernoulli_dropout")
        architecture = with_dropout_before_weights(architecture, 0.1);
    const ParameterLayout layout = layout_of(architecture);
    PosteriorOptions posterior;
    posterior.family      = setting.family;
    posterior.initial_tau = {0.2, 0.2};
    auto start            = make_posterior<float>(layout, posterior, initial_weights(layout, Initialisation::he, 1));
    return std::make_unique<Trainer>(Model{architecture, {}, setting.family != "point_estimate"},
                                     Prior::same(layout, GaussianPrior{0, 1}), moons(), std::move(start),
                                     setting.options);
}

TrainerOptions some_steps(long steps)
{
    TrainerOptions options;
    options.steps                  = steps;
    options.batch_size             = 50;
    options.kl_weighting           = KlWeighting::uniform;
    options.kl_weight              = 0.1;
    options.schedule.learning_rate = 0.01;
    return options;
}

const std::vector<std::string> families{"point_estimate", "bernoulli_dropout", "mean_field", "layer_scale",
                                        "tridiagonal"};

class EveryFamily : public testing::TestWithParam<std::string> {};

TEST_P(EveryFamily, LearnsTwoMoonsBetterThanTheStart)
{
    Setting setting{GetParam(), some_steps(400)};
    const auto trainer = make_trainer(setting);
    const double first = trainer->step();
    double last        = 0;
    for (int i = 1; i < 400; ++i)
        last = i > 380 ? last + trainer->step() / 19 : (trainer->step(), 0.0);
    EXPECT_LT(last, 0.6 * first);
}

TEST_P(EveryFamily, BitsDoNotDependOnTheNumberOfThreads)
{
    std::vector<std::vector<float>> ends;
    for (int threads : {1, 2, 7}) {
        Setting setting{GetParam(), some_steps(25), {150, 120}};
        setting.options.samples_per_step = 2;
        const auto trainer               = make_trainer(setting);
        Threads(threads).run([&] { trainer->run(); });
        const auto parameters = trainer->posterior().parameters();
        ends.emplace_back(parameters.begin(), parameters.end());
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
}

TEST_P(EveryFamily, AStepAllocatesNothing)
{
    const auto trainer = make_trainer({GetParam(), some_steps(100), {150, 120}});
    Threads(2).run([&] {
        for (int i = 0; i < 10; ++i)
            trainer->step();
        const long before = allocation_count();
        for (int i = 0; i < 10; ++i)
            trainer->step();
        EXPECT_EQ(allocation_count() - before, 0);
    });
}

TEST_P(EveryFamily, TwoStudiesOfOneSeedAgreeAndOfTwoSeedsDiffer)
{
    const auto end = [&](std::uint64_t seed) {
        Setting setting{GetParam(), some_steps(5)};
        setting.options.seed = seed;
        const auto trainer   = make_trainer(setting);
        trainer->run();
        const auto parameters = trainer->posterior().parameters();
        return std::vector<float>(parameters.begin(), parameters.end());
    };
    EXPECT_EQ(end(1), end(1));
    EXPECT_NE(end(1), end(2));
}

std::string name_of_family(const testing::TestParamInfo<std::string>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(All, EveryFamily, testing::ValuesIn(families), name_of_family);

TEST(Trainer, RunsItsStepsAndRecordsTheFirstAndTheLast)
{
    const auto trainer = make_trainer({"mean_field", some_steps(30)});
    std::vector<long> recorded;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> snapshot) { recorded.push_back(snapshot->point.step); };
    const TrainingReport report = trainer->run({}, nullptr, events);
    EXPECT_EQ(report.stop, StopReason::steps_done);
    EXPECT_EQ(report.steps, 30);
    ASSERT_EQ(recorded.size(), 31u);
    EXPECT_EQ(recorded.front(), 0);
    EXPECT_EQ(recorded.back(), 30);
    EXPECT_EQ(trainer->history().back().step, report.last->point.step);
    EXPECT_TRUE(trainer->history().back().kl.has_value());
    EXPECT_FALSE(trainer->history().front().data_loss.has_value());
}

TEST(Trainer, DrivenExternallyItMakesTheStepsOfItsOwnLoop)
{
    const Setting setting{"mean_field", some_steps(7)};
    const auto whole = make_trainer(setting), driven = make_trainer(setting);
    whole->run();
    EXPECT_FALSE(driven->status().not_finite);
    for (int i = 1; i < 7; ++i) {
        EXPECT_EQ(driven->advance(), std::nullopt) << i;
        EXPECT_FALSE(driven->status().far_from_start) << i;
    }
    EXPECT_EQ(driven->advance(), StopReason::steps_done);
    const auto a = whole->posterior().parameters(), b = driven->posterior().parameters();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    const auto point = driven->finish_point();
    EXPECT_EQ(point.step, 7);
    EXPECT_TRUE(point.kl.has_value());
    EXPECT_FALSE(driven->point().data_loss.has_value()) << "it starts again";

    Setting patient                        = setting;
    patient.options                        = some_steps(100000);
    patient.options.schedule.learning_rate = 1e-12;
    patient.options.patience               = 50;
    const auto resting                     = make_trainer(patient);
    std::optional<StopReason> end;
    while (!end)
        end = resting->advance();
    EXPECT_EQ(end, StopReason::no_progress);
}

TEST(Trainer, DrivenExternallyItReportsNonFiniteNumbers)
{
    Setting setting{"point_estimate", some_steps(500)};
    setting.options.optimizer.kind         = OptimizerKind::sgd;
    setting.options.schedule.learning_rate = 1e20;
    const auto driven                      = make_trainer(setting);
    std::optional<StopReason> end;
    while (!end)
        end = driven->advance();
    EXPECT_EQ(end, StopReason::not_finite);
    const auto bad = driven->status().not_finite;
    ASSERT_TRUE(bad);
    EXPECT_GE(bad->step, 2);
    EXPECT_THAT(bad->block, HasSubstr("dense"));
}

TEST(Trainer, WeightDecayCanHaveAValueForEachLayer)
{
    const auto end_with = [](double l2, std::vector<double> layer_l2, int samples = 1) {
        Setting setting{"point_estimate", some_steps(1)};
        setting.options.optimizer.kind   = OptimizerKind::sgd;
        setting.options.samples_per_step = samples;
        setting.options.l2               = l2;
        setting.options.layer_l2         = std::move(layer_l2);
        const auto trainer               = make_trainer(setting);
        trainer->step();
        const auto parameters = trainer->posterior().parameters();
        return std::vector<float>(parameters.begin(), parameters.end());
    };
    const auto layout = layout_of(mlp(2, {40, 30}, 2));
    const auto none = end_with(0, {}), all = end_with(0.5, {}), listed = end_with(7, {0.5});
    EXPECT_EQ(listed, all) << "a short list repeats its last number, in place of l2";
    const auto parts = end_with(0, {0, 0.5}), several = end_with(0, {0, 0.5}, 4);
    for (const Block& block : layout.blocks)
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            ASSERT_EQ(parts[i], block.layer == 0 ? none[i] : all[i]) << block.name;
            ASSERT_NEAR(several[i], parts[i], 1e-6) << block.name;
        }
    EXPECT_NE(none, all);
}

TEST(Trainer, ALongRunRecordsAtMostTwoHundredAndOneSteps)
{
    const auto trainer = make_trainer({"point_estimate", some_steps(1001)});
    trainer->run();
    EXPECT_LE(trainer->history().size(), 202u);
    EXPECT_EQ(trainer->history().back().step, 1001);
}

TEST(Trainer, ALossThatIsNotFiniteStopsTheRunAndKeepsTheLastGoodState)
{
    Setting setting{"point_estimate", some_steps(500)};
    setting.options.optimizer.kind         = OptimizerKind::sgd;
    setting.options.schedule.learning_rate = 1e20;
    const auto trainer                     = make_trainer(setting);
    const TrainingReport report            = trainer->run();
    EXPECT_EQ(report.stop, StopReason::not_finite);
    EXPECT_GE(report.bad_step, 2);
    EXPECT_THAT(report.bad_block, HasSubstr("dense"));
    EXPECT_THAT(report.message,
                HasSubstr("first at step " + std::to_string(report.bad_step) + " in " + report.bad_block));
    ASSERT_NE(report.last, nullptr);
    for (float value : report.last->posterior->numbers())
        ASSERT_TRUE(std::isfinite(value));
}

/// Outputs of the mean network for the training rows, the largest of them in size.
double largest_output(const Posterior& posterior, const Setting& setting)
{
    const Network<float> network(mlp(2, setting.hidden, 2));
    const auto data = moons();
    const int n     = static_cast<int>(data->training.n_rows);
    Network<float>::Workspace workspace(network, n);
    auto draw = posterior.make_draw();
    posterior.draw({1, Stream::weight_noise, 0}, draw);
    double largest = 0;
    for (const float output : network.forward(draw.weights, data->training_inputs.data(), n, workspace,
                                              DropoutNoise{{1, Stream::dropout, 0}, 0}))
        largest = std::isfinite(output) ? std::fmax(largest, std::fabs(output)) : INFINITY;
    return largest;
}

TEST(Trainer, TheLastGoodStateOfADivergedRunStillPredicts)
{
    int ran_away = 0;   // at some rates all units die before the numbers overflow
    for (const double rate : {30.0, 300.0, 3e3, 3e4, 3e5, 3e6, 1e10, 1e20}) {
        Setting setting{"point_estimate", some_steps(200)};
        setting.options.optimizer.kind         = OptimizerKind::sgd;
        setting.options.schedule.learning_rate = rate;
        const auto trainer                     = make_trainer(setting);
        std::vector<std::shared_ptr<const Snapshot>> recorded;
        TrainingEvents events;
        events.recorded = [&](std::shared_ptr<const Snapshot> snapshot) { recorded.push_back(std::move(snapshot)); };
        const TrainingReport report = trainer->run({}, nullptr, events);
        if (report.stop != StopReason::not_finite)
            continue;
        ++ran_away;
        ASSERT_NE(report.last, nullptr);
        EXPECT_LT(largest_output(*report.last->posterior, setting), 1000) << rate;
        EXPECT_EQ(recorded.back(), report.last) << rate;
    }
    EXPECT_GE(ran_away, 2);
}

TEST(Trainer, OverflowInTheLastStepIsNotSuccess)
{
    Setting setting{"point_estimate", some_steps(1)};
    setting.options.optimizer.kind         = OptimizerKind::sgd;
    setting.options.schedule.learning_rate = 1e42;   // infinite as a float
    const auto trainer                     = make_trainer(setting);
    TrainingEvents events;
    std::vector<long> shown;
    events.snapshot = [&](std::shared_ptr<const Snapshot> snapshot) { shown.push_back(snapshot->point.step); };
    const TrainingReport report = trainer->run({}, nullptr, events);
    EXPECT_EQ(report.stop, StopReason::not_finite);
    EXPECT_EQ(report.bad_step, 1);
    EXPECT_THAT(report.bad_block, HasSubstr("dense"));
    EXPECT_EQ(report.last->point.step, 0);
    EXPECT_THAT(shown, testing::Each(0));
}

TEST(Trainer, AContinuedRunKeepsItsSmoothedLoss)
{
    Setting setting{"point_estimate", some_steps(400)};
    setting.options.schedule.learning_rate = 0.002;
    setting.options.patience               = 60;
    const auto trainer                     = make_trainer(setting);
    std::stop_source stop;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> snapshot) {
        if (snapshot->point.step >= 100)
            stop.request_stop();
    };
    ASSERT_EQ(trainer->run(stop.get_token(), nullptr, events).stop, StopReason::cancelled);
    EXPECT_EQ(trainer->run().stop, StopReason::steps_done);   // it learns throughout
}

TEST(Trainer, StopsAfterItsSeconds)
{
    TrainerOptions options      = some_steps(100'000'000);
    options.max_seconds         = 0.05;
    const auto trainer          = make_trainer({"mean_field", options});
    const TrainingReport report = trainer->run();
    EXPECT_EQ(report.stop, StopReason::time_limit);
    EXPECT_LT(report.steps, options.steps);
}

TEST(Trainer, StopsWhenThereIsNoProgress)
{
    TrainerOptions options         = some_steps(100000);
    options.schedule.learning_rate = 1e-12;
    options.patience               = 50;
    const auto trainer             = make_trainer({"mean_field", options});
    EXPECT_EQ(trainer->run().stop, StopReason::no_progress);
}

TEST(Trainer, ACancelledRunReportsThisAndKeepsItsState)
{
    const auto trainer = make_trainer({"mean_field", some_steps(100'000'000)});
    std::stop_source stop;
    TrainingEvents events;
    events.snapshot = [&](std::shared_ptr<const Snapshot> snapshot) {
        if (snapshot->point.step > 10)
            stop.request_stop();
    };
    const TrainingReport report = trainer->run(stop.get_token(), nullptr, events);
    EXPECT_EQ(report.stop, StopReason::cancelled);
    EXPECT_EQ(report.last->point.step, report.steps);
}

TEST(Trainer, WhenPausedItMakesSingleStepsAndShowsEach)
{
    const auto trainer = make_trainer({"mean_field", some_steps(5)});
    TrainingControl control;
    control.pause();
    std::vector<long> shown;
    TrainingEvents events;
    events.snapshot = [&](std::shared_ptr<const Snapshot> snapshot) { shown.push_back(snapshot->point.step); };
    std::jthread training([&](std::stop_token stop) { trainer->run(stop, &control, events); });
    for (int i = 0; i < 5; ++i)
        control.step_once();
    training.join();
    EXPECT_THAT(shown, testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Trainer, ACancelWhilePausedEndsTheRun)
{
    const auto trainer = make_trainer({"mean_field", some_steps(5)});
    TrainingControl control;
    control.pause();
    TrainingReport report;
    std::jthread training([&](std::stop_token stop) { report = trainer->run(stop, &control); });
    training.request_stop();
    training.join();
    EXPECT_EQ(report.stop, StopReason::cancelled);
    EXPECT_EQ(report.steps, 0);
}

TEST(Trainer, SlowMotionShowsEachStepAndChangesNoBit)
{
    const auto fast = make_trainer({"mean_field", some_steps(300)});   // every other step is recorded
    fast->run();
    const auto slow = make_trainer({"mean_field", some_steps(300)});
    TrainingControl control;
    control.set_rate(16);
    std::vector<long> shown;
    double reported = 0;
    TrainingEvents events;
    events.progress = [&](const TrainingProgress& now) {
        reported = control.rate() > 0 ? now.steps_per_second : reported;
    };
    events.snapshot = [&](std::shared_ptr<const Snapshot> snapshot) {
        shown.push_back(snapshot->point.step);
        if (shown.back() >= 5)
            control.set_rate(0);
    };
    slow->run({}, &control, events);
    ASSERT_GE(shown.size(), 6u);
    EXPECT_THAT(std::vector<long>(shown.begin(), shown.begin() + 6), testing::ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(reported, 16) << "the reported speed is that of slow motion";
    EXPECT_THAT(slow->posterior().parameters(), testing::ElementsAreArray(fast->posterior().parameters()));
}

TEST(Trainer, ItsSpeedChangesImmediatelyAndACancelDoesNotWait)
{
    for (const bool cancelled : {false, true}) {
        const auto trainer = make_trainer({"mean_field", some_steps(5)});
        TrainingControl control;
        control.set_rate(1e-4);   // the second step would come in hours
        TrainingReport report;
        std::jthread training([&](std::stop_token stop) { report = trainer->run(stop, &control); });
        cancelled ? void(training.request_stop()) : control.set_rate(0);
        training.join();
        EXPECT_EQ(report.stop, cancelled ? StopReason::cancelled : StopReason::steps_done);
    }
}

TEST(MinibatchWeight, AddsUpToOneOverAnEpoch)
{
    for (const KlWeighting weighting : {KlWeighting::uniform, KlWeighting::geometric})
        for (const int M : {1, 2, 5, 53, 600, 1500}) {
            double sum = 0;
            for (int i = 1; i <= M; ++i)
                sum += minibatch_weight(weighting, i, M);
            EXPECT_NEAR(sum, 1, 1e-12) << M;
        }
}

TEST(MinibatchWeight, GeometricHalvesFromOneToTheNext)
{
    for (const int M : {2, 10, 1023, 1024, 1500})
        for (int i = 1; i < std::min(M, 900); ++i)
            EXPECT_EQ(minibatch_weight(KlWeighting::geometric, i + 1, M),
                      0.5 * minibatch_weight(KlWeighting::geometric, i, M))
                << i << " of " << M;
}

TEST(MinibatchWeight, GeometricIsTheFormulaOfThePaper)
{
    for (const int M : {1, 2, 5, 10})
        for (int i = 1; i <= M; ++i)
            EXPECT_DOUBLE_EQ(minibatch_weight(KlWeighting::geometric, i, M), std::pow(2, M - i) / (std::pow(2, M) - 1));
}

TEST(MinibatchWeight, GeometricEndsAtZeroBelowTheDoubleRange)
{
    EXPECT_EQ(minibatch_weight(KlWeighting::geometric, 1499, 1500), 0);
    EXPECT_GT(minibatch_weight(KlWeighting::geometric, 1000, 1500), 0);
}

TEST(MinibatchWeight, ConstantLeavesTheWeightUnchanged) { EXPECT_EQ(minibatch_weight(KlWeighting::constant, 3, 7), 1); }

}   // namespace

}   // namespace credence
