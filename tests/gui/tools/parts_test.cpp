// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/real_input.h"
#include "gui/wait_until.h"
#include "images/image_grid.h"
#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/notifier.h"
#include "parts/quiet_parts.h"
#include "parts/remembered_sizes.h"
#include "parts/setting_lines.h"
#include "parts/sheet.h"
#include "parts/toasts.h"
#include "parts/view_panel.h"

#include "session/settings.h"
#include "views/views.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"

#include <QFile>
#include <QFileDialog>
#include <QFrame>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using testing::ElementsAre;

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
    Sheet* question() { return window.findChild<Sheet*>("replaceFile"); }
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

TEST(StatusLine, NeverWidensTheWindowAndHidesWhatGivesWayFirst)
{
    QMainWindow window;
    auto* line = new StatusLine(&window);
    window.setStatusBar(line);
    std::vector<QWidget*> parts;
    for (int k = 0; k < 3; ++k) {
        parts.push_back(new QPushButton(QString(20, 'm'), line));
        line->addPermanentWidget(parts.back());
    }
    line->letGiveWay(parts.front());
    EXPECT_LT(window.minimumSizeHint().width(), parts.front()->sizeHint().width());
    window.resize(4 * parts.front()->sizeHint().width(), 200);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_GT(parts.front()->width(), 0);
    window.resize(5 * parts.front()->sizeHint().width() / 2, 200);
    EXPECT_TRUE(waitUntil([&] { return parts.front()->width() == 0; }));
    EXPECT_TRUE(waitUntil([&] { return parts.back()->width() == parts.back()->sizeHint().width(); }));
}

TEST(ElidedLabel, GivesWayInANarrowRowAndKeepsItsWholeText)
{
    const QString words = "100 of 100 rows, in the order of their entropy";
    QWidget window;
    ElidedLabel label(words, &window);
    EXPECT_LT(label.minimumSizeHint().width(), label.sizeHint().width() / 3);
    label.resize(label.minimumSizeHint());
    EXPECT_FALSE(label.grab().isNull());
    EXPECT_EQ(label.text(), words);
}

TEST(FlowLayout, OneWidgetStaysAtTheEndOfTheFirstLine)
{
    QWidget window;
    auto* row = new FlowLayout(&window);
    row->setContentsMargins(0, 0, 0, 0);
    std::vector<QWidget*> parts;
    for (const int width : {100, 100, 100, 20}) {
        parts.push_back(new QWidget(&window));
        parts.back()->setFixedSize(width, 20);
        row->addWidget(parts.back());
    }
    row->keepAtEnd(parts.back());
    window.show();
    ASSERT_TRUE(waitUntil([&] { return parts.back()->isVisible(); }));
    for (const int width : {400, 250, 140}) {
        row->setGeometry({0, 0, width, 200});
        EXPECT_EQ(parts.back()->geometry().right(), width - 1);
        EXPECT_EQ(parts.back()->y(), parts.front()->y());
        for (const auto* part : {parts[0], parts[1], parts[2]})
            EXPECT_LT(part->geometry().right(), parts.back()->x()) << width;
    }
}

TEST(FlowLayout, ControlsBecomeNarrowerWhereThatSavesALine)
{
    QWidget window;
    auto* row = new FlowLayout(&window);
    row->setContentsMargins(0, 0, 0, 0);
    row->setLeastShare(0.75);
    auto* choice = new QLineEdit(&window);
    auto* button = new QWidget(&window);
    choice->setMinimumWidth(40);
    button->setFixedSize(50, 20);
    row->addWidget(choice);
    row->addWidget(button);
    window.show();
    ASSERT_TRUE(waitUntil([&] { return button->isVisible(); }));
    const int wide = choice->sizeHint().width();
    for (const auto& [room, sameLine, width] :
         {std::tuple{wide + 60, true, wide}, {wide * 9 / 10 + 50, true, wide * 9 / 10}, {wide / 2 + 50, false, wide}}) {
        row->setGeometry({0, 0, room, 200});
        EXPECT_EQ(button->y() < choice->geometry().bottom(), sameLine) << room;
        EXPECT_LE(choice->width(), std::min(width, room)) << room;
        EXPECT_GE(choice->width(), std::min(wide * 3 / 4, room)) << room;
    }
}

