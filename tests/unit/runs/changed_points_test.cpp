// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changed_points.h"

#include "foundation/error.h"
#include "runs/run_with_checkpoints.h"
#include "study/method.h"
#include "study/usual_settings.h"

#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <unistd.h>

// Points added and removed while a network trains.
namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Study changing_study(const std::string& family = "mean_field")
{
    Study study               = with_family_defaults(small_study("mean_field"), family).study;
    study.training.steps      = 90;
    study.training.batch_size = 20;
    return study;
}

std::string refusal_of_changes(const Study& study)
{
    try {
        prepare(study);
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "data.changes");
        return error.what();
    }
    return "";
}

void expect_same_run(const SavedRun& a, const SavedRun& b)
{
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) {
        EXPECT_EQ(a.history[i].step, b.history[i].step);
        EXPECT_EQ(a.history[i].epoch, b.history[i].epoch);
        EXPECT_EQ(a.history[i].data_loss, b.history[i].data_loss);
        EXPECT_EQ(a.history[i].kl_weight, b.history[i].kl_weight);
        EXPECT_EQ(a.history[i].test_error, b.history[i].test_error);
    }
    const auto left = a.report.last->posterior->numbers(), right = b.report.last->posterior->numbers();
    EXPECT_TRUE(std::equal(left.begin(), left.end(), right.begin(), right.end()));
    EXPECT_EQ(a.report.message, b.report.message);
}

TEST(ChangedPoints, RowsAreAppendedToTheTrainingRowsAndStandardisedAsAtTheStart)
{
    const auto first       = prepare(changing_study());
    const SplitData& data  = *first->data;
    const DrawnPoint there = points_of(data.training)[3], tested = points_of(data.test)[1];
    const SplitData after = with_change(data, {.step = 5, .added = {{9, -9, 1}, {8, 8, 0}}, .erased = {there, tested}});
    EXPECT_EQ(after.training.n_rows, data.training.n_rows + 1);
    EXPECT_EQ(after.test.n_rows, data.test.n_rows - 1);
    EXPECT_EQ(after.inputs, data.inputs);
    EXPECT_EQ(points_of(after.training).back(), (DrawnPoint{8, 8, 0}));
    EXPECT_EQ(points_of(after.training)[3], points_of(data.training)[4]);
    EXPECT_EQ(after.training_inputs.size(), 2 * after.training.n_rows);
    EXPECT_FLOAT_EQ(after.training_inputs[after.training_inputs.size() - 2],
                    (8 - data.inputs.mean[0]) / data.inputs.sd[0]);
    after.training.check();
    const Study from_start = with_points_from_start(first->study, after);
    EXPECT_EQ(from_start.data.points, points_of(after.training));
    EXPECT_EQ(from_start.data.test_points, points_of(after.test));
    EXPECT_TRUE(from_start.data.changes.empty());
}

/// As a user does: a few points are added, and rows of both parts are erased.
PointsChange random_change(const SplitData& data, std::mt19937& random)
{
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    std::uniform_real_distribution<double> place(-3, 3);
    PointsChange change{.step = 1};
    for (std::size_t i = below(6); i > 0; --i)
        change.added.push_back({place(random), place(random),
                                data.training.task == Task::classification ? static_cast<int>(below(2)) : 0});
    for (const Dataset* part : {&data.training, &data.test})
        if (const auto points = points_of(*part); points.size() > 4 && below(2) == 0)
            change.erased.push_back(points[below(points.size())]);
    return change;
}

bool holds(const std::vector<DrawnPoint>& points, const DrawnPoint& point)
{
    return std::find(points.begin(), points.end(), point) != points.end();
}

TEST(ChangedPoints, OverManyRandomStrokesOldRowsKeepTheirPartAndDrawnPointsTrain)
{
    for (const auto kind : {ToyKind::two_moons, ToyKind::sine_gap})
        for (unsigned seed = 1; seed <= 10; ++seed) {
            std::mt19937 random(seed);
            Study study        = small_study("mean_field", kind);
            SplitData data     = *prepare(study)->data;
            const auto trained = points_of(data.training), tested = points_of(data.test);
            std::vector<DrawnPoint> drawn, erased;
            for (int stroke = 0; stroke < 30; ++stroke) {
                const PointsChange change = random_change(data, random);
                drawn.insert(drawn.end(), change.added.begin(), change.added.end());
                erased.insert(erased.end(), change.erased.begin(), change.erased.end());
                if (stroke % 2 == 0) {   // during training
                    data = with_change(data, change);
                } else {   // between two trainings, through a file
                    study = with_points_from_start(study, with_change(data, change));
                    study = study_from_text(to_text(study), "drawn.json");
                    data  = *prepare(study)->data;
                }
                for (const auto& point : points_of(data.training))
                    ASSERT_TRUE(holds(trained, point) || holds(drawn, point)) << "seed " << seed;
                for (const auto& point : points_of(data.test))
                    ASSERT_TRUE(holds(tested, point)) << "seed " << seed;
                const auto training = points_of(data.training), test = points_of(data.test);
                for (const auto& point : trained)
                    ASSERT_NE(holds(training, point), holds(erased, point)) << "seed " << seed;
                for (const auto& point : tested)
                    ASSERT_NE(holds(test, point), holds(erased, point)) << "seed " << seed;
                for (const auto& point : drawn)
                    ASSERT_NE(holds(training, point), holds(erased, point)) << "seed " << seed;
            }
        }
}

