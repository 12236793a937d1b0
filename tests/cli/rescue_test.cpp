// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "foundation/files.h"
#include "runs/archive.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

// A read-only folder loses neither a finished run nor a file of the user.
namespace {

using namespace credence;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// The only folder in another.
fs::path onlyFolderIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        found.push_back(entry.path());
    return found.size() == 1 ? found.front() : fs::path();
}

TEST(Rescue, ARunWhoseFolderIsGoneIsSavedElsewhereWithItsScores)
{
    const auto folder = freshFolder("gone"), data = freshFolder("gone_data");
    const Answer answer = callShell("export XDG_DATA_HOME=" + quoted(data)
                                    + "; \"$CREDENCE\" run xor --set training.steps=20000 --no-figures "
                                      "--checkpoint-every 0.05 --out "
                                    + quoted(folder / "out") + " & program=$!; until [ -e "
                                    + quoted(folder / "out" / "run.credence-progress")
                                    + " ] || ! kill -0 $program; do sleep 0.01; done; "
                                      "mv "
                                    + quoted(folder / "out") + " " + quoted(folder / "away") + "; wait $program");
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.out, HasSubstr("Accuracy"));
    const auto kept = onlyFolderIn(data / "credence" / "rescued");
    ASSERT_NE(kept, fs::path());
    EXPECT_THAT(answer.error, AllOf(HasSubstr((folder / "out").string()),
                                    HasSubstr("The run and its scores are in " + kept.string() + " instead.")));
    EXPECT_EQ(load_run(kept / "run.credence").report.stop, StopReason::steps_done);
    EXPECT_FALSE(nlohmann::json::parse(contentOf(kept / "results.json")).at("scores").empty());
}

TEST(Rescue, ConflictsAreFoundBeforeTraining)
{
    const auto folder = freshFolder("in_the_way");
    write_whole(folder / "data", "numbers of mine");
    const Answer answer = call("run xor --set training.steps=1000000000 --out " + quoted(folder));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("data: expected a folder or nothing, found a file"));
    EXPECT_EQ(contentOf(folder / "data"), "numbers of mine");
    EXPECT_FALSE(fs::exists(folder / "study.json"));
}

TEST(Rescue, FilesOfTheUserAreReplacedOnlyWithOverwrite)
{
    const auto folder       = freshFolder("mine");
    const std::string run   = "run xor --set training.steps=5 --no-figures --out " + quoted(folder);
    const std::string sweep = "sweep two_moons_dropout --quick --set training.steps=5 --no-figures --collect --out "
                              + quoted(folder);
    const std::string bandit = "bandit plane_uniform --steps 20 --seeds 1 --no-figures --out " + quoted(folder);
    for (const auto& [name, command] : {std::pair{"results.json", run}, std::pair{"cells.csv", sweep},
                                        std::pair{"sweep.json", sweep}, std::pair{"summary.csv", bandit}}) {
        fs::remove_all(folder);
        fs::create_directories(folder);
        write_whole(folder / name, "mine");
        const Answer refused = call(command);
        EXPECT_EQ(refused.status, 2) << command;
        EXPECT_THAT(refused.error,
                    AllOf(HasSubstr(name), HasSubstr("Credence did not write this file"), HasSubstr("--overwrite")));
        EXPECT_EQ(contentOf(folder / name), "mine");
        const Answer replaced = call(command + " --overwrite");
        EXPECT_EQ(replaced.status, 0) << command << replaced.error;
        EXPECT_NE(contentOf(folder / name), "mine");
        EXPECT_EQ(call(command).status, 0) << "its own files are replaced silently: " << command;
    }
}

}   // namespace
