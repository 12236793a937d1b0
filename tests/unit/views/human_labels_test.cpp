// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawn.h"
#include "formats/image_format.h"
#include "formats/npy.h"
#include "unit/environment.h"
#include "unit/formats/bytes.h"
#include "unit/refusal.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr std::size_t n_test = 40;

/// Small images in the format of CIFAR-10 whose brightness depends on the class.
ImageSet small_photographs(std::size_t n, unsigned first)
{
    ImageSet set;
    set.name        = "CIFAR-10";
    set.n           = n;
    set.channels    = 3;
    set.height      = 32;
    set.width       = 32;
    set.class_names = cifar10_names();
    for (std::size_t i = 0; i < n; ++i) {
        set.labels.push_back(static_cast<int>((first + 7 * i) % 10));
        for (std::size_t j = 0; j < set.n_pixels(); ++j)
            set.pixels.push_back(static_cast<std::uint8_t>(20 * set.labels.back() + static_cast<int>((i + j) % 31)));
    }
    return set;
}

/// @param validation  images held out of the training part
RunSnapshot photographs_run(std::size_t validation = 0)
{
    Study study;
    study.name               = "photographs";
    study.data.source        = DataSource::images;
    study.data.images.set    = "cifar-10";
    study.network.hidden     = {4};
    study.posterior.family   = "mean_field";
    study.training.steps     = 5;
    study.prediction.samples = 6;
    ImageData data{small_photographs(20, 3), small_photographs(n_test, 0)};
    if (validation > 0)
        data.validation = small_photographs(validation, 5);
    const auto experiment = experiment_on(study, std::make_shared<SplitData>(to_split(data, PixelScaling::divide_255)));
    return {experiment, experiment->make_trainer()->run().last, nullptr};
}

/// 40 to 50 answers for each image; `moved` classes away from the truth.
Bytes answers(std::size_t n, std::size_t moved = 0)
{
    std::vector<std::int64_t> counts(n * 10, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t truth = (7 * i + moved) % 10;
        counts[i * 10 + truth]  = 40;
        counts[i * 10 + (truth + 1) % 10] += static_cast<std::int64_t>(i % 11);
    }
    return bytes_of(npy_bytes({{n, 10}, counts}));
}

/// Data folders of the test alone, with this file of answers.
struct HumanFolders {
    TestFolder given, home;
    Environment data{"CREDENCE_DATA_DIR", given.path().string()}, user{"XDG_DATA_HOME", home.path().string()};
    explicit HumanFolders(const Bytes& counts = {})
    {
        if (!counts.empty())
            given.write(human_labels_file_name, counts);
    }
};

std::vector<std::string> human_scores_in(const Table& table)
{
    std::vector<std::string> found;
    for (const auto& row : table.rows)
        if (const auto& name = std::get<std::string>(row[0]); name.starts_with("Human labels: "))
            found.push_back(name);
    return found;
}

}   // namespace

/// Values of the formulas in docs/maths.md, section 8, written again in Python.
TEST(HumanLabels, ScoresEqualAnIndependentImplementation)
{
    const std::vector<double> p{.7, .2,  .1,  .4, .5, .1, .1, .8, .1, .3, .3, .4,
                                .9, .05, .05, .6, .3, .1, .3, .6, .1, .2, .7, .1};
    const TestFolder folder;
    const std::vector<std::int64_t> counts{8, 1, 1, 5, 5, 0, 0, 10, 0, 2, 3, 5};
    const auto humans          = read_human_labels(folder.write("counts.npy", bytes_of(npy_bytes({{4, 3}, counts}))));
    const std::uint32_t rows[] = {0, 1, 2, 3};
    const auto found           = human_comparison(class_predictions(SampleView<double>{p, 2, 4, 3}), rows, humans);
    EXPECT_EQ(found.n, 4);
    EXPECT_NEAR(found.cross_entropy, 0.7463074547179058, 1e-12);
    EXPECT_NEAR(found.human_entropy, 0.590458013568674, 1e-12);
    EXPECT_NEAR(found.divergence, 0.15584944114923183, 1e-12);
    EXPECT_NEAR(found.total_variation, 0.16875, 1e-12);
    EXPECT_EQ(found.accuracy, 0.75) << "the second image has two most frequent answers";
    EXPECT_NEAR(found.with_entropy.value(), 0.8, 1e-12);
    EXPECT_NEAR(found.with_aleatoric.value(), 0.8, 1e-12);

    const std::uint32_t two[] = {3, 0};
    const std::vector<double> same{.2, .3, .5, .8, .1, .1};
    const auto exact = human_comparison(class_predictions(SampleView<double>{same, 1, 2, 3}), two, humans);
    EXPECT_NEAR(exact.divergence, 0, 1e-12) << "predictions equal to the shares of the answers";
    EXPECT_NEAR(exact.total_variation, 0, 1e-12);
    EXPECT_EQ(exact.accuracy, 1);
}

