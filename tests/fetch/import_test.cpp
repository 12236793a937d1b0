// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "sources/image_sources.h"

#include <QImage>
#include <gmock/gmock.h>

#include <sstream>

// `credence data import NAME PATH`

using namespace credence;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class Import : public Program {
protected:
    Answer import(const std::string& name, const std::filesystem::path& path, const QStringList& more = {})
    {
        return call(QStringList{"data", "import", QString::fromStdString(name), QString::fromStdString(path.string())}
                    + more);
    }
    std::filesystem::path place(const std::string& name) const { return sets / name; }
    void writeTiny(const std::filesystem::path& folder) const
    {
        for (const auto& [name, bytes] : set.files)
            write(folder / name, bytes);
    }
    /// The import exits with 2 and this sentence, and leaves nothing.
    void expectRefusal(const std::filesystem::path& path, const std::string& sentence, const std::string& name = "mine")
    {
        const Answer answer = import(name, path);
        EXPECT_EQ(answer.status, 2) << sentence;
        EXPECT_THAT(answer.error, AllOf(testing::StartsWith("credence: "), HasSubstr(sentence)));
        EXPECT_THAT(answer.out, IsEmpty());
        EXPECT_THAT(filesBelow(sets), IsEmpty());
    }
    void picture(const std::string& name, int size, QColor colour, const char* format = "ppm") const
    {
        QImage image(size, size, QImage::Format_RGB32);
        image.fill(colour);
        std::filesystem::create_directories((home / name).parent_path());
        ASSERT_TRUE(image.save(QString::fromStdString((home / name).string()), format));
    }
    /// The bad file replaces one of the four; the others are valid.
    std::filesystem::path spoiled(const char* file, const QByteArray& bytes)
    {
        const auto folder = home / ("spoiled" + std::to_string(++m_spoiled));
        writeTiny(folder);
        write(folder / file, bytes);
        return folder;
    }

private:
    int m_spoiled = 0;
};

QByteArray idx(std::initializer_list<quint32> sizes, const QByteArray& numbers)
{
    QByteArray bytes("\0\0\x08", 3);
    bytes += static_cast<char>(sizes.size());
    for (const quint32 size : sizes)
        for (const int shift : {24, 16, 8, 0})
            bytes += static_cast<char>(size >> shift & 0xff);
    return bytes + numbers;
}

constexpr const char *packed_images = "train-images-idx3-ubyte.gz", *packed_labels = "train-labels-idx1-ubyte.gz";

}   // namespace

TEST_F(Import, FilesOfTheCatalogueAreCheckedAndCopied)
{
    writeTiny(home / "here");
    std::filesystem::rename(home / "here" / packed_images, home / "here/train-images.idx3-ubyte.gz");
    const Answer answer = import("tiny", home / "here");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out,
                HasSubstr("Tiny digits is installed in " + place("tiny").string()
                          + ": all files have the correct SHA-256; 3 training and 2 test images of 4 × 4 in grey"));
    EXPECT_THAT(call({"data", "fetch", "tiny"}).out, HasSubstr("all files have the correct SHA-256"));
    EXPECT_TRUE(server.asked.isEmpty());
}

TEST_F(Import, OtherFilesUnderANameOfTheCatalogueAreRejected)
{
    expectRefusal(spoiled(packed_images, gzipped(idx({3, 4, 4}, someBytes(48, 5)))),
                  "these are not the files of Tiny digits; to import them anyway, choose another name than tiny.",
                  "tiny");
    std::filesystem::create_directories(home / "empty");
    expectRefusal(home / "empty", "empty: found no subfolders, expected one with pictures for each class", "tiny");
}

TEST_F(Import, FilesInMnistsFormatUnderANewName)
{
    writeTiny(home / "here");
    const Answer answer = import("mine", home / "here/", {"--title", "My digits"});
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("My digits is installed in " + place("mine").string()
                                      + ": 3 training and 2 test images of 4 × 4 in grey, 2 classes."));
    EXPECT_EQ(load_image_data(place("mine").string()).training, [&] {
        auto other = load_image_data((home / "here").string()).training;
        other.name = "My digits";
        return other;
    }());
    EXPECT_THAT(call({"data", "list"}).out, HasSubstr("My digits"));
    const Answer again = import("mine", home / "here");
    EXPECT_EQ(again.status, 2);
    EXPECT_THAT(again.error, HasSubstr("There is already a data set “mine”"));
}

