// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Chart boxes_of(const std::vector<RunSnapshot>& runs, const ViewOptions& options = {})
{
    return view("truth_boxplots").compare(runs, options, {}).value();
}

const Boxes& drawn_boxes(const Panel& panel)
{
    for (const auto& series : panel.series)
        if (const auto* boxes = std::get_if<Boxes>(&series))
            return *boxes;
    throw std::runtime_error("a panel without boxes");
}

double width_of(const Box& box) { return box.upper_quartile - box.lower_quartile; }

ViewOptions far_away()
{
    ViewOptions options;
    options.input.values = {4, -3};
    return options;
}

}   // namespace

TEST(ReferenceBoxplots, HaveABoxForEachRunOnOneAxisWithTheReferenceFirst)
{
    const auto chart = boxes_of(
        {moons(), snapshot_of(small_study("point_estimate")), snapshot_of_chains(study_of_chains("nuts"))}, far_away());
    ASSERT_EQ(chart.message, "");
    ASSERT_EQ(chart.panels.size(), 1u);   // of two classes one is sufficient
    const auto& panel = chart.panels.front();
    EXPECT_THAT(panel.x.categories, ElementsAre("reference (NUTS)", "Point estimate", "Mean field"));
    EXPECT_EQ(panel.title, "(4, -3)");
    EXPECT_EQ(panel.y.label, "p̄ of class 1");
    const auto& boxes = drawn_boxes(panel).boxes;
    ASSERT_EQ(boxes.size(), 3u);
    EXPECT_GT(width_of(boxes[0]), 0);
    EXPECT_EQ(width_of(boxes[1]), 0) << "one net has one prediction";
    EXPECT_GT(width_of(boxes[2]), 0);
    EXPECT_THAT(chart.caption, HasSubstr("reference (NUTS): "));
    EXPECT_THAT(chart.caption, HasSubstr("200 samples."));
}

TEST(ReferenceBoxplots, AreThoseOfTheViewBoxplotsForTheSameSamples)
{
    const auto reference = snapshot_of_chains(study_of_chains("nuts"));
    auto options         = far_away();
    const auto compared  = drawn_boxes(boxes_of({reference}, options).panels[0]).boxes.at(0);
    options.samples      = 200;   // as many as the set has: each is drawn once
    const auto alone     = drawn_boxes(drawn("boxplots", reference, options).panels[0]).boxes.at(1);
    EXPECT_NEAR(compared.median, alone.median, 1e-6);
    EXPECT_NEAR(compared.upper_quartile, alone.upper_quartile, 1e-6);
}

TEST(ReferenceBoxplots, RunsOfOneMethodAreUnderTheirNames)
{
    auto first       = study_of_chains("sgld");
    auto second      = first;
    first.name       = "one";
    second.name      = "two";
    const auto chart = boxes_of(
        {snapshot_of_chains(first), snapshot_of_chains(study_of_chains("nuts")), snapshot_of_chains(second)});
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("reference (small)", "one", "two"));
    EXPECT_THAT(chart.panels[0].title, HasSubstr("test row 0: true class is "));
}

TEST(ReferenceBoxplots, OfANumericTargetAreInItsUnits)
{
    auto study                      = study_of_chains("nuts", ToyKind::blundell_curve);
    study.split.standardise_targets = true;
    auto shifted                    = study;
    set_field(shifted, "posterior.family=sgld");
    const auto reference = snapshot_of_chains(study);
    ViewOptions options;
    options.input.values = {0.25};
    const auto chart     = boxes_of({reference, snapshot_of_chains(shifted, {.shifts = {0.5, 0.5}})}, options);
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].y.label, "y");
    const auto& boxes = drawn_boxes(chart.panels[0]).boxes;
    const double sd   = reference.experiment->data->target_sd;
    EXPECT_NEAR(boxes[1].median - boxes[0].median, 0.5 * sd, 1e-5 * sd);
    EXPECT_NEAR(width_of(boxes[1]), width_of(boxes[0]), 1e-5 * sd);
}

TEST(ReferenceBoxplots, OfManyClassesShowTheMostProbableOnesOfTheReference)
{
    const auto reference = snapshot_of_chains(study_of_chains("hmc", ToyKind::spirals));
    const auto chart     = boxes_of({reference});
    const auto K         = reference.experiment->data->training.n_classes();
    ASSERT_GT(K, 2u);
    EXPECT_EQ(chart.panels.size(), std::min<std::size_t>(K, 4));
    EXPECT_EQ(chart.panels[0].x.categories.size(), 1u);
}

TEST(ReferenceBoxplots, RunsThatCannotBeComparedGiveAMessage)
{
    EXPECT_EQ(boxes_of({moons()}).message,
              "None of the ticked runs is a NUTS or HMC run, whose draws serve as the reference posterior. Tick one of "
              "these as well.");
    EXPECT_EQ(refusal_of("truth_boxplots", moons()),
              "Only draws of NUTS or HMC can serve as the reference posterior. Display such a run, and tick others to "
              "compare with it.");
    auto other       = study_of_chains("sgld");
    other.data.toy.n = 70;
    EXPECT_THAT(boxes_of({snapshot_of_chains(study_of_chains("nuts")), snapshot_of_chains(other)}).message,
                HasSubstr("has different data from"));
}

TEST(ReferenceBoxplots, StopOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("truth_boxplots").make(snapshot_of_chains(study_of_chains("nuts")), {}, source.get_token()));
}
