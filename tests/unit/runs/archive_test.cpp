// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "runs/archive.h"
#include "runs/experiment.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace credence {
namespace {

using testing::HasSubstr;

std::filesystem::path scratch_file(const std::string& name)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / ("credence_archive_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    return folder / name;
}

std::string bytes_of(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string sentence_of_loading(const std::filesystem::path& file)
{
    try {
        load_run(file);
    } catch (const Error& e) {
        return e.what();
    }
    return "(no error)";
}

/// A run of a tiny network over `n` recorded steps, without training: parameter j of snapshot i is i + j/1000.
SavedRun small_run(const std::string& family, int n)
{
    SavedRun run;
    run.name                   = "τ and \"ρ\"";
    run.started                = "2026-01-02T03:04:05+0100";
    run.study.posterior.family = family;
    run.study.network.hidden   = {5};
    run.study.data.toy.n       = 40;
    run.report                 = {StopReason::not_finite,
                                  "The loss or the parameters became NaN or infinite.",
                                  30,
                                  1.5,
                                  31,
                                  "dense 1 weights",
                                  nullptr};
    const auto experiment      = prepare(run.study);
    for (int i = 0; i < n; ++i) {
        std::shared_ptr<VariationalFamily<float>> posterior = experiment->start->clone();
        for (std::size_t j = 0; j < posterior->parameters().size(); ++j)
            posterior->parameters()[j] = static_cast<float>(i) + static_cast<float>(j) / 1000;
        TrainingPoint point;
        point.step      = 10 * i;
        point.epoch     = 0.25 * i;
        point.seconds   = 0.1 * i;
        point.kl_weight = 1.0 / 3;
        if (i > 0) {
            point.data_loss  = 1.0 / i;
            point.kl         = 17.5;
            point.test_error = 0.125;
            point.layers     = posterior->describe();
        }
        run.history.push_back(point);
        run.snapshots.push_back(std::make_shared<const Snapshot>(Snapshot{posterior, point}));
    }
    return run;
}

void expect_same(const TrainingPoint& a, const TrainingPoint& b)
{
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.epoch, b.epoch);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.learning_rate, b.learning_rate);
    EXPECT_EQ(a.data_loss, b.data_loss);
    EXPECT_EQ(a.kl, b.kl);
    EXPECT_EQ(a.kl_weight, b.kl_weight);
    EXPECT_EQ(a.training_error, b.training_error);
    EXPECT_EQ(a.test_error, b.test_error);
    ASSERT_EQ(a.layers.size(), b.layers.size());
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        EXPECT_EQ(a.layers[i].block, b.layers[i].block);
        EXPECT_EQ(a.layers[i].kind, b.layers[i].kind);
        EXPECT_EQ(a.layers[i].tau, b.layers[i].tau);
        EXPECT_EQ(a.layers[i].rho, b.layers[i].rho);
        EXPECT_EQ(a.layers[i].dropout_rate, b.layers[i].dropout_rate);
        EXPECT_EQ(a.layers[i].mean_abs, b.layers[i].mean_abs);
    }
}

class ArchiveOfFamily : public testing::TestWithParam<std::string> {};

