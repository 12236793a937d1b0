// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "study/method.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include <set>

namespace credence {
namespace {

TEST(Presets, ThereAreAtLeastTwelveWithUniqueNames)
{
    std::set<std::string> ids, names;
    for (const auto& p : presets()) {
        EXPECT_TRUE(ids.insert(p.id).second) << p.id;
        EXPECT_TRUE(names.insert(p.study.name).second) << p.study.name;
    }
    EXPECT_GE(ids.size(), 12u);
}

TEST(Presets, EachIsFoundByItsSettingsUnderAnyName)
{
    for (const auto& p : presets()) {
        Study study = p.study;
        study.name  = "Another name";
        study.note.clear();
        ++study.seed;
        ASSERT_NE(preset_with(study), nullptr) << p.id;
        EXPECT_EQ(preset_with(study)->id, p.id);
        ++study.training.steps;
        EXPECT_EQ(preset_with(study), nullptr) << p.id;
    }
}

TEST(Presets, EachHasANoteOnItsPurpose)
{
    for (const auto& p : presets()) {
        EXPECT_GT(p.study.note.size(), 60u) << p.id;
        EXPECT_TRUE(p.study.note.ends_with('.') || p.study.note.ends_with(')')) << p.id;
    }
}

TEST(Presets, OfThePapersHaveThePublishedSettings)
{
    const auto& dropped = preset("mnist_mlp_dropout").network;   // Blundell et al. 2015, Table 1, with the usual rates
    EXPECT_EQ(dropped.hidden, (std::vector<int>{1200, 1200}));
    EXPECT_EQ(dropped.dropout, 0.5);
    EXPECT_EQ(dropped.input_dropout, 0.2);
    EXPECT_EQ(preset("mnist_mlp_sgd").network.input_dropout, 0);
    EXPECT_EQ(preset("mnist_mlp_gaussian").prior.kind, PriorKind::gaussian);
    for (const char* id : {"cifar10_full_point", "cifar10_full_bernoulli"})   // Posch and Pilz 2021, IV-B
        EXPECT_EQ(preset(id).training.layer_l2, (std::vector<double>{0.004, 0.004, 0.004, 1})) << id;
    EXPECT_EQ(preset("cifar10_full_bernoulli").posterior.dropout_rate, 0.1);
    for (const char* id : {"mnist_exchanged_point", "mnist_exchanged_layer_scale"})   // Steinbrener et al. 2020, 4.1
        EXPECT_EQ(preset(id).network.dropout, 0.5) << id;
    const auto& exchanged = preset("mnist_exchanged_layer_scale");
    EXPECT_EQ(exchanged.training.kl_gradient_limit, 0);   // the limit of 3.2 is that of the PyTorch experiments
    EXPECT_TRUE(exchanged.posterior.guard_spread);
    EXPECT_EQ(exchanged.posterior.guard_delta, -10);   // where the τ of Tables 3 and 4 end
    const auto& residual = preset("cifar10_resnet");   // Hobbhahn 2020, Table 5.1
    EXPECT_EQ(residual.network.kind, NetworkKind::resnet);
    EXPECT_EQ(residual.training.optimizer.kind, OptimizerKind::adam);
    EXPECT_EQ(residual.training.batch_size, 128);
    EXPECT_EQ(residual.training.l2, 5e-4);
    EXPECT_EQ(residual.posterior.laplace.curvature.layers, CurvatureLayers::last);
    for (const char* id :
         {"cifar10_full", "cifar10_full_layer_scale", "cifar10_full_bernoulli", "cifar10_full_point"}) {
        EXPECT_EQ(preset(id).data.images.pixels, PixelScaling::subtract_mean) << id;
        EXPECT_EQ(preset(id).network.initialisation, Initialisation::gaussian) << id;   // Caffe's cifar10_full
        EXPECT_EQ(preset(id).network.initial_sd, (std::vector<double>{0.0001, 0.01})) << id;
    }
}

TEST(Presets, EachGroupHasPresetsATitleAndASentence)
{
    std::set<std::string> titles, hints;
    for (const PresetGroup group : preset_groups) {
        EXPECT_TRUE(titles.insert(title_of(group)).second) << title_of(group);
        EXPECT_TRUE(hints.insert(hint_of(group)).second) << hint_of(group);
        EXPECT_TRUE(std::string(hint_of(group)).ends_with('.')) << title_of(group);
        const auto& all = presets();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Preset& p) { return group_of(p.study) == group; }))
            << title_of(group);
    }
}

