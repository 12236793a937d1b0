// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shared_setting.h"

#include "study/presets.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;
using testing::Not;

TEST(Captions, NameTheNoiseThatWasChosen)
{
    Study study = preset("two_moons_mean_field");
    EXPECT_THAT(shared_setting({prepare(study), nullptr, nullptr}), Not(HasSubstr("Noise")));
    study.data.toy.noise = 0.44;
    EXPECT_THAT(shared_setting({prepare(study), nullptr, nullptr}),
                testing::AllOf(HasSubstr("Noise 0.44"), testing::EndsWith(". Seed " + std::to_string(study.seed))));
}