TEST_P(ArchiveOfFamily, RoundTripIsTheIdentity)
{
    const SavedRun run = small_run(GetParam(), 4);
    const auto file    = scratch_file("round.credence");
    save_run(run, file);
    const SavedRun read = load_run(file);
    EXPECT_EQ(read.name, run.name);
    EXPECT_EQ(read.started, run.started);
    EXPECT_TRUE(read.study == run.study);
    EXPECT_EQ(read.report.stop, run.report.stop);
    EXPECT_EQ(read.report.message, run.report.message);
    EXPECT_EQ(read.report.steps, run.report.steps);
    EXPECT_EQ(read.report.seconds, run.report.seconds);
    EXPECT_EQ(read.report.bad_step, run.report.bad_step);
    EXPECT_EQ(read.report.bad_block, run.report.bad_block);
    ASSERT_EQ(read.history.size(), run.history.size());
    for (std::size_t i = 0; i < run.history.size(); ++i)
        expect_same(read.history[i], run.history[i]);
    ASSERT_EQ(read.snapshots.size(), run.snapshots.size());
    for (std::size_t i = 0; i < run.snapshots.size(); ++i) {
        const auto want = run.snapshots[i]->posterior->numbers(), got = read.snapshots[i]->posterior->numbers();
        EXPECT_TRUE(std::equal(want.begin(), want.end(), got.begin(), got.end())) << "snapshot " << i;
        const auto &kind = *read.snapshots[i]->posterior, &written = *run.snapshots[i]->posterior;
        EXPECT_TRUE(typeid(kind) == typeid(written));
        EXPECT_EQ(read.snapshots[i]->posterior->layout(), run.snapshots[i]->posterior->layout());
        expect_same(read.snapshots[i]->point, run.snapshots[i]->point);
    }
    EXPECT_EQ(read.report.last, read.snapshots.back());
}

INSTANTIATE_TEST_SUITE_P(All, ArchiveOfFamily,
                         testing::Values("point_estimate", "bernoulli_dropout", "mean_field", "layer_scale",
                                         "tridiagonal"));

TEST(Archive, KeepsARunWithoutSnapshots)
{
    const auto file = scratch_file("none.credence");
    save_run(small_run("mean_field", 0), file);
    const SavedRun read = load_run(file);
    EXPECT_TRUE(read.snapshots.empty());
    EXPECT_THROW(last_snapshot_of(read), Error);
}

TEST(Archive, ReadsOnlyTheEndOrOnlyTheHistory)
{
    const SavedRun run = small_run("tridiagonal", 3);
    const auto file    = scratch_file("parts.credence");
    save_run(run, file);
    const SavedRun end = load_run(file, WhichSnapshots::last);
    ASSERT_EQ(end.snapshots.size(), 1u);
    EXPECT_EQ(end.report.last, end.snapshots.back());
    expect_same(end.snapshots.back()->point, run.snapshots.back()->point);
    const auto want = run.snapshots.back()->posterior->numbers(), got = end.snapshots.back()->posterior->numbers();
    EXPECT_TRUE(std::equal(want.begin(), want.end(), got.begin(), got.end()));
    EXPECT_EQ(end.history.size(), 3u);
    const SavedRun curves = load_run(file, WhichSnapshots::none);
    EXPECT_TRUE(curves.snapshots.empty());
    EXPECT_EQ(curves.report.last, nullptr);
    ASSERT_EQ(curves.history.size(), 3u);
    expect_same(curves.history.back(), run.history.back());
    EXPECT_TRUE(curves.study == run.study);
    save_run(small_run("mean_field", 0), file);
    EXPECT_TRUE(load_run(file, WhichSnapshots::last).snapshots.empty());
}

TEST(Archive, LeavesNoOtherFiles)
{
    const auto file = scratch_file("alone/run.credence");
    std::filesystem::create_directories(file.parent_path());
    save_run(small_run("mean_field", 2), file);
    save_run(small_run("mean_field", 3), file);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
    EXPECT_EQ(load_run(file).snapshots.size(), 3u);
}

TEST(Archive, AFileThatIsNotARunIsRejectedByName)
{
    const auto file = scratch_file("text.credence");
    write_bytes(file, "This is a text and not a run, but long enough to be taken for one by its size alone.");
    EXPECT_THAT(sentence_of_loading(file), HasSubstr("text.credence: expected a saved Credence run, but "));
    write_bytes(file, "");
    EXPECT_THAT(sentence_of_loading(file), HasSubstr("text.credence: expected a saved Credence run, but "));
    EXPECT_THAT(sentence_of_loading(scratch_file("missing.credence")), HasSubstr("no such file"));
    EXPECT_THAT(sentence_of_loading(file.parent_path()), HasSubstr("no such file"));
}

