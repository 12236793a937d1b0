// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/linting.h"

#include "session/document/study_document.h"
#include "session/run_opener.h"
#include "session/saved_runs.h"
#include "session/session.h"
#include "session/settings.h"
#include "session/view_requests.h"

#include "foundation/error.h"
#include "study/presets.h"

#include "gui/wait_until.h"

#include <QDir>
#include <QTest>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace credence;
using namespace testing;

namespace {

const Finding fewSteps{.rule     = "few_steps",
                       .severity = Severity::error,
                       .title    = "The training was too short.",
                       .evidence = "30 steps, expected at least 60.",
                       .idea     = "A book",
                       .reason   = "The loss still falls.",
                       .remedy   = {.label = "Train for 60 steps", .settings = {{"training.steps", "60"}}, .view = {}}};
const Finding slowRate{
    .rule     = "slow_rate",
    .severity = Severity::warning,
    .title    = "The learning rate is small.",
    .evidence = "0.01, expected 0.02.",
    .reason   = "It needs more steps.",
    .remedy = {.label = "Set the learning rate to 0.02", .settings = {{"training.learning_rate", "0.02"}}, .view = {}}};

using Findings = std::optional<LintResult>;

void waitForStop(const std::stop_token& stop)
{
    while (!stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// A session whose runs of 30 steps are checked by this function.
struct Looked {
    explicit Looked(Linting::Look look) : linting(session, runs, choices, std::move(look))
    {
        QDir(runsFolder()).removeRecursively();
        Study study          = default_study();
        study.training.steps = 30;
        change(study);
    }
    /// Sets another Study and waits until it is ready or its trained run is restored.
    void change(const Study& study)
    {
        session.setStudy(study);
        EXPECT_TRUE(waitUntil([&] { return session.state() != Session::State::preparing; }, 30000));
    }
    void train()
    {
        session.train();
        EXPECT_TRUE(waitUntil([&] { return session.state() == Session::State::ended; }, 30000));
    }
    bool reach(Linting::State state)
    {
        return waitUntil([&] { return linting.state() == state; }, 30000);
    }
    Session session;
    SavedRuns runs;
    StudyDocument document{session};
    RunOpener opener{session, document, runs};
    ViewChoices choices;
    Linting linting;
};

}   // namespace

TEST(Linting, ChecksAFinishedRunOnceAndShowsItsProgress)
{
    std::atomic<int> calls = 0;
    std::atomic<bool> go   = false;
    std::atomic<long> step = -1, steps = -1;
    Looked run([&](const LintCase& asked, const std::stop_token& stop) -> Findings {
        ++calls;
        step  = asked.run.snapshot->point.step;
        steps = asked.report ? asked.report->steps : -1;
        while (!go && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return LintResult{.findings = {fewSteps, slowRate}};
    });
    EXPECT_EQ(run.linting.state(), Linting::State::no_run);
    EXPECT_EQ(findingsChapter(run.linting), QStringList("No run has finished yet."));
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looking));
    EXPECT_THAT(run.linting.findings(), IsEmpty());
    EXPECT_EQ(findingsChapter(run.linting), QStringList("The run was still being checked."));
    go = true;
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_THAT(run.linting.findings(), ElementsAre(fewSteps, slowRate));
    EXPECT_EQ(run.linting.counts(), "1 error, 1 warning");
    EXPECT_EQ(run.linting.runName().toStdString(), run.session.study().name);
    EXPECT_EQ(step, 30);
    EXPECT_EQ(steps, 30);
    run.session.currentRun().showRecorded(0);   // another snapshot of the same run
    EXPECT_EQ(run.linting.state(), Linting::State::looked);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(findingsChapter(run.linting),
              QStringList({"Error: The training was too short. 30 steps, expected at least 60. The loss still falls. "
                           "Idea: A book. Remedy: Train for 60 steps.",
                           "Warning: The learning rate is small. 0.01, expected 0.02. It needs more steps. "
                           "Remedy: Set the learning rate to 0.02."}));
}

TEST(Linting, ReportsNothingFoundForAHealthyRun)
{
    Looked run([](const LintCase&, const std::stop_token&) -> Findings { return LintResult(); });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_THAT(run.linting.findings(), IsEmpty());
    EXPECT_EQ(run.linting.counts(), "No findings");
    EXPECT_EQ(findingsChapter(run.linting), QStringList("No findings."));
}

TEST(Linting, ARuleThatCouldNotBeCheckedIsListedInsteadOfNothingFound)
{
    Looked run([](const LintCase&, const std::stop_token&) -> Findings {
        return LintResult{.not_judged = {{"r_hat", "There is no room."}, {"ess", "There is no room."}}};
    });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(run.linting.counts(), "2 rules could not be checked");
    EXPECT_EQ(run.linting.notJudged(), QStringList("r_hat, ess: There is no room."));
    EXPECT_EQ(findingsChapter(run.linting), QStringList("Could not be checked: r_hat, ess: There is no room."));
}

TEST(Linting, ANewRunStopsTheCheckOfThePreviousOne)
{
    std::atomic<int> begun = 0, stopped = 0;
    Looked run([&](const LintCase&, const std::stop_token& stop) -> Findings {
        if (++begun == 2)
            return LintResult{.findings = {slowRate}};
        waitForStop(stop);
        ++stopped;
        return {};
    });
    run.train();
    ASSERT_TRUE(waitUntil([&] { return begun == 1; }, 30000));
    run.session.restart();
    EXPECT_EQ(run.linting.state(), Linting::State::training);
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(stopped, 1);
    EXPECT_THAT(run.linting.findings(), ElementsAre(slowRate));
    run.session.restart();   // and the end of all stops the third
    EXPECT_TRUE(waitUntil([&] { return begun == 3; }, 30000));
}

TEST(Linting, FindingsStayWhileTheyAreFixedAndUndoRestoresTheRun)
{
    std::atomic<int> calls = 0;
    Looked run([&](const LintCase&, const std::stop_token&) -> Findings {
        ++calls;
        return LintResult{.findings = {fewSteps, slowRate}};
    });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    const Study before = run.session.study();
    EXPECT_EQ(run.linting.studyToFix(), before);
    EXPECT_FALSE(run.linting.awaitsTraining());

    run.change(with_remedy(run.linting.studyToFix(), fewSteps.remedy));
    EXPECT_EQ(run.session.state(), Session::State::ready) << "none of it is trained yet";
    EXPECT_TRUE(run.linting.awaitsTraining());
    EXPECT_THAT(run.linting.findings(), SizeIs(2));
    EXPECT_TRUE(run.linting.isFixed(fewSteps.remedy));
    EXPECT_FALSE(run.linting.isFixed(slowRate.remedy));

    run.change(with_remedy(run.linting.studyToFix(), slowRate.remedy));
    EXPECT_EQ(run.session.study().training.steps, 60) << "the first remedy stays";
    EXPECT_TRUE(run.linting.isFixed(slowRate.remedy));

    run.change(before);
    EXPECT_EQ(run.session.state(), Session::State::ended) << "the run is displayed again";
    EXPECT_FALSE(run.linting.awaitsTraining());
    EXPECT_FALSE(run.linting.isFixed(fewSteps.remedy));
    EXPECT_THAT(run.linting.findings(), SizeIs(2));
    EXPECT_EQ(calls, 1) << "it was checked before";

    Study other          = before;
    other.data.toy.noise = 0.3;
    run.change(other);
    EXPECT_EQ(run.linting.state(), Linting::State::no_run) << "these findings are of other data";
    EXPECT_THAT(run.linting.findings(), IsEmpty());
}

TEST(Linting, ADisplayedSavedRunIsCheckedAndFixedLikeAnyOther)
{
    std::atomic<int> calls = 0;
    Looked run([&](const LintCase&, const std::stop_token&) -> Findings {
        ++calls;
        return LintResult{.findings = {slowRate}};
    });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    Study other          = run.session.study();
    other.data.toy.noise = 0.3;
    run.change(other);
    ASSERT_TRUE(run.reach(Linting::State::no_run));
    run.opener.show(0);
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(calls, 2);
    const Study fixed = with_remedy(run.linting.studyToFix(), slowRate.remedy);
    EXPECT_EQ(fixed.training.schedule.learning_rate, 0.02);
    EXPECT_EQ(fixed.data, run.runs.at(0)->run.study.data) << "not those being edited";
}

TEST(Linting, ComparesARunWithTheTickedRuns)
{
    std::atomic<std::size_t> others = 99;
    Looked run([&](const LintCase& asked, const std::stop_token&) -> Findings {
        others = asked.others.size();
        return LintResult();
    });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(others, 0U);
    run.session.restart();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    ASSERT_EQ(run.runs.rowCount(), 2);
    for (int row = 0; row < 2; ++row) {   // the displayed run is not compared with itself
        run.runs.setData(run.runs.index(row, SavedRuns::name), Qt::Checked, Qt::CheckStateRole);
        EXPECT_EQ(run.linting.state(), Linting::State::looking);
        ASSERT_TRUE(run.reach(Linting::State::looked));
        EXPECT_EQ(others, static_cast<std::size_t>(row));
    }
}

TEST(Linting, AnotherPredictionMethodIsCheckedAgainAndTheFindingsStayMeanwhile)
{
    std::atomic<int> samples = 0;
    Looked run([&](const LintCase& asked, const std::stop_token&) -> Findings {
        samples = asked.run.experiment->study.prediction.samples;
        return LintResult{.findings = {slowRate}};
    });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    Study other              = run.session.study();
    other.prediction.samples = 77;
    run.session.setStudy(other);
    EXPECT_EQ(run.linting.state(), Linting::State::looking);
    EXPECT_THAT(run.linting.findings(), ElementsAre(slowRate));
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(samples, 77);
}

TEST(Linting, ChecksTheSelectedBridge)
{
    std::atomic<BridgeVariant> variant = BridgeVariant::projected;
    Looked run([&](const LintCase& asked, const std::stop_token&) -> Findings {
        variant = asked.options.simplex.density.variant;
        return LintResult();
    });
    BridgeVariant chosen = BridgeVariant::projected;
    run.choices.alsoFrom([&chosen](ViewOptions& options) { options.simplex.density.variant = chosen; });
    run.linting.lookAgain();
    EXPECT_EQ(run.linting.state(), Linting::State::no_run) << "there is nothing to show";
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(variant, BridgeVariant::projected);
    chosen = BridgeVariant::plain;
    run.linting.lookAgain();
    EXPECT_EQ(run.linting.state(), Linting::State::looking);
    ASSERT_TRUE(run.reach(Linting::State::looked));
    EXPECT_EQ(variant, BridgeVariant::plain);
}

TEST(Linting, AnErrorIsReportedWithItsMessage)
{
    Looked run([](const LintCase&, const std::stop_token&) -> Findings { throw Error("There is no room."); });
    run.train();
    ASSERT_TRUE(run.reach(Linting::State::failed));
    EXPECT_EQ(run.linting.mistake(), "There is no room.");
    EXPECT_EQ(findingsChapter(run.linting), QStringList("The run could not be checked. There is no room."));
}
