// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/logits_file.h"

#include "logits_npz.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using namespace logits_npz;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::shared_ptr<const LogitsFile> opened(const std::vector<ZipMember>& members)
{
    static std::vector<std::unique_ptr<Bytes>> kept;   // what is open reads from them
    kept.push_back(std::make_unique<Bytes>(zip_of(members)));
    return LogitsFile::open("a.npz", *kept.back());
}

/// All blocks after one another.
LogitsReader::Block all_of(const std::shared_ptr<const LogitsFile>& file)
{
    LogitsReader reader(file);
    LogitsReader::Block all, next;
    while (reader.next(next)) {
        EXPECT_EQ(next.first, all.n);
        all.n += next.n;
        for (const auto part :
             {&LogitsReader::Block::mu, &LogitsReader::Block::variance, &LogitsReader::Block::row_sum})
            (all.*part).insert((all.*part).end(), (next.*part).begin(), (next.*part).end());
    }
    return all;
}

/// The error for the file, at opening or at reading.
std::string why_not(const std::vector<ZipMember>& members)
{
    return refusal([&] { all_of(opened(members)); });
}

const ZipMember mean23 = doubles("mean", {2, 3}, {1, 2, 3, 4, 5, 6});

}   // namespace

TEST(LogitsFile, ContainsMeansVariancesLabelsAndNames)
{
    for (const bool deflate : {false, true}) {
        const auto file = opened(four_rows(deflate));
        EXPECT_EQ(file->n_rows(), 4u);
        EXPECT_EQ(file->n_classes(), 3);
        EXPECT_FALSE(file->full());
        EXPECT_THAT(file->labels(), ElementsAre(0, 0, 2, 2));
        EXPECT_THAT(file->class_names(), ElementsAre("cat", "dog", "owl"));
        const auto all = all_of(file);
        EXPECT_THAT(all.mu, ElementsAre(6, 0, 0, 1, 0.8, -1, 0.5, 0.7, 0.2, 0, 6, 0));
        EXPECT_EQ(all.variance[3], 1);
        EXPECT_THAT(all.row_sum, IsEmpty());
        LogitsReader reader(file);
        EXPECT_THAT(reader.row(2).mu(), ElementsAre(0.5, 0.7, 0.2)) << "rows in any order";
        EXPECT_THAT(reader.row(0).mu(), ElementsAre(6, 0, 0));
        EXPECT_THAT(reader.row(3).variance(), ElementsAre(0.1, 0.1, 0.1));
        EXPECT_EQ(refusal([&] { reader.row(4); }), "a.npz: row 4 was requested, expected 0 to 3.");
    }
}

TEST(LogitsFile, NamesAndLabelsAreOptional)
{
    const auto file = opened({floats("mean", {1, 2}, {1, 2}), floats("variance", {1, 2}, {0.5f, 0.25f})});
    EXPECT_THAT(file->labels(), IsEmpty());
    EXPECT_THAT(file->class_names(), ElementsAre("0", "1"));
    EXPECT_THAT(all_of(file).variance, ElementsAre(0.5, 0.25));
}

TEST(LogitsFile, OfCovariancesGivesDiagonalAndRowSums)
{
    const auto file = opened({doubles("mean", {1, 2}, {0, 1}), doubles("covariance", {1, 2, 2}, {2, 0.5, 0.5, 1})});
    EXPECT_TRUE(file->full());
    const auto all = all_of(file);
    EXPECT_THAT(all.variance, ElementsAre(2, 1));
    EXPECT_THAT(all.row_sum, ElementsAre(2.5, 1.5));
    EXPECT_THAT(LogitsReader(file).row(0).covariance(), ElementsAre(2, 0.5, 0.5, 1));
}

TEST(LogitsFile, ASingularCovarianceOfSinglePrecisionIsForgivenItsRounding)
{
    const auto all = all_of(
        opened({floats("mean", {1, 2}, {0, 0}), floats("covariance", {1, 2, 2}, {1, 1.000003f, 1.000002f, 1})}));
    EXPECT_NEAR(all.variance[0], 1, 2e-5);
}

TEST(LogitsFile, FortranOrderIsTurned)
{
    const Bytes columns = little_endian({1.0, 4.0, 2.0, 5.0, 3.0, 6.0});
    const auto file     = opened(
            {raw("mean", "<f8", "(2, 3)", columns, true), doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1})});
    EXPECT_THAT(all_of(file).mu, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(LogitsReader(file).row(1).mu(), ElementsAre(4, 5, 6));
}

