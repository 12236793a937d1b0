// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/contours.h"
#include "charts/triangle.h"
#include "foundation/error.h"
#include "tilted_gaussian.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/chosen_logits.h"
#include "views/simplex.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::vector<std::string> animals{"cat", "dog", "bird", "fish", "ant"};

LogitGaussian of_five() { return LogitGaussian::from_diagonal({0.2, 1.4, -1, 0.9, 0.5}, {0.5, 0.3, 1, 0.7, 0.4}); }

/// ∫ of what a panel draws, over the triangle: each cell has the area 1/(2n²).
double integral(const TernaryMap& map)
{
    return std::accumulate(map.z.begin(), map.z.end(), 0.0) / (2.0 * map.n * map.n);
}
TernaryMap map_of(const Chart& chart, std::size_t panel) { return series_of<TernaryMap>(chart.panels.at(panel)).at(0); }

std::array<double, 3> centre(const TernaryGrid& grid, int cell)
{
    const auto c = grid.corners(cell);
    return {(c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[1][1] + c[2][1]) / 3, (c[0][2] + c[1][2] + c[2][2]) / 3};
}

}   // namespace

TEST(TrianglePlaces, CornersAreInPlaceAndPositionsRoundTrip)
{
    EXPECT_DOUBLE_EQ(triangle_place(1, 0).x, 0);
    EXPECT_DOUBLE_EQ(triangle_place(0, 1).x, 1);
    EXPECT_DOUBLE_EQ(triangle_place(0, 0).x, 0.5);
    EXPECT_DOUBLE_EQ(triangle_place(0, 0).y, std::sqrt(3.0) / 2);
    for (const auto& [first, second] : {std::pair{0.2, 0.5}, {0.0, 0.0}, {0.9, 0.05}}) {
        const auto place = triangle_place(first, second);
        const auto back  = triangle_probabilities(place.x, place.y);
        EXPECT_NEAR(back.first, first, 1e-15);
        EXPECT_NEAR(back.second, second, 1e-15);
    }
    EXPECT_FALSE(triangle_probabilities(0.9, 0.8).inside());
    EXPECT_TRUE(triangle_probabilities(0.5, 0.3).inside());
}

TEST(TriangleContours, ALevelEnclosesItsShare)
{
    const auto grid = ternary_grid(Dirichlet({4, 2, 3}), 150);
    const std::vector<double> shares{0.1, 0.5, 0.9, 0.999};
    const auto levels = levels_holding(grid, shares);
    for (std::size_t k = 0; k < shares.size(); ++k) {
        double above = 0;
        for (int cell = 0; cell < 150 * 150; ++cell)
            if (grid.density(cell) >= levels[k])
                above += grid.mass[static_cast<std::size_t>(cell)];
        EXPECT_NEAR(above, shares[k], 3e-4);
    }
}

TEST(TriangleContours, RunAlongTheDensityTheyNameAndClose)
{
    const Dirichlet distribution({4, 2, 3});
    const auto grid    = ternary_grid(distribution, 150);
    const auto levels  = levels_holding(grid, std::vector{0.5});
    const double level = levels.front();
    const Line line    = contours_of(grid, levels);
    ASSERT_GT(line.x.size(), 100U);
    EXPECT_EQ(line.x.front(), line.x.back());
    EXPECT_EQ(line.y.front(), line.y.back());
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double point[] = {line.x[i], line.y[i], 1 - line.x[i] - line.y[i]};
        EXPECT_NEAR(std::exp(distribution.log_pdf(point)) / level, 1, 0.01);
        if (i > 0) {
            EXPECT_LT(std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]),
                      2.0 / 150);   // chained, no jumps
        }
    }
}

TEST(TriangleContours, OfADistributionAtASideEndAtTheBorder)
{
    const auto grid = ternary_grid(Dirichlet({0.5, 3, 3}), 100);
    const Line line = contours_of(grid, levels_holding(grid, std::vector{0.7}));
    ASSERT_FALSE(line.x.empty());
    int ends = 0;
    for (std::size_t i = 0; i < line.x.size(); ++i)
        if (i == 0 || i + 1 == line.x.size() || std::isnan(line.x[i - 1]) || std::isnan(line.x[i + 1]))
            if (!std::isnan(line.x[i])) {
                ++ends;
                EXPECT_NEAR(std::min({line.x[i], line.y[i], 1 - line.x[i] - line.y[i]}), 0, 1e-12);
            }
    EXPECT_GE(ends, 2);
}

