// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs_npz.h"

#include "foundation/progress.h"
#include "outputs/logits_file.h"
#include "outputs/outputs_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <unistd.h>

using namespace credence;
using logits_npz::doubles;
using logits_npz::floats;
using logits_npz::integers;
using logits_npz::raw;
using logits_npz::strings;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Kind = RowOutputs::Kind;

namespace {

std::string why_no_outputs(const std::vector<ZipMember>& members)
{
    return refusal([&] { outputs_npz::opened(members); });
}

/// [2 × 4 × 3] with the first index fastest.
template <class Number>
Bytes fortran_bytes(const std::vector<float>& c_order)
{
    Bytes body;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t n = 0; n < 4; ++n)
            for (std::size_t s = 0; s < 2; ++s)
                body = body + little_endian<Number>({static_cast<Number>(c_order[(s * 4 + n) * 3 + k])});
    return body;
}

/// An archive in a file, as ArrayFiles of it.
struct OnDisk {
    std::filesystem::path file;
    explicit OnDisk(const std::vector<ZipMember>& members)
        : file(std::filesystem::path(testing::TempDir()) / ("credence_outputs_" + std::to_string(::getpid()) + ".npz"))
    {
        const Bytes bytes = zip_of(members);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    ~OnDisk() { std::filesystem::remove(file); }
    ArrayFiles arrays() const { return array_files(file, DrawsArray::arrays); }
};

}   // namespace

TEST(OutputsFile, ContainsSamplesLabelsAndNames)
{
    for (const bool deflate : {false, true}) {
        const auto file = outputs_npz::opened(outputs_npz::four_rows(deflate));
        EXPECT_EQ(file.numbers, "probabilities");
        EXPECT_EQ(file.rows->n_draws(), 2);
        EXPECT_EQ(file.rows->n_rows(), 4u);
        EXPECT_EQ(file.rows->n_classes(), 3);
        EXPECT_EQ(file.part.name, "a.npz");
        EXPECT_THAT(file.part.labels, ElementsAre(0, 1, 2, 2));
        EXPECT_THAT(file.part.class_names, ElementsAre("cat", "dog", "owl"));
        EXPECT_EQ(outputs_npz::read(*file.rows, {0, 1, 2, 3}), outputs_npz::draws());
        EXPECT_THAT(outputs_npz::read(*file.rows, {2, 0}),
                    ElementsAre(0.8f, 0.1f, 0.1f, 0.9f, 0.05f, 0.05f, 0.1f, 0.1f, 0.8f, 0.8f, 0.1f, 0.1f));
    }
}

TEST(OutputsFile, ReadsEveryTypeInBothOrders)
{
    const auto& all = outputs_npz::draws();
    const auto same = [&](const ZipMember& member) {
        const auto file = outputs_npz::opened({member});
        EXPECT_EQ(outputs_npz::read(*file.rows, {0, 1, 2, 3}), all);
        EXPECT_THAT(file.part.class_names, ElementsAre("0", "1", "2"));
    };
    same(raw("probabilities", "<f4", "(2, 4, 3)", fortran_bytes<float>(all), true));
    same(raw("probabilities", "<f8", "(2, 4, 3)", fortran_bytes<double>(all), true));
    same(doubles("probabilities", {2, 4, 3}, {all.begin(), all.end()}));
    const auto half = outputs_npz::opened(
        {raw("probabilities", "<f2", "(1, 1, 2)", little_endian<std::uint16_t>({0x3400, 0x3a00}))});
    EXPECT_THAT(outputs_npz::read(*half.rows, {0}), ElementsAre(0.25f, 0.75f));
    const auto table = outputs_npz::opened({floats("probabilities", {2, 2}, {0.5f, 0.5f, 0.25f, 0.75f})});
    EXPECT_EQ(table.rows->n_draws(), 1);
    EXPECT_EQ(table.rows->n_rows(), 2u);
}