TEST(LogitsFile, OfManyRowsIsReadInBlocks)
{
    constexpr std::size_t n = 3, K = 600'000;
    std::vector<double> mean(n * K, 0), variance(n * K, 1);
    mean[2 * K + 1] = 7;
    const auto file = opened({doubles("mean", {n, K}, mean), doubles("variance", {n, K}, variance, true)});
    LogitsReader reader(file);
    LogitsReader::Block block;
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(reader.next(block));
        EXPECT_EQ(block.first, i);
        EXPECT_EQ(block.n, 1u);
    }
    EXPECT_EQ(block.mu[1], 7);
    EXPECT_FALSE(reader.next(block));
}

TEST(LogitsFile, CanBeAFolderOfArrays)
{
    const TestFolder folder;
    for (const auto& member : four_rows())
        folder.write("set/" + member.name, member.content);
    for (const auto* path : {"set", "set/mean.npy"}) {
        const auto file = LogitsFile::open(folder.path() / path);
        EXPECT_EQ(file->name(), "set/");
        EXPECT_THAT(file->labels(), ElementsAre(0, 0, 2, 2));
        EXPECT_THAT(LogitsReader(file).row(1).mu(), ElementsAre(1, 0.8, -1));
    }
    EXPECT_THAT(refusal([&] { LogitsFile::open(folder.path() / "set/other.npy"); }),
                HasSubstr("other.npy: cannot be opened"));
    folder.write("set/other.npy", four_rows().front().content);
    EXPECT_EQ(
        refusal([&] { LogitsFile::open(folder.path() / "set/other.npy"); }),
        "other.npy: arrays in NPY files are known by the name of the file, expected mean.npy, or an NPZ file with "
        "an array of this name.");
}

TEST(LogitsFile, ReportsWhatIsMissing)
{
    EXPECT_EQ(why_not({mean23, integers("labels", {0, 1})}),
              "a.npz: found no array “variance” or “covariance”, expected one of them in addition to mean; the arrays "
              "are mean, labels.");
    EXPECT_EQ(why_not({integers("labels", {0, 1})}),
              "a.npz: found no array “mean”, expected mean [N × K] and variance [N × K] or covariance [N × K × K]; the "
              "arrays are labels.");
    EXPECT_THAT(why_not({}), HasSubstr("a.npz: found "));
}

TEST(LogitsFile, RejectsShapesThatDoNotMatch)
{
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 2}, {1, 1, 1, 1})}),
              "a.npz: variance has the shape 2 × 2, expected 2 × 3 as mean has 2 × 3.");
    EXPECT_EQ(why_not({mean23, doubles("covariance", {2, 3}, {1, 1, 1, 1, 1, 1})}),
              "a.npz: covariance has the shape 2 × 3, expected 2 × 3 × 3 as mean has 2 × 3.");
    EXPECT_EQ(why_not({doubles("mean", {3}, {1, 2, 3}), doubles("variance", {3}, {1, 1, 1})}),
              "a.npz: mean has the shape 3, expected rows × classes.");
    EXPECT_EQ(why_not({doubles("mean", {2, 1}, {1, 2}), doubles("variance", {2, 1}, {1, 1})}),
              "a.npz: found 1 class, expected at least 2: the softmax of one logit is always 1.");
    EXPECT_EQ(why_not({doubles("mean", {0, 3}, {}), doubles("variance", {0, 3}, {})}),
              "a.npz: found 0 rows, expected at least one Gaussian.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1}), integers("labels", {1})}),
              "a.npz: labels have the shape 1, expected 2 whole numbers, one for each row of mean.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1}), strings("class_names", {"a", "b"}, 1)}),
              "a.npz: class_names have the shape 2, expected 3 strings, one for each class.");
}

