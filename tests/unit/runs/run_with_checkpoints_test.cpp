// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_with_checkpoints.h"

#include "foundation/error.h"
#include "runs/checkpoint_file.h"
#include "study/method.h"
#include "study/usual_settings.h"

#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <thread>
#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Killed : std::runtime_error {
    Killed() : std::runtime_error("killed") {}
};

fs::path fresh_folder()
{
    static int number = 0;
    const auto folder = fs::path(::testing::TempDir())
                        / ("credence_checkpoints_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

std::string content_of(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// All of a run but its wall times, as its archive has them: Study, report, history, snapshots with their numbers.
std::string bytes_of_archive(SavedRun run, const fs::path& folder)
{
    run.started.clear();
    save_run(run, folder / "run.credence");
    return content_of(folder / "run.credence");
}

Study study_of(const std::string& id, const std::vector<std::string>& settings = {})
{
    Study study          = with_family_defaults(small_study("mean_field"), id).study;
    study.training.steps = 410;   // recorded at every third
    for (const auto& setting : settings)
        set_field(study, setting);
    return study;
}

/// A run that is killed at a recorded step once this many steps are done.
void run_until(const Experiment& experiment, const fs::path& folder, CheckpointOptions options, long step)
{
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step >= step)
            throw Killed();
    };
    EXPECT_THROW(run_with_checkpoints(experiment, folder, options, {}, nullptr, events), Killed);
}

/// Kills it at these shares of its steps and continues each time; compares the result with an undisturbed run.
void expect_to_go_on(const Study& study, long every, const std::vector<double>& shares = {0.3, 0.55, 0.8})
{
    const auto experiment = prepare(study);
    const auto folder     = fresh_folder();
    std::vector<std::string> reported;
    CheckpointOptions options{.seconds = 0, .every = every};
    const SavedRun undisturbed = run_with_checkpoints(*experiment, folder, {.seconds = 0});
    const auto expected        = bytes_of_archive(undisturbed, folder);
    options.notify             = [&](const std::string& sentence) { reported.push_back(sentence); };
    for (const double share : shares)
        run_until(*experiment, folder, options, static_cast<long>(share * static_cast<double>(steps_of(study))));
    ASSERT_TRUE(interrupted_run(folder));
    EXPECT_GT(interrupted_run(folder)->step, 0);
    const SavedRun run = run_with_checkpoints(*experiment, folder, options);
    EXPECT_EQ(reported.size(), shares.size()) << "each but the first continued";
    for (const auto& sentence : reported)
        EXPECT_THAT(sentence, AllOf(HasSubstr("Resuming at step "), HasSubstr(" (interrupted run found).")));
    EXPECT_EQ(run.report.message, undisturbed.report.message);
    EXPECT_EQ(run.history.size(), undisturbed.history.size());
    EXPECT_EQ(bytes_of_archive(run, folder), expected);
    remove_checkpoint(folder);
    fs::remove(folder / "run.credence");
    EXPECT_TRUE(fs::is_empty(folder));
    fs::remove_all(folder);
}

class EveryMethodGoesOn : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> ids_of_methods()
{
    std::vector<std::string> all;
    for (const Method& m : methods())
        all.push_back(m.id);
    return all;
}

bool has_field(const std::string& id, const std::string& path)
{
    const auto& fields = method(id).fields;
    return std::any_of(fields.begin(), fields.end(), [&](const Field& of_method) { return of_method.path == path; });
}

TEST_P(EveryMethodGoesOn, KilledThreeTimesItEndsWithTheSameBits)
{
    const std::string id = GetParam();
    std::vector<std::string> settings;
    if (has_field(id, "posterior.chains"))
        settings.emplace_back("posterior.chains=3");
    if (method(id).training.sees_all_rows)
        settings.insert(settings.end(), {"posterior.warmup=60", "posterior.draws=60"});
    expect_to_go_on(study_of(id, settings), method(id).posterior.is_sample_set && id != "swag" ? 5 : 29);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethodGoesOn, ::testing::ValuesIn(ids_of_methods()),
                         [](const auto& info) { return info.param; });

TEST(RunWithCheckpoints, ASingleChainContinuesBeforeAndAfterItsStart)
{
    expect_to_go_on(study_of("sghmc", {"posterior.chains=1", "posterior.start=trained", "posterior.start_steps=300"}),
                    13, {0.2, 0.7, 0.9});
}

TEST(RunWithCheckpoints, ChainsContinueBeforeASharedStartAndBeforeTheirOwn)
{
    expect_to_go_on(study_of("sgld", {"posterior.chains=3", "posterior.start=one_trained", "posterior.start_steps=300",
                                      "training.steps=200"}),
                    5, {0.2, 0.6});
    expect_to_go_on(study_of("psgld", {"posterior.chains=2", "posterior.start=trained", "posterior.start_steps=150",
                                       "training.steps=200"}),
                    5, {0.3, 0.7});
}

TEST(RunWithCheckpoints, ADenseMetricAndTrainedStartsContinue)
{
    expect_to_go_on(study_of("nuts", {"network.hidden=3", "posterior.chains=2", "posterior.start=trained",
                                      "posterior.start_steps=50", "posterior.metric=dense", "posterior.warmup=120",
                                      "posterior.draws=40"}),
                    3, {0.2, 0.5, 0.85});
}

TEST(RunWithCheckpoints, WaitingMembersContinue)
{
    expect_to_go_on(study_of("deep_ensemble", {"posterior.members=66", "training.steps=30"}), 4, {0.4, 0.98});
}

TEST(RunWithCheckpoints, AStopRuleUsesTheSameDraws)
{
    expect_to_go_on(study_of("sgld", {"posterior.chains=2", "posterior.kept_draws=200", "posterior.burn_in=0.25",
                                      "posterior.stop_ess=1000000"}),
                    3, {0.5, 0.8});
}

TEST(RunWithCheckpoints, PatienceCountsOverTheWholeRun)
{
    auto study              = study_of("mean_field", {"training.steps=4000", "training.learning_rate=0.05"});
    study.training.patience = 60;
    const auto experiment   = prepare(study);
    const auto folder       = fresh_folder();
    const auto undisturbed  = run_with_checkpoints(*experiment, folder, {.seconds = 0});
    ASSERT_EQ(undisturbed.report.stop, StopReason::no_progress);
    ASSERT_GT(undisturbed.report.steps, 60);
    const CheckpointOptions options{.seconds = 0, .every = 11};
    run_until(*experiment, folder, options, undisturbed.report.steps - 40);
    const auto run = run_with_checkpoints(*experiment, folder, options);
    EXPECT_EQ(run.report.steps, undisturbed.report.steps);
    EXPECT_EQ(bytes_of_archive(run, folder), bytes_of_archive(undisturbed, folder));
    fs::remove_all(folder);
}

TEST(RunWithCheckpoints, RunsWithManyNumbersContinue)
{
    const std::string wide = "network.hidden=128, 160";   // 84 KB of weights: more than a piece
    expect_to_go_on(study_of("mean_field", {wide, "training.steps=60"}), 9, {0.6});
    expect_to_go_on(study_of("sghmc", {wide, "posterior.chains=2", "posterior.kept_draws=10", "training.steps=60"}), 5,
                    {0.6});
}

TEST(RunWithCheckpoints, ACancelledRunContinuesAndItsSecondsAddUp)
{
    for (const char* id : {"mean_field", "sgld"}) {
        const bool chain      = std::string(id) == "sgld";
        const auto study      = study_of(id, chain ? std::vector<std::string>{"posterior.chains=1"}
                                                   : std::vector<std::string>{});
        const auto experiment = prepare(study);
        const auto folder     = fresh_folder();
        const auto expected   = bytes_of_archive(run_with_checkpoints(*experiment, folder, {.seconds = 0}), folder);
        const CheckpointOptions options{.started = "first"};   // none is due within a minute
        std::stop_source stop;
        TrainingEvents events;
        events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
            if (snapshot->point.step >= 200)
                stop.request_stop();
        };
        const auto part = run_with_checkpoints(*experiment, folder, options, stop.get_token(), nullptr, events);
        EXPECT_EQ(part.report.stop, StopReason::cancelled);
        ASSERT_TRUE(interrupted_run(folder)) << id;
        EXPECT_GE(interrupted_run(folder)->step, 200);
        EXPECT_EQ(interrupted_run(folder)->steps, steps_of(study));
        const auto run = run_with_checkpoints(*experiment, folder, {.started = "second"});
        EXPECT_EQ(run.started, "first");
        EXPECT_GT(run.report.seconds, part.history.back().seconds);
        EXPECT_EQ(bytes_of_archive(run, folder), expected) << id;
        fs::remove_all(folder);
    }
}

