// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "imports/import_dialog.h"
#include "parts/ask_path.h"
#include "parts/export_dialog.h"
#include "parts/sheet.h"
#include "session/settings.h"
#include "views/figure_export.h"

#include "outputs/outputs_file.h"
#include "prediction/recalibration.h"
#include "study/fields.h"

#include "gui/wait_until.h"
#include "unit/not_empty.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

using namespace credence;

namespace {

QString write(const QTemporaryDir& folder, const QString& name, const QByteArray& content)
{
    QFile file(folder.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
    return file.fileName();
}

}   // namespace

TEST(Files, EveryExportedFigureOpensTheStudyThatMadeIt)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    const Study made = window.study();
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write(
        {{"decision_map", "training_curves"}, exportSuffixes(), folder.path(), {}, {100, 70, 150}});
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_EQ(exported.front()[1].toString(), QString());
    const auto files = exported.front()[0].toStringList();
    ASSERT_EQ(files.size(), 10);
    for (const auto& file : files) {
        Study other          = made;
        other.network.hidden = {7};
        window->session().setStudy(other);
        window->openFile(file);
        EXPECT_TRUE(window.waitFor([&] { return window.study() == made; }, 5000))
            << file.toStdString() << ": " << window->message().toStdString();
    }
}

TEST(Files, SavingAsksInADialogThatDoesNotBlock)
{
    WindowDriver window;
    const QTemporaryDir folder;
    window.find<QAction>("saveStudyAs")->trigger();   // comes back at once
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->isVisible());
    dialog->setDirectory(folder.path());
    dialog->selectFile("mine");
    static_cast<QDialog*>(dialog)->accept();
    const QString file = folder.filePath("mine.json");
    ASSERT_TRUE(QFile::exists(file)) << window->message().toStdString();
    EXPECT_TRUE(load_study(file.toStdString()) == window.study());
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<QFileDialog*>(); }));

    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.find<QAction>("exportOutputs")->trigger();   // asks in the same way, and writes in the background
    dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->setDirectory(folder.path());
    dialog->selectFile("draws");
    static_cast<QDialog*>(dialog)->accept();
    const QString draws = folder.filePath("draws.npz");
    ASSERT_TRUE(window.waitFor([&] { return QFile::exists(draws); })) << window->message().toStdString();
    const auto written = open_outputs(std::filesystem::path(draws.toStdString()));
    const auto run     = window->session().run().current().experiment;
    EXPECT_EQ(written->part.labels, run->data->test.labels);
    EXPECT_EQ(written->rows->n_draws(), run->study.prediction.samples);
}

TEST(Files, TheAboutDialogDoesNotBlock)
{
    WindowDriver window;
    window.find<QAction>("aboutAction")->trigger();
    auto* about = window.find<QMessageBox>("about");
    ASSERT_NE(about, nullptr);
    about->reject();
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<QMessageBox*>(); }));
}

TEST(Files, AReportIsWrittenAsPdfAndHtmlAndOpensItsStudy)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    const Study made = window.study();
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"decision_map", "scores"}, {"pdf", "html"}, folder.path(), "report", {}});
    ASSERT_TRUE(waitForSignal(exported, 30000));
    ASSERT_EQ(exported.front()[0].toStringList().size(), 2) << exported.front()[1].toString().toStdString();
    for (const auto& file : exported.front()[0].toStringList()) {
        Study other = made;
        other.seed  = 99;
        window->session().setStudy(other);
        window->openFile(file);
        EXPECT_TRUE(window.waitFor([&] { return window.study() == made; }, 5000)) << file.toStdString();
    }
}

TEST(Files, AnExportThatCannotBeWrittenIsReported)
{
    WindowDriver window;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"boxplots"}, {"pdf"}, "/no/such/folder", {}, {}});
    ASSERT_TRUE(waitForSignal(exported, 10000));
    EXPECT_FALSE(window->message().isEmpty());
}

TEST(Files, AnInvalidStudyIsReportedAndTheOpenOneStays)
{
    WindowDriver window;
    const Study before = window.study();
    const QTemporaryDir folder;
    window->openFile(write(folder, "broken.json", R"({"credence": 1, "training": {"steps": -5}})"));
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    EXPECT_THAT(window->message().toStdString(), testing::HasSubstr("training.steps"));
    EXPECT_TRUE(window.study() == before);
}

