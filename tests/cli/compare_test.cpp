// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "runs/archive.h"
#include "runs/comparison.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

namespace {

using namespace credence;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Two methods and the reference, with a few steps each.
std::string tiny(const std::string& id, const std::filesystem::path& folder)
{
    return "compare " + id
           + " --methods mean_field,point_estimate --set posterior.warmup=30 --set posterior.draws=20 --set "
             "posterior.chains=2 --set training.steps=60 --set network.hidden=3 --set prediction.samples=20 --out "
           + quoted(folder);
}

/// The rows below the head of a table, without its comments.
std::vector<std::string> rowsOf(const std::filesystem::path& csv)
{
    std::vector<std::string> rows;
    std::istringstream text(contentOf(csv));
    for (std::string line; std::getline(text, line);)
        if (!line.starts_with('#'))
            rows.push_back(line);
    if (!rows.empty())
        rows.erase(rows.begin());
    return rows;
}

TEST(CompareCommand, RunsAndSavesTheMethodsAndWritesTableAndFigures)
{
    const auto folder   = freshFolder("truth") / "moons";
    const Answer answer = call(tiny("two_moons_truth", folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("1 of 3, NUTS: "));
    EXPECT_THAT(answer.out, HasSubstr("3 of 3, Mean field: "));
    EXPECT_THAT(answer.out, HasSubstr("one half of the chains against the other half"));
    EXPECT_THAT(answer.out, HasSubstr("Total variation, map"));
    for (const char* family : {"nuts", "mean_field", "point_estimate"})
        EXPECT_EQ(load_run(folder / family / "run.credence").study.posterior.family, family);
    const auto rows = rowsOf(folder / "distances.csv");
    ASSERT_EQ(rows.size(), 3u);   // the halves, and two methods
    EXPECT_THAT(rows[0], StartsWith("one half of the chains against the other half,"));
    EXPECT_THAT(contentOf(folder / "distances.csv"), StartsWith("# credence-study begin"));
    EXPECT_THAT(contentOf(folder / "compare_truth.pdf"), StartsWith("%PDF"));
    EXPECT_THAT(contentOf(folder / "compare_truth.png"), StartsWith("\x89PNG"));
    EXPECT_THAT(contentOf(folder / "compare_truth.svg"), HasSubstr("<svg"));
    EXPECT_GT(rowsOf(folder / "compare_truth.csv").size(), 1000u) << "each cell of each map";
    EXPECT_THAT(contentOf(folder / "compare_distances.pdf"), StartsWith("%PDF"));
    EXPECT_THAT(contentOf(folder / "compare_distances.svg"), HasSubstr("Mean field"));

    // Existing runs are not repeated and give the same numbers.
    const auto table   = contentOf(folder / "distances.csv");
    const Answer again = call(tiny("two_moons_truth", folder) + " --no-figures");
    ASSERT_EQ(again.status, 0) << again.error;
    for (const char* line : {"1 of 3, NUTS: was already finished.", "2 of 3, Point estimate: was already finished.",
                             "3 of 3, Mean field: was already finished."})
        EXPECT_THAT(again.out, HasSubstr(line));
    EXPECT_EQ(contentOf(folder / "distances.csv"), table);
    // Other settings are another run.
    const Answer other = call(tiny("two_moons_truth", folder) + " --no-figures --set seed=2");
    ASSERT_EQ(other.status, 0) << other.error;
    EXPECT_THAT(other.out, Not(HasSubstr("was already finished")));
}

TEST(CompareCommand, OfACurveDrawsBandsAndKnowsTheDistanceInItsUnits)
{
    const auto folder   = freshFolder("truth_curve") / "curve";
    const Answer answer = call(tiny("sine_gap_truth", folder) + " --no-figures");
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("1-Wasserstein distance of f, along x [units of y]"));
    EXPECT_EQ(rowsOf(folder / "distances.csv").size(), 3u);
    EXPECT_FALSE(std::filesystem::exists(folder / "compare_truth.pdf"));
}

TEST(CompareCommand, ErrorsAreOneSentence)
{
    const auto refused = [](const std::string& arguments, const std::string& sentence) {
        const Answer answer = call(arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_THAT(answer.error, HasSubstr(sentence));
    };
    const auto folder = freshFolder("refused") / "x";
    const auto out    = " --out " + quoted(folder);
    refused("compare moons" + out,
            "There is no comparison \"moons\", expected one of two_moons_truth, sine_gap_truth.");
    refused("compare two_moons_truth --methods magic" + out, "posterior.family is \"magic\"");
    refused("compare two_moons_truth --set training.stps=3" + out, "did you mean training.steps?");
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(CompareCommand, IsListedWithWhatItShows)
{
    const Answer answer = call("list --comparisons");
    EXPECT_EQ(answer.status, 0);
    for (const auto& one : comparisons())
        EXPECT_THAT(answer.out, HasSubstr(one.id));
}

}   // namespace
