// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "charts/chart.h"
#include "study/presets.h"
#include "views/views.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <fstream>

using namespace credence;

namespace {

/// Trains on a table of two numbers and a colour with a numeric target.
void trainOnColours(WindowDriver& window, const QTemporaryDir& folder)
{
    const std::string file = folder.filePath("colours.csv").toStdString();
    {
        std::ofstream rows(file);
        rows << "size,age,colour,price\n";
        for (int i = 0; i < 120; ++i)
            rows << i % 7 << ".5," << i % 11 << ".25," << (i % 3 == 0 ? "red" : "blue") << ',' << 2 * (i % 7) + i % 11
                 << ".75\n";
    }
    Study study          = window.study();
    study.data.source    = DataSource::csv;
    study.data.file      = file;
    study.network.hidden = {10};
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
    ASSERT_TRUE(window.train(60));
}

std::vector<std::string> namesIn(const QComboBox& box)
{
    std::vector<std::string> names;
    for (int i = 0; i < box.count(); ++i)
        names.push_back(box.itemText(i).toStdString());
    return names;
}

}   // namespace

TEST(SlicePage, FillsTheCentreForATableAndFollowsItsControls)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* panel = window->panel("decision_map");
    ASSERT_EQ(panel->view().id, "slice");
    auto* first  = window.find<QComboBox>("sliceInput");
    auto* second = window.find<QComboBox>("sliceSecond");
    ASSERT_TRUE(first->isVisible());
    EXPECT_THAT(namesIn(*first), testing::UnorderedElementsAre("size", "age", "colour"));
    const auto across = [&] {
        return panel->hasChart() && !panel->chart().panels.empty() ? panel->chart().panels[0].x.label : std::string();
    };
    EXPECT_TRUE(window.waitFor([&] { return across() == first->currentText().toStdString(); }));

    first->setCurrentIndex(first->findText("age"));
    Q_EMIT first->activated(first->currentIndex());
    second->setCurrentIndex(second->findText("colour"));
    ASSERT_TRUE(window.waitFor(
        [&] { return across() == "age" && std::holds_alternative<HeatMap>(panel->chart().panels[0].series.front()); }));
    EXPECT_EQ(panel->chart().panels[0].y.categories, (std::vector<std::string>{"blue", "red"}));
    second->setCurrentIndex(0);
    auto* rows = window.find<QWidget>("sliceRows");
    EXPECT_FALSE(rows->isVisible());
    auto* hold = window.find<QComboBox>("sliceHold");
    hold->setCurrentIndex(2);
    EXPECT_TRUE(rows->isVisible()) << "curves of single rows are for averages";
    EXPECT_TRUE(window.waitFor([&] { return panel->chart().caption.find("averaged over") != std::string::npos; }));

    window->session().setStudy(preset("two_moons_mean_field"));
    EXPECT_TRUE(window.waitFor([&] { return panel->view().id == "decision_map"; }));
    EXPECT_FALSE(first->isVisible());
    EXPECT_EQ(window->context().choices.options().slice, SliceChoice());
}

TEST(WhatIf, ChangesOneInputOfTheSelectedRowAndReturnsToIt)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* verdict = window.find<QLabel>("whatIfVerdict");
    ASSERT_TRUE(window.waitFor([&] { return verdict->text().contains("Observed"); }));
    auto* age = window.find<QDoubleSpinBox>("whatIf/age");
    ASSERT_TRUE(age->isVisible());
    const auto& experiment = *window->session().run().experiment;
    const auto row         = experiment.data->test.row(0);
    EXPECT_EQ(age->value(), row[1]);
    auto* reset = window.find<QToolButton>("whatIfReset");
    EXPECT_FALSE(reset->isEnabled());

    age->setValue(age->maximum());
    const auto input = [&] { return window->context().requests.chosen().input; };
    ASSERT_EQ(input().values.size(), experiment.data->training.n_features);
    EXPECT_EQ(input().values[1], age->value());
    EXPECT_EQ(input().values[0], row[0]) << "the other inputs keep their values";
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->text(), QStringLiteral("changed row"));
    EXPECT_TRUE(window.waitFor([&] {
        return verdict->text().contains("Predicted") && !verdict->text().contains("Observed");
    })) << "a changed row has no observed target";
    auto* boxplots = window->panel("boxplots");
    EXPECT_TRUE(
        window.waitFor([&] { return boxplots->chart().caption.find("test row 0, changed") != std::string::npos; }));
    auto* colour = window.find<QComboBox>("whatIf/colour");
    colour->setCurrentIndex(1 - colour->currentIndex());
    EXPECT_EQ(input().values[2], 1 - row[2]);
    EXPECT_EQ(input().values[3], 1 - row[3]);

    reset->click();
    EXPECT_TRUE(input().values.empty());
    EXPECT_EQ(input().row, 0U);
    EXPECT_EQ(age->value(), row[1]);
    EXPECT_TRUE(window.waitFor([&] { return verdict->text().contains("Observed"); }));
}

TEST(WhatIf, HasNoControlsOfATableThatIsNoLongerDisplayed)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* age = window.find<QDoubleSpinBox>("whatIf/age");
    age->setValue(age->maximum());
    window->session().setStudy(preset("two_moons_mean_field"));
    ASSERT_TRUE(window.waitFor([&] { return window->panel("decision_map")->view().id == "decision_map"; }));
    EXPECT_EQ(window->findChild<QDoubleSpinBox*>("whatIf/age"), nullptr);
    window->context().selection.choosePoint({0.5, 0.5}, Selection::By::map);
    EXPECT_THAT(window->context().requests.chosen().input.values, testing::ElementsAre(0.5, 0.5));
}
