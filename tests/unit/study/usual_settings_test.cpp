// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fields.h"
#include "study/presets.h"
#include "study/usual_settings.h"
#include "unit/study/image_studies.h"

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

TEST(ImageSettings, TransformEachStrokePresetIntoEachOtherByTheFamily)
{
    for (const std::string& from : families)
        for (const std::string& to : families)
            EXPECT_THAT(differences(with_family_defaults(strokes_of(from), to).study, strokes_of(to)), IsEmpty())
                << from << " to " << to;
}

TEST(ImageSettings, TransformEachOfThePapersMnistNetsIntoEachOther)
{
    for (const std::string& from : families)
        for (const std::string& to : families)
            if (from != "mean_field" && to != "mean_field") {
                EXPECT_THAT(differences(with_family_defaults(mnist_of(from), to).study, mnist_of(to)), IsEmpty())
                    << from << " to " << to;
            }
}

TEST(ImageSettings, SwitchFromTwoMoonsToStrokesAndBack)
{
    for (const std::string& family : families) {
        const Study moons = of_family("two_moons_", family), strokes = with_data_source(moons, DataSource::strokes);
        EXPECT_THAT(differences(strokes, strokes_of(family)), IsEmpty()) << family;
        EXPECT_THAT(differences(with_data_source(strokes, DataSource::toy), moons), IsEmpty()) << family;
    }
}

TEST(ImageSettings, StayBetweenSourcesOfOneKind)
{
    const Study strokes = strokes_of("tridiagonal");
    EXPECT_THAT(differences(strokes, with_data_source(strokes, DataSource::images)),
                ElementsAre("Data from: Stroke digits → Data set of images"));
    EXPECT_THAT(differences(Study{}, with_data_source(Study{}, DataSource::csv)),
                ElementsAre("Data from: Toy problem → Table in a file"));
}

TEST(ImageSettings, AnotherNetworkBringsItsInitialTau)
{
    for (const std::string& family : families) {
        const Study lenet = strokes_of(family), dense = with_network_kind(lenet, NetworkKind::mlp);
        EXPECT_NO_THROW(check(dense)) << family;
        EXPECT_EQ(dense.network.dropout, 0);
        EXPECT_TRUE(with_network_kind(dense, NetworkKind::lenet_caffe) == lenet);
    }
    const Study own = with(strokes_of("layer_scale"), {"posterior.initial_tau=0.3"});
    EXPECT_EQ(with_network_kind(own, NetworkKind::lenet5).posterior.initial_tau, own.posterior.initial_tau);
}

}   // namespace

}   // namespace credence

using namespace credence;

TEST(TableSettings, GrowInStepsWithTheTableBetweenTwoBounds)
{
    const auto steps = [](std::size_t rows) { return with_table_settings(Study{}, rows).training.steps; };
    EXPECT_EQ(steps(20), 3000);
    EXPECT_EQ(steps(8124), 5000);   // 82 minibatches an epoch, 60 epochs
    EXPECT_EQ(steps(1'000'000), 30000);
}

TEST(TableSettings, LeavePosteriorPriorSplitAndSeed)
{
    for (const auto& preset : presets()) {
        const Study suited = with_table_settings(preset.study, 1000);
        Study restored     = suited;
        restored.network   = preset.study.network;
        restored.training  = preset.study.training;
        EXPECT_TRUE(restored == preset.study) << preset.id;
        EXPECT_NO_THROW(check(suited)) << preset.id;
    }
}
