// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/presets.h"
#include "unit/views/drawn.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

std::vector<std::string> names_of_runs(const std::vector<std::string>& names)
{
    static const RunSnapshot run = short_snapshot("", ToyKind::two_moons);
    std::vector<RunSnapshot> runs;
    for (const auto& name : names) {
        const auto experiment  = std::make_shared<Experiment>(*run.experiment);
        experiment->study.name = name;
        runs.push_back({experiment, run.snapshot, nullptr});
    }
    return view_support::names_of(runs);
}

}   // namespace

TEST(NamesOfRuns, OmitTheCommonPrefix)
{
    EXPECT_THAT(names_of_runs({"Two moons, NUTS", "Two moons, SWAG"}), ElementsAre("NUTS", "SWAG"));
    EXPECT_THAT(names_of_runs({"MNIST, LeNet (SGLD)", "MNIST, LeNet (SWAG)"}), ElementsAre("SGLD", "SWAG"));
    EXPECT_THAT(names_of_runs({"Two moons, mean field", "Two moons, NUTS"}), ElementsAre("Mean field", "NUTS"));
    EXPECT_THAT(names_of_runs({"one", "two"}), ElementsAre("one", "two"));
    EXPECT_THAT(names_of_runs({"Two moons, NUTS"}), ElementsAre("Two moons, NUTS"));
    EXPECT_TRUE(names_of_runs({}).empty());
}

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

TEST(CalibrationSet, IsTheRowsThatTheStudySetsAside)
{
    Study study = preset("two_moons_mean_field");
    EXPECT_FALSE(view_support::calibration_set(*prepare(study)));
    study.split.calibration_fraction = 0.25;
    const auto experiment            = prepare(study);
    const auto set                   = view_support::calibration_set(*experiment);
    ASSERT_TRUE(set);
    EXPECT_EQ(set->data->n_rows, experiment->data->calibration.n_rows);
    EXPECT_EQ(set->inputs.size(), set->data->n_rows * set->data->n_features);
    EXPECT_NE(set->data, view_support::scored_set(*experiment).data);
    EXPECT_THAT(shared_setting({experiment, nullptr, nullptr}), HasSubstr(" calibration and "));
}
