// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_dock.h"
#include "window_driver.h"

#include "views/image_rows.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// The window with the page of the attack in front.
class AttackPage : public WindowDriver {
public:
    AttackPage()
    {
        showView("attack_input");
        EXPECT_TRUE(settled());
    }
    bool settled()
    {
        return waitFor([&] { return !find<AttackControl>("attackControl")->busy(); }) && waitForPictures();
    }
    void setEpsilon(double epsilon)
    {
        find<QDoubleSpinBox>("attackEpsilon")->setValue(epsilon);
        EXPECT_TRUE(settled());
    }
    ViewOptions options() { return window().context().requests.chosen(); }
    const Chart& chart() { return window().panel("attack_input")->chart(); }
};

double rule_on_show(const Chart& chart)
{
    for (const auto& panel : chart.panels)
        for (const auto& series : panel.series)
            if (const auto* rule = std::get_if<Rule>(&series); rule && rule->label == "on show")
                return rule->at;
    return -1;
}

}   // namespace

TEST(AttackOfTheChosenInput, ChoosesTheAttackedPointAndRestoresTheOriginal)
{
    AttackPage page;
    page.find<QSpinBox>("inputRow")->setValue(3);
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.chart().id, "attack_input");
    EXPECT_EQ(page.chart().message, "");
    EXPECT_EQ(rule_on_show(page.chart()), -1) << "nothing is attacked yet";
    page.setEpsilon(0.2);
    const auto row      = page->session().run().current().experiment->data->test.row(3);
    const auto attacked = page.options();
    ASSERT_EQ(attacked.input.values.size(), 2U);
    for (std::size_t j = 0; j < 2; ++j)
        EXPECT_NEAR(std::abs(attacked.input.values[j] - static_cast<double>(row[j])), 0.2, 1e-5);
    EXPECT_THAT(attacked.input.name, HasSubstr("test row 3, attacked with ε = 0.2"));
    EXPECT_EQ(attacked.input.row, 3U);
    EXPECT_EQ(rule_on_show(page.chart()), 0.2);

    // Stronger: from the point itself, not from the attacked one. Boxplots follow.
    page.setEpsilon(0.3);
    EXPECT_NEAR(std::abs(page.options().input.values[0] - static_cast<double>(row[0])), 0.3, 1e-5);
    page.showView("boxplots");
    ASSERT_TRUE(page.waitForPictures());
    EXPECT_THAT(page->panel("boxplots")->chart().caption, HasSubstr("attacked with ε = 0.3"));

    page.setEpsilon(0);
    EXPECT_TRUE(page.options().input.values.empty());
    EXPECT_EQ(page.options().input.row, 3U);

    // Another kind attacks the same point again; another point ends the attack.
    page.setEpsilon(0.1);
    auto* kind = page.find<QComboBox>("attackKind");
    kind->setCurrentIndex(kind->findData(static_cast<int>(AttackKind::random_signs)));
    ASSERT_TRUE(page.settled());
    EXPECT_NEAR(std::abs(page.options().input.values[0] - static_cast<double>(row[0])), 0.1, 1e-5);
    page.find<QSpinBox>("inputRow")->setValue(5);
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.find<QDoubleSpinBox>("attackEpsilon")->value(), 0);
    EXPECT_TRUE(page.options().input.values.empty());
    EXPECT_EQ(page.options().input.row, 5U);
}

TEST(AttackOfTheChosenInput, OfAnImageIsInTheWorkbench)
{
    AttackPage page;
    Study digits                       = page.study();
    digits.data.source                 = DataSource::strokes;
    digits.data.images.training_images = 60;
    digits.data.images.test_images     = 20;
    digits.network.hidden              = {12};
    digits.prediction.samples          = 20;
    page->session().setStudy(digits);
    ASSERT_TRUE(page.waitFor([&] {
        return page->session().run().current().experiment && has_images(*page->session().run().current().experiment);
    }));
    ASSERT_TRUE(page.settled());
    page.showView("attack_input");
    page.setEpsilon(0.1);
    const auto attacked = page.options();
    ASSERT_EQ(attacked.input.values.size(), 784U);
    EXPECT_EQ(attacked.input.row, 0U);
    EXPECT_EQ(attacked.input.label, page->session().run().current().experiment->data->test.labels[0]);
    const auto bytes = image_bytes(*page->session().run().current().experiment, ImagePart::test, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        EXPECT_LE(std::abs(attacked.input.values[i] - bytes[i]), 25.5 + 1e-3);
        EXPECT_GE(attacked.input.values[i], -1e-3);
        EXPECT_LE(attacked.input.values[i], 255 + 1e-3);
    }
    ASSERT_EQ(page.chart().panels.size(), 3U) << page.chart().message;
    EXPECT_EQ(std::get<Pictures>(page.chart().panels[0].series.at(0)).pictures.size(), 3U);
    EXPECT_EQ(rule_on_show(page.chart()), 0.1);
}
