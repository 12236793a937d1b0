// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/comparison.h"

#include "runs/experiment.h"
#include "study/fields.h"
#include "study/method.h"
#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

std::vector<std::string> names(const std::vector<QuickMethod>& all)
{
    std::vector<std::string> list;
    for (const auto& one : all)
        list.push_back(one.study.name);
    return list;
}

}   // namespace

TEST(QuickComparison, HasAStudyOfEachMethodOnTheSameDataAndNetwork)
{
    const Study own = small_study("mean_field");
    const auto all  = quick_comparison(*prepare(own));
    EXPECT_THAT(names(all), ElementsAre("small, point estimate", "small, deep ensemble", "small, mean field",
                                        "small, Laplace approximation", "small, SWAG", "small, NUTS"));
    for (const auto& one : all) {
        EXPECT_TRUE(one.possible && one.suggested) << one.study.name << ": " << one.note;
        EXPECT_GT(one.seconds, 0);
        EXPECT_TRUE(one.study.data == own.data && one.study.network == own.network);
        EXPECT_EQ(one.study.training.steps, own.training.steps);
        EXPECT_NO_THROW(prepare(one.study)) << one.study.name;
    }
}

TEST(QuickComparison, KeepsTheSettingsOfTheStudysOwnMethodAndItsNameWithoutTheMethod)
{
    Study own                           = small_study("swag");
    own.name                            = "wine, SWAG";
    own.training.schedule.learning_rate = 0.123;
    const auto all                      = quick_comparison(*prepare(own));
    EXPECT_EQ(all[0].study.name, "wine, point estimate");
    EXPECT_TRUE(all[4].study == own);
    EXPECT_EQ(all[5].study.training.schedule.learning_rate, 0.123) << "set by the user";
}

TEST(QuickComparison, SuggestsNutsForSmallDataAndNetworksOnly)
{
    Study study          = small_study("mean_field");
    study.network.hidden = {500};
    const auto wide      = quick_comparison(*prepare(study)).back();
    EXPECT_FALSE(wide.suggested);
    EXPECT_TRUE(wide.possible);
    EXPECT_EQ(wide.note, "Slow with 2,502 weights.");
    study            = small_study("mean_field");
    study.data.toy.n = 700;
    const auto many  = quick_comparison(*prepare(study)).back();
    EXPECT_EQ(many.note, "Slow with 560 training rows.");
}
