// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "gui/wait_until.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_workbench.h"
#include "imports/outputs_files.h"
#include "session/settings.h"
#include "unit/outputs/outputs_npz.h"
#include "views/figure_export.h"
#include "views/training_dock.h"

#include "formats/npy.h"

#include <QAction>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace credence;
using testing::HasSubstr;

namespace {

struct Contents {
    bool labels = true, images = true, inputs = true;
};

/// Two draws of four rows of three classes, the last row certain but wrong: see outputs_npz::draws.
QString fourRows(const QTemporaryDir& folder, const QString& name, Contents contents)
{
    QString file = folder.filePath(name);
    NpzWriter writer(file.toStdString());
    writer.add("probabilities", NumberArray{{2, 4, 3}, outputs_npz::draws()});
    writer.add("class_names", std::vector<std::string>{"cat", "dog", "owl"});
    if (contents.labels)
        writer.add("labels", NumberArray{{4}, std::vector<std::int64_t>{0, 1, 2, 2}});
    if (contents.inputs)
        writer.add("inputs", NumberArray{{4, 2}, std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1}});
    if (contents.images) {
        std::vector<std::uint8_t> pixels(4 * 8 * 8);
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<std::uint8_t>(37 * i);
        writer.add("images", NumberArray{{4, 8, 8}, pixels});
    }
    writer.keep();
    return file;
}

QString twoOodRows(const QTemporaryDir& folder)
{
    QString file = folder.filePath("foreign.npz");
    NpzWriter writer(file.toStdString());
    writer.add("probabilities",
               NumberArray{{2, 2, 3},
                           std::vector<float>{0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.4f, 0.4f, 0.2f}});
    writer.keep();
    return file;
}

QString badSums(const QTemporaryDir& folder)
{
    QString file = folder.filePath("bad.npz");
    NpzWriter writer(file.toStdString());
    writer.add("probabilities", NumberArray{{1, 1, 2}, std::vector<float>{0.5f, 0.75f}});
    writer.keep();
    return file;
}

class OpenedOutputs : public testing::Test {
protected:
    /// Opens them by the slot of the action and waits for their pictures.
    void open(const QString& file)
    {
        files().open(file);
        const auto name = QFileInfo(file).fileName().toStdString();
        ASSERT_TRUE(window.waitFor([&] { return shown() && shown()->own.name == name; }))
            << window->message().toStdString();
        ASSERT_TRUE(window.waitForPictures());
    }
    OutputsFiles& files() { return *window->findChild<OutputsFiles*>(); }
    const ImportedOutputs* shown() { return window->session().run().experiment->outputs.get(); }
    ImageGrid& grid() { return window.imageGrid(); }
    const Chart& inFront(const QString& view)
    {
        auto* panel = window.showView(qPrintable(view));
        EXPECT_TRUE(window.waitFor([&] { return panel->hasChart(); }));
        EXPECT_TRUE(window.waitForPictures());
        EXPECT_EQ(panel->chart().message, "") << view.toStdString();
        return panel->chart();
    }
    bool visible(const QString& name) { return window.find<QWidget>(name)->isVisible(); }
    void chooseRow(int row)
    {
        window.find<QSpinBox>("inputRow")->setValue(row);
        ASSERT_TRUE(window.waitForPictures());
    }

    void expectRowsOfTheFile();
    void expectNothingThatNeedsTheNet();
    void expectFiguresWithoutAStudy();
    void expectOodData();
    void expectAMapOfPoints();
    void expectTheOwnStudyAgain();

    QTemporaryDir folder;
    WindowDriver window;
};

