// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archives.h"
#include "formats/csv.h"
#include "formats/idx.h"
#include "formats/image_format.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "random/noise.h"
#include "sources/catalogue.h"
#include "tar_bytes.h"
#include "zip_bytes.h"

#include <gmock/gmock.h>

#include <functional>

// Every reader gets valid files truncated at every byte and changed at every byte, and many with
// several changes. It reads them or rejects them
// with a sentence; nothing else may happen.

using namespace credence;

namespace {

using Reader = std::function<void(const Bytes&)>;

/// 1 if it was read, 0 if it was refused.
int outcome(const Reader& read, const Bytes& bytes, const std::string& what)
{
    try {
        read(bytes);
        return 1;
    } catch (const Error& error) {
        const std::string sentence = error.what();
        EXPECT_TRUE(sentence.size() > 10 && sentence.ends_with(".")) << what << ": “" << sentence << "”";
    } catch (const std::exception& other) {
        ADD_FAILURE() << what << " made the reader throw " << other.what();
    }
    return 0;
}

void expect_sentences(const Reader& read, const Bytes& sound)
{
    ASSERT_EQ(outcome(read, sound, "The sound file"), 1);
    for (std::size_t n = 0; n < sound.size(); ++n)
        outcome(read, {sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(n)},
                "Cut after byte " + std::to_string(n));
    int refused = 0;
    for (std::size_t at = 0; at < sound.size(); ++at)
        for (const int flip : {0x01, 0x20, 0x80, 0xff}) {
            Bytes changed = sound;
            changed[at] ^= static_cast<std::uint8_t>(flip);
            refused += outcome(read, changed, "Byte " + std::to_string(at) + " xor " + std::to_string(flip)) == 0;
        }
    EXPECT_GT(refused, 0);
    for (std::uint32_t round = 0; round < 500; ++round) {
        std::vector<std::uint32_t> bits(9);
        random_bits({1, Stream::data, round}, 0, bits);
        Bytes changed = sound;
        for (std::size_t k = 0; k < 1 + bits[8] % 4; ++k)
            changed[bits[2 * k] % changed.size()] = static_cast<std::uint8_t>(bits[2 * k + 1]);
        if (bits[8] & 64)
            changed.insert(changed.end(), changed.begin(),
                           changed.begin() + static_cast<std::ptrdiff_t>(changed.size() / 2));
        outcome(read, changed, "Several changes, round " + std::to_string(round));
    }
}

const Bytes small_images = idx_header(0x08, {3, 4, 5}) + counting(60);
const Bytes small_labels = idx_header(0x08, {3}) + Bytes{1, 2, 3};
const NumberArray small_array{{3, 4}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};

}   // namespace

TEST(DamagedFile, OfIdxIsReadOrRejected)
{
    const Reader read = [](const Bytes& bytes) { read_idx(*open_memory("a", bytes)); };
    expect_sentences(read, small_images);
    expect_sentences(read, deflated(small_images));
    expect_sentences(read, idx_header(0x0E, {2}) + big_endian({0.5, 7.0}));
}

TEST(DamagedFile, OfIdxImagesIsReadOrRejected)
{
    expect_sentences(
        [](const Bytes& bytes) { read_idx_images(*open_memory("a", bytes), *open_memory("b", small_labels), "x"); },
        small_images);
    expect_sentences(
        [](const Bytes& bytes) { read_idx_images(*open_memory("a", small_images), *open_memory("b", bytes), "x"); },
        small_labels);
}

TEST(DamagedFile, OfNpyIsReadOrRejected)
{
    expect_sentences([](const Bytes& bytes) { read_npy(*open_memory("a", bytes)); }, bytes_of(npy_bytes(small_array)));
}

TEST(DamagedFile, OfNpzIsReadOrRejected)
{
    const Reader read = [](const Bytes& bytes) {
        const NpzFile file("a", bytes);
        for (const std::string& name : file.names())
            file.read(name);
    };
    expect_sentences(
        read, zip_of({{"x.npy", bytes_of(npy_bytes(small_array))}, {"y.npy", bytes_of(npy_bytes(small_array)), true}}));
}

TEST(DamagedFile, OfCifarIsReadOrRejected)
{
    const Reader read = [](const Bytes& bytes) {
        const auto source         = open_memory("a", bytes);
        ByteSource* const files[] = {source.get()};
        read_cifar10(std::span<ByteSource* const>(files));
    };
    expect_sentences(read, deflated(Bytes{4} + counting(3072, 7)));
}

TEST(DamagedFile, OfTarIsReadOrRejected)
{
    const Reader read = [](const Bytes& bytes) {
        const auto source = open_memory("a", bytes);
        TarReader tar(*source);
        std::array<std::uint8_t, 7> piece;
        while (tar.next())
            tar.read(piece);
    };
    expect_sentences(read, tar_of({{"a/b", "content"}}));
}

TEST(DamagedFile, OfCsvIsReadOrRejected)
{
    const TestFolder folder;
    const Reader read = [&](const Bytes& bytes) {
        const auto file = folder.write("table.csv", bytes);
        preview_csv(file, {});
        read_csv(file, {}).check();
    };
    expect_sentences(read, bytes_of("size;\"kind, of\";y\n1.5;big;0\n-2e3;\"sm\"\"all\";1\n 7 ;größer;1\r\n\n8;;0\n"));
}

TEST(DamagedFile, OfTheCatalogueIsReadOrRejected)
{
    const std::string hash(64, 'a');
    expect_sentences(
        [](const Bytes& bytes) { parse_catalogue(text_of(bytes), "c.json"); },
        bytes_of("{\"version\":1,\"sets\":[{\"id\":\"x\",\"title\":\"X\",\"about\":\"a\",\"format\":\"mnist\","
                 "\"classes\":[\"a\",\"b\"],"
                 "\"license\":\"MIT\",\"home\":\"h\",\"hash_source\":\"s\",\"mirrors\":[\"https://a.org/\"],"
                 "\"installed\":[],"
                 "\"files\":[{\"name\":\"f.gz\",\"bytes\":7,\"sha256\":\""
                 + hash + "\"}]}]}"));
}

TEST(FuzzSeeds, AreValidFilesFromOtherPrograms)
{
    const std::filesystem::path seeds = CREDENCE_REFERENCE_DIR "/../fuzz/seeds";
    EXPECT_EQ(read_idx(seeds / "idx/images.gz"), read_idx(seeds / "idx/images"));
    EXPECT_EQ(read_idx(seeds / "idx/doubles").at(1), -7);
    EXPECT_EQ(read_idx(seeds / "idx/labels").shape, std::vector<std::size_t>{2});
    const NumberArray floats = read_npy(seeds / "npy/floats.npy"), fortran = read_npy(seeds / "npy/fortran.npy");
    EXPECT_EQ(floats.at(5), 6);
    EXPECT_EQ(fortran.at(1), 3);   // 1, -2, 3, 4 column by column
    EXPECT_EQ(read_npy(seeds / "npy/bytes.npy").size(), 7u);
    for (const char* archive : {"npy/stored.npz", "npy/deflated.npz"}) {   // by Python's zipfile
        EXPECT_EQ(NpzFile(seeds / archive).read("x"), floats) << archive;
        EXPECT_EQ(NpzFile(seeds / archive).read("y"), fortran) << archive;
    }
    for (const char* table : {"semicolons", "commas", "tabs", "bom"})
        EXPECT_NO_THROW(preview_csv(seeds / "csv" / (std::string(table) + ".csv"), {})) << table;
}
