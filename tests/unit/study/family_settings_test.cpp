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

const std::string toy_families[] = {"point_estimate", "bernoulli_dropout", "mean_field",
                                    "layer_scale",    "tridiagonal",       "laplace"};

const Study& two_moons(const std::string& family) { return preset("two_moons_" + family); }

TEST(FamilySettings, TransformEachTwoMoonsPresetIntoEachOther)
{
    for (const std::string& from : toy_families)
        for (const std::string& to : toy_families)
            EXPECT_THAT(differences(with_family_defaults(two_moons(from), to).study, two_moons(to)), IsEmpty())
                << from << " to " << to;
}

TEST(FamilySettings, SwitchingBackRestoresAFamilysOwnValues)
{
    for (const std::string& from : toy_families)
        for (const std::string& to : toy_families)
            EXPECT_TRUE(with_family_defaults(with_family_defaults(two_moons(from), to).study, from).study
                        == two_moons(from))
                << from << ' ' << to;
}

TEST(FamilySettings, TheSameFamilyChangesNothing)
{
    for (const auto& p : presets()) {
        const auto same = with_family_defaults(p.study, p.study.posterior.family);
        EXPECT_TRUE(same.study == p.study) << p.id;
        EXPECT_THAT(same.changes, IsEmpty());
    }
}

TEST(FamilySettings, SettingsOfTheUserAreKept)
{
    Study study                           = two_moons("mean_field");
    study.training.kl_weight              = 0.3;
    study.training.schedule.learning_rate = 0.02;
    const auto changed                    = with_family_defaults(study, "layer_scale");
    EXPECT_EQ(changed.study.training.kl_weight, 0.3);
    EXPECT_EQ(changed.study.training.schedule.learning_rate, 0.02);
    EXPECT_THAT(changed.study.prior.weight_sd, ElementsAre(1));
    EXPECT_THAT(changed.changes, Not(Contains(StartsWith("Learning rate"))));
}

TEST(FamilySettings, TheChangesAreNamed)
{
    EXPECT_THAT(
        with_family_defaults(two_moons("layer_scale"), "tridiagonal").changes,
        ElementsAre("Posterior: One τ per block → τ and correlation ρ per block", "κ of the ρ gradient: 1 → 50"));
    EXPECT_THAT(with_family_defaults(two_moons("mean_field"), "point_estimate").changes,
                Contains(StartsWith("Weight decay λ: 0 → ")));
}

}   // namespace
}   // namespace credence
