// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "session/checkpoint_slot.h"
#include "session/document/autosave.h"
#include "session/settings.h"

#include "study/presets.h"

#include <QAbstractButton>
#include <QDir>

#include <filesystem>

using namespace credence;

namespace {

/// A run as a killed window leaves it, after step 60 of 90. @return  the same run without a kill
SavedRun leaveInterrupted(std::uint64_t seed)
{
    Study study           = preset("two_moons_mean_field");
    study.name            = "Left behind";
    study.seed            = seed;
    study.training.steps  = 90;
    const auto experiment = prepare(study);
    const auto place      = CheckpointSlot::free();
    EXPECT_TRUE(place);
    TrainingEvents events;
    events.recorded = [](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step >= 60)
            throw std::runtime_error("killed");
    };
    EXPECT_THROW(run_with_checkpoints(*experiment, place->path(), {.every = 7}, {}, nullptr, events),
                 std::runtime_error);
    return recorded_run(*experiment);
}

QAction* goOnAction(WindowDriver& window) { return window.find<QAction>("goOnInterrupted"); }

}   // namespace

TEST(Interrupted, ARunIsOfferedAtTheNextStartAndContinuesToTheSameEnd)
{
    QDir(runsInProgressFolder()).removeRecursively();
    const SavedRun whole = leaveInterrupted(5);
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    EXPECT_EQ(window->message().toStdString(), "A run was interrupted. Left behind: step 56 of 90.");
    EXPECT_TRUE(goOnAction(window)->isEnabled());
    EXPECT_FALSE(CheckpointSlot::interrupted()) << "it is this window's";

    window.clickButton("offer0");
    ASSERT_TRUE(window.waitFor([&] {
        return window->session().state() == Session::State::ended && window->session().run().report->steps == 90;
    }));
    EXPECT_EQ(window.study().name, "Left behind");
    const auto& run = window->session().run();
    ASSERT_EQ(run.history.size(), whole.history.size());
    for (std::size_t i = 0; i < whole.history.size(); ++i) {
        EXPECT_EQ(run.history[i].step, whole.history[i].step);
        EXPECT_EQ(run.history[i].data_loss, whole.history[i].data_loss);
        EXPECT_EQ(run.history[i].test_error, whole.history[i].test_error);
    }
    EXPECT_EQ(run.recorded().size(), whole.snapshots.size());
    const auto numbers = run.newest->posterior->numbers(), expected = whole.report.last->posterior->numbers();
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), expected.begin(), expected.end()));
    EXPECT_FALSE(goOnAction(window)->isEnabled());
    EXPECT_EQ(window->message(), QString());
    EXPECT_TRUE(window.waitFor([] { return QDir(runsInProgressFolder()).isEmpty(); }));
}

TEST(Interrupted, AfterDiscardTheNextOneIsOffered)
{
    QDir(runsInProgressFolder()).removeRecursively();
    leaveInterrupted(6);
    leaveInterrupted(7);
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    window.clickButton("offer1");
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); })) << "there is another";
    EXPECT_EQ(QDir(runsInProgressFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
    window.clickButton("offer1");
    EXPECT_EQ(window->message(), QString());
    EXPECT_FALSE(goOnAction(window)->isEnabled());
    EXPECT_TRUE(QDir(runsInProgressFolder()).isEmpty());
    EXPECT_EQ(window->session().state(), Session::State::ready);
}

TEST(Interrupted, ARunByAnotherBuildGivesAQuestionThatNamesBothBuilds)
{
    QDir(runsInProgressFolder()).removeRecursively();
    set_commit("aaaaaaaaaaaa");
    leaveInterrupted(9);
    set_commit("");
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    const auto asked = window->message().toStdString();
    EXPECT_THAT(asked, ::testing::HasSubstr("Left behind: step 56 of 90. Another build started it: Credence "));
    EXPECT_THAT(asked, ::testing::HasSubstr("commit aaaaaaaaaaaa"));
    EXPECT_THAT(asked, ::testing::HasSubstr(build_text(this_build())));
    window.clickButton("offer2");   // Cancel
    EXPECT_EQ(window->message(), QString());
    goOnAction(window)->trigger();
    EXPECT_EQ(window->message().toStdString(), asked) << "the menu asks, too";
    EXPECT_EQ(window->session().state(), Session::State::ready);
    window.clickButton("offer0");   // Continue anyway
    ASSERT_TRUE(window.waitFor([&] {
        return window->session().state() == Session::State::ended && window->session().run().report->steps == 90;
    }));
    const auto& provenance = window->session().run().provenance;
    ASSERT_TRUE(provenance);
    ASSERT_EQ(provenance->earlier_builds.size(), 1u);
    EXPECT_EQ(provenance->earlier_builds[0].commit, "aaaaaaaaaaaa");
}

TEST(Interrupted, ARunByAnotherBuildCanStartAgain)
{
    QDir(runsInProgressFolder()).removeRecursively();
    set_commit("aaaaaaaaaaaa");
    const SavedRun whole = leaveInterrupted(10);
    set_commit("");
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    window.clickButton("offer1");
    ASSERT_TRUE(window.waitFor([&] {
        return window->session().state() == Session::State::ended && window->session().run().report->steps == 90;
    }));
    const auto& run = window->session().run();
    ASSERT_TRUE(run.provenance);
    EXPECT_TRUE(run.provenance->earlier_builds.empty());
    const auto numbers = run.newest->posterior->numbers(), expected = whole.report.last->posterior->numbers();
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), expected.begin(), expected.end()));
    EXPECT_TRUE(window.waitFor([] { return QDir(runsInProgressFolder()).isEmpty(); }));
}

