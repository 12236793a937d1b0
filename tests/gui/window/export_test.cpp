// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/export_dialog.h"
#include "parts/sheet.h"
#include "session/saved_runs.h"
#include "views/figure_export.h"

#include "study/presets.h"
#include "widgets/study_metadata.h"

#include "gui/wait_until.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace credence;

namespace {

ExportPreview::Maker someFigure(const QString& id)
{
    return [id](std::stop_token) {
        return Chart{.id     = id.toStdString(),
                     .title  = id.toStdString(),
                     .panels = {Panel{.series = {Line{.x = {0, 1}, .y = {0, 1}}}}}};
    };
}

ExportChoices twoFigures()
{
    ExportChoices choices{{{"map", "Map"}, {"roc", "ROC"}}, "map"};
    choices.preview = someFigure;
    return choices;
}

void choosePage(const ExportDialog& dialog, const QString& id)
{
    auto* page = dialog.findChild<QComboBox*>("exportPage");
    page->setCurrentIndex(page->findData(id));
    Q_EMIT page->activated(page->currentIndex());
}

void tickOnly(const ExportDialog& dialog, const QStringList& ids)
{
    auto* list = dialog.findChild<QListWidget*>("exportViews");
    for (int i = 0; i < list->count(); ++i)
        if (const QString id = list->item(i)->data(Qt::UserRole).toString(); !id.isEmpty())
            list->item(i)->setCheckState(ids.contains(id) ? Qt::Checked : Qt::Unchecked);
}

void tickFormats(const ExportDialog& dialog, const QStringList& suffixes)
{
    for (auto* box : dialog.findChildren<QCheckBox*>())
        if (box->objectName().startsWith(QStringLiteral("format/")))
            box->setChecked(suffixes.contains(box->objectName().mid(7)));
}

QByteArray contentOfFile(const QString& name)
{
    QFile file(name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
    return file.readAll();
}

/// Two runs of one name, both ticked.
void trainTwo(WindowDriver& window)
{
    ASSERT_TRUE(window.train(60));
    Study other = window.study();
    other.seed  = 7;
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    ASSERT_EQ(window->context().runs.rowCount(), 2);
    for (int row : {0, 1})
        window->context().runs.setData(window->context().runs.index(row, SavedRuns::name), Qt::Checked,
                                       Qt::CheckStateRole);
}

}   // namespace

TEST(Export, RemembersTheLastExport)
{
    const QTemporaryDir folder;
    {
        ExportDialog first(twoFigures(), nullptr);
        EXPECT_EQ(first.order().suffixes, QStringList{"pdf"}) << "before anything was written";
        first.findChild<QLineEdit*>("exportFolder")->setText(folder.path());
        choosePage(first, "slide");
        tickFormats(first, {"svg", "png", "tex"});
        auto* caption = first.findChild<QComboBox*>("exportCaption");
        caption->setCurrentIndex(caption->findData("tex"));
        EXPECT_EQ(first.findChild<QLabel*>("exportFiles")->text(), "4 files: map.svg, …");
        first.findChild<QPushButton*>("writeFiles")->click();
        EXPECT_EQ(first.result(), QDialog::Accepted);
    }
    const ExportDialog again(twoFigures(), nullptr);
    const auto order = again.order();
    EXPECT_EQ(order.suffixes, QStringList({"svg", "png", "tex"}));
    EXPECT_EQ(order.caption, "tex");
    EXPECT_EQ(order.options.widthMm, 339);
    EXPECT_EQ(order.options.heightMm, 191);
    EXPECT_EQ(order.options.fontPt, 20);
    EXPECT_TRUE(order.options.title) << "a slide has its title above the figure";
    EXPECT_EQ(order.folder, folder.path());
    EXPECT_EQ(again.findChild<QComboBox*>("exportPage")->currentData().toString(), "slide");
    EXPECT_THAT(order.files(), testing::Contains(folder.path() + "/map_caption.tex"));
}

TEST(Export, ATypedSizeHasItsNameOrIsCustom)
{
    ExportDialog dialog(twoFigures(), nullptr);
    auto* page = dialog.findChild<QComboBox*>("exportPage");
    choosePage(dialog, "column");
    EXPECT_EQ(dialog.order().options.widthMm, 89);
    EXPECT_FALSE(dialog.order().options.title);
    dialog.findChild<QDoubleSpinBox*>("exportWidth")->setValue(97);
    EXPECT_EQ(page->currentData().toString(), "");
    EXPECT_EQ(dialog.order().options.fontPt, 8) << "letters stay";
    dialog.findChild<QDoubleSpinBox*>("exportWidth")->setValue(89);
    EXPECT_EQ(page->currentData().toString(), "column");
}

TEST(Export, ThePreviewHasTheProportionsOfThePageAndFollowsIt)
{
    ExportDialog dialog(twoFigures(), nullptr);
    dialog.show();
    const auto* preview = dialog.findChild<ExportPreview*>("exportPreview");
    ASSERT_NE(preview, nullptr);
    const auto proportion = [&] {
        const QImage& page = preview->picture();
        return page.isNull() ? 0 : static_cast<double>(page.width()) / page.height();
    };
    for (const auto& page : {std::pair{"slide", 339.0 / 191}, {"column", 89.0 / 65}}) {
        choosePage(dialog, page.first);
        EXPECT_TRUE(waitUntil([&] { return std::abs(proportion() - page.second) < 0.03; }, 10000))
            << page.first << " " << proportion();
    }
    EXPECT_THAT(preview->words().toStdString(), testing::StartsWith("89 × 65 mm, font size 8 pt, shown at "));
    tickOnly(dialog, {});
    dialog.findChild<QListWidget*>("exportViews")->setCurrentItem(nullptr);
    EXPECT_EQ(preview->words(), "Tick a figure to preview it here.");
}

TEST(Export, ThePreviewShowsTheChartOnScreenUntilTheFigureIsComputed)
{
    std::atomic<bool> go = false;
    ExportChoices choices{{{"map", "Map"}}, "map"};
    choices.preview = [&go](const QString& id) -> ExportPreview::Maker {
        return [&go, make = someFigure(id)](std::stop_token stop) {
            while (!go && !stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return make(std::move(stop));
        };
    };
    choices.onScreen = [](const QString& id) { return std::make_shared<const Chart>(*someFigure(id)({})); };
    ExportDialog dialog(choices, nullptr);
    dialog.show();
    const auto* preview = dialog.findChild<ExportPreview*>("exportPreview");
    ASSERT_NE(preview, nullptr);
    EXPECT_TRUE(waitUntil([&] { return !preview->picture().isNull(); }));
    EXPECT_THAT(preview->words().toStdString(), testing::EndsWith("; computing the figure …"));
    go = true;
    EXPECT_TRUE(waitUntil([&] { return !preview->words().contains("computing"); }));
    EXPECT_FALSE(preview->picture().isNull());
}

TEST(Export, FiguresOfEachTickedRunHaveTheirOwnNameAndStudy)
{
    WindowDriver window;
    window.find<QAction>("exportTicked")->trigger();
    EXPECT_THAT(window->message().toStdString(), testing::StartsWith("No run is ticked. "));
    trainTwo(window);
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window.find<QAction>("exportTicked")->trigger();
    auto* dialog = window.find<ExportDialog>("exportDialog");
    EXPECT_EQ(dialog->findChild<QComboBox*>("exportOf")->currentIndex(), 1);
    const QSize least = dialog->minimumSizeHint();   // a screen of 1366×768 at 200 %
    EXPECT_TRUE(least.width() <= 683 && least.height() <= 340) << least.width() << " " << least.height();
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    auto* caption = dialog->findChild<QComboBox*>("exportCaption");
    caption->setCurrentIndex(caption->findData("txt"));
    tickFormats(*dialog, {"csv"});
    tickOnly(*dialog, {"scores", "training_curves"});
    const auto order = dialog->order();
    EXPECT_EQ(order.runs, QStringList({"two-moons_mean-field", "two-moons_mean-field-2"}));
    EXPECT_TRUE(order.files().contains(folder.filePath("two-moons_mean-field-2_training-curves.csv")));
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_EQ(exported.front()[0].toStringList(), order.files()) << window->message().toStdString();
    EXPECT_EQ(order.files().size(), 8);
    for (int r : {0, 1}) {
        const auto study = studyIn(folder.filePath(order.runs[r] + "_scores.csv"));
        ASSERT_TRUE(study);
        const auto seed = window->context().runs.at(r)->run.study.seed;
        EXPECT_EQ(study_from_text(study->toStdString(), "").seed, seed);
        EXPECT_TRUE(contentOfFile(folder.filePath(order.runs[r] + "_scores_caption.txt"))
                        .contains("Seed " + QByteArray::number(static_cast<qlonglong>(seed))));
    }
}

TEST(Export, AReportHasTheChosenChaptersTheFindingsAndTheTickedRunsCompared)
{
    WindowDriver window;
    trainTwo(window);
    window->figures()->setFindings([] { return QStringList{"The KL is not weighted by 1/N."}; });
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->askReport();
    auto* dialog = window.find<ExportDialog>("exportDialog");
    EXPECT_EQ(dialog->order().views.front(), "scores") << "on the first page";
    EXPECT_TRUE(dialog->order().views.contains(report_parts::runsSideBySide));
    const QStringList chosen{"scores",          report_parts::settings,    report_parts::findings,
                             "training_curves", report_parts::differences, report_parts::scoresOfRuns};
    tickOnly(*dialog, chosen);
    tickFormats(*dialog, {"html", "pdf"});
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(waitForSignal(exported, 30000));
    ASSERT_EQ(exported.front()[0].toStringList().size(), 2) << window->message().toStdString();
    const QByteArray html = contentOfFile(folder.filePath("two-moons_mean-field_report.html"));
    qsizetype last        = 0;
    for (const char* part : {"<h2>Settings</h2>", "<p>The KL is not weighted by 1/N.</p>", "<h2>Training</h2>",
                             "<h2>The ticked runs compared</h2>", "<h3>Differences between the runs</h3>",
                             "<h3>Scores side by side</h3>"}) {
        EXPECT_GT(html.indexOf(part), last) << part;
        last = std::max(last, html.indexOf(part));
    }
    EXPECT_LE(html.count("Data: Two moons ("), 3) << "once for the displayed run and once in a figure of both runs";

    ASSERT_TRUE(window.waitFor([&] { return !window->findChild<ExportDialog*>(); }));
    window->figures()->askReport();
    EXPECT_EQ(window.find<ExportDialog>("exportDialog")->order().views, chosen) << "the same chapters next time";
}

TEST(Export, FromTheMenuToTheFileAndWithAQuestionBeforeItIsReplaced)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    const QString file = folder.filePath("two-moons_mean-field_scores.csv");
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    const auto open = [&] {
        EXPECT_TRUE(window.waitFor([&] { return !window->findChild<ExportDialog*>(); }));
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window.window()));
        QTest::keyClick(&window.window(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = window.find<ExportDialog>("exportDialog");
        tickOnly(*dialog, {"scores", "training_curves"});
        tickFormats(*dialog, {"csv"});
        dialog->findChild<QComboBox*>("exportCaption")->setCurrentIndex(0);   // no files of captions
        auto* typed = dialog->findChild<QLineEdit*>("exportFolder");
        typed->selectAll();
        QTest::keyClicks(typed, folder.path());
        return dialog;
    };
    const auto write = [](const ExportDialog& dialog) {
        QTest::mouseClick(dialog.findChild<QPushButton*>("writeFiles"), Qt::LeftButton);
    };
    write(*open());
    ASSERT_TRUE(waitForSignal(exported, 30000));
    const QByteArray first = contentOfFile(file);
    EXPECT_TRUE(first.contains("Two moons"));

    // Once more: Cancel of the question leaves the dialog as it was.
    QFile there(file);
    ASSERT_TRUE(there.open(QIODevice::WriteOnly));
    there.write("mine");
    there.close();
    auto* dialog      = open();
    const auto before = dialog->order();
    write(*dialog);
    auto* question = dialog->findChild<Sheet*>("replaceFiles");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->text().toStdString(), testing::HasSubstr("2 of these files already exist in"));
    QTest::keyClick(question, Qt::Key_Escape);
    ASSERT_TRUE(window.waitFor([&] { return !dialog->findChild<Sheet*>("replaceFiles"); }));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_EQ(dialog->order().files(), before.files());
    EXPECT_EQ(contentOfFile(file), "mine");

