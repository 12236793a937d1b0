// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "papers/paper_runs.h"
#include "papers/papers_page.h"
#include "simplex/simplex_workbench.h"

#include "foundation/files.h"
#include "sweeps/sweep.h"
#include "widgets/chart_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QTreeWidget>

using namespace credence;
using testing::HasSubstr;

namespace {

/// The page of the papers with a small gallery, as a user meets it.
class Papers {
public:
    explicit Papers(PapersPage& page) : page(page) {}
    QPushButton* button(const char* name) { return page.findChild<QPushButton*>(QLatin1String(name)); }
    std::string text()
    {
        return page.findChild<QTextBrowser*>(QStringLiteral("papersText"))->toPlainText().toStdString();
    }
    std::string counts() { return page.findChild<QLabel*>(QStringLiteral("papersCounts"))->text().toStdString(); }
    void words(const char* words)
    {
        page.findChild<QLineEdit*>(QStringLiteral("papersFilter"))->setText(QString::fromUtf8(words));
    }
    void status(EntryStatus status)
    {
        auto* box = page.findChild<QComboBox*>(QStringLiteral("papersStatus"));
        box->setCurrentIndex(box->findData(static_cast<int>(status)));
    }
    int listed()
    {
        auto* tree = page.findChild<QTreeWidget*>(QStringLiteral("papersTree"));
        int shown  = 0;
        for (int group = 0; group < tree->topLevelItemCount(); ++group)
            for (int i = 0; i < tree->topLevelItem(group)->childCount(); ++i)
                shown += tree->topLevelItem(group)->child(i)->isHidden() ? 0 : 1;
        return shown;
    }
    std::string chosen() { return page.chosen() ? page.chosen()->id : ""; }

    PapersPage& page;
};

Gallery smallGallery() { return gallery_from_text(read_file(CREDENCE_SMALL_GALLERY, "a gallery"), "small.json"); }

}   // namespace

TEST(PapersPage, ListsFiltersAndComparesPublishedValuesWithOurs)
{
    const Gallery small = smallGallery();
    PapersPage page(small, nullptr);
    Papers papers(page);
    page.show();
    EXPECT_EQ(papers.listed(), 11);
    EXPECT_THAT(papers.counts(),
                HasSubstr("11 entries: 1 agrees, 1 differs, 1 with other settings, 3 with other data"));
    EXPECT_EQ(papers.chosen(), "P.table1.correlated");
    EXPECT_THAT(papers.text(), HasSubstr("Posch and Pilz 2021, Table I, h = 100, correlated"));
    for (const char* words : {"Error (%)", "0.70", "0.80", "One standard error of an error rate", "seed 1",
                              "credence reproduce P.table1.correlated"})
        EXPECT_THAT(papers.text(), HasSubstr(words));
    EXPECT_THAT(page.findChild<QLabel*>(QStringLiteral("papersTime"))->text().toStdString(),
                HasSubstr("about 8 minutes on two cores · quick version about 1 minute"));

    papers.words("dirichlets MODE");
    EXPECT_EQ(papers.listed(), 1);
    EXPECT_EQ(papers.chosen(), "H.fig1.1");
    EXPECT_THAT(papers.counts(), HasSubstr("1 listed"));
    EXPECT_EQ(papers.button("papersRun")->text(), QStringLiteral("&Show it"));
    papers.words("nothing has these words");
    EXPECT_EQ(papers.listed(), 0);
    EXPECT_THAT(papers.text(), HasSubstr("No entry matches"));
    EXPECT_FALSE(papers.button("papersRun")->isEnabled());
    papers.words("");
    papers.status(EntryStatus::impossible);
    EXPECT_EQ(papers.listed(), 1);
    EXPECT_EQ(papers.chosen(), "F.table2");
    for (const char* button : {"papersRun", "papersQuick", "papersOpen", "papersCopy"})
        EXPECT_FALSE(papers.button(button)->isEnabled()) << button;
}

