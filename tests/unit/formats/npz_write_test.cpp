// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"

#include "formats/archives.h"

#include "unit/refusal.h"
#include "zip_bytes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace credence;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

namespace fs = std::filesystem;

struct NpzWrite : testing::Test {
    fs::path folder = fs::path(testing::TempDir()) / ("credence_npz_write_" + std::to_string(::getpid()));
    NpzWrite() { fs::create_directories(folder); }
    ~NpzWrite() override { fs::remove_all(folder); }
    std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
};

std::vector<std::string> names_of(const std::vector<StoredMember>& members)
{
    std::vector<std::string> names;
    for (const auto& member : members)
        names.push_back(member.name);
    return names;
}

std::vector<StoredMember> members_of(const Bytes& archive)
{
    const auto source = memory_range("a.npz", archive);
    return stored_members(*source, archive.size());
}

}   // namespace

TEST_F(NpzWrite, ArraysAndTextsAreReadAsTheyWereWritten)
{
    const fs::path file = folder / "a.npz";
    const NumberArray labels{{3}, std::vector<std::int32_t>{4, -1, 7}};
    const std::vector<std::string> names{"Käse", "", "τ𝒩"};
    NpzWriter writer(file);
    writer.add("labels", labels);
    writer.add("class_names", names);
    EXPECT_FALSE(fs::exists(file));   // until it is whole
    writer.keep();
    EXPECT_EQ(files(), 1u);

    const NpzFile read(file);
    EXPECT_THAT(read.names(), ElementsAre("labels", "class_names"));
    EXPECT_EQ(read.read("labels"), labels);
    EXPECT_EQ(NpyStream(read.open("class_names", NpzFile::Checksum::compare)).strings(), names);
}

TEST_F(NpzWrite, AnArrayCanArriveInPiecesInAnyOrder)
{
    const fs::path file = folder / "a.npz";
    std::vector<float> numbers(2 * 5 * 3);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = 0.1f * static_cast<float>(i);
    NpzWriter writer(file);
    writer.add("first", NumberArray{{1}, std::vector<double>{0.5}});
    const auto array = writer.begin("probabilities", {2, 5, 3});
    for (const std::size_t first : {20u, 0u, 10u})
        writer.put(array, first, std::span(numbers).subspan(first, 10));
    writer.finish(array);
    writer.add("last", NumberArray{{1}, std::vector<double>{0.25}});
    writer.keep();
    const NpzFile read(file);
    EXPECT_EQ(read.read("probabilities"), (NumberArray{{2, 5, 3}, numbers}));
    EXPECT_EQ(read.read("first").at(0), 0.5);
    EXPECT_EQ(read.read("last").at(0), 0.25);
}

TEST_F(NpzWrite, TwoArraysMayArriveInTurns)
{
    const fs::path file = folder / "a.npz";
    const std::vector<float> x{1, 2, 3, 4};
    const std::vector<double> y{2459000.1, 6, 7e-300};   // of which a float32 loses digits
    NpzWriter writer(file);
    const auto first = writer.begin("x", {4}), second = writer.begin<double>("y", {3});
    writer.put(second, 1, std::span(y).subspan(1));
    writer.put(first, 0, x);
    writer.put(second, 0, std::span(y).first(1));
    writer.finish(first);
    writer.finish(second);
    writer.keep();
    const NpzFile read(file);   // compares checksums
    EXPECT_EQ(read.read("x"), (NumberArray{{4}, x}));
    EXPECT_EQ(read.read("y"), (NumberArray{{3}, y}));
}

TEST_F(NpzWrite, AnAbandonedFileIsRemoved)
{
    {
        NpzWriter writer(folder / "a.npz");
        writer.begin("x", {100});
    }
    EXPECT_EQ(files(), 0u);
    EXPECT_THAT(refusal([&] { NpzWriter(folder / "no" / "a.npz"); }),
                testing::EndsWith("a.npz: the file cannot be written (No such file or directory)."));
}