TEST(ChangedPoints, ToysAsDrawnPointsAreTheSameRowsAndTheSameRun)
{
    for (const auto kind : {ToyKind::two_moons, ToyKind::cubic}) {
        const Study study    = small_study("mean_field", kind);
        const auto generated = prepare(study);
        const auto drawn     = prepare(with_points_from_start(study, *generated->data));
        EXPECT_EQ(drawn->data->training_inputs, generated->data->training_inputs);
        EXPECT_EQ(drawn->data->test_inputs, generated->data->test_inputs);
        EXPECT_EQ(drawn->data->training.class_names, generated->data->training.class_names);
        EXPECT_EQ(drawn->data->training.feature_names, generated->data->training.feature_names);
        EXPECT_EQ(drawn->data->training.target_name, generated->data->training.target_name);
        EXPECT_EQ(drawn->data->inputs, generated->data->inputs);
        expect_same_run(recorded_run(*drawn), recorded_run(*generated));
    }
}

TEST(ChangedPoints, DataKeepTheTestRowsOfTheNetworkUnlessOneOfThemIsNew)
{
    const Study study     = small_study("mean_field");
    const SplitData first = *prepare(study)->data;
    EXPECT_TRUE(keeps_test_rows_of(first, first));
    const auto fewer = with_change(first, {.step = 1, .added = {{0, 0, 0}}, .erased = {points_of(first.test)[0]}});
    EXPECT_TRUE(keeps_test_rows_of(first, fewer));
    EXPECT_FALSE(keeps_test_rows_of(fewer, first)) << "the erased one is back";
    EXPECT_EQ(change_between(first, fewer), (PointsChange{0, {{0, 0, 0}}, {points_of(first.test)[0]}}));
    EXPECT_EQ(change_between(first, first), PointsChange{});
    Study other      = study;
    other.split.seed = 7;
    EXPECT_FALSE(keeps_test_rows_of(first, *prepare(other)->data));
}

TEST(ChangedPoints, TargetsOfACurveAreStandardisedAsBefore)
{
    Study study                     = small_study("mean_field", ToyKind::cubic);
    study.split.standardise_targets = true;
    const auto data                 = prepare(study)->data;
    const SplitData after           = with_change(*data, {.step = 1, .added = {{0.5, 40, 0}}});
    EXPECT_FLOAT_EQ(after.training_targets.back(), static_cast<float>((40 - data->target_mean) / data->target_sd));
    EXPECT_EQ(after.training_targets[0], data->training_targets[0]);
    EXPECT_EQ(after.test_targets.size(), data->test_targets.size());
}

TEST(ChangedPoints, ImpossibleChangesAreRejectedWithOneSentence)
{
    Study study        = changing_study();
    study.data.changes = {{.step = 10, .added = {{0, 0, 7}}}};
    EXPECT_THAT(refusal_of_changes(study),
                HasSubstr("at step 10 adds a point of class 7, expected one of the 2 classes"));
    study.data.changes = {{.step = 10, .erased = {{77, 77, 0}}}};
    EXPECT_THAT(refusal_of_changes(study), HasSubstr("erases the point (77, 77), expected an existing point"));
    study.data.changes = {{.step = 10, .added = {{0, 1e12, 0}}}};
    EXPECT_THAT(refusal_of_changes(study), HasSubstr("has the coordinate 1e+12"));
    study.data.changes = {{.step = 20, .added = {{0, 0, 0}}}, {.step = 10, .added = {{0, 0, 0}}}};
    EXPECT_THAT(refusal_of_changes(study), HasSubstr("has a change at step 10, expected steps from 20 to below"));
    study.data.changes = {{.step = 90, .added = {{0, 0, 0}}}};
    EXPECT_THAT(refusal_of_changes(study), HasSubstr("has a change at step 90"));
    study                  = changing_study();
    study.posterior.family = "sgld";
    study.data.changes     = {{.step = 10, .added = {{0, 0, 0}}}};
    EXPECT_THAT(refusal_of_changes(study), HasSubstr("cannot continue with other points"));
}