TEST(LineScroll, IsAsWideAsItsLinesAndScrollsSidewaysOnlyPastItsShare)
{
    QSplitter window;
    auto* scroll = new LineScroll(&window);
    auto* lines  = new QWidget;
    lines->setMinimumSize(300, 40);
    scroll->setWidget(lines);
    window.addWidget(scroll);
    window.addWidget(new QWidget);
    window.resize(1000, 300);
    window.setSizes({100, 900});
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_EQ(scroll->horizontalScrollBar()->maximum(), 0);
    EXPECT_GE(scroll->width(), 300);
    lines->setMinimumSize(600, 40);
    QEvent changed(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(lines, &changed);
    EXPECT_TRUE(waitUntil([&] { return scroll->horizontalScrollBar()->maximum() > 0; }));
    EXPECT_LE(scroll->minimumSizeHint().width(), 400);
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

// A popover of a mark that is part of quiet controls: closing it deletes the text that has the focus.
TEST(HelpMark, ClosesWithTheFocusInItsText)
{
    QWidget window;
    auto* part = new QWidget(&window);
    auto* mark = new HelpMark(
        "Steps", [] { return QStringLiteral("<p>One line.</p>"); }, part);
    auto* shown = new QToolButton(part);
    shown->setCheckable(true);
    QuietParts quiet(&window, &window);
    quiet.add(part);
    window.show();
    mark->click();
    const QPointer<QFrame> popover = mark->findChild<QFrame*>("helpPopover");
    ASSERT_TRUE(popover);
    ASSERT_TRUE(waitUntil([&] { return popover->isAncestorOf(QApplication::focusWidget()); }));
    popover->close();
    EXPECT_TRUE(waitUntil([&] { return popover.isNull(); }));
    QApplication::processEvents();
}

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

void clickOffer(Toasts& toasts, const char* text)
{
    for (auto* button : toasts.findChildren<QPushButton*>())
        if (button->text() == QLatin1String(text) && button->isVisible())
            return QTest::mouseClick(button, Qt::LeftButton);
    FAIL() << "no offer " << text;
}

/// The first message.
void close(Toasts& toasts) { QTest::mouseClick(toasts.findChild<QToolButton*>("closeMessage"), Qt::LeftButton); }

/// The sentences of the visible cards from top to bottom.
std::vector<std::string> shown(const Toasts& toasts)
{
    std::vector<std::pair<int, std::string>> found;
    for (const auto* label : toasts.findChildren<QLabel*>())
        if (label->isVisible() && label->objectName().endsWith("messageText"))
            found.emplace_back(label->mapTo(&toasts, QPoint()).y(), label->text().toStdString());
    std::sort(found.begin(), found.end());
    std::vector<std::string> sentences;
    for (const auto& [y, sentence] : found)
        sentences.push_back(sentence);
    return sentences;
}

}   // namespace

TEST(Toasts, AQuestionIsNotReplacedByNewsOrErrors)
{
    Toasts toasts;
    bool answered = false;
    toasts.ask("Keep the run?", {{"Keep", [&] { answered = true; }}, {"Discard", {}}});
    toasts.notify("Saved a.json.");
    toasts.warn("b.json: cannot be read.");
    EXPECT_EQ(toasts.text(), "Keep the run?");
    EXPECT_THAT(shown(toasts), ElementsAre("Keep the run?", "Saved a.json.", "b.json: cannot be read."));
    toasts.warn("c.json: cannot be read.");
    EXPECT_THAT(shown(toasts), ElementsAre("Keep the run?", "b.json: cannot be read.", "c.json: cannot be read."));
    EXPECT_EQ(toasts.findChild<QLabel*>("messagesWaiting")->text(), "1 more");
    toasts.happened(Toasts::Until::other_data);
    EXPECT_EQ(toasts.text(), "Keep the run?") << "other data do not answer it";
    toasts.clear();
    EXPECT_EQ(toasts.text(), "Keep the run?");
    clickOffer(toasts, "Keep");
    EXPECT_TRUE(answered);
    EXPECT_TRUE(toasts.isHidden());
}

TEST(Toasts, NewsNeverHidesAnError)
{
    Toasts toasts;
    toasts.warn("a.json: cannot be read.");
    toasts.notify("Imported 10 rows.", {{"Undo", {}}});
    EXPECT_EQ(toasts.text(), "a.json: cannot be read.");
    EXPECT_EQ(toasts.findChild<QPushButton*>("offer0"), nullptr) << "the offer belongs to the news";
    for (const char* error : {"b", "c"})
        toasts.warn(error);
    EXPECT_THAT(shown(toasts), ElementsAre("a.json: cannot be read.", "b", "c"));
    for (int i = 0; i < 3; ++i)
        close(toasts);
    EXPECT_EQ(toasts.text(), "Imported 10 rows.");
    EXPECT_NE(toasts.findChild<QPushButton*>("offer0"), nullptr);
    close(toasts);
    EXPECT_TRUE(toasts.isHidden());
    EXPECT_EQ(toasts.text(), QString());
}

TEST(Toasts, AtMostThreeErrorsAreShownTheNewestAtTheBottom)
{
    Toasts toasts;
    for (const char* error : {"First.", "Second.", "Third.", "Fourth."})
        toasts.warn(error);
    EXPECT_EQ(toasts.text(), "Fourth.");
    EXPECT_THAT(shown(toasts), ElementsAre("Second.", "Third.", "Fourth."));
    EXPECT_EQ(toasts.findChild<QLabel*>("messagesWaiting")->text(), "1 more");
    toasts.warn("First.");   // again: it is not queued twice
    EXPECT_EQ(toasts.text(), "First.");
    EXPECT_THAT(shown(toasts), ElementsAre("Third.", "Fourth.", "First."));
    close(toasts);
    EXPECT_THAT(shown(toasts), ElementsAre("Second.", "Third.", "Fourth."));
    EXPECT_TRUE(toasts.findChild<QLabel*>("messagesWaiting")->isHidden());
    for (int i = 0; i < 3; ++i)
        close(toasts);
    EXPECT_TRUE(toasts.isHidden());
}

TEST(Toasts, NewsReplacesOlderNews)
{
    Toasts toasts;
    toasts.notify("The run a is deleted.");
    toasts.notify("The run b is deleted.");
    EXPECT_THAT(shown(toasts), ElementsAre("The run b is deleted."));
    close(toasts);
    EXPECT_TRUE(toasts.isHidden());
}

TEST(Toasts, OutdatedMessagesAreRemovedEvenWhileQueued)
{
    Toasts toasts;
    for (const char* error : {"a", "b", "The file is missing."})
        toasts.warn(error);
    toasts.notify("Also set: Steps. Ctrl+Z undoes it.", {}, Toasts::Until::next_step);
    EXPECT_FALSE(toasts.findChild<QLabel*>("messagesWaiting")->isHidden());
    toasts.happened(Toasts::Until::next_step);
    EXPECT_EQ(toasts.text(), "The file is missing.");
    EXPECT_TRUE(toasts.findChild<QLabel*>("messagesWaiting")->isHidden());
    for (const char* error : {"a", "b", "The file is missing."})
        toasts.takeBack(error);
    EXPECT_TRUE(toasts.isHidden());
}

TEST(Toasts, AnAnswerCanAskTheNextQuestion)
{
    Toasts toasts;
    toasts.ask("Delete the run?", {{"Delete", [&] { toasts.ask("Delete it for good?", {{"Yes", {}}}); }}});
    clickOffer(toasts, "Delete");
    EXPECT_EQ(toasts.text(), "Delete it for good?");
}

TEST(Toasts, NewsLeavesByItselfUnlessItHasTheFocus)
{
    QWidget window;
    auto* line = new QLineEdit(&window);
    Toasts toasts(&window);
    window.resize(600, 400);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    line->setFocus();
    toasts.setNewsDuration(50);
    toasts.warn("The file is missing.");
    toasts.notify("Imported 10 rows.");
    EXPECT_TRUE(waitUntil([&] { return shown(toasts) == std::vector<std::string>{"The file is missing."}; }));
    EXPECT_EQ(toasts.text(), "The file is missing.") << "errors stay";
    close(toasts);

    toasts.notify("Imported 20 rows.", {{"Undo", {}}});
    QTest::keyClick(&window, Qt::Key_F6);
    ASSERT_TRUE(toasts.findChild<QPushButton*>("offer0")->hasFocus());
    QTest::qWait(200);
    EXPECT_EQ(toasts.text(), "Imported 20 rows.");
    QTest::keyClick(toasts.findChild<QPushButton*>("offer0"), Qt::Key_Escape);
    EXPECT_EQ(toasts.text(), QString());
    EXPECT_TRUE(line->hasFocus()) << "back to where it was";
}

TEST(Toasts, TheCardsCoverNeitherASummaryNorTheMessagesOfAPage)
{
    QWidget window;
    window.resize(700, 600);
    auto* page    = new QWidget(&window);
    auto* summary = new QWidget(page);
    page->setGeometry(0, 0, 700, 600);
    summary->setGeometry(0, 540, 700, 40);
    auto* ofPage = new Toasts(page);
    Toasts toasts(&window);
    toasts.setStage(page);
    toasts.keepClear(summary);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    toasts.notify(QStringLiteral("The run has finished."));
    QCoreApplication::processEvents();
    EXPECT_FALSE(toasts.geometry().intersects(summary->geometry()));
    const int alone = toasts.geometry().bottom();
    ofPage->warn(QStringLiteral("The file has no column “x”."));
    QCoreApplication::processEvents();
    EXPECT_FALSE(toasts.geometry().intersects(ofPage->geometry()));
    ofPage->clear();
    QCoreApplication::processEvents();
    EXPECT_EQ(toasts.geometry().bottom(), alone);
    summary->hide();
    QCoreApplication::processEvents();
    EXPECT_GT(toasts.geometry().bottom(), alone);
}

TEST(Toasts, TheCardsLieAtTheLowerRightOfTheStageAndMoveNothing)
{
    QWidget window;
    auto* stage = new QWidget(&window);
    Toasts toasts(&window);
    window.resize(800, 600);
    stage->setGeometry(100, 50, 500, 400);
    toasts.setStage(stage);
    window.show();
    toasts.warn("The file is missing.");
    EXPECT_EQ(toasts.geometry().bottomRight(), stage->geometry().bottomRight() - QPoint(8, 8));
    stage->setGeometry(0, 0, 300, 500);
    EXPECT_EQ(toasts.geometry().right(), 300 - 1 - 8);
    EXPECT_GE(toasts.geometry().left(), 8) << "no wider than the stage";
    EXPECT_EQ(stage->size(), QSize(300, 500));

    // Larger text: no line is cut off, and a card that does not fit waits.
    const auto fits = [&] {
        for (const auto* label : toasts.findChildren<QLabel*>())
            if (label->isVisible() && label->height() < label->heightForWidth(label->width()))
                return false;
        return stage->geometry().contains(toasts.geometry());
    };
    QString sentence = "The file is missing.";
    for (int i = 0; i < 4; ++i)
        sentence += " Its folder does not exist either.";
    for (const char* error : {"a: ", "b: ", "c: "})
        toasts.warn(error + sentence);
    applyTextSize(largestText);
    EXPECT_TRUE(waitUntil(fits));
    EXPECT_EQ(shown(toasts).size(), 1U);
    EXPECT_EQ(toasts.findChild<QLabel*>("messagesWaiting")->text(), "3 more");
    applyTextSize(usualText);

    // A state has its own card below the messages.
    toasts.clear();
    auto* state = new QLabel("Pruned: 50 %", &toasts);
    toasts.showState(state, true);
    EXPECT_TRUE(state->isVisible());
    toasts.warn("The file is missing.");
    EXPECT_GT(state->y(), 0);
    close(toasts);
    EXPECT_TRUE(state->isVisible()) << "it lasts";
    toasts.showState(state, false);
    EXPECT_TRUE(toasts.isHidden());
}

TEST(Sheet, LiesAtTheTopCentreOfItsDimmedWindowAndKeepsTheFocus)
{
    QWidget window;
    window.resize(800, 600);
    window.show();
    int answered = 0;
    auto* sheet  = new Sheet("question", "Quit?", "Work is in progress.", &window);
    auto* stop   = sheet->addAnswer("&Stop", "stop", [&] { ++answered; });
    sheet->open();
    ASSERT_TRUE(QTest::qWaitForWindowActive(sheet));
    EXPECT_NEAR(sheet->geometry().center().x(), window.mapToGlobal(window.rect().center()).x(), 1);
    EXPECT_GT(sheet->geometry().top(), window.mapToGlobal(QPoint()).y());
    EXPECT_TRUE(window.childAt(window.rect().center()) != nullptr) << "dimmed";
    EXPECT_TRUE(sheet->back()->hasFocus());
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        EXPECT_TRUE(sheet->isAncestorOf(QApplication::focusWidget()));
    }
    const int low = sheet->height();
    sheet->setDetails("One run is in training.\nOne sweep is running.\nOne export is in progress.");
    EXPECT_GT(sheet->height(), low) << "it is as high as its text";
    EXPECT_TRUE(Sheet::isOpen("question", &window));
    QTest::mouseClick(stop, Qt::LeftButton);
    EXPECT_EQ(answered, 1);
    EXPECT_FALSE(Sheet::isOpen("question", &window));
    EXPECT_EQ(window.childAt(window.rect().center()), nullptr);

    sheet = new Sheet("question", "Quit?", "Work is in progress.", &window);
    sheet->addAnswer("&Stop", "stop", [&] { ++answered; });
    sheet->open();
    QTest::keyClick(sheet, Qt::Key_Escape);
    EXPECT_FALSE(Sheet::isOpen("question", &window));
    EXPECT_EQ(answered, 1) << "Escape is the harmless answer";
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

TEST(RememberedSizes, ASplitterHasItsSizesAtTheNextStartAndOtherContentItsOwn)
{
    const auto shown = [](const QString& name) {
        auto splitter = std::make_unique<QSplitter>(Qt::Vertical);
        splitter->addWidget(new QListView);
        splitter->addWidget(new QListView);
        splitter->resize(300, 600);
        EXPECT_FALSE(rememberSplitter(*splitter, "never dragged"));
        splitter->setSizes({300, 300});
        splitter->setProperty("known", rememberSplitter(*splitter, name));
        splitter->show();
        return splitter;
    };
    int usual = 0, dragged = 0;
    {
        const auto splitter = shown("one");
        EXPECT_FALSE(splitter->property("known").toBool());
        usual              = splitter->sizes()[0];
        auto* handle       = splitter->handle(1);
        const QPoint from  = handle->rect().center();
        const QPoint to    = from + QPoint(0, 120);
        const QPoint place = handle->mapToGlobal(to);
        QTest::mousePress(handle, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, place, Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(handle, &move);
        dragged = splitter->sizes()[0];
        EXPECT_NEAR(dragged, usual + 120, 3);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->mapFromGlobal(place));
    }
    EXPECT_TRUE(shown("one")->property("known").toBool());
    EXPECT_NEAR(shown("one")->sizes()[0], dragged, 1);
    EXPECT_FALSE(shown("other")->property("known").toBool());
    EXPECT_EQ(shown("other")->sizes()[0], usual);
}

TEST(RememberedSizes, ColumnsHaveTheirWidthAtTheNextStartAndOtherTablesTheirOwn)
{
    using namespace credence;
    const auto sweep = [] {
        return Table{{{"Cell", "", -1}, {"Accuracy", "%", 1}, {"n", "", -1}}, {{1L, 97.5, 200L}}};
    };
    const auto shown = [&](const QString& name) {
        auto view = std::make_unique<TableView>();
        view->resize(600, 300);
        view->show();
        rememberColumns(view->widths(), name);
        view->setTable(sweep());
        return view;
    };
    int usual = 0;
    {
        const auto view = shown("one");
        usual           = view->columnWidth(1);
        dragEdge(*view->horizontalHeader(), 1, 45);
    }
    EXPECT_EQ(shown("one")->columnWidth(1), usual + 45);
    EXPECT_EQ(shown("one")->columnWidth(0), shown("other")->columnWidth(0));
    EXPECT_EQ(shown("other")->columnWidth(1), usual);
    const auto view = shown("one");
    QTest::mouseDClick(view->horizontalHeader()->viewport(), Qt::LeftButton, {}, edgeOf(*view->horizontalHeader(), 1));
    EXPECT_EQ(shown("one")->columnWidth(1), usual) << "automatic again, also at the next start";
}
