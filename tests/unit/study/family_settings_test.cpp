// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/family_settings.h"
#include "study/fields.h"
#include "study/presets.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr Family families[] = {Family::point_estimate, Family::bernoulli_dropout, Family::mean_field, Family::layer_scale, Family::tridiagonal, Family::laplace};

const Study& two_moons(Family family)
{
    switch (family) {
    case Family::point_estimate: return preset("two_moons_point_estimate");
    case Family::bernoulli_dropout: return preset("two_moons_bernoulli_dropout");
    case Family::mean_field: return preset("two_moons_mean_field");
    case Family::layer_scale: return preset("two_moons_layer_scale");
    case Family::laplace: return preset("two_moons_laplace");
    case Family::tridiagonal: break;
    }
    return preset("two_moons_tridiagonal");
}

TEST(FamilySettings, LeadFromEachTwoMoonsPresetToEachOther)
{
    for (const Family from : families)
        for (const Family to : families)
            EXPECT_THAT(differences(with_family_defaults(two_moons(from), to).study, two_moons(to)), IsEmpty()) << static_cast<int>(from) << " to " << static_cast<int>(to);
}

TEST(FamilySettings, ThereAndBackIsTheIdentityFromAFamilysOwnValues)
{
    for (const Family from : families)
        for (const Family to : families)
            EXPECT_TRUE(with_family_defaults(with_family_defaults(two_moons(from), to).study, from).study == two_moons(from)) << static_cast<int>(from) << ' ' << static_cast<int>(to);
}

TEST(FamilySettings, TheSameFamilyChangesNothing)
{
    for (const auto& p : presets()) {
        const auto same = with_family_defaults(p.study, p.study.posterior.family);
        EXPECT_TRUE(same.study == p.study) << p.id;
        EXPECT_THAT(same.changes, IsEmpty());
    }
}

TEST(FamilySettings, WhatTheUserSetStays)
{
    Study study = two_moons(Family::mean_field);
    study.training.kl_weight              = 0.3;
    study.training.schedule.learning_rate = 0.02;
    const auto changed = with_family_defaults(study, Family::layer_scale);
    EXPECT_EQ(changed.study.training.kl_weight, 0.3);
    EXPECT_EQ(changed.study.training.schedule.learning_rate, 0.02);
    EXPECT_THAT(changed.study.prior.weight_sd, ElementsAre(1));
    EXPECT_THAT(changed.changes, Not(Contains(StartsWith("Learning rate"))));
}

TEST(FamilySettings, TheChangesAreNamed)
{
    EXPECT_THAT(with_family_defaults(two_moons(Family::layer_scale), Family::tridiagonal).changes,
                ElementsAre("Posterior: One τ per block → τ and correlation ρ per block", "κ of the ρ gradient: 1 → 50"));
    EXPECT_THAT(with_family_defaults(two_moons(Family::mean_field), Family::point_estimate).changes, Contains(StartsWith("Weight decay λ: 0 → ")));
}

}  // namespace
}  // namespace credence
