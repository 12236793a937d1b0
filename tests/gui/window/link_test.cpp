// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "document/link_files.h"
#include "document/study_files.h"
#include "work/worker.h"

#include "foundation/files.h"
#include "study/presets.h"

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QTemporaryDir>

using namespace credence;
using ::testing::HasSubstr;

namespace {

/// Waits until files have been read and what the link names is displayed.
bool waitsNoMore(WindowDriver& window)
{
    const auto* files = window->findChild<StudyFiles*>();
    const auto* links = window->findChild<LinkFiles*>();
    return window.waitFor([&] { return files->findChildren<Worker*>().isEmpty() && !links->waiting(); });
}

long shownStep(WindowDriver& window) { return window->session().run().current().snapshot->point.step; }

}   // namespace

TEST(Link, ASavedLinkOpensTheSameViewFromTheRunOrTheStudy)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    const Study trained = window.study();
    window->session().currentRun().showRecorded(10);
    const long step = shownStep(window);
    ASSERT_GT(step, 0);
    ASSERT_LT(step, 100);
    window.clickMap(0.5, 0.25);
    window.setQuantity(MapQuantity::epistemic, 1);
    ASSERT_TRUE(window.waitForPictures());
    const auto input = window->context().requests.chosen().input.values;
    ASSERT_EQ(input.size(), 2U);

    const QTemporaryDir folder;
    const QString file = folder.filePath("slide.credence-link");
    window.find<QAction>("saveLink")->trigger();   // asks in a dialog that does not block
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->setDirectory(folder.path());
    dialog->selectFile("slide");
    static_cast<QDialog*>(dialog)->accept();
    ASSERT_TRUE(QFile::exists(file)) << window->message().toStdString();
    ASSERT_TRUE(window.waitFor([&] { return !load_picture_link(file.toStdString()).run.empty(); }))
        << "the run is stored in the background";
    const auto link = load_picture_link(file.toStdString());
    EXPECT_EQ(link.step, step);
    EXPECT_EQ(link.input, input);
    EXPECT_EQ(link.view, "decision_map");
    ASSERT_TRUE(link.study);
    EXPECT_TRUE(*link.study == trained);

    // From the run: another input, step and Study are forgotten.
    window->session().currentRun().showRecorded(-1);
    window.clickMap(-0.5, 0.5);
    window.setQuantity(MapQuantity::certainty, 1);
    window->openFile(file);
    ASSERT_TRUE(waitsNoMore(window)) << window->message().toStdString();
    EXPECT_EQ(shownStep(window), step);
    EXPECT_EQ(window->context().requests.chosen().input.values, input);
    EXPECT_EQ(window->context().requests.chosen().map.quantity, MapQuantity::epistemic);

    // From the Study alone: it trains and shows the step.
    PictureLink alone = link;
    alone.run.clear();
    alone.view = "boxplots";
    save_picture_link(alone, file.toStdString());
    window->session().setStudy(preset("circles"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window->openFile(file);
    ASSERT_TRUE(waitsNoMore(window)) << window->message().toStdString();
    EXPECT_TRUE(window.study() == trained);
    EXPECT_EQ(shownStep(window), step);
    EXPECT_EQ(window->context().requests.chosen().input.values, input);
    EXPECT_TRUE(window->panel("boxplots")->isVisible());
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(shownStep(window), step) << "the end of training does not remove the picture";
}

TEST(Link, ALinkToTheStartTrainsNothingAndOneWithoutAStepShowsTheEnd)
{
    WindowDriver window;
    PictureLink link;
    link.study                 = preset("circles");
    link.study->training.steps = 50;
    link.step                  = 0;
    link.row                   = 3;
    window->openLink(link);
    ASSERT_TRUE(waitsNoMore(window)) << window->message().toStdString();
    EXPECT_EQ(window->session().state(), Session::State::ready);
    EXPECT_EQ(window->context().requests.chosen().input.row, 3U);
    link.step.reset();
    window->openLink(link);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    ASSERT_TRUE(waitsNoMore(window));
    EXPECT_EQ(shownStep(window), 50);
    link.step         = 20;   // an already trained network is not trained again
    const long number = window->session().currentRun().number();
    window->openLink(link);
    ASSERT_TRUE(waitsNoMore(window));
    EXPECT_EQ(shownStep(window), 20);
    EXPECT_EQ(window->session().currentRun().number(), number);
}

TEST(Link, ALinkStoresTheStepOfItsKeyPressAndOpensThatPicture)
{
    WindowDriver window;
    window.setSteps(20000);   // every 100th is recorded
    window->session().setStepsPerSecond(200);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return shownStep(window) % 100 > 3; }));
    const long before = shownStep(window);
    QTest::keyClick(&window.window(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    const long after = shownStep(window);
    auto* dialog     = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(window.waitFor([&] { return shownStep(window) > after + 20; })) << "training continues meanwhile";
    const QTemporaryDir folder;
    dialog->setDirectory(folder.path());
    dialog->findChild<QLineEdit*>()->setText("slide");   // selectFile leaves a name with the focus as it is
    static_cast<QDialog*>(dialog)->accept();
    ASSERT_TRUE(window.waitFor([&] { return QFile::exists(folder.filePath("slide.credence-link")); }));
    const auto link = load_picture_link(folder.filePath("slide.credence-link").toStdString());
    ASSERT_TRUE(link.step);
    EXPECT_GE(*link.step, before);
    EXPECT_LE(*link.step, after);
    EXPECT_TRUE(link.pause);
    const auto shown = window->session().run().experiment->study;
    window->session().setStepsPerSecond(0);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitForState(Session::State::ended));

    window->openFile(folder.filePath("slide.credence-link"));   // the same Study, trained further: from the start again
    ASSERT_TRUE(waitsNoMore(window)) << window->message().toStdString();
    EXPECT_EQ(shownStep(window), *link.step);
    EXPECT_EQ(window->session().state(), Session::State::paused);
    EXPECT_TRUE(window->session().run().experiment->study == shown);
    window.clickAction("stop");
    window->session().setStudy(preset("circles"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window->openFile(folder.filePath("slide.credence-link"));
    ASSERT_TRUE(waitsNoMore(window)) << window->message().toStdString();
    EXPECT_EQ(shownStep(window), *link.step);
    EXPECT_EQ(window->session().state(), Session::State::paused);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return shownStep(window) > *link.step + 200; })) << "it continues from there";
    window.clickAction("stop");
}

