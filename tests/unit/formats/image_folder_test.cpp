// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_folder.h"

#include "bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

#include <map>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Reads what `picture` below writes: channels, height and width as a byte each, then the pixels.
DecodedPicture read_raw(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.size() < 3 || text[0] == '<')
        throw Error("cannot be read as a picture.");
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    return {byte(0), byte(1), byte(2), {text.begin() + 3, text.end()}};
}
const PictureReader reader{{"raw", "png"}, read_raw};

Bytes picture(std::uint8_t channels, std::uint8_t height, std::uint8_t width, std::uint8_t value)
{
    return Bytes{channels, height, width} + Bytes(static_cast<std::size_t>(channels) * height * width, value);
}

/// `n` grey pictures of 4 × 4 in each class, whose pixels are 10 × class + number.
void write_classes(const TestFolder& folder, const std::string& below, const std::vector<std::string>& classes, int n)
{
    for (std::size_t k = 0; k < classes.size(); ++k)
        for (int i = 0; i < n; ++i)
            folder.write(below + classes[k] + "/" + std::to_string(i) + ".raw",
                         picture(1, 4, 4, static_cast<std::uint8_t>(10 * k + static_cast<std::size_t>(i))));
}

PictureImport read(const TestFolder& folder, const PictureOptions& options = {})
{
    return read_pictures(look_through_folder(folder.path(), reader.suffixes), options, reader,
                         [](std::size_t, std::size_t) {}, {});
}

std::string refused(const TestFolder& folder)
{
    std::filesystem::remove(folder.path() / "marker");
    std::string sentence   = refusal([&] { read(folder); });
    const std::string name = folder.path().filename().string();
    if (const auto at = sentence.find(name); at != std::string::npos)
        sentence.replace(at, name.size(), "F");
    return sentence;
}

}   // namespace

TEST(ImageFolder, SubfoldersAreClassesAndAShareOfEachIsForTesting)
{
    const TestFolder folder;
    write_classes(folder, "", {"cat", "bird"}, 10);
    folder.write("cat/notes.txt", bytes_of("x"));
    folder.write("cat/.hidden.raw", bytes_of("x"));
    const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
    EXPECT_THAT(found.classes, ElementsAre("bird", "cat"));
    EXPECT_THAT(found.per_class(), ElementsAre(10u, 10u));
    EXPECT_EQ(found.n_others, 1u);
    const PictureImport read_in = read(folder);
    EXPECT_THAT(read_in.unreadable, IsEmpty());
    EXPECT_FALSE(read_in.scaled);
    EXPECT_NO_THROW(read_in.data.check());
    EXPECT_EQ(read_in.data.training.n, 16u);
    EXPECT_EQ(std::ranges::count(read_in.data.test.labels, 0), 2);
    EXPECT_EQ(std::ranges::count(read_in.data.test.labels, 1), 2);
    std::map<int, int> seen;   // every picture is in one part
    for (const ImageSet* part : {&read_in.data.training, &read_in.data.test})
        for (std::size_t i = 0; i < part->n; ++i) {
            ++seen[part->image(i)[0]];
            EXPECT_EQ(part->labels[i], part->image(i)[0] < 10 ? 1 : 0) << "cats were written first";
        }
    EXPECT_EQ(seen.size(), 20u);
}

TEST(ImageFolder, TheSeedChoosesTheTestPictures)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 10);
    EXPECT_EQ(read(folder).data.test, read(folder).data.test);
    EXPECT_NE(read(folder, {.seed = 1}).data.test, read(folder, {.seed = 2}).data.test);
    EXPECT_EQ(read(folder, {.test_share = 0.5}).data.test.n, 10u);
}

TEST(ImageFolder, FoldersTrainAndTestAreTheParts)
{
    const TestFolder folder;
    write_classes(folder, "Train/", {"10", "9"}, 3);
    write_classes(folder, "test/", {"9"}, 2);
    const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
    EXPECT_TRUE(found.own_parts);
    EXPECT_THAT(found.classes, ElementsAre("9", "10")) << "numbers are in order";
    const ImageData data = read(folder).data;
    EXPECT_EQ(data.training.n, 6u);
    EXPECT_THAT(data.test.labels, ElementsAre(0, 0));
}

