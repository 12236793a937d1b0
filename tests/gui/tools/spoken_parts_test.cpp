// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_canvas.h"
#include "images/thumbnail_strip.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/number_slider.h"
#include "parts/toasts.h"
#include "shell/main_window.h"

#include "widgets/accessibility.h"

#include <QAccessible>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QVBoxLayout>
#include <gmock/gmock.h>

using credence::Announcer;

TEST(SpokenParts, ThumbnailsAreItemsOfAListThatCanBePressed)
{
    installSpokenParts();
    ThumbnailStrip strip;
    strip.setAccessibleName(QStringLiteral("Nearest training images"));
    strip.setThumbnails(
        {{.picture = {}, .first = "3", .second = "0.25", .tip = "training image 7", .stands_out = true},
         {.picture = {}, .first = "5", .second = "0.5", .tip = "", .stands_out = false, .chosen = true}});
    strip.resize(200, 80);
    strip.show();
    auto* seen = QAccessible::queryAccessibleInterface(&strip);
    ASSERT_EQ(seen->role(), QAccessible::List);
    EXPECT_EQ(seen->text(QAccessible::Name), "Nearest training images");
    ASSERT_EQ(seen->childCount(), 2);
    EXPECT_EQ(seen->child(0)->text(QAccessible::Name), "3, 0.25, training image 7, different class than expected");
    EXPECT_EQ(seen->child(1)->text(QAccessible::Name), "5, 0.5");
    EXPECT_TRUE(seen->child(1)->state().selected);
    EXPECT_EQ(seen->indexOfChild(seen->child(1)), 1);
    EXPECT_EQ(seen->child(0)->parent(), seen);
    QSignalSpy activated(&strip, &ThumbnailStrip::activated);
    seen->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    ASSERT_EQ(activated.size(), 1);
    EXPECT_EQ(activated[0][0].toInt(), 1);
    auto* second = seen->child(1);
    strip.setThumbnails({});
    EXPECT_EQ(seen->childCount(), 0);
    EXPECT_FALSE(second->isValid());
}

TEST(SpokenParts, TheCanvasAnnouncesThePixelUnderItsCursor)
{
    installSpokenParts();
    ImageCanvas canvas;
    canvas.resize(120, 120);
    canvas.setImage({10, 20, 30, 40}, {.channels = 1, .height = 2, .width = 2});
    canvas.show();
    auto* seen = QAccessible::queryAccessibleInterface(&canvas);
    EXPECT_EQ(seen->role(), QAccessible::Graphic);
    EXPECT_EQ(seen->text(QAccessible::Name), "Selected image");
    EXPECT_TRUE(seen->text(QAccessible::Description).contains("2 × 2 pixels"));
    EXPECT_EQ(seen->text(QAccessible::Value), "");
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Right);
    EXPECT_EQ(seen->text(QAccessible::Value), "row 0, column 0: 10");
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(seen->text(QAccessible::Value), "row 1, column 0: 30");
}

TEST(SpokenParts, AMessageIsAnnouncedAsAnAlert)
{
    installSpokenParts();   // as the window does
    Toasts bar;
    QStringList reported;
    QObject::connect(&Announcer::instance(), &Announcer::notified, &bar,
                     [&](QWidget* from, const QString& words, Announcer::Urgency how) {
        if (from == &bar && how == Announcer::Urgency::alert)
            reported += words;
    });
    bar.notify(QStringLiteral("The file is missing."));
    auto* seen = QAccessible::queryAccessibleInterface(&bar);
    EXPECT_EQ(seen->role(), QAccessible::AlertMessage);
    EXPECT_EQ(seen->text(QAccessible::Name), "The file is missing.");
    EXPECT_EQ(reported, QStringList{QStringLiteral("The file is missing.")});
}

TEST(SpokenParts, AComboBoxWithoutALabelHasAHiddenOne)
{
    QWidget page;
    auto* box = new QComboBox(&page);
    box->addItems({QStringLiteral("By hand"), QStringLiteral("Chosen input")});
    box->setAccessibleName(QStringLiteral("Source of the distribution"));
    labelBoxes(page);
    labelBoxes(page);
    EXPECT_EQ(page.findChildren<QLabel*>().size(), 1);
    EXPECT_TRUE(page.findChild<QLabel*>()->isHidden());
    const auto reported = QAccessible::queryAccessibleInterface(box)->relations(QAccessible::Label);
    ASSERT_EQ(reported.size(), 1);
    EXPECT_EQ(reported.front().first->text(QAccessible::Name), "Source of the distribution");
}

TEST(TabOrder, GoesThroughLayoutsAsTheyAreRead)
{
    QWidget page;
    auto* last   = new QLineEdit(&page);   // made first
    auto* right  = new QLineEdit(&page);
    auto* left   = new QLineEdit(&page);
    auto* inTab  = new QLineEdit(&page);
    auto* tabs   = new QTabWidget(&page);
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->addWidget(inTab);
    tabs->addTab(inside, QStringLiteral("One"));
    auto* all  = new QVBoxLayout(&page);
    auto* grid = new QGridLayout;
    grid->addWidget(right, 0, 1);
    grid->addWidget(left, 0, 0);
    all->addLayout(grid);
    all->addWidget(tabs);
    all->addWidget(last);
    const auto stops = stopsAsLaidOut({&page});
    std::vector<QWidget*> lines;
    for (auto* stop : stops)
        if (qobject_cast<QLineEdit*>(stop))
            lines.push_back(stop);
    EXPECT_EQ(lines, (std::vector<QWidget*>{left, right, inTab, last}));
    orderTabs({&page});
    EXPECT_EQ(left->nextInFocusChain(), right);
}

TEST(TextSize, FixedSizesFollowTheTextSize)
{
    QWidget fixed, limited;
    fixWithText(&fixed, 80, 20);
    limitWithText(&limited, 100);
    EXPECT_EQ(fixed.minimumSize(), QSize(80, 20));
    EXPECT_EQ(applyTextSize(150), 150);
    EXPECT_EQ(fixed.minimumSize(), QSize(120, 30));
    EXPECT_EQ(limited.maximumWidth(), 150);
    QWidget later;
    fixWithText(&later, 80);
    EXPECT_EQ(later.minimumWidth(), 120);
    EXPECT_EQ(applyTextSize(1000), largestText);
    EXPECT_EQ(applyTextSize(1), smallestText);
    EXPECT_EQ(applyTextSize(usualText), usualText);
    EXPECT_EQ(fixed.maximumSize(), QSize(80, 20));
}