TEST(OutputsFile, DataReadFromDiskGiveTheSameResults)
{
    const auto& all                        = outputs_npz::draws();
    const std::vector<ZipMember> members[] = {
        {floats("probabilities", {2, 4, 3}, all)},
        {floats("probabilities", {2, 4, 3}, all, true)},   // unpacked into a file
        {raw("probabilities", "<f4", "(2, 4, 3)", fortran_bytes<float>(all), true)}};
    for (const auto& one : members) {
        const OnDisk disk(one);
        const auto held = DrawsArray::open(disk.arrays()), read = DrawsArray::open(disk.arrays(), {}, 5);
        EXPECT_TRUE(held->held());
        EXPECT_FALSE(read->held());
        for (const auto& rows : {std::vector<std::uint32_t>{0, 1, 2, 3}, {3}, {2, 0, 1}, {1, 1}})
            for (const auto kind : {Kind::probabilities, Kind::logits})
                EXPECT_EQ(outputs_npz::read(*held, rows, kind), outputs_npz::read(*read, rows, kind));
        std::vector<double> first(3);
        EXPECT_TRUE(read->read(Kind::probabilities, std::vector<std::uint32_t>{2}, 1, first, {}));   // one draw of two
        EXPECT_THAT(first, Pointwise(testing::DoubleNear(1e-7), {0.8, 0.1, 0.1}));
        std::stop_source stopped;
        stopped.request_stop();
        EXPECT_FALSE(read->read(Kind::probabilities, std::vector<std::uint32_t>{2}, 1, first, stopped.get_token()));
    }
    const OnDisk bad({floats("probabilities", {1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.6f})});
    const auto unseen = DrawsArray::open(bad.arrays(), {}, 1);   // errors appear when they are read
    EXPECT_THAT(refusal([&] { outputs_npz::read(*unseen, {1}); }), HasSubstr("sample 0, row 1 add up to 1.1"));
    EXPECT_THAT(outputs_npz::read(*unseen, {0}), ElementsAre(0.5f, 0.5f));
}

TEST(OutputsFile, ProbabilitiesOfLogitsAreTheirSoftmaxAndBack)
{
    const std::vector<float> z{1, 2, 4, 1e6f, 0, -1e6f};
    const auto file = outputs_npz::opened({floats("logits", {1, 2, 3}, z)});
    EXPECT_EQ(file.numbers, "logits");
    EXPECT_EQ(outputs_npz::read(*file.rows, {0, 1}, Kind::logits), z);
    const double sum = std::exp(1) + std::exp(2) + std::exp(4);
    EXPECT_THAT(
        outputs_npz::read(*file.rows, {0, 1}),
        Pointwise(FloatNear(1e-7f), {static_cast<float>(std::exp(1) / sum), static_cast<float>(std::exp(2) / sum),
                                     static_cast<float>(std::exp(4) / sum), 1.0f, 0.0f, 0.0f}));
    const auto logs = outputs_npz::read(*outputs_npz::opened(outputs_npz::four_rows()).rows, {0, 3}, Kind::logits);
    EXPECT_FLOAT_EQ(logs[0], std::log(0.9f));
    for (const float one : logs)
        EXPECT_TRUE(std::isfinite(one));   // also of the probability 0
}

TEST(OutputsFile, ChainsOfTheSamplesAreNotReadAndTheNoteSaysSo)
{
    auto members = outputs_npz::four_rows();
    members.push_back(logits_npz::integers("chain", {0, 1}));
    members.push_back(logits_npz::integers("iteration", {5, 5}));
    EXPECT_EQ(outputs_npz::opened(members).part.note,
              "a.npz: the arrays “chain” and “iteration” are not read, so R̂ and ESS of these samples are not shown. "
              "They are shown for the run itself.");
}

TEST(OutputsFile, ANoteNamesArraysThatAreNotRead)
{
    EXPECT_EQ(outputs_npz::opened(outputs_npz::four_rows()).part.note, "");
    auto members = outputs_npz::four_rows();
    members[1]   = logits_npz::integers("label", {0, 1, 2, 2});
    EXPECT_THAT(
        outputs_npz::opened(members).part.note,
        testing::AllOf(
            testing::StartsWith("a.npz: the array “label” is not read. Known names are probabilities, logits, labels"),
            testing::Not(HasSubstr("“probabilities”"))));
    members.push_back(logits_npz::integers("epoch", {3}));
    EXPECT_THAT(outputs_npz::opened(members).part.note,
                testing::StartsWith("a.npz: the arrays “label”, “epoch” are not read."));
}

