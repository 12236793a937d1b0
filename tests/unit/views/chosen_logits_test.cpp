// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"

#include "foundation/error.h"
#include "prediction/logit_samples.h"
#include "views/view_support.h"

#include "unit/refusal.h"
#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

std::string refusal_of_logits(const RunSnapshot& run, LogitsBy by)
{
    return sentence_of_error([&] { chosen_logits(run, {}, by); });
}

}   // namespace

TEST(ChosenLogits, ByMomentsMatchTheSamplesOfTheOtherViews)
{
    const auto run = snapshot_of(small_study("mean_field", ToyKind::four_gaussians));
    ViewOptions options;
    options.input.row   = 3;
    const auto gaussian = chosen_logits(run, options, LogitsBy::samples);
    ASSERT_TRUE(gaussian);
    ASSERT_EQ(gaussian->n_classes(), 4);
    const auto inputs = std::span<const float>(run.experiment->data->test_inputs).subspan(6, 2);
    const auto draws  = sample_logits(run.experiment->model, *run.snapshot->posterior, inputs, 1, 30,
                                      run.experiment->study.seed);
    const auto again  = logits_by_moments(draws).front();
    EXPECT_EQ(gaussian->mu(), again.mu());
    EXPECT_EQ(gaussian->covariance(), again.covariance());
}

TEST(ChosenLogits, ByLinearisationAreCloseToTheSamplesForASmallSpread)
{
    auto study                 = small_study("mean_field", ToyKind::four_gaussians);
    study.posterior.initial_sd = 1e-3;
    study.prediction.samples   = 2000;
    const auto run             = snapshot_of(study);
    ASSERT_TRUE(gives_linearised_logits(run));
    const auto linear = chosen_logits(run, {}, LogitsBy::linearisation);
    const auto draws  = chosen_logits(run, {}, LogitsBy::samples);
    ASSERT_TRUE(linear);
    for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(linear->mu()[static_cast<std::size_t>(k)], draws->mu()[static_cast<std::size_t>(k)],
                    4 * std::sqrt(linear->covariance(k, k) / 2000));
        EXPECT_NEAR(draws->covariance(k, k) / linear->covariance(k, k), 1, 0.15);
    }
}

TEST(ChosenLogits, FollowTheChosenInput)
{
    const auto run = snapshot_of(small_study("mean_field"));
    ViewOptions near, far;
    near.input.values = {0.5, 0.2};
    far.input.values  = {30, -40};
    EXPECT_LT(chosen_logits(run, near, LogitsBy::samples)->variance()[0],
              chosen_logits(run, far, LogitsBy::samples)->variance()[0]);
}

TEST(ChosenLogits, AreAvailableForPosteriorsWhoseSamplesDiffer)
{
    EXPECT_TRUE(gives_logits(snapshot_of(small_study("mean_field"))));
    EXPECT_TRUE(gives_logits(snapshot_of(small_study("bernoulli_dropout"))));
    EXPECT_FALSE(gives_logits(snapshot_of(small_study("point_estimate"))));
    EXPECT_FALSE(gives_logits(snapshot_of(small_study("mean_field", ToyKind::blundell_curve))));
    EXPECT_TRUE(chosen_logits(snapshot_of(small_study("bernoulli_dropout")), {}, LogitsBy::samples));
    EXPECT_TRUE(gives_linearised_logits(snapshot_of(small_study("mean_field"))));
    EXPECT_FALSE(gives_linearised_logits(snapshot_of(small_study("bernoulli_dropout"))));
}

TEST(ChosenLogits, AreRejectedWithOneSentence)
{
    EXPECT_THAT(refusal_of_logits(snapshot_of(small_study("point_estimate")), LogitsBy::samples),
                HasSubstr("all samples of this posterior agree"));
    EXPECT_THAT(refusal_of_logits(snapshot_of(small_study("mean_field", ToyKind::blundell_curve)), LogitsBy::samples),
                HasSubstr("needs classes"));
    EXPECT_THAT(
        refusal_of_logits(snapshot_of(small_study("bernoulli_dropout")), LogitsBy::linearisation),
        HasSubstr("This run has no Gaussian over logits by linearisation. The weights of this run have no covariance"));
}

TEST(ChosenLogits, StopGivesNothing)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(chosen_logits(snapshot_of(small_study("mean_field")), {}, LogitsBy::samples, stop.get_token()));
}
