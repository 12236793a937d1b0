// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "outputs/bridge_of_file.h"
#include "simplex/top_k.h"
#include "unit/views/drawn.h"
#include "views/chosen_logits.h"

#include <gmock/gmock.h>

#include <numeric>

using namespace credence;
using testing::HasSubstr;

namespace {

Study four_gaussians(const std::string& family)
{
    Study study          = small_study(family, ToyKind::four_gaussians);
    study.data.toy.n     = 80;
    study.training.steps = 60;
    return study;
}

const RunSnapshot& top_k_moment()
{
    static const auto the = moment_of(four_gaussians("mean_field"));
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
    options.row             = 3;
    options.top_k_threshold = 0.2;
    options.bridge_variant  = BridgeVariant::projected;
    const auto chart        = drawn("beta_marginals", top_k_moment(), options);
    const auto law  = bridged(*chosen_logits(top_k_moment(), options, LogitsBy::draws), BridgeVariant::projected);
    const auto list = uncertain_top_k(law, 0.2).selected;
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 4u);
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), law.alpha()[static_cast<std::size_t>(list.front())]);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(std::get<std::string>(chart.table->rows[i].back()), i < list.size() ? "yes" : "no");
    EXPECT_THAT(chart.caption, testing::AllOf(HasSubstr("T = 0.2"), HasSubstr("Input: test row 3."),
                                              HasSubstr("True class: "), HasSubstr("Laplace Bridge: projected")));
}

TEST(ListLengthsView, CountsTheListsOfTheTestSetWithTheirAccuracies)
{
    ViewOptions options;
    const auto chart = drawn("list_lengths", top_k_moment(), options);
    const auto& test = top_k_moment().experiment->data->test;
    std::vector<double> lengths(5, 0);
    double right = 0, listed = 0;
    for (options.row = 0; options.row < test.n_rows; ++options.row) {
        const auto list = uncertain_top_k(
                              bridged(*chosen_logits(top_k_moment(), options, LogitsBy::draws), options.bridge_variant),
                              options.top_k_threshold)
                              .selected;
        lengths[list.size()] += 1.0 / static_cast<double>(test.n_rows);
        right += list.front() == test.labels[options.row];
        listed += std::find(list.begin(), list.end(), test.labels[options.row]) != list.end();
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

TEST(ListLengthsView, SamplesRowsEvenlyAndSaysSo)
{
    ViewOptions options;
    options.rows = 5;
    EXPECT_THAT(drawn("list_lengths", top_k_moment(), options).caption,
                HasSubstr("5 of 16 rows, evenly spaced over the set."));
}

TEST(TopKViews, UseTheRequestedLogits)
{
    ViewOptions options;
    for (const auto by : {LogitsBy::linearisation, LogitsBy::draws}) {
        options.logits_by = by;
        const auto law    = bridged(*chosen_logits(top_k_moment(), options, by), options.bridge_variant);
        const auto list   = uncertain_top_k(law, options.top_k_threshold).selected;
        const auto chart  = drawn("beta_marginals", top_k_moment(), options);
        EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), law.alpha()[static_cast<std::size_t>(list.front())]);
        const char* const words = by == LogitsBy::linearisation ? "Logits by linearisation"
                                                                : "Logits by sample moments";
        EXPECT_THAT(chart.caption, HasSubstr(words));
        EXPECT_THAT(drawn("list_lengths", top_k_moment(), options).caption, HasSubstr(words));
    }
}

TEST(TopKViews, NeedUncertainWeights)
{
    const auto experiment = prepare(four_gaussians("point_estimate"));
    for (const char* id : {"beta_marginals", "list_lengths"}) {
        EXPECT_FALSE(view(id).applies(*experiment)) << id;
        EXPECT_TRUE(view(id).applies(*top_k_moment().experiment)) << id;
        EXPECT_THAT(refusal_of(id, moment_of(four_gaussians("point_estimate"))),
                    HasSubstr("their distribution is a single point"))
            << id;
    }
}

TEST(TopKViews, StopOnRequest)
{
    std::stop_source stop;
    stop.request_stop();
    for (const char* id : {"beta_marginals", "list_lengths"})
        EXPECT_FALSE(view(id).make(top_k_moment(), {}, stop.get_token())) << id;
}