TEST(OutputsFile, ProbabilitiesJustOutsideZeroToOneAreClippedAndReported)
{
    const auto file = outputs_npz::opened(
        {doubles("probabilities", {1, 3, 2}, {-2e-17, 1, 1.00000978, -1e-12, 0.5, 0.5})});
    std::vector<double> p(6);
    file.rows->read(Kind::probabilities, std::vector<std::uint32_t>{0, 1, 2}, 1, p, {});
    EXPECT_THAT(p, ElementsAre(0, 1, 1, 0, 0.5, 0.5));
    EXPECT_EQ(file.part.note,
              "a.npz: 3 probabilities outside 0 to 1 by rounding (smallest -1e-12, largest 1.00000978) were "
              "clipped.");
    EXPECT_EQ(outputs_npz::opened(outputs_npz::four_rows()).part.note, "");
    EXPECT_EQ(why_no_outputs({doubles("probabilities", {1, 1, 2}, {-0.002, 1.002})}),
              "a.npz: probability of sample 0, row 0, class 0 is -0.002, expected a number from 0 to 1.");
    const OnDisk disk({doubles("probabilities", {1, 1, 2}, {-1e-9, 1.000000001})});
    DrawsArray::open(disk.arrays(), {}, 1)
        ->read(Kind::probabilities, std::vector<std::uint32_t>{0}, 1, std::span(p).first(2), {});
    EXPECT_THAT(std::span(p).first(2), ElementsAre(0, 1)) << "also if the array is read from the file";
}

TEST(OutputsFile, DoublesKeepTheirPrecisionAndLogProbabilitiesHaveNoFloor)
{
    const auto shares = outputs_npz::opened({doubles("probabilities", {1, 1, 3}, {0.1, 0.9, 0})});
    std::vector<double> read(3);
    const std::vector<std::uint32_t> row{0};
    shares.rows->read(Kind::probabilities, row, 1, read, {});
    EXPECT_THAT(read, ElementsAre(0.1, 0.9, 0));
    shares.rows->read(Kind::log_probabilities, row, 1, read, {});
    EXPECT_THAT(read, ElementsAre(std::log(0.1), std::log(0.9), -INFINITY));
    EXPECT_EQ(shares.rows->exact_kind(), Kind::probabilities);
    const auto logits = outputs_npz::opened({floats("logits", {1, 1, 3}, {150, 0, -900})});
    logits.rows->read(Kind::log_probabilities, row, 1, read, {});
    EXPECT_THAT(read, Pointwise(testing::DoubleNear(1e-12), {0, -150, -1050}));
    EXPECT_EQ(logits.rows->exact_kind(), Kind::log_probabilities);
}

TEST(OutputsFile, SamplesOfGaussiansHaveTheirMoments)
{
    const auto file = outputs_npz::opened(
        {doubles("mean", {2, 3}, {1, 2, 3, -1, 0, 1}),
         doubles("covariance", {2, 3, 3}, {1, 0.5, 0, 0.5, 2, 0, 0, 0, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1}),
         integers("labels", {0, 2})});
    EXPECT_EQ(file.numbers, "Gaussians over logits");
    EXPECT_THAT(file.part.labels, ElementsAre(0, 2));
    const auto S = static_cast<std::size_t>(file.rows->n_draws());
    ASSERT_EQ(S, 200u);
    const auto z = outputs_npz::read(*file.rows, {0}, Kind::logits);
    double mean = 0, product = 0;
    for (std::size_t s = 0; s < S; ++s) {
        mean += z[3 * s + 1] / static_cast<double>(S);
        product += (z[3 * s] - 1) * (z[3 * s + 1] - 2) / static_cast<double>(S);
    }
    EXPECT_NEAR(mean, 2, 0.4);   // four standard errors
    EXPECT_NEAR(product, 0.5, 0.5);
    const auto both = outputs_npz::read(*file.rows, {1, 0}, Kind::logits);   // a row's draws are its own
    for (std::size_t s = 0; s < S; ++s)
        EXPECT_EQ(both[(s * 2 + 1) * 3], z[3 * s]);
    const auto p = outputs_npz::read(*file.rows, {0});
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-6);
}

