// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "views/image_grid.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Six images: two right and certain, one right but uncertain, one wrong and uncertain, one certain
/// but wrong by (i) only, one by (ii) only.
const std::vector<int> labels{0, 1, 2, 0, 1, 2};
const std::vector<RowPrediction> predictions{
    {.predicted              = 0,
     .confidence             = 0.99F,
     .entropy                = 0.05F,
     .mutual_information     = 0.01F,
     .certain_no_overlap     = true,
     .certain_by_probability = true},
    {.predicted              = 1,
     .confidence             = 0.98F,
     .entropy                = 0.10F,
     .mutual_information     = 0.02F,
     .certain_no_overlap     = true,
     .certain_by_probability = true},
    {.predicted              = 2,
     .confidence             = 0.40F,
     .entropy                = 1.05F,
     .mutual_information     = 0.60F,
     .certain_no_overlap     = false,
     .certain_by_probability = false},
    {.predicted              = 1,
     .confidence             = 0.50F,
     .entropy                = 0.90F,
     .mutual_information     = 0.70F,
     .certain_no_overlap     = false,
     .certain_by_probability = false},
    {.predicted              = 2,
     .confidence             = 0.80F,
     .entropy                = 0.50F,
     .mutual_information     = 0.02F,
     .certain_no_overlap     = true,
     .certain_by_probability = false},
    {.predicted              = 0,
     .confidence             = 0.96F,
     .entropy                = 0.20F,
     .mutual_information     = 0.30F,
     .certain_no_overlap     = false,
     .certain_by_probability = true},
};
const std::vector<std::string> three_garments{"boot", "bag", "coat"};

std::vector<std::uint32_t> rows(const ImageGridChoice& choice)
{
    return image_grid_rows(predictions, labels, choice).rows;
}

}   // namespace

