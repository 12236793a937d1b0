// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_words.h"

#include "study/presets.h"
#include "study/usual_settings.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {

constexpr const char* groups[] = {"data", "network", "posterior", "training", "prediction"};

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0u) != 0x80u; }));
}

std::string sentence(const char* id, const char* group) { return study_sentence(preset(id), group); }

}   // namespace

TEST(StudySentence, IsShortForEveryPartOfEveryPreset)
{
    for (const auto& preset : presets())
        for (const char* group : groups) {
            const std::string text = study_sentence(preset.study, group);
            EXPECT_FALSE(text.empty()) << preset.id << ' ' << group;
            EXPECT_LE(characters(text), 60u) << preset.id << ' ' << group << ": " << text;
        }
    EXPECT_TRUE(study_sentence(default_study(), "seed").empty());
}

TEST(StudySentence, StatesTheSettingsOfTheDefaultStudy)
{
    EXPECT_EQ(sentence("two_moons_mean_field", "data"), "Two moons · 500 points · noise 0.1");
    EXPECT_EQ(sentence("two_moons_mean_field", "network"), "30–30–30 units · ReLU");
    EXPECT_EQ(sentence("two_moons_mean_field", "posterior"), "Mean field (Bayes by Backprop) · prior N(0, 0.5²)");
    EXPECT_EQ(sentence("two_moons_mean_field", "training"), "10,000 steps · batch 100 · Adam 0.01 · cosine");
    EXPECT_EQ(sentence("two_moons_mean_field", "prediction"), "200 samples · 95 % intervals");
}

TEST(StudySentence, StatesTheNumberOfWeightsIfItIsKnown)
{
    EXPECT_EQ(study_sentence(default_study(), "network", 2012), "30–30–30 units · ReLU · 2,012 weights");
    EXPECT_EQ(study_sentence(default_study(), "data", 2012), study_sentence(default_study(), "data"));
}

TEST(StudySentence, NamesWhatOtherKindsOfStudiesNeed)
{
    EXPECT_EQ(sentence("two_moons_nuts", "training"), "4 chains · 1,000 draws each · 1,000 warm-up");
    EXPECT_EQ(sentence("two_moons_sgld", "training"), "20,000 steps · batch 100 · rate 0.05");
    EXPECT_EQ(sentence("two_moons_point_estimate", "prediction"), "One set of weights · 95 % intervals");
    EXPECT_EQ(sentence("stroke_digits_lenet_point", "data"), "Stroke digits · 10,000 training, 2,000 test images");
    EXPECT_EQ(sentence("stroke_digits_lenet_point", "network"), "LeNet (Caffe) · 100 hidden units · dropout 0.5");
    EXPECT_THAT(sentence("stroke_digits_lenet_point", "posterior"), HasSubstr("weight decay 0.0005"));
    EXPECT_THAT(sentence("stroke_digits_lenet_point", "training"), HasSubstr("momentum, rate 0.01"));
    EXPECT_THAT(sentence("mnist_mlp_1200", "data"), HasSubstr("first 50,000 images"));
    EXPECT_THAT(sentence("mnist_mlp_1200", "posterior"), HasSubstr("scale mixture prior"));
    EXPECT_THAT(sentence("mnist_digits_0_2", "data"), HasSubstr("classes 0, 1, 2"));
    EXPECT_THAT(sentence("heteroscedastic", "network"), HasSubstr("noise: "));
}

TEST(StudySentence, FollowsEachSettingThatItStates)
{
    Study study = default_study();
    for (const auto& [setting, group, words] : {std::tuple{"data.n=80", "data", "80 points"},
                                                {"data.noise=0.25", "data", "noise 0.25"},
                                                {"network.hidden=7, 8", "network", "7–8 units"},
                                                {"network.activation=tanh", "network", "tanh"},
                                                {"prior.weight_sd=3", "posterior", "N(0, 3²)"},
                                                {"training.batch_size=1200", "training", "batch 1,200"},
                                                {"training.optimizer=sgd", "training", "SGD"},
                                                {"training.learning_rate=0.5", "training", "SGD 0.5"},
                                                {"prediction.samples=1", "prediction", "1 sample ·"},
                                                {"prediction.level=0.9", "prediction", "90 %"}}) {
        set_field(study, setting);
        EXPECT_THAT(study_sentence(study, group), HasSubstr(words));
    }
    set_field(study, "network.hidden=");
    EXPECT_THAT(study_sentence(study, "network"), HasSubstr("no hidden layers"));
}

TEST(StudySentence, ShortensLongNamesBetweenCharacters)
{
    Study study               = default_study();
    study.data.source         = DataSource::csv;
    study.data.file           = "/home/user/measurements-of-the-second-winter-in-the-großes-tälchen-αβγ.csv";
    study.data.csv.target     = "age";
    const std::string written = study_sentence(study, "data");
    EXPECT_THAT(written,
                testing::AllOf(testing::StartsWith("measurements-of"), HasSubstr("…"), HasSubstr("target age")));
    EXPECT_LE(characters(written), 60u);
}

TEST(DefaultSettings, AreThoseOfTheDefaultStudyAndOfEachMethodsPreset)
{
    EXPECT_TRUE(with_default_settings(default_study()) == default_study());
    for (const auto* id : {"two_moons_point_estimate", "two_moons_layer_scale", "stroke_digits_lenet_mean_field",
                           "stroke_digits_lenet_point"})
        EXPECT_TRUE(with_default_settings(preset(id)) == preset(id)) << id;
    Study study = default_study();
    set_field(study, "data.kind=circles");
    set_field(study, "data.noise=0.7");
    set_field(study, "training.steps=77");
    const Study usual = with_default_settings(study);
    EXPECT_EQ(usual.data.toy.kind, ToyKind::circles);
    EXPECT_EQ(usual.data.toy.noise, default_noise(ToyKind::circles));
    EXPECT_EQ(usual.training.steps, default_study().training.steps);
    EXPECT_EQ(usual.name, study.name);
}