/// Stops it at many moments, most of them while the errors of a record are computed, and continues each time.
void expect_to_go_on_after_stops(const Study& study)
{
    const auto experiment      = prepare(study);
    const auto folder          = fresh_folder();
    const SavedRun undisturbed = run_with_checkpoints(*experiment, folder, {.seconds = 0});
    const auto expected        = bytes_of_archive(undisturbed, folder);
    long before = 0, stopped = 0;
    for (int part = 0; part < 15; ++part) {
        std::stop_source stop;
        std::jthread later;
        TrainingEvents events;
        events.recorded = [&](const std::shared_ptr<const Snapshot>&) {
            if (!later.joinable())
                later = std::jthread([&stop, part] {
                    std::this_thread::sleep_for(std::chrono::microseconds(700 * (part % 4) + 90 * part));
                    stop.request_stop();
                });
        };
        const auto run = run_with_checkpoints(*experiment, folder, {}, stop.get_token(), nullptr, events);
        if (run.report.stop != StopReason::cancelled)
            break;
        if (run.report.steps == 0)
            continue;   // nothing to lose
        ++stopped;
        const auto left = interrupted_run(folder);
        ASSERT_TRUE(left) << study.posterior.family << ", stopped after " << run.report.steps << " steps";
        EXPECT_EQ(left->step, run.report.steps) << "no step is lost";
        EXPECT_GE(left->step, before);
        before = left->step;
    }
    EXPECT_GT(stopped, 0) << study.posterior.family;
    const auto run = run_with_checkpoints(*experiment, folder, {});
    EXPECT_EQ(run.history.size(), undisturbed.history.size());
    EXPECT_EQ(bytes_of_archive(run, folder), expected) << study.posterior.family;
    fs::remove_all(folder);
}