TEST(Files, AStudyIsOpenedRememberedAndUndone)
{
    WindowDriver window;
    const Study before = window.study();
    const QTemporaryDir folder;
    Study other        = before;
    other.data.toy.n   = 123;
    const QString file = folder.filePath("mine.json");
    save_study(other, file.toStdString());
    window->openFile(file);
    ASSERT_TRUE(window.waitFor([&] { return window.study() == other; }));
    EXPECT_THAT(window->windowTitle().toStdString(), testing::HasSubstr("mine.json"));
    EXPECT_EQ(read(settings::recentStudies).front(), file);
    QTest::keyClick(&window.window(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(window.study() == before);
    EXPECT_THAT(window->windowTitle().toStdString(), testing::HasSubstr("(untitled)"));
    QTest::keyClick(&window.window(), Qt::Key_S, Qt::ControlModifier);
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr) << "the Study of the start has no file";
    dialog->reject();
    EXPECT_TRUE(load_study(file.toStdString()) == other);
}

TEST(Files, APastedTableIsImportedWithSettingsThatSuitItsTarget)
{
    WindowDriver window;
    QString cells = "age (days)\tmix\tstrength [kPa]\n";
    for (int i = 0; i < 240; ++i)
        cells +=
            QStringLiteral("%1\t%2\t%3\n").arg(i % 50).arg(i % 7 * 0.5).arg(20000 + 300 * (i % 50) + 11 * (i % 13));
    QApplication::clipboard()->setText(cells);
    window.find<QAction>("pasteTable")->trigger();
    auto* dialog = window->findChild<ImportDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(window.waitFor([&] { return !dialog->busy(); }));
    dialog->findChild<QPushButton*>("importNow")->click();
    ASSERT_TRUE(window.waitFor([&] { return window.study().data.source == DataSource::csv; }));
    const Study& study = window.study();
    EXPECT_TRUE(study.name.starts_with("Pasted table ")) << study.name;
    EXPECT_TRUE(QFile::exists(QString::fromStdString(study.data.file)));
    EXPECT_TRUE(study.split.standardise_targets);
    EXPECT_EQ(study.split.calibration_fraction, 0.2);
    EXPECT_EQ(study.prediction.recalibration, RecalibrationKind::sigma);
    EXPECT_THAT(study.network.hidden, testing::ElementsAre(50));
    EXPECT_GT(std::get<double>(field("network.noise_sd").get(study)), 100) << "in kPa";
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(window->session().ready().experiment()->data->training.n_features, 2U);
}

TEST(Files, AnotherTableIsReadByItsOwnColumns)
{
    const QTemporaryDir folder;
    const QString numbers = write(folder, "numbers.csv", "a,b,c\n1,2,3.5\n3,4,5.5\n5,6,7.5\n");
    const QString words   = write(folder, "words.csv", "a;kind\n1;red\n2;blue\n3;red\n");
    ImportDialog dialog(numbers, {.target = "1", .task = Task::regression}, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_EQ(dialog.options().task, Task::regression);
    auto* line = dialog.findChild<QLineEdit*>("importFile");
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, words);
    QTest::keyClick(line, Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
    EXPECT_FALSE(dialog.options().task) << "detected, not as in the previous table";
    EXPECT_EQ(dialog.options().target, "2");
    auto* import = dialog.findChild<QPushButton*>("importNow");
    ASSERT_TRUE(import->isEnabled());
    QTest::mouseClick(import, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_EQ(dialog.facts().task, Task::classification);
}

TEST(Files, TheImportDialogNamesTheBadLineAndLoadsNothing)
{
    const QTemporaryDir folder;
    ImportDialog dialog(write(folder, "bad.csv", "a,b,c\n1,2,x\n3,y\n"), {}, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_THAT(dialog.findChild<QLabel*>("importMistake")->text().toStdString(), testing::HasSubstr("line 3"));
    EXPECT_FALSE(dialog.findChild<QPushButton*>("importNow")->isEnabled());
}

TEST(Files, TheImportDialogUsesTheSelectedTargetAndColumns)
{
    const QTemporaryDir folder;
    ImportDialog dialog(write(folder, "good.csv", "kind;size;weight\nred;1,5;2\nblue;2,5;3\nred;0,5;1\n"),
                        {.decimal_comma = true}, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
    auto* target = dialog.findChild<QComboBox*>("importTarget");
    ASSERT_EQ(target->count(), 3);
    target->setCurrentIndex(0);
    Q_EMIT target->activated(0);
    dialog.findChild<QTableWidget*>("importColumns")->item(2, 0)->setCheckState(Qt::Unchecked);
    const auto options = dialog.options();
    EXPECT_EQ(options.target, "1");
    EXPECT_THAT(options.columns, testing::ElementsAre("2"));
    const auto data = read_csv(dialog.file().toStdString(), options);
    EXPECT_EQ(data.n_features, 1U);
    EXPECT_EQ(data.n_classes(), 2U);
    EXPECT_FLOAT_EQ(data.row(0)[0], 1.5F);
}

TEST(Files, TheImportDialogOffersMoreNumericTargets)
{
    const QTemporaryDir folder;
    const QString file = write(folder, "good.csv", "x,kind,mm,price\n0.5,a,1.5,9.5\n1.5,b,2.5,8.5\n2.5,a,3.5,7\n");
    std::string target;
    {
        ImportDialog dialog(file, {}, nullptr);
        ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
        const auto* more   = dialog.findChild<QToolButton*>("importOtherTargets");
        const auto actions = more->menu()->actions();
        ASSERT_EQ(actions.size(), 4);
        EXPECT_FALSE(actions[1]->isEnabled()) << "a category";
        EXPECT_FALSE(actions[3]->isVisible()) << "the target itself";
        actions[2]->trigger();
        EXPECT_EQ(more->text(), "and 1 more ▾");
        EXPECT_EQ(dialog.options().target, "4, 3");
        target = dialog.targetName();
        EXPECT_EQ(target, "price, mm");
        const auto data = read_csv(dialog.file().toStdString(), dialog.options());
        EXPECT_THAT(data.target_names(), testing::ElementsAre("price", "mm"));
        EXPECT_THAT(data.feature_names, testing::ElementsAre("x", "kind=a", "kind=b"));
    }
    ImportDialog again(file, {.target = target}, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !again.busy(); }));
    EXPECT_EQ(again.options().target, "4, 3");
}

TEST(Files, TheImportDialogAnswersWhileALargeTableIsRead)
{
    const QTemporaryDir folder;
    QByteArray rows;
    for (int i = 0; i < 200000; ++i)
        rows += QByteArray::number(i * 0.5) + ',' + QByteArray::number(i % 977) + ".5," + (i % 3 ? "yes" : "no") + '\n';
    ImportDialog dialog(write(folder, "large.csv", rows), {}, nullptr);
    EXPECT_TRUE(dialog.busy());   // and the constructor is back already
    EXPECT_FALSE(dialog.findChild<QPushButton*>("importNow")->isEnabled());
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }, 20000));
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    dialog.findChild<QPushButton*>("importNow")->click();
    EXPECT_TRUE(dialog.busy());
    ASSERT_TRUE(waitForSignal(accepted, 20000));
    EXPECT_EQ(dialog.facts().rows, 200000U);
    EXPECT_EQ(dialog.facts().features, 2U);
    EXPECT_EQ(dialog.facts().classes, 2U);
    EXPECT_EQ(dialog.facts().task, Task::classification);
}