TEST(Archive, EveryTruncationIsRejectedOrReadsCompletely)
{
    const auto file = scratch_file("whole.credence"), cut = scratch_file("cut.credence");
    save_run(small_run("tridiagonal", 3), file);
    const std::string bytes = bytes_of(file);
    ASSERT_GT(bytes.size(), 4096u);
    for (std::size_t n = 0; n < bytes.size(); n += bytes.size() / 40) {
        write_bytes(cut, bytes.substr(0, n));
        EXPECT_THAT(sentence_of_loading(cut), HasSubstr("cut.credence: expected a saved Credence run, but "))
            << n << " of " << bytes.size() << " bytes";
    }
}

TEST(Archive, ADamagedByteIsFoundOrHarmless)
{
    const auto file = scratch_file("good.credence"), bad = scratch_file("bad.credence");
    const SavedRun run = small_run("mean_field", 3);
    save_run(run, file);
    const std::string bytes = bytes_of(file);
    int refused             = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 97) {
        std::string damaged = bytes;
        damaged[at]         = static_cast<char>(damaged[at] ^ 0x55);
        write_bytes(bad, damaged);
        try {
            const SavedRun read = load_run(bad);   // a byte of free space: what is read must be what was written
            ASSERT_EQ(read.snapshots.size(), run.snapshots.size()) << at;
            EXPECT_TRUE(read.study == run.study) << at;
            for (std::size_t i = 0; i < run.snapshots.size(); ++i) {
                const auto want = run.snapshots[i]->posterior->numbers(), got = read.snapshots[i]->posterior->numbers();
                EXPECT_TRUE(std::equal(want.begin(), want.end(), got.begin(), got.end())) << at;
            }
        } catch (const Error& e) {
            EXPECT_THAT(e.what(), HasSubstr("bad.credence: expected a saved Credence run, but "));
            ++refused;
        }
    }
    EXPECT_GT(refused, 20);
}

TEST(Archive, AFileThatCannotBeWrittenIsNamed)
{
    try {
        save_run(small_run("mean_field", 1), scratch_file("no_such_folder/run.credence"));
        FAIL() << "wrote into a folder that does not exist";
    } catch (const Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("no_such_folder/run.credence: the run cannot be written"));
    }
}

TEST(Archive, AKilledWriterLeavesACompleteFile)
{
    const auto file      = scratch_file("killed.credence");
    const SavedRun first = small_run("mean_field", 2), second = small_run("mean_field", 40);
    save_run(first, file);
    for (int milliseconds = 0; milliseconds < 12; ++milliseconds) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (;;) {
                save_run(second, file);
                save_run(first, file);
            }
        }
        ::usleep(static_cast<useconds_t>(1000 * (3 + 5 * milliseconds)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
        const auto n = load_run(file).snapshots.size();
        EXPECT_TRUE(n == 2 || n == 40) << n;
    }
}

// ---- SnapshotRecorder

std::shared_ptr<const Snapshot> snapshot_at(long step)
{
    static const auto posterior = std::shared_ptr<const Posterior>(
        prepare(small_run("point_estimate", 0).study)->start->clone());
    TrainingPoint point;
    point.step = step;
    return std::make_shared<const Snapshot>(Snapshot{posterior, point});
}

TEST(SnapshotRecorder, KeepsAllWithinItsCapacity)
{
    SnapshotRecorder recorder(std::size_t{1} << 30, 10);
    for (long i = 0; i < 10; ++i) {
        recorder.add(snapshot_at(i));
        EXPECT_EQ(recorder.snapshots().size(), static_cast<std::size_t>(i + 1));
    }
}