    write(*dialog);
    question = dialog->findChild<Sheet*>("replaceFiles");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->findChild<QPushButton*>("keepBoth"), Qt::LeftButton);
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_EQ(contentOfFile(file), "mine");
    EXPECT_EQ(contentOfFile(folder.filePath("two-moons_mean-field_scores-2.csv")), first);
    EXPECT_TRUE(QFile::exists(folder.filePath("two-moons_mean-field_training-curves-2.csv")));

    dialog = open();
    write(*dialog);
    question = dialog->findChild<Sheet*>("replaceFiles");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->findChild<QPushButton*>("replace"), Qt::LeftButton);
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_EQ(contentOfFile(file), first);
}

TEST(Export, OneKeyRepeatsTheLastExportForTheDisplayedRun)
{
    WindowDriver window;
    auto* repeat = window.find<QAction>("repeatExport");
    EXPECT_FALSE(repeat->isEnabled()) << "nothing was exported yet";
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->ask("decision_map");
    auto* dialog = window.find<ExportDialog>("exportDialog");
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QDoubleSpinBox*>("exportWidth")->setValue(80);
    dialog->findChild<QDoubleSpinBox*>("exportHeight")->setValue(60);
    dialog->findChild<QComboBox*>("exportCaption")->setCurrentIndex(0);
    tickFormats(*dialog, {"pdf", "csv"});
    dialog->findChild<QPushButton*>("writeFiles")->click();
    const auto written = [&](const QString& stem) {
        EXPECT_TRUE(!exported.isEmpty() || waitForSignal(exported, 30000));
        const auto files = exported.isEmpty() ? QStringList() : exported.takeFirst()[0].toStringList();
        EXPECT_EQ(files, QStringList({folder.filePath(stem + ".pdf"), folder.filePath(stem + ".csv")}));
    };
    written("two-moons_mean-field_predictive-entropy");
    EXPECT_TRUE(repeat->isEnabled());
    EXPECT_EQ(repeat->text(), "Repeat export: Predictive entropy as PDF, CSV, 80 × 60 mm");

    Study other            = window.study();
    other.posterior.family = "point_estimate";
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    const auto press = [&] {
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window.window()));
        QTest::keyClick(&window.window(), Qt::Key_E, Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier);
    };
    press();
    written("two-moons_point-estimate_predictive-entropy");
    press();   // the same names
    auto* question = window.find<Sheet>("replaceFiles");
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(exported.isEmpty());
    QTest::mouseClick(question->findChild<QPushButton*>("keepBoth"), Qt::LeftButton);
    written("two-moons_point-estimate_predictive-entropy-2");
    window.setQuantity(MapQuantity::class_probability, 1);
    EXPECT_THAT(repeat->text().toStdString(), testing::StartsWith("Repeat export: Class probability as PDF, CSV"));
}

