// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archives.h"

#include "bytes.h"
#include "tar_bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::vector<std::string> names_in(const Bytes& archive)
{
    const auto source = open_memory("a.tar", archive);
    TarReader tar(*source);
    std::vector<std::string> names;
    while (const auto entry = tar.next())
        names.push_back(entry->name);
    return names;
}

std::string tar_refused(const Bytes& archive)
{
    return refusal([&] { names_in(archive); });
}

std::string read_all(TarReader& tar)
{
    std::string text;
    std::array<std::uint8_t, 10> piece;
    for (std::size_t got = 1; got > 0; text.append(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got)))
        got = tar.read(piece);
    return text;
}

}   // namespace

TEST(Tar, GivesTheOrdinaryFilesInTheirOrder)
{
    const Bytes archive = tar_of(
        {{"d/", "", '5'}, {"d/one", "first"}, {"d/link", "", '2'}, {"d/two", std::string(600, 'x')}, {"empty", ""}});
    EXPECT_THAT(names_in(archive), ElementsAre("d/one", "d/two", "empty"));
    const auto source = open_memory("a.tar", archive);
    TarReader tar(*source);
    EXPECT_EQ(tar.next()->bytes, 5u);
    EXPECT_EQ(read_all(tar), "first");
    EXPECT_EQ(tar.next()->bytes, 600u);   // and its content is passed over
    EXPECT_EQ(tar.next()->name, "empty");
    EXPECT_EQ(read_all(tar), "");
    EXPECT_FALSE(tar.next());
}

TEST(Tar, ReadsWhatTarItselfWrites)
{
    const std::filesystem::path seeds = CREDENCE_REFERENCE_DIR "/../fuzz/seeds/tar";
    for (const char* name : {"ustar.tar", "gnu.tar.gz", "pax.tar"}) {
        const auto source = open_file(seeds / name);
        TarReader tar(*source);
        std::vector<std::string> names;
        while (const auto entry = tar.next()) {
            names.push_back(entry->name);
            if (entry->name == "c/test_batch.bin") {
                EXPECT_EQ(read_all(tar), "hello world\n") << name;
            }
        }
        EXPECT_THAT(names, testing::UnorderedElementsAre("c/test_batch.bin", "c/b")) << name;
    }
}

TEST(Tar, RejectsPathsThatLeaveTheFolder)
{
    for (const char* name : {"/etc/passwd", "../x", "a/../../x", "a/.."})
        EXPECT_EQ(tar_refused(tar_of({{name, "x"}})),
                  "a.tar: found the name “" + std::string(name) + "”, expected one inside the archive.");
    EXPECT_THAT(names_in(tar_of({{"a/..b", "x"}, {"...", "y"}})), ElementsAre("a/..b", "..."));
}

TEST(Tar, RejectsFilesThatAreNotArchives)
{
    EXPECT_EQ(tar_refused({}), "a.tar: found an empty file, expected a tar archive.");
    EXPECT_EQ(tar_refused(bytes_of("<html>" + std::string(600, ' '))),
              "a.tar: found a web page (HTML), expected a tar archive.");
    EXPECT_EQ(tar_refused(bytes_of("<html>")), "a.tar: found a web page (HTML), expected a tar archive.");
}

TEST(Tar, RejectsDamagedAndCutArchives)
{
    const Bytes sound       = tar_of({{"one", "first"}, {"two", "second"}});
    const auto damaged_data = testing::AllOf(testing::StartsWith("a.tar: found damaged data"),
                                             testing::EndsWith(", expected a whole tar archive."));
    for (const std::size_t header : {0, 1024}) {
        Bytes changed = sound;
        changed[header + 2] ^= 1;   // its checksum does not match
        EXPECT_THAT(tar_refused(changed), damaged_data) << header;
    }
    EXPECT_THAT(tar_refused({sound.begin(), sound.begin() + 600}), damaged_data);
    EXPECT_THAT(tar_refused(tar_of({{"one", "x", '0', "77777777777"}})), damaged_data);
}

TEST(Tar, UnpacksOnlyTheRequestedMembers)
{
    const TestFolder folder;
    const Bytes archive = deflated(tar_of({{"c/readme", "no"}, {"c/b", "22"}, {"c/a", "1"}, {"other/a", "second"}}));
    unpack_members(*open_memory("a.tar.gz", archive), std::vector<TarMember>{{"a", 1}, {"b", 2}}, folder.path());
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "a"), 1u);
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "b"), 2u);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "readme"));
    EXPECT_EQ(
        refusal(
            [&] {
        unpack_members(*open_memory("a.tar.gz", archive), std::vector<TarMember>{{"b", 2}, {"z", 1}}, folder.path());
        }),
        "a.tar.gz: found no z, expected it in the archive.");
    EXPECT_EQ(refusal([&] {
                  unpack_members(*open_memory("a.tar.gz", archive), std::vector<TarMember>{{"b", 3}}, folder.path());
              }),
              "a.tar.gz: b has 2 bytes, expected 3.");
}
