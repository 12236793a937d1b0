// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/saved_runs.h"
#include "session/settings.h"

#include "posterior/sample_set.h"
#include "runs/experiment.h"
#include "study/presets.h"

#include "gui/wait_until.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>
#include <gmock/gmock.h>

#include <ctime>
#include <iostream>

using namespace credence;
using namespace testing;

namespace {

/// A short run that was trained to its end, with two recorded steps.
SavedRun shortRun(const std::string& name)
{
    Study study          = default_study();
    study.training.steps = 20;
    SavedRun run{
        .name = name, .started = "2026-01-01T10:00:00", .study = study, .report = {}, .history = {}, .snapshots = {}};
    TrainingEvents events;
    events.recorded = [&run](std::shared_ptr<const Snapshot> snapshot) {
        run.snapshots.push_back(std::move(snapshot));
    };
    const auto trained = train(*prepare(study), {}, nullptr, events);
    run.report         = trained.report;
    run.history        = trained.history;
    run.score          = FinalScore{FinalScore::Metric::accuracy, 0.5};
    return run;
}

/// A run of three mebibytes of draws.
SavedRun runOfDraws(const std::string& name)
{
    const Study study  = default_study();
    const auto made    = prepare(study);
    const auto& layout = made->start->layout();
    aligned_vector<float> draws((std::size_t{3} << 20) / sizeof(float) / layout.size() * layout.size());
    standard_normals({2, Stream::data, 0}, 0, std::span<float>(draws));
    auto last       = std::make_shared<Snapshot>();
    last->posterior = std::make_shared<SampleSet>(layout, std::move(draws));
    return {.name      = name,
            .started   = "2026-01-01T10:00:00",
            .study     = study,
            .report    = {},
            .history   = {},
            .snapshots = {last}};
}

std::string text(const SavedRuns& runs, int row, int column)
{
    return runs.data(runs.index(row, column), Qt::DisplayRole).toString().toStdString();
}

/// Three runs in files, and the list of a window that opens after that.
class RunList : public Test {
protected:
    RunList()
    {
        QDir(runsFolder()).removeRecursively();
        QDir().mkpath(runsFolder());
        for (const char* name : {"first", "second", "third"})
            save_run(shortRun(name), (runsFolder() + '/' + name + ".credence").toStdString());
        runs.load();
        EXPECT_TRUE(waitUntil([&] { return runs.rowCount() == 3; }, 30000));
    }
    SavedRuns runs;
};

}   // namespace

TEST_F(RunList, ReadsOnlyTheListedDataUntilARunIsNeeded)
{
    for (int row = 0; row < 3; ++row) {
        EXPECT_FALSE(runs.at(row)->inMemory());
        EXPECT_EQ(text(runs, row, SavedRuns::steps), "20");
        EXPECT_THAT(text(runs, row, SavedRuns::score), HasSubstr("%"));
    }
    const auto& entry = *runs.at(0);
    EXPECT_EQ(entry.end(entry.run.name).snapshot->point.step, 20);
    EXPECT_EQ(entry.whole()->snapshots.back()->point.step, 20);
    EXPECT_EQ(entry.whole()->history.size(), shortRun("again").history.size());
    EXPECT_TRUE(entry.inMemory());
}

TEST_F(RunList, DescribesAReloadedRunAsBefore)
{
    const auto run = shortRun("fourth");
    runs.add(prepare(run.study), run);
    for (const int column : {SavedRuns::score, SavedRuns::steps, SavedRuns::family})
        EXPECT_EQ(text(runs, 0, column), text(runs, 1, column)) << column;
}

TEST_F(RunList, UnloadsTheLeastRecentlyUsedRunAndReloadsIt)
{
    const auto run = shortRun("fourth");
    runs.add(prepare(run.study), run);
    const auto fourth       = runs.at(0);
    const auto useTheOthers = [&] {
        for (int row = 1; row <= 3; ++row) {
            runs.at(row)->whole();
            runs.used(runs.at(row));
        }
    };
    ASSERT_TRUE(waitUntil([&] { return QFileInfo::exists(fourth->file); }, 30000));
    EXPECT_TRUE(waitUntil(
        [&] {
        useTheOthers();
        return !fourth->inMemory();   // once the list knows that it is stored
        },
        30000));
    for (int row = 1; row <= 3; ++row)
        EXPECT_TRUE(runs.at(row)->inMemory()) << row;
    EXPECT_EQ(fourth->whole()->snapshots.size(), run.snapshots.size());
}

TEST_F(RunList, KeepsUnsavedRunsInMemoryAndStatesThis)
{
    QDir(runsFolder()).removeRecursively();
    {
        QFile inTheWay(runsFolder());   // a file where the folder should be
        ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    }
    QString words;
    QObject::connect(&runs, &SavedRuns::message, &runs, [&](const QString& sentence) { words = sentence; });
    const auto run = shortRun("fourth");
    runs.add(prepare(run.study), run);
    ASSERT_TRUE(waitUntil([&] { return !words.isEmpty(); }, 30000));
    const auto fourth = runs.at(0);
    fourth->unload();
    EXPECT_TRUE(fourth->inMemory());
    QFile::remove(runsFolder());
}

TEST_F(RunList, RenamesARunWithoutLosingItsSteps)
{
    ASSERT_TRUE(runs.setData(runs.index(0, SavedRuns::name), QStringLiteral("renamed"), Qt::EditRole));
    const auto file = runs.at(0)->file.toStdString();
    ASSERT_TRUE(waitUntil([&] { return load_run_summary(file).name == "renamed"; }, 30000));
    EXPECT_EQ(load_run(file).snapshots.back()->point.step, 20);
}

