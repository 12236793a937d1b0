// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wait_until.h"
#include "images/image_grid.h"
#include "parts/ask_path.h"
#include "parts/help_mark.h"
#include "parts/message_bar.h"
#include "parts/view_panel.h"

#include "views/views.h"
#include "widgets/chart_view.h"

#include <QFile>
#include <QFileDialog>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <gmock/gmock.h>

namespace {

/// A dialog that asks where to save, and what came of it.
class SaveDriver {
public:
    SaveDriver()
    {
        askWhereToSave("Save study", "Studies (*.json)", "study.json", "json", &window,
                       [this](const QString& file) { chosen = file; });
        dialog = window.findChild<QFileDialog*>();
        EXPECT_NE(dialog, nullptr);
        dialog->setDirectory(folder.path());
    }
    void save(const QString& name)
    {
        dialog->selectFile(name);
        static_cast<QDialog*>(dialog)->accept();
    }
    QMessageBox* question() { return window.findChild<QMessageBox*>("replaceFile"); }
    void write(const QString& name)
    {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }

    const QTemporaryDir folder;
    QWidget window;
    QFileDialog* dialog = nullptr;
    QString chosen;
};

}   // namespace

TEST(AskWhereToSave, AMissingSuffixIsAdded)
{
    SaveDriver driver;
    driver.save("mine");
    EXPECT_EQ(driver.chosen, driver.folder.filePath("mine.json"));
    EXPECT_EQ(driver.question(), nullptr);
}

TEST(AskWhereToSave, ATypedNameGetsItsSuffixWhileItHasTheFocus)
{
    for (const bool exists : {false, true}) {
        SaveDriver driver;
        if (exists)
            driver.write("mine.json");
        driver.dialog->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(driver.dialog));
        auto* name = driver.dialog->findChild<QLineEdit*>("fileNameEdit");
        ASSERT_NE(name, nullptr);
        ASSERT_TRUE(name->hasFocus());
        name->setText("mine");
        static_cast<QDialog*>(driver.dialog)->accept();
        EXPECT_EQ(driver.chosen, exists ? QString() : driver.folder.filePath("mine.json"));
        EXPECT_EQ(driver.question() != nullptr, exists) << "asks about the final name";
    }
}

TEST(AskWhereToSave, AFileIsReplacedOnlyAfterAQuestionAboutItsFinalName)
{
    SaveDriver driver;
    driver.write("mine.json");
    driver.save("mine");
    EXPECT_EQ(driver.chosen, QString());
    ASSERT_NE(driver.question(), nullptr);
    EXPECT_TRUE(driver.question()->text().contains("mine.json already exists in"));
    QTest::keyClick(driver.question(), Qt::Key_Escape);
    EXPECT_EQ(driver.chosen, QString());
    EXPECT_TRUE(driver.dialog->isVisible()) << "another name can be chosen";
    ASSERT_TRUE(waitUntil([&] { return !driver.question(); }));

    driver.save("mine.json");
    ASSERT_NE(driver.question(), nullptr);
    for (auto* button : driver.question()->findChildren<QPushButton*>())
        if (button->text() == "&Replace")
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(driver.chosen, driver.folder.filePath("mine.json"));
}

namespace {

struct Popover {
    explicit Popover(const QString& html) : mark("Steps", [html] { return html; })
    {
        mark.show();
        QTest::mouseClick(&mark, Qt::LeftButton);
        frame = mark.findChild<QFrame*>("helpPopover");
        text  = frame ? frame->findChild<QTextBrowser*>() : nullptr;
    }
    HelpMark mark;
    QFrame* frame      = nullptr;
    QTextBrowser* text = nullptr;
};

}   // namespace

TEST(HelpMark, AShortHelpIsAsTallAsItsText)
{
    const Popover help("<p>One line.</p>");
    ASSERT_NE(help.text, nullptr);
    EXPECT_EQ(help.text->verticalScrollBar()->maximum(), 0);
    EXPECT_LT(help.frame->height(), 5 * help.text->fontMetrics().height());
}

TEST(HelpMark, ALongHelpScrollsAndStaysOnTheScreen)
{
    QString html;
    for (int i = 0; i < 200; ++i)
        html += QStringLiteral("<p>Method %1: samples the weights.</p>").arg(i);
    const Popover help(html);
    ASSERT_NE(help.text, nullptr);
    const QRect room = help.frame->screen()->availableGeometry();
    EXPECT_LE(help.frame->height(), 0.6 * room.height() + 1);
    EXPECT_TRUE(room.contains(help.frame->geometry()));
    auto* bar = help.text->verticalScrollBar();
    ASSERT_GT(bar->maximum(), 0);
    EXPECT_TRUE(help.text->hasFocus());
    QTest::keyClick(help.text, Qt::Key_PageDown);
    EXPECT_GT(bar->value(), 0);
    QTest::keyClick(help.text, Qt::Key_End);
    EXPECT_EQ(bar->value(), bar->maximum()) << "the last line can be read";
}

namespace {

void clickOffer(MessageBar& bar, const char* text)
{
    for (auto* button : bar.findChildren<QPushButton*>())
        if (button->text() == QLatin1String(text) && !button->isHidden())
            return QTest::mouseClick(button, Qt::LeftButton);
    FAIL() << "no offer " << text;
}

void close(MessageBar& bar) { QTest::mouseClick(bar.findChild<QToolButton*>("closeMessage"), Qt::LeftButton); }

}   // namespace

