// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytes.h"
#include "formats/image_folder.h"
#include "formats/image_format.h"
#include "sources/image_sources.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <set>

using namespace credence;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// A sign of one grey within a border of white.
Bytes ppm_of_sign(int width, int height, std::uint8_t grey, int border = 5)
{
    Bytes bytes = bytes_of("P6\n# made by a test\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n");
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool sign = x >= border && y >= border && x < width - border && y < height - border;
            bytes.insert(bytes.end(), 3, sign ? grey : 255);
        }
    return bytes;
}

const std::string gtsrb_columns = "Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId\r\n";

std::string row_of(const std::string& file, int width, int height, int label)
{
    return file + ";" + std::to_string(width) + ";" + std::to_string(height) + ";5;5;" + std::to_string(width - 5) + ";"
           + std::to_string(height - 5) + ";" + std::to_string(label) + "\r\n";
}

std::string five_digits(int number)
{
    const std::string text = std::to_string(number);
    return std::string(5 - text.size(), '0') + text;
}

/// A class folder: frames of tracks, each frame as grey as 10 · class + track.
void write_class(const TestFolder& folder, const std::string& where, int label, int tracks, int frames)
{
    const std::string name = five_digits(label);
    std::string table      = gtsrb_columns;
    for (int t = 0; t < tracks; ++t)
        for (int f = 0; f < frames; ++f) {
            const std::string file = five_digits(t) + "_" + five_digits(f) + ".ppm";
            const int side         = 20 + f;
            folder.write(where + name + "/" + file,
                         ppm_of_sign(side, side + 1, static_cast<std::uint8_t>(10 * label + t)));
            table += row_of(file, side, side + 1, label);
        }
    folder.write(where + name + "/GT-" + name + ".csv", bytes_of(table));
}

void write_test_part(const TestFolder& folder, const std::string& pictures, const std::string& table)
{
    folder.write(pictures + "00000.ppm", ppm_of_sign(30, 25, 77));
    folder.write(pictures + "00001.ppm", ppm_of_sign(25, 40, 88));
    folder.write(table, bytes_of(gtsrb_columns + row_of("00000.ppm", 30, 25, 42) + row_of("00001.ppm", 25, 40, 0)));
}

/// As the archives unpack: two classes of three tracks with four frames, two test pictures.
void write_gtsrb(const TestFolder& folder)
{
    write_class(folder, "GTSRB/Final_Training/Images/", 0, 3, 4);
    write_class(folder, "GTSRB/Final_Training/Images/", 14, 3, 4);
    write_test_part(folder, "GTSRB/Final_Test/Images/", "GT-final_test.csv");
    folder.write("GTSRB/Final_Test/Images/GT-final_test.test.csv", bytes_of("Filename;Width\r\n00000.ppm;30\r\n"));
}

ImageData load_signs(const std::filesystem::path& path) { return load_image_data(path.string()); }

/// The error for a table of one row.
std::string refused_row(const std::string& row, const std::string& header = gtsrb_columns)
{
    const TestFolder folder;
    folder.write("Images/00003/GT-00003.csv", bytes_of(header + row));
    folder.write("Images/00003/a.ppm", ppm_of_sign(20, 21, 9));
    return refusal([&] { load_signs(folder.path() / "Images"); });
}

}   // namespace

TEST(Gtsrb, BothPartsAreFoundFromTheFolderTheyWereUnpackedIntoAndFromTheFolderItself)
{
    const TestFolder folder;
    write_gtsrb(folder);
    for (const auto& path : {folder.path(), folder.path() / "GTSRB"}) {
        EXPECT_EQ(importable_format(path).id, "gtsrb");
        const ImageData data = load_signs(path);
        EXPECT_NO_THROW(data.check());
        EXPECT_EQ(data.training.n, 24u);
        EXPECT_THAT(data.test.labels, ElementsAre(42, 0));
        EXPECT_EQ(data.training.n_classes(), 43u);
        EXPECT_EQ(data.training.class_names[14], "Stop");
    }
}

TEST(Gtsrb, SignsAreCutToTheirRegionAndScaledTo32)
{
    const TestFolder folder;
    write_gtsrb(folder);
    const ImageData data = load_signs(folder.path() / "GTSRB");
    EXPECT_EQ(data.training.n_pixels(), 3u * 32 * 32);
    EXPECT_THAT(data.training.image(0), Each(0));      // class 0, track 0; no white of the border
    EXPECT_THAT(data.training.image(23), Each(142));   // class 14, track 2
    EXPECT_THAT(data.test.image(1), Each(88));
}

