// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"
#include "outputs/outputs_file.h"
#include "unit/outputs/outputs_npz.h"
#include "unit/refusal.h"
#include "views/chosen_logits.h"
#include "views/image_rows.h"
#include "views/scored_predictions.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

// Views of imported predictions: every view that needs only outputs is made, all others report what is missing.
namespace credence {
namespace {

using logits_npz::doubles;
using logits_npz::floats;
using logits_npz::integers;
using logits_npz::raw;
using outputs_npz::opened;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Four rows with labels, images and inputs, and two OOD rows.
const RunSnapshot& with_ood()
{
    static const auto run = [] {
        auto own = outputs_npz::four_rows();
        own.push_back(raw("images", "|u1", "(4, 2, 2)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
        own.push_back(floats("inputs", {4, 2}, {0, 0, 1, 0, 0, 1, 1, 1}));
        const auto ood = opened({floats("probabilities", {2, 2, 3},
                                        {0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.4f, 0.4f, 0.2f}),
                                 raw("images", "|u1", "(2, 2, 2)", {21, 22, 23, 24, 25, 26, 27, 28})},
                                "foreign.npz");
        return snapshot_of_outputs(opened(own, "own.npz"), ood);
    }();
    return run;
}

double score_of_file(const RunSnapshot& run, const std::string& name)
{
    for (const auto& row : scores(run).rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    return NAN;
}

TEST(ViewsOfOutputs, AllThatNeedOnlyOutputsAreMade)
{
    int made = 0, refused = 0;
    for (const auto& view : views()) {
        const auto why = view.why_not(*with_ood().experiment);
        if (view.asks == Asks::weights) {
            ASSERT_TRUE(why) << view.id;
            EXPECT_EQ(*why, "This view needs the weights: own.npz contains predictions only.");
            EXPECT_EQ(refusal_of(view.id, with_ood()), *why);
            ++refused;
            continue;
        }
        if (why && (why->find("need a numeric target") != std::string::npos || view.id == "human_labels"))
            continue;
        ASSERT_FALSE(why) << view.id << ": " << *why;
        const auto chart = drawn(view.id, with_ood());
        if (view.id == "enough_samples") {
            EXPECT_THAT(chart.message, HasSubstr("at least 12 different samples, found 2"));
            continue;
        }
        EXPECT_EQ(chart.message, "") << view.id;
        EXPECT_TRUE(chart.table || !chart.panels.empty()) << view.id;
        EXPECT_THAT(chart.caption, HasSubstr("Imported predictions: own.npz (probabilities of 4 rows, 3 classes), "
                                             "out of distribution: foreign.npz (2 rows)"))
            << view.id;
        ++made;
    }
    EXPECT_GE(made, 17);
    EXPECT_GE(refused, 15);
}

TEST(ViewsOfOutputs, ScoresAreThoseOfTheNumbersInTheFile)
{
    const auto& p      = outputs_npz::draws();
    const int labels[] = {0, 1, 2, 1};   // of the file the last is 2, to which every draw gives a probability of 0
    double nll         = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto k = static_cast<std::size_t>(labels[i]);
        nll -= std::log((static_cast<double>(p[i * 3 + k]) + static_cast<double>(p[12 + i * 3 + k])) / 2) / 4;
    }
    auto possible    = outputs_npz::four_rows();
    possible.at(1)   = logits_npz::integers("labels", {0, 1, 2, 1});
    const auto moved = snapshot_of_outputs(opened(possible, "own.npz"));
    EXPECT_NEAR(score_of_file(moved, "NLL"), nll, 1e-9);
    EXPECT_EQ(score_of_file(with_ood(), "NLL"), INFINITY);
    EXPECT_EQ(score_of_file(with_ood(), "Accuracy"),
              0.5);   // cat; dog by 0.375 to 0.35; owl and cat tie at 0.45; owl taken for a dog
}

TEST(ViewsOfOutputs, ListsAreNoLongerThanAllowed)
{
    ViewOptions options;
    EXPECT_THAT(drawn("list_lengths", with_ood(), options).caption, HasSubstr(", 3 classes"));
    options.top_k.longest = 1;
    const auto chart      = drawn("list_lengths", with_ood(), options);
    EXPECT_THAT(chart.caption, HasSubstr(", at most 1 of 3 classes"));
    EXPECT_THAT(chart.panels.at(0).title, StartsWith("Mean length 1.000, "));
}

TEST(ViewsOfOutputs, WithoutLabelsViewsThatNeedThemStateThis)
{
    const auto bare = snapshot_of_outputs(opened({outputs_npz::four_rows().front()}, "bare.npz"));
    EXPECT_EQ(refusal_of("confusion", bare), "This view needs the true classes: bare.npz has no array “labels”.");
    EXPECT_EQ(refusal_of("out_of_distribution", bare),
              "bare.npz has no OOD predictions. Open a second file as OOD data.");
    EXPECT_EQ(drawn("boxplots", bare).panels.empty(), false);
    EXPECT_TRUE(std::isnan(score_of_file(bare, "NLL")));
    EXPECT_NEAR(score_of_file(bare, "Mean confidence (MMC)"), score_of_file(with_ood(), "Mean confidence (MMC)"),
                1e-15);
    const auto rows = drawn("test_rows", bare);
    ASSERT_EQ(rows.table->rows.size(), 4u);
    EXPECT_EQ(rows.table->rows[0][test_row::truth], Cell(std::string()));
    EXPECT_EQ(drawn("bridge_scores", bare).message, "");   // of the own rows alone
}

TEST(ViewsOfOutputs, AnInputIsARowAndItsImageIsFound)
{
    const auto& run = with_ood();
    ViewOptions second;
    second.input.row   = 1;
    const auto outputs = view_support::chosen_outputs(run, second, {}).value();
    EXPECT_EQ(outputs.input.name, "own.npz, image 1");
    EXPECT_EQ(outputs.input.label, 1);
    EXPECT_EQ(outputs.n_samples, 2);
    EXPECT_EQ(outputs.samples.at(1, 0, 1), 0.4f);
    EXPECT_THAT(image_bytes(*run.experiment, ImagePart::test, 2), testing::ElementsAre(9, 10, 11, 12));
    EXPECT_THAT(run.experiment->outputs->image(4), testing::ElementsAre(21, 22, 23, 24));
    EXPECT_THAT(run.experiment->outputs->image(6), testing::IsEmpty());
    const std::vector<std::uint32_t> some{3, 0};
    const auto rows = image_row_predictions(run, ImagePart::test, some, 0);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].predicted, 1);
    EXPECT_EQ(rows[1].predicted, 0);
    const auto ood = other_input(*run.experiment, *other_data(run.experiment), 1);
    EXPECT_EQ(ood.name, "image 1 of foreign.npz");
    ViewOptions of_ood;
    of_ood.input.values = ood.input;
    of_ood.input.name   = ood.name;
    const auto there    = view_support::chosen_outputs(run, of_ood, {}).value();
    EXPECT_EQ(there.input.name, ood.name);
    EXPECT_FALSE(there.input.label);
    EXPECT_EQ(there.samples.at(0, 0, 1), 0.4f);
    const auto images = ood_images(run.experiment);
    EXPECT_THAT(image_bytes(*run.experiment, ImagePart::ood, 1, images.get()), testing::ElementsAre(25, 26, 27, 28));
    EXPECT_EQ(images->own.labels.size(), 2u) << "a class for every row, although the file has none";
    of_ood.input.values = {6};
    EXPECT_THAT(refusal_of("boxplots", run, of_ood), StartsWith("Imported predictions have one input per row"));
    ViewOptions drawn_by_hand;
    drawn_by_hand.input.values = {0.5};
    EXPECT_THAT(refusal_of("boxplots", run, drawn_by_hand), StartsWith("Imported predictions have one input per row"));
}

TEST(ViewsOfOutputs, GaussiansOfTheFileAreUsedUnchanged)
{
    const std::vector<double> variances{1, 1, 1, 0.5, 1, 2, 1, 1, 1};
    const auto own = opened({doubles("mean", {3, 3}, {3, 0, 0, 0, 2, 0, 0, 1, 1.5}),
                             doubles("variance", {3, 3}, variances), integers("labels", {0, 1, 2})},
                            "own.npz");
    const auto ood = opened(
        {doubles("mean", {2, 3}, {0, 0, 0, 1, 1, 1}), doubles("variance", {2, 3}, {4, 4, 4, 3, 3, 3})}, "foreign.npz");
    const auto run = snapshot_of_outputs(own, ood);
    ViewOptions second;
    second.input.row = 1;
    const auto given = chosen_logits(run, second, LogitsBy::samples).value();
    EXPECT_THAT(given.mu(), testing::ElementsAre(0, 2, 0));
    EXPECT_THAT(given.variance(), testing::ElementsAre(0.5, 1, 2));
    EXPECT_THAT(drawn("simplex", run, second).caption, HasSubstr("Gaussian over logits from the file."));
    EXPECT_THAT(drawn("list_lengths", run).caption, HasSubstr("Logits: the Gaussians in the file;"));

    const auto chart = drawn("bridge_scores", run);
    EXPECT_THAT(chart.caption, HasSubstr("which were obtained from the file in "));
    const auto& rows = chart.table->rows;
    ASSERT_GE(rows.size(), 3u);
    EXPECT_EQ(rows[0][0], Cell("Mean logits alone"));
    EXPECT_EQ(rows[2][0], Cell("200 samples of the outputs"));
    const auto top = [](double a, double b, double c) {
        return std::exp(std::max({a, b, c})) / (std::exp(a) + std::exp(b) + std::exp(c));
    };
    EXPECT_NEAR(std::get<double>(rows[0][1]), (top(3, 0, 0) + top(0, 2, 0) + top(0, 1, 1.5)) / 3, 1e-5);
    EXPECT_NEAR(std::get<double>(rows[0][3]), 1.0 / 3, 1e-5);   // of the OOD rows, whose means carry no information
    EXPECT_THAT(drawn("bridge_scores", with_ood()).caption, HasSubstr("by moments of 2 samples of the outputs"));
}

TEST(ViewsOfOutputs, AreComparedWithOwnRuns)
{
    const auto chart = compare_scores(std::vector{moons(), with_ood()}, {}).value();
    ASSERT_EQ(chart.table->columns.size(), 3u);
    EXPECT_EQ(chart.table->columns[2].name, "own.npz");
    for (const auto& view : views())
        if (view.compare && view.asks == Asks::weights) {
            EXPECT_THAT(view.compare(std::vector{moons(), with_ood()}, {}, {})->message,
                        EndsWith("This view needs the weights: own.npz contains predictions only."))
                << view.id;
        }
}

TEST(ViewsOfOutputs, ASecondFileOfAnotherNetworkIsRejected)
{
    const auto own = opened(outputs_npz::four_rows(), "own.npz");
    const auto why = [&](const ZipMember& other) {
        return refusal([&] { snapshot_of_outputs(own, opened({other}, "b.npz")); });
    };
    EXPECT_EQ(why(floats("probabilities", {2, 1, 2}, {0.5f, 0.5f, 0.5f, 0.5f})),
              "b.npz: found 2 classes, expected 3 as in own.npz: OOD outputs must come from the same network.");
    EXPECT_EQ(why(floats("probabilities", {1, 1, 3}, {1, 0, 0})), "b.npz: found 1 samples, expected 2 as in own.npz.");
}

}   // namespace
}   // namespace credence
