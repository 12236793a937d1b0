// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/drawn_points.h"

#include "session/document/study_document.h"
#include "session/session.h"

#include "runs/changed_points.h"
#include "study/presets.h"

#include "gui/wait_until.h"

#include <QTest>
#include <gmock/gmock.h>

#include <random>

using namespace credence;
using namespace testing;

namespace {

/// A user with a pen and a session that trains a Study of this many steps.
struct Pen {
    explicit Pen(const std::string& preset, long steps)
    {
        QObject::connect(&points, &DrawnPoints::notified, &session,
                         [this](const QString& sentence) { sentences.push_back(sentence.toStdString()); });
        QObject::connect(&session.currentRun(), &CurrentRun::runEnded, &session,
                         [this](const std::shared_ptr<const Experiment>&, const std::shared_ptr<SavedRun>& run) {
            kept.push_back(*run);
        });
        Study study          = credence::preset(preset);
        study.training.steps = steps;
        session.setStudy(study);
        EXPECT_TRUE(waitFor([&] { return session.state() == Session::State::ready; }));
        session.train();
        EXPECT_TRUE(waitFor([&] { return step() > 0; }));
    }
    static bool waitFor(const std::function<bool()>& condition) { return waitUntil(condition, 30000); }
    long step() const { return session.run().newest->point.step; }
    void stroke(int number)
    {
        points.draw(0.5, 1.2, 1, number);
        points.draw(0.6, 1.2, 1, number);
        points.endStroke();
    }

    Session session;
    StudyDocument document{session};
    DrawnPoints points{session, document};
    std::vector<std::string> sentences;
    std::vector<SavedRun> kept;
};

}   // namespace

TEST(DrawnPoints, TrainingContinuesWithDrawnPointsAndUndoRestoresPointsAndNetwork)
{
    Pen pen("two_moons_mean_field", 1000000);
    const Study before     = pen.session.study();
    const std::size_t rows = pen.session.run().experiment->data->training.n_rows;
    pen.points.draw(0.5, 1.2, 1, 1);
    EXPECT_EQ(pen.session.state(), Session::State::paused);
    EXPECT_THAT(pen.points.points().training, Contains(DrawnPoint{0.5, 1.2, 1})) << "before the training is held";
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.held().any(); }));
    const long stood = pen.session.held().step();
    EXPECT_GT(stood, 0);
    EXPECT_EQ(pen.session.state(), Session::State::paused);
    pen.points.draw(0.6, 1.2, 1, 1);
    pen.points.endStroke();
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running && pen.step() > stood; }));
    EXPECT_EQ(pen.session.run().experiment->data->training.n_rows, rows + 2);
    EXPECT_EQ(pen.session.run().experiment->study.data.source, before.data.source);
    ASSERT_THAT(pen.session.study().data.changes, SizeIs(1));
    EXPECT_EQ(pen.session.study().data.changes[0].step, stood);
    EXPECT_EQ(pen.session.run().recorded().front()->point.step, 0) << "it is the same run";
    EXPECT_FALSE(pen.session.changedSinceStart());
    EXPECT_THAT(pen.kept, IsEmpty());
    const auto firstNumbers = [&] {
        const auto numbers = pen.session.run().recorded().front()->posterior->numbers();
        return std::vector<float>(numbers.begin(), numbers.end());
    };
    const auto net = firstNumbers();
    EXPECT_FALSE(net.empty());

    const long undone = pen.step();
    const Study drawn = pen.session.study();
    pen.document.undo().undo();
    EXPECT_TRUE(pen.session.study() == before);
    EXPECT_THAT(pen.kept, SizeIs(1)) << "the run with the points stays in the list";
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running && pen.step() >= stood; }));
    EXPECT_EQ(pen.session.run().experiment->data->training.n_rows, rows);
    EXPECT_EQ(firstNumbers(), net) << "it continues and does not restart";

    ASSERT_TRUE(pen.waitFor([&] { return !pen.session.leaving(); }));
    pen.document.undo().redo();
    EXPECT_TRUE(pen.session.study() == drawn);
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running && pen.step() >= undone; }));
    EXPECT_EQ(pen.session.run().experiment->data->training.n_rows, rows + 2);
    EXPECT_FALSE(pen.session.changedSinceStart());
    pen.session.pause();
    pen.session.stop();
    EXPECT_EQ(pen.session.state(), Session::State::ended);
    EXPECT_THAT(pen.kept, SizeIs(3));
}