TEST(ImageFolder, AValidationPartIsUsedForTestingIfThereIsNoTestPart)
{
    for (const auto& [training, second] : {std::pair{"train/", "val/"},
                                           {"Training/", "Validation/"},
                                           {"train/", "valid/"},
                                           {"training_set/training_set/", "test_set/test_set/"},
                                           {"seg_train/", "seg_test/"},
                                           {"train_data/", "dev/"},
                                           {"TrainSet/", "testset/"}}) {
        const TestFolder folder;
        write_classes(folder, training, {"cat", "dog"}, 3);
        write_classes(folder, second, {"cat", "dog"}, 2);
        const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
        EXPECT_TRUE(found.own_parts) << training;
        EXPECT_THAT(found.classes, ElementsAre("cat", "dog")) << training;
        EXPECT_EQ(found.training.size(), 6u) << training;
        EXPECT_EQ(found.test.size(), 4u) << second;
        EXPECT_THAT(found.left_out, IsEmpty());
    }
}

TEST(ImageFolder, AValidationPartNextToATestPartIsIgnored)
{
    const TestFolder folder;
    for (const char* part : {"train/", "val/", "test/", "extra/"})
        write_classes(folder, part, {"cat", "dog"}, 2);
    const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
    EXPECT_THAT(found.left_out, ElementsAre("extra", "val"));
    EXPECT_EQ(found.training.size() + found.test.size(), 8u);
}

TEST(ImageFolder, ATrainingPartAloneIsDividedLikeAnyFolderOfClasses)
{
    const TestFolder folder;
    write_classes(folder, "train/", {"cat", "dog"}, 5);
    write_classes(folder, "meta/", {"x"}, 1);
    const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
    EXPECT_FALSE(found.own_parts);
    EXPECT_THAT(found.classes, ElementsAre("cat", "dog"));
    EXPECT_THAT(found.left_out, ElementsAre("meta"));
    EXPECT_EQ(read(folder).data.test.n, 2u);
}

TEST(ImageFolder, TestPicturesWithoutClassFoldersAreRejectedWithTheLayoutThatIsExpected)
{
    const TestFolder folder;
    write_classes(folder, "Train/", {"0", "1"}, 2);
    folder.write("Test/00000.raw", picture(1, 4, 4, 1));
    folder.write("Test.csv", bytes_of("Path,ClassId"));
    EXPECT_EQ(refused(folder),
              "F: found the pictures of “Test” without a folder for each class, expected the layout of “Train”. Sort "
              "them into class folders by the classes in Test.csv, or import “Train” alone: a part of it is then held "
              "out for testing.");
}

TEST(ImageFolder, PartsWithoutOneForTrainingAreRejected)
{
    const TestFolder folder;
    write_classes(folder, "test/", {"a", "b"}, 2);
    write_classes(folder, "val/", {"a", "b"}, 2);
    EXPECT_THAT(refused(folder), HasSubstr("found “test” and “val”, expected a folder train next to them"));
}

TEST(ImageFolder, AnOuterFolderIsSkipped)
{
    const TestFolder folder;
    write_classes(folder, "GTSRB/Images/", {"00000", "00001"}, 3);
    EXPECT_THAT(look_through_folder(folder.path(), reader.suffixes).classes, ElementsAre("00000", "00001"));
}

TEST(ImageFolder, CyclicLinksAddNoPictureTwice)
{
    namespace fs = std::filesystem;
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 3);
    folder.write("a/more/9.raw", picture(1, 4, 4, 9));
    fs::create_directory_symlink("..", folder.path() / "a" / "up");
    fs::create_directory_symlink(".", folder.path() / "a" / "here");
    fs::create_directory_symlink("more", folder.path() / "a" / "again");
    fs::create_directory_symlink("../a", folder.path() / "b" / "other_class");
    fs::create_symlink("0.raw", folder.path() / "a" / "copy.raw");
    fs::create_symlink("ring", folder.path() / "a" / "ring");
    const PictureFolder found = look_through_folder(folder.path(), reader.suffixes);
    EXPECT_THAT(found.per_class(), ElementsAre(4u, 3u));
}

