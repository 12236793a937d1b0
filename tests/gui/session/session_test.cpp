// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/wait_until.h"
#include "runs/experiment.h"
#include "session/selection.h"
#include "session/session.h"
#include "study/presets.h"

#include <QTest>
#include <gmock/gmock.h>

using namespace credence;
using namespace testing;

namespace {

/// A session whose trainings are this function, ready to train a small Study.
struct Trained {
    explicit Trained(TrainingRun::Train train) : session(nullptr, std::move(train))
    {
        QObject::connect(&session, &Session::trainingFailed, &session,
                         [this](const QString& sentence) { failures.push_back(sentence.toStdString()); });
        QObject::connect(&session.currentRun(), &CurrentRun::runEnded, &session,
                         [this](const std::shared_ptr<const Experiment>&, const std::shared_ptr<SavedRun>& run) {
            kept.push_back(*run);
        });
        Study study          = default_study();
        study.training.steps = 30;
        session.setStudy(study);
        EXPECT_TRUE(reach(Session::State::ready));
        session.train();
        EXPECT_TRUE(reach(Session::State::ended));
    }
    bool reach(Session::State state)
    {
        return waitUntil([&] { return session.state() == state; }, 30000);
    }
    Session session;
    std::vector<std::string> failures;
    std::vector<SavedRun> kept;
};

}   // namespace

TEST(Session, AnErrorDuringTrainingIsReportedAndTheRecordedStepsAreKept)
{
    const Trained run([](const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                         const TrainingEvents& events) -> TrainingReport {
        train(experiment, std::move(stop), control, events);
        throw Error("There is no room for the curvature.");
    });
    EXPECT_THAT(run.failures, ElementsAre("Training ended at step 30: There is no room for the curvature."));
    ASSERT_THAT(run.kept, SizeIs(1));
    EXPECT_EQ(run.kept[0].report.message, run.failures[0]);
    EXPECT_EQ(run.kept[0].report.steps, 30);
    EXPECT_EQ(run.kept[0].snapshots.back()->point.step, 30);
    EXPECT_GT(run.kept[0].history.size(), 1u);
    EXPECT_EQ(run.session.run().report->message, run.failures[0]);
}

TEST(Session, AnErrorBeforeTheFirstStepIsReportedAndNothingIsSaved)
{
    const Trained run(
        [](const Experiment&, std::stop_token, TrainingControl*, const TrainingEvents&) -> TrainingReport { throw 7; });
    EXPECT_THAT(run.failures, ElementsAre("Training ended at step 0: An unknown error occurred."));
    EXPECT_THAT(run.kept, IsEmpty());
}

TEST(Session, EachStartDisplaysANewRun)
{
    Trained run({});
    EXPECT_THAT(run.failures, IsEmpty());
    const long first = run.session.currentRun().number();
    run.session.restart();
    EXPECT_GT(run.session.currentRun().number(), first) << "the same Study from its start";
    EXPECT_TRUE(run.reach(Session::State::ended));
    const long second = run.session.currentRun().number();
    run.session.currentRun().showRecorded(0);
    EXPECT_EQ(run.session.currentRun().number(), second) << "another step of the same run";
}

TEST(Session, AnotherStudyTrainsWhileTheEditedOneStays)
{
    Trained run({});
    const Study mine = run.session.study();
    Study other      = mine;
    other.seed       = 9;
    EXPECT_TRUE(run.session.trainOther(prepare(other)));
    EXPECT_FALSE(run.session.trainOther(prepare(other))) << "one run at a time";
    EXPECT_FALSE(run.session.changedSinceStart()) << "no setting was changed";
    EXPECT_TRUE(run.reach(Session::State::ended));
    EXPECT_EQ(run.session.run().experiment->study.seed, 9u);
    EXPECT_TRUE(run.session.study() == mine);
    EXPECT_TRUE(run.session.showsOtherStudy());
    EXPECT_THAT(run.kept, SizeIs(2));
    run.session.train();
    EXPECT_TRUE(run.reach(Session::State::ended));
    EXPECT_EQ(run.session.run().experiment->study.seed, mine.seed);
}

TEST(Session, ARunDisplayedDuringPreparationStaysUntilTheNextEdit)
{
    Trained run({});
    const auto shown = run.session.run().experiment;
    Study other      = run.session.study();
    other.seed       = 9;
    run.session.setStudy(other);
    ASSERT_EQ(run.session.state(), Session::State::preparing);
    EXPECT_TRUE(run.session.showRun(shown, run.kept[0]));
    EXPECT_TRUE(run.reach(Session::State::ended));
    EXPECT_EQ(run.session.run().experiment, shown);
    EXPECT_TRUE(run.session.showsOtherStudy());
    other.seed = 10;
    run.session.setStudy(other);
    EXPECT_TRUE(run.reach(Session::State::ready));
    EXPECT_EQ(run.session.run().experiment->study.seed, 10u);
}

