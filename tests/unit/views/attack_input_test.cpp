// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/drawn.h"
#include "views/attacker.h"
#include "views/image_rows.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

const RunSnapshot& strokes_to_attack()
{
    static const auto run = [] {
        Study study                       = small_study("mean_field");
        study.data.source                 = DataSource::strokes;
        study.data.images.training_images = 120;
        study.data.images.test_images     = 30;
        study.network.hidden              = {12};
        return snapshot_of(study);
    }();
    return run;
}

/// The rule across the panel of probabilities with this label.
std::optional<double> rule_at(const Chart& chart, const std::string& label)
{
    for (const auto& series : chart.panels.at(chart.panels.size() - 2).series)
        if (const auto* rule = std::get_if<Rule>(&series); rule && rule->label == label)
            return rule->at;
    return std::nullopt;
}

int decision_on(const RunSnapshot& run, const std::vector<double>& input)
{
    std::vector<float> x(input.begin(), input.end());
    run.experiment->data->inputs.apply(x);
    return class_predictions(view_support::predictive_of(run, {}).summarise(x, 1)).predicted.front();
}

}   // namespace

TEST(AttackInputView, ShowsTheImageTheAttackedImageAndTheDifference)
{
    ViewOptions options;
    options.input.row      = 4;
    options.attack.epsilon = 0.2;
    const auto chart       = drawn("attack_input", strokes_to_attack(), options);
    const auto pictures    = std::get<Pictures>(chart.panels.at(0).series.at(0)).pictures;
    ASSERT_EQ(pictures.size(), 3U);
    const auto bytes = image_bytes(*strokes_to_attack().experiment, ImagePart::test, 4);
    EXPECT_THAT(pictures[0].pixels, testing::ElementsAreArray(bytes));
    int moved = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int change = pictures[1].pixels[i] - bytes[i];
        EXPECT_LE(std::abs(change), 51);
        moved += std::abs(change) == 51;
        if (change != 0) {
            EXPECT_EQ(pictures[2].pixels[i] > 127, change > 0) << "pixel " << i;
        }
    }
    EXPECT_GT(moved, 100);
    EXPECT_EQ(pictures[1].caption, "ε = 0.2");
    EXPECT_EQ(chart.panels.size(), 3U);
    EXPECT_THAT(chart.caption, HasSubstr("of test image 4 against the strength ε of an attack on its class "));
}

TEST(AttackInputView, IsTheSameForAnInputAndForItsAttackedVersion)
{
    ViewOptions before;
    before.input.row      = 3;
    before.attack.epsilon = 0.1;
    const auto attacked   = attacked_input(moons(), before, {}).value();
    EXPECT_EQ(attacked.name, "test row 3, attacked with ε = 0.1");
    EXPECT_EQ(attacked.label, moons().experiment->data->test.labels[3]);
    for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(std::abs(attacked.input[static_cast<std::size_t>(j)]
                             - static_cast<double>(moons().experiment->data->test.row(3)[static_cast<std::size_t>(j)])),
                    0.1, 1e-5);
    auto after              = before;
    after.input.values      = attacked.input;
    after.input.name        = attacked.name;
    after.input.label       = attacked.label;
    after.attack.unattacked = InputChoice{{}, "", {}, 3};
    const auto a = drawn("attack_input", moons(), before), b = drawn("attack_input", moons(), after);
    EXPECT_EQ(a.caption, b.caption);
    EXPECT_EQ(std::get<Line>(a.panels[0].series[0]).y, std::get<Line>(b.panels[0].series[0]).y);
    EXPECT_FALSE(rule_at(a, "on show"));
    EXPECT_EQ(rule_at(b, "on show"), 0.1);
}

TEST(AttackInputView, TheSmallestStrengthChangesTheDecision)
{
    int found = 0;
    for (std::size_t row = 0; row < 12; ++row) {
        ViewOptions options;
        options.input.row      = row;
        options.attack.epsilon = 1.5;   // the curve goes so far
        const auto chart       = drawn("attack_input", moons(), options);
        const auto smallest    = rule_at(chart, "decision changes");
        const auto test_row    = moons().experiment->data->test.row(row);
        const int undisturbed  = decision_on(moons(), {test_row.begin(), test_row.end()});
        if (!smallest) {
            EXPECT_THAT(chart.caption, HasSubstr("No ε up to 1.5 changes the decision"));
            continue;
        }
        ++found;
        EXPECT_THAT(chart.caption, HasSubstr("Smallest ε that changes the decision"));
        options.attack.epsilon = *smallest;
        EXPECT_NE(decision_on(moons(), attacked_input(moons(), options, {})->input), undisturbed) << "row " << row;
    }
    EXPECT_GT(found, 0);
}

TEST(AttackInputView, AttacksThePredictedClassIfTheTrueOneIsUnknown)
{
    ViewOptions options;
    options.input.values = {0.5, 0.25};
    EXPECT_THAT(drawn("attack_input", moons(), options).caption,
                HasSubstr("the class predicted without the attack, "
                          + moons().experiment->data->training.class_names[static_cast<std::size_t>(
                              decision_on(moons(), options.input.values))]));
    EXPECT_FALSE(attacked_input(moons(), options, {})->label);
    options.attack.epsilon = -1;
    EXPECT_EQ(refusal_of("attack_input", moons(), options), "The strength ε of the attack is -1, expected at least 0.");
    std::stop_source source;
    source.request_stop();
    options.attack.epsilon = 0.1;
    EXPECT_FALSE(attacked_input(moons(), options, source.get_token()));
    EXPECT_FALSE(view("attack_input").make(moons(), options, source.get_token()));
}
