// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"
#include "cli/program.h"
#include "foundation/build_info.h"
#include "runs/archive.h"
#include "runs/run_with_checkpoints.h"
#include "study/presets.h"
#include "sweeps/run_sweep.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

// Which program made a file, and from what.
namespace {

using namespace credence;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// The build that the program names: "0.1.0 (commit 1a2b3c4d5e6f, instruction set x86-64-v3, GCC 12.2.0)".
std::string builtAs()
{
    const std::string text = call("--version").out;
    EXPECT_THAT(
        text, ::testing::MatchesRegex("Credence [0-9.]+ \\((commit [0-9a-f]+(-dirty)?, )?instruction set .*, .*\\)\n"));
    return text.substr(9, text.size() - 10);
}

TEST(Provenance, IsInEveryFileOfARun)
{
    const auto folder   = freshFolder("provenance") / "out";
    const Answer answer = call("run xor --set training.steps=30 --save-outputs --save-weights --out " + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    const auto found = provenance_from(nlohmann::json::parse(contentOf(folder / "results.json")).at("provenance"));
    EXPECT_EQ(build_text(found.build), builtAs());
    EXPECT_EQ(found.study_hash, study_hash(load_study(folder / "study.json")));
    EXPECT_EQ(found.data_hash.size(), 32u);
    EXPECT_EQ(load_run(folder / "run.credence").provenance, found);
    for (const char* name : {"decision_map.pdf", "decision_map.svg"})
        EXPECT_THAT(contentOf(folder / "figures" / name), HasSubstr("instruction set " + found.build.instruction_set))
            << name;
    EXPECT_THAT(contentOf(folder / "figures" / "decision_map.png"), HasSubstr("zTXtSoftware")) << "compressed";
    for (const char* name : {"outputs.npz", "weights.npz"})
        EXPECT_THAT(contentOf(folder / name), HasSubstr("provenance.npy")) << name;
    const Answer opened = call("open " + quoted(folder / "outputs.npz"));
    EXPECT_EQ(opened.status, 0) << opened.error;
    EXPECT_THAT(contentOf(folder / "data" / "scores.csv"), ::testing::Not(HasSubstr(found.build.compiler)))
        << "tables are compared between builds";
}

TEST(Provenance, ARunByAnotherBuildIsRejectedUntilMixBuilds)
{
    const auto folder = freshFolder("other_build");
    Study study       = preset("xor");
    set_field(study, "training.steps=400");
    TrainingEvents events;
    events.recorded = [](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step >= 100)
            throw std::runtime_error("killed");
    };
    set_commit("aaaaaaaaaaaa");
    EXPECT_THROW(run_with_checkpoints(*prepare(study), folder, {.every = 10}, {}, nullptr, events), std::runtime_error);
    set_commit("");
    const std::string run = "run xor --set training.steps=400 --no-figures --out " + quoted(folder);
    const Answer refused  = call(run);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.error, AllOf(HasSubstr("by another build, Credence "), HasSubstr("commit aaaaaaaaaaaa"),
                                     HasSubstr(builtAs()), HasSubstr("--mix-builds")));
    EXPECT_TRUE(interrupted_run(folder));
    const Answer mixed = call(run + " --mix-builds");
    EXPECT_EQ(mixed.status, 0) << mixed.error;
    EXPECT_THAT(mixed.error, HasSubstr("Resuming at step "));
    const auto found = provenance_from(nlohmann::json::parse(contentOf(folder / "results.json")).at("provenance"));
    ASSERT_EQ(found.earlier_builds.size(), 1u);
    EXPECT_EQ(found.earlier_builds[0].commit, "aaaaaaaaaaaa");
}

TEST(Provenance, CellsOfAnotherBuildAreRejectedUntilMixBuilds)
{
    const auto folder = freshFolder("other_cells");
    const Sweep sweep = [] {
        Sweep quick = quick_version(shipped_sweep("two_moons_dropout"));
        set_for_all(quick, "training.steps=20");
        return quick;
    }();
    const auto cells = cells_of(sweep);
    set_commit("aaaaaaaaaaaa");
    run_sweep(sweep, std::span(cells).first(1), SweepFolder(folder));
    set_commit("");
    const std::string call_sweep = "sweep two_moons_dropout --quick --set training.steps=20 --no-figures --out "
                                   + quoted(folder);
    const Answer refused = call(call_sweep);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.error,
                AllOf(HasSubstr("contains 1 of "), HasSubstr("commit aaaaaaaaaaaa"), HasSubstr("--mix-builds")));
    EXPECT_EQ(call(call_sweep + " --mix-builds").status, 0);
    const auto builds = nlohmann::json::parse(contentOf(folder / "provenance.json")).at("builds");
    EXPECT_EQ(builds.size(), 2u);
}

}   // namespace
