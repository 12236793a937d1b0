// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/tool_page.h"

#include "session/settings.h"

#include "foundation/error.h"
#include "widgets/chart_view.h"

#include "gui/wait_until.h"

#include <QCheckBox>
#include <QFile>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <gmock/gmock.h>

#include <atomic>

using namespace credence;
using namespace testing;

namespace {

/// Counts to `steps`, one gate per step, and draws its progress.
class Counter : public ToolPage {
public:
    static ToolAbout about()
    {
        return {.id     = "counter",
                .title  = "Counter",
                .help   = [] { return QStringLiteral("<p>It counts to %1.</p>").arg(10); },
                .run    = "Run",
                .pauses = true};
    }
    explicit Counter(const ToolAbout& about = Counter::about(), QWidget* parent = nullptr)
        : ToolPage(about, parent), m_view(new ChartView(this)), m_other(new ChartView(this))
    {
        auto* content = new QSplitter(this);
        content->addWidget(m_view);
        content->addWidget(m_other);
        addChart(m_view);
        addChart(m_other);
        m_other->hide();
        setContent(nullptr, content);
        resize(900, 400);
    }
    /// Both charts, with a border that can be moved.
    QSplitter& showBoth()
    {
        m_other->show();
        show();
        return *findChild<QSplitter*>();
    }

    QPushButton* button(const char* name) const { return findChild<QPushButton*>(QLatin1String(name)); }
    bool settled()
    {
        return waitUntil([this] { return !busy(); }, 20000);
    }
    /// Waits until this many steps are done.
    bool counted(int steps)
    {
        return waitUntil([&] { return *done >= steps; }, 20000);
    }
    void draw(const std::string& id, const QByteArray& study = {})
    {
        m_view->setStudyJson(study);
        m_view->setChart({.id = id, .title = "Count", .panels = {{.series = {Line{.x = {0, 1}, .y = {0, 1}}}}}});
    }

    int steps                              = 10;
    std::string mistake                    = {};   ///< of the work itself
    std::string refusal                    = {};   ///< of the settings
    std::shared_ptr<std::atomic<int>> done = std::make_shared<std::atomic<int>>(0);
    int shown                              = 0;
    int timesShown                         = 0;
    int restarts                           = 0;
    void restart() override { ++restarts; }

private:
    Worker::Work work() override
    {
        if (!refusal.empty())
            throw Error(refusal);
        *done = 0;
        return [this, steps = steps, mistake = mistake, done = done](std::stop_token,
                                                                     Worker::Progress& progress) -> Worker::Show {
            for (int i = 0; i < steps; ++i) {
                if (!progress.gate())
                    return {};
                if (!mistake.empty())
                    throw Error(mistake);
                ++*done;
                progress.report(static_cast<double>(*done) / steps, 7);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return [this, n = done->load()] {
                shown = n;
                ++timesShown;
                draw("count");
            };
        };
    }
    ChartView *m_view, *m_other;
};

}   // namespace

TEST(ToolPage, RunShowsTheResults)
{
    Counter page;
    page.show();
    EXPECT_FALSE(page.button("toolCancel")->isEnabled());
    page.button("toolRun")->click();
    EXPECT_TRUE(page.busy());
    EXPECT_TRUE(page.button("toolCancel")->isEnabled());
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.shown, 10);
    EXPECT_FALSE(page.button("toolCancel")->isEnabled());
    EXPECT_TRUE(page.findChild<QProgressBar*>("toolProgress")->isHidden());
}

TEST(ToolPage, ShowsItsProgressAndRemainingTime)
{
    Counter page;
    page.steps = 100'000;
    page.show();
    page.run();
    const auto* left = page.findChild<QLabel*>("toolTimeLeft");
    ASSERT_TRUE(waitUntil([&] { return left->text() == "0:07 left"; }, 20000)) << left->text().toStdString();
    EXPECT_TRUE(page.findChild<QProgressBar*>("toolProgress")->isVisible());
    page.cancel();
    EXPECT_FALSE(left->isVisible());
}

TEST(ToolPage, CancelStopsTheWorkAndShowsNothingOfIt)
{
    Counter page;
    page.steps = 100'000;
    page.show();
    page.run();
    ASSERT_TRUE(page.counted(3));
    page.button("toolCancel")->click();
    EXPECT_FALSE(page.busy());
    page.steps = 3;
    page.run();   // waits for the end of the cancelled work
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.timesShown, 1) << "of the second work alone";
}

