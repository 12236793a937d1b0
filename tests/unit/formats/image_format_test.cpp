// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <set>

using namespace credence;

TEST(ImageFormats, HaveUniqueIdsAndEachIsLoadedOrImported)
{
    std::set<std::string> seen;
    for (const ImageFormat& format : image_formats()) {
        EXPECT_TRUE(seen.insert(format.id).second) << format.id;
        EXPECT_FALSE(format.words.empty()) << format.id;
        EXPECT_FALSE(format.imported.empty()) << format.id;
        ASSERT_TRUE(format.recognises) << format.id;
        EXPECT_EQ(static_cast<bool>(format.complete), static_cast<bool>(format.load)) << format.id;
        EXPECT_EQ(static_cast<bool>(format.complete), !format.expected.empty()) << format.id;
        EXPECT_TRUE(format.load || format.unpack || format.pictures) << format.id;
    }
}

TEST(ImageFormats, AreRecognisedByTheirFiles)
{
    const TestFolder folder;
    const auto id_of = [&](const char* name) { return importable_format(folder.path() / name).id; };
    folder.write("x.npz", {1, 2});
    folder.write("x.tar.gz", {1, 2});
    for (const char* part : {"mnist", "cifar", "pictures"})
        std::filesystem::create_directories(folder.path() / part);
    folder.write("mnist/train-labels-idx1-ubyte", {1});
    folder.write("cifar/test_batch.bin", {1});
    EXPECT_EQ(id_of("x.npz"), "npz");
    EXPECT_EQ(id_of("x.tar.gz"), "cifar10_archive");
    EXPECT_EQ(id_of("mnist"), "mnist");
    EXPECT_EQ(id_of("cifar"), "cifar10");
    EXPECT_EQ(id_of("pictures"), "pictures");
    EXPECT_EQ(loadable_format(folder.path() / "mnist"), nullptr);   // images are missing
    EXPECT_EQ(loadable_format(folder.path() / "cifar")->id, "cifar10");
    EXPECT_EQ(loadable_format(folder.path() / "x.tar.gz"), nullptr);
}

TEST(ImageFormats, CifarsPicklesAreRejectedWithTheVersionThatIsRead)
{
    const TestFolder folder;
    folder.write("cifar-10-batches-py/data_batch_1", {0x80, 4, 0x95, 0xaa});
    for (const auto& path : {folder.path(), folder.path() / "cifar-10-batches-py"})
        EXPECT_EQ(refusal([&] { importable_format(path); }),
                  "cifar-10-batches-py: found CIFAR's Python version, whose data_batch_1 is a pickle; pickles are not "
                  "read because they can run programs. Expected the binary version (cifar-10-binary.tar.gz, with "
                  "data_batch_1.bin).");
}

TEST(ImageFormats, ATestPartNextToTrainingLabelsAloneIsLoaded)
{
    const TestFolder folder;
    const Bytes images{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4},
        labels{0, 0, 8, 1, 0, 0, 0, 2, 0, 1};
    folder.write("t10k-images-idx3-ubyte", images);
    folder.write("t10k-labels-idx1-ubyte", labels);
    folder.write("train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 3, 0, 1, 1});
    const ImageFormat* const format = loadable_format(folder.path());
    ASSERT_NE(format, nullptr);
    const ImageData data = format->load(folder.path(), {.title = "Part"});
    EXPECT_EQ(data.training.n, 0u);
    EXPECT_EQ(data.test.n, 2u);
    folder.write("train-images-idx3-ubyte", images);
    EXPECT_NE(refusal([&] { format->load(folder.path(), {.title = "Part"}); }), "") << "3 labels for 2 images";
}

TEST(ImageFormats, UnknownFormatsAreRejectedWithFoundAndExpected)
{
    const TestFolder folder;
    folder.write("notes.txt", bytes_of("<html>"));
    EXPECT_EQ(refusal([&] { importable_format(folder.path() / "notes.txt"); }),
              "notes.txt: found a web page (HTML), expected a folder, an .npz file or CIFAR-10's .tar.gz.");
    folder.write("notes.txt", bytes_of("version https://git-lfs.github.com/spec/v1\n"));
    EXPECT_EQ(refusal([&] { importable_format(folder.path() / "notes.txt"); }),
              "notes.txt: found a Git LFS pointer instead of the file (“git lfs pull” downloads it), expected a "
              "folder, an .npz file or CIFAR-10's .tar.gz.");
    EXPECT_EQ(
        loadable_formats(),
        "the files of MNIST's layout (train-images-idx3-ubyte and so on), CIFAR-10's data_batch_1.bin and so on, "
        "an .npz file with x_train, y_train, x_test and y_test, or GTSRB's folders Final_Training and Final_Test");
}
