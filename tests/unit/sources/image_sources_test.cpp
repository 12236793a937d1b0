// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/image_sources.h"

#include "data/image_set.h"
#include "formats/npy.h"
#include "sources/stroke_digits.h"
#include "unit/environment.h"
#include "unit/formats/zip_bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cstdlib>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Data folders of the test alone.
struct Folders {
    TestFolder given, home;
    Environment data{"CREDENCE_DATA_DIR", given.path().string()}, user{"XDG_DATA_HOME", home.path().string()};
};

constexpr std::uint32_t height = 3, width = 2;

Bytes images(std::uint32_t n, unsigned modulus = 251)
{
    return idx_header(8, {n, height, width}) + counting(n * height * width, modulus);
}
Bytes labels(std::uint32_t n, unsigned classes) { return idx_header(8, {n}) + counting(n, classes); }

void write_set(const TestFolder& folder, const std::string& id, std::uint32_t n_training, std::uint32_t n_test,
               unsigned classes)
{
    folder.write(id + "/train-images-idx3-ubyte", images(n_training));
    folder.write(id + "/train-labels-idx1-ubyte.gz", deflated(labels(n_training, classes)));
    folder.write(id + "/t10k-images.idx3-ubyte", images(n_test));
    folder.write(id + "/t10k-labels-idx1-ubyte", labels(n_test, classes));
}

Bytes npy_of(std::vector<std::size_t> shape, std::vector<std::uint8_t> values)
{
    return bytes_of(npy_bytes({std::move(shape), std::move(values)}));
}

std::vector<std::string> available_ids()
{
    std::vector<std::string> ids;
    for (const ImageSource& source : available_image_sources())
        if (source.folder.string().find("/usr/share") != 0)
            ids.push_back(source.id);
    return ids;
}

}   // namespace

TEST(ImageSources, StrokesNeedNoFile)
{
    const Folders folders;
    EXPECT_THAT(available_ids(), ElementsAre("stroke-digits", "stroke-letters"));
    const ImageData digits = load_image_data("stroke-digits"), letters = load_image_data("stroke-letters");
    EXPECT_EQ(digits.training, stroke_digits().training);
    EXPECT_EQ(digits.test, stroke_digits().test);
    EXPECT_EQ(letters.training.n, 10000u);
    EXPECT_EQ(letters.test, draw_strokes({.alphabet = StrokeAlphabet::letters, .n = 2000, .first = 10000}));
}

TEST(ImageSources, AFolderOfMnistsLayoutIsASetOfItsName)
{
    const Folders folders;
    write_set(folders.given, "runes", 9, 5, 3);
    write_set(folders.home, "credence/datasets/herbs", 4, 4, 2);
    for (const char* missing : {"mnist", "mnits", "/nowhere/mnist", ""})
        EXPECT_EQ(refusal([&] { require_image_set(missing); }), refusal([&] { load_image_data(missing); })) << missing;
    EXPECT_EQ(refusal([] { require_image_set("stroke-digits"); }), "");
    folders.given.write("notes/readme.txt", bytes_of("nothing to see"));
    EXPECT_THAT(available_ids(), ElementsAre("stroke-digits", "stroke-letters", "herbs", "runes"));
    const ImageData runes = load_image_data("runes");
    EXPECT_EQ(runes.training.n, 9u);
    EXPECT_EQ(runes.test.n, 5u);
    EXPECT_EQ(runes.training.name, "runes");
    EXPECT_THAT(runes.test.class_names, ElementsAre("0", "1", "2"));
    EXPECT_EQ(user_data_folder(), folders.home.path() / "credence" / "datasets");
}

TEST(ImageSources, CataloguedSetsHaveTheCataloguesWords)
{
    const Folders folders;
    write_set(folders.given, "fashion-mnist", 20, 10, 10);
    const auto source = find_image_source("fashion-mnist");
    ASSERT_TRUE(source);
    EXPECT_TRUE(source->catalogued);
    EXPECT_EQ(source->title, "Fashion-MNIST");
    EXPECT_EQ(source->folder, folders.given.path() / "fashion-mnist");
    EXPECT_EQ(load_image_data("fashion-mnist").test.class_names[3], "Dress");
}

TEST(ImageSources, TheFirstFolderThatHasASetWins)
{
    const Folders folders;
    write_set(folders.home, "credence/datasets/mnist", 30, 10, 10);
    write_set(folders.given, "mnist", 20, 10, 10);
    EXPECT_EQ(load_image_data("mnist").training.n, 20u);
}

TEST(ImageSources, AnImportedSetIsDescribedInDatasetJson)
{
    const Folders folders;
    write_set(folders.home, "credence/datasets/signs", 6, 4, 2);
    folders.home.write(
        "credence/datasets/signs/dataset.json",
        bytes_of(
            R"({"title": "Traffic signs", "about": "From the street.", "license": "own", "classes": ["stop", "go"]})"));
    EXPECT_EQ(find_image_source("signs")->title, "Traffic signs");
    EXPECT_EQ(find_image_source("signs")->about, "From the street.");
    EXPECT_FALSE(find_image_source("signs")->catalogued);
    EXPECT_THAT(load_image_data("signs").training.class_names, ElementsAre("stop", "go"));
    EXPECT_EQ(load_image_data("signs").training.name, "Traffic signs");

    folders.home.write("credence/datasets/signs/dataset.json", bytes_of(R"({"classes": "stop"})"));
    EXPECT_EQ(refusal([] { load_image_data("signs"); }),
              "data.set | signs/dataset.json: classes is string, expected a list of strings.");
    EXPECT_EQ(find_image_source("signs")->title, "signs");
}