TEST(ToolPage, PausesAndContinues)
{
    Counter page;
    page.steps = 400;
    page.show();
    EXPECT_FALSE(page.button("toolPause")->isEnabled()) << "nothing can be waiting";
    page.run();
    ASSERT_TRUE(page.counted(3));
    page.button("toolPause")->click();
    const int held = *page.done;   // one more step may be under way
    for (int i = 1; i <= 5; ++i) {
        page.button("toolStep")->click();
        ASSERT_TRUE(page.counted(held + i));
    }
    EXPECT_LE(*page.done, held + 6) << "while paused it moves by Step only";
    EXPECT_TRUE(page.busy());
    EXPECT_EQ(page.findChild<QLabel*>("toolTimeLeft")->text(), "paused");
    page.button("toolPause")->click();
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.shown, 400);
    EXPECT_FALSE(page.button("toolPause")->isChecked());
}

TEST(ToolPage, StepStartsPausedAndPassesOneGateAtATime)
{
    Counter page;
    page.steps = 6;
    page.show();
    for (int i = 1; i <= 5; ++i) {
        page.button("toolStep")->click();
        ASSERT_TRUE(page.counted(i));
        EXPECT_EQ(*page.done, i);
        EXPECT_TRUE(page.button("toolPause")->isChecked());
    }
    page.button("toolStep")->click();
    ASSERT_TRUE(page.settled()) << "the last step ends it";
    EXPECT_EQ(page.shown, 6);
    page.run();
    ASSERT_TRUE(page.settled()) << "a run after steps does not wait";
    EXPECT_EQ(page.shown, 6);
}

TEST(ToolPage, AnErrorIsShownAsAMessage)
{
    Counter page;
    page.show();
    page.mistake = "The count cannot be.";
    page.run();
    ASSERT_TRUE(page.settled());
    EXPECT_EQ(page.message(), "The count cannot be.");
    page.mistake.clear();
    page.refusal = "Ten is no number of steps.";
    page.run();
    EXPECT_EQ(page.message(), "Ten is no number of steps.");
    EXPECT_FALSE(page.busy());
    page.refusal.clear();
    page.run();
    EXPECT_EQ(page.message(), QString()) << "it is no longer true";
    ASSERT_TRUE(page.settled());
}

TEST(ToolPage, APageWithoutAnActionHasNoButtons)
{
    {
        Counter page({.id = "plain", .title = "Plain", .help = [] { return QString(); }, .cancels = false});
        EXPECT_THAT(page.findChildren<QPushButton*>("toolRun"), IsEmpty());
        EXPECT_THAT(page.findChildren<QPushButton*>("toolPause"), IsEmpty());
        EXPECT_THAT(page.findChildren<QPushButton*>("toolCancel"), IsEmpty());
        page.steps = 100'000;
        page.show();
        page.run();
        ASSERT_TRUE(page.counted(1));
    }   // at work: the destructor returns
}

TEST(ToolPage, EscapeNeitherClosesThePageNorStopsItsWork)
{
    Counter page;
    page.steps = 1'000'000;
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    page.run();
    ASSERT_TRUE(page.counted(1));
    for (QWidget* pressed : {static_cast<QWidget*>(&page), static_cast<QWidget*>(page.button("toolCancel"))}) {
        QTest::keyClick(pressed, Qt::Key_Escape);
        EXPECT_TRUE(page.isVisible());
        EXPECT_TRUE(page.working());
    }
    const int before = *page.done;
    EXPECT_TRUE(page.counted(before + 2));
}

TEST(ToolPage, CtrlWClosesThePageAndItsWorkContinues)
{
    Counter page;
    page.steps = 1'000'000;
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    page.run();
    ASSERT_TRUE(page.counted(1));
    QTest::keyClick(&page, Qt::Key_W, Qt::ControlModifier);
    EXPECT_FALSE(page.isVisible());
    const int before = *page.done;
    ASSERT_TRUE(page.counted(before + 2));
    EXPECT_TRUE(page.working());
    EXPECT_THAT(page.workSentence().toStdString(), StartsWith("Counter: work is in progress"));
    page.cancel();
    EXPECT_FALSE(page.working());
    EXPECT_EQ(page.workSentence(), QString());
}

TEST(ToolPage, EnterRunsAndOnAButtonPressesIt)
{
    Counter page;
    page.steps = 1'000'000;
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    page.setFocus();
    QTest::keyClick(&page, Qt::Key_Return);
    EXPECT_TRUE(page.working());
    page.button("toolCancel")->setFocus();
    QTest::keyClick(page.button("toolCancel"), Qt::Key_Return);
    EXPECT_FALSE(page.working());
}