TEST(RunWithCheckpoints, AStopAtAnyMomentKeepsEachStep)
{
    const std::vector<std::string> slow_errors{"data.n=400", "training.error_draws=40"};
    const auto with_slow_errors = [&](const char* id, std::vector<std::string> settings) {
        settings.insert(settings.end(), slow_errors.begin(), slow_errors.end());
        return study_of(id, settings);
    };
    expect_to_go_on_after_stops(with_slow_errors("mean_field", {}));
    expect_to_go_on_after_stops(with_slow_errors("swag", {}));
    expect_to_go_on_after_stops(
        with_slow_errors("sghmc", {"posterior.chains=1", "posterior.start=trained", "posterior.start_steps=100"}));
    expect_to_go_on_after_stops(
        with_slow_errors("sgld", {"posterior.chains=2", "posterior.start=one_trained", "posterior.start_steps=100",
                                  "posterior.kept_draws=100", "posterior.burn_in=0.25", "posterior.stop_ess=1000000"}));
    expect_to_go_on_after_stops(with_slow_errors("deep_ensemble", {"posterior.members=3"}));
    expect_to_go_on_after_stops(with_slow_errors(
        "nuts", {"posterior.chains=2", "posterior.warmup=40", "posterior.draws=60", "posterior.stop_ess=1000000"}));
}

