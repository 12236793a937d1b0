// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"

#include "study/presets.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

Study named(const std::string& name, const std::string& family = "mean_field")
{
    Study study;
    study.name             = name;
    study.posterior.family = family;
    return study;
}

std::vector<std::string> names_of(const std::vector<Study>& studies)
{
    std::vector<const Study*> pointers;
    for (const auto& study : studies)
        pointers.push_back(&study);
    return distinct_names(pointers);
}

}   // namespace

TEST(Names, BelowTheBoxesOfManyMethodsAreShort)
{
    for (const auto& [family, title] :
         {std::pair{"laplace", "Laplace"}, {"layer_scale", "One τ"}, {"mean_field", "Mean field"}, {"nuts", "NUTS"}})
        EXPECT_EQ(axis_title(family), title);
}

TEST(Names, OfDifferentStudiesStayAsTheyAre)
{
    EXPECT_THAT(names_of({named("a"), named("b", "layer_scale")}), ElementsAre("a", "b"));
}

TEST(Names, OfOneStudyAreDistinguishedByTheFamilyAndThenByANumber)
{
    EXPECT_THAT(names_of({named("a"), named("b"), named("a", "bernoulli_dropout"), named("a")}),
                ElementsAre("a (mean field)", "b", "a (Bernoulli dropout)", "a (mean field) (2)"));
    EXPECT_THAT(names_of({named("a"), named("a"), named("a")}), ElementsAre("a", "a (2)", "a (3)"));
}

TEST(Names, OfOneStudyAreDistinguishedByTheSettingThatDiffers)
{
    const auto seeded = [](std::uint64_t seed, const std::string& family = "mean_field") {
        Study study = named("a", family);
        study.seed  = seed;
        return study;
    };
    EXPECT_THAT(names_of({seeded(1), named("b"), seeded(7)}), ElementsAre("a (seed 1)", "b", "a (seed 7)"));
    EXPECT_THAT(names_of({seeded(1), seeded(7), seeded(1)}), ElementsAre("a (seed 1)", "a (seed 7)", "a (seed 1) (2)"));
    EXPECT_THAT(names_of({seeded(1), seeded(7), seeded(1, "nuts")}),
                ElementsAre("a (mean field, seed 1)", "a (mean field, seed 7)", "a (NUTS)"));
    auto longer           = seeded(7);
    longer.training.steps = 300;
    const auto steps      = std::to_string(seeded(1).training.steps);
    EXPECT_THAT(names_of({seeded(1), longer}), ElementsAre("a (seed 1, steps " + steps + ")", "a (seed 7, steps 300)"));
    longer.prediction.samples += 1;
    EXPECT_THAT(names_of({seeded(1), longer}), ElementsAre("a", "a (2)")) << "more than two settings";
}

TEST(Names, FollowTheFamilyFromEachPresetToEachOther)
{
    const std::vector<std::string> ids{"two_moons_mean_field", "two_moons_point_estimate",
                                       "two_moons_bernoulli_dropout", "two_moons_layer_scale", "two_moons_tridiagonal"};
    for (const auto& from : ids)
        for (const auto& to : ids)
            EXPECT_EQ(named_for_family(preset(from).name, preset(from).posterior.family, preset(to).posterior.family),
                      preset(to).name);
    EXPECT_EQ(named_for_family("Moons, τ and correlation ρ per block", "tridiagonal", "mean_field"),
              "Moons, mean field");
}

TEST(Names, WithoutTheFamilyStayUnchanged)
{
    EXPECT_EQ(named_for_family("Spirals", "mean_field", "point_estimate"), "Spirals");
    EXPECT_EQ(named_for_family("Two moons, mean field", "layer_scale", "point_estimate"), "Two moons, mean field");
    EXPECT_EQ(named_for_family("Mean field on moons", "mean_field", "point_estimate"), "Point estimate on moons");
}

TEST(Names, TheTaskOfATableIsKnownOnlyWhereItIsStated)
{
    DataSpec data;
    data.toy.kind = ToyKind::cubic;
    EXPECT_EQ(stated_task(data), Task::regression);
    data.source     = DataSource::drawn;
    data.drawn_task = Task::classification;
    EXPECT_EQ(stated_task(data), Task::classification);
    data.source = DataSource::csv;
    EXPECT_EQ(stated_task(data), std::nullopt);
    data.csv.task = Task::regression;
    EXPECT_EQ(stated_task(data), Task::regression);
}