TEST(ImageFolder, NoLinkBringsATrainingPictureIntoTheTest)
{
    namespace fs = std::filesystem;
    const TestFolder folder;
    write_classes(folder, "train/", {"a", "b"}, 2);
    write_classes(folder, "test/", {"a"}, 2);
    fs::create_directory_symlink("../train/b", folder.path() / "test" / "b");
    EXPECT_THAT(refused(folder),
                testing::AllOf(HasSubstr("test/b: also found in the other part, "),
                               HasSubstr("train/b, expected no picture in both training and test part.")));
    fs::remove(folder.path() / "test" / "b");
    fs::create_symlink("../../train/a/0.raw", folder.path() / "test" / "a" / "seen.raw");
    EXPECT_THAT(refused(folder), HasSubstr("test/a/seen.raw: also found in the other part, "));
}

TEST(ImageFolder, PicturesOfDifferentSizesAreScaledTo32)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 3);
    folder.write("a/large.raw", picture(1, 40, 50, 200));
    const PictureImport read_in = read(folder);
    EXPECT_TRUE(read_in.scaled);
    EXPECT_EQ(read_in.data.training.height, 32u);
    EXPECT_EQ(read_in.data.training.width, 32u);
    EXPECT_EQ(read(folder, {.size = 7}).data.training.n_pixels(), 49u);
}

TEST(ImageFolder, OneColourPictureMakesAllColouredUnlessGreyIsRequested)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 3);
    folder.write("a/red.raw", Bytes{3, 4, 4} + Bytes(16, 200) + Bytes(32, 0));
    EXPECT_EQ(read(folder).data.training.channels, 3u);
    const ImageData grey = read(folder, {.colour = PictureOptions::Colour::grey}).data;
    EXPECT_EQ(grey.training.channels, 1u);
    std::vector<std::uint8_t> all = grey.training.pixels;
    all.insert(all.end(), grey.test.pixels.begin(), grey.test.pixels.end());
    EXPECT_EQ(*std::ranges::max_element(all), 60) << "0.299 × 200";
}

TEST(ImageFolder, UnreadableFilesAreReportedAndSkipped)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 5);
    folder.write("b/page.raw", bytes_of("<html>"));
    folder.write("b/empty.raw", Bytes{1, 0, 0});
    const PictureImport read_in = read(folder);
    EXPECT_THAT(read_in.unreadable,
                testing::UnorderedElementsAre("b/page.raw: cannot be read as a picture.",
                                              "b/empty.raw: found an empty image, expected at least one pixel."));
    EXPECT_EQ(read_in.data.training.n + read_in.data.test.n, 10u);
}

TEST(ImageFolder, WhatIsNoFileIsReportedAndNeverOpened)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 5);
    ASSERT_EQ(mkfifo((folder.path() / "b" / "pipe.raw").c_str(), 0600), 0);   // to open it would wait for ever
    std::filesystem::create_symlink("gone.raw", folder.path() / "a" / "lost.raw");
    const PictureImport read_in = read(folder);
    EXPECT_THAT(read_in.unreadable, ElementsAre("a/lost.raw: found a link without a target, expected a picture.",
                                                "b/pipe.raw: found a named pipe, expected a picture."));
    EXPECT_EQ(read_in.data.training.n + read_in.data.test.n, 10u);
}

TEST(ImageFolder, AFolderWithoutClassFoldersIsNamedWithItsFilesAndARemedy)
{
    const auto sentence = [](const std::vector<std::string>& files) {
        const TestFolder folder;
        for (const std::string& file : files)
            folder.write(file, bytes_of("x"));
        return refused(folder);
    };
    EXPECT_EQ(
        sentence({"labels.bin", "test_batch.jxl", "data_batch_1.jxl", "data_batch_2.jxl", "unpack.py"}),
        "F: found no subfolders but 5 files (data_batch_1.jxl, data_batch_2.jxl, labels.bin and 2 more), expected "
        "one with pictures for each class, or train and test with these in them. JPEG XL cannot be read: convert "
        "the files to PNG, or run unpack.py and import the folder that it writes.");
    EXPECT_THAT(sentence({"counts.npy"}), testing::AllOf(HasSubstr("but 1 file (counts.npy), expected"),
                                                         HasSubstr("from an .npz file with x_train, y_train")));
    EXPECT_THAT(sentence({"1.RAW", "2.raw"}), HasSubstr("Move the pictures of each class into a folder"));
    EXPECT_THAT(sentence({"co2.csv"}), HasSubstr("open it with File › Import table"));
    EXPECT_THAT(sentence({"splits.tar.xz"}), testing::EndsWith(" Unpack the archives first."));
    EXPECT_THAT(sentence({"a.txt"}), testing::EndsWith("test with these in them."));
}