TEST(Export, AFolderIsCreatedAndATildeIsTheHomeFolder)
{
    const QTemporaryDir home;
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toLocal8Bit());
    {
        ExportDialog dialog(twoFigures(), nullptr);
        tickFormats(dialog, {"csv"});
        dialog.findChild<QLineEdit*>("exportFolder")->setText("~/figures/new");
        EXPECT_EQ(dialog.order().folder, home.filePath("figures/new"));
        EXPECT_THAT(dialog.findChild<QLabel*>("exportFiles")->text().toStdString(),
                    testing::EndsWith("figures/new will be created."));
        dialog.findChild<QPushButton*>("writeFiles")->click();
        EXPECT_EQ(dialog.result(), QDialog::Accepted);
        EXPECT_TRUE(QFileInfo(home.filePath("figures/new")).isDir());
    }
    EXPECT_EQ(ExportDialog(twoFigures(), nullptr).order().folder, home.filePath("figures/new")) << "offered next time";
    qputenv("HOME", before);
}

TEST(Export, AnImpossibleFolderIsReportedWithTheReason)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("notes"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    ExportDialog dialog(twoFigures(), nullptr);
    const auto* words = dialog.findChild<QLabel*>("exportFiles");
    const auto* write = dialog.findChild<QPushButton*>("writeFiles");
    const auto typed  = [&](const QString& text) {
        dialog.findChild<QLineEdit*>("exportFolder")->setText(text);
        EXPECT_FALSE(write->isEnabled());
        return words->text();
    };
    const QString notes = folder.filePath("notes");
    EXPECT_EQ(typed(notes), QStringLiteral("Folder %1: found a file called %1, expected a folder.").arg(notes));
    EXPECT_EQ(typed(notes + "/new"),
              QStringLiteral("Folder %1/new: found a file called %1, expected a folder.").arg(notes));
    EXPECT_EQ(typed(""), "Folder: found no name, expected the folder for the files.");
}