namespace {

/// A selection in the test set of two moons, and its signals: "moving" or "at rest".
struct InMoons {
    InMoons()
    {
        QObject::connect(&selection, &Selection::changed, &selection,
                         [this](bool moving) { reported.push_back(moving ? "moving" : "at rest"); });
        selection.fit(experiment);
    }
    std::vector<double> row(std::size_t i) const
    {
        const auto numbers = experiment->data->test.row(i);
        return {numbers.begin(), numbers.end()};
    }
    std::shared_ptr<const Experiment> experiment = prepare(default_study());
    Selection selection;
    std::vector<std::string> reported;
};

}   // namespace

TEST(Selection, StartsAtTheFirstTestRow)
{
    const InMoons moons;
    EXPECT_EQ(moons.selection.chosen().row, 0U);
    EXPECT_EQ(moons.selection.numbers(), moons.row(0));
    EXPECT_THAT(moons.reported, IsEmpty()) << "it was not chosen";
}

TEST(Selection, IsTheLastChosenInputAndKnowsItsSender)
{
    InMoons moons;
    moons.selection.choosePoint({0.5, -0.25}, Selection::By::map);
    EXPECT_THAT(moons.selection.numbers(), ElementsAre(0.5, -0.25));
    EXPECT_EQ(moons.selection.by(), Selection::By::map);
    moons.selection.chooseRow(3, Selection::By::table);
    EXPECT_EQ(moons.selection.numbers(), moons.row(3));
    EXPECT_EQ(moons.selection.by(), Selection::By::table);
    EXPECT_THAT(moons.reported, ElementsAre("at rest", "at rest"));
}

TEST(Selection, ADraggedInputIsMarkedAsMoving)
{
    InMoons moons;
    moons.selection.chooseMade({.input = {1, 2}, .name = "test row 7, moved", .madeOf = 7}, true);
    EXPECT_EQ(moons.selection.chosen().row, 7U) << "its number stays with what it was made of";
    moons.selection.chooseMade({.input = {1, 3}, .drawn = true}, false);
    EXPECT_EQ(moons.selection.chosen().row, 7U);
    EXPECT_THAT(moons.reported, ElementsAre("moving", "at rest"));
}

TEST(Selection, APointStaysWithOtherPlaneDataAndIsDroppedWithDataOfAnotherKind)
{
    InMoons moons;
    moons.selection.choosePoint({0.5, -0.25}, Selection::By::map);
    Study other      = default_study();
    other.data.toy.n = 60;
    moons.selection.fit(prepare(other));
    EXPECT_THAT(moons.selection.numbers(), ElementsAre(0.5, -0.25));
    const auto line = prepare(preset("blundell_mean_field"));
    moons.selection.fit(line);
    EXPECT_THAT(moons.selection.chosen().input, IsEmpty());
    EXPECT_THAT(moons.selection.numbers(), SizeIs(1));
}

TEST(Selection, ARowBeyondOtherDataIsTheLastOne)
{
    InMoons moons;
    moons.selection.chooseRow(static_cast<int>(moons.experiment->data->test.n_rows) - 1, Selection::By::box);
    Study other           = default_study();
    other.data.toy.n      = 60;
    const auto experiment = prepare(other);
    moons.selection.fit(experiment);
    EXPECT_EQ(moons.selection.chosen().row, experiment->data->test.n_rows - 1);
}

TEST(Selection, AnOutsideInputKeepsTheRowAndIsDroppedWithOtherData)
{
    Study digits                       = default_study();
    digits.data.source                 = DataSource::strokes;
    digits.data.images.training_images = 40;
    digits.data.images.test_images     = 20;
    digits.network.hidden              = {8};
    Selection selection;
    selection.fit(prepare(digits));
    selection.chooseRow(5, Selection::By::grid);
    selection.chooseOutside({.input = std::vector<double>(784, 7.0), .name = "picture seven.png", .drawn = true},
                            Selection::By::picture);
    EXPECT_EQ(selection.by(), Selection::By::picture);
    EXPECT_EQ(selection.chosen().row, 5U);
    ViewOptions options;
    selection.addTo(options);
    EXPECT_EQ(options.input.name, "picture seven.png");
    EXPECT_EQ(options.input.draws, DrawsOf::outputs) << "it is in no table";
    EXPECT_FALSE(options.input.label);
    EXPECT_THAT(options.input.values, SizeIs(784));
    digits.data.images.test_images = 30;
    selection.fit(prepare(digits));
    EXPECT_THAT(selection.chosen().input, IsEmpty()) << "back to a row of the test set";
    EXPECT_EQ(selection.chosen().row, 5U);
    EXPECT_THAT(selection.chosen().name, IsEmpty());
    EXPECT_FALSE(selection.chosen().drawn);
    EXPECT_EQ(selection.by(), Selection::By::data);
}