TEST(ToolPage, AnExportCanBeCancelledAndASecondOneWaits)
{
    const QTemporaryDir folder;
    Counter page;
    page.show();
    page.draw("count");
    page.exportCharts();
    auto* dialog = page.findChild<QDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    for (auto* format : dialog->findChildren<QCheckBox*>())
        if (format->objectName().startsWith("format/"))
            format->setChecked(true);
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    auto* progress = page.button("exportProgress");
    EXPECT_FALSE(progress->isHidden());
    EXPECT_FALSE(page.button("toolExport")->isEnabled()) << "one at a time";
    progress->click();
    EXPECT_TRUE(progress->isHidden());
    EXPECT_TRUE(page.button("toolExport")->isEnabled());
    EXPECT_THAT(page.message().toStdString(), StartsWith("The export was cancelled."));
}

TEST(ToolPage, TheKeysOfTheRunMenuApplyToThePage)
{
    Counter page;
    page.steps = 1'000'000;
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    QTest::keyClick(&page, Qt::Key_F5);
    EXPECT_TRUE(page.busy());
    ASSERT_TRUE(page.counted(1));
    QTest::keyClick(&page, Qt::Key_F5);
    EXPECT_TRUE(page.button("toolPause")->isChecked());
    const int before = *page.done;
    QTest::keyClick(&page, Qt::Key_F10);
    ASSERT_TRUE(page.counted(before + 1));
    QTest::keyClick(&page, Qt::Key_F5);
    EXPECT_FALSE(page.button("toolPause")->isChecked());
    ASSERT_TRUE(page.counted(before + 3));
    QTest::keyClick(&page, Qt::Key_R, Qt::ControlModifier);
    EXPECT_EQ(page.restarts, 1);
    QTest::keyClick(&page, Qt::Key_Period, Qt::ControlModifier);
    EXPECT_TRUE(page.settled());
}

TEST(ToolPage, RunsAutomaticallyOnFirstDisplayIfConfigured)
{
    auto about   = Counter::about();
    about.atOnce = true;
    Counter page(about);
    EXPECT_FALSE(page.busy());
    page.show();
    EXPECT_TRUE(page.busy());
    ASSERT_TRUE(page.settled());
    page.hide();
    page.show();
    EXPECT_FALSE(page.busy()) << "once";
}

TEST(ToolPage, ExportsItsFigures)
{
    const QTemporaryDir folder;
    Counter page;
    page.show();
    auto* button = page.button("toolExport");
    EXPECT_FALSE(button->isEnabled()) << "there is no figure yet";
    page.draw("count", "{\"name\": \"of the count\"}");
    EXPECT_TRUE(button->isEnabled());
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    QTest::keyClick(&page, Qt::Key_E, Qt::ControlModifier);
    auto* dialog = page.findChild<QDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->findChild<QListWidget*>("exportViews")->count(), 1) << "the empty one does not count";
    dialog->findChild<QCheckBox*>("format/pdf")->setChecked(false);
    dialog->findChild<QCheckBox*>("format/svg")->setChecked(true);
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(waitUntil([&] { return !page.message().isEmpty(); }, 20000));
    QFile written(folder.filePath("count.svg"));
    ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << page.message().toStdString();
    EXPECT_TRUE(written.readAll().contains("of the count")) << "it carries the Study of the view";
}

TEST(ToolPage, F1ShowsItsHelp)
{
    Counter page;
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    QTest::keyClick(&page, Qt::Key_F1);
    const auto* popover = page.findChild<QFrame*>("helpPopover");
    ASSERT_NE(popover, nullptr);
    EXPECT_EQ(popover->findChild<QTextBrowser*>()->toPlainText(), "It counts to 10.");
}

TEST(ToolPage, RemembersTheSizesOfItsParts)
{
    stateFile().remove(settings::splitter("counter/0").key);
    QList<int> sizes;
    {
        Counter page;
        auto& splitter = page.showBoth();
        splitter.setSizes({600, 250});
        Q_EMIT splitter.splitterMoved(600, 1);   // as by the mouse
        sizes = splitter.sizes();
        ASSERT_GT(sizes.at(0), sizes.at(1) + 100);
    }
    Counter again;
    const auto restored = again.showBoth().sizes();
    EXPECT_NEAR(restored.at(0), sizes.at(0), 8);
    EXPECT_NEAR(restored.at(1), sizes.at(1), 8);
    stateFile().remove(settings::splitter("counter/0").key);
}
