// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/class_predictions.h"
#include "unit/views/drawn.h"
#include "unit/views/linear_run.h"
#include "views/intervals.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// Two draws of one input over three classes: (0.6, 0.3, 0.1) and (0.2, 0.7, 0.1), mean (0.4, 0.5, 0.1).
const OutputSamples& uncertain()
{
    static const OutputSamples samples{2, 1, 3, {0.6f, 0.3f, 0.1f, 0.2f, 0.7f, 0.1f}};
    return samples;
}
const OutputSamples& sure()
{
    static const OutputSamples samples{2, 1, 3, {0.98f, 0.01f, 0.01f, 0.97f, 0.02f, 0.01f}};
    return samples;
}
const std::vector<std::string> three_animals{"cat", "dog", "owl"};

}   // namespace

TEST(Verdict, SummarisesClassAndCertainty)
{
    EXPECT_EQ(headline(verdict_of(view_of(uncertain()), 0, 0.95, three_animals, "test image 3", 0)),
              // −.4 ln .4 − .5 ln .5 − .1 ln .1 = 0.943
              "test image 3: true cat, predicted dog (p̄ = 0.50, entropy 0.94 nats)");
    EXPECT_EQ(headline(verdict_of(view_of(sure()), 0, 0.95, three_animals, "drawn image")),
              "drawn image: predicted cat (p̄ = 0.98, entropy 0.13 nats)");
}

TEST(Verdict, EntropyIsTheSumOfItsParts)
{
    const auto value = verdict_of(view_of(uncertain()), 0, 0.95, three_animals, "");
    const auto H = [](double a, double b, double c) { return -a * std::log(a) - b * std::log(b) - c * std::log(c); };
    EXPECT_NEAR(value.entropy, H(0.4, 0.5, 0.1), 1e-6);
    EXPECT_NEAR(value.expected_entropy, (H(0.6, 0.3, 0.1) + H(0.2, 0.7, 0.1)) / 2, 1e-6);
    EXPECT_NEAR(value.entropy, value.expected_entropy + value.mutual_information, 1e-9);
}

TEST(Verdict, ItsTableDescribesBothCriteriaInWords)
{
    const auto chart = to_chart(verdict_of(view_of(uncertain()), 0, 0.95, three_animals, "test image 3", 0));
    EXPECT_EQ(verdict_cell(chart, verdict_row::predicted), "dog");
    EXPECT_EQ(verdict_cell(chart, verdict_row::true_class), "cat");
    EXPECT_EQ(verdict_cell(chart, verdict_row::overlap),
              "Uncertain by (i): the 95 % interval of dog overlaps another class's interval.");
    EXPECT_EQ(verdict_cell(chart, verdict_row::probability),
              "Uncertain by (ii): its mean probability 0.5 is below 0.95.");
    EXPECT_THAT(verdict_cell(chart, verdict_row::headline), HasSubstr("predicted dog"));
    EXPECT_EQ(verdict_cell(chart, "nothing of the kind"), "");
    EXPECT_EQ(verdict_cell(Chart{}, verdict_row::predicted), "");
}

TEST(Verdict, CertaintyIsAvailableWithoutParsingText)
{
    const auto sureOne      = to_chart(verdict_of(view_of(sure()), 0, 0.95, three_animals, ""));
    const auto uncertainOne = to_chart(verdict_of(view_of(uncertain()), 0, 0.95, three_animals, ""));
    for (const char* row : {verdict_row::overlap, verdict_row::probability}) {
        EXPECT_TRUE(verdict_is_certain(sureOne, row));
        EXPECT_FALSE(verdict_is_certain(uncertainOne, row));
        EXPECT_FALSE(verdict_is_certain(Chart{}, row));
    }
}

TEST(Verdict, OfAConfidentInputIsCertainByBothAndHasNoTrueClassIfUnknown)
{
    const auto chart = to_chart(verdict_of(view_of(sure()), 0, 0.95, three_animals, "drawn image"));
    EXPECT_THAT(verdict_cell(chart, verdict_row::overlap), HasSubstr("Certain by (i)"));
    EXPECT_THAT(verdict_cell(chart, verdict_row::probability), HasSubstr("Certain by (ii)"));
    EXPECT_EQ(verdict_cell(chart, verdict_row::true_class), "");
}

TEST(Verdict, OfANumberHasItsMeanIntervalAndBothParts)
{
    const auto run    = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0.2F}, {0.8F, -0.3F, 0.1F, -0.1F, 0.4F}});
    const auto& data  = *run.experiment->data;
    const auto chart  = drawn("verdict", run);
    const auto number = [&](const std::string& row) {
        for (const auto& cells : chart.table->rows)
            if (std::get<std::string>(cells[0]) == row)
                return std::get<double>(cells[1]);
        return std::nan("");
    };
    EXPECT_EQ(number(verdict_row::observed), data.test.targets[0]);
    EXPECT_NEAR(number(verdict_row::epistemic), 0.1 * data.target_sd, 1e-4 * data.target_sd);
    const double total = number("Standard deviation of a new observation");
    EXPECT_NEAR(total, std::hypot(number(verdict_row::epistemic), number(verdict_row::aleatoric)), 1e-9 * total);
    EXPECT_LT(number("90 % interval, from"), number(verdict_row::mean));
    EXPECT_GT(number("90 % interval, to"), number(verdict_row::mean));
    EXPECT_THAT(verdict_cell(chart, verdict_row::headline), HasSubstr("test row 0: observed "));

    const auto lines = verdict_lines(chart);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].first, "Observed");
    EXPECT_EQ(lines[2].first, "90 % interval");
    EXPECT_EQ(lines[3], (std::pair<std::string, std::string>("Epistemic / aleatoric",
                                                             number_text(number(verdict_row::epistemic), 3) + " / "
                                                                 + number_text(number(verdict_row::aleatoric), 3))));
    const auto classes = verdict_lines(
        to_chart(verdict_of(view_of(uncertain()), 0, 0.95, three_animals, "test image 3", 0)));
    EXPECT_EQ(classes[1], (std::pair<std::string, std::string>("Predicted class", "dog")));
}