TEST(Files, AnImportClosedWhileReadingLeavesNothing)
{
    const QTemporaryDir folder;
    {
        ImportDialog dialog(write(folder, "small.csv", "1,2,a\n2,3,b\n"), {}, nullptr);
    }
    // A second dialog that has read the same file: by then the answer to the first has come, and to
    // nobody.
    ImportDialog next(folder.filePath("small.csv"), {}, nullptr);
    ASSERT_TRUE(waitUntil([&] { return !next.busy(); }));
    EXPECT_TRUE(next.findChild<QPushButton*>("importNow")->isEnabled());
}

TEST(Files, LabelsOfTheDialogsShowNoAmpersands)
{
    const QTemporaryDir folder;
    ImportDialog import(write(folder, "good.csv", "1,2,a\n2,3,b\n"), {}, nullptr);
    const std::vector<ExportFigure> scores{{"scores", "Scores"}};
    ExportDialog figures({scores, {}, {}, {}, {"one run", "another"}}, nullptr),
        report({scores, {}, "report"}, nullptr);
    for (const QDialog* dialog : std::initializer_list<const QDialog*>{&import, &figures, &report})
        for (const auto* label : credence::not_empty(dialog->findChildren<QLabel*>()))
            EXPECT_TRUE(!label->text().contains('&') || label->buddy()) << label->text().toStdString();
}

