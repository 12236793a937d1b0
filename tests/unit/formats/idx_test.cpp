// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytes.h"
#include "formats/idx.h"
#include "sources/image_sources.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace credence;
using testing::ElementsAre;

namespace {

NumberArray idx(const Bytes& bytes) { return read_idx(*open_memory("a.idx", bytes)); }
std::string why_no_idx(const Bytes& bytes)
{
    return refusal([&] { idx(bytes); });
}

const Bytes three_images = idx_header(0x08, {3, 2, 2}) + counting(12);
const Bytes three_labels = idx_header(0x08, {3}) + Bytes{7, 0, 9};

ImageSet images(const Bytes& pixels, const Bytes& labels)
{
    return read_idx_images(*open_memory("images", pixels), *open_memory("labels", labels), "Three");
}
std::string images_refusal(const Bytes& pixels, const Bytes& labels)
{
    return refusal([&] { images(pixels, labels); });
}

const char* const plain_names[] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
                                   "t10k-labels-idx1-ubyte"};

void write_four(const TestFolder& folder, const std::string& join, bool gz)
{
    for (std::string name : plain_names) {
        const bool images = name.find("images") != std::string::npos;
        name.replace(name.find("-idx"), 1, join);
        const Bytes& bytes = images ? three_images : three_labels;
        folder.write(gz ? name + ".gz" : name, gz ? deflated(bytes) : bytes);
    }
}

}   // namespace

TEST(Idx, ReadsEveryTypeOfNumber)
{
    const auto array = [](std::uint8_t type, const Bytes& body) { return idx(idx_header(type, {3}) + body).values; };
    EXPECT_EQ(array(0x08, {0, 128, 255}), NumberArray::Values(std::vector<std::uint8_t>{0, 128, 255}));
    EXPECT_EQ(array(0x09, {0, 128, 255}), NumberArray::Values(std::vector<std::int8_t>{0, -128, -1}));
    EXPECT_EQ(array(0x0B, big_endian<std::int16_t>({1, -2, 30000})),
              NumberArray::Values(std::vector<std::int16_t>{1, -2, 30000}));
    EXPECT_EQ(array(0x0C, big_endian<std::int32_t>({1, -2, 1 << 30})),
              NumberArray::Values(std::vector<std::int32_t>{1, -2, 1 << 30}));
    EXPECT_EQ(array(0x0D, big_endian<float>({0.1f, -2, 1e30f})),
              NumberArray::Values(std::vector<float>{0.1f, -2, 1e30f}));
    EXPECT_EQ(array(0x0E, big_endian<double>({0.1, -2, 1e300})),
              NumberArray::Values(std::vector<double>{0.1, -2, 1e300}));
}

