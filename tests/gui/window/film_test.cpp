// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "gui/wait_until.h"

#include "parts/export_dialog.h"
#include "parts/sheet.h"
#include "views/figure_export.h"

#include "widgets/study_metadata.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace credence;

namespace {

/// From the menu; a small film of three frames.
FilmDialog* askForFilm(WindowDriver& window, const QString& folder, const QString& format)
{
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<FilmDialog*>(); }));
    window.find<QAction>("exportFilm")->trigger();
    auto* dialog = window.find<FilmDialog>("filmDialog");
    EXPECT_LE(dialog->minimumSizeHint().height(), 340) << "fits a screen of 1366×768 at 200 %";
    dialog->findChild<QSpinBox*>("filmFrames")->setValue(3);
    auto* size = dialog->findChild<QComboBox*>("filmSize");
    size->setCurrentIndex(size->findData(QSize(800, 450)));
    auto* box = dialog->findChild<QComboBox*>("filmFormat");
    box->setCurrentIndex(box->findData(format));
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder);
    return dialog;
}

void writeFilm(FilmDialog& dialog) { QTest::mouseClick(dialog.findChild<QPushButton*>("writeFilm"), Qt::LeftButton); }

}   // namespace

TEST(FilmOfTheRun, TheEntryIsDisabledWithTheReasonUntilStepsAreRecorded)
{
    WindowDriver window;
    auto* film = window.find<QAction>("exportFilm");
    EXPECT_FALSE(film->isEnabled());
    EXPECT_TRUE(window.waitFor([&] { return film->toolTip().contains("fewer than two recorded steps"); }))
        << film->toolTip().toStdString();
    ASSERT_TRUE(window.train(60));
    EXPECT_TRUE(window.waitFor([&] { return film->isEnabled(); }));
}

TEST(FilmOfTheRun, FromTheMenuToTheFileAndWithAQuestionBeforeItIsReplaced)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window.showView("decision_map");
    auto* dialog       = askForFilm(window, folder.path(), "gif");
    const QString file = dialog->order().target.files().front();
    EXPECT_THAT(file.toStdString(), testing::EndsWith("_film.gif"));
    EXPECT_TRUE(dialog->findChild<QLabel*>("filmNote")->text().contains(QFileInfo(file).fileName()));
    auto* preview = dialog->findChild<ExportPreview*>("exportPreview");
    EXPECT_TRUE(window.waitFor([&] { return !preview->picture().isNull(); }));
    EXPECT_EQ(preview->words(), "Last frame, 800 × 450 pixels");
    writeFilm(*dialog);
    ASSERT_TRUE(waitForSignal(exported, 60000));
    EXPECT_EQ(exported.front()[0].toStringList(), QStringList{file}) << window->message().toStdString();
    EXPECT_EQ(window->message(), QStringLiteral("Wrote %1.").arg(file));
    EXPECT_TRUE(window.waitFor([&] {
        const auto buttons = window->findChildren<QPushButton*>();
        return std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* each) {
            return each->isVisible() && each->text() == QLatin1String("Open folder");
        });
    }));
    QImageReader reader(file);
    EXPECT_EQ(reader.imageCount(), 3);
    EXPECT_EQ(reader.size(), QSize(800, 450));
    QFile first(file);
    ASSERT_TRUE(first.open(QIODevice::ReadOnly));
    const QByteArray bytes = first.readAll();

    dialog = askForFilm(window, folder.path(), "gif");
    writeFilm(*dialog);
    auto* question = dialog->findChild<Sheet*>("replaceFiles");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->findChild<QPushButton*>("keepBoth"), Qt::LeftButton);
    ASSERT_TRUE(waitForSignal(exported, 60000));
    QFile second(exported.back()[0].toStringList().value(0));
    EXPECT_THAT(second.fileName().toStdString(), testing::EndsWith("_film-2.gif"));
    ASSERT_TRUE(second.open(QIODevice::ReadOnly));
    EXPECT_TRUE(second.readAll() == bytes) << "the same film is the same bytes";
}

TEST(FilmOfTheRun, ASeriesGetsANewFolderAndAnAnimatedPngItsStudy)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    for (int time = 0; time < 2; ++time) {
        writeFilm(*askForFilm(window, folder.path(), "frames"));
        ASSERT_TRUE(waitForSignal(exported, 60000));
        const QString series = exported.back()[0].toStringList().value(0);
        EXPECT_THAT(series.toStdString(), testing::EndsWith(time == 0 ? "_film.frames" : "_film-2.frames"))
            << window->message().toStdString();
        EXPECT_EQ(QDir(series).entryList(QDir::Files).size(), 3);
    }
    writeFilm(*askForFilm(window, folder.path(), "png"));
    ASSERT_TRUE(waitForSignal(exported, 60000));
    EXPECT_TRUE(studyIn(exported.back()[0].toStringList().value(0)));
}

TEST(FilmOfTheRun, ACancelledFilmLeavesNoFile)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    writeFilm(*askForFilm(window, folder.path(), "frames"));
    ASSERT_TRUE(window.waitFor([&] { return window->context().exports.busy(); }));
    window->context().exports.cancel();
    EXPECT_EQ(exported.size(), 1);
    EXPECT_TRUE(window.waitFor(
        [&] { return QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); }));
}