TEST(Link, ErrorsAreReportedAndTheOpenStudyStays)
{
    WindowDriver window;
    const Study before = window.study();
    const QTemporaryDir folder;
    const QString file = folder.filePath("bad.json");   // recognised by its content
    write_whole(file.toStdString(), "{\"credence_link\": 1, \"step\": -3, \"run\": \"run.credence\"}");
    const auto shows = [&window](const char* part) {
        return window.waitFor([&] { return window->message().contains(QLatin1String(part)); });
    };
    window->openFile(file);
    EXPECT_TRUE(shows("expected a whole number from 0.")) << window->message().toStdString();
    write_whole(file.toStdString(), "{\"credence_link\": 1, \"run\": \"gone.credence\"}");
    window->openFile(file);
    EXPECT_TRUE(shows("gone.credence does not exist")) << window->message().toStdString();
    EXPECT_TRUE(window.study() == before);

    PictureLink link;
    link.study = before;
    link.step  = 0;
    link.input = {1, 2, 3};
    window->openLink(link);
    ASSERT_TRUE(waitsNoMore(window));
    EXPECT_THAT(window->message().toStdString(), HasSubstr("has 3 numbers, expected 2"));
    link.input.clear();
    link.view = "regression_band";
    window->openLink(link);
    ASSERT_TRUE(waitsNoMore(window));
    EXPECT_THAT(window->message().toStdString(), HasSubstr("is not shown: "));

    window.setSteps(1000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::running));
    window->openLink(link);
    EXPECT_THAT(window->message().toStdString(), HasSubstr("a run is in progress"));
    window.clickAction("stop");
}
