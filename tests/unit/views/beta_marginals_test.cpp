// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"
#include "simplex/top_k.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/beta_marginals.h"
#include "views/chosen_logits.h"
#include "views/classification_figures.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::vector<std::string> four_animals{"cat", "dog", "owl", "eel"};
const Dirichlet distribution({2, 40, 35, 0.5});

double area(const BetaMarginals::Class& one)
{
    double sum = 0;
    for (std::size_t i = 1; i < one.x.size(); ++i)
        sum += 0.5 * (one.density[i] + one.density[i - 1]) * (one.x[i] - one.x[i - 1]);
    return sum;
}

}   // namespace

TEST(BetaMarginals, AreTheMostProbableClassesWithTheirQuantiles)
{
    const auto value = beta_marginals(distribution, four_animals, 0.05);
    ASSERT_EQ(value.classes.size(), 4u);
    EXPECT_EQ(value.classes[0].name, "dog");
    EXPECT_EQ(value.classes[1].name, "owl");
    EXPECT_THAT(value.list, ElementsAre(1, 2));
    EXPECT_EQ(remaining_classes(value), "dog, owl (2 of 4 classes)");
    for (const auto& one : value.classes) {
        EXPECT_DOUBLE_EQ(one.mean, one.alpha / 77.5);
        EXPECT_NEAR(cdf(one.distribution, one.lower), 0.025, 1e-9) << one.name;
        EXPECT_NEAR(cdf_complement(one.distribution, one.upper), 0.025, 1e-9) << one.name;
    }
    EXPECT_FALSE(value.classes[0].overlap.has_value());
    EXPECT_NEAR(*value.classes[1].overlap, overlap(distribution.marginal(1), distribution.marginal(2)), 1e-15);
}

TEST(BetaMarginals, DensitiesIntegrateToOne)
{
    const auto value = beta_marginals(Dirichlet({20, 400, 350, 5}), four_animals, 0.05);
    for (const auto& one : value.classes)
        EXPECT_NEAR(area(one), 1, 2e-2) << one.name;   // the ends beyond the picture
}

TEST(BetaMarginals, TheListGrowsAsTheThresholdFalls)
{
    const Dirichlet wide({3, 5, 4, 1});
    std::size_t before = 0;
    for (const double T : {0.99, 0.6, 0.2, 0.05, 1e-4}) {
        const auto n = beta_marginals(wide, four_animals, T).list.size();
        EXPECT_GE(n, before) << T;
        before = n;
    }
    EXPECT_EQ(before, 4u);
}

TEST(BetaMarginals, FewClassesKeepTheirColours)
{
    const auto value = beta_marginals(Dirichlet({3, 5, 4, 1}), four_animals, 0.05);
    const auto lines = series_of<Line>(to_chart(value).panels.at(0));
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines[0].tone, category(1)) << "the largest α";
    EXPECT_EQ(lines[1].tone, category(2));
}

TEST(BetaMarginals, ShowsNoMoreClassesThanAllowed)
{
    const auto value = beta_marginals(Dirichlet(std::vector<double>(30, 0.7)), std::vector<std::string>(30, "x"), 0.05,
                                      5);
    EXPECT_EQ(value.classes.size(), 5u);
    EXPECT_EQ(value.list.size(), 30u);
    EXPECT_THAT(remaining_classes(value), testing::EndsWith(", … (30 of 30 classes)"));
}

TEST(BetaMarginals, ChartDrawsListedClassesSolidAndMarksTheTrueClass)
{
    const auto chart = to_chart(beta_marginals(distribution, four_animals, 0.05, 6, 0));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].style, LineStyle::solid);
    EXPECT_EQ(lines[1].style, LineStyle::solid);
    EXPECT_EQ(lines[2].style, LineStyle::dashed);
    EXPECT_EQ(lines[2].name, "cat (true) – out");
    EXPECT_THAT(chart.caption, HasSubstr("Remain: dog, owl (2 of 4 classes). True class: cat, which is excluded."));
    EXPECT_EQ(chart.table->rows.size(), 4u);
    const auto bands = series_of<Band>(chart.panels[0]);
    EXPECT_NEAR(bands[0].x.front(), beta_marginals(distribution, four_animals, 0.05).classes[0].lower, 1e-12)
        << "filled between the quantiles";
    EXPECT_NEAR(bands[0].x.back(), beta_marginals(distribution, four_animals, 0.05).classes[0].upper, 1e-12);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            ASSERT_TRUE(std::isfinite(line.x[i]) && std::isfinite(line.y[i])) << line.name;
}

