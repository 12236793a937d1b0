// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/read_file.h"

#include "foundation/error.h"
#include "foundation/write_whole.h"

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace credence;
namespace fs = std::filesystem;

class ReadFile : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static std::string refusal(const fs::path& file, std::uint64_t most = 1000)
    {
        try {
            read_file(file, "a study", most);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    }
    const fs::path folder = fs::path(testing::TempDir()) / ("credence_read_file_" + std::to_string(::getpid()));
};

TEST_F(ReadFile, GivesEveryByte)
{
    const std::string bytes("a\0b\r\n\xff", 6);
    write_whole(folder / "a", bytes);
    write_whole(folder / "empty", "");
    fs::create_symlink("a", folder / "link");
    EXPECT_EQ(read_file(folder / "a", "a study"), bytes);
    EXPECT_EQ(read_file(folder / "link", "a study"), bytes);
    EXPECT_EQ(read_file(folder / "empty", "a study"), "");
    EXPECT_EQ(read_file<std::vector<char>>(folder / "a", "a study"), std::vector<char>(bytes.begin(), bytes.end()));
}

TEST_F(ReadFile, EndlessFilesAreRejected)
{
    EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: the file cannot be read (it is a device), expected a study.");
    EXPECT_EQ(refusal("/dev/full"), "/dev/full: the file cannot be read (it is a device), expected a study.");
    fs::create_symlink("/dev/zero", folder / "link");
    EXPECT_EQ(refusal(folder / "link"),
              (folder / "link").string() + ": the file cannot be read (it is a device), expected a study.");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(refusal(folder / "pipe"),
              (folder / "pipe").string() + ": the file cannot be read (it is a pipe), expected a study.");
}

TEST_F(ReadFile, TheSentenceNamesTheFileAndTheReason)
{
    EXPECT_EQ(refusal(folder / "none"),
              (folder / "none").string() + ": the file cannot be read (No such file or directory), expected a study.");
    EXPECT_EQ(refusal(folder), folder.string() + ": the file cannot be read (it is a folder), expected a study.");
    write_whole(folder / "big", std::string(1001, 'x'));
    EXPECT_EQ(refusal(folder / "big"),
              (folder / "big").string()
                  + ": the file cannot be read (it has 1001 bytes and may have 1000), expected a study.");
    write_whole(folder / "big", std::string(1000, 'x'));
    EXPECT_EQ(refusal(folder / "big"), "nothing was refused");
}

}   // namespace
