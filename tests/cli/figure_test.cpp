// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(FigureCommand, AFullDiskExitsOneAndLeavesNoPartOfAFile)
{
    const auto folder = freshFolder("full_figure");
    for (const char* name : {"map.pdf", "map.svg", "map.png", "map.csv"}) {
        const Answer answer = callWithSmallFiles(
            "figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(folder / name), 4096);
        EXPECT_EQ(answer.status, 1);
        EXPECT_THAT(answer.error, HasSubstr(std::string(name) + ": the file cannot be written ("));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(FigureCommand, DrawsAViewOfASavedRunInTheFormatOfTheSuffix)
{
    const auto folder = freshFolder("figures");
    for (const auto& [suffix, begin] : {std::pair{"pdf", "%PDF"},
                                        {"png", "\x89PNG"},
                                        {"svg", "<?xml"},
                                        {"csv", "# credence-study begin"},
                                        {"tex", "% credence-study begin"}}) {
        const auto file     = folder / (std::string("map.") + suffix);
        const Answer answer = call("figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(file));
        EXPECT_EQ(answer.status, 0) << answer.error;
        EXPECT_THAT(contentOf(file), StartsWith(begin)) << suffix;
    }
}

TEST(FigureCommand, WritesTheTestRowsAsATable)
{
    const auto file     = freshFolder("rows") / "rows.csv";
    const Answer answer = call("figure " + quoted(finishedRun()) + " --view test_rows --to " + quoted(file));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(contentOf(file), HasSubstr("\nRow,True class,Predicted class,Right,Confidence,"));
}

TEST(FigureCommand, UsesTheChosenInput)
{
    const auto folder = freshFolder("inputs");
    const auto draw   = [&](const std::string& input, const std::string& name) {
        EXPECT_EQ(call("figure " + quoted(finishedRun() / "run.credence") + " --view boxplots --input " + input
                         + " --to " + quoted(folder / name))
                        .status,
                    0);
        return contentOf(folder / name);
    };
    EXPECT_NE(draw("0.9,0.9", "a.csv"), draw("-0.9,0.9", "b.csv"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view boxplots --input 1,2,3 --to x.csv").status, 2);
}

TEST(FigureCommand, ComparesTheMapsOfSeveralRunsAndRejectsToMixOtherViews)
{
    const auto folder = freshFolder("compare");
    const auto runs   = quoted(finishedRun()) + " " + quoted(finishedRun() / "run.credence");
    EXPECT_EQ(call("figure " + runs + " --view decision_map --to " + quoted(folder / "maps.csv")).status, 0);
    EXPECT_EQ(
        call("figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(folder / "map.csv")).status, 0);
    EXPECT_GT(contentOf(folder / "maps.csv").size(), contentOf(folder / "map.csv").size());
    const Answer answer = call("figure " + runs + " --view boxplots --to x.csv");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(
        answer.error,
        HasSubstr(
            "The view boxplots draws one run, found 2; views for several runs: decision_map, weights, "
            "pruning_curve, landscape, training_curves, overlay_training_curves, observed_predicted, roc, calibration, "
            "risk_coverage, conformal, out_of_distribution, corruptions, attack_curve, compare_distances, "
            "compare_truth, truth_boxplots, loo."));
}

TEST(FigureCommand, ListsAreNoLongerThanAllowed)
{
    const auto file     = freshFolder("longest") / "lengths.tex";
    const Answer answer = call("figure " + quoted(finishedRun()) + " --view list_lengths --longest 1 --to "
                               + quoted(file));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(contentOf(file), HasSubstr("at most 1 of 2 classes"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view list_lengths --longest 0 --to x.csv").status, 2);
}

TEST(FigureCommand, UsesTheRequestedNumberOfSamples)
{
    const auto file     = freshFolder("samples") / "boxplots.tex";
    const Answer answer = call("figure " + quoted(finishedRun()) + " --view boxplots --samples 37 --to "
                               + quoted(file));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(contentOf(file), HasSubstr("37 samples"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view boxplots --samples 0 --to x.csv").status, 2);
}

TEST(FigureCommand, PrunesTheWeightsBeforeAViewIsMade)
{
    const auto folder = freshFolder("pruned");
    const auto draw   = [&](const std::string& view, const std::string& options) {
        const Answer answer = call("figure " + quoted(finishedRun()) + " --view " + view + " " + options + " --to "
                                     + quoted(folder / "figure.tex"));
        EXPECT_EQ(answer.status, 0) << answer.error;
        return contentOf(folder / "figure.tex");
    };
    EXPECT_EQ(draw("boxplots", "--prune 0"), draw("boxplots", ""));
    const auto pruned = draw("boxplots", "--prune 0.5 --prune-by magnitude --prune-each-layer --prune-keep-biases");
    EXPECT_NE(pruned, draw("boxplots", ""));
    EXPECT_THAT(pruned, HasSubstr("of weights removed by"));
    EXPECT_THAT(draw("pruning_curve", ""), testing::Not(HasSubstr("Pruned:")));
    const Answer whole = call("figure " + quoted(finishedRun()) + " --view training_curves --prune 0.5 --to x.csv");
    EXPECT_EQ(whole.status, 2);
    EXPECT_THAT(whole.error, HasSubstr("The view training_curves shows the whole posterior"));
    const Answer order = call("figure " + quoted(finishedRun())
                              + " --view boxplots --prune 0.5 --prune-by snr --to x.csv");
    EXPECT_EQ(order.status, 2);
    EXPECT_THAT(order.error, HasSubstr("expected one of signal_to_noise, magnitude, spread"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view boxplots --prune 95 --to x.csv").status, 2);
}

TEST(FigureCommand, DrawsErrorsOfSeveralRunsInOneFigure)
{
    const auto folder      = freshFolder("errors");
    const std::string runs = quoted(finishedRun()) + " " + quoted(finishedRun());
    const auto draw        = [&](const std::string& options) {
        const Answer answer = call("figure " + runs + " --view overlay_training_curves " + options + " --to "
                                          + quoted(folder / "fig4.csv"));
        EXPECT_EQ(answer.status, 0) << answer.error;
        return contentOf(folder / "fig4.csv");
    };
    const auto errors = draw("");
    EXPECT_THAT(errors, HasSubstr(", training"));
    EXPECT_THAT(errors, HasSubstr("Error [%]"));
    EXPECT_THAT(draw("--quantity loss --log"), HasSubstr("Data loss per example [nats]"));
    const Answer other = call("figure " + runs + " --view overlay_training_curves --quantity aleatoric --to x.csv");
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.error, HasSubstr("--quantity is \"aleatoric\", expected one of error, loss, kl."));
    ASSERT_EQ(call("figure " + runs + " --view overlay_training_curves --to " + quoted(folder / "fig4.pdf")).status, 0);
    EXPECT_THAT(contentOf(folder / "fig4.pdf"), testing::StartsWith("%PDF"));
}

TEST(FigureCommand, DrawsTheGivenQuantity)
{
    const auto folder = freshFolder("quantities");
    const auto draw   = [&](const std::string& quantity) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view decision_map --quantity " + quantity + " --to "
                         + quoted(folder / "map.csv"))
                        .status,
                    0);
        return contentOf(folder / "map.csv");
    };
    EXPECT_NE(draw("epistemic"), draw("aleatoric"));
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view decision_map --quantity doubt --to x.csv").error,
        HasSubstr(
            "--quantity is \"doubt\", expected one of class_probability, predictive_entropy, aleatoric, epistemic, "
            "certainty, set_size."));
}

TEST(FigureCommand, AttacksWithTheGivenStrength)
{
    const auto folder = freshFolder("attacks");
    const auto draw   = [&](const std::string& words) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view attack_input " + words + " --to "
                         + quoted(folder / "attack.csv"))
                        .status,
                    0);
        return contentOf(folder / "attack.csv");
    };
    const std::string usual = draw("--row 1");
    EXPECT_EQ(draw("--row 1 --attack fast_gradient_sign --gradient mean_predictive --epsilon 0.1"), usual);
    EXPECT_NE(draw("--row 1 --attack random_signs"), usual);
    EXPECT_NE(draw("--row 1 --epsilon 0.9"), usual);   // the curve goes so far
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view attack_curve --attack kick --to x.csv").error,
        HasSubstr("The attack is \"kick\", expected one of fast_gradient_sign, projected_gradient, random_signs."));
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view attack_curve --gradient none --to x.csv").error,
        HasSubstr("The gradient of the attack is \"none\", expected one of one_draw, mean_loss, mean_predictive."));
}

TEST(FigureCommand, DrawsTheSimplexWithTheGivenBridgeAndLogits)
{
    const auto folder = freshFolder("laws");
    const auto draw   = [&](const std::string& options) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view beta_marginals" + options + " --to "
                         + quoted(folder / "law.csv"))
                        .status,
                    0)
            << options;
        return contentOf(folder / "law.csv");
    };
    const std::string usual = draw("");
    EXPECT_EQ(draw(" --variant projected --logits draws"), usual);
    EXPECT_NE(draw(" --variant plain"), usual);
    EXPECT_NE(draw(" --logits linearisation"), usual);
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view simplex --variant best --to x.csv").error,
                HasSubstr("The variant of the bridge is \"best\", expected one of plain, conditioned, "));
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view simplex --logits both --to x.csv").error,
                HasSubstr("The method for the logits is \"both\", expected one of linearisation, draws."));
}