TEST(Files, AnExportContainsTheStudyOfItsRequestEvenIfASettingChanges)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    const Study made = window.study();
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"decision_map", "training_curves", "scores"}, {"csv"}, folder.path(), {}, {}});
    Study other          = made;
    other.data.toy.noise = 0.44;
    window->session().setStudy(other);
    ASSERT_TRUE(waitForSignal(exported, 30000));
    const auto files = exported.front()[0].toStringList();
    ASSERT_EQ(files.size(), 3) << exported.front()[1].toString().toStdString();
    for (const auto& file : files) {
        const auto json = studyIn(file);
        ASSERT_TRUE(json) << file.toStdString();
        EXPECT_EQ(study_from_text(json->toStdString(), file.toStdString()), made) << file.toStdString();
    }
}

TEST(Files, ASecondExportExplainsWhyItWaits)
{
    WindowDriver window;
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"decision_map"}, {"csv"}, folder.path(), {}, {}});
    window->figures()->write({{"scores"}, {"csv"}, folder.path(), {}, {}});
    EXPECT_THAT(window->message().toStdString(),
                testing::HasSubstr("An export is in progress: 0 of 1 figures are finished."));
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_EQ(exported.size(), 1);
    EXPECT_EQ(exported.front()[0].toStringList(), QStringList{folder.filePath("decision_map.csv")});
    EXPECT_EQ(window->message(), "Wrote " + folder.filePath("decision_map.csv") + ".") << "the next one can begin";
}

TEST(Files, ATabThatWasNeverOpenedIsNotAFigure)
{
    WindowDriver window;
    window.find<QAction>("exportAll")->trigger();
    auto* dialog = window.find<ExportDialog>("exportDialog");
    ASSERT_TRUE(dialog->isVisible());
    EXPECT_TRUE(dialog->order().views.contains("decision_map"));
    EXPECT_FALSE(dialog->order().views.contains("simplex_by_hand"));
    dialog->reject();
}

TEST(Files, AFileIsNotSavedWithAWrongSuffix)
{
    const QTemporaryDir folder;
    QWidget parent;
    const auto savedAs = [&](const QString& name) {
        QString chosen;
        askWhereToSave("Save", "NumPy archives (*.npz)", "outputs.npz", "npz", &parent,
                       [&](const QString& path) { chosen = path; });
        auto* dialog = parent.findChild<QFileDialog*>();
        dialog->setDirectory(folder.path());
        dialog->findChild<QLineEdit*>()->setText(name);
        QMetaObject::invokeMethod(dialog, "accept");
        delete dialog;
        return QFileInfo(chosen).fileName();
    };
    EXPECT_EQ(savedAs("mine.npz"), "mine.npz");
    EXPECT_EQ(savedAs("mine.NPZ"), "mine.NPZ");
    EXPECT_EQ(savedAs("mine"), "mine.npz");
    EXPECT_EQ(savedAs("table.csv"), "table.csv.npz");
}

TEST(Files, FilesAreReplacedOnlyAfterAQuestion)
{
    WindowDriver window;
    const QTemporaryDir folder;
    const QString name = "two-moons_mean-field_predictive-entropy.pdf";
    write(folder, name, "mine");
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window.find<QAction>("exportAll")->trigger();
    auto* dialog = window.find<ExportDialog>("exportDialog");
    window.find<QLineEdit>("exportFolder")->setText(folder.path());
    dialog->accept();
    auto* question = window.find<Sheet>("replaceFiles");
    ASSERT_TRUE(question->isVisible());
    EXPECT_THAT(question->text().toStdString(), testing::HasSubstr((name + " already exists in").toStdString()));
    QTest::mouseClick(question->back(), Qt::LeftButton);
    ASSERT_TRUE(window.waitFor([&] { return dialog->isVisible() && dialog->isEnabled(); }))
        << "the dialog is open again";
    EXPECT_EQ(exported.size(), 0);
    QFile kept(folder.filePath(name));
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_EQ(kept.readAll(), "mine");
}