namespace {

/// The files that a window leaves when it is killed with this Study open.
void leaveOpen(const Study& study)
{
    const std::string folder = windowsFolder().toStdString() + "/9";
    std::filesystem::create_directories(folder);
    saveState({.document = {study}}, folder + "/window.json");
}

}   // namespace

TEST(Interrupted, AfterAKillOneQuestionCoversStudyAndRun)
{
    QDir(runsInProgressFolder()).removeRecursively();
    QDir(windowsFolder()).removeRecursively();
    leaveInterrupted(8);
    Study open            = preset("two_moons_mean_field");
    open.name             = "Still open";
    open.training.steps   = 90;
    open.data.changes     = {{.step = 3, .added = {{0.5, 0.5, 1}, {0.6, 0.5, 1}}}};
    const Study untouched = default_study();
    leaveOpen(open);
    {
        WindowDriver window(WindowDriver::Runs::keep);
        window->restoreSession();
        EXPECT_TRUE(window.study() == open);
        ASSERT_TRUE(window.waitFor([&] { return window->message().contains("Left behind"); }));
        const auto asked = window->message().toStdString();
        EXPECT_THAT(asked, ::testing::HasSubstr("Credence ended unexpectedly."));
        EXPECT_THAT(asked, ::testing::HasSubstr("Still open, with 2 drawn points."));
        EXPECT_EQ(window.find<QAbstractButton>("offer0")->text(), "Continue");
        window.clickButton("offer1");   // the Study only
        EXPECT_EQ(window->message(), QString());
        EXPECT_TRUE(window.study() == open);
        EXPECT_TRUE(goOnAction(window)->isEnabled()) << "the run waits";
    }
    leaveOpen(open);
    WindowDriver window(WindowDriver::Runs::keep);
    window->restoreSession();
    ASSERT_TRUE(window.waitFor([&] { return window->message().contains("Left behind"); }));
    window.clickButton("offer2");   // nothing
    EXPECT_TRUE(window.study() == untouched);
    EXPECT_TRUE(window.waitFor([] { return QDir(runsInProgressFolder()).isEmpty(); }));
    window->context().document.undo().undo();
    EXPECT_TRUE(window.study() == open) << "and even that can be undone";
}

TEST(Interrupted, ARunWhosePointsChangedSinceItsLastStateContinuesWithThem)
{
    QDir(runsInProgressFolder()).removeRecursively();
    QDir(windowsFolder()).removeRecursively();
    leaveInterrupted(9);
    Study open          = preset("two_moons_mean_field");
    open.name           = "Left behind";
    open.seed           = 9;
    open.training.steps = 90;
    open.data.changes   = {{.step = 70, .added = {{0.5, 0.5, 1}}}};
    leaveOpen(open);
    WindowDriver window(WindowDriver::Runs::keep);
    window->restoreSession();
    ASSERT_TRUE(window.waitFor([&] { return window->message().contains("step 56 of 90"); }));
    window.clickButton("offer0");
    ASSERT_TRUE(window.waitFor([&] {
        return window->session().state() == Session::State::ended && window->session().run().report->steps == 90;
    }));
    EXPECT_TRUE(window.study() == open);
    EXPECT_THAT(window->session().run().report->message, ::testing::HasSubstr("Points changed at step 70 (1 added"));
    EXPECT_EQ(window->session().run().history.front().step, 0);
}
