// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/npz_file.h"
#include "cli/program.h"
#include "formats/npy.h"
#include "unit/outputs/logits_npz.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

// `credence bridge`.
namespace {

using namespace logits_npz;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string refused(const std::string& arguments)
{
    const Answer answer = call("bridge " + arguments);
    EXPECT_EQ(answer.status, 2) << arguments;
    EXPECT_THAT(answer.error, StartsWith("credence: ")) << arguments;
    EXPECT_THAT(answer.out, IsEmpty()) << arguments;
    return answer.error;
}

std::size_t filesIn(const std::filesystem::path& folder)
{
    std::size_t n = 0;
    if (std::filesystem::exists(folder))
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            n += entry.is_regular_file();
    return n;
}

TEST(BridgeCommand, PrintsAccuraciesLengthsAndTheListOfTheRow)
{
    const auto file     = writtenArchive(freshFolder("bridge") / "four.npz", four_rows());
    const Answer answer = call("bridge " + quoted(file) + " --row 2");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, StartsWith("four.npz: 4 rows, 3 classes, variances; bridge plain, T = 0.05\n"));
    for (const char* line :
         {"Top-1 accuracy of the bridge mean        0.5000", "Accuracy of the uncertainty-aware top-k  0.7500",
          "Mean list length, classes                2.0000",
          "Row 2: true owl, predicted dog; remain: dog, cat, owl (3 of 3 classes)", "Longest list 3 classes. Reading "})
        EXPECT_THAT(answer.out, HasSubstr(line));
    EXPECT_THAT(answer.out, Not(HasSubstr("Written to")));
}

TEST(BridgeCommand, WritesAlphasListsResultsAndFigures)
{
    const auto folder   = freshFolder("bridge_out");
    const auto file     = writtenArchive(folder / "four.npz", four_rows(true));
    const auto out      = folder / "out";
    const Answer answer = call("bridge " + quoted(file) + " --top-k 0.1 --variant projected --row 1 --out "
                               + quoted(out));
    EXPECT_EQ(answer.status, 0) << answer.error;
    const auto alpha = credence::read_npy(out / "alpha.npy");
    EXPECT_THAT(alpha.shape, testing::ElementsAre(4, 3));
    const auto results = nlohmann::json::parse(contentOf(out / "results.json"));
    EXPECT_EQ(results.at("rows"), 4);
    EXPECT_EQ(results.at("variant"), "projected");
    EXPECT_EQ(results.at("threshold"), 0.1);
    EXPECT_EQ(results.at("top_1_accuracy"), 0.5);
    EXPECT_EQ(results.at("row").at("label"), "cat");
    EXPECT_NEAR(results.at("row").at("most_probable").at(0).at("alpha").get<double>(), alpha.at(3), 1e-12)
        << "cat of row 1";
    const std::string lists = contentOf(out / "top_k.csv");
    EXPECT_THAT(lists, StartsWith("row,label,predicted,confidence,alpha_0,length,label_in_list,list\r\n0,cat,cat,"));
    EXPECT_EQ(std::count(lists.begin(), lists.end(), '\n'), 5);
    for (const char* name : {"list_lengths", "beta_marginals", "simplex"})
        for (const char* suffix : {"pdf", "svg", "png", "csv", "tex"})
            EXPECT_GT(contentOf(out / "figures" / (std::string(name) + "." + suffix)).size(), 100u) << name << suffix;
    EXPECT_EQ(filesIn(out), 19u) << "nothing half-written is left";
}

TEST(BridgeCommand, WithoutLabelsOmitsAccuraciesAndStatesThis)
{
    const auto file     = writtenArchive(freshFolder("bridge_plain") / "a.npz",
                                         {doubles("mean", {1, 2}, {1, 0}), doubles("variance", {1, 2}, {1, 1})});
    const Answer answer = call("bridge " + quoted(file));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("The file has no labels: accuracies are omitted."));
    EXPECT_THAT(answer.out, Not(HasSubstr("Top-1")));
}