TEST(SimplexDensity, WhatIsDrawnIntegratesToOneInBothPanels)
{
    const LogitGaussian distributions[] = {tilted(),
                                           LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}),
                                           LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1}),
                                           LogitGaussian::from_diagonal({0.3, 0, -0.2}, {1e-6, 1e-6, 1e-6}),
                                           LogitGaussian::from_diagonal({0, 1, 0}, {900, 400, 100}),
                                           LogitGaussian::from_diagonal({8, 0, 0}, {4, 1, 1})};
    for (const auto& distribution : distributions)
        for (const auto variant : bridge_variants) {
            const Chart chart = to_chart(simplex_density(distribution, animals, {.variant = variant}));
            ASSERT_EQ(chart.panels.size(), 2U) << chart.caption;
            EXPECT_NEAR(integral(map_of(chart, 0)), 1, 1e-3);
            EXPECT_NEAR(integral(map_of(chart, 1)), 1, 1e-3);
        }
}

TEST(SimplexDensity, BothPanelsAreDensitiesOfOneMeasureOnOneScale)
{
    const auto value  = simplex_density(tilted(), animals);
    const Chart chart = to_chart(value);
    const auto left = map_of(chart, 0), right = map_of(chart, 1);
    EXPECT_EQ(left.n, right.n);
    EXPECT_EQ(left.z_range, right.z_range);
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.logarithmic, right.logarithmic);
    EXPECT_EQ(left.map, right.map);
    // and the measure is that of log_pdf: the first two probabilities
    const LogisticNormal exact(tilted());
    for (const auto& [first, second] : {std::pair{0.4, 0.5}, {0.3, 0.6}, {0.6, 0.35}, {0.5, 0.4}}) {
        const int cell = value.exact.cell_of(first, second);
        const auto at  = centre(value.exact, cell);
        const double p = std::exp(exact.log_pdf(at)), q = std::exp(value.bridge->log_pdf(at));
        EXPECT_NEAR(left.z[static_cast<std::size_t>(cell)], p,
                    1e-2 * p);   // a cell has its mean, not the value at its centre
        EXPECT_NEAR(right.z[static_cast<std::size_t>(cell)], q, 1e-2 * q);
    }
}

// docs/maths.md, section 13: exact KL of the three Gaussians of Hobbhahn 2020, Fig. 5.3, of the
// bridge as used there, conditioned, and of the best Dirichlet.
TEST(SimplexDensity, NamesAtTheCornersHaveTheColoursOfTheirClasses)
{
    const auto chart = to_chart(simplex_density(tilted(), animals));
    for (const auto& panel : chart.panels)
        EXPECT_THAT(panel.triangle.value().tones, testing::ElementsAre(category(0), category(1), category(2)));
}

TEST(SimplexDensity, GivesTheExactDivergencesOfTheThreeGaussiansOfFigure53)
{
    const LogitGaussian distributions[] = {LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}),
                                           LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1}), tilted()};
    const double plain[] = {0.094687, 0.308176, 2.252320}, conditioned[] = {0.006088, 0.263790, 6.114099},
                 best[] = {0.005366, 0.247452, 1.332128};
    for (int k = 0; k < 3; ++k) {
        const auto by_plain = bridge_numbers(
            simplex_density(distributions[k], animals, {.variant = BridgeVariant::plain}));
        EXPECT_NEAR(by_plain->kl, plain[k], 6e-7);
        EXPECT_NEAR(*by_plain->best_kl, best[k], 6e-7);
        EXPECT_NEAR(
            bridge_numbers(simplex_density(distributions[k], animals, {.variant = BridgeVariant::conditioned}))->kl,
            conditioned[k], 6e-7);
        EXPECT_EQ(by_plain->standard_error, 0);
    }
}