TEST(HumanLabels, TheRankCorrelationAveragesTiesAndIsInvariant)
{
    using Values = std::vector<double>;
    EXPECT_NEAR(rank_correlation(Values{1, 2, 2, 3, 0}, Values{5, 4, 4, 9, 1}).value(), 0.6842105263157895, 1e-12);
    EXPECT_NEAR(rank_correlation(Values{1, 2, 2, 3, 0, 7}, Values{5, 4, 6, 9, 1, 1}).value(), 0.17647058823529413,
                1e-12);
    EXPECT_NEAR(rank_correlation(Values{1, 5, 3}, Values{std::exp(1.), std::exp(5.), std::exp(3.)}).value(), 1, 1e-12);
    EXPECT_NEAR(rank_correlation(Values{1, 5, 3}, Values{-1, -5, -3}).value(), -1, 1e-12);
    EXPECT_FALSE(rank_correlation(Values{1, 2, 3}, Values{4, 4, 4}));
    EXPECT_FALSE(rank_correlation(Values{}, Values{}));
    EXPECT_THROW(rank_correlation(Values{1, std::nan(""), 3}, Values{1, 2, 3}), Error);
}

TEST(HumanLabels, AreAScatterPlotOfTheTestImagesAndRowsOfTheScores)
{
    const HumanFolders folders(answers(n_test));
    const auto run = photographs_run();
    ASSERT_FALSE(view("human_labels").why_not(*run.experiment));
    const auto chart = drawn("human_labels", run);
    EXPECT_THAT(chart.caption, HasSubstr("Rank correlation "));
    std::size_t points = 0;
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* group = std::get_if<Points>(&series))
            for (std::size_t i = 0; i < group->x.size(); ++i, ++points) {
                const double share = static_cast<double>(group->data_rows.at(i).row % 11)
                                     / static_cast<double>(40 + group->data_rows.at(i).row % 11);
                const double entropy = share == 0 ? 0 : -share * std::log(share) - (1 - share) * std::log(1 - share);
                EXPECT_NEAR(group->x[i], entropy, 1e-12) << "test image " << group->data_rows[i].row;
                EXPECT_EQ(group->data_rows[i].part, DataRow::Part::scored);
            }
    EXPECT_EQ(points, n_test);
    EXPECT_EQ(human_scores_in(scores(run)).size(), 7u);

    const auto validated = photographs_run(12);
    EXPECT_EQ(human_scores_in(scores(validated)).size(), 0u) << "of the validation set, which has other images";
    EXPECT_EQ(human_scores_in(final_test_scores(validated)).size(), 7u);
    for (const auto& series : drawn("human_labels", validated).panels.at(0).series)
        if (const auto* group = std::get_if<Points>(&series)) {
            EXPECT_TRUE(group->data_rows.empty());
        }
}

TEST(HumanLabels, OfOtherImagesAreRefusedWithTheReason)
{
    const auto run    = photographs_run();
    const auto reason = [&] { return view("human_labels").why_not(*run.experiment).value_or(""); };
    {
        const HumanFolders folders;
        EXPECT_THAT(reason(), AllOf(StartsWith("CIFAR-10H is not installed. Save "),
                                    HasSubstr((folders.given.path() / human_labels_file_name).string())));
        EXPECT_TRUE(human_scores_in(scores(run)).empty());
    }
    {
        const HumanFolders folders(answers(n_test + 2));
        EXPECT_THAT(reason(), StartsWith("The test set has 40 rows, but CIFAR-10H has 42: expected all test images"));
    }
    {
        const HumanFolders folders(answers(n_test, 1));
        EXPECT_THAT(reason(), StartsWith("The true class is the most frequent human label in only 0 % of the rows"));
        EXPECT_EQ(refusal_of("human_labels", run), reason());
        EXPECT_TRUE(human_scores_in(scores(run)).empty());
    }
    EXPECT_EQ(view("human_labels").why_not(*moons().experiment).value_or(""),
              "Human labels exist only for the test images of CIFAR-10 (CIFAR-10H).");
}

TEST(HumanLabels, AFileWithoutAnswersIsRefused)
{
    const TestFolder folder;
    const auto why_not = [&](std::vector<std::size_t> shape, std::vector<float> counts) {
        const auto file = folder.write("counts.npy", bytes_of(npy_bytes({std::move(shape), std::move(counts)})));
        return refusal([&] { read_human_labels(file); });
    };
    EXPECT_EQ(why_not({4}, {1, 2, 3, 4}),
              "counts.npy: found 4 numbers, expected images × classes with at least 2 classes.");
    EXPECT_EQ(why_not({2, 2}, {1, 2, 0, 0}), "counts.npy: row 1 has no answers, expected at least one.");
    EXPECT_EQ(why_not({2, 2}, {1, -2, 0, 1}),
              "counts.npy: found -2 in row 0, expected the number of answers, at least 0.");
}
