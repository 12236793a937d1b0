// SPDX-License-Identifier: GPL-3.0-or-later
// Several methods on one table, trained by one button.
#include "parts/rail.h"
#include "parts/sheet.h"
#include "parts/workbench.h"
#include "session/saved_runs.h"
#include "window_driver.h"

#include <QAction>
#include <QCheckBox>
#include <QPushButton>
#include <QTemporaryDir>

#include <fstream>

using namespace credence;
using testing::UnorderedElementsAre;

namespace {

Study smallTable(const QTemporaryDir& folder)
{
    const std::string file = folder.filePath("small.csv").toStdString();
    std::ofstream rows(file);
    rows << "a,b,c,y\n";
    for (int i = 0; i < 60; ++i)
        rows << i % 7 << ',' << i % 5 << ',' << i % 11 << ',' << 0.5 * (i % 7) + 0.1 * (i % 11) + 0.01 * i << '\n';
    rows.close();
    Study study;
    study.name               = "small";
    study.data.source        = DataSource::csv;
    study.data.file          = file;
    study.data.csv.task      = Task::regression;
    study.network.hidden     = {4};
    study.training.steps     = 20;
    study.prediction.samples = 20;
    return study;
}

}   // namespace

TEST(QuickComparison, TrainsTheTickedMethodsAndComparesTheirRuns)
{
    WindowDriver window;
    const QTemporaryDir folder;
    auto* action = window.find<QAction>("quickComparison");
    window->session().setStudy(smallTable(folder));
    ASSERT_TRUE(window.waitFor([&] { return window->session().ready().experiment() && action->isEnabled(); }));
    action->trigger();
    ASSERT_TRUE(window.waitFor([&] { return Sheet::isOpen("quickSheet", &window.window()); }));
    for (const char* family : {"deep_ensemble", "laplace", "swag", "nuts"})
        window.find<QCheckBox>(QStringLiteral("quick/%1").arg(family))->setChecked(false);
    window.clickButton("quickTrain");
    const auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor([&] { return runs.checked().size() == 2 && !window->context().quick.active(); }));
    std::vector<std::string> names;
    for (const auto& run : runs.checked())
        names.push_back(run->run.name);
    EXPECT_THAT(names, UnorderedElementsAre("small, point estimate", "small, mean field"));
    EXPECT_EQ(window->workbench().rail().current(), "compare");
    action->trigger();   // both are known now, and nothing is trained again
    ASSERT_TRUE(window.waitFor([&] { return Sheet::isOpen("quickSheet", &window.window()); }));
    EXPECT_TRUE(window.find<QCheckBox>("quick/mean_field")->text().contains("already trained"));
}