TEST(SimplexDensity, ProjectedBridgeKeepsTheDistributionOfSoftmaxUnderAShiftOfAllLogits)
{
    const auto moved = LogitGaussian::from_covariance(
        {4, 4, 1}, {4, 3, 3.5, 3, 5, 3.3, 3.5, 3.3, 3.5});   // tilted, with N(3, 3) added to all
    const auto a = bridge_numbers(simplex_density(tilted(), animals)),
               b = bridge_numbers(simplex_density(moved, animals));
    EXPECT_NEAR(a->kl, b->kl, 1e-9);
    EXPECT_NEAR(*a->total_variation, *b->total_variation, 1e-9);
}

TEST(SimplexDensity, OfManyClassesShowsTheThreeMostProbableAmongThemselves)
{
    const auto value = simplex_density(of_five(), animals);
    EXPECT_THAT(value.classes, ElementsAre(1, 3, 4));
    EXPECT_THAT(value.names, ElementsAre("dog", "fish", "ant"));
    const std::vector<int> three{1, 3, 4};
    EXPECT_EQ(value.exact.mass, ternary_grid(LogisticNormal(of_five()).among(three), 140).mass);
    EXPECT_EQ(value.bridge->alpha(), bridge(of_five(), BridgeVariant::projected).dirichlet().among(three).alpha());
    EXPECT_THAT(to_chart(value).caption, HasSubstr("Of 5 classes these three, renormalised"));
}

TEST(SimplexDensity, MergesTheOthersOnRequest)
{
    const auto value = simplex_density(of_five(), animals, {.classes = {3, 0, 1}, .others = OtherClasses::merged});
    EXPECT_THAT(value.names, ElementsAre("fish", "cat", "the other 3"));
    const std::vector<int> group{1, 2, 2, 0, 2};
    EXPECT_EQ(value.bridge->alpha(), bridge(of_five(), BridgeVariant::projected).dirichlet().grouped(group).alpha());
    const auto numbers = bridge_numbers(value);
    EXPECT_NEAR(numbers->mean[2], 1 - expectations(of_five()).mean[3] - expectations(of_five()).mean[0], 0.01);
    EXPECT_THAT(to_chart(value).caption, HasSubstr("an approximation by the moments"));
}

TEST(SimplexDensity, RejectsCornersThatDoNotExistWithASentence)
{
    const auto sentence = [](const LogitGaussian& distribution, std::vector<int> classes) {
        try {
            simplex_density(distribution, animals, {.classes = std::move(classes), .cells = 10});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(sentence(of_five(), {0, 5, 1}), "Simplex: class 5 chosen, expected 0 to 4.");
    EXPECT_EQ(sentence(of_five(), {0, 1, 1}),
              "Simplex: class 1 chosen twice, expected different classes at the corners.");
    EXPECT_EQ(sentence(of_five(), {0, 1}), "Simplex: 2 classes chosen, expected 3.");
    EXPECT_THAT(sentence(LogitGaussian::from_diagonal({0, 0}, {1, 1}), {}),
                HasSubstr("over 2 classes found, expected at least 3"));
    EXPECT_NE(sentence(LogitGaussian::from_covariance({0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1}), {}), "");   // no density
}

TEST(SimplexDensity, WithoutADirichletOnlyTheExactDensityIsShownWithTheReason)
{
    const auto value = simplex_density(LogitGaussian::from_diagonal({800, 0, -800}, {1, 1, 1}), animals);
    EXPECT_FALSE(value.bridge);
    EXPECT_FALSE(bridge_numbers(value));
    const Chart chart = to_chart(value);
    EXPECT_EQ(chart.panels.size(), 1U);
    EXPECT_THAT(chart.caption, HasSubstr("There is no Dirichlet to show: Laplace bridge: ln alpha"));
}

TEST(SimplexDensity, ReportsADistributionNarrowerThanACell)
{
    const auto narrow = to_chart(
        simplex_density(LogitGaussian::from_diagonal({0.3, 0, -0.2}, {1e-6, 1e-6, 1e-6}), animals));
    EXPECT_THAT(narrow.caption, HasSubstr("One of the 19600 cells holds"));
    EXPECT_THAT(to_chart(simplex_density(tilted(), animals)).caption, Not(HasSubstr("cells holds")));
}

TEST(SimplexDensity, ColoursAreLogarithmicForAPeakedDensityAndTheBarStatesThis)
{
    const auto value = simplex_density(LogitGaussian::from_diagonal({0, 0, 0}, {25, 25, 25}), animals);
    const auto map   = map_of(to_chart(value), 0);
    EXPECT_TRUE(map.logarithmic);
    EXPECT_EQ(map.name, "Density (logarithmic colours)");
    EXPECT_GT(map.z_range.first, 0);
    const auto linear = map_of(to_chart(value, {.scaling = ColourScaling::linear}), 0);
    EXPECT_FALSE(linear.logarithmic);
    EXPECT_EQ(linear.z_range.first, 0);
    EXPECT_EQ(linear.name, "Density");
    EXPECT_FALSE(map_of(to_chart(simplex_density(LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}), animals)), 0)
                     .logarithmic);
}