TEST(DrawnPoints, PointsErasedDuringTrainingAreRecordedInTheRun)
{
    Pen pen("two_moons_mean_field", 1000000);
    const auto& first = pen.session.run().experiment;
    const auto gone   = points_of(first->data->training).front();
    pen.session.pause();
    ASSERT_EQ(pen.session.state(), Session::State::paused);
    pen.points.erase(gone.x, gone.y, 1e-4, 1e-4, 1);
    pen.points.endStroke();
    ASSERT_TRUE(pen.waitFor([&] { return !pen.session.study().data.changes.empty(); }));
    EXPECT_EQ(pen.session.state(), Session::State::paused) << "it was paused before";
    ASSERT_THAT(pen.session.study().data.changes, SizeIs(1));
    EXPECT_THAT(pen.session.study().data.changes[0].erased, Contains(gone));
    const long stood = pen.session.held().step();
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.showsStudy(); }));
    pen.session.train();
    ASSERT_TRUE(pen.waitFor([&] { return pen.step() > stood; }));
    pen.session.restart();   // what went is gone from the start
    EXPECT_THAT(pen.session.study().data.changes, IsEmpty());
    EXPECT_EQ(pen.session.study().data.source, DataSource::drawn);
    ASSERT_THAT(pen.kept, SizeIs(1));
    EXPECT_THAT(pen.kept[0].study.data.changes, SizeIs(1));
    EXPECT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running; }));
    pen.session.stop();
}

TEST(DrawnPoints, APointIsMovedWhileItTrainsAndAfterwards)
{
    Pen pen("two_moons_mean_field", 1000000);
    const auto first = points_of(pen.session.run().experiment->data->training).front();
    pen.points.grab(first.x, first.y, 0.1, 0.1);
    pen.points.move(2, 2, 1);
    pen.points.move(2.5, 2.25, 1);
    pen.points.endStroke();
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running; }));
    ASSERT_THAT(pen.session.study().data.changes, SizeIs(1));
    EXPECT_THAT(pen.session.study().data.changes[0].erased, ElementsAre(first));
    EXPECT_THAT(pen.session.study().data.changes[0].added, ElementsAre(DrawnPoint{2.5, 2.25, first.label}));
    EXPECT_EQ(pen.document.undo().count(), 1) << "one stroke, one undo step";
    pen.session.stop();

    ASSERT_TRUE(pen.waitFor([&] { return pen.session.showsStudy(); }));
    const auto rows = pen.session.run().experiment->data->training.n_rows
                      + pen.session.run().experiment->data->test.n_rows;
    pen.points.grab(2.5, 2.25, 0.01, 0.01);
    pen.points.move(3, 3, 2);
    pen.points.endStroke();
    EXPECT_EQ(pen.session.study().data.source, DataSource::drawn);
    EXPECT_EQ(pen.session.study().data.points.size() + pen.session.study().data.test_points->size(), rows);
    EXPECT_THAT(pen.session.study().data.points, Contains(DrawnPoint{3, 3, first.label}));
    pen.points.grab(50, 50, 0.01, 0.01);   // there is none
    const Study before = pen.session.study();
    pen.points.move(4, 4, 3);
    EXPECT_TRUE(pen.session.study() == before);
}

TEST(DrawnPoints, AnotherSettingUsesThePointsFromTheStartAndAMethodThatCannotContinueStatesThis)
{
    Pen pen("two_moons_mean_field", 1000000);
    pen.stroke(1);
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running; }));
    Study after                           = pen.session.study();
    after.training.schedule.learning_rate = 0.002;
    pen.document.edit(after, QStringLiteral("Learning rate"));
    EXPECT_THAT(pen.session.study().data.changes, IsEmpty());
    EXPECT_EQ(pen.session.study().data.source, DataSource::drawn);
    EXPECT_TRUE(pen.session.changedSinceStart());
    pen.session.stop();

    Pen chain("two_moons_sgld", 1000000);
    chain.stroke(1);
    ASSERT_THAT(chain.sentences, SizeIs(Ge(1)));
    EXPECT_THAT(chain.sentences[0], HasSubstr("cannot continue with changed points; training restarts with them."));
    EXPECT_EQ(chain.session.study().data.source, DataSource::drawn);
    chain.session.stop();
}