void OpenedOutputs::expectRowsOfTheFile()
{
    ASSERT_TRUE(window.waitFor([&] { return grid().model().predicted() && grid().model().predicted()->whole(); }));
    EXPECT_EQ(grid().model().rowCount(), 4);
    EXPECT_THAT(window.find<QLabel>("imageStatus")->text().toStdString(), HasSubstr("4 of 4 images of the file"));
    QTest::mouseClick(window.find<QToolButton>("filterCertainWrong"), Qt::LeftButton);
    ASSERT_EQ(grid().model().rowCount(), 1);
    EXPECT_EQ(grid().model().imageAt(0), 3U);
    QTest::mouseClick(window.find<QToolButton>("filterAll"), Qt::LeftButton);
    chooseRow(3);
    EXPECT_EQ(window.find<QLabel>("chosenInput")->text(), "true class owl");
    const auto& boxes = inFront("boxplots");
    EXPECT_THAT(boxes.caption, HasSubstr("four.npz, image 3"));
    chooseRow(0);
    for (const char* const view : {"intervals", "simplex", "scores", "certainty", "confusion", "roc", "calibration"})
        inFront(view);
    EXPECT_THAT(inFront("scores").caption, HasSubstr("four.npz (probabilities of 4 rows, 3 classes)"));
}

void OpenedOutputs::expectNothingThatNeedsTheNet()
{
    EXPECT_TRUE(visible("otherStudy"));
    EXPECT_THAT(window.find<QLabel>("otherStudyWords")->text().toStdString(),
                HasSubstr("four.npz, 2 samples of 4 rows, 3 classes, with labels."));
    EXPECT_FALSE(visible("editCopy"));
    EXPECT_TRUE(visible("openForeign"));
    EXPECT_FALSE(window->findChild<TimeMachine*>()->isVisible());
    EXPECT_EQ(window.find<QLabel>("progressText")->text(), "imported predictions");
    for (const char* const view : {"training_curves", "attack_curve", "attack_input", "disturbance_curve"})
        EXPECT_FALSE(window.offers(view)) << view;
    for (const char* const view : {"layers", "weights", "pruning_curve"})
        EXPECT_FALSE(window->panel(view)->isVisible()) << view;
    for (const char* const name : {"imageDraw", "imageDisturb"}) {
        auto* mode = window.find<QToolButton>(name);
        EXPECT_FALSE(mode->isEnabled());
        EXPECT_THAT(mode->toolTip().toStdString(), HasSubstr("four.npz contains predictions only"));
    }
    EXPECT_FALSE(visible("prune"));
    Study uncertain            = window.study();
    uncertain.prediction.level = 0.9;
    window->session().setStudy(uncertain);
    ASSERT_TRUE(shown()) << "the level only affects the display";
    EXPECT_EQ(window->session().run().current().experiment->study.prediction.level, 0.9);
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->context().runs.rowCount(), 1);
    EXPECT_EQ(window->context().runs.at(0)->file, QFileInfo(folder.filePath("four.npz")).absoluteFilePath());
    window.openRunsTable()->selectRow(0);
    EXPECT_FALSE(window.find<QPushButton>("reopenStudy")->isEnabled());
    window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), "mine",
                                   Qt::EditRole);   // writes nothing there
    EXPECT_EQ(read(settings::recentStudies).front(), window->context().runs.at(0)->file);
}

void OpenedOutputs::expectFiguresWithoutAStudy()
{
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"boxplots", "scores"}, {"png", "svg", "csv"}, folder.path(), {}, {100, 70, 100}});
    ASSERT_TRUE(waitForSignal(exported, 30000));
    window->figures()->write({{"boxplots", "scores"}, {"html"}, folder.path(), "report", {}});
    ASSERT_TRUE(waitForSignal(exported, 30000));
    const auto files = exported[0][0].toStringList() + exported[1][0].toStringList();
    ASSERT_EQ(files.size(), 7) << exported[0][1].toString().toStdString();
    for (const auto& file : files)
        EXPECT_FALSE(studyIn(file)) << file.toStdString();
    EXPECT_THAT(QImage(folder.filePath("boxplots.png")).text("Description").toStdString(),
                HasSubstr("Imported predictions: four.npz"));
}