TEST(ChangedPoints, TheStudyStoresThemAndIsReadBack)
{
    Study study = changing_study();
    EXPECT_THAT(to_text(study), Not(HasSubstr("\"changes\""))) << "a Study without them is written as before";
    study.data.changes = {{.step = 12, .added = {{0.25, 1e-3, 1}}, .erased = {{0.5, 2, 0}}}, {.step = 12}};
    const Study read   = study_from_text(to_text(study), "changed.json");
    EXPECT_EQ(read.data.changes, study.data.changes);
    EXPECT_TRUE(read == study);
    EXPECT_FALSE(read == changing_study());
    EXPECT_EQ(changes_in_words(study.data, 13), "Points changed at step 12 (1 added, 1 erased).");
    EXPECT_EQ(changes_in_words(study.data, 12), "");
    try {
        study_from_text(R"({"credence": 1, "data": {"changes": [{"added": []}]}})", "bad.json");
        ADD_FAILURE() << "a change without its step";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("data.changes is {\"added\":[]}, expected a list of changes"));
    }
}

TEST(ChangedPoints, TheRunIsUnchangedBeforeTheChangeAndDiffersAfterIt)
{
    const Study plain    = changing_study();
    Study changed        = plain;
    changed.data.changes = {{.step = 45, .added = {{0.5, 1.2, 1}, {0.6, 1.2, 1}}}};
    const auto without = recorded_run(*prepare(plain)), with = recorded_run(*prepare(changed));
    ASSERT_EQ(without.history.size(), with.history.size());
    for (std::size_t i = 0; i < with.history.size(); ++i)
        if (with.history[i].step <= 45) {
            EXPECT_EQ(with.history[i].data_loss, without.history[i].data_loss) << with.history[i].step;
        }
    EXPECT_NE(with.history.back().data_loss, without.history.back().data_loss);
    EXPECT_THAT(with.report.message, HasSubstr("Points changed at step 45 (2 added, 0 erased)."));
    EXPECT_THAT(without.report.message, Not(HasSubstr("Points changed")));
    for (std::size_t i = 1; i < with.history.size(); ++i)
        EXPECT_GT(with.history[i].epoch, with.history[i - 1].epoch);
}

class EveryMethodThatTakesNewPoints : public ::testing::TestWithParam<std::string> {};

/// Like the window: the run pauses between two steps, its points change, and it continues from its checkpoint.
TEST_P(EveryMethodThatTakesNewPoints, ContinuesWithThemLikeAStudyThatHadThemFromTheStart)
{
    namespace fs      = std::filesystem;
    const auto folder = fs::path(::testing::TempDir())
                        / ("credence_changed_points_" + std::to_string(::getpid()) + "_" + GetParam());
    fs::create_directories(folder);
    const Study plain = changing_study(GetParam());
    const auto first  = prepare(plain);
    TrainingControl control;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step == 37)
            control.leave();
    };
    const SavedRun stood = run_with_checkpoints(*first, folder, {}, {}, &control, events);
    ASSERT_EQ(stood.report.stop, StopReason::cancelled);
    ASSERT_EQ(stood.report.steps, 37);

    Study changed            = plain;
    changed.data.changes     = {{.step   = 37,
                                 .added  = {{0.5, 1.2, 1}, {0.6, 1.2, 1}, {0.7, 1.3, 0}},
                                 .erased = {points_of(first->data->training).front()}}};
    changed.prediction.level = 0.8;   // a matter of looking at it
    const auto second        = prepare(changed);
    std::vector<std::string> reported;
    CheckpointOptions options;
    options.notify         = [&](const std::string& sentence) { reported.push_back(sentence); };
    const SavedRun went_on = run_with_checkpoints(*second, folder, options);
    EXPECT_THAT(reported, ::testing::ElementsAre("Resuming at step 37 of 90 with other points."));
    expect_same_run(went_on, recorded_run(*second));

    Study earlier        = changed;   // training on other points cannot be undone
    earlier.data.changes = {{.step = 20, .added = {{0, 0, 0}}}};
    fs::remove_all(folder);
    fs::create_directories(folder);
    TrainingControl again;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step == 37)
            again.leave();
    };
    run_with_checkpoints(*first, folder, {}, {}, &again, events);
    reported.clear();
    run_with_checkpoints(*prepare(earlier), folder, options);
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_THAT(reported[0], HasSubstr("starts from the beginning"));
    fs::remove_all(folder);
}

std::vector<std::string> methods_that_take_new_points()
{
    std::vector<std::string> ids;
    for (const Method& one : methods())
        if (one.training.accepts_new_points)
            ids.push_back(one.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethodThatTakesNewPoints, ::testing::ValuesIn(methods_that_take_new_points()),
                         [](const auto& info) { return info.param; });

}   // namespace
}   // namespace credence