TEST(Idx, HasUpToEightDimensions)
{
    EXPECT_THAT(idx(idx_header(0x08, {4}) + counting(4)).shape, ElementsAre(4));
    EXPECT_THAT(idx(idx_header(0x08, {1, 2, 1, 2, 1, 2, 1, 2}) + counting(16)).shape,
                ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
    EXPECT_EQ(idx(idx_header(0x08, {0, 28}) + Bytes{}).size(), 0u);
}

TEST(Idx, IsTheSamePlainAndCompressedUnderAnyName)
{
    const TestFolder folder;
    const Bytes bytes       = idx_header(0x08, {300, 28, 28}) + counting(300 * 784, 251);
    const NumberArray plain = read_idx(folder.write("a", bytes));
    EXPECT_EQ(std::get<0>(plain.values), counting(300 * 784, 251));
    EXPECT_EQ(read_idx(folder.write("a.gz", deflated(bytes))), plain);
    EXPECT_EQ(read_idx(folder.write("b.gz", bytes)), plain);
    EXPECT_EQ(read_idx(folder.write("b", deflated(bytes))), plain);
}

TEST(Idx, CanBeAGzipFileWithSeveralMembers)
{
    const Bytes bytes = idx_header(0x08, {100}) + counting(100);
    const auto cut    = bytes.begin() + 37;
    EXPECT_EQ(idx(deflated({bytes.begin(), cut}) + deflated({cut, bytes.end()})), idx(bytes));
}

TEST(Idx, RejectsOtherFormatsAndStatesWhatTheyLookLike)
{
    const std::string expected = ", expected IDX data (00 00, a type from 08 to 0E, 1 to 8 dimensions).";
    EXPECT_EQ(why_no_idx(bytes_of("<!DOCTYPE html>\n<html>404</html>")), "a.idx: found a web page (HTML)" + expected);
    EXPECT_EQ(why_no_idx(bytes_of("\n  <html>")), "a.idx: found a web page (HTML)" + expected);
    EXPECT_EQ(why_no_idx(deflated(bytes_of("<html>"))), "a.idx: found a web page (HTML)" + expected);
    EXPECT_EQ(why_no_idx(bytes_of("PK\x03\x04....")), "a.idx: found a zip archive" + expected);
    EXPECT_EQ(why_no_idx({1, 0, 8, 1, 0, 0, 0, 0}), "a.idx: found the bytes 01 00 08 01" + expected);
    EXPECT_EQ(why_no_idx({0, 0, 0x0A, 1, 0, 0, 0, 0}), "a.idx: found the bytes 00 00 0A 01" + expected);
    EXPECT_EQ(why_no_idx({0, 0, 8, 0, 0, 0, 0, 0}), "a.idx: found the bytes 00 00 08 00" + expected);
    EXPECT_EQ(why_no_idx({0, 0, 8, 9, 0, 0, 0, 0}), "a.idx: found the bytes 00 00 08 09" + expected);
}

TEST(Idx, RejectsAnEmptyFileAndACutHeader)
{
    EXPECT_EQ(why_no_idx({}), "a.idx: found an empty file, expected IDX data.");
    EXPECT_EQ(why_no_idx(deflated({})), "a.idx: found an empty file, expected IDX data.");
    EXPECT_EQ(why_no_idx({0, 0, 8}), "a.idx: found 3 bytes, expected 4 of IDX data.");
    EXPECT_EQ(why_no_idx({0, 0, 8, 3, 0, 0, 0, 1, 0, 0}),
              "a.idx: found 2 bytes, expected 4 of the size of dimension 2.");
}

TEST(Idx, RejectsFilesShorterOrLongerThanTheirHeaderStates)
{
    EXPECT_EQ(why_no_idx(idx_header(0x08, {3, 2, 2}) + counting(11)),
              "a.idx: found 27 bytes, expected 16 of header and 12 of numbers (3 × 2 × 2).");
    EXPECT_EQ(why_no_idx(deflated(idx_header(0x0B, {4}) + counting(7))),
              "a.idx: found 15 bytes, expected 8 of header and 8 of numbers (4).");
    EXPECT_EQ(why_no_idx(three_images + Bytes{0}),
              "a.idx: found more than 28 bytes, expected 16 of header and 12 of numbers (3 × 2 × 2).");
}

TEST(Idx, RejectsABillionAnnouncedImagesWithoutAllocatingThem)
{
    EXPECT_EQ(why_no_idx(idx_header(0x08, {1000000000, 28, 28}) + counting(100)),
              "a.idx: found 116 bytes, expected 16 of header and 784000000000 of numbers (1000000000 × 28 × 28).");
    EXPECT_EQ(why_no_idx(deflated(idx_header(0x08, {1000000000, 28, 28}) + Bytes(100000))),
              "a.idx: found 100016 bytes, expected 16 of header and 784000000000 of numbers (1000000000 × 28 × 28).");
    const std::uint32_t most = 0xffffffff;
    EXPECT_EQ(
        why_no_idx(idx_header(0x0E, {most, most, most}) + counting(100)),
        "a.idx: announces 4294967295 × 4294967295 × 4294967295 numbers, expected no more than the file contains.");
}

TEST(Idx, RejectsATruncatedOrDamagedGzipFile)
{
    const Bytes whole     = deflated(idx_header(0x08, {5000}) + counting(5000, 253));
    const std::string cut = "a.idx: found the end of the file in the middle of its gzip data, expected more.";
    EXPECT_EQ(why_no_idx({whole.begin(), whole.end() - 1}), cut);
    EXPECT_EQ(why_no_idx({whole.begin(), whole.begin() + 60}), cut);
    EXPECT_EQ(why_no_idx({whole.begin(), whole.begin() + 4}), cut);
    Bytes damaged = whole;
    damaged[damaged.size() - 6] ^= 1;
    EXPECT_EQ(why_no_idx(damaged), "a.idx: found damaged gzip data (incorrect data check), expected a whole download.");
}

TEST(Idx, RejectsMissingFiles)
{
    const TestFolder folder;
    EXPECT_EQ(refusal([&] { read_idx(folder.path() / "none"); }), "none: cannot be opened, expected a readable file.");
    std::filesystem::create_directory(folder.path() / "images");
    EXPECT_EQ(refusal([&] { read_idx(folder.path() / "images"); }), "images: found a folder, expected a file.");
}

TEST(IdxImages, AreBytesWithLabels)
{
    const ImageSet set = images(three_images, three_labels);
    EXPECT_EQ(set.name, "Three");
    EXPECT_EQ(set.n, 3u);
    EXPECT_EQ(set.channels, 1u);
    EXPECT_EQ(set.height, 2u);
    EXPECT_EQ(set.width, 2u);
    EXPECT_EQ(set.pixels, counting(12));
    EXPECT_THAT(set.labels, ElementsAre(7, 0, 9));
    EXPECT_EQ(set.n_classes(), 10u);
}

TEST(IdxImages, RejectInconsistentFiles)
{
    EXPECT_EQ(images_refusal(three_images, idx_header(0x08, {2}) + Bytes{1, 2}),
              "images: announces 3 images, expected 2, one per label.");
    EXPECT_EQ(images_refusal(idx_header(0x08, {1000000000, 28, 28}), three_labels),
              "images: announces 1000000000 images, expected 3, one per label.");
    EXPECT_EQ(images_refusal(three_images, idx_header(0x08, {3}) + Bytes{1, 10, 2}),
              "labels: label 2 is 10, expected 0 to 9.");
    EXPECT_EQ(images_refusal(three_images, idx_header(0x09, {3}) + Bytes{1, 2, 0xff}),
              "labels: label 3 is -1, expected 0 to 9.");
    EXPECT_EQ(images_refusal(three_images, idx_header(0x0D, {1}) + big_endian({1.0f})),
              "labels: found labels of type float32, expected whole numbers.");
    EXPECT_EQ(images_refusal(three_images, three_images),
              "labels: found 3 × 2 × 2 numbers, expected one label per image.");
    EXPECT_EQ(images_refusal(three_labels, three_labels),
              "images: found 3 numbers, expected images × rows × columns, or with 1 or 3 channels.");
    EXPECT_EQ(images_refusal(idx_header(0x0B, {3, 1, 1}) + counting(6), three_labels),
              "images: found numbers of type int16, expected pixels of type uint8.");
    EXPECT_EQ(images_refusal(idx_header(0x08, {3, 0, 2}), three_labels),
              "images: found 3 × 0 × 2 numbers, expected at least one image of at least one pixel.");
    EXPECT_EQ(images_refusal(three_images, bytes_of("<html>")),
              "labels: found a web page (HTML), expected IDX data (00 00, a type from 08 to 0E, 1 to 8 dimensions).");
}

TEST(MnistFolder, CanBeSpelledInFourWays)
{
    for (const char* join : {"-", "."})
        for (const bool gz : {false, true}) {
            const TestFolder folder;
            write_four(folder, join, gz);
            const ImageData data = read_mnist_folder(folder.path(), "MNIST");
            EXPECT_EQ(data.training, data.test) << join << gz;
            EXPECT_EQ(data.training.pixels, counting(12)) << join << gz;
            EXPECT_EQ(data.training.name, "MNIST");
        }
}

TEST(MnistFolder, NamesTheFileThatIsMissing)
{
    const TestFolder folder;
    write_four(folder, ".", true);
    std::filesystem::remove(folder.path() / "t10k-labels.idx1-ubyte.gz");
    EXPECT_EQ(refusal([&] { read_mnist_folder(folder.path(), "MNIST"); }),
              folder.path().filename().string()
                  + ": found no test labels, expected t10k-labels-idx1-ubyte, t10k-labels.idx1-ubyte or one of them "
                    "with .gz.");
}

TEST(MnistFolder, RejectsTestImagesOfAnotherSize)
{
    const TestFolder folder;
    write_four(folder, "-", false);
    folder.write("t10k-images-idx3-ubyte", idx_header(0x08, {3, 2, 3}) + counting(18));
    EXPECT_EQ(refusal([&] { read_mnist_folder(folder.path(), "MNIST"); }),
              "MNIST: test images of 1 × 2 × 3, expected 1 × 2 × 2 as for training.");
}

TEST(MnistFolder, ContainsMnistItself)
{
    const char* folder = std::getenv("CREDENCE_DATA_DIR");
    if (!folder)
        GTEST_SKIP() << "CREDENCE_DATA_DIR is not set: mnist/ not read.";
    if (!std::filesystem::exists(std::filesystem::path(folder) / "mnist"))
        GTEST_SKIP() << "mnist/ is not in CREDENCE_DATA_DIR.";
    const ImageData data = read_mnist_folder(std::filesystem::path(folder) / "mnist", "MNIST");
    const auto counts    = [](const ImageSet& set) {
        std::vector<int> per_class(10);
        for (const int label : set.labels)
            ++per_class[static_cast<std::size_t>(label)];
        return per_class;
    };
    EXPECT_EQ(data.training.n, 60000u);
    EXPECT_EQ(data.test.n, 10000u);
    EXPECT_EQ(data.training.n_pixels(), 784u);
    EXPECT_THAT(counts(data.training), ElementsAre(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949));
    EXPECT_THAT(counts(data.test), ElementsAre(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009));
    EXPECT_EQ(data.training.labels[0], 5);
    EXPECT_EQ(data.test.labels[0], 7);
}

namespace {

ImageSet images(std::size_t n, std::size_t channels)
{
    ImageSet set;
    set.name        = "Signs";
    set.n           = n;
    set.channels    = channels;
    set.height      = 3;
    set.width       = 4;
    set.pixels      = counting(n * set.n_pixels());
    set.class_names = {"stop", "go", "vorfahrt gewähren"};
    for (std::size_t i = 0; i < n; ++i)
        set.labels.push_back(static_cast<int>(i % 3));
    return set;
}

}   // namespace

TEST(IdxWriter, WritesWhatTheReaderReads)
{
    const TestFolder folder;
    const Bytes numbers = counting(2 * 3 * 300);
    write_idx(folder.path() / "x", std::vector<std::size_t>{2, 3, 300}, numbers);
    const NumberArray array = read_idx(folder.path() / "x");
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3, 300}));
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(array.values), numbers);
}