TEST_F(Import, PicturesInSubfolders)
{
    for (int i = 0; i < 5; ++i) {
        picture("signs/stop/" + std::to_string(i) + ".ppm", 20 + i, Qt::red);
        picture("signs/go/" + std::to_string(i) + ".png", 20, Qt::green, "png");
    }
    write(home / "signs/go/broken.jpg", "<html>");
    const Answer answer = import("signs", home / "signs", {"--size", "28", "--title", "Signs"});
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.error, AllOf(HasSubstr("go/broken.jpg: cannot be read as an image ("),
                                    HasSubstr("1 picture could not be read; skipped.")));
    EXPECT_THAT(answer.out,
                HasSubstr("8 training and 2 test images of 28 × 28 in colour, 2 classes, scaled to this size."));
    const ImageData data = load_image_data(place("signs").string());
    EXPECT_THAT(data.training.class_names, testing::ElementsAre("go", "stop"));
    for (std::size_t i = 0; i < data.training.n; ++i)
        EXPECT_EQ(data.training.image(i)[data.training.labels[i] == 1 ? 0 : 784], 255) << "the plane of its colour";
    EXPECT_THAT(import("grey", home / "signs", {"--channels", "grey"}).out, HasSubstr("images of 32 × 32 in grey"));
}

TEST_F(Import, SvgDrawingsAreReportedAndNeverRendered)
{
    for (int i = 0; i < 3; ++i)
        for (const char* label : {"a", "b"})
            picture("set/" + std::string(label) + "/" + std::to_string(i) + ".png", 8, Qt::red, "png");
    const QByteArray text =
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><text x="1" y="7">a</text></svg>)";
    write(home / "set/a/text.svg", text);
    write(home / "set/a/text.png", text);   // its content is one, too
    write(home / "set/b/packed.svgz", gzipped(text));
    picture("grey.png", 8, Qt::gray, "png");
    write(home / "set/b/link.svg",
          R"(<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="8" height="8">)"
          R"(<image width="8" height="8" xlink:href="../../grey.png"/></svg>)");
    const Answer answer = import("mine", home / "set");
    EXPECT_EQ(answer.status, 0) << answer.error;
    for (const char* name : {"a/text.svg", "a/text.png", "b/packed.svgz", "b/link.svg"})
        EXPECT_THAT(answer.error,
                    HasSubstr("credence: " + std::string(name)
                              + ": cannot be read as an image (it is an SVG drawing; convert it to PNG)."));
    EXPECT_THAT(answer.error, HasSubstr("4 pictures could not be read; skipped."));
    EXPECT_THAT(answer.out, HasSubstr("5 training and 1 test images"));
    EXPECT_THAT(answer.error, testing::Not(HasSubstr("qt.")));
}

TEST_F(Import, TruncatedPicturesAreReportedInOurOwnWords)
{
    for (int i = 0; i < 3; ++i)
        for (const char* label : {"a", "b"})
            picture("set/" + std::string(label) + "/" + std::to_string(i) + ".png", 8, Qt::red, "png");
    QImage pattern(60, 60, QImage::Format_RGB888);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 60; ++x)
            pattern.setPixel(x, y, qRgb((x * x * 7 + y * 31) & 255, (x * 17 + y * y * 3) & 255, x * y & 255));
    const QStringList formats{"jpg", "bmp", "ppm", "png", "xbm"};
    for (const QString& format : formats) {
        const std::string file = (home / "set/a/cut.").string() + format.toStdString();
        ASSERT_TRUE(pattern.save(QString::fromStdString(file), format.toLatin1().constData()));
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    }
    write(home / "set/b/empty.jpg", "");
    const Answer answer = import("mine", home / "set");
    EXPECT_EQ(answer.status, 0) << answer.error;
    for (const QString& format : formats)
        EXPECT_THAT(answer.error,
                    HasSubstr("credence: a/cut." + format.toStdString() + ": cannot be read as an image ("));
    EXPECT_THAT(answer.error, HasSubstr("a/cut.jpg: cannot be read as an image (the file ends too early)."));
    EXPECT_THAT(answer.error, HasSubstr("b/empty.jpg: cannot be read as an image (the file is empty)."));
    std::istringstream lines(answer.error);
    for (std::string line; std::getline(lines, line);)
        EXPECT_THAT(line, testing::AnyOf(testing::StartsWith("credence: "), IsEmpty())) << "no message of Qt or libpng";
}

TEST_F(Import, ATestShareThatIsNotANumberIsRejected)
{
    writeTiny(home / "here");
    for (const char* share : {"nan", "inf", "1e400"}) {
        const Answer answer = import("mine", home / "here", {"--test-share", share});
        EXPECT_EQ(answer.status, 2) << share;
        EXPECT_THAT(answer.error, HasSubstr("--test-share")) << share;
    }
    EXPECT_THAT(import("mine", home / "here", {"--seed", "99999999999999999999"}).error,
                HasSubstr("found \"99999999999999999999\", expected a whole number of at most 9223372036854775807"));
}