TEST(Presets, TheFirstIsTheDefaultAndTrainsAMeanFieldOnTwoMoons)
{
    EXPECT_TRUE(default_study() == presets().front().study);
    EXPECT_EQ(default_study().posterior.family, "mean_field");
    EXPECT_EQ(default_study().data.toy.kind, ToyKind::two_moons);
}

TEST(Presets, CoverEveryFamilyAndMostToyProblems)
{
    std::set<std::string> families;
    std::set<ToyKind> kinds;
    for (const auto& p : presets()) {
        families.insert(p.study.posterior.family);
        kinds.insert(p.study.data.toy.kind);
    }
    EXPECT_GE(families.size(), 15u);   // a user's own method can be without one
    EXPECT_GE(kinds.size(), 8u);
}

TEST(Presets, AreInGroupsOfReadableLength)
{
    std::map<PresetGroup, int> members;
    for (const auto& p : presets())
        ++members[group_of(p.study)];
    for (const auto group : preset_groups) {
        EXPECT_GE(members[group], 2) << title_of(group);
        EXPECT_LE(members[group], 12) << title_of(group);
    }
    EXPECT_EQ(group_of(preset("two_moons_mean_field")), PresetGroup::plane);
    EXPECT_EQ(group_of(preset("cubic")), PresetGroup::regression);
    EXPECT_EQ(group_of(preset("stroke_digits_laplace")), PresetGroup::laplace);
    EXPECT_EQ(group_of(preset("two_moons_sgld")), PresetGroup::draws);
    EXPECT_EQ(group_of(preset("sine_gap_nuts")), PresetGroup::draws_of_curves);
    EXPECT_EQ(group_of(preset("stroke_digits_swag")), PresetGroup::draws_of_images);
    EXPECT_EQ(group_of(preset("mnist_lenet5_sgfuncrld")), PresetGroup::draws_of_images);
    EXPECT_EQ(group_of(preset("stroke_digits_lenet_point")), PresetGroup::signs);
    EXPECT_EQ(group_of(preset("traffic_signs_point_estimate")), PresetGroup::signs);
    EXPECT_EQ(group_of(preset("traffic_signs_sgfuncrld")), PresetGroup::draws_of_images);
    EXPECT_EQ(group_of(preset("mnist_bridge_cnn_laplace")), PresetGroup::files);
    EXPECT_EQ(group_of(preset("mnist_mlp_dropout")), PresetGroup::files_dense);
    EXPECT_EQ(group_of(preset("cifar10_full_point")), PresetGroup::files_colour);
    EXPECT_EQ(group_of(preset("cifar10_resnet")), PresetGroup::files_colour);
    for (const char* id : {"bad_narrow_prior", "bad_kl_weight", "bad_learning_rate", "bad_still_spreads"})
        EXPECT_EQ(group_of(preset(id)), PresetGroup::bad) << id;
}

TEST(Presets, AreFoundByIdAndByName)
{
    EXPECT_TRUE(preset("circles") == preset("Circles"));
    try {
        preset("circle");
        FAIL() << "an unknown preset was found";
    } catch (const Error& e) {
        EXPECT_THAT(e.what(), testing::HasSubstr("did you mean circles; there are two_moons_mean_field, "));
    }
}

}   // namespace
}   // namespace credence