TEST(Export, AViewThatTheDisplayedRunNoLongerAllowsIsNotWritten)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QTemporaryDir folder;
    window->figures()->ask({});
    auto* dialog = window.find<ExportDialog>("exportDialog");
    tickOnly(*dialog, {"roc"});
    tickFormats(*dialog, {"csv"});
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    // Meanwhile a run of other data is displayed, as a double click on a cell of a sweep does.
    window->session().setStudy(preset("cubic"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(waitForSignal(exported, 30000));
    EXPECT_TRUE(exported.front()[0].toStringList().isEmpty());
    EXPECT_THAT(window->message().toStdString(), testing::StartsWith("Not written: ROC: "));
}

TEST(Export, AChaptersTickFollowsItsFigures)
{
    FigureTicks list({{"a", "A", "One"}, {"b", "B", "One"}, {"c", "C", "Two"}}, {}, {"b"}, nullptr);
    ASSERT_EQ(list.count(), 5);   // with two headings
    EXPECT_EQ(list.ticked(), QStringList({"a", "c"}));
    EXPECT_EQ(list.item(0)->checkState(), Qt::PartiallyChecked);
    list.item(0)->setCheckState(Qt::Checked);
    EXPECT_EQ(list.ticked(), QStringList({"a", "b", "c"}));
    list.item(0)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(list.ticked(), QStringList{"c"});
    EXPECT_EQ(list.leftOut(), QStringList({"a", "b"}));
    list.item(1)->setCheckState(Qt::Checked);
    EXPECT_EQ(list.item(0)->checkState(), Qt::PartiallyChecked);
}