TEST(MessageBar, AQuestionIsNotReplacedByNoticesOrErrors)
{
    MessageBar bar;
    bool answered = false;
    bar.ask("Keep the run?", {{"Keep", [&] { answered = true; }}, {"Discard", {}}});
    bar.notify("Saved a.json.");
    bar.warn("b.json: cannot be read.");
    EXPECT_EQ(bar.text(), "Keep the run?");
    EXPECT_EQ(bar.findChild<QLabel*>("messagesWaiting")->text(), "2 more");
    bar.happened(MessageBar::Until::other_data);
    EXPECT_EQ(bar.text(), "Keep the run?") << "other data do not answer it";
    bar.clear();
    EXPECT_EQ(bar.text(), "Keep the run?");
    clickOffer(bar, "Keep");
    EXPECT_TRUE(answered);
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, NoticesNeverHideAnError)
{
    MessageBar bar;
    bar.warn("a.json: cannot be read.");
    bar.notify("Imported 10 rows.", {{"Undo", {}}});
    EXPECT_EQ(bar.text(), "a.json: cannot be read.");
    EXPECT_EQ(bar.findChild<QPushButton*>("offer0"), nullptr) << "the offer belongs to the notice";
    close(bar);
    EXPECT_EQ(bar.text(), "Imported 10 rows.");
    EXPECT_NE(bar.findChild<QPushButton*>("offer0"), nullptr);
    close(bar);
    EXPECT_TRUE(bar.isHidden());
    EXPECT_EQ(bar.text(), QString());
}

TEST(MessageBar, SeveralErrorsAreShownOneAfterAnother)
{
    MessageBar bar;
    bar.warn("First.");
    bar.warn("Second.");
    bar.warn("First.");   // again: it is not queued twice
    EXPECT_EQ(bar.text(), "First.");
    close(bar);
    EXPECT_EQ(bar.text(), "Second.");
    close(bar);
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, NoticesReplaceOlderNotices)
{
    MessageBar bar;
    bar.notify("The run a is deleted.");
    bar.notify("The run b is deleted.");
    EXPECT_EQ(bar.text(), "The run b is deleted.");
    close(bar);
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, OutdatedMessagesAreRemovedEvenWhileQueued)
{
    MessageBar bar;
    bar.warn("The file is missing.");
    bar.notify("Also set: Steps. Ctrl+Z undoes it.", {}, MessageBar::Until::next_step);
    bar.happened(MessageBar::Until::next_step);
    EXPECT_EQ(bar.text(), "The file is missing.");
    EXPECT_TRUE(bar.findChild<QLabel*>("messagesWaiting")->isHidden());
    bar.takeBack("The file is missing.");
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, AnAnswerCanAskTheNextQuestion)
{
    MessageBar bar;
    bar.ask("Delete the run?", {{"Delete", [&] { bar.ask("Delete it for good?", {{"Yes", {}}}); }}});
    clickOffer(bar, "Delete");
    EXPECT_EQ(bar.text(), "Delete it for good?");
}

TEST(WaitingPage, ShowsTheReasonOrTheProgress)
{
    WaitingPage page("why", nullptr);
    page.show();
    const auto* bar = page.findChild<QProgressBar*>("whyProgress");
    page.notify("There is nothing.");
    EXPECT_EQ(page.findChild<QLabel*>("why")->text(), "There is nothing.");
    EXPECT_FALSE(bar->isVisible());
    page.wait("Computing …", 0.25);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(bar->value(), bar->maximum() / 4);
    page.wait("Reading …", {});
    EXPECT_EQ(bar->maximum(), 0) << "the duration is unknown";
    EXPECT_EQ(page.sentence(), "Reading …");
}

TEST(ViewPanel, KeepsItsLastPictureDimmedUntilTheNextIsThere)
{
    using namespace credence;
    ViewPanel panel(view("roc"));
    panel.resize(400, 300);
    panel.show();
    const auto* dim  = panel.findChild<QWidget*>("dimmed/roc");
    const auto* note = panel.findChild<QLabel*>("computing/roc");
    panel.wait("Computing …", false);
    EXPECT_EQ(panel.chart().message, "Computing …") << "there is no picture yet";
    EXPECT_FALSE(dim->isVisible());
    const Chart chart{.id     = "roc",
                      .title  = "ROC",
                      .panels = {{.series = {Line{.name = "", .x = {0, 1}, .y = {0, 1}, .tone = category(0)}}}}};
    panel.setChart(chart);
    for (const bool counts : {true, false}) {
        panel.wait("Computing …", counts);
        EXPECT_EQ(panel.chartView()->chart().panels.size(), 1U) << "words in place of the picture";
        EXPECT_EQ(panel.hasChart(), counts);
        EXPECT_TRUE(dim->isVisible());
        EXPECT_EQ(dim->geometry(), panel.chartView()->geometry());
        EXPECT_EQ(dim->testAttribute(Qt::WA_TransparentForMouseEvents), counts) << "no clicks on outdated data";
        EXPECT_TRUE(note->isVisible());
        EXPECT_EQ(note->text(), "Computing …");
    }
    panel.setChart(chart);
    EXPECT_TRUE(panel.hasChart());
    EXPECT_FALSE(dim->isVisible());
    EXPECT_FALSE(note->isVisible());
    panel.outdate();
    panel.wait("Computing …", true);
    EXPECT_FALSE(panel.hasChart());
    EXPECT_TRUE(dim->isVisible());
}

TEST(ImageGrid, StatesThatDataAreBeingRead)
{
    ImageGrid grid;
    grid.show();
    grid.setReading("Reading the data …");
    EXPECT_FALSE(grid.list()->isVisible());
    EXPECT_TRUE(grid.findChild<QLabel*>("imageMessage")->isVisible());
    EXPECT_EQ(grid.findChild<QLabel*>("imageMessage")->text(), "Reading the data …");
    EXPECT_TRUE(grid.findChild<QProgressBar*>("imageMessageProgress")->isVisible());
}
