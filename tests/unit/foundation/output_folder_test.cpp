// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/output_folder.h"

#include "foundation/error.h"
#include "foundation/write_whole.h"

#include <gmock/gmock.h>

#include <optional>
#include <unistd.h>

namespace {

using namespace credence;
using testing::ThrowsMessage;
namespace fs = std::filesystem;

class OutputFolders : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(place); }
    void TearDown() override { fs::remove_all(place); }
    const fs::path place = fs::path(testing::TempDir()) / ("credence_output_folder_" + std::to_string(::getpid()));
};

TEST_F(OutputFolders, IsCreatedAndStaysIfItIsNotEmpty)
{
    {
        const OutputFolder folder(place / "a" / "b");
        EXPECT_TRUE(fs::is_directory(folder.path()));
        write_whole(folder.path() / "file", "x");
    }
    EXPECT_TRUE(fs::exists(place / "a" / "b" / "file"));
}

TEST_F(OutputFolders, AnEmptyFolderIsRemovedUnlessItExistedBefore)
{
    fs::create_directory(place / "old");
    {
        const OutputFolder made(place / "new"), old(place / "old");
    }
    EXPECT_FALSE(fs::exists(place / "new"));
    EXPECT_TRUE(fs::exists(place / "old"));
}

TEST_F(OutputFolders, OneWriterAtATime)
{
    std::optional<OutputFolder> first(std::in_place, place / "a");
    EXPECT_THAT([&] { OutputFolder second(place / "a"); },
                ThrowsMessage<Error>((place / "a").string()
                                     + ": another run of Credence is writing there, expected a folder of its own."));
    EXPECT_NO_THROW(OutputFolder(place / "b"));
    EXPECT_TRUE(fs::is_directory(place / "a"));
    first.reset();
    EXPECT_NO_THROW(OutputFolder(place / "a"));
}

TEST_F(OutputFolders, AFileInItsPlaceIsReported)
{
    write_whole(place / "file", "x");
    EXPECT_THAT([&] { OutputFolder folder(place / "file"); },
                ThrowsMessage<Error>((place / "file").string() + ": the folder cannot be created (Not a directory)."));
    EXPECT_THAT(
        [&] { OutputFolder folder(place / "file" / "below"); },
        ThrowsMessage<Error>((place / "file/below").string() + ": the folder cannot be created (Not a directory)."));
    EXPECT_THAT([&] { OutputFolder folder("/proc/none"); },
                ThrowsMessage<Error>(testing::StartsWith("/proc/none: the folder cannot be created (")));
}

}   // namespace
