// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/files.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

namespace {

using namespace credence;
namespace fs = std::filesystem;

class ReadFile : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static std::string refusal(const fs::path& file, std::uint64_t most = 1000)
    {
        return sentence_of_error([&] { read_file(file, "a study", most); });
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
                  + ": the file cannot be read (its size is 1001 bytes, the limit is 1000 bytes), expected a study.");
    write_whole(folder / "big", std::string(1000, 'x'));
    EXPECT_EQ(refusal(folder / "big"), "");
}

using testing::ElementsAre;
namespace fs = std::filesystem;

class WriteWhole : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static std::string content(const fs::path& file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    std::vector<std::string> names() const
    {
        std::set<std::string> sorted;
        for (const auto& entry : fs::directory_iterator(folder))
            sorted.insert(entry.path().filename().string());
        return {sorted.begin(), sorted.end()};
    }
    /// A name given by a process that has since ended.
    static fs::path name_of_the_dead(const fs::path& file)
    {
        static int calls       = 0;
        const std::string mine = begin_replacement(file).string(), number = "-" + std::to_string(::getpid()) + "-";
        const pid_t gone = ::fork();
        if (gone == 0)
            ::_exit(0);
        ::waitpid(gone, nullptr, 0);
        return mine.substr(0, mine.rfind(number)) + "-" + std::to_string(gone) + "-" + std::to_string(++calls);
    }

    const fs::path folder = fs::path(testing::TempDir()) / ("credence_write_whole_" + std::to_string(::getpid()));
};

TEST_F(WriteWhole, ReplacesTheContentAndLeavesNoOtherFile)
{
    write_whole(folder / "a.txt", "first");
    write_whole(folder / "a.txt", "second");
    EXPECT_EQ(content(folder / "a.txt"), "second");
    EXPECT_THAT(names(), ElementsAre("a.txt"));
}

TEST_F(WriteWhole, AnAbandonedFileLeavesTheOldOneAndNothingElse)
{
    write_whole(folder / "a.txt", "old");
    {
        WholeFile file(folder / "a.txt");
        file.write("half of the n");
    }
    EXPECT_EQ(content(folder / "a.txt"), "old");
    EXPECT_THAT(names(), ElementsAre("a.txt"));
}

TEST_F(WriteWhole, TheSentenceNamesTheFileAndTheReason)
{
    write_whole(folder / "a.txt", "x");
    EXPECT_EQ(sentence_of_error([&] { write_whole(folder / "a.txt" / "b", "x"); }),
              (folder / "a.txt/b").string() + ": the file cannot be written (Not a directory).");
    EXPECT_EQ(sentence_of_error([&] { write_whole(folder / "none" / "b", "x"); }),
              (folder / "none/b").string() + ": the file cannot be written (No such file or directory).");
    fs::create_directory(folder / "place");
    EXPECT_EQ(sentence_of_error([&] { write_whole(folder / "place", "x"); }),
              (folder / "place").string() + ": the file cannot be written (Is a directory).");
    EXPECT_THAT(names(), ElementsAre("a.txt", "place"));
}

TEST_F(WriteWhole, AFullDiskIsNotBadInput)
{
    const pid_t child = ::fork();   // the limit on the size of files is the child's own
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit few{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &few);
        int status = 1;
        try {
            write_whole(folder / "big", std::string(5000, 'x'));
        } catch (const DiskError& error) {
            status = error.what() == (folder / "big").string() + ": the file cannot be written (File too large)." ? 0
                                                                                                                  : 2;
        }
        ::_exit(status);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_THAT(names(), ElementsAre());
}

TEST_F(WriteWhole, ThreadsThatWriteOneFileDoNotInterfere)
{
    std::vector<std::jthread> threads;
    std::atomic<int> failed = 0;
    for (char letter : {'a', 'b', 'c', 'd'})
        threads.emplace_back([&, letter] {
            for (int i = 0; i < 50; ++i)
                failed += sentence_of_error([&] { write_whole(folder / "one", std::string(10000, letter)); }).empty()
                              ? 0
                              : 1;
        });
    threads.clear();
    EXPECT_EQ(failed, 0);
    const std::string left = content(folder / "one");
    EXPECT_EQ(left, std::string(10000, left.front()));
    EXPECT_THAT(names(), ElementsAre("one"));
}

