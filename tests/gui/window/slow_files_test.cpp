// SPDX-License-Identifier: GPL-3.0-or-later
#include "slow_disk.h"
#include "window_driver.h"

#include "document/study_files.h"
#include "images/image_area.h"
#include "images/own_pictures.h"
#include "imports/import_dialog.h"
#include "session/saved_runs.h"
#include "session/settings.h"
#include "work/worker.h"

#include <QDialog>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>

using namespace credence;

namespace {

/// Events of the window are handled while another thread waits for the file.
void expectResponsive(WindowDriver& window, const SlowDisk& disk, const std::string& file)
{
    ASSERT_TRUE(window.waitFor([&] { return disk.awaited() || disk.awaitedByWindow(); })) << file;
    int turns = 0;
    for (int i = 0; i < 3; ++i)
        QTimer::singleShot(0, &window.window(), [&] { ++turns; });
    EXPECT_TRUE(window.waitFor([&] { return turns == 3; })) << file;
    EXPECT_TRUE(disk.awaited()) << file;
    EXPECT_FALSE(disk.awaitedByWindow()) << file;
}

void drop(QWidget* on, const QString& file)
{
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(on, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event({20, 20}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(on, &event);
}

}   // namespace

TEST(SlowFiles, TheWindowRespondsWhileAPictureThatWasDroppedIsRead)
{
    WindowDriver window;
    Study digits                       = window.study();
    digits.data.source                 = DataSource::strokes;
    digits.data.images.training_images = 60;
    digits.data.images.test_images     = 40;
    digits.network.hidden              = {8};
    digits.prediction.samples          = 10;
    window->session().setStudy(digits);
    ASSERT_TRUE(window.waitFor([&] { return window.images()->isVisible(); }));
    ASSERT_TRUE(window.waitForPictures());
    const SlowDisk disk;
    drop(window.images(), disk.write("camera.png", "no picture"));
    expectResponsive(window, disk, "camera.png");
    EXPECT_TRUE(window.pictures().busy());
    disk.answer();
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    EXPECT_THAT(window->message().toStdString(), testing::StartsWith("camera.png: cannot be read as an image"));
}

TEST(SlowFiles, TheWindowRespondsWhileAFileThatWasDroppedIsOpened)
{
    WindowDriver window;
    for (const char* name :
         {"figure.pdf", "figure.png", "report.html", "run.credence", "study.json", "slide.credence-link"}) {
        const SlowDisk disk;
        drop(&window.window(), disk.write(name, "nothing that can be opened"));
        expectResponsive(window, disk, name);
        disk.answer();
        ASSERT_TRUE(window.waitFor([&] { return window->message().contains(QLatin1String(name)); }))
            << name << ": " << window->message().toStdString();
    }
}

TEST(SlowFiles, AStudyOpensWhenItIsReadUnlessAnotherOneWasOpenedMeanwhile)
{
    WindowDriver window;
    Study slow = window.study(), quick = slow;
    slow.training.steps  = 111;
    quick.training.steps = 222;
    const QTemporaryDir elsewhere;
    const QString quickFile = elsewhere.filePath("quick.json");
    save_study(quick, quickFile.toStdString());
    {
        const SlowDisk disk;
        window->openFile(disk.write("slow.json", QByteArray::fromStdString(to_text(slow))));
        expectResponsive(window, disk, "slow.json");
        EXPECT_NE(window.study().training.steps, 111);
        disk.answer();
        EXPECT_TRUE(window.waitFor([&] { return window.study().training.steps == 111; }));
    }
    const SlowDisk disk;
    window->openFile(disk.write("slow.json", QByteArray::fromStdString(to_text(slow))));
    window->openFile(quickFile);
    ASSERT_TRUE(window.waitFor([&] { return window.study().training.steps == 222; }));
    ASSERT_TRUE(disk.awaited());
    disk.answer();
    const auto* files = window->findChild<StudyFiles*>();
    ASSERT_TRUE(window.waitFor([&] { return files->findChildren<Worker*>().isEmpty(); }));
    EXPECT_EQ(window->context().document.file(), quickFile);
}

TEST(SlowFiles, TheWindowRespondsWhileATickedRunIsRead)
{
    QString file;
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(30));
        file = window->context().runs.at(0)->file;
        ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    }
    WindowDriver window(WindowDriver::Runs::keep);
    auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor([&] { return runs.rowCount() == 1; }));
    ASSERT_TRUE(window.train(40));
    auto* errors = window.showView("overlay_training_curves");
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(runs.at(1)->file, file);
    const SlowDisk disk;
    disk.slowDown(runsFolder());
    runs.setData(runs.index(1, SavedRuns::name), Qt::Checked, Qt::CheckStateRole);
    expectResponsive(window, disk, "a ticked run");
    disk.answer();
    EXPECT_TRUE(window.waitFor([&] {   // both runs on training and on test set
        return errors->hasChart() && !errors->chart().panels.empty() && errors->chart().panels[0].series.size() == 4U;
    }));
}

TEST(SlowFiles, QuittingNamesPredictionsThatAreBeingWritten)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(30));
    const SlowDisk disk;
    const QString file = disk.write("predictions.npz", {});
    window->findChild<StudyFiles*>()->exportOutputs(file);
    expectResponsive(window, disk, "predictions.npz");
    EXPECT_EQ(window->context().unfinished.sentences().join('\n').toStdString(),
              "Predictions are being written: predictions.npz.");
    disk.answer();
    EXPECT_TRUE(window.waitFor([&] { return window->context().unfinished.sentences().isEmpty(); }));
    EXPECT_GT(QFileInfo(file).size(), 0);
}

TEST(SlowFiles, AnImportIsCancelledWithoutWaitingForItsFile)
{
    WindowDriver window;
    const SlowDisk disk;
    ImportDialog::ask(disk.write("table.csv", "a,b,y\n1,2,0\n2,1,1\n"), {}, &window.window(),
                      [](const ImportDialog&) { FAIL() << "it was cancelled"; });
    const QPointer<ImportDialog> dialog = window->findChild<ImportDialog*>();
    ASSERT_NE(dialog, nullptr);
    expectResponsive(window, disk, "table.csv");
    dialog->reject();
    EXPECT_TRUE(window.waitFor([&] { return dialog == nullptr; }));
    EXPECT_TRUE(disk.awaited());
    disk.answer();
    EXPECT_TRUE(window.waitFor([&] { return !disk.awaited(); }));
}
