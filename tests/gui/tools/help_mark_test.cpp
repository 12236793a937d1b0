// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_mark.h"

#include <QFrame>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>
#include <gmock/gmock.h>

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
