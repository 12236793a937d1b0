// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandit/bandit_page.h"
#include "gui/settle.h"
#include "gui/wait_until.h"

#include "parts/setting_lines.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>

#include <variant>

using credence::Chart;
using credence::ChartView;
using ::testing::HasSubstr;

namespace {

/// The page as a user meets it.
class BanditDriver {
public:
    BanditDriver()
    {
        page.resize(940, 680);
        page.show();
    }
    template <class Control>
    Control* find(const char* name)
    {
        auto* found = page.findChild<Control*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void click(const char* button) { find<QPushButton>(button)->click(); }
    const Chart& chart(const char* view) { return find<ChartView>(view)->chart(); }
    QListWidgetItem* agent(const char* id)
    {
        auto* list = find<QListWidget>("banditAgents");
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->data(Qt::UserRole).toString() == QLatin1String(id))
                return list->item(row);
        ADD_FAILURE() << "no agent " << id;
        return list->item(0);
    }
    std::string title(const char* view) { return chart(view).panels.empty() ? "" : chart(view).panels.front().title; }
    bool waitFor(const std::function<bool()>& condition) { return waitUntil(condition, 60000); }
    bool settled()
    {
        return waitFor([&] { return !page.busy(); });
    }

    BanditPage page;
};

/// Interactions of each agent, by the table of numbers.
std::vector<long> interactionsIn(const Chart& chart)
{
    std::vector<long> out;
    if (chart.table)
        for (const auto& row : chart.table->rows)
            out.push_back(std::get<long>(row.at(1)));
    return out;
}

}   // namespace

TEST(BanditPage, ScrollsInALowWindowSoThatItsChartsCanBeRead)
{
    BanditPage page;
    page.resize(620, 250);
    page.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
    EXPECT_GE(page.findChild<QSplitter*>()->height(), 340);
    EXPECT_LE(page.minimumSizeHint().height(), 250);
}

TEST(BanditPage, StepsPlaysPausesExplainsAndLetsAgentsJoin)
{
    BanditDriver bandit;
    auto& page = bandit.page;
    ASSERT_TRUE(bandit.settled());
    EXPECT_EQ(page.steps(), 0);
    EXPECT_EQ(page.message(), QString()) << "it needs no file";
    EXPECT_EQ(interactionsIn(bandit.chart("banditNumbers")), std::vector<long>({0, 0, 0})) << "three agents are ticked";
    for (const char* view : {"banditRegret", "banditEaten", "banditDecision", "banditBeliefs"})
        EXPECT_FALSE(bandit.chart(view).panels.empty()) << view << ": " << bandit.chart(view).message;
    EXPECT_THAT(bandit.title("banditDecision"), HasSubstr("Next: "));
    EXPECT_THAT(bandit.chart("banditRegret").message, HasSubstr("Press Play"));

    for (long step = 1; step <= 2; ++step) {
        bandit.click("toolStep");
        ASSERT_TRUE(bandit.waitFor([&] { return page.steps() == step; }));
    }
    EXPECT_TRUE(bandit.chart("banditRegret").message.empty());
    EXPECT_TRUE(bandit.find<QPushButton>("toolPause")->isChecked());
    EXPECT_THAT(bandit.find<QLabel>("banditHappened")->text().toStdString(), HasSubstr("Interaction 2: "));

    auto* beliefs = bandit.find<ChartView>("banditBeliefs");   // while the course is paused
    Q_EMIT beliefs->hand().pointClicked(0, 0.25, 0.5);
    ASSERT_TRUE(bandit.waitFor(
        [&] { return bandit.title("banditDecision").find("At x1 = 0.25, x2 = 0.5") != std::string::npos; }));
    EXPECT_EQ(beliefs->mark(), std::optional(ChartView::Mark{0.25, 0.5}));
    bandit.find<QToolButton>("banditNext")->click();
    ASSERT_TRUE(bandit.waitFor([&] { return bandit.title("banditDecision").find("Next: ") != std::string::npos; }));

    bandit.click("toolPause");   // continues with it
    ASSERT_TRUE(bandit.waitFor([&] { return page.steps() > 5; }));
    bandit.click("toolPause");
    EXPECT_TRUE(bandit.find<QPushButton>("toolPause")->isChecked());
    const long before = page.steps();   // interactions under way are still added

    bandit.agent("greedy/0")->setCheckState(Qt::Checked);   // catches up, the others wait
    ASSERT_TRUE(bandit.settled());
    const long paused       = page.steps();
    const auto interactions = interactionsIn(bandit.chart("banditNumbers"));
    EXPECT_EQ(interactions, std::vector<long>(4, paused));
    EXPECT_GE(paused, before);
    for (long step = 1; step <= 3; ++step) {
        bandit.click("toolStep");
        ASSERT_TRUE(bandit.waitFor([&] { return page.steps() >= paused + step; }));
        EXPECT_EQ(page.steps(), paused + step) << "a paused course moves by Step only";
    }
    bandit.agent("thompson/mean_field")->setCheckState(Qt::Unchecked);
    ASSERT_TRUE(bandit.settled());
    auto* explained = bandit.find<QComboBox>("banditExplained");
    ASSERT_EQ(explained->count(), 3);
    explained->setCurrentIndex(explained->findData("uniform"));
    ASSERT_TRUE(bandit.waitFor([&] { return !bandit.chart("banditDecision").message.empty(); }));
    EXPECT_THAT(bandit.chart("banditDecision").message, HasSubstr("has no network"));

    const QTemporaryDir folder;
    bandit.click("toolExport");
    auto* dialog = page.findChild<QDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QCheckBox*>("format/pdf")->setChecked(false);
    dialog->findChild<QCheckBox*>("format/csv")->setChecked(true);
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(bandit.waitFor([&] { return !page.message().isEmpty(); }));
    QFile written(folder.filePath("bandit_regret.csv"));
    ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << page.message().toStdString();
    EXPECT_TRUE(written.readAll().contains("Uniform choice"));
}

