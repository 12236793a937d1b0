// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "bandit/active_learning_page.h"
#include "parts/rail.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"

#include "study/fields.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>

#include <variant>

using namespace credence;
using testing::HasSubstr;

namespace {

/// The page with a Study of eighty points and eight hidden units.
class LabellingDriver : public WindowDriver {
public:
    LabellingDriver()
    {
        Study study = this->study();
        for (const char* setting : {"data.n=80", "network.hidden=8"})
            set_field(study, setting);
        window().session().setStudy(study);
        find<QAction>("activeLearningAction")->trigger();
        page = window().findChild<ActiveLearningPage*>();
        set("activeStart", 4);
        set("activePerRound", 3);
        set("activeRounds", 2);
        set("activeRepetitions", 2);
        set("activeSteps", 30);
        set("activeSamples", 10);
    }
    ~LabellingDriver() { page->cancel(); }
    void set(const char* box, int value) { find<QSpinBox>(box)->setValue(value); }
    bool trained()
    {
        page->run();
        return waitFor([&] { return !page->busy() && page->result(); }, 60000);
    }
    const Chart& chart(const char* view) { return find<ChartView>(view)->chart(); }
    void clickTab(DecideTabs::Page which)
    {
        auto* tabs = window().workbench().pages().page()->findChild<DecideTabs*>();
        ASSERT_NE(tabs, nullptr);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(which).center());
    }

    ActiveLearningPage* page = nullptr;
};

/// Labels of the numbered points of a map.
std::vector<std::string> numbersOn(const Chart& chart)
{
    std::vector<std::string> out;
    if (!chart.panels.empty())
        for (const auto& series : chart.panels.front().series)
            if (const auto* points = std::get_if<Points>(&series))
                out.insert(out.end(), points->labels.begin(), points->labels.end());
    return out;
}

}   // namespace

TEST(ActiveLearningPage, TrainsAndShowsTheCurvesAndTheQueries)
{
    LabellingDriver window;
    EXPECT_THAT(window.chart("activeCurves").message, HasSubstr("Press Train"));
    EXPECT_TRUE(window.find<QComboBox>("activeFunction")->parentWidget()->parentWidget()->isHidden())
        << "no queries to select";
    window.page->run();
    EXPECT_TRUE(window.waitFor([&] {
        return window.page->result()
               || QString::fromStdString(window.chart("activeCurves").message).contains("Training on");
    }));
    window.page->cancel();
    ASSERT_TRUE(window.waitFor([&] { return !window.page->busy(); }));
    EXPECT_TRUE(window.page->result()
                || QString::fromStdString(window.chart("activeCurves").message).contains("Press Train"));
    ASSERT_TRUE(window.trained()) << window.page->message().toStdString();
    EXPECT_EQ(window.page->message(), QString());
    const auto& curves = window.chart("activeCurves");
    ASSERT_EQ(curves.panels.size(), 2U) << curves.message;
    EXPECT_EQ(curves.panels[0].y.label, "Test accuracy");
    EXPECT_THAT(curves.caption, HasSubstr("mean over 2 repetitions"));
    EXPECT_EQ(window.find<QComboBox>("activeFunction")->count(), 4);
    EXPECT_FALSE(window.find<QComboBox>("activeFunction")->parentWidget()->parentWidget()->isHidden());
    EXPECT_EQ(window.find<QSpinBox>("activeRound")->value(), 2) << "the newest";
    EXPECT_THAT(window.chart("activeMap").panels.at(0).title, HasSubstr("BALD, 10 labelled rows"));
    EXPECT_EQ(numbersOn(window.chart("activeMap")), (std::vector<std::string>{"1", "2", "3"}));

    window.set("activeRound", 0);
    EXPECT_THAT(window.chart("activeMap").panels.at(0).title, HasSubstr("BALD, 4 labelled rows"));
    auto* function = window.find<QComboBox>("activeFunction");
    function->setCurrentIndex(function->findText("Random"));
    EXPECT_THAT(window.chart("activeMap").panels.at(0).title, HasSubstr("Random, 4 labelled rows"));
    const auto& rows = window.chart("activeRows");
    ASSERT_TRUE(rows.table);
    EXPECT_EQ(rows.table->rows.size(), 4U + 3 * 3);
}

TEST(ActiveLearningPage, IsATabOfDecideNextToTheBandit)
{
    LabellingDriver window;
    auto& stack = window->workbench().pages();
    EXPECT_EQ(window->workbench().rail().current(), "decide");
    window.clickTab(DecideTabs::bandit);
    ASSERT_NE(stack.page(), nullptr);
    EXPECT_EQ(stack.page()->objectName(), "bandit");
    EXPECT_EQ(window->workbench().rail().current(), "decide");
    EXPECT_EQ(stack.page()->findChild<DecideTabs*>()->currentIndex(), DecideTabs::bandit);
    window.clickTab(DecideTabs::active_learning);
    EXPECT_EQ(stack.page(), window.page);
    EXPECT_EQ(window.page->findChild<DecideTabs*>()->currentIndex(), DecideTabs::active_learning);
    for (auto* page : window->findChildren<ToolPage*>())
        page->cancel();
}

TEST(ActiveLearningPage, ItsWorkContinuesWhileThePageIsLeft)
{
    LabellingDriver window;
    window.set("activeRounds", 15);
    window.set("activeSteps", 2'000'000);
    window.page->run();
    ASSERT_TRUE(window.page->working());
    window.page->close();
    EXPECT_FALSE(window.page->isVisible());
    EXPECT_TRUE(window.page->working());
    EXPECT_TRUE(window.find<QPushButton>("activeLearningProgress")->isVisible());
    window.page->cancel();
    EXPECT_TRUE(window.waitFor([&] { return !window.page->working(); }));
}

TEST(ActiveLearningPage, APlanThatCannotRunIsRefusedWithASentence)
{
    LabellingDriver window;
    window.set("activeStart", 1);
    window.page->run();
    ASSERT_TRUE(window.waitFor([&] { return !window.page->message().isEmpty(); }));
    EXPECT_THAT(window.page->message().toStdString(), HasSubstr("expected at least 2, one for each class"));
}