TEST(ImageSources, ImportedColourImagesHaveFourDimensions)
{
    const Folders folders;
    for (const std::string part : {"train", "t10k"}) {
        folders.given.write("flags/" + part + "-images-idx4-ubyte",
                            idx_header(8, {2, 3, height, width}) + counting(2 * 3 * height * width));
        folders.given.write("flags/" + part + "-labels-idx1-ubyte", labels(2, 2));
    }
    const ImageData flags = load_image_data("flags");
    EXPECT_EQ(flags.training.channels, 3u);
    EXPECT_EQ(flags.training.n_pixels(), 18u);
}

TEST(ImageSources, TestImagesAloneGiveAnEmptyTrainingPart)
{
    const Folders folders;
    folders.given.write("notmnist/t10k-images-idx3-ubyte.gz", deflated(images(20)));
    folders.given.write("notmnist/t10k-labels-idx1-ubyte.gz", deflated(labels(20, 10)));
    const ImageData letters = load_image_data("notmnist");
    EXPECT_EQ(letters.training.n, 0u);
    EXPECT_EQ(letters.training.n_pixels(), 6u);
    EXPECT_EQ(letters.test.n, 20u);
    EXPECT_EQ(letters.test.name, "notMNIST");
    EXPECT_EQ(letters.test.class_names.front(), "A");
}

TEST(ImageSources, HalfATrainingPartIsRejected)
{
    const Folders folders;
    write_set(folders.given, "runes", 4, 4, 2);
    std::filesystem::remove(folders.given.path() / "runes" / "train-labels-idx1-ubyte.gz");
    EXPECT_THAT(refusal([] { load_image_data("runes"); }),
                HasSubstr("data.set | runes: found no training labels, expected train-labels-idx1-ubyte"));
}

TEST(ImageSources, APathWorksLikeAnId)
{
    const Folders folders;
    write_set(folders.given, "deep/runes", 9, 5, 3);
    EXPECT_TRUE(names_a_path("deep/runes"));
    EXPECT_FALSE(names_a_path("runes"));
    EXPECT_EQ(load_image_data((folders.given.path() / "deep" / "runes").string()).training.n, 9u);
    EXPECT_EQ(load_image_data((folders.given.path() / "deep" / "runes").string() + "/").test.name, "runes");
}

TEST(ImageSources, AnNpzFileOfFourArraysIsASet)
{
    const Folders folders;
    const auto file = folders.given.write("runes.npz", zip_of({{"x_train.npy", npy_of({3, 2, 2}, counting(12)), true},
                                                               {"y_train.npy", npy_of({3, 1}, {0, 1, 2}), false},
                                                               {"x_test.npy", npy_of({2, 2, 2}, counting(8)), true},
                                                               {"y_test.npy", npy_of({2}, {1, 0}), false}}));
    for (const std::string& name : {std::string("runes.npz"), file.string()}) {
        const ImageData runes = load_image_data(name);
        EXPECT_EQ(runes.training.n, 3u);
        EXPECT_THAT(runes.training.labels, ElementsAre(0, 1, 2));
        EXPECT_THAT(runes.test.pixels, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
        EXPECT_EQ(runes.test.n_classes(), 3u);
        EXPECT_EQ(runes.test.name, "runes");
    }
    folders.given.write("half.npz", zip_of({{"x_train.npy", npy_of({3, 2, 2}, counting(12)), true}}));
    EXPECT_EQ(refusal([] { load_image_data("half.npz"); }),
              "data.set | half.npz: found no array “y_train”, expected one of x_train.");
}

TEST(ImageSources, AMissingSetIsRejectedWithInstructions)
{
    const Folders folders;
    EXPECT_EQ(refusal([] { load_image_data("mnist"); }),
              "data.set | MNIST is not installed. Download it with “credence data fetch mnist” or in File, Data sets.");
    EXPECT_THAT(refusal([] { load_image_data("mnits"); }),
                HasSubstr("There is no data set “mnits” installed, expected one of stroke-digits, stroke-letters"));
    EXPECT_EQ(refusal([] { load_image_data("/nowhere/mnist"); }),
              "data.set | There is no folder or .npz file “/nowhere/mnist”, expected one with a data set of images.");
    folders.given.write("notes/readme.txt", bytes_of("nothing to see"));
    EXPECT_THAT(refusal([&] { load_image_data((folders.given.path() / "notes").string()); }),
                HasSubstr("data.set | notes: found no images but 1 file (readme.txt), expected the files"));
    folders.given.write("photos/cat/1.png", bytes_of("x"));
    EXPECT_THAT(refusal([&] { load_image_data((folders.given.path() / "photos").string()); }),
                testing::AllOf(HasSubstr("photos: found no images but 1 subfolder, expected"),
                               testing::EndsWith("imported first: credence data import NAME photos.")));
    EXPECT_THAT(refusal([] { load_image_data(""); }), HasSubstr("data.set is empty"));
}

TEST(ImageSources, ReadMnistItself)
{
    const char* folder = std::getenv("CREDENCE_DATA_DIR");
    if (!folder || !std::filesystem::exists(std::filesystem::path(folder) / "mnist"))
        GTEST_SKIP() << "MNIST is not in CREDENCE_DATA_DIR";
    const ImageData mnist = load_image_data("mnist");
    EXPECT_EQ(mnist.training.name, "MNIST");
    EXPECT_EQ(mnist.training.n, 60000u);
    EXPECT_EQ(mnist.test.n, 10000u);
    EXPECT_EQ(mnist.test.labels.front(), 7);
}