TEST(OutputsFile, ImagesBecomeBytesAndChannelsComeFirst)
{
    const auto p     = floats("probabilities", {1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.5f});
    const auto bytes = outputs_npz::opened({p, raw("images", "|u1", "(2, 1, 2)", {1, 2, 3, 4})});
    ASSERT_TRUE(bytes.part.images);
    EXPECT_THAT(bytes.part.images->image(1), ElementsAre(3, 4));
    const auto shares = outputs_npz::opened({p, floats("images", {2, 1, 2}, {0, 1, 0.5f, 0.2f})});
    EXPECT_THAT(shares.part.images->pixels, ElementsAre(0, 255, 128, 51));
    const auto standardised = outputs_npz::opened({p, floats("images", {2, 1, 2}, {-1, 1, 0, -1})});
    EXPECT_THAT(standardised.part.images->pixels, ElementsAre(0, 255, 128, 0));
    Bytes pixels(24);
    std::iota(pixels.begin(), pixels.end(), 1);
    const auto colours = outputs_npz::opened({p, raw("images", "|u1", "(2, 2, 2, 3)", pixels)});
    EXPECT_EQ(colours.part.images->channels, 3u);
    EXPECT_THAT(colours.part.images->image(0), ElementsAre(1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12));
    const auto points = outputs_npz::opened({p, doubles("inputs", {2, 2}, {0.5, 1, -2, 3})});
    EXPECT_EQ(points.part.n_inputs, 2u);
    EXPECT_THAT(points.part.inputs, ElementsAre(0.5f, 1, -2, 3));
}