TEST(SimplexDensity, TheTableHasTheNumbersOfTheText)
{
    auto value        = simplex_density(tilted(), animals, {.variant = BridgeVariant::plain, .samples = 50});
    value.numbers     = bridge_numbers(value);
    const Chart chart = to_chart(value);
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->columns.size(), 5U);
    EXPECT_EQ(chart.table->columns[2].name, "cat");
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), value.numbers->kl);
    EXPECT_EQ(std::get<double>(chart.table->rows[4][3]), value.bridge->alpha()[1]);
    EXPECT_EQ(std::get<std::string>(chart.table->rows.back()[0]), "Proposition 1");
    EXPECT_THAT(chart.caption, HasSubstr("KL(exact‖Dirichlet) = 2.252 nats"));
    EXPECT_EQ(series_of<Points>(chart.panels[1]).at(0).x.size(), 50U);
    EXPECT_FALSE(to_chart(value, {.table = false}).table);
    EXPECT_EQ(to_chart(value, {.over_one_another = true}).panels.size(), 1U);
}

TEST(SimplexDensity, IsExportedToCsvCellByCellAndToLatexInModerateSize)
{
    const Chart chart = to_chart(simplex_density(tilted(), animals, {.cells = 60}), {.contours = false});
    const auto table  = data_table(chart);
    EXPECT_EQ(table.rows.size(), 2U * 60 * 60);
    EXPECT_EQ(table.columns[3].name, "π(cat)");
    EXPECT_NEAR(std::get<double>(table.rows[0][3]), 1.0 / 180, 5e-5);
    const auto tex = to_latex(chart);
    EXPECT_THAT(tex, HasSubstr("patch type=triangle"));
    EXPECT_THAT(tex, HasSubstr("here means over 50"));
    EXPECT_THAT(tex, HasSubstr("{bird};"));
    std::size_t patches = 0;
    for (std::size_t at = tex.find("\n  ("); at != std::string::npos; at = tex.find("\n  (", at + 1))
        ++patches;
    EXPECT_EQ(patches, 2U * 50 * 50);
}

TEST(SimplexDensity, ItsCsvIsSmallAndStillIntegratesToOne)
{
    const Chart peaked = to_chart(simplex_density(LogitGaussian::from_diagonal({0, 0, 0}, {25, 25, 25}), animals));
    ASSERT_TRUE(map_of(peaked, 0).logarithmic);   // whose rows are the longest
    const auto table = data_table(peaked);
    EXPECT_LE(to_csv(table).size(), 3'000'000U);
    const auto density = std::find_if(table.columns.begin(), table.columns.end(),
                                      [](const Column& column) { return column.name == "value"; })
                         - table.columns.begin();
    ASSERT_LT(density, static_cast<std::ptrdiff_t>(table.columns.size()));
    std::map<std::string, double> integrals;
    for (const auto& row : table.rows)
        if (std::get<std::string>(row[2]) == "cell")
            integrals[std::get<std::string>(row[0])] += std::get<double>(row[static_cast<std::size_t>(density)])
                                                        / (2.0 * 140 * 140);
    EXPECT_THAT(integrals, testing::ElementsAre(testing::Pair("Exact", testing::DoubleNear(1, 1e-3)),
                                                testing::Pair("Laplace Bridge", testing::DoubleNear(1, 1e-3))));
}