TEST_F(Import, TrafficSignsOfGtsrbKeepTheirTracksAndClasses)
{
    const std::string parts = "here/GTSRB/", header = "Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId\r\n";
    for (const char* label : {"0", "1"}) {
        const std::string folder = parts + "Final_Training/Images/0000" + label + "/";
        std::string table        = header;
        for (const char* file : {"00000_00000.ppm", "00000_00001.ppm", "00001_00000.ppm"}) {
            picture(folder + file, 20, Qt::red);
            table += file + std::string(";20;20;5;5;15;15;") + label + "\r\n";
        }
        write(home / (folder + "GT-0000" + label + ".csv"), QByteArray::fromStdString(table));
    }
    picture(parts + "Final_Test/Images/00000.ppm", 30, Qt::green);
    const auto table = home / (parts + "Final_Test/Images/GT-final_test.csv");
    write(table, QByteArray::fromStdString(header + "00000.ppm;30;30;5;5;25;31;1\r\n"));
    expectRefusal(home / "here", "GT-final_test.csv, line 2: the region of interest spans column 5 to 25", "signs");
    write(table, QByteArray::fromStdString(header + "00000.ppm;30;30;5;5;25;25;1\r\n"));
    const Answer answer = import("signs", home / "here");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("6 training and 1 test images of 32 × 32 in colour, 43 classes."));
    const ImageData data = load_image_data(place("signs").string());
    EXPECT_THAT(data.training.groups, testing::ElementsAre(0, 0, 1, 2, 2, 3));
    EXPECT_EQ(data.test.class_names.at(1), "Speed limit (30 km/h)");
}

TEST_F(Import, BadFilesGiveOneSentenceAndLeaveNothing)
{
    QByteArray cut = set.files.at(packed_images);
    cut.chop(20);
    expectRefusal(
        spoiled(packed_images, cut),
        "train-images-idx3-ubyte.gz: found the end of the file in the middle of its gzip data, expected more.");
    expectRefusal(spoiled(packed_images, "\x01\x02\x03\x04 and so on"),
                  "train-images-idx3-ubyte.gz: found the bytes 01 02 03 04, expected IDX data");
    expectRefusal(spoiled(packed_images, "<!DOCTYPE html><html>"),
                  "train-images-idx3-ubyte.gz: found a web page (HTML), expected IDX data");
    expectRefusal(spoiled(packed_images, idx({3, 4, 5}, someBytes(48))),
                  "train-images-idx3-ubyte.gz: found 64 bytes, expected 16 of header and 60 of numbers (3 × 4 × 5).");
    expectRefusal(spoiled(packed_images, idx({1'000'000'000, 28, 28}, "")),
                  "train-images-idx3-ubyte.gz: announces 1000000000 images, expected 3, one per label.");
    expectRefusal(
        spoiled(packed_labels, idx({1'000'000'000}, "")),
        "train-labels-idx1-ubyte.gz: found 8 bytes, expected 8 of header and 1000000000 of numbers (1000000000).");
    expectRefusal(spoiled(packed_labels, idx({2}, QByteArray(2, '\1'))),
                  "announces 3 images, expected 2, one per label.");
    std::filesystem::create_directories(home / "empty");
    expectRefusal(home / "empty", "empty: found no subfolders, expected one with pictures for each class");
    expectRefusal(home / "nowhere", "nowhere: there is no such file or folder, expected a data set of images.");
    expectRefusal(
        writeCatalogue(home, set.entry),
        "catalogue.json: found the bytes 7B 0A 20 22, expected a folder, an .npz file or CIFAR-10's .tar.gz.");
    write(home / "x.npz", "<html>");
    expectRefusal(home / "x.npz", "x.npz: found a web page (HTML), expected a zip archive.");
    write(home / "x.tar.gz", "<html>");
    expectRefusal(home / "x.tar.gz", "x.tar.gz: found a web page (HTML), expected a tar archive.");
}

TEST_F(Import, LabelsOutOfRangeAreRejectedForASetWithKnownClasses)
{
    const auto folder = spoiled(packed_labels, idx({3}, QByteArray("\0\7\1", 3)));
    write(folder / "dataset.json", R"({"title": "Two", "classes": ["a", "b"]})");
    expectRefusal(folder, "train-labels-idx1-ubyte.gz: label 2 is 7, expected 0 to 1.");
}

TEST_F(Import, BadNamesAreRejected)
{
    writeTiny(home / "here");
    expectRefusal(
        home / "here",
        "The name “../mine” cannot be used, expected letters, digits, dots, hyphens and underscores, starting with "
        "a letter or digit.",
        "../mine");
    expectRefusal(home / "here",
                  "The name “stroke-digits” belongs to a data set generated by Credence, expected another name.",
                  "stroke-digits");
}
