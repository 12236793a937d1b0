// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;
using testing::ElementsAre;

namespace {

Bytes record(std::uint8_t label, unsigned modulus) { return Bytes{label} + counting(3072, modulus); }

std::string why_not(const Bytes& bytes)
{
    const auto source         = open_memory("data_batch_1.bin", bytes);
    ByteSource* const files[] = {source.get()};
    return refusal([&] { read_cifar10(std::span<ByteSource* const>(files)); });
}

void write_all(const TestFolder& folder, const std::string& below)
{
    for (std::uint8_t i = 1; i <= 5; ++i)
        folder.write(below + "data_batch_" + std::to_string(i) + ".bin", record(i, 200 + i) + record(0, 100));
    folder.write(below + "test_batch.bin", record(9, 255));
}

}   // namespace

TEST(Cifar, ReadsItsBatchesOneAfterTheOther)
{
    for (const char* below : {"", "cifar-10-batches-bin/"}) {
        const TestFolder folder;
        write_all(folder, below);
        const ImageData data = read_cifar10_folder(folder.path());
        EXPECT_EQ(data.training.n, 10u);
        EXPECT_THAT(data.training.labels, ElementsAre(1, 0, 2, 0, 3, 0, 4, 0, 5, 0));
        EXPECT_THAT(data.test.labels, ElementsAre(9));
        EXPECT_EQ(data.training.class_names[9], "truck");
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_TRUE(std::ranges::equal(data.training.image(2 * i), counting(3072, static_cast<unsigned>(201 + i))))
                << i;
        EXPECT_EQ(data.training.channels * 10000 + data.training.height * 100 + data.training.width, 33232u);
        EXPECT_NO_THROW(data.check());
    }
}

TEST(Cifar, CanBeCompressed) { EXPECT_EQ(why_not(deflated(record(3, 7))), ""); }

TEST(Cifar, RejectsOtherFormats)
{
    EXPECT_EQ(why_not({}), "data_batch_1.bin: found an empty file, expected CIFAR-10's records of 3073 bytes.");
    EXPECT_EQ(
        why_not(counting(5000)),
        "data_batch_1.bin: found 5000 bytes, expected a multiple of 3073 bytes (a label and 3 × 32 × 32 pixels).");
    EXPECT_EQ(why_not(bytes_of("<html></html>")),
              "data_batch_1.bin: found a web page (HTML), expected a multiple of 3073 bytes (a label and 3 × 32 × 32 "
              "pixels).");
    EXPECT_EQ(why_not(record(3, 7) + record(10, 7)), "data_batch_1.bin: label 2 is 10, expected 0 to 9.");
    const Bytes packed = deflated(record(3, 251));
    EXPECT_EQ(why_not({packed.begin(), packed.end() - 9}),
              "data_batch_1.bin: found the end of the file in the middle of its gzip data, expected more.");
}

TEST(Cifar, NamesTheBatchThatIsMissing)
{
    const TestFolder folder;
    write_all(folder, "");
    std::filesystem::remove(folder.path() / "data_batch_4.bin");
    EXPECT_EQ(refusal([&] { read_cifar10_folder(folder.path()); }),
              "data_batch_4.bin: cannot be opened, expected a readable file.");
}
