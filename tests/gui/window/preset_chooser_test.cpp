// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/preset_chooser.h"

#include "window_driver.h"

#include "runs/comparison.h"
#include "study/presets.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

using namespace credence;

namespace {

std::vector<QTreeWidgetItem*> shownLines(const QTreeWidget& tree)
{
    std::vector<QTreeWidgetItem*> lines;
    for (int g = 0; g < tree.topLevelItemCount(); ++g)
        for (int i = 0; i < tree.topLevelItem(g)->childCount(); ++i)
            if (auto* line = tree.topLevelItem(g)->child(i); !line->isHidden())
                lines.push_back(line);
    return lines;
}

}   // namespace

TEST(PresetChooser, ShowsAllPresetsInGroupsWithPicturesAndWorksByKeyboard)
{
    WindowDriver window;
    window.clickButton("browsePresets");
    auto* chooser = window->findChild<PresetChooser*>();
    ASSERT_TRUE(chooser);
    EXPECT_LE(chooser->minimumSizeHint().height(), 700);
    EXPECT_LE(chooser->minimumSizeHint().width(), 1024);
    auto* tree  = window.find<QTreeWidget>("presetList");
    auto* words = window.find<QLineEdit>("presetWords");
    EXPECT_EQ(shownLines(*tree).size(), presets().size() + comparisons().size());
    EXPECT_EQ(tree->currentItem()->data(0, Qt::UserRole).toString(), "two_moons_mean_field") << "that of the Study";
    EXPECT_TRUE(window.waitFor([&] {
        for (const auto* line : shownLines(*tree))
            if (!line->data(0, Qt::UserRole).toString().startsWith("compare/") && line->icon(0).isNull())
                return false;
        return true;
    }));
    for (const auto* line : shownLines(*tree))
        EXPECT_FALSE(line->data(0, Qt::AccessibleDescriptionRole).toString().isEmpty()) << line->text(0).toStdString();

    QTest::keyClicks(words, "zzzz");
    EXPECT_TRUE(shownLines(*tree).empty());
    EXPECT_FALSE(window.find<QPushButton>("usePreset")->isEnabled());
    EXPECT_TRUE(window.find<QLabel>("presetsFound")->text().startsWith("No matches"));
    words->clear();
    QTest::keyClicks(words, "MOONS hmc");
    const auto few = shownLines(*tree);
    EXPECT_FALSE(few.empty());
    EXPECT_LT(few.size(), presets().size() / 4);
    words->clear();
    QTest::keyClicks(words, "one tau per block");   // who cannot type a τ
    EXPECT_FALSE(shownLines(*tree).empty());
    words->clear();
    QTest::keyClicks(words, "two_moons_nuts");
    ASSERT_EQ(shownLines(*tree).size(), 1u);
    EXPECT_FALSE(window.find<QLabel>("presetNote")->text().isEmpty());
    QTest::keyClick(words, Qt::Key_Return);
    EXPECT_FALSE(chooser->isVisible());
    EXPECT_EQ(window.study().posterior.family, "nuts");

    window.clickButton("browsePresets");
    EXPECT_TRUE(words->text().isEmpty());
    EXPECT_EQ(tree->currentItem()->data(0, Qt::UserRole).toString(), "two_moons_nuts");
    QTest::keyClick(words, Qt::Key_Down);
    EXPECT_NE(tree->currentItem()->data(0, Qt::UserRole).toString(), "two_moons_nuts");
    QTest::keyClick(words, Qt::Key_Escape);
    EXPECT_FALSE(chooser->isVisible());
    EXPECT_EQ(window.study().posterior.family, "nuts") << "nothing was applied";
}
