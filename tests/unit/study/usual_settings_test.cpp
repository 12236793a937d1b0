// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibration.h"
#include "study/fields.h"
#include "study/presets.h"
#include "study/usual_settings.h"
#include "unit/study/image_studies.h"

#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>

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

TEST(ImageSettings, TransformEachOfThePapersMnistNetworksIntoEachOther)
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
    EXPECT_EQ(steps(20), 10000);
    EXPECT_EQ(steps(20'000), 12000);   // 201 minibatches an epoch, 60 epochs
    EXPECT_EQ(steps(1'000'000), 30000);
}

TEST(TableSettings, HaveASecondHiddenLayerForManyRows)
{
    EXPECT_THAT(with_table_settings(Study{}, 10'000).network.hidden, ElementsAre(50));
    EXPECT_THAT(with_table_settings(Study{}, 10'001).network.hidden, ElementsAre(50, 50));
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

namespace {

/// y = scale (x + 0.3 e), in n rows.
Dataset line(std::size_t n, double scale)
{
    Dataset table;
    table.task       = Task::regression;
    table.n_rows     = n;
    table.n_features = 1;
    table.inputs     = normals(n, 1);
    const auto e     = normals(n, 2, 0.3);
    for (std::size_t i = 0; i < n; ++i)
        table.targets.push_back(scale * (table.inputs[i] + e[i]));
    table.feature_names = {"x"};
    return table;
}

double noise_of(const Study& study) { return std::get<double>(field("network.noise_sd").get(study)); }

}   // namespace

TEST(FirstTableSettings, EstimateTheNoiseInTheUnitsOfTheTarget)
{
    Study table;
    table.data.source   = DataSource::csv;
    table.data.file     = "line.csv";
    table.data.csv.task = Task::regression;
    const Study small   = with_first_table_settings(table, line(500, 1)),
                large   = with_first_table_settings(table, line(500, 100'000));
    EXPECT_NEAR(noise_of(small), 0.3, 0.05);
    EXPECT_NEAR(noise_of(large) / 100'000, noise_of(small), 0.011) << "the network sees the same";
    EXPECT_TRUE(large.split.standardise_targets && large.split.standardise_inputs);
    EXPECT_EQ(small.training.schedule.learning_rate, large.training.schedule.learning_rate);
    EXPECT_NO_THROW(check(large));
}

TEST(FirstTableSettings, NoiseOfATargetWithoutNoiseIsATwentiethOfItsStandardDeviation)
{
    Dataset exact = line(500, 1);
    for (std::size_t i = 0; i < exact.n_rows; ++i)
        exact.inputs[i] = static_cast<double>(i) / 500;
    exact.targets = exact.inputs;
    EXPECT_NEAR(noise_of(with_first_table_settings(Study{}, exact)), 0.05 / std::sqrt(12), 0.001);
}

TEST(FirstTableSettings, KeepNothingThatBelongsToAnotherTable)
{
    Study before;
    for (const char* setting : {"prediction.conformal=aps", "prediction.conformal_by=column",
                                "prediction.conformal_column=colour", "prediction.recalibration=temperature",
                                "network.class_weights=list", "network.class_weight_list=1,2", "prediction.level=0.9"})
        set_field(before, setting);
    const Study after = with_first_table_settings(before, line(500, 1));
    EXPECT_EQ(after.prediction.conformal.score, ConformalScore::none) << "a score of classes";
    EXPECT_EQ(after.prediction.conformal_by, ConformalBy::all);
    EXPECT_EQ(after.prediction.conformal_column, "");
    EXPECT_FALSE(after.network.own.contains("network.class_weights"));
    EXPECT_EQ(after.prediction.level, 0.9);

    Dataset classes = line(500, 1);
    classes.task    = Task::classification;
    classes.targets.clear();
    for (std::size_t i = 0; i < classes.n_rows; ++i)
        classes.labels.push_back(classes.inputs[i] > 0 ? 1 : 0);
    classes.class_names = {"low", "high"};
    set_field(before, "network.noise_sd=7.5");
    EXPECT_EQ(noise_of(with_first_table_settings(before, classes)), noise_of(Study{})) << "of another target";
    EXPECT_EQ(with_first_table_settings(before, classes).prediction.conformal.score, ConformalScore::aps);

    set_field(before, "prediction.conformal=normalised");
    EXPECT_EQ(with_first_table_settings(before, line(500, 1)).prediction.conformal.score, ConformalScore::normalised);
    EXPECT_EQ(with_first_table_settings(before, line(100, 1)).prediction.conformal.score, ConformalScore::none)
        << "too few rows to set some aside";
}

TEST(FirstTableSettings, SetRowsAsideForCalibrationIfThereAreEnough)
{
    EXPECT_EQ(with_first_table_settings(Study{}, line(200, 1)).split.calibration_fraction, 0.2);
    EXPECT_EQ(with_first_table_settings(Study{}, line(199, 1)).split.calibration_fraction, 0);
    EXPECT_EQ(with_first_table_settings(Study{}, line(200, 1)).prediction.recalibration, RecalibrationKind::sigma);
    EXPECT_EQ(with_first_table_settings(Study{}, line(199, 1)).prediction.recalibration, RecalibrationKind::none);
}
