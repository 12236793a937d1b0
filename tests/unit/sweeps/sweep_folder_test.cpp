// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"
#include "sweeps/sweep_folder.h"
#include "unit/sweeps/small_sweep.h"

#include <csignal>
#include <sys/wait.h>

namespace credence {
namespace {

constexpr auto some_hash = "0123456789abcdef";

TEST(SweepFolder, ReportsItsContents)
{
    const FreshFolder fresh("states");
    const SweepFolder folder(fresh.path / "out");
    EXPECT_EQ(folder.status(some_hash).state, CellState::waiting);
    EXPECT_FALSE(std::filesystem::exists(fresh.path / "out"));   // listing creates nothing
    folder.begin(small_sweep(R"({"seed": [1]})"));
    EXPECT_TRUE(load_sweep(fresh.path / "out" / "sweep.json").n_cells() == 1);

    auto claim = folder.claim(some_hash);
    ASSERT_NE(claim, nullptr);
    EXPECT_EQ(folder.status(some_hash).state, CellState::running);
    EXPECT_EQ(folder.claim(some_hash), nullptr);
    EXPECT_EQ(SweepFolder(fresh.path / "out").claim(some_hash), nullptr);
    claim.reset();
    EXPECT_EQ(folder.status(some_hash).state, CellState::waiting);

    folder.fail(some_hash, "It ran away.");
    EXPECT_EQ(folder.status(some_hash).state, CellState::failed);
    EXPECT_EQ(folder.status(some_hash).sentence, "It ran away.");
    write_whole(folder.cell(some_hash) / "results.json", "{\"scores\": [");   // not whole: no result
    EXPECT_EQ(folder.status(some_hash).state, CellState::failed);
    const auto results_of = [](const std::string& study_hash) {
        return R"({"scores": [], "provenance": {"version": "0.1.0", "instruction_set": "x86-64-v3",)"
               R"( "compiler": "GCC 12.2.0", "study_hash": ")"
               + study_hash + R"(", "data_hash": "0"}})";
    };
    for (const std::string& other : {std::string("{\"scores\": []}"), std::string(R"({"scores": [], "provenance": 3})"),
                                     results_of("fedcba9876543210")}) {   // no provenance, or of another Study
        write_whole(folder.cell(some_hash) / "results.json", other);
        EXPECT_EQ(folder.status(some_hash).state, CellState::failed) << other;
    }
    write_whole(folder.cell(some_hash) / "results.json", results_of(some_hash));
    EXPECT_EQ(folder.status(some_hash).state, CellState::done);
    ASSERT_TRUE(folder.status(some_hash).provenance);
    EXPECT_EQ(folder.status(some_hash).provenance->build.instruction_set, "x86-64-v3");
    std::filesystem::remove(folder.cell(some_hash) / "results.json");
    folder.forget_failure(some_hash);
    EXPECT_EQ(folder.status(some_hash).state, CellState::waiting);
}

TEST(SweepFolder, AClaimOfAnotherProcessEndsWithIt)
{
    const FreshFolder fresh("claims");
    const SweepFolder folder(fresh.path);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto claim = folder.claim(some_hash);
        (void)!::write(ready[1], claim ? "y" : "n", 1);
        ::pause();   // killed here
        ::_exit(0);
    }
    char answer = 0;
    ASSERT_EQ(::read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_EQ(folder.status(some_hash).state, CellState::running);
    EXPECT_EQ(folder.claim(some_hash), nullptr);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    EXPECT_EQ(folder.status(some_hash).state, CellState::waiting);
    EXPECT_NE(folder.claim(some_hash), nullptr);
}

TEST(SweepFolder, ReportsAFolderThatIsNotWritable)
{
    const FreshFolder fresh("refused");
    write_whole(fresh.path / "file", "");
    EXPECT_THAT(sentence_thrown_by([&] { SweepFolder(fresh.path / "file").begin(small_sweep(R"({"seed": [1]})")); }),
                ::testing::HasSubstr("the folder cannot be created"));
}

}   // namespace
}   // namespace credence