TEST(Gtsrb, FramesOfOneTrackAreOneGroup)
{
    const TestFolder folder;
    write_gtsrb(folder);
    const ImageData data = load_signs(folder.path() / "GTSRB");
    EXPECT_EQ(std::set(data.training.groups.begin(), data.training.groups.end()).size(), 6u);
    for (std::size_t i = 0; i < data.training.n; ++i)
        EXPECT_EQ(data.training.groups[i], i / 4) << i;
    EXPECT_THAT(data.test.groups, IsEmpty());
}

TEST(Gtsrb, FromTheTrainingArchiveAloneWholeTracksAreUsedForTesting)
{
    const TestFolder folder;
    for (const int label : {1, 2})
        write_class(folder, "Images/", label, 5, 2);
    const ImageData data = load_signs(folder.path() / "Images");
    EXPECT_EQ(data.training.n, 16u);
    EXPECT_EQ(data.test.n, 4u);
    const std::set<std::uint8_t> seen(data.training.pixels.begin(), data.training.pixels.end());
    for (const std::uint8_t grey : data.test.pixels)   // a grey is a track of a class
        ASSERT_FALSE(seen.contains(grey));
}

TEST(Gtsrb, TestPicturesAloneGiveOnlyATestPart)
{
    const TestFolder folder;
    write_test_part(folder, "Images/", "Images/GT-final_test.csv");
    const ImageData data = load_signs(folder.path() / "Images");
    EXPECT_EQ(data.training.n, 0u);
    EXPECT_EQ(data.test.n, 2u);
}

TEST(Gtsrb, ATestPartWithoutClassesIsRejectedByNamingTheFileThatHasThem)
{
    const TestFolder folder;
    write_gtsrb(folder);
    std::filesystem::remove(folder.path() / "GT-final_test.csv");
    EXPECT_THAT(
        refusal([&] { load_signs(folder.path() / "GTSRB"); }),
        HasSubstr("GT-final_test.test.csv: found no column “ClassId”, expected GT-final_test.csv next to the test "
                  "pictures (it is in GTSRB_Final_Test_GT.zip)."));
    std::filesystem::remove(folder.path() / "GTSRB/Final_Test/Images/GT-final_test.test.csv");
    EXPECT_THAT(refusal([&] { load_signs(folder.path() / "GTSRB"); }),
                HasSubstr("Images: found no table of the classes, expected GT-final_test.csv"));
}

TEST(Gtsrb, BadTablesAreOneSentenceWithFileAndLine)
{
    EXPECT_THAT(refused_row("a.ppm;20;21;5;5;15;43;3"),
                HasSubstr("GT-00003.csv, line 2: the region of interest spans column"));
    EXPECT_THAT(refused_row("a.ppm;20;21;5;5;5;16;3"), HasSubstr("expected one inside the 20 × 21 pixels"));
    EXPECT_THAT(refused_row("a.ppm;20;21;5;5;15;16;43"),
                HasSubstr("GT-00003.csv, line 2: ClassId is 43, expected 0 to 42."));
    EXPECT_THAT(refused_row("a.ppm;20;21;5;5;15;16;4"),
                HasSubstr("GT-00003.csv, line 2: ClassId is 4, expected 3 because the folder is named 00003."));
    EXPECT_THAT(refused_row("a.ppm;20;2x;5;5;15;16;3"),
                HasSubstr("GT-00003.csv, line 2: Height is “2x”, expected a whole number."));
    EXPECT_THAT(refused_row("a.ppm;20;21;5;-5;15;16;3"), HasSubstr("Roi.Y1 is “-5”, expected a whole number."));
    EXPECT_THAT(refused_row("../a.ppm;20;21;5;5;15;16;3"),
                HasSubstr("Filename is “../a.ppm”, expected the name of a picture in the same folder."));
    EXPECT_THAT(refused_row("a.ppm;20;21", "Filename;Width;Height\r\n"),
                HasSubstr("GT-00003.csv, line 1: found no column “Roi.X1”, expected Filename;Width"));
    EXPECT_THAT(refused_row(""), HasSubstr("GT-00003.csv: found no rows below the column names"));
    EXPECT_THAT(refused_row("a.ppm;20;21;5;5;15"), HasSubstr("GT-00003.csv, line 2: "));
}