TEST_F(NpzWrite, UncompressedDataAllowRandomAccess)
{
    const fs::path file = folder / "a.npz";
    NpzWriter writer(file);
    const auto array = writer.begin("x", {1000});
    std::vector<float> numbers(1000);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<float>(i);
    writer.put(array, 0, numbers);
    writer.finish(array);
    writer.keep();
    const NpzFile archive(file);
    for (const auto checksum : {NpzFile::Checksum::compare, NpzFile::Checksum::skip}) {
        NpyStream stream(archive.open("x", checksum));
        EXPECT_TRUE(stream.seekable());
        std::vector<float> some(3);
        for (const std::size_t first : {900u, 5u, 17u}) {
            stream.read(first, std::span(some));
            EXPECT_THAT(some, ElementsAre(first, first + 1, first + 2));
        }
    }
    const Bytes packed = zip_of({{"x.npy", bytes_of(npy_bytes({{3}, std::vector<float>{1, 2, 3}})), true}});
    EXPECT_FALSE(NpzFile("b.npz", packed).open("x", NpzFile::Checksum::compare)->seekable());
}

TEST(ZipDirectory, FindsOnlyStoredMembers)
{
    const Bytes archive = zip_of({{"a", {1, 2, 3}, false}, {"b", {4, 5}, true}, {"c", {6}, false}});
    const auto members  = members_of(archive);
    EXPECT_THAT(names_of(members), ElementsAre("a", "c"));
    for (const auto& member : members) {
        const auto first = archive.begin() + static_cast<std::ptrdiff_t>(member.first);
        EXPECT_EQ(Bytes(first, first + static_cast<std::ptrdiff_t>(member.length)),
                  member.name == "a" ? (Bytes{1, 2, 3}) : Bytes{6});
    }
}

TEST(ZipDirectory, MembersOutsideTheArchiveAreIgnored)
{
    const Bytes archive = zip_of({{"a", {1, 2, 3}, false}});
    for (std::size_t at = 0; at < archive.size(); ++at)
        for (const std::uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
            Bytes changed = archive;
            changed[at]   = value;
            for (const auto& member : members_of(changed)) {
                ASSERT_LE(member.first, changed.size()) << at;
                ASSERT_LE(member.length, changed.size() - member.first) << at;
            }
        }
    for (std::size_t n = 0; n < archive.size(); ++n)
        EXPECT_THAT(members_of(Bytes(archive.begin(), archive.begin() + static_cast<std::ptrdiff_t>(n))), IsEmpty());
}

TEST(Npy, HalfPrecisionBecomesSingle)
{
    // numpy.array([1, -2, 0.1, 65504, 6e-8, inf, 0], dtype="f2").view("u2")
    const Bytes body = little_endian<std::uint16_t>({0x3c00, 0xc000, 0x2e66, 0x7bff, 0x0001, 0x7c00, 0x8000});
    for (const char* type : {"<f2", ">f2"}) {
        Bytes ordered = body;
        if (type[0] == '>')
            for (std::size_t i = 0; i < ordered.size(); i += 2)
                std::swap(ordered[i], ordered[i + 1]);
        const std::string head = npy_head(type, {7});
        const Bytes file       = bytes_of(head) + ordered;
        const auto source      = open_memory("x.npy", file);
        const auto numbers     = read_npy(*source);
        EXPECT_EQ(std::get<std::vector<float>>(numbers.values),
                  (std::vector<float>{1, -2, 0.0999755859375f, 65504, 0x1p-24f, INFINITY, 0}));
        NpyStream stream(open_memory("x.npy", file));
        EXPECT_TRUE(stream.single_precision());
        std::vector<double> two(2);
        stream.read(1, std::span(two));
        EXPECT_THAT(two, ElementsAre(-2, 0.0999755859375));
    }
}
