// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "foundation/files.h"
#include "runs/archive.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdint>
#include <sys/wait.h>
#include <unistd.h>

// Whenever the program is killed, every file under its final name is complete.
namespace {

using namespace credence;
namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end)
{
    const auto last = text.find_last_not_of(" \t\r\n");
    return last != std::string::npos && text.substr(0, last + 1).ends_with(end);
}

/// Unfinished files have names of their own.
bool isTemporary(const fs::path& file) { return file.filename().string().find(".credence-part-") != std::string::npos; }

void expectWhole(const fs::path& file)
{
    SCOPED_TRACE(file.string());
    const std::string suffix = file.extension().string(), content = contentOf(file);
    if (suffix == ".json")
        EXPECT_TRUE(nlohmann::json::accept(content));
    else if (suffix == ".credence")
        EXPECT_NO_THROW(load_run(file));
    else if (suffix == ".png")
        EXPECT_TRUE(content.starts_with("\x89PNG") && content.size() > 12
                    && content.substr(content.size() - 8, 4) == "IEND");
    else if (suffix == ".pdf")
        EXPECT_TRUE(content.starts_with("%PDF") && endsWith(content, "%%EOF"));
    else if (suffix == ".svg")
        EXPECT_TRUE(content.starts_with("<?xml") && endsWith(content, "</svg>"));
    else if (suffix == ".csv")
        EXPECT_TRUE(content.starts_with("# credence-study begin") && content.ends_with('\n'));
    else
        ADD_FAILURE() << "a file of an unknown kind";
}

/// Files in the folder and below, unfinished ones too, while another program writes there.
std::size_t writtenSoFar(const fs::path& folder)
{
    std::size_t files = 0;
    std::error_code none, gone;
    for (fs::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none))
        files += entry->is_regular_file(gone) ? 1 : 0;   // an unfinished one may just have got its final name
    return files;
}

/// Starts `credence run` and kills it as soon as it has written this many files, unless it has ended before. Returns
/// whether it was killed.
bool runAndKill(const fs::path& folder, std::size_t files)
{
    const std::string command = "exec " CREDENCE_PROGRAM
                                " run xor --set training.steps=1000 --set prediction.samples=20 --out '"
                                + folder.string() + "' > /dev/null 2>&1 < /dev/null";
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    while (writtenSoFar(folder) < files) {
        if (::waitpid(child, &status, WNOHANG) == child)
            return false;
        ::usleep(2000);
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status);
}

struct Found {
    int whole = 0, temporary = 0;
};

Found lookAt(const fs::path& folder)
{
    Found found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && isTemporary(entry.path()))
            ++found.temporary;
        else if (entry.is_regular_file()) {
            expectWhole(entry.path());
            ++found.whole;
        }
    return found;
}

/// Times spread over the whole writing, however long it takes on this machine.
TEST(Kill, EveryFileUnderItsFinalNameIsComplete)
{
    const auto folder = freshFolder("killed");
    ASSERT_FALSE(runAndKill(folder / "whole", SIZE_MAX));

    int killed = 0, partial = 0;
    const auto complete = lookAt(folder / "whole");
    EXPECT_EQ(complete.temporary, 0);
    for (int i = 0; i < 4; ++i) {
        const auto place = folder / ("killed" + std::to_string(i));
        killed += runAndKill(place, static_cast<std::size_t>(1 + i * complete.whole / 4)) ? 1 : 0;
        if (fs::exists(place))
            partial += lookAt(place).whole < complete.whole ? 1 : 0;
    }
    EXPECT_GE(killed, 3);
    EXPECT_GE(partial, 1) << "no kill happened during writing";
}

TEST(Kill, TheNextRunRemovesLeftoversOfAKilledOne)
{
    const auto folder = freshFolder("leftovers");
    ASSERT_EQ(call("run xor --set training.steps=5 --no-figures --out '" + folder.string() + "'").status, 0);
    fs::create_directories(folder / "figures");
    // Unfinished files of an ended process have its process id in their name.
    const auto left_by_the_dead = [&](const fs::path& file) {
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const std::string name = begin_replacement(file).string();
            ::_exit(::write(ends[1], name.data(), name.size()) == static_cast<ssize_t>(name.size()) ? 0 : 1);
        }
        char name[4096];
        const auto n = ::read(ends[0], name, sizeof name);
        ::waitpid(child, nullptr, 0);
        ::close(ends[0]);
        ::close(ends[1]);
        return fs::path(std::string(name, static_cast<std::size_t>(std::max<ssize_t>(n, 0))));
    };
    const auto alive = begin_replacement(folder / "run.credence");
    std::vector<fs::path> dead, others = {alive, folder / "thesis.pdf.backup", folder / "figures/map.png.edited",
                                          folder / ".results.json.4711.part"};
    for (const auto& file :
         {folder / "results.json", folder / "run.credence", folder / "data/scores.csv", folder / "figures/scores.png"})
        dead.push_back(left_by_the_dead(file));
    for (const auto& files : {dead, others})
        for (const auto& file : files)
            write_whole(file, "half");
    EXPECT_EQ(call("list '" + folder.string() + "'").error, "");   // a list skips them
    ASSERT_EQ(call("run xor --set training.steps=5 --no-figures --out '" + folder.string() + "'").status, 0);
    for (const auto& file : dead)
        EXPECT_FALSE(fs::exists(file)) << file;
    for (const auto& file : others)   // a running program's, and a user's
        EXPECT_TRUE(fs::exists(file)) << file;
}

}   // namespace