TEST(ImageGrid, EachFilterKeepsTheMatchingImages)
{
    EXPECT_THAT(rows({}), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(rows({.filter = ImageFilter::wrong}), ElementsAre(3, 4, 5));
    EXPECT_THAT(rows({.filter = ImageFilter::right}), ElementsAre(0, 1, 2));
    EXPECT_THAT(rows({.filter = ImageFilter::uncertain}), ElementsAre(2, 3, 5));
    EXPECT_THAT(rows({.filter = ImageFilter::certain_but_wrong}), ElementsAre(4));
}

TEST(ImageGrid, TheCriterionDecidesWhatIsCertain)
{
    EXPECT_THAT(rows({.filter = ImageFilter::uncertain, .criterion = CertaintyCriterion::probability}),
                ElementsAre(2, 3, 4));
    EXPECT_THAT(rows({.filter = ImageFilter::certain_but_wrong, .criterion = CertaintyCriterion::probability}),
                ElementsAre(5));
}

TEST(ImageGrid, ClassesAndFilterWorkTogether)
{
    EXPECT_THAT(rows({.true_class = 0}), ElementsAre(0, 3));
    EXPECT_THAT(rows({.predicted_class = 2}), ElementsAre(2, 4));
    EXPECT_THAT(rows({.true_class = 1, .predicted_class = 2}), ElementsAre(4));
    EXPECT_THAT(rows({.filter = ImageFilter::right, .true_class = 1, .predicted_class = 2}), IsEmpty());
}

TEST(ImageGrid, ListedImagesAreAFilterOfTheirOwn)
{
    EXPECT_THAT(rows({.listed = {1, 3, 4}}), ElementsAre(1, 3, 4));
    EXPECT_THAT(rows({.filter = ImageFilter::wrong, .listed = {1, 3, 4}}), ElementsAre(3, 4));
    EXPECT_EQ(empty_grid_sentence({.filter = ImageFilter::wrong, .listed = {1}}, 0.95, three_garments),
              "No image is wrong among those of the clicked bar.");
}

TEST(ImageGrid, EveryFiltersCountIsTheNumberOfItsRows)
{
    for (const auto criterion : {CertaintyCriterion::no_overlap, CertaintyCriterion::probability})
        for (const std::optional<int> truth : {std::optional<int>(), std::optional<int>(1), std::optional<int>(2)})
            for (const auto filter : {ImageFilter::all, ImageFilter::wrong, ImageFilter::uncertain,
                                      ImageFilter::certain_but_wrong, ImageFilter::right}) {
                const auto all = image_grid_rows(predictions, labels, {.criterion = criterion, .true_class = truth});
                EXPECT_EQ(
                    all.count(filter),
                    static_cast<long>(rows({.filter = filter, .criterion = criterion, .true_class = truth}).size()));
                EXPECT_EQ(all.wrong + all.right, all.all);
                EXPECT_EQ(all.n, 6);
            }
}

TEST(ImageGrid, OrdersStartWithTheQuantityInTheirName)
{
    EXPECT_THAT(rows({.order = ImageOrder::entropy}), ElementsAre(2, 3, 4, 5, 1, 0));
    EXPECT_THAT(rows({.order = ImageOrder::confidence_falling}), ElementsAre(0, 1, 5, 4, 3, 2));
    EXPECT_THAT(rows({.order = ImageOrder::confidence_rising}), ElementsAre(2, 3, 4, 5, 1, 0));
    EXPECT_THAT(rows({.order = ImageOrder::mutual_information}), ElementsAre(3, 2, 5, 1, 4, 0))
        << "equal ones stay in the order of the data";
}

TEST(ImageGrid, RowsWithoutPredictionComeLastAndPassNoFilter)
{
    const std::span<const RowPrediction> first(predictions.data(), 4);
    const auto known = [&](const ImageGridChoice& choice) { return image_grid_rows(first, labels, choice).rows; };
    EXPECT_THAT(known({}), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(known({.order = ImageOrder::entropy}), ElementsAre(2, 3, 1, 0, 4, 5));
    EXPECT_THAT(known({.filter = ImageFilter::wrong}), ElementsAre(3));
    EXPECT_THAT(known({.predicted_class = 2}), ElementsAre(2));
    auto gap         = predictions;
    gap[2].predicted = -1;   // the one with most entropy
    EXPECT_THAT(image_grid_rows(gap, labels, {.order = ImageOrder::entropy}).rows, ElementsAre(3, 4, 5, 1, 0, 2));
    EXPECT_EQ(image_grid_rows(gap, labels, {}).right, 2);
    EXPECT_THAT(image_grid_rows({}, labels, {.order = ImageOrder::entropy}).rows, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ImageGrid, AnEmptyGridStatesWhy)
{
    using F = ImageFilter;
    EXPECT_EQ(empty_grid_sentence({.filter = F::certain_but_wrong}, 0.95, three_garments),
              "No image is certain but wrong at α = 0.95.");
    EXPECT_EQ(empty_grid_sentence({.filter = F::uncertain, .true_class = 1}, 0.99999, three_garments),
              "No image of class bag is uncertain at α = 0.99999.");
    EXPECT_EQ(empty_grid_sentence({.filter = F::wrong, .true_class = 1, .predicted_class = 2}, 0.95, three_garments),
              "No image of class bag predicted as coat is wrong.");
    EXPECT_EQ(empty_grid_sentence({.true_class = 0, .predicted_class = 1}, 0.95, three_garments),
              "No image of class boot is predicted as bag.");
    EXPECT_EQ(empty_grid_sentence({.predicted_class = 7}, 0.95, three_garments), "No image is predicted as 7.");
    EXPECT_EQ(empty_grid_sentence({.true_class = 0}, 0.95, three_garments), "There is no image of class boot.");
    EXPECT_EQ(empty_grid_sentence({}, 0.95, three_garments), "There are no images.");
}

TEST(ImageGrid, ItsTableNamesClassesAndVerdicts)
{
    const std::vector<std::uint32_t> shown{4, 5};
    const auto table = image_grid_table(shown, std::span(predictions).first(5), labels, three_garments);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0][0], Cell(4L));
    EXPECT_EQ(table.rows[0][1], Cell(std::string("bag")));
    EXPECT_EQ(table.rows[0][2], Cell(std::string("coat")));
    EXPECT_EQ(cell_text(table.rows[0][3], table.columns[3]), "0.8000");
    EXPECT_EQ(table.rows[0][6], Cell(std::string("yes")));
    EXPECT_EQ(table.rows[0][7], Cell(std::string("no")));
    EXPECT_EQ(table.rows[1].size(), table.columns.size()) << "a row without prediction has empty cells";
}

TEST(ImageGrid, RowsOfUnknownClassAreNeitherRightNorWrong)
{
    const std::vector<int> unknown(6, -1);
    const auto all = image_grid_rows(predictions, unknown, {});
    EXPECT_THAT(all.rows, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(all.wrong + all.right + all.certain_but_wrong, 0);
    EXPECT_EQ(all.uncertain, 3);
    EXPECT_THAT(image_grid_rows(predictions, unknown, {.filter = ImageFilter::wrong}).rows, IsEmpty());
    const auto table = image_grid_table(all.rows, predictions, unknown, three_garments);
    EXPECT_EQ(table.rows.at(0).at(1), Cell(std::string()));
}

TEST(ImageGrid, OfOodImagesFindsCertainOnesAndNamesTheirOwnClasses)
{
    const auto chosen = image_grid_rows(predictions, labels, {.filter = ImageFilter::certain});
    EXPECT_THAT(chosen.rows, ElementsAre(0, 1, 4));
    EXPECT_EQ(chosen.count(ImageFilter::certain), 3);
    EXPECT_EQ(chosen.certain + chosen.uncertain, chosen.all);
    EXPECT_THAT(rows({.filter = ImageFilter::certain, .criterion = CertaintyCriterion::probability}),
                ElementsAre(0, 1, 5));
    const std::vector<std::string> letters{"A", "B", "C"};
    EXPECT_EQ(empty_grid_sentence({.filter = ImageFilter::certain, .true_class = 1, .predicted_class = 0}, 0.95,
                                  three_garments, letters),
              "No image of class B predicted as boot is certain at α = 0.95.");
    const std::vector<std::uint32_t> shown{4};
    const auto table = image_grid_table(shown, predictions, labels, three_garments, letters);
    EXPECT_EQ(table.columns[1].name, "OOD class");
    EXPECT_EQ(table.rows[0][1], Cell(std::string("B")));
    EXPECT_EQ(table.rows[0][2], Cell(std::string("coat")));
}
