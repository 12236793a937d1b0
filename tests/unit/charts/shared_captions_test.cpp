// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/shared_captions.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::ElementsAre;

const std::string shared_test_setting = "Data: Two moons. Network: 2–8–2. Seed 1";

TEST(SharedCaptions, StateSharedTextOnceAndDifferencesForEach)
{
    const std::vector<std::string> captions{"A map. " + shared_test_setting + ", step 200, 50 draws.",
                                            "Boxes. Whiskers at 1.5. " + shared_test_setting + ", step 200, 200 draws.",
                                            "Curves. " + shared_test_setting + ", step 200.",
                                            "Intervals. " + shared_test_setting + ", step 200, 50 draws. At α = 0.05.",
                                            "A table. " + shared_test_setting + ", step 200, 50 draws."};
    const auto parted = shared_captions(captions, shared_test_setting);
    EXPECT_EQ(parted.shared, "step 200, 50 draws");
    EXPECT_THAT(parted.own, ElementsAre("A map.", "Boxes. Whiskers at 1.5. 200 draws.", "Curves.",
                                        "Intervals. At α = 0.05.", "A table."));
}

TEST(SharedCaptions, TheFirstSentenceStaysEvenIfShared)
{
    const std::vector<std::string> captions(3, "What is drawn. Rows: the test set.");
    const auto parted = shared_captions(captions, "");
    EXPECT_EQ(parted.shared, "Rows: the test set");
    EXPECT_THAT(parted.own, ElementsAre("What is drawn.", "What is drawn.", "What is drawn."));
}

TEST(SharedCaptions, ASingleCaptionKeepsAllButTheSetting)
{
    const std::vector<std::string> one{"A map. " + shared_test_setting + ", step 200, 50 draws."}, none{""};
    EXPECT_EQ(shared_captions(one, shared_test_setting).shared, "");
    EXPECT_THAT(shared_captions(one, shared_test_setting).own, ElementsAre("A map. Step 200, 50 draws."));
    EXPECT_THAT(shared_captions(none, shared_test_setting).own, ElementsAre(""));
    EXPECT_TRUE(shared_captions({}, shared_test_setting).own.empty());
}

TEST(SettingsSideBySide, ListSharedSettingsOnceAndDifferencesPerRun)
{
    const std::vector<std::string> names{"NUTS", "SWAG"},
        settings{"Data: Two moons. Posterior: NUTS. Seed 1, step 200, 50 draws.",
                 "Data: Two moons. Posterior: SWAG. Seed 2, step 200, 50 draws."};
    EXPECT_EQ(
        settings_side_by_side(names, settings),
        " All: Data: Two moons. Step 200, 50 draws. NUTS: Posterior: NUTS. Seed 1. SWAG: Posterior: SWAG. Seed 2.");
}

TEST(SettingsSideBySide, OneRunIsDescribedFullyAndEqualOnesOnce)
{
    const std::vector<std::string> names{"a", "b"}, equal(2, "Data: XOR. Seed 1, step 5.");
    EXPECT_EQ(settings_side_by_side(std::span(names).first(1), std::span(equal).first(1)),
              " a: Data: XOR. Seed 1, step 5.");
    EXPECT_EQ(settings_side_by_side(names, equal), " All: Data: XOR. Seed 1, step 5.");
    EXPECT_EQ(settings_side_by_side({}, {}), "");
}

}   // namespace
}   // namespace credence