TEST(PapersPage, EveryEntryCanBeShownAndItsPictureIsIncluded)
{
    qunsetenv("CREDENCE_GALLERY");
    const Gallery& all = gallery();
    PapersPage page(all, nullptr);
    Papers papers(page);
    EXPECT_EQ(papers.listed(), static_cast<int>(all.entries.size()));
    for (const auto& entry : all.entries) {
        page.choose(QString::fromStdString(entry.id));
        EXPECT_EQ(papers.chosen(), entry.id);
        EXPECT_THAT(papers.text(), HasSubstr(entry.difference.substr(0, 20))) << entry.id;
        if (!entry.picture.empty()) {
            EXPECT_TRUE(QFile::exists(":/help/" + QFileInfo(QString::fromStdString(entry.picture)).fileName()))
                << entry.picture;
        }
    }
}

TEST(PapersPage, TheUciBenchmarkHasAChartOfPublishedValuesAndOurs)
{
    qunsetenv("CREDENCE_GALLERY");
    PapersPage page(gallery(), nullptr);
    Papers papers(page);
    page.show();
    auto* chart = page.findChild<ChartView*>(QStringLiteral("papersChart"));
    ASSERT_NE(chart, nullptr);
    page.choose(QStringLiteral("U.all"));
    EXPECT_TRUE(chart->isVisible());
    ASSERT_EQ(chart->chart().panels.size(), 1U);
    EXPECT_EQ(chart->chart().panels.front().x.categories.size(), 9U) << "nine tables";
    EXPECT_TRUE(papers.button("papersRun")->isEnabled());
    EXPECT_TRUE(papers.button("papersQuick")->isEnabled());
    page.choose(QStringLiteral("U.concrete"));
    EXPECT_EQ(chart->chart().panels.size(), 2U) << "RMSE and NLL";
    EXPECT_THAT(papers.text(), HasSubstr("NLL, deep ensemble"));
    page.choose(QStringLiteral("P.ii"));
    EXPECT_FALSE(chart->isVisible());
}

TEST(PapersPage, FitsASmallScreen)
{
    const Gallery small = smallGallery();
    PapersPage page(small, nullptr);
    page.show();
    EXPECT_LE(page.minimumSizeHint().width(), 1000);
    EXPECT_LE(page.minimumSizeHint().height(), 640);
}

TEST(Papers, TheQuickVersionOfAnEntryTrainsInTheWindowAndItsResultCanBeOpenedAgain)
{
    const Gallery small = smallGallery();
    WindowDriver window;
    auto* runs = window->findChild<PaperRuns*>();
    ASSERT_NE(runs, nullptr);
    const GalleryEntry& entry = small.entry("B.fig5");
    EXPECT_FALSE(runs->canOpen(entry));
    window->navigator().show(ViewNavigator::simplex);
    EXPECT_EQ(runs->run(entry, true), QString());
    EXPECT_EQ(window.study().training.steps, 200);
    EXPECT_EQ(window.study().network.hidden, (std::vector<int>{20, 20}));
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_TRUE(window.waitFor([&] { return window->panel("decision_map")->isVisible(); }));
    EXPECT_EQ(window->session().run().report->steps, 200);
    EXPECT_TRUE(runs->canOpen(entry));

    window->navigator().show(ViewNavigator::simplex);
    EXPECT_EQ(runs->open(entry), QString());
    EXPECT_TRUE(window.waitFor([&] { return window->panel("decision_map")->isVisible(); }));

    EXPECT_EQ(runs->run(small.entry("H.fig1.1"), false), QString());
    EXPECT_EQ(window.currentView(), ViewNavigator::simplex);

    std::string opened;
    runs->openSweep = [&opened](const Sweep& sweep) {
        opened = sweep.id;
        return QString();
    };
    EXPECT_TRUE(runs->canOpen(small.entry("S.claim.dropout")));
    EXPECT_EQ(runs->run(small.entry("S.claim.dropout"), true), QString());
    EXPECT_EQ(opened, "two_moons_dropout");
}

TEST(Papers, AreOpenedFromTheHelpMenuAndCopyACommand)
{
    WindowDriver window;
    window.find<QAction>("papersAction")->trigger();
    auto* page = window->findChild<PapersPage*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->isVisible());
    for (const auto& entry : gallery().entries)
        if (is_run(entry)) {
            page->choose(QString::fromStdString(entry.id));
            break;
        }
    page->findChild<QPushButton*>(QStringLiteral("papersCopy"))->click();
    EXPECT_THAT(QGuiApplication::clipboard()->text().toStdString(), HasSubstr("credence reproduce "));
    EXPECT_THAT(page->message().toStdString(), HasSubstr("Copied: credence reproduce "));
}