TEST(DrawnPoints, RestartWithPointsThatChangedIsAStepOfUndo)
{
    Pen pen("two_moons_mean_field", 1000000);
    pen.stroke(1);
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running; }));
    const Study changed = pen.session.study();
    pen.session.restart();
    const Study restarted = pen.session.study();
    EXPECT_THAT(restarted.data.changes, IsEmpty());
    EXPECT_EQ(pen.document.undo().count(), 2);
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::running; }));
    pen.session.stop();
    pen.document.undo().undo();
    EXPECT_TRUE(pen.session.study() == changed);
    pen.document.undo().redo();
    EXPECT_TRUE(pen.session.study() == restarted);
}

TEST(DrawnPoints, AStrokeDoesNotWaitForTheTraining)
{
    Pen pen("two_moons_mean_field", 1000000);
    pen.session.pause();
    const long step = pen.step();
    pen.points.draw(0.5, 1.2, 1, 1);   // returns while the training thread still runs
    EXPECT_TRUE(pen.session.holding());
    EXPECT_FALSE(pen.session.held().any());
    EXPECT_TRUE(pen.points.ahead());
    pen.points.endStroke();
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.held().any() && pen.session.showsStudy(); }));
    EXPECT_GE(pen.session.held().step(), step);
    EXPECT_FALSE(pen.points.ahead());
    EXPECT_THAT(pen.sentences, ElementsAre(HasSubstr("+1 point: ")));
}

TEST(DrawnPoints, StopDuringThePauseStillDrawsThePoint)
{
    Pen pen("two_moons_mean_field", 1000000);
    pen.points.draw(0.5, 1.2, 1, 1);
    ASSERT_TRUE(pen.session.holding());
    pen.session.stop();
    pen.points.endStroke();
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.study().data.source == DataSource::drawn; }));
    EXPECT_EQ(pen.session.study().data.points.back(), (DrawnPoint{0.5, 1.2, 1}));
    EXPECT_THAT(pen.kept, SizeIs(1));
    ASSERT_TRUE(pen.waitFor([&] { return pen.session.ready().experiment() != nullptr; }));
    EXPECT_EQ(pen.session.state(), Session::State::ready) << "it was stopped and is not restarted";
}

// Checks the rows of every training: after any drawing, erasing, moving and undo, no network is
// scored on a row it was trained on.
TEST(DrawnPoints, OverRandomStrokesWithTrainingsBetweenNoTestRowWasEverTrainedOn)
{
    for (unsigned seed = 1; seed <= 3; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        std::uniform_real_distribution<double> place(-1.5, 2.5);
        Pen pen("two_moons_mean_field", 30);
        ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::ended; }));
        std::vector<DrawnPoint> trainedOn;
        const auto noteTraining = [&] {
            for (const auto& point : points_of(pen.session.run().experiment->data->training))
                trainedOn.push_back(point);
        };
        noteTraining();
        for (int stroke = 1; stroke <= 15; ++stroke) {
            switch (below(6)) {
            case 0:
            case 1: pen.points.draw(place(random), place(random), below(2), stroke); break;
            case 2: pen.points.erase(place(random), place(random), 0.3, 0.3, stroke); break;
            case 3:
                pen.points.grab(place(random), place(random), 1, 1);
                pen.points.move(place(random), place(random), stroke);
                break;
            case 4: pen.document.undo().undo(); break;
            case 5:
                ASSERT_TRUE(pen.waitFor([&] { return pen.session.ready().experiment() != nullptr; }));
                if (!pen.session.ready().continuesTraining())
                    trainedOn.clear();   // from its own start
                pen.session.train();
                ASSERT_TRUE(pen.waitFor([&] { return pen.session.state() == Session::State::ended; }));
                noteTraining();
                break;
            }
            pen.points.endStroke();
            ASSERT_TRUE(pen.waitFor([&] {
                return pen.session.state() == Session::State::ended || pen.session.state() == Session::State::ready;
            }));
            const bool continues = pen.session.ready().continuesTraining() || pen.session.run().report.has_value();
            const auto& data     = *pen.session.run().experiment->data;
            if (continues) {
                for (const auto& tested : points_of(data.test))
                    ASSERT_THAT(trainedOn, Not(Contains(tested))) << "seed " << seed << ", stroke " << stroke;
            }
            if (pen.session.study().data.source == DataSource::drawn) {
                ASSERT_EQ(data.training.n_rows, pen.session.study().data.points.size());
            }
        }
    }
}