TEST(RunWithCheckpoints, AnotherStudyAndFreshStartAgain)
{
    const auto folder     = fresh_folder();
    const auto first      = study_of("point_estimate");
    const auto experiment = prepare(first);
    CheckpointOptions options{.seconds = 0, .every = 20};
    std::vector<std::string> reported;
    options.notify = [&](const std::string& sentence) { reported.push_back(sentence); };
    run_until(*experiment, folder, options, 200);
    const auto left = content_of(checkpoint_path(folder));
    EXPECT_THAT(reported, IsEmpty());

    options.fresh = true;
    run_until(*experiment, folder, options, 10);   // before its first checkpoint
    EXPECT_THAT(reported, IsEmpty());
    EXPECT_EQ(content_of(checkpoint_path(folder)), left) << "replaced only by another one";
    options.fresh = false;

    auto renamed = first;
    renamed.name = "the same by another name";
    EXPECT_NO_THROW(run_with_checkpoints(*prepare(renamed), folder, options));
    EXPECT_THAT(reported, ElementsAre(HasSubstr("Resuming at step ")));

    reported.clear();
    auto other     = first;
    other.seed     = 2;
    other.name     = "other";
    const auto run = run_with_checkpoints(*prepare(other), folder, options);
    EXPECT_THAT(reported,
                ElementsAre(HasSubstr(" contains an interrupted run of another Study (the same by another name)")));
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_EQ(interrupted_run(folder)->study.seed, 2u) << "until it is removed";
    fs::remove_all(folder);
}

TEST(RunWithCheckpoints, DamagedFilesAreReportedAndTheRunStartsAgain)
{
    const auto folder     = fresh_folder();
    const auto study      = study_of("point_estimate", {"network.hidden=128, 160", "training.steps=30"});
    const auto experiment = prepare(study);
    const auto expected   = bytes_of_archive(run_with_checkpoints(*experiment, folder, {.seconds = 0}), folder);
    const CheckpointOptions options{.seconds = 0, .every = 5};
    run_until(*experiment, folder, options, 25);
    const auto main_file = checkpoint_path(folder);
    const auto whole     = content_of(main_file);
    const auto write     = [](const fs::path& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
    };
    for (std::size_t i = 0; i < 40; ++i) {
        auto flipped = whole;
        flipped[i * (whole.size() - 1) / 39] ^= static_cast<char>(1 << (i % 8));
        write(main_file, flipped);
        EXPECT_THROW(interrupted_run(folder), Error) << i;
        write(main_file, whole.substr(0, i < 20 ? i * 3 : i * whole.size() / 40));
        EXPECT_THROW(interrupted_run(folder), Error) << i;
    }
    std::vector<std::string> reported;
    CheckpointOptions reporting{.seconds = 0};
    reporting.notify = [&](const std::string& sentence) { reported.push_back(sentence); };
    EXPECT_EQ(bytes_of_archive(run_with_checkpoints(*experiment, folder, reporting), folder), expected);
    EXPECT_THAT(reported, ElementsAre(AllOf(HasSubstr(main_file.string()), HasSubstr("it is damaged"),
                                            HasSubstr("This run starts from the beginning."))));

    write(main_file, whole);   // and the second file
    ASSERT_TRUE(interrupted_run(folder));
    std::vector<fs::path> numbers;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().find("-numbers-") != std::string::npos)
            numbers.push_back(entry.path());
    ASSERT_EQ(numbers.size(), 1u);
    auto bytes = content_of(numbers.front());
    bytes[bytes.size() / 2] ^= 4;
    for (const auto& damaged : {bytes, bytes.substr(0, bytes.size() / 2), std::string()}) {
        reported.clear();
        write(numbers.front(), damaged);
        EXPECT_EQ(bytes_of_archive(run_with_checkpoints(*experiment, folder, reporting), folder), expected);
        ASSERT_EQ(reported.size(), 2u);
        EXPECT_THAT(reported.back(),
                    AllOf(HasSubstr("damaged or missing"), HasSubstr("This run starts from the beginning.")));
    }
    fs::remove_all(folder);
}