TEST(BanditPage, EachPartIsALineThatDescribesItsSettings)
{
    BanditDriver bandit;
    ASSERT_TRUE(bandit.settled());
    const auto sentence = [&](const char* line) { return bandit.find<SettingLine>(line)->sentence(); };
    EXPECT_EQ(sentence("section/banditProblem"), "Synthetic plane · two moons");
    EXPECT_EQ(sentence("section/banditAgents").count(" · "), 2) << "three agents are ticked";
    EXPECT_TRUE(bandit.find<QComboBox>("banditShape")->isVisible());
    EXPECT_FALSE(bandit.find<QSpinBox>("banditInteractions")->isVisible());
    bandit.find<SettingLine>("section/banditCourse")->click();
    EXPECT_TRUE(bandit.find<QSpinBox>("banditInteractions")->isVisible());
    EXPECT_FALSE(bandit.find<QComboBox>("banditShape")->isVisible());
    bandit.find<QSpinBox>("banditInteractions")->setValue(1500);
    bandit.find<QSpinBox>("banditSeed")->setValue(7);
    bandit.find<QSpinBox>("banditSeeds")->setValue(4);
    EXPECT_EQ(sentence("section/banditCourse"), "1,500 interactions · seed 7 · full speed");
    EXPECT_EQ(sentence("section/banditRepetitions"), "4 courses per agent, from seed 7");
    auto* agents = bandit.find<QListWidget>("banditAgents");
    for (int row = 0; row < agents->count(); ++row)
        agents->item(row)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(sentence("section/banditAgents"), "None is ticked");
    ASSERT_TRUE(bandit.settled());
}

TEST(BanditPage, RunsAndSavesAllSeedsReportsMissingOnesAndContinuesWhileClosed)
{
    BanditDriver bandit;
    auto& page = bandit.page;
    ASSERT_TRUE(bandit.settled());
    bandit.agent("thompson/mean_field")->setCheckState(Qt::Unchecked);
    bandit.agent("greedy/0.01")->setCheckState(Qt::Unchecked);
    bandit.find<QSpinBox>("banditSeeds")->setValue(3);
    bandit.find<QSpinBox>("banditInteractions")->setValue(60);
    ASSERT_TRUE(bandit.settled());
    bandit.click("banditAllSeeds");
    ASSERT_TRUE(bandit.settled());
    EXPECT_EQ(page.finishedCourses(), 3) << page.message().toStdString();
    const auto& seeds = bandit.chart("banditSeedsView");
    EXPECT_THAT(seeds.caption, HasSubstr("mean over 3 courses; band: mean ± standard deviation"));
    bandit.find<QCheckBox>("banditRelative")->setChecked(true);
    ASSERT_FALSE(bandit.chart("banditSeedsView").panels.empty());
    EXPECT_THAT(bandit.chart("banditSeedsView").panels[0].y.label, HasSubstr("= 100"));

    bandit.click("toolRun");   // to the end of the course
    ASSERT_TRUE(bandit.settled());
    EXPECT_EQ(page.steps(), 60);

    auto* world = bandit.find<QComboBox>("banditWorld");
    world->setCurrentIndex(1);
    ASSERT_TRUE(bandit.settled());
    if (!qEnvironmentVariableIsSet("CREDENCE_DATA_DIR")) {
        EXPECT_THAT(page.message().toStdString(), HasSubstr("agaricus-lepiota.data"));
        EXPECT_THAT(bandit.chart("banditRegret").message, HasSubstr("agaricus-lepiota.data"));
        EXPECT_TRUE(bandit.find<QPushButton>("banditFile")->isVisible());
    }
    world->setCurrentIndex(0);
    ASSERT_TRUE(bandit.settled());
    EXPECT_EQ(page.message(), QString()) << "it is no longer true";
    EXPECT_FALSE(bandit.chart("banditRegret").panels.empty());

    bandit.agent("thompson/mean_field")->setCheckState(Qt::Checked);
    bandit.click("toolRun");
    ASSERT_TRUE(bandit.waitFor([&] { return page.steps() > 3; }));
    page.close();
    EXPECT_TRUE(page.working()) << "closing stops nothing";
    page.show();
    page.cancel();
    EXPECT_FALSE(page.busy()) << "Cancel stops both jobs";
    page.run();
    settle();
}   // at work: the destructor returns