TEST_F(WriteWhole, ALinkStaysALinkAndPermissionsAreKept)
{
    fs::create_directory(folder / "far");
    write_whole(folder / "far" / "real", "old");
    fs::permissions(folder / "far" / "real", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("far/real", folder / "link");
    write_whole(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(content(folder / "far" / "real"), "new");
    EXPECT_EQ(fs::status(folder / "far" / "real").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteWhole, AWriteProtectedFileIsNotReplaced)
{
    write_whole(folder / "mine", "old");
    fs::permissions(folder / "mine", fs::perms::owner_read);
    fs::create_symlink("mine", folder / "link");
    for (const char* name : {"mine", "link"})
        EXPECT_EQ(sentence_of_error([&] { write_whole(folder / name, "new"); }),
                  (folder / "mine").string() + ": the file is write-protected, expected one that can be replaced.");
    EXPECT_THAT(sentence_of_error([&] { begin_replacement(folder / "mine"); }), testing::HasSubstr("write-protected"))
        << "of any writer";
    EXPECT_EQ(content(folder / "mine"), "old");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("mine", "link"));
    fs::permissions(folder / "mine", fs::perms::owner_all);
    write_whole(folder / "mine", "new");
    EXPECT_EQ(content(folder / "mine"), "new");
}

TEST_F(WriteWhole, ALongNameIsSupported)
{
    const std::string name(254, 'n');
    write_whole(folder / name, "x");
    EXPECT_EQ(content(folder / name), "x");
}

TEST_F(WriteWhole, LeftoversAreFilesAndFoldersOfEndedProcesses)
{
    const auto file = name_of_the_dead(folder / "results.json"), place = name_of_the_dead(folder / "mnist");
    write_whole(file, "half");
    fs::create_directories(place / "inside");
    write_whole(place / "inside" / "x", "half");
    EXPECT_EQ(remove_leftovers(folder), 2);
    EXPECT_THAT(names(), ElementsAre());
    EXPECT_EQ(remove_leftovers(folder / "none"), 0);
}

TEST_F(WriteWhole, WritingIntoAFolderFirstRemovesLeftoversOfKilledProcesses)
{
    const auto place = folder / "place";
    fs::create_directory(place);
    const auto dead = name_of_the_dead(folder / "map.csv").filename(), user = fs::path("map.csv.backup");
    for (const auto& name : {dead, user})
        std::ofstream(place / name) << "half";
    write_whole(place / "map.csv", "whole");
    EXPECT_FALSE(fs::exists(place / dead));
    EXPECT_TRUE(fs::exists(place / user));
    EXPECT_EQ(content(place / "map.csv"), "whole");
}

TEST_F(WriteWhole, FilesOfTheUserAreNeverLeftovers)
{
    const std::string dead =
        name_of_the_dead("x").filename().string();   // ".x.credence-part-<computer>-<process>-<number>"
    const std::string mark = dead.substr(2);
    const std::string pid  = dead.substr(dead.find_last_of('-', dead.rfind('-') - 1));   // "-<process>-<number>"
    std::vector<std::string> users = {"thesis.pdf.backup",
                                      "map.png.edited",
                                      "plan.svg.latest",
                                      "notes.pdf.old",
                                      ".results.json.999999.part",
                                      "my.part",
                                      ".x.credence-part-",
                                      ".x.credence-part-1",
                                      "x" + mark,
                                      mark,
                                      dead + ".bak",
                                      dead + "x",
                                      ".x.credence-part-00000000" + pid};
    users.push_back(begin_replacement("x").filename().string());   // a live writer: this process
    for (const auto& name : users)
        write_whole(folder / name, "mine");
    for (const auto& name : {".mydir.999999.part", ".dir.credence-part-9"}) {
        fs::create_directory(folder / name);
        write_whole(folder / name / "content", "mine");
        users.emplace_back(name);
    }
    EXPECT_EQ(remove_leftovers(folder), 0);
    EXPECT_THAT(names(), testing::UnorderedElementsAreArray(users));
}

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
                                     + ": another run of Credence is writing there, expected a separate folder."));
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

std::vector<std::string> file_names_of(const std::vector<std::string>& names) { return distinct_file_names(names); }

}   // namespace

TEST(DistinctFileNames, AreSmallLettersDigitsAndHyphens)
{
    EXPECT_THAT(file_names_of({"Two moons, τ = 0.1", "../../etc/passwd", "a_b", "", "τ"}),
                ::testing::ElementsAre("two-moons-0-1", "etc-passwd", "a-b", "run", "run-2"));
    EXPECT_LE(file_names_of({std::string(500, 'x')}).front().size(), 60U);
}

TEST(DistinctFileNames, AreUniqueForAllNames)
{
    EXPECT_THAT(file_names_of({"moons", "moons-2", "Moons", "moons!"}),
                ::testing::ElementsAre("moons", "moons-2", "moons-3", "moons-4"));
    EXPECT_THAT(file_names_of({"moons", "moons", "moons-2"}), ::testing::ElementsAre("moons", "moons-3", "moons-2"));
    const auto many = file_names_of(std::vector<std::string>(100, "the same"));
    EXPECT_EQ(std::set<std::string>(many.begin(), many.end()).size(), 100U);
}