TEST(BetaMarginals, OfExtremeDistributionsStayFinite)
{
    for (const auto& alpha : {std::vector<double>{1e-6, 1e-6}, {1e8, 1}, {1e8, 1e8}, {1e-6, 1e8}, {0.3, 700}}) {
        const auto chart = to_chart(beta_marginals(Dirichlet(alpha), {"a", "b"}, 0.05));
        const auto range = chart.panels.at(0).y.range.value();
        EXPECT_GT(range.second, 0) << alpha[0];
        EXPECT_TRUE(std::isfinite(range.second)) << alpha[0] << " " << alpha[1];
        EXPECT_LT(chart.panels[0].x.range->first, chart.panels[0].x.range->second) << alpha[0];
        for (const auto& line : series_of<Line>(chart.panels[0]))
            for (const double y : line.y)
                ASSERT_TRUE(std::isfinite(y)) << alpha[0] << " " << alpha[1];
    }
}

TEST(BetaMarginals, RejectThresholdsOutsideZeroAndOneAndNamesThatDoNotFit)
{
    for (const double T : std::initializer_list<double>{0.0, 1.0, -1.0, NAN})
        EXPECT_THROW(beta_marginals(distribution, four_animals, T), Error) << T;
    EXPECT_THAT([] { beta_marginals(distribution, {"a"}, 0.05); },
                testing::ThrowsMessage<Error>("Beta marginals: 1 names found, expected one for each of 4 classes."));
}

TEST(ListLengths, AreCountedAsShares)
{
    const ListLengths value{{0, 6, 3, 0, 1}, 0.05, 10, 0.8, 0.9, "rows of the test set"};
    EXPECT_EQ(value.total(), 10);
    EXPECT_DOUBLE_EQ(value.mean(), 1.6);
    const auto chart = to_chart(value);
    const auto bars  = series_of<Bars>(chart.panels.at(0)).at(0);
    EXPECT_THAT(bars.position, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(bars.height, ElementsAre(0.6, 0.3, 0, 0.1));
    EXPECT_EQ(chart.panels[0].title, "Mean length 1.600, top-1 0.800, in the list 0.900");
    EXPECT_EQ(chart.table->rows.size(), 3u) << "lengths that occur";
}

TEST(ListLengths, OfLongListsShareBarsWithoutLoss)
{
    std::vector<long> counts(501, 1);
    counts[0]       = 0;
    const auto bars = series_of<Bars>(to_chart(ListLengths{counts, 0.05, 1000, {}, {}, ""}).panels.at(0)).at(0);
    EXPECT_LE(bars.height.size(), 40u);
    EXPECT_NEAR(std::accumulate(bars.height.begin(), bars.height.end(), 0.0), 1, 1e-12);
}

TEST(ListLengths, OfNothingStatesThis) { EXPECT_EQ(to_chart(ListLengths{}).message, "There are no lists to count."); }

namespace {

Study four_gaussians(const std::string& family)
{
    Study study          = small_study(family, ToyKind::four_gaussians);
    study.data.toy.n     = 80;
    study.training.steps = 60;
    return study;
}

const RunSnapshot& top_k_snapshot()
{
    static const auto the = snapshot_of(four_gaussians("mean_field"));
    return the;
}

std::vector<double> bars_of(const Chart& chart)
{
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* bars = std::get_if<Bars>(&series))
            return bars->height;
    return {};
}

}   // namespace

