// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "window_driver.h"

#include "parts/workbench.h"

#include "imports/outputs_files.h"
#include "unit/outputs/outputs_npz.h"
#include "views/findings_panel.h"

#include "formats/npy.h"
#include "study/presets.h"

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace credence;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string summaryOf(WindowDriver& window) { return window.find<QLabel>("findingsSummary")->text().toStdString(); }

/// Waits until the linter has checked the run with this name.
bool waitForFindings(WindowDriver& window, const std::string& name)
{
    return window.waitFor([&] {
        return !window.find<QPushButton>("findingsStatus")->text().startsWith("Checking")
               && QString::fromStdString(summaryOf(window)).contains(QString::fromStdString(": " + name + '.'));
    });
}

}   // namespace

TEST(FindingsOfTheWindow, ABadRunShowsTheProblemAndItsButtonFixesTheStudy)
{
    WindowDriver window;
    auto* status = window.find<QPushButton>("findingsStatus");
    EXPECT_FALSE(status->isVisible()) << "nothing is trained";
    Study bad                 = preset("two_moons_mean_field");
    bad.training.kl_weighting = KlWeighting::constant;   // the whole KL added to the mean loss of one example
    bad.training.kl_weight    = 1;
    window->session().setStudy(bad);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(300));
    ASSERT_TRUE(waitForFindings(window, bad.name)) << summaryOf(window);
    EXPECT_THAT(status->text().toStdString(), HasSubstr("error"));
    const Study before = window.study();

    window->resize(1024, 700);
    settle();
    const QSize stage = window->workbench().stageRect().size();
    EXPECT_FALSE(window.isOpen("findingsDock")) << "they use no space until they are requested";
    window.clickButton("findingsStatus");
    settle();
    EXPECT_TRUE(window.isOpen("findingsDock"));
    EXPECT_TRUE(window.find<QPushButton>("findingRemedy/kl_weight")->isVisible());
    EXPECT_LE(window->width(), 1024);
    EXPECT_LE(window->height(), 700);
    const QSize now = window->workbench().stageRect().size();
    EXPECT_GE(now.width(), stage.width() - 8);
    EXPECT_GE(now.height(), stage.height() - 8);

    window.find<QPushButton>("findingRemedy/kl_weight")->click();
    EXPECT_FALSE(window.study() == before);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_FALSE(window.find<QPushButton>("findingRemedy/kl_weight")->isEnabled());
    EXPECT_THAT(summaryOf(window), HasSubstr("changed since"));
    window->context().document.undo().undo();
    EXPECT_EQ(window.study(), before);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_TRUE(window.find<QPushButton>("findingRemedy/kl_weight")->isEnabled());
    window->context().document.undo().redo();
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(300));
    ASSERT_TRUE(waitForFindings(window, bad.name)) << summaryOf(window);
    EXPECT_EQ(window->findChild<QPushButton*>("findingRemedy/kl_weight"), nullptr) << "it helped";
}

TEST(FindingsOfTheWindow, AHealthyRunAndImportedPredictionsAreCheckedAutomatically)
{
    WindowDriver window;
    const Study& healthy = preset("two_moons_point_estimate");
    window->session().setStudy(healthy);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(healthy.training.steps));
    ASSERT_TRUE(waitForFindings(window, healthy.name)) << summaryOf(window);
    QString all;
    for (const auto* label : window->findChild<FindingsPanel*>()->findChildren<QLabel*>())
        all += label->text() + '\n';
    EXPECT_THAT(summaryOf(window), StartsWith("No findings: ")) << all.toStdString();
    EXPECT_EQ(window.find<QPushButton>("findingsStatus")->text(), "No findings");

    const QTemporaryDir folder;
    const QString file = folder.filePath("theirs.npz");
    NpzWriter writer(file.toStdString());
    writer.add("probabilities", NumberArray{{2, 4, 3}, outputs_npz::draws()});
    writer.add("labels", NumberArray{{4}, std::vector<std::int64_t>{0, 1, 2, 2}});
    writer.keep();
    window->findChild<OutputsFiles*>()->open(file);
    EXPECT_TRUE(waitForFindings(window, "theirs.npz")) << summaryOf(window);
}
