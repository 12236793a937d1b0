// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include "foundation/error.h"
#include "runs/provenance.h"
#include "study/fields.h"
#include "unit/gallery/small_gallery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

/// A folder with the files of a finished run, as far as they state its origin.
fs::path folder_with_run(const Study& study, const std::string& commit, double seconds, const std::string& started)
{
    const auto* test  = ::testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = fs::path(::testing::TempDir()) / "recorded_runs" / test->name() / study_hash(study);
    fs::create_directories(folder);
    save_study(study, folder / "study.json");
    const Provenance made{{"0.1.0", commit, "x86-64-v3", "GCC 12.2.0"}, {}, study_hash(study), "0"};
    write_whole(folder / "results.json", nlohmann::ordered_json{{"provenance", provenance_to_json(made)}}.dump());
    write_whole(folder / "times.json", nlohmann::ordered_json{{"started", started}, {"seconds", seconds}}.dump());
    return folder;
}

std::vector<fs::path> two_seeds(const GalleryEntry& entry)
{
    Study study = study_of(entry);
    study.seed  = 12;
    auto first  = folder_with_run(study, "abc", 60, "2026-11-27T23:59:59+0000");
    study.seed  = 3;
    return {first, folder_with_run(study, "abc", 90, "2026-11-26T10:00:00+0000")};
}

TEST(RecordedRuns, AreReadFromTheFilesOfTheRuns)
{
    const GalleryEntry entry = small_gallery().entry("B.fig5");
    const auto folders       = two_seeds(entry);
    const OurRuns runs       = recorded_runs(folders);
    EXPECT_EQ(runs.seeds, "3, 12");
    EXPECT_EQ(runs.commit, "abc");
    EXPECT_EQ(runs.date, "2026-11-27");   // the last one
    EXPECT_EQ(runs.time, "2.5 minutes of training (wall time) for 2 runs");
    EXPECT_EQ(recorded_runs(folders, 42).time, "42 seconds of processor time for 2 runs");
    EXPECT_EQ(recorded_runs(folders, 0.7).time, "1 second of processor time for 2 runs");
    EXPECT_EQ(runs.study.front(), "training.steps=15000");
    EXPECT_EQ(runs.hashes.size(), 2U);
    EXPECT_EQ(runs.hashes_text(), "Studies " + runs.hashes[0] + ", " + runs.hashes[1]);
}

TEST(RecordedRuns, SettingsThatDifferBetweenTheRunsAreLeftOut)
{
    const GalleryEntry entry = small_gallery().entry("B.fig5");
    Study shorter            = study_of(entry);
    shorter.training.steps   = 100;
    const auto runs          = recorded_runs(
                 {folder_with_run(study_of(entry), "a", 1, ""), folder_with_run(shorter, "b", 1, "")});
    EXPECT_EQ(runs.commit, "a, b");
    for (const auto& assignment : runs.study)
        EXPECT_THAT(assignment, ::testing::Not(HasSubstr("training.steps")));
}

/// What `credence reproduce` writes can be copied into the gallery, and the comparison with the
/// entry's command accepts the entry's own run and no other.
TEST(RecordedRuns, OfTheCommandAreThoseOfTheEntry)
{
    GalleryEntry entry = small_gallery().entry("B.fig5");
    entry.ours         = recorded_runs({folder_with_run(study_of(entry), "abc", 60, "2026-11-27T10:00:00+0000")});
    EXPECT_THAT(differing_settings(entry), IsEmpty());
    const auto json = nlohmann::json::parse(recorded_text(entry, *entry.ours, {"0.123"}));
    EXPECT_EQ(json.at("ours").at("hashes").at(0), study_hash(study_of(entry)));
    EXPECT_EQ(json.at("ours").at("study").at("training.steps"), 15000);
    EXPECT_EQ(json.at("values").at(0).at("ours"), "0.123");
    Study another           = study_of(entry);
    another.prior.weight_sd = {2};
    entry.ours              = recorded_runs({folder_with_run(another, "abc", 60, "2026-11-27T10:00:00+0000")});
    EXPECT_THAT(differing_settings(entry), ElementsAre(HasSubstr(study_hash(another))));
}

TEST(RecordedRuns, AFolderWithoutProvenanceIsRejectedByItsName)
{
    const GalleryEntry entry = small_gallery().entry("B.fig5");
    const auto folder        = folder_with_run(study_of(entry), "abc", 60, "");
    write_whole(folder / "results.json", "{}");
    try {
        recorded_runs({folder});
        FAIL() << "no refusal";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("results.json: found no provenance"));
    }
    EXPECT_THROW(recorded_runs({}), Error);
}

}   // namespace
}   // namespace credence