TEST(BetaMarginalsView, IsOfTheChosenInputByTheBridgeOfItsLogits)
{
    ViewOptions options;
    options.input.row               = 3;
    options.top_k.threshold         = 0.2;
    options.simplex.density.variant = BridgeVariant::projected;
    const auto chart                = drawn("beta_marginals", top_k_snapshot(), options);
    const auto distribution         = bridged(*chosen_logits(top_k_snapshot(), options, LogitsBy::samples),
                                              BridgeVariant::projected);
    const auto list                 = uncertain_top_k(distribution, 0.2).selected;
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 4u);
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), distribution.alpha()[static_cast<std::size_t>(list.front())]);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(std::get<std::string>(chart.table->rows[i].back()), i < list.size() ? "yes" : "no");
    EXPECT_THAT(chart.caption, testing::AllOf(HasSubstr("T = 0.2"), HasSubstr("Input: test row 3."),
                                              HasSubstr("True class: "), HasSubstr("Laplace Bridge: projected")));
}

TEST(ListLengthsView, CountsTheListsOfTheTestSetWithTheirAccuracies)
{
    ViewOptions options;
    const auto chart = drawn("list_lengths", top_k_snapshot(), options);
    const auto& test = top_k_snapshot().experiment->data->test;
    std::vector<double> lengths(5, 0);
    double right = 0, listed = 0;
    for (options.input.row = 0; options.input.row < test.n_rows; ++options.input.row) {
        const auto list = uncertain_top_k(bridged(*chosen_logits(top_k_snapshot(), options, LogitsBy::samples),
                                                  options.simplex.density.variant),
                                          options.top_k.threshold)
                              .selected;
        lengths[list.size()] += 1.0 / static_cast<double>(test.n_rows);
        right += list.front() == test.labels[options.input.row];
        listed += std::find(list.begin(), list.end(), test.labels[options.input.row]) != list.end();
    }
    const auto bars = bars_of(chart);
    for (std::size_t l = 1; l <= bars.size(); ++l)
        EXPECT_NEAR(bars[l - 1], lengths[l], 1e-12) << l;
    EXPECT_NEAR(std::accumulate(bars.begin(), bars.end(), 0.0), 1, 1e-12);
    char words[100];
    std::snprintf(words, sizeof words, "top-1 %.3f, in the list %.3f", right / static_cast<double>(test.n_rows),
                  listed / static_cast<double>(test.n_rows));
    EXPECT_THAT(chart.panels[0].title, HasSubstr(words));
    EXPECT_GE(listed, right);
}

TEST(ListLengthsView, SamplesRowsEvenlyAndStatesThis)
{
    ViewOptions options;
    options.rows = 5;
    EXPECT_THAT(drawn("list_lengths", top_k_snapshot(), options).caption,
                HasSubstr("5 of 16 rows, evenly spaced over the set."));
}

TEST(TopKViews, UseTheRequestedLogits)
{
    ViewOptions options;
    for (const auto by : {LogitsBy::linearisation, LogitsBy::samples}) {
        options.logits_by       = by;
        const auto distribution = bridged(*chosen_logits(top_k_snapshot(), options, by),
                                          options.simplex.density.variant);
        const auto list         = uncertain_top_k(distribution, options.top_k.threshold).selected;
        const auto chart        = drawn("beta_marginals", top_k_snapshot(), options);
        EXPECT_EQ(std::get<double>(chart.table->rows[0][1]),
                  distribution.alpha()[static_cast<std::size_t>(list.front())]);
        const char* const words = by == LogitsBy::linearisation ? "Logits by linearisation"
                                                                : "Logits by sample moments";
        EXPECT_THAT(chart.caption, HasSubstr(words));
        EXPECT_THAT(drawn("list_lengths", top_k_snapshot(), options).caption, HasSubstr(words));
    }
}

TEST(TopKViews, NeedUncertainWeights)
{
    const auto experiment = prepare(four_gaussians("point_estimate"));
    for (const char* id : {"beta_marginals", "list_lengths"}) {
        EXPECT_FALSE(view(id).applies(*experiment)) << id;
        EXPECT_TRUE(view(id).applies(*top_k_snapshot().experiment)) << id;
        EXPECT_THAT(refusal_of(id, snapshot_of(four_gaussians("point_estimate"))),
                    HasSubstr("their distribution is a single point"))
            << id;
    }
}

TEST(TopKViews, StopOnRequest)
{
    std::stop_source stop;
    stop.request_stop();
    for (const char* id : {"beta_marginals", "list_lengths"})
        EXPECT_FALSE(view(id).make(top_k_snapshot(), {}, stop.get_token())) << id;
}
