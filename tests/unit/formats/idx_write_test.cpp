// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/idx_write.h"

#include "bytes.h"
#include "formats/idx.h"
#include "refusal.h"
#include "sources/image_sources.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

using namespace credence;

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
