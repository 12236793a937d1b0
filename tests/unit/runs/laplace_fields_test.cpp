// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fields.h"
#include "study/study.h"
#include "unit/runs/laplace_moons.h"

#include <gmock/gmock.h>

using namespace credence;
using namespace laplace_moons;
using testing::AllOf;
using testing::HasSubstr;

TEST(LaplaceFields, AreReadAndWritten)
{
    Study study = small_study();
    set_field(study, "posterior.laplace_structure=full");
    set_field(study, "posterior.laplace_rank=50");
    set_field(study, "posterior.laplace_layers=last");
    set_field(study, "posterior.laplace_precision_from=confidence");
    set_field(study, "posterior.laplace_confidence=0.9");
    set_field(study, "posterior.laplace_precision=0.5");
    set_field(study, "posterior.laplace_form=square_root");
    set_field(study, "posterior.laplace_predictive=linearised");
    EXPECT_TRUE(study_from_text(to_text(study), "study") == study);
    set_field(study, "posterior.laplace_precision_from=confidence_below_map");
    EXPECT_EQ(study.posterior.laplace.confidence_below, 5);   // as Hobbhahn 2020
    set_field(study, "posterior.laplace_confidence_below=3");
    EXPECT_TRUE(study_from_text(to_text(study), "study") == study);
    EXPECT_EQ(study.posterior.laplace.confidence_below, 3);
    EXPECT_THAT(refusal([&] { set_field(study, "posterior.laplace_confidence_below=100"); }),
                HasSubstr("posterior.laplace_confidence_below"));
    EXPECT_EQ(study.posterior.laplace.curvature.structure, CurvatureStructure::full);
    EXPECT_EQ(study.posterior.laplace.predictive, LaplacePredictive::linearised);
    EXPECT_THAT(refusal([&] { set_field(study, "posterior.laplace_predictive=draws"); }),
                AllOf(HasSubstr("draws"), HasSubstr("linearised"), HasSubstr("weights")));
    EXPECT_THAT(refusal([&] { set_field(study, "posterior.laplace_precision=0"); }),
                HasSubstr("posterior.laplace_precision"));
    EXPECT_THAT(refusal([&] { set_field(study, "posterior.laplace_confidence=1"); }),
                HasSubstr("posterior.laplace_confidence"));
    EXPECT_THAT(refusal([&] { set_field(study, "posterior.laplace_structure=triangular"); }), HasSubstr("kronecker"));
}

TEST(LaplaceFields, OlderStudiesOpenWithDefaults)
{
    const Study study = study_from_text(R"({"credence": 1, "name": "old", "posterior": {"family": "mean_field"}})",
                                        "old.json");
    EXPECT_TRUE(study.posterior.laplace == LaplaceOptions{});
    const Study before = study_from_text(R"({"credence": 1, "name": "old", "posterior": {"family": "laplace"}})",
                                         "old.json");
    EXPECT_EQ(before.posterior.laplace.predictive,
              LaplacePredictive::weights);   // what such a file meant when it was written
}
