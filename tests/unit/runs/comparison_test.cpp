// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/comparison.h"

#include "foundation/error.h"
#include "runs/experiment.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

using namespace credence;

namespace {

const Study& of_method(const std::vector<Study>& all, const std::string& family)
{
    for (const auto& study : all)
        if (study.posterior.family == family)
            return study;
    throw Error("no study of " + family);
}

class EveryComparison : public testing::TestWithParam<std::string> {
protected:
    const MethodComparison& it() const { return comparison(GetParam()); }
    const std::vector<Study>& studies() const
    {
        static std::map<std::string, std::vector<Study>> made;
        auto& mine = made[GetParam()];
        if (mine.empty())
            mine = it().studies();
        return mine;
    }
};

std::vector<std::string> ids_of_comparisons()
{
    std::vector<std::string> ids;
    for (const auto& one : comparisons())
        ids.push_back(one.id);
    return ids;
}

}   // namespace

TEST_P(EveryComparison, StartsWithNutsChains)
{
    EXPECT_EQ(studies().front().posterior.family, "nuts");
    EXPECT_FALSE(it().title.empty());
    EXPECT_GT(it().help.size(), 60u);
}

TEST_P(EveryComparison, IsFoundOnlyByTheStudyOfItsReference)
{
    Study reference = studies().front();
    reference.name  = "as a figure carries it";
    EXPECT_EQ(comparison_with_reference(reference), &it());
    ++reference.seed;
    EXPECT_EQ(comparison_with_reference(reference), nullptr);
    EXPECT_EQ(comparison_with_reference(of_method(studies(), "mean_field")), nullptr);
}

TEST_P(EveryComparison, HasEveryMethodOnceUnderAUniqueName)
{
    std::set<std::string> families, names;
    for (const auto& study : studies()) {
        EXPECT_TRUE(families.insert(study.posterior.family).second) << study.posterior.family;
        EXPECT_TRUE(names.insert(study.name).second) << study.name;
    }
    for (const char* known :
         {"nuts", "hmc", "point_estimate", "bernoulli_dropout", "mean_field", "layer_scale", "tridiagonal", "laplace",
          "sgld", "psgld", "sghmc", "cyclical_sgld", "sgfuncrld", "deep_ensemble", "swag"})
        EXPECT_TRUE(families.contains(known)) << known;
}

TEST_P(EveryComparison, SharesDataNetworkPriorAndSeedAndCanBeRun)
{
    const Study& reference = studies().front();
    const auto first       = prepare(reference);
    for (const auto& study : studies()) {
        SCOPED_TRACE(study.name);
        EXPECT_TRUE(study.data == reference.data);
        EXPECT_TRUE(study.network == reference.network);
        EXPECT_TRUE(study.prior == reference.prior);
        EXPECT_TRUE(study.prediction == reference.prediction);
        EXPECT_EQ(study.seed, reference.seed);
        EXPECT_NO_THROW(check(study));
        const auto experiment = prepare(study);
        EXPECT_EQ(experiment->data->training.inputs, first->data->training.inputs);
        EXPECT_EQ(experiment->data->test.inputs, first->data->test.inputs);
        EXPECT_TRUE(study_from_text(to_text(study), "again") == study) << "a saved run of it is found again";
    }
}

TEST_P(EveryComparison, UsesTheSamePosteriorForEachMethod)
{
    const Study& reference = studies().front();
    const double sigma     = reference.prior.weight_sd.front();
    const auto rows        = static_cast<double>(prepare(reference)->data->training.n_rows);
    for (const auto& study : studies()) {
        SCOPED_TRACE(study.name);
        const Method& method = method_of(study);
        if (method.has_kl()) {
            EXPECT_EQ(study.training.kl_weighting, KlWeighting::uniform);
            EXPECT_EQ(study.training.kl_weight, 1);
        }
        if (!method.under_prior()) {
            EXPECT_NEAR(study.training.l2 * rows * sigma * sigma, 1, 1e-12);
        }
        if (method.training.fits_curvature) {
            EXPECT_EQ(study.posterior.laplace.precision_from, PrecisionFrom::hand);
            EXPECT_NEAR(study.posterior.laplace.precision * sigma * sigma, 1, 1e-12);
        }
    }
}

TEST_P(EveryComparison, GivesEveryChainMethodAsManyChainsAsTheReference)
{
    const auto chains_of = [](const Study& study) { return std::get<long>(field("posterior.chains").get(study)); };
    for (const char* family : {"hmc", "sgld", "psgld", "sghmc", "cyclical_sgld", "sgfuncrld"})
        EXPECT_EQ(chains_of(of_method(studies(), family)), chains_of(studies().front())) << family;
}

INSTANTIATE_TEST_SUITE_P(All, EveryComparison, testing::ValuesIn(ids_of_comparisons()),
                         [](const auto& info) { return info.param; });

TEST(Comparisons, MoveByTheGradientAsFarAsTheScaleOfTheLossAllows)
{
    const auto moons = comparison("two_moons_truth").studies(), curve = comparison("sine_gap_truth").studies();
    const Study& reference = curve.front();
    const double s   = std::get<double>(field("network.noise_sd").get(reference)) / prepare(reference)->data->target_sd;
    const auto ratio = [&](const std::string& family) {
        return of_method(curve, family).training.schedule.learning_rate
               / of_method(moons, family).training.schedule.learning_rate;
    };
    for (const char* family : {"sgld", "sghmc", "cyclical_sgld", "swag"})
        EXPECT_NEAR(ratio(family), s * s / 2, 1e-12) << family;
    for (const char* family : {"mean_field", "psgld", "sgfuncrld", "deep_ensemble"})
        EXPECT_EQ(ratio(family), 1) << family;
}

TEST(Comparisons, RejectAPriorThatWeightDecayCannotExpress)
{
    Study reference         = preset("two_moons_nuts");
    reference.prior.bias_sd = {2};
    EXPECT_THAT([&] { studies_of_methods(reference); },
                testing::ThrowsMessage<Error>(testing::StartsWith("The prior has several scales")));
}

TEST(Comparisons, LeaveOutAMethodThatRejects)
{
    Study reference          = preset("two_moons_nuts");
    reference.network.hidden = {300, 300};   // 91,000 weights
    const auto has_method    = [](const std::vector<Study>& all, const std::string& family) {
        return std::any_of(all.begin(), all.end(),
                              [&](const Study& study) { return study.posterior.family == family; });
    };
    set_field(reference, "posterior.draws=1000000");   // of the reference itself: rejected with its own message
    EXPECT_THROW(studies_of_methods(reference), Error);
    set_field(reference, "posterior.draws=10");
    EXPECT_FALSE(has_method(studies_of_methods(reference), "hmc"))
        << "4,000 draws of so many weights do not fit into a file";
    EXPECT_TRUE(has_method(studies_of_methods(reference), "mean_field"));
}

TEST(Comparisons, AnUnknownNameListsTheAvailableOnes)
{
    EXPECT_THAT([] { comparison("moons"); },
                testing::ThrowsMessage<Error>(
                    "There is no comparison \"moons\", expected one of two_moons_truth, sine_gap_truth."));
}

TEST(Comparisons, TheSameRunIsFoundRegardlessOfItsName)
{
    Study study       = preset("two_moons_nuts");
    const Study other = study;
    study.name        = "mine";
    study.note        = "of yesterday";
    EXPECT_TRUE(same_run(study, other));
    ++study.seed;
    EXPECT_FALSE(same_run(study, other));
}