TEST_F(RunList, RenamesARunWithoutLosingTheScoreThatWasComputedSince)
{
    const auto entry = runs.at(0);
    entry->whole();   // is in memory, with the score before
    runs.setScore(entry, {FinalScore::Metric::accuracy, 0.25});
    ASSERT_TRUE(runs.setData(runs.index(0, SavedRuns::name), QStringLiteral("renamed"), Qt::EditRole));
    const auto file = entry->file.toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return load_run_summary(file).name == "renamed"; }, 30000));
    const auto score = load_run_summary(file).score;
    ASSERT_TRUE(score.has_value());
    EXPECT_EQ(score->value, 0.25);
}

/// CREDENCE_MANY_RUNS=10000 measures the time until all are listed, from their files and from the
/// index.
TEST(RunListOfMany, ListsAllRunsHoweverManyThereAre)
{
    const bool measures = qEnvironmentVariableIsSet("CREDENCE_MANY_RUNS");
    const int many      = measures ? qEnvironmentVariableIntValue("CREDENCE_MANY_RUNS") : 300;
    QDir(runsFolder()).removeRecursively();
    QDir().mkpath(runsFolder());
    QFile::remove(runsIndexFile());
    const QString first = runsFolder() + "/first.credence";
    save_run(shortRun("one of many"), first.toStdString());
    const auto fileOf = [](int i) {
        return QStringLiteral("%1/%2.credence").arg(runsFolder()).arg(i, 6, 10, QLatin1Char('0'));
    };
    for (int i = 1; i < many; ++i)
        ASSERT_TRUE(QFile::copy(first, fileOf(i)));
    for (const char* from : {"files", "index"}) {
        QElapsedTimer clock;
        clock.start();
        const std::clock_t before = std::clock();
        SavedRuns runs;
        bool loaded = false;
        QObject::connect(&runs, &SavedRuns::loaded, &runs, [&] { loaded = true; });
        runs.load();
        ASSERT_TRUE(waitUntil([&] { return loaded; }, 600000));
        if (measures)
            std::cout << many << " runs from the " << from << ": " << static_cast<double>(clock.elapsed()) / 1000
                      << " s, " << static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC << " s of CPU time\n";
        ASSERT_EQ(runs.rowCount(), many);
        EXPECT_EQ(runs.at(0)->file, first);
        EXPECT_EQ(runs.at(1)->file, fileOf(many - 1)) << "the newest names first";
        EXPECT_EQ(text(runs, many - 1, SavedRuns::score), "50.0 %");
        EXPECT_NE(text(runs, many - 1, SavedRuns::size), "");
    }
    QDir(runsFolder()).removeRecursively();
}

TEST(RunWriter, ReportsASlowWriteUntilItIsComplete)
{
    QDir(runsFolder()).removeRecursively();
    SavedRuns list(nullptr, 0.0);   // anything takes long
    std::vector<RunWriter::Saving> reported;
    bool ended = false;
    QObject::connect(&list.writer(), &RunWriter::changed, &list, [&] {
        if (list.writer().saving())
            reported.push_back(*list.writer().saving());
        else
            ended = true;
    });
    const auto run = runOfDraws("large");
    list.add(prepare(run.study), run);
    ASSERT_TRUE(waitUntil([&] { return ended; }, 30000));
    ASSERT_FALSE(reported.empty());
    EXPECT_EQ(reported[0].name, QStringLiteral("large"));
    EXPECT_GT(reported[0].share, 0);
    EXPECT_LT(reported[0].share, 1);
    EXPECT_EQ(load_run(list.at(0)->file.toStdString()).snapshots.size(), 1U);
}

TEST(RunWriter, ACancelledWriteStaysInTheListAndInMemory)
{
    QDir(runsFolder()).removeRecursively();
    SavedRuns list;
    std::vector<std::string> words;
    QObject::connect(&list, &SavedRuns::message, &list,
                     [&](const QString& sentence) { words.push_back(sentence.toStdString()); });
    const auto run  = runOfDraws("large");
    const auto data = prepare(run.study);
    for (int i = 0; i < 5; ++i)
        list.add(data, run);
    list.writer().cancel();   // the last has not started then
    const auto last = list.at(0);
    ASSERT_TRUE(waitUntil([&] { return !words.empty(); }, 30000));
    EXPECT_THAT(words[0], HasSubstr("Saving large was cancelled; the run stays in the list"));
    list.setData(list.index(0, SavedRuns::name), QStringLiteral("after all"), Qt::EditRole);
    ASSERT_TRUE(waitUntil([&] { return QFileInfo::exists(last->file); }, 30000)) << "the next saving is not cancelled";
    EXPECT_EQ(load_run_summary(last->file.toStdString()).name, "after all");
}

TEST(RunWriter, AWriteInProgressCompletesWhenTheWindowCloses)
{
    QDir(runsFolder()).removeRecursively();
    std::vector<std::string> files;
    const auto run  = runOfDraws("large");
    const auto data = prepare(run.study);
    {
        SavedRuns list;
        for (int i = 0; i < 2; ++i) {
            list.add(data, run);
            files.push_back(list.at(0)->file.toStdString());
        }
    }
    for (const auto& file : files)
        EXPECT_EQ(load_run(file).snapshots.size(), 1U);
}