void OpenedOutputs::expectOodData()
{
    EXPECT_FALSE(window.offers("out_of_distribution"));
    EXPECT_TRUE(window.find<QAction>("openForeignAction")->isEnabled());
    files().openOod(twoOodRows(folder));
    ASSERT_TRUE(window.waitFor([&] { return shown()->other.n == 2; })) << window->message().toStdString();
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_TRUE(window.offers("out_of_distribution"));
    EXPECT_FALSE(visible("openForeign"));
    EXPECT_THAT(inFront("out_of_distribution").caption, HasSubstr("out of distribution: foreign.npz (2 rows)"));
    EXPECT_EQ(window->context().runs.rowCount(), 1);   // in the place of the same without
    files().open(badSums(folder));
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    EXPECT_TRUE(window->message().startsWith(
        "bad.npz: probabilities of sample 0, row 0 add up to 1.25, expected 1 to within 0.001."))
        << window->message().toStdString();
    EXPECT_EQ(shown()->other.n, 2U) << "the displayed run stays";
}

void OpenedOutputs::expectAMapOfPoints()
{
    EXPECT_EQ(window.currentView(), "points_map") << "otherwise a table was shown there";
    EXPECT_TRUE(visible("otherStudy"));
    inFront("points_map");
    auto* view     = window->panel("points_map")->chartView();
    const QPoint p = view->positionOf(0, 0.9, 0.1).toPoint();
    auto* target   = view->childAt(p);
    ASSERT_NE(target, nullptr);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, p));
    EXPECT_EQ(window->context().requests.chosen().input.row, 1U);
    EXPECT_EQ(view->mark(), (ChartView::Mark{1, 0}));
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->value(), 1);
    EXPECT_FALSE(window.offers("confusion")) << "the true classes are unknown";
    inFront("boxplots");
}

void OpenedOutputs::expectTheOwnStudyAgain()
{
    const auto family = window.study().posterior.family;
    ASSERT_TRUE(window.train(20));
    EXPECT_EQ(shown(), nullptr);
    EXPECT_EQ(window->session().run().current().experiment->study.posterior.family, family);
    EXPECT_TRUE(window->findChild<TimeMachine*>()->isVisible());
    EXPECT_FALSE(visible("otherStudy"));
    EXPECT_TRUE(window.offers("training_curves"));
    EXPECT_FALSE(window.offers("points_map"));
    EXPECT_FALSE(window.find<QAction>("openForeignAction")->isEnabled());
    for (const int row : {0, window->context().runs.rowCount() - 1})
        window->context().runs.setData(window->context().runs.index(row, SavedRuns::name), Qt::Checked,
                                       Qt::CheckStateRole);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& compared = window->panel("compare_decision_maps")->chart();
    ASSERT_TRUE(compared.table) << compared.message;
    ASSERT_EQ(compared.table->columns.size(), 3U);
    EXPECT_EQ(compared.table->columns[2].name, "mine");
}

}   // namespace

TEST_F(OpenedOutputs, AreADisplayedRunWithEverythingThatNeedsNoWeights)
{
    const QString title = window->windowTitle();
    open(fourRows(folder, "four.npz", {}));
    EXPECT_EQ(window->windowTitle(), "four.npz, Study " + title);
    expectRowsOfTheFile();
    expectNothingThatNeedsTheNet();
    expectFiguresWithoutAStudy();
    expectOodData();

    open(fourRows(folder, "unlabelled.npz", {.labels = false}));
    EXPECT_EQ(grid().model().rowCount(), 4);
    EXPECT_FALSE(window.find<QToolButton>("filterWrong")->isEnabled());
    EXPECT_EQ(window.find<QLabel>("chosenInput")->text(), "true class unknown");

    open(fourRows(folder, "points.npz", {.labels = false, .images = false}));
    EXPECT_EQ(window->windowTitle(), "points.npz, Study " + title);
    expectAMapOfPoints();
    expectTheOwnStudyAgain();
    EXPECT_EQ(window->windowTitle(), title);
}
