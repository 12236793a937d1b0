// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/message_bar.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>

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
    bar.say("Saved a.json.");
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
    bar.say("Imported 10 rows.", {{"Undo", {}}});
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
    bar.say("The run a is deleted.");
    bar.say("The run b is deleted.");
    EXPECT_EQ(bar.text(), "The run b is deleted.");
    close(bar);
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, OutdatedMessagesAreRemovedEvenWhileQueued)
{
    MessageBar bar;
    bar.warn("The file is missing.");
    bar.say("Also set: Steps. Ctrl+Z undoes it.", {}, MessageBar::Until::next_step);
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