TEST(LogitsFile, ReportsRowAndClassOfInvalidNumbers)
{
    EXPECT_EQ(why_not({doubles("mean", {2, 3}, {1, 2, 3, 4, NAN, 6}), doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1})}),
              "a.npz: mean of row 1, class 1 is nan, expected a finite number.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, -0.25})}),
              "a.npz: variance of row 1, class 2 is -0.25, expected a number > 0.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 0, 1, 1, 1, 1})}),
              "a.npz: variance of row 0, class 1 is 0, expected a number > 0.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, INFINITY, 1, 1, 1, 1})}),
              "a.npz: variance of row 0, class 1 is inf, expected a number > 0.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1}), integers("labels", {0, 3})}),
              "a.npz: label of row 1 is 3, expected a whole number from 0 to 2.");
    EXPECT_EQ(why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1}), doubles("labels", {2}, {0, 1.5})}),
              "a.npz: label of row 1 is 1.5, expected a whole number from 0 to 2.");
}

TEST(LogitsFile, ReportsTheRowWithAnInvalidCovariance)
{
    const auto with = [](std::vector<double> second) {
        std::vector<double> sigma{1, 0, 0, 1};
        sigma.insert(sigma.end(), second.begin(), second.end());
        return why_not({doubles("mean", {2, 2}, {1, 2, 3, 4}), doubles("covariance", {2, 2, 2}, sigma)});
    };
    EXPECT_EQ(with({1, 0.5, 0.4, 1}),
              "a.npz: covariance of row 1, classes 0 and 1 is not symmetric: found 0.5 and 0.4.");
    EXPECT_EQ(with({1, 2, 2, 1}),
              "a.npz: covariance of row 1 has a negative eigenvalue, expected a positive semidefinite matrix.");
    EXPECT_EQ(with({1, NAN, 0, 1}), "a.npz: covariance of row 1, classes 0 and 1 is nan, expected a finite number.");
    EXPECT_EQ(with({1, 0, 0, -1}), "a.npz: variance of row 1, class 1 is -1, expected a number > 0.");
    EXPECT_EQ(with({1, 1, 1, 1}), "") << "singular ones have a bridge";
}

TEST(LogitsFile, RejectsNonNumericTypes)
{
    EXPECT_THAT(why_not({strings("mean", {"a"}, 1), mean23}), HasSubstr("a.npz: "));
    EXPECT_EQ(
        why_not({mean23, doubles("variance", {2, 3}, {1, 1, 1, 1, 1, 1}), raw("class_names", "|O", "(3,)", Bytes(24))}),
        "a.npz, class_names: found Python objects (type “|O”), expected numbers, or strings made with "
        "np.array(names, dtype=str).");
    EXPECT_THAT(why_not({raw("mean", "<c16", "(1, 2)", Bytes(32)), mean23}), HasSubstr("a.npz: "));
}

TEST(LogitsFile, NamesOfOtherAlphabetsAreRead)
{
    const Bytes wide = big_endian(
        {std::uint32_t{0x4e}, std::uint32_t{0xe9}, std::uint32_t{0x732b}, std::uint32_t{0x1f989}});
    const auto file = opened({doubles("mean", {1, 2}, {1, 2}), doubles("variance", {1, 2}, {1, 1}),
                              raw("class_names", ">U2", "(2,)", wide)});
    EXPECT_THAT(file->class_names(), ElementsAre("Né", "猫🦉"));
    const auto narrow = opened({doubles("mean", {1, 2}, {1, 2}), doubles("variance", {1, 2}, {1, 1}),
                                raw("class_names", "|S3", "(2,)", bytes_of(std::string_view("ab\0xyz", 6)))});
    EXPECT_THAT(narrow->class_names(), ElementsAre("ab", "xyz"));
}

TEST(LogitsFile, ADamagedArchiveIsRejectedBeforeAnythingIsUsed)
{
    Bytes bytes = zip_of(four_rows());
    bytes[200] ^= 0x10;
    EXPECT_THAT(refusal([&] { LogitsFile::open("a.npz", bytes); }), HasSubstr("a.npz, mean: found "));
    EXPECT_THAT(refusal([&] { LogitsFile::open("a.npz", Bytes{}); }), HasSubstr("a.npz: found an empty file"));
    EXPECT_THAT(refusal([&] { LogitsFile::open("a.npz", bytes_of("<html>not found</html>")); }),
                HasSubstr("a web page (HTML)"));
}

TEST(LogitsFile, OpeningStopsOnRequest)
{
    const TestFolder folder;
    const auto file = folder.write("a.npz", zip_of(four_rows()));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(LogitsFile::open(file, stop.get_token()), nullptr);
    EXPECT_NE(LogitsFile::open(file), nullptr);
}