TEST(OutputsFile, RejectsWithOneSentence)
{
    const auto p      = floats("probabilities", {1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.5f});
    const Bytes draws = zip_of({p});
    EXPECT_EQ(
        refusal([&] { LogitsFile::open("a.npz", draws); }),
        "a.npz: contains samples of outputs, expected mean [N × K] and variance [N × K] or covariance [N × K × K]; "
        "to view samples, use: credence open.");
    EXPECT_EQ(why_no_outputs({doubles("x", {1}, {1})}),
              "a.npz: found no array “probabilities”, “logits” or “mean”, expected one of them; the arrays are x.");
    EXPECT_EQ(outputs_npz::opened({p, floats("logits", {1, 1, 2}, {0, 90})}).numbers, "logits")
        << "which are more precise than their softmax";
    EXPECT_EQ(why_no_outputs({floats("probabilities", {4}, {0.5f, 0.5f, 0.5f, 0.5f})}),
              "a.npz: probabilities have the shape 4, expected samples × rows × classes; one number per row (a sigmoid "
              "output) becomes two classes by np.stack([1 - p, p], axis=-1).");
    EXPECT_EQ(why_no_outputs({floats("probabilities", {0, 2, 2}, {})}),
              "a.npz: probabilities have the shape 0 × 2 × 2, expected at least one sample and one row.");
    EXPECT_EQ(why_no_outputs({floats("logits", {1, 2, 1}, {0, 0})}),
              "a.npz: logits have 1 class, expected 2 to 1000000; one number per row (a sigmoid output) becomes two "
              "classes by np.stack([0 * z, z], axis=-1).");
    EXPECT_THAT(why_no_outputs({p, raw("labels", "[('id', '<i4'), ('w', '<f8')]", "(2,)", Bytes(24))}),
                HasSubstr("found records with the fields “id, w” (a structured type), expected numbers of one type"));
    EXPECT_EQ(
        why_no_outputs({floats("probabilities", {1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.502f})}),
        "a.npz: probabilities of sample 0, row 1 add up to 1.002, expected 1 to within 0.001. If they were rounded (to "
        "bfloat16 or float16), divide each row by its sum, or save logits instead.");
    EXPECT_EQ(
        why_no_outputs({floats("probabilities", {2, 3}, {0.5f, 0.9f, 0.1f, 0.7f, 0.2f, 0.3f})}),
        "a.npz: probabilities of sample 0, row 0 add up to 1.5, expected 1 to within 0.001. The array was read as 1 "
        "sample × 2 rows × 3 classes. One column of sigmoid outputs p becomes two: 1 − p and p; scores before the "
        "softmax are saved as “logits”.");
    EXPECT_EQ(why_no_outputs({floats("probabilities", {2, 1, 2}, {0.5f, 0.5f, NAN, 0.5f})}),
              "a.npz: probability of sample 1, row 0, class 0 is nan, expected a number from 0 to 1.");
    EXPECT_EQ(why_no_outputs({floats("probabilities", {1, 1, 2}, {1.5f, -0.5f})}),
              "a.npz: probability of sample 0, row 0, class 0 is 1.5, expected a number from 0 to 1.");
    EXPECT_EQ(why_no_outputs({floats("logits", {1, 1, 2}, {0, -INFINITY})}),
              "a.npz: logit of sample 0, row 0, class 1 is -inf, expected a finite number.");
    EXPECT_EQ(why_no_outputs({p, integers("labels", {0, 2})}),
              "a.npz: label of row 1 is 2, expected a whole number from 0 to 1.");
    EXPECT_EQ(why_no_outputs({p, integers("labels", {0})}),
              "a.npz: labels have the shape 1, expected 2 whole numbers, one for each row of the outputs.");
    EXPECT_EQ(why_no_outputs({p, strings("class_names", {"a", "b", "c"}, 1)}),
              "a.npz: class_names have the shape 3, expected 2 strings, one for each class.");
    EXPECT_THAT(why_no_outputs({raw("probabilities", "|O", "(1, 2, 2)", Bytes(32))}),
                HasSubstr("found Python objects (type “|O”)"));
    EXPECT_THAT(why_no_outputs({raw("probabilities", "<f4", "(1, 200, 2)", Bytes(16))}),
                HasSubstr("of numbers (1 × 200 × 2)."));   // a false header
    EXPECT_THAT(why_no_outputs({p, raw("images", "|u1", "(3, 1, 2)", Bytes(6))}), HasSubstr("expected 2 images"));
    EXPECT_THAT(why_no_outputs({p, floats("images", {2, 1, 2}, {0, NAN, 0, 0})}), HasSubstr("number 1 is not finite"));
    EXPECT_THAT(why_no_outputs({p, floats("inputs", {3, 1}, {0, 0, 0})}),
                HasSubstr("found the shape 3 × 1, expected numbers [2 × d]"));
}

TEST(OutputsFile, GaussiansAloneOpenAsLogitsUnlessTheyHaveImagesOrInputs)
{
    const auto is_for_logits = [](const std::vector<ZipMember>& members) {
        return is_logits_file(OnDisk(members).file);
    };
    auto gaussians = logits_npz::four_rows();
    EXPECT_TRUE(is_for_logits(gaussians));
    EXPECT_FALSE(is_for_logits(outputs_npz::four_rows()));
    EXPECT_FALSE(is_for_logits({floats("other", {1}, {0})})) << "its error lists all possible names";
    gaussians.push_back(floats("inputs", {4, 2}, {0, 0, 1, 0, 0, 1, 1, 1}));
    EXPECT_FALSE(is_for_logits(gaussians));
}

TEST(OutputsFile, ReportsItsProgressAndStops)
{
    const OnDisk disk({floats("probabilities", {2, 50000, 2}, std::vector<float>(200000, 0.5f))});
    std::vector<double> shares;
    {
        const ProgressScope scope([&](double share) { shares.push_back(share); });
        ASSERT_TRUE(open_outputs(disk.file));
    }
    EXPECT_GT(shares.size(), 2u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LT(shares.back(), 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(open_outputs(disk.file, stop.get_token()));
}
