// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

// `credence reproduce` and `credence papers`, with a small gallery instead of the included one.
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Reproduce : public testing::Test {
protected:
    void SetUp() override { ::setenv("CREDENCE_GALLERY", CREDENCE_SMALL_GALLERY, 1); }
    void TearDown() override { ::unsetenv("CREDENCE_GALLERY"); }
};

TEST_F(Reproduce, RunsTheQuickVersionOfAPresetAndComparesItWithThePublishedValues)
{
    const auto folder   = freshFolder("reproduce") / "fig5";
    const Answer answer = call("reproduce B.fig5 --quick --no-figures --seed 3 --threads 1 --out " + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out,
                AllOf(HasSubstr("B.fig5: Blundell, Cornebise, Kavukcuoglu and Wierstra 2015, Fig. 5\n"),
                      HasSubstr("Estimated time: less than a minute on two cores; the quick version is another"),
                      HasSubstr("seed 3"), HasSubstr("200 steps in "), HasSubstr("Value  Printed  Ours  This run\n"),
                      HasSubstr("\nRMSE   -        -     "),
                      HasSubstr("Other settings. The picture is the printed one")));
    EXPECT_LT(answer.out.find("Estimated time"), answer.out.find("All steps are done"));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "results.json"));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "data" / "regression_band.csv"));
    EXPECT_THAT(contentOf(folder / "study.json"), HasSubstr("\"steps\": 200"));
    EXPECT_FALSE(std::filesystem::exists(folder / "recorded-B.fig5.json"));   // it is not the entry's run
}

TEST_F(Reproduce, RecordsTheProvenanceOfAFullRun)
{
    const auto folder          = freshFolder("reproduce_recorded");
    std::string text           = contentOf(CREDENCE_SMALL_GALLERY);
    const std::string settings = "\"prior.weight_sd\": [1], ";
    ASSERT_NE(text.find(settings), std::string::npos);
    text.insert(text.find(settings), R"("training.steps": 100, "data.n": 60, "training.batch_size": 30, )");
    std::ofstream(folder / "gallery.json") << text;
    ::setenv("CREDENCE_GALLERY", (folder / "gallery.json").c_str(), 1);
    const auto out      = folder / "fig5";
    const Answer answer = call("reproduce B.fig5 --no-figures --threads 1 --out " + quoted(out));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("Provenance: "));
    EXPECT_THAT(contentOf(out / "recorded-B.fig5.json"),
                AllOf(HasSubstr("\"id\": \"B.fig5\""), HasSubstr("\"hashes\": ["), HasSubstr("of processor time"),
                      HasSubstr("\"training.steps\": 100"), HasSubstr("\"name\": \"RMSE\"")));
}

TEST_F(Reproduce, RunsTheSweepOfAnEntryAndPrintsTheMeanOverItsSeeds)
{
    const auto folder   = freshFolder("reproduce_sweep") / "dropout";
    const Answer answer = call("reproduce S.claim.dropout --quick --no-figures --out " + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("Rate 0.1, error (%)"), HasSubstr("(3 seeds)"),
                                  HasSubstr("\nAny rate, error (%)  -        -     -\n"),
                                  HasSubstr("Other data. Two moons in place of MNIST.")));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "summary.csv"));
}

TEST_F(Reproduce, NamesTheCommandPageOrTestsForEntriesWithoutARun)
{
    const Answer answer = call("reproduce P.eq18 H F.fig1 F.table2");
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(
        answer.out,
        AllOf(HasSubstr("ctest --preset release -R '^(Tridiagonal.PrintedFactorTimesItsTransposeIsTheCovariance)$'"),
              HasSubstr("Open it in the window: view Simplex, preset “Fig. 1.1: Dirichlet(2, 2, 6)”."),
              HasSubstr("    credence bridge --compare-sampling\n"),
              HasSubstr("Open it in the window: Tools › Double well."),
              HasSubstr("Impossible. The archives of the German"), Not(HasSubstr("Estimated time"))));
}

TEST_F(Reproduce, RejectsUnknownEntriesWithOneSentence)
{
    const Answer unknown = call("reproduce B.fig7");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.error,
                AllOf(HasSubstr("There is no entry \"B.fig7\" in the gallery of the papers"), HasSubstr("B.fig6")));
    EXPECT_EQ(call("reproduce").status, 2);
    const Answer quick = call("reproduce B.fig6 --quick");
    EXPECT_EQ(quick.status, 2);
    EXPECT_THAT(quick.error, HasSubstr("B.fig6 has no quick version; call it without --quick."));
    const Answer seed = call("reproduce S.claim.dropout --seed 2");
    EXPECT_EQ(seed.status, 2);
    EXPECT_THAT(seed.error, HasSubstr("S.claim.dropout is made by a sweep, which has its own seeds"));
}

TEST_F(Reproduce, ACompleteIdDoesNotSelectLongerIdsThatStartWithIt)
{
    const auto folder      = freshFolder("reproduce_id");
    std::string text       = contentOf(CREDENCE_SMALL_GALLERY);
    const std::string fig1 = R"("id": "F.fig1")";
    ASSERT_NE(text.find(fig1), std::string::npos);
    text.replace(text.find(fig1), fig1.size(), R"("id": "F.table2.fig1")");
    std::ofstream(folder / "gallery.json") << text;
    ::setenv("CREDENCE_GALLERY", (folder / "gallery.json").c_str(), 1);
    const Answer one = call("reproduce F.table2");
    ASSERT_EQ(one.status, 0) << one.error;
    EXPECT_THAT(one.out, AllOf(HasSubstr("F.table2: "), Not(HasSubstr("F.table2.fig1: "))));
    const Answer both = call("reproduce F.table2.fig1 F.table2");
    ASSERT_EQ(both.status, 0) << both.error;
    EXPECT_THAT(both.out, AllOf(HasSubstr("F.table2: "), HasSubstr("F.table2.fig1: ")));
}

TEST_F(Reproduce, ListsTheEntriesAndCountsThem)
{
    const Answer list = call("reproduce --list");
    ASSERT_EQ(list.status, 0) << list.error;
    EXPECT_THAT(list.out, AllOf(HasSubstr("P.table1.correlated"), HasSubstr("Posch and Pilz 2021, Table I, h = 100"),
                                HasSubstr("about 8 minutes"), HasSubstr("preset mnist_lenet_tridiagonal")));
    const Answer counts = call("papers");
    ASSERT_EQ(counts.status, 0) << counts.error;
    EXPECT_THAT(counts.out,
                AllOf(HasSubstr("P: Posch and Pilz 2021"), HasSubstr("other settings"), Not(HasSubstr("done"))));
    const auto page = freshFolder("papers") / "papers.md";
    ASSERT_EQ(call("papers --write " + quoted(page)).status, 0);
    EXPECT_THAT(contentOf(page), HasSubstr("### <a id=\"P.table1.correlated\"></a>Table I, h = 100, correlated\n"));
}

TEST_F(Reproduce, AGalleryThatCannotBeReadIsRejectedByItsName)
{
    ::setenv("CREDENCE_GALLERY", "/nowhere/gallery.json", 1);
    const Answer answer = call("reproduce --list");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("/nowhere/gallery.json"));
}

}   // namespace
