// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "sources/traffic_signs.h"
#include "study/method.h"
#include "study/presets.h"
#include "study/source.h"
#include "study/usual_settings.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

Study signs_with(std::initializer_list<const char*> assignments)
{
    Study study;
    for (const char* first : {"data.source=traffic_signs", "data.training_images=100", "data.test_images=30"})
        set_field(study, first);
    for (const char* assignment : assignments)
        set_field(study, assignment);
    return study;
}

ImageData load_signs(const Study& study) { return source_of(study.data).load_images(study.data); }

}   // namespace

TEST(TrafficSignsSource, DrawsTwoPartsByItsSettings)
{
    const auto parts = load_signs(signs_with({"data.difficulty=0.3", "data.seed=4"}));
    EXPECT_NO_THROW(parts.check());
    EXPECT_EQ(parts.training, draw_traffic_signs({.n = 100, .seed = 4, .difficulty = 0.3}));
    EXPECT_EQ(parts.test, draw_traffic_signs({.sequence = SignSequence::test, .n = 30, .seed = 4, .difficulty = 0.3}));
}

TEST(TrafficSignsSource, TestImagesDoNotDependOnHowManyThereAreForTraining)
{
    EXPECT_EQ(load_signs(signs_with({})).test, load_signs(signs_with({"data.training_images=40"})).test);
}

TEST(TrafficSignsSource, KeepsTheChosenClasses)
{
    const auto parts = load_signs(signs_with({"data.only_classes=10,7"}));
    EXPECT_THAT(parts.training.class_names, testing::ElementsAre("Stop", "No entry"));
}

TEST(TrafficSignsSource, GoesThroughItsFileUnchanged)
{
    const Study study = signs_with({"data.difficulty=0.25", "data.grey=true", "data.local_normalisation=11"});
    const Study again = study_from_text(to_text(study), "s.json");
    EXPECT_TRUE(again == study);
    EXPECT_EQ(again.data.images.local_normalisation, 11);
    EXPECT_TRUE(again.data.images.grey);
}

TEST(TrafficSignsSource, TheNetworkForSignsComesWithTheSource)
{
    for (const Method& method : methods()) {
        Study plane       = default_study();
        plane             = with_family_defaults(plane, method.id).study;
        const Study signs = with_data_source(plane, DataSource::traffic_signs);
        EXPECT_EQ(signs.network.kind, NetworkKind::signs_lenet) << method.id;
        EXPECT_EQ(signs.network.dropout, 0) << method.id;
        EXPECT_NO_THROW(check(signs)) << method.id;
    }
}

TEST(TrafficSignsSource, ReportsInvalidInput)
{
    EXPECT_EQ(refusal([] { check(signs_with({"data.only_classes=1,24"})); }),
              "data.only_classes | data.only_classes has 24, expected classes 0 to 23 of the traffic signs.");
    EXPECT_THAT(refusal([] { signs_with({"data.difficulty=1.5"}); }), testing::StartsWith("data.difficulty | "));
    for (const char* source : {"data.source=traffic_signs", "data.source=strokes", "data.source=images"})
        EXPECT_EQ(
            refusal([&] {
                check(signs_with({source, "data.local_normalisation=8"}));
            }),
            "data.local_normalisation | data.local_normalisation is 8, expected 0 or an odd number of pixels from "
            "3 to 255.")
            << source;
}