TEST(SnapshotRecorder, KeepsTheFirstAndTheLastAndEvenGapsBetween)
{
    SnapshotRecorder recorder(std::size_t{1} << 30, 10);
    for (long i = 0; i < 1000; ++i) {
        recorder.add(snapshot_at(i));
        const auto& kept = recorder.snapshots();
        ASSERT_LE(kept.size(), 10u) << i;
        ASSERT_EQ(kept.front()->point.step, 0);
        ASSERT_EQ(kept.back()->point.step, i);
        if (i >= 10) {
            ASSERT_GE(kept.size(), 5u) << i;
        }
        for (std::size_t j = 2; j + 1 < kept.size(); ++j)
            ASSERT_EQ(kept[j]->point.step - kept[j - 1]->point.step, kept[1]->point.step) << i;
    }
}

TEST(SnapshotRecorder, StaysWithinItsBytes)
{
    const std::size_t bytes = snapshot_at(0)->posterior->numbers().size_bytes();
    SnapshotRecorder recorder(7 * bytes, 200);
    for (long i = 0; i < 100; ++i) {
        recorder.add(snapshot_at(i));
        ASSERT_LE(recorder.snapshots().size(), 7u);
    }
}

TEST(Archive, TheSummaryEqualsTheHeader)
{
    const auto run  = small_run("tridiagonal", 4);
    const auto file = scratch_file("summary.credence");
    save_run(run, file);
    const RunSummary summary = load_run_summary(file);
    EXPECT_EQ(summary.name, run.name);
    EXPECT_EQ(summary.started, run.started);
    EXPECT_TRUE(summary.study == run.study);
    EXPECT_EQ(summary.report.stop, run.report.stop);
    EXPECT_EQ(summary.report.steps, run.report.steps);
}

TEST(Archive, AddingAScoreToARunChangesNothingElse)
{
    const auto file = scratch_file("scored.credence");
    save_run(small_run("mean_field", 3), file);
    EXPECT_EQ(load_run(file).score, std::nullopt);
    EXPECT_EQ(load_run_summary(file).score, std::nullopt);
    const FinalScore first{FinalScore::Metric::accuracy, 0.75}, second{FinalScore::Metric::rmse, 2.5},
        third{FinalScore::Metric::relative_rmse, 0.25};
    for (const auto& score : {first, third, second}) {
        add_score(file, score);
        EXPECT_EQ(load_run_summary(file).score, score);
        EXPECT_EQ(load_run(file, WhichSnapshots::none).score, score);
    }
    SavedRun expected = small_run("mean_field", 3);
    expected.score    = second;
    const auto again  = scratch_file("scored at once.credence");
    save_run(expected, again);
    const auto added = load_run(file), whole = load_run(again);
    EXPECT_EQ(added.score, whole.score);
    EXPECT_EQ(added.report.message, whole.report.message);
    EXPECT_EQ(added.history.size(), whole.history.size());
    ASSERT_EQ(added.snapshots.size(), whole.snapshots.size());
    for (std::size_t i = 0; i < whole.snapshots.size(); ++i)
        EXPECT_TRUE(
            std::ranges::equal(added.snapshots[i]->posterior->numbers(), whole.snapshots[i]->posterior->numbers()));
}

TEST(Archive, AddingAScoreToAMissingFileIsRejectedByName)
{
    const auto file = scratch_file("gone.credence");
    try {
        add_score(file, {});
        ADD_FAILURE() << "no such file";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("gone.credence: the run cannot be written (No such file or directory)."));
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Archive, TheSummaryRejectsFilesThatAreNotRuns)
{
    const auto file = scratch_file("no_run.credence");
    write_bytes(file, "text");
    EXPECT_THAT([&] { load_run_summary(file); },
                testing::ThrowsMessage<Error>(HasSubstr("expected a saved Credence run")));
    EXPECT_THAT([&] { load_run_summary(scratch_file("no_such_summary.credence")); },
                testing::ThrowsMessage<Error>(HasSubstr("no such file")));
}

}   // namespace
}   // namespace credence