namespace {

Study sixty_draws(const std::string& family, ToyKind kind)
{
    Study study              = small_study(family, kind);
    study.prediction.samples = 60;
    return study;
}

ViewOptions quick()
{
    ViewOptions options;
    options.simplex.density.cells = 60;
    return options;
}

}   // namespace

TEST(SimplexView, OfFourClassesShowsTwoTrianglesOfOneMeasureWithTheirNumbers)
{
    const auto run    = snapshot_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    const Chart chart = drawn("simplex", run, quick());
    ASSERT_EQ(chart.panels.size(), 2U) << chart.message << chart.caption;
    for (const auto& panel : chart.panels) {
        ASSERT_TRUE(panel.triangle);
        const auto& map = std::get<TernaryMap>(panel.series.front());
        EXPECT_NEAR(std::accumulate(map.z.begin(), map.z.end(), 0.0) / (2.0 * map.n * map.n), 1, 1e-3);
    }
    ASSERT_TRUE(chart.table);
    EXPECT_THAT(chart.caption, HasSubstr("Of 4 classes these three, renormalised"));
    EXPECT_THAT(chart.caption, HasSubstr("Input: test row 0"));
    EXPECT_THAT(chart.caption, HasSubstr("Seed 1, step 20, 60 samples"));
}

TEST(SimplexView, UsesTheRequestedVariantAndLogits)
{
    const auto run                  = snapshot_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    auto options                    = quick();
    options.simplex.density.variant = BridgeVariant::plain;
    EXPECT_THAT(drawn("simplex", run, options).caption, HasSubstr("Laplace Bridge (plain)"));
    options.logits_by = LogitsBy::linearisation;
    EXPECT_THAT(drawn("simplex", run, options).caption, HasSubstr("by linearising the network"));
}

TEST(SimplexView, FollowsTheChosenInputAndTheChosenClasses)
{
    const auto run                  = snapshot_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    auto options                    = quick();
    options.simplex.density.classes = {3, 0, 2};
    options.simplex.look            = {.over_one_another = true, .table = false};
    const Chart chart               = drawn("simplex", run, options);
    ASSERT_EQ(chart.panels.size(), 1U);
    const auto& names = run.experiment->data->training.class_names;
    EXPECT_EQ(chart.panels[0].triangle->corners, (std::array<std::string, 3>{names[3], names[0], names[2]}));
    EXPECT_FALSE(chart.table);
    options.input.values = {0.3, -2.0};
    const Chart other    = drawn("simplex", run, options);
    EXPECT_NE(std::get<TernaryMap>(chart.panels[0].series.front()).z,
              std::get<TernaryMap>(other.panels[0].series.front()).z);
}

TEST(SimplexView, OfTwoClassesIsADensityOnALine)
{
    const auto run    = snapshot_of(sixty_draws("layer_scale", ToyKind::two_moons));
    const Chart chart = drawn("simplex", run, quick());
    ASSERT_EQ(chart.panels.size(), 1U) << chart.message;
    EXPECT_FALSE(chart.panels[0].triangle);
    EXPECT_THAT(chart.caption, HasSubstr("Two classes: the exact density of π("));
}

TEST(SimplexView, StatesWhyItIsUnavailable)
{
    const auto point = snapshot_of(sixty_draws("point_estimate", ToyKind::four_gaussians));
    EXPECT_FALSE(view("simplex").applies(*point.experiment));
    EXPECT_THAT(refusal_of("simplex", point, quick()), HasSubstr("single point"));
    const auto curve = snapshot_of(sixty_draws("mean_field", ToyKind::blundell_curve));
    EXPECT_FALSE(view("simplex").applies(*curve.experiment));
    EXPECT_THAT(refusal_of("simplex", curve, quick()), HasSubstr("needs classes"));
    const auto gaussians = snapshot_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(view("simplex").make(gaussians, quick(), stop.get_token()));
}