TEST(ImageFolder, ErrorsAreOneSentence)
{
    {
        const TestFolder folder;
        EXPECT_EQ(
            refused(folder),
            "F: found no subfolders, expected one with pictures for each class, or train and test with these in them.");
        folder.write("a/notes.txt", bytes_of("x"));
        EXPECT_EQ(refused(folder),
                  "F: found no pictures in its subfolders, expected files such as 1.png or 00000_00000.ppm.");
        folder.write("a/1.raw", picture(1, 4, 4, 1));
        EXPECT_EQ(refused(folder), "F: found only the class “a”, expected at least two subfolders.");
        std::filesystem::create_directory(folder.path() / "b");
        EXPECT_EQ(refused(folder), "F: found no pictures in “b”, expected some for every class.");
        folder.write("b/1.raw", bytes_of("<html>"));
        EXPECT_EQ(refused(folder),
                  "F: found no picture in “b” that can be read for training (b/1.raw: cannot be read as a picture.), "
                  "expected some for every class.");
        folder.write("b/1.raw", picture(1, 4, 4, 1));
        EXPECT_EQ(refused(folder), "F: found no pictures for testing, expected at least two per class.");
    }
    const TestFolder parts;
    write_classes(parts, "train/", {"a", "b"}, 2);
    write_classes(parts, "test/", {"c"}, 2);
    EXPECT_EQ(refused(parts), "F: found the class “c” only among the test pictures, expected it in training, too.");
    EXPECT_EQ(refusal([] { look_through_folder("/no/such/folder", {}); }),
              "/no/such/folder: there is no such folder, expected a folder of pictures.");
}

TEST(ImageFolder, AStopRequestEndsTheReading)
{
    const TestFolder folder;
    write_classes(folder, "", {"a", "b"}, 20);
    std::stop_source stop;
    std::size_t last = 0;
    EXPECT_EQ(refusal([&] {
                  read_pictures(
                      look_through_folder(folder.path(), reader.suffixes), {}, reader,
                      [&](std::size_t done, std::size_t) {
            last = done;
            stop.request_stop();
                      },
                      stop.get_token());
              }),
              "Cancelled.");
    EXPECT_LT(last, 40u);
}

TEST(ScaledPicture, HasTheMeanOverTheAreaOfEachPixel)
{
    const DecodedPicture four{1, 2, 2, {10, 20, 30, 60}};
    EXPECT_THAT(scaled(four, 1, 1, 1).pixels, ElementsAre(30));
    EXPECT_THAT(scaled(four, 1, 1, 2).pixels, ElementsAre(20, 40));
    EXPECT_THAT(scaled(four, 1, 2, 4).pixels, ElementsAre(10, 10, 20, 20, 30, 30, 60, 60));
    EXPECT_THAT(scaled({1, 1, 3, {0, 90, 30}}, 1, 1, 2).pixels, ElementsAre(30, 50)) << "the middle one is halved";
    EXPECT_THAT(scaled(four, 3, 1, 1).pixels, ElementsAre(30, 30, 30));
}

TEST(ScaledPicture, KeepsTheMeanOfAllPixels)
{
    DecodedPicture large{1, 60, 45, {}};
    double before = 0, after = 0;
    for (int i = 0; i < 60 * 45; ++i)
        large.pixels.push_back(static_cast<std::uint8_t>(i * 7919 % 251));
    for (const int p : large.pixels)
        before += p / (60.0 * 45);
    for (const int p : scaled(large, 1, 28, 28).pixels)
        after += p / (28.0 * 28);
    EXPECT_NEAR(before, after, 0.1);   // rounding of 784 pixels
}
