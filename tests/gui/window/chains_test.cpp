// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/form_controls.h"
#include "study/field_editor.h"
#include "study/study_panel.h"

#include "study/presets.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

using namespace credence;
using testing::HasSubstr;
using testing::Not;

namespace {

template <class Kind>
int countOf(const Panel& panel)
{
    return static_cast<int>(std::count_if(panel.series.begin(), panel.series.end(),
                                          [](const Series& series) { return std::holds_alternative<Kind>(series); }));
}

const Points& marksOf(const StepPreview& preview)
{
    return std::get<Points>(preview.chart().panels.at(0).series.back());
}

/// Two short chains on a small net.
Study shortChains()
{
    Study study = preset("two_moons_nuts");
    for (const char* setting : {"data.n=60", "network.hidden=3", "posterior.chains=2", "posterior.warmup=30",
                                "posterior.draws=20", "posterior.depth_limit=4"})
        set_field(study, setting);
    return study;
}

/// Brings a view of the training dock to the front.
ViewPanel* front(WindowDriver& window, const char* view)
{
    auto* panel = window.showView(view);
    EXPECT_TRUE(window.waitFor([&] { return panel->hasChart(); })) << view;
    EXPECT_TRUE(window.waitForPictures());
    return panel;
}

void dragTrace(ChartView* view, double from, double to)
{
    const auto range  = view->shownRange(0)->second;
    const double y    = (range.first + range.second) / 2;
    const auto at     = [&](double step) { return view->positionOf(0, step, y).toPoint(); };
    auto* target      = view->childAt(at(from));
    const auto inside = [&](double step) { return target->mapFrom(view, at(step)); };
    QTest::mousePress(target, Qt::LeftButton, {}, inside(from));
    for (const double step : {(from + to) / 2, to}) {
        QMouseEvent move(QEvent::MouseMove, inside(step), target->mapToGlobal(inside(step)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(target, &move);
    }
    QTest::mouseRelease(target, Qt::LeftButton, {}, inside(to));
}

}   // namespace

TEST(Chains, StepSizesAndSavedDrawsAreShownNextToTheirSettingsBeforeTheRun)
{
    WindowDriver window;
    auto* preview = window.find<StepPreview>("stepPreview");
    EXPECT_FALSE(preview->isHidden());   // a rate that falls
    Study study                  = default_study();
    study.training.schedule.kind = ScheduleKind::constant;
    window->session().setStudy(study);
    EXPECT_TRUE(preview->isHidden());   // one rate, and no draws on the way
    study                = preset("two_moons_cyclical_sgld");
    study.training.steps = 1000;
    window->session().setStudy(study);
    EXPECT_FALSE(preview->isHidden());
    EXPECT_EQ(countOf<Band>(preview->chart().panels.at(0)), 8);
    EXPECT_EQ(marksOf(*preview).x.size(), 8u * (100 / 8));
    set_field(study, "posterior.cycles=2");
    set_field(study, "posterior.kept_draws=10");
    window->session().setStudy(study);
    EXPECT_EQ(countOf<Band>(preview->chart().panels.at(0)), 2);
    EXPECT_EQ(marksOf(*preview).x.size(), 10u);
    EXPECT_EQ(marksOf(*preview).x.back(), 1000);
    window->session().setStudy(preset("two_moons_nuts"));
    EXPECT_TRUE(preview->isHidden());

    study = preset("two_moons_sgld");
    set_field(study, "posterior.temperature=0.25");   // one of the settings under More…
    window->session().setStudy(study);
    auto* temperature = window.find<FieldEditor>("posterior.temperature");
    auto* line        = window.find<QLineEdit>("posterior.temperature/editor");
    EXPECT_TRUE(temperature->hasCaution());
    EXPECT_FALSE(temperature->hasMistake());   // it may be trained
    EXPECT_FALSE(temperature->isHidden());
    EXPECT_EQ(line->palette().color(QPalette::Text), MistakeLabel::red(temperature->palette()));
    EXPECT_THAT(window.find<QLabel>("posterior.temperature/caution")->text().toStdString(),
                HasSubstr("cold posterior"));
    set_field(study, "posterior.temperature=1");
    window->session().setStudy(study);
    EXPECT_FALSE(temperature->hasCaution());
    EXPECT_TRUE(temperature->isHidden());
    EXPECT_NE(line->palette().color(QPalette::Text), MistakeLabel::red(temperature->palette()));
}

TEST(Chains, ARunCountsItsDrawsAndSelectedOnesAreHighlightedInTheFunctions)
{
    WindowDriver window;
    window->session().setStudy(shortChains());
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(window.find<QLabel>("progressText")->text().toStdString(),
                testing::AllOf(testing::StartsWith("transition 50 of 50, 2 chains, draws kept 40 of 40"),
                               Not(HasSubstr("epoch"))));
    const auto table    = front(window, "chain_convergence")->chart().table.value();
    const auto reported = std::find_if(table.rows.begin(), table.rows.end(), [](const auto& row) {
        return row.at(0) == Cell(std::string("Step size of chain 1, and its warm-up"));
    });
    ASSERT_NE(reported, table.rows.end());
    EXPECT_THAT(std::get<std::string>(reported->at(3)), HasSubstr("step size"));

    auto* traces = front(window, "chain_traces")->chartView();
    dragTrace(traces, 35, 42);
    EXPECT_EQ(window.find<QComboBox>("chainBrush")->currentText(), "Draws of steps");
    EXPECT_NEAR(window.find<QSpinBox>("brushFrom")->value(), 35, 1);
    EXPECT_NEAR(window.find<QSpinBox>("brushTo")->value(), 42, 1);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(countOf<Band>(traces->chart().panels.at(0)), 1);
    const auto* functions = front(window, "chain_functions");
    EXPECT_THAT(functions->chart().panels.at(0).title, HasSubstr("draws of steps"));
    EXPECT_EQ(functions->chart().panels.size(), 3u);
    window.find<QComboBox>("chainBrush")->setCurrentIndex(2);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(functions->chart().panels.at(0).title, "All draws, by chain");
}
