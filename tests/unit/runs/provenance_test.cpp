// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/provenance.h"

#include "foundation/error.h"
#include "runs/archive.h"
#include "runs/run_with_checkpoints.h"
#include "study/presets.h"

#include "unit/runs/short_run.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <unistd.h>

namespace credence {
namespace {

TEST(Provenance, NamesTheRunningProgram)
{
    const auto made = provenance_of(*prepare(small_study("mean_field")));
    EXPECT_EQ(made.build.version, version());
    EXPECT_EQ(made.build.instruction_set, instruction_set());
    EXPECT_THAT(made.build.compiler, ::testing::MatchesRegex("(GCC|Clang) [0-9.]+"));
    EXPECT_EQ(made.study_hash.size(), 16u);
    EXPECT_EQ(made.data_hash.size(), 32u);
    EXPECT_EQ(made, provenance_of(*prepare(small_study("mean_field")))) << "the same for the same run";
}

/// Cells of sweeps are found by this hash. A new setting must be written_if_used.
TEST(Provenance, TheHashOfAStudyStaysTheSameWhenASettingIsAdded)
{
    const auto hash_of_preset = [](const char* id) {
        Study study = preset(id);
        set_field(study, "training.steps=60");
        return study_hash(study);
    };
    EXPECT_EQ(hash_of_preset("sine_gap"), "c90b79ad7afaa6a4");
    EXPECT_EQ(hash_of_preset("two_moons_mean_field"), "a415bd9f4d1a45bc");
    EXPECT_EQ(hash_of_preset("heteroscedastic"), "09869242e85236ca");
}

TEST(Provenance, ABuildWithoutACommitNamesNone)
{
    EXPECT_EQ(build_text({"0.1.0", "1a2b3c4d5e6f", "x86-64-v3", "GCC 12.2.0"}),
              "0.1.0 (commit 1a2b3c4d5e6f, instruction set x86-64-v3, GCC 12.2.0)");
    EXPECT_EQ(build_text({"0.1.0", "", "x86-64-v3", "GCC 12.2.0"}), "0.1.0 (instruction set x86-64-v3, GCC 12.2.0)");
}

TEST(Provenance, TheHashOfTheDataIsOfTrainingAndTestRows)
{
    const auto experiment = prepare(small_study("mean_field"));
    ASSERT_GT(experiment->data->test.n_rows, 0u);
    const auto hash = hash_of_data(*experiment->data);
    SplitData other = *experiment->data;
    EXPECT_EQ(hash_of_data(other), hash);
    other.test_inputs[0] += 1;
    EXPECT_NE(hash_of_data(other), hash);
    other                = *experiment->data;
    other.test.labels[0] = 1 - other.test.labels[0];
    EXPECT_NE(hash_of_data(other), hash);
    other = *experiment->data;
    other.training_inputs[0] += 1;
    EXPECT_NE(hash_of_data(other), hash);
}

TEST(Provenance, IsReadBackFromJson)
{
    const Provenance made{{"0.1.0", "1a2b3c4d5e6f", "x86-64-v3", "GCC 12.2.0"},
                          {{"0.0.9", "", "baseline", "Clang 14.0.6"}},
                          "0123456789abcdef",
                          "00112233445566778899aabbccddeeff"};
    EXPECT_EQ(provenance_from(nlohmann::json::parse(provenance_to_json(made).dump())), made);
    for (const char* other : {"{}", "[]", "3", R"({"version": 1})"})
        EXPECT_THROW(provenance_from(nlohmann::json::parse(other)), Error) << other;
}

TEST(Provenance, IsInTheArchiveOfARun)
{
    const auto file = std::filesystem::path(::testing::TempDir())
                      / ("credence_provenance_" + std::to_string(::getpid()) + ".credence");
    Study study          = small_study("mean_field");
    study.training.steps = 3;
    SavedRun run         = recorded_run(*prepare(study));
    ASSERT_TRUE(run.provenance);
    EXPECT_EQ(run.provenance->study_hash, study_hash(study));
    save_run(run, file);
    EXPECT_EQ(load_run(file).provenance, run.provenance);
    run.provenance.reset();   // as older versions wrote it
    save_run(run, file);
    EXPECT_FALSE(load_run(file).provenance);
    std::filesystem::remove(file);
}

}   // namespace
}   // namespace credence