TEST(Gtsrb, BadPicturesAreOneSentenceWithTableAndLine)
{
    EXPECT_THAT(refused_row("a.ppm;22;21;5;5;15;16;3"),
                HasSubstr("GT-00003.csv, line 2: a.ppm: found 20 × 21 pixels, expected 22 × 21 as in the table."));
    EXPECT_THAT(refused_row("b.ppm;20;21;5;5;15;16;3"), HasSubstr("GT-00003.csv, line 2: "));
    const TestFolder folder;
    write_gtsrb(folder);
    Bytes cut = ppm_of_sign(21, 22, 0);
    cut.resize(cut.size() - 100);
    folder.write("GTSRB/Final_Training/Images/00014/00002_00001.ppm", cut);
    EXPECT_THAT(
        refusal([&] { load_signs(folder.path()); }),
        HasSubstr(
            "GT-00014.csv, line 11: 00002_00001.ppm: found 1286 bytes of pixels, expected 1386 for 21 × 22 pixels."));
    std::filesystem::remove(folder.path() / "GTSRB/Final_Training/Images/00014/GT-00014.csv");
    EXPECT_THAT(refusal([&] { load_signs(folder.path()); }),
                HasSubstr("Images/00014: found no GT-00014.csv, expected it next to the pictures."));
}

TEST(Gtsrb, ClassFoldersWithoutTablesStayAFolderOfPictures)
{
    const TestFolder folder;
    for (const char* name : {"00000", "00001"})
        folder.write(std::string(name) + "/1.ppm", ppm_of_sign(20, 20, 9));
    EXPECT_EQ(importable_format(folder.path()).id, "pictures");
    EXPECT_EQ(loadable_format(folder.path()), nullptr);
    folder.write("00001/GT-00001.csv", bytes_of(gtsrb_columns));
    EXPECT_EQ(importable_format(folder.path()).id, "gtsrb");
    folder.write("00061/GT-00061.csv", bytes_of(gtsrb_columns));   // signs of another country
    EXPECT_EQ(importable_format(folder.path()).id, "pictures");
}

TEST(Ppm, ReadsPlanesAndSkipsComments)
{
    const TestFolder folder;
    const auto read = [&](const std::string& bytes) { return read_ppm(folder.write("x.ppm", bytes_of(bytes))); };
    const DecodedPicture two = read("P6 # words\n2 #2\n1\n255\nabcdef");
    EXPECT_EQ(two.channels, 3u);
    EXPECT_EQ(two.width, 2u);
    EXPECT_EQ(two.height, 1u);
    EXPECT_THAT(two.pixels, ElementsAre('a', 'd', 'b', 'e', 'c', 'f'));
    EXPECT_THAT(read("P6 1 1 2\n" + std::string{0, 1, 2}).pixels, ElementsAre(0, 128, 255));
}

TEST(Ppm, RejectsFilesThatAreNotPpm)
{
    const TestFolder folder;
    const auto refused = [&](const std::string& bytes) {
        return refusal([&] { read_ppm(folder.write("x.ppm", bytes_of(bytes))); });
    };
    EXPECT_EQ(refused("P5 1 1 255\nabc"), "x.ppm: found no P6 at the start, expected a picture in binary PPM format.");
    EXPECT_EQ(refused("P6 0 1 255\nabc"), "x.ppm: found no width in the header, expected a number from 1 to 16384.");
    EXPECT_EQ(refused("P6 1 99999999999999999999 255\nabc"),
              "x.ppm: found no height in the header, expected a number from 1 to 16384.");
    EXPECT_THAT(refused("P6 1 1 65535\nabcdef"), HasSubstr("greatest value of one byte"));
    EXPECT_EQ(refused("P6 1 1 255"), "x.ppm: found no end of the header, expected a blank followed by pixels.");
    EXPECT_EQ(refused("P6 2 1 255\nabc"), "x.ppm: found 3 bytes of pixels, expected 6 for 2 × 1 pixels.");
    const std::string whole = "P6\n# c\n3 2\n255\n" + std::string(18, 'x');
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_NE(refused(whole.substr(0, n)), "") << n;
    EXPECT_EQ(refused(whole), "");
    EXPECT_EQ(refused("P6 # 1 1 255"), "x.ppm: found no width in the header, expected a number from 1 to 16384.");
}