TEST(FigureCommand, DrawsInTheGivenSize)
{
    const auto file = freshFolder("sizes") / "map.png";
    EXPECT_EQ(
        call("figure " + quoted(finishedRun()) + " --view decision_map --size 50.8x25.4 --dpi 100 --to " + quoted(file))
            .status,
        0);
    const std::string png = contentOf(file);   // IHDR: width and height at bytes 16 and 20, big-endian
    ASSERT_GT(png.size(), 24u);
    const auto number_at = [&](std::size_t at) {
        return static_cast<unsigned char>(png[at + 2]) * 256 + static_cast<unsigned char>(png[at + 3]);
    };
    EXPECT_EQ(number_at(16), 200);
    EXPECT_EQ(number_at(20), 100);
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view decision_map --size 5x5 --to x.png").status, 2);
}

TEST(FigureCommand, RejectsAnUnknownSuffixAndAViewThatDoesNotApply)
{
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view boxplots --to x.xyz").error,
                HasSubstr("the suffix is \".xyz\", expected .pdf"));
    const Answer answer = call("figure " + quoted(finishedRun()) + " --view regression_band --to x.pdf");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("does not apply"));
}

/// UCI Mushroom on the command line, as in docs/examples: a mean-field MLP reaches 99.5 % on a held-out fifth.
}   // namespace