TEST(BridgeCommand, AMistakeInTheMiddleLeavesNoFiles)
{
    const auto folder = freshFolder("bridge_overflow");
    const auto file   = writtenArchive(
          folder / "a.npz", {doubles("mean", {2, 2}, {0, 0, 1500, 0}), doubles("variance", {2, 2}, {1, 1, 1, 1})});
    EXPECT_THAT(refused(quoted(file) + " --out " + quoted(folder / "out")),
                HasSubstr("a.npz, row 1: Laplace bridge: ln alpha of class 0 is 1498.61, expected"));
    EXPECT_EQ(filesIn(folder / "out"), 0u);
}

TEST(BridgeCommand, ASingularCovarianceOmitsOnlyTheTriangleAndNamesFileAndRow)
{
    const auto folder = freshFolder("bridge_singular");
    const auto file   = writtenArchive(
          folder / "singular.npz",
          {doubles("mean", {1, 3}, {1, 2, 3}), doubles("covariance", {1, 3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1})});
    const Answer alone   = call("bridge " + quoted(file));
    const Answer written = call("bridge " + quoted(file) + " --out " + quoted(folder / "out"));
    EXPECT_EQ(alone.status, 0) << alone.error;
    EXPECT_EQ(written.status, 0) << written.error;
    EXPECT_THAT(written.error, HasSubstr("Triangle omitted: row 0 of singular.npz: "));
    EXPECT_GT(filesIn(folder / "out"), 0u);
}

TEST(BridgeCommand, RejectsInvalidRequestsWithOneSentence)
{
    const auto folder = freshFolder("bridge_refused");
    const auto file   = writtenArchive(folder / "four.npz", four_rows());
    EXPECT_THAT(
        refused(""),
        HasSubstr(
            "bridge: found no file, expected an .npz with mean and variance or covariance, or --compare-sampling."));
    EXPECT_THAT(refused("no_such.npz"), HasSubstr("no_such.npz: cannot be opened"));
    EXPECT_THAT(refused(quoted(file) + " --top-k 1"),
                HasSubstr("--top-k is 1, expected a threshold between 0 and 1, for example 0.05."));
    EXPECT_THAT(refused(quoted(file) + " --variant best"),
                HasSubstr("The variant of the bridge is \"best\", expected one of plain, conditioned"));
    EXPECT_THAT(refused(quoted(file) + " --row 4"), HasSubstr("four.npz: row 4 was requested, expected 0 to 3."));
    EXPECT_THAT(refused(quoted(file) + " --compare-sampling"), HasSubstr("--compare-sampling takes no file"));
    EXPECT_THAT(refused(quoted(file) + " --mu 1,2,3"),
                HasSubstr("--mu and --covariance can be used only with --compare-sampling."));
    EXPECT_THAT(refused("--compare-sampling --mu 1,2"), HasSubstr("--mu has 2 numbers, expected 3, one per logit."));
    EXPECT_THAT(refused("--compare-sampling --mu 1,2,3 --covariance 1,2"),
                HasSubstr("--covariance has 2 numbers, expected 3 for a diagonal covariance, or 9, row by row."));
    EXPECT_THAT(refused("--compare-sampling --mu 1,2,3 --covariance 1,0,0,0,1,0,0,0,-1"),
                HasSubstr("Gaussian over logits: variance of logit 2 is -1"));
    EXPECT_THAT(refused(quoted(writtenArchive(folder / "text.npz", {doubles("mean", {1, 2}, {1, 2})}))),
                HasSubstr("found no array “variance” or “covariance”"));
}

TEST(BridgeCommand, ComparesWithSamplingForThePublishedGaussiansAndForOneByHand)
{
    const auto folder      = freshFolder("bridge_sampling");
    const Answer published = call("bridge --compare-sampling --draws 1000 --out " + quoted(folder));
    EXPECT_EQ(published.status, 0) << published.error;
    for (const char* text : {"0.094687", "0.0882", "0.308176", "0.7075", "2.252320", "1.7655", "561 points",
                             "timings from this machine, one thread", "One thread, 2000 at once: one plain bridge "})
        EXPECT_THAT(published.out, HasSubstr(text));
    EXPECT_EQ(filesIn(folder), 10u);
    const Answer own = call("bridge --compare-sampling --draws 100 --mu=0,0,0 --covariance=0.1,0.1,0.1");
    EXPECT_EQ(own.status, 0) << own.error;
    EXPECT_THAT(own.out,
                testing::AllOf(HasSubstr("0.094687"), Not(HasSubstr("0.308176")), Not(HasSubstr("561 points"))));
}

}   // namespace