TEST(IdxWriter, AFolderOfImagesRoundTrips)
{
    const TestFolder folder;
    for (const std::size_t channels : {1, 3}) {
        const ImageData data{images(7, channels), images(4, channels)};
        const auto place = folder.path() / ("set" + std::to_string(channels));
        write_image_folder(place, data, {"Signs", "Of the road.", "CC0"});
        EXPECT_EQ(load_image_data(place.string()).training, data.training);
        EXPECT_EQ(load_image_data(place.string()).test, data.test);
        std::ifstream file(place / "dataset.json");
        EXPECT_EQ(nlohmann::json::parse(file).at("license"), "CC0");
    }
}

TEST(IdxWriter, GroupsOfImagesRoundTrip)
{
    const TestFolder folder;
    ImageData data{images(7, 3), images(4, 3)};
    data.training.groups = {0, 0, 70000, 1, 1, 1, 2};
    write_image_folder(folder.path() / "set", data, {"Signs", "", ""});
    const ImageData again = load_image_data((folder.path() / "set").string());
    EXPECT_EQ(again.training, data.training);
    EXPECT_TRUE(again.test.groups.empty());
    folder.write("set/train-groups-idx1-int", idx_header(12, {6}) + counting(24));
    EXPECT_EQ(refusal([&] { load_image_data((folder.path() / "set").string()); }),
              "data.set | train-groups-idx1-int: found 6 numbers of type int32, expected 7 integers, one per image.");
}