TEST(RunWithCheckpoints, AFolderThatCannotBeWrittenDoesNotEndTheRun)
{
    const auto folder     = fresh_folder() / "missing";
    const auto experiment = prepare(study_of("point_estimate"));
    std::vector<std::string> reported;
    CheckpointOptions options{.seconds = 0, .every = 50};
    options.notify = [&](const std::string& sentence) { reported.push_back(sentence); };
    const auto run = run_with_checkpoints(*experiment, folder, options);
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_THAT(reported, ElementsAre(HasSubstr("The state of the run is not saved; Credence tries again later.")))
        << "said once";
}

TEST(RunWithCheckpoints, CheckpointsAreTriedAgainWhenTheDiskHasSpace)
{
    const auto parent     = fresh_folder();
    const auto folder     = parent / "missing";
    const auto experiment = prepare(
        study_of("sgld", {"posterior.chains=1", "posterior.burn_in=0.25", "network.hidden=64, 64"}));
    const auto expected = bytes_of_archive(run_with_checkpoints(*experiment, parent, {.seconds = 0}), parent);
    std::vector<std::string> reported;
    CheckpointOptions options{.seconds = 0, .every = 20};
    options.notify = [&](const std::string& sentence) { reported.push_back(sentence); };
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step >= 150)
            fs::create_directories(folder);
        if (snapshot->point.step >= 300)
            throw Killed();
    };
    EXPECT_THROW(run_with_checkpoints(*experiment, folder, options, {}, nullptr, events), Killed);
    EXPECT_THAT(reported, ElementsAre(HasSubstr("The state of the run is not saved"),
                                      HasSubstr("The state of the run is saved again.")));
    ASSERT_TRUE(interrupted_run(folder));
    EXPECT_GE(interrupted_run(folder)->step, 150);
    reported.clear();
    EXPECT_EQ(bytes_of_archive(run_with_checkpoints(*experiment, folder, options), folder), expected);
    EXPECT_THAT(reported, ElementsAre(HasSubstr("Resuming at step ")));
    fs::remove_all(parent);
}

TEST(RunWithCheckpoints, ARunByAnotherBuildContinuesOnlyOnRequest)
{
    const auto folder     = fresh_folder();
    const auto experiment = prepare(study_of("point_estimate"));
    const auto expected   = run_with_checkpoints(*experiment, folder, {.seconds = 0});
    CheckpointOptions options{.seconds = 0, .every = 20};
    set_commit("aaaaaaaaaaaa");
    run_until(*experiment, folder, options, 200);
    set_commit("");
    ASSERT_TRUE(interrupted_run(folder));
    EXPECT_EQ(interrupted_run(folder)->build.commit, "aaaaaaaaaaaa");
    const auto left = content_of(checkpoint_path(folder));
    try {
        run_with_checkpoints(*experiment, folder, options);
        FAIL() << "two builds were mixed";
    } catch (const OtherBuild& other) {
        EXPECT_EQ(other.build.commit, "aaaaaaaaaaaa");
        EXPECT_THAT(other.what(), AllOf(HasSubstr("by another build, Credence "), HasSubstr("commit aaaaaaaaaaaa"),
                                        HasSubstr("--mix-builds"), HasSubstr("--fresh")));
    }
    EXPECT_EQ(content_of(checkpoint_path(folder)), left) << "nothing is lost";

    options.mix_builds = true;
    const auto run     = run_with_checkpoints(*experiment, folder, options);
    ASSERT_TRUE(run.provenance);
    EXPECT_EQ(run.provenance->build, this_build());
    ASSERT_EQ(run.provenance->earlier_builds.size(), 1u);
    EXPECT_EQ(run.provenance->earlier_builds[0].commit, "aaaaaaaaaaaa");
    EXPECT_EQ(run.history.back().data_loss, expected.history.back().data_loss);
    EXPECT_THAT(expected.provenance->earlier_builds, IsEmpty());

    options.mix_builds = false;
    remove_checkpoint(folder);
    fs::remove_all(folder);
}

}   // namespace
}   // namespace credence
