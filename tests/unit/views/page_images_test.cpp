// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/prediction/two_classes.h"
#include "views/classification_figures.h"
#include "views/page_images.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;
using testing::HasSubstr;

namespace {

const std::vector<std::string> numbered_classes{"0", "1", "2", "3", "4"};

PageImage image(int truth, int predicted, double confidence)
{
    PageImage out;
    out.picture    = {.columns = 1, .rows = 1, .pixels = {7}};
    out.row        = 4321;
    out.truth      = truth;
    out.predicted  = predicted;
    out.confidence = confidence;
    return out;
}

std::vector<Picture> pictures_in(const Panel& panel) { return series_of<Pictures>(panel).at(0).pictures; }

}   // namespace

TEST(TrueAndPredicted, NamesBothClassesInTwoLinesWhereTheyAreLong)
{
    EXPECT_EQ(true_and_predicted(image(4, 0, 1), numbered_classes), "4 → 0");
    EXPECT_EQ(true_and_predicted(image(0, 1, 1), {"ankle boot", "sneaker"}), "ankle boot\n→ sneaker");
    PageImage ood = image(0, 1, 1);
    ood.truth.reset();
    EXPECT_EQ(true_and_predicted(ood, numbered_classes), "→ 1");
}

TEST(CertainButWrongPage, ShowsTheFailedCriterionBelowEachImage)
{
    CertainButWrong page{.n              = 10000,
                         .wrong          = 95,
                         .by_overlap     = 1,
                         .by_probability = 1,
                         .by_either      = 2,
                         .shown          = {image(4, 0, 0.99876), image(2, 3, 0.97)},
                         .class_names    = numbered_classes};
    page.shown[0].by_overlap = page.shown[0].by_probability = true;
    page.shown[1].by_overlap                                = true;
    const auto chart                                        = to_chart(page);
    const auto shown                                        = pictures_in(chart.panels.at(0));
    EXPECT_EQ(shown.at(0).caption, "4 → 0\n0.9988\n(i) (ii)\nno. 4321");
    EXPECT_EQ(shown.at(1).caption, "2 → 3\n0.9700\n(i)\nno. 4321");
    EXPECT_EQ(chart.panels[0].title, "2 of 10000 certain but wrong");
    EXPECT_THAT(chart.caption, HasSubstr("2 among 95 wrong ones of 10000, 1 by (i) and 1 by (ii)"));
}

TEST(CertainButWrongPage, ReportsHowManyAreNotShown)
{
    CertainButWrong page{.n              = 100,
                         .wrong          = 40,
                         .by_overlap     = 30,
                         .by_probability = 0,
                         .by_either      = 30,
                         .shown          = std::vector<PageImage>(24, image(1, 2, 0.9)),
                         .class_names    = numbered_classes};
    EXPECT_THAT(to_chart(page).caption, HasSubstr("The 24 most confident ones are shown."));
}

TEST(CertainButWrongPage, StatesWhenThereAreNone)
{
    EXPECT_EQ(
        to_chart(CertainButWrong{.n = 200, .wrong = 3, .shown = {}, .class_names = numbered_classes}).message,
        "None of the 200 images is wrong with certainty at α = 95 %: of the 3 wrong ones each is uncertain by both "
        "criteria.");
    EXPECT_THAT(to_chart(CertainButWrong{.shown = {}, .class_names = {}}).message, HasSubstr("no labelled images"));
}

TEST(ImageListPage, HasAPanelForEachMeasureAndFramesTheWrongOnes)
{
    ImagePage list{.rows        = {{"Doubtful", "H", &PageImage::entropy, {image(1, 1, 0.5), image(1, 2, 0.4)}},
                                   {"None", "H", &PageImage::entropy, {}}},
                   .class_names = numbered_classes,
                   .n           = 2};
    list.rows[0].images[0].entropy = 1.5;
    const auto chart               = to_chart(list);
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto shown = pictures_in(chart.panels[0]);
    EXPECT_EQ(shown.at(0).caption, "1 → 1\nH 1.500");
    EXPECT_FALSE(shown[0].frame);
    EXPECT_EQ(shown.at(1).frame, Tone{Tone::Kind::wrong});
}

TEST(OodFigure, CountsBothSetsInTheSameBinsUpToTheLargestEntropy)
{
    const auto figure = ood_figure(two_classes({0.99, 0.5, 0.98, 0.03}), two_classes({0.5, 0.6}), "own", "foreign");
    EXPECT_EQ(figure.in_entropy.first, figure.out_entropy.first);
    EXPECT_EQ(figure.in_entropy.width, figure.out_entropy.width);
    const auto& counts = figure.in_entropy.counts;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0L), 4);   // none is beyond the ends, ln 2 itself included
    EXPECT_EQ(counts.back(), 1);
    EXPECT_NEAR(figure.at.back(), std::log(2), 1e-15);
    EXPECT_EQ(figure.in_cdf.back(), 1);
    EXPECT_EQ(figure.out_cdf.back(), 1);
    EXPECT_TRUE(std::is_sorted(figure.out_cdf.begin(), figure.out_cdf.end()));
}

TEST(OodFigure, DrawsSharesThatAddUpToOneAndTheTableOfBoth)
{
    const auto chart = to_chart(
        ood_figure(two_classes({0.99, 0.5, 0.98, 0.03}), two_classes({0.5, 0.6}), "own", "foreign"));
    ASSERT_EQ(chart.panels.size(), 2u);
    for (const auto& bars : series_of<Bars>(chart.panels[0]))
        EXPECT_NEAR(std::accumulate(bars.height.begin(), bars.height.end(), 0.0), 1, 1e-12) << bars.name;
    EXPECT_EQ(chart.table->columns.at(2).name, "foreign");
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(0).at(1)), (0.99 + 0.5 + 0.98 + 0.97) / 4, 1e-15);
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(0).at(3)), 6.5 / 8,
                1e-15);   // 3 own are surer than both; the fourth ties with one, loses to one
}