TEST(IdxWriter, AnEmptyPartIsLeftOut)
{
    const TestFolder folder;
    ImageSet none = images(0, 1);
    write_image_folder(folder.path() / "tests_only", {none, images(4, 1)}, {"Signs", "", ""});
    EXPECT_EQ(load_image_data((folder.path() / "tests_only").string()).test, images(4, 1));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "tests_only/train-images-idx3-ubyte"));
}

TEST(IdxWriter, WritesCompletelyOrNotAtAll)
{
    const TestFolder folder;
    folder.write("there/file", bytes_of("mine"));
    EXPECT_EQ(refusal([&] {
                  write_image_folder(folder.path() / "there", {images(3, 1), images(3, 1)}, {});
              }),
              (folder.path() / "there").string() + ": a data set of this name already exists, expected a new name.");
    ImageData unsound{images(3, 1), images(3, 1)};
    unsound.test.labels[0] = 9;
    EXPECT_EQ(refusal([&] { write_image_folder(folder.path() / "new", unsound, {}); }),
              "Signs: label 1 is 9, expected 0 to 2.");
    std::vector<std::string> left;
    for (const auto& one : std::filesystem::directory_iterator(folder.path()))
        left.push_back(one.path().filename().string());
    EXPECT_THAT(left, testing::UnorderedElementsAre("there", "marker"));
}
