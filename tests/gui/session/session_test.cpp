// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "foundation/error.h"
#include "runs/train.h"
#include "study/presets.h"

#include "gui/wait_until.h"

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
