// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "bytes.h"
#include "refusal.h"

#include <gmock/gmock.h>

#include <set>

using namespace credence;

TEST(ImageFormats, HaveIdsOfTheirOwnAndEachIsLoadedOrImported)
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

TEST(ImageFormats, WhatIsNoneIsRefusedBySayingWhatItIsAndWhatIsExpected)
{
    const TestFolder folder;
    folder.write("notes.txt", bytes_of("<html>"));
    EXPECT_EQ(refusal([&] { importable_format(folder.path() / "notes.txt"); }),
              "notes.txt: found a web page (HTML), expected a folder, an .npz file or CIFAR-10's .tar.gz.");
    EXPECT_EQ(
        loadable_formats(),
        "the files of MNIST's layout (train-images-idx3-ubyte and so on), CIFAR-10's data_batch_1.bin and so on, "
        "an .npz file with x_train, y_train, x_test and y_test, or GTSRB's folders Final_Training and Final_Test");
}
