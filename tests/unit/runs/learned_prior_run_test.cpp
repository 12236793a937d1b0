// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "posterior/prior.h"
#include "runs/archive.h"
#include "runs/experiment.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/study_words.h"

#include "short_run.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace credence {
namespace {

Study learning(const std::string& family, std::initializer_list<const char*> settings = {})
{
    Study study = small_study(family);
    set_field(study, "prior.learned=true");
    for (const char* setting : settings)
        set_field(study, setting);
    return study;
}

TEST(LearnedPriorOfARun, IsAvailableIfAnOptimiserTrainsAKl)
{
    for (const Method& m : methods()) {
        const Study study   = learning(m.id);
        const bool offered  = field("prior.learned").applies(study);
        const bool expected = m.has_kl() && !m.training.own_steps;
        EXPECT_EQ(offered, expected) << m.id;
        EXPECT_EQ(learns_prior(study), offered) << m.id;
    }
    EXPECT_TRUE(prepare(learning("point_estimate"))->start->prior_parameters().empty());
    EXPECT_EQ(prepare(learning("mean_field"))->start->prior_parameters().size(), 4u) << "one for each block";
    EXPECT_EQ(prior_words(small_study("mean_field")), ", prior N(0, 1²)");
    EXPECT_EQ(prior_words(learning("mean_field")), ", prior N(0, 1²) at first, then learned");
    EXPECT_EQ(unusual_settings(learning("mean_field")).find("Learn the prior"), std::string::npos) << "said already";
}

TEST(LearnedPriorOfARun, IsStoredInItsFileAndIsTheFinalPrior)
{
    for (const auto& study : {learning("layer_scale", {"training.learning_rate=0.01"}),
                              learning("mean_field", {"training.learning_rate=0.01", "prior.kind=scale_mixture",
                                                      "training.complexity=sampled", "prior.sigma_narrow=0.01"})}) {
        const auto experiment = prepare(study);
        const auto run        = train(*experiment);
        ASSERT_TRUE(run.report.last);
        const RunSnapshot end(experiment, run.report.last, std::make_shared<TrainingHistory>(run.history));
        EXPECT_FALSE(prior_at(end) == experiment->prior);
        EXPECT_EQ(learned_values(prior_at(end)), run.report.last->point.prior);
        const auto file = std::filesystem::path(testing::TempDir())
                          / ("learned_prior_" + std::to_string(::getpid()) + ".credence");
        save_run({"learned", "", study, run.report, run.history, {run.report.last}}, file);
        const SavedRun again = load_run(file);
        std::filesystem::remove(file);
        EXPECT_TRUE(again.study == study);
        ASSERT_EQ(again.history.size(), run.history.size());
        EXPECT_EQ(again.history.back().prior, run.history.back().prior);
        const RunSnapshot kept(experiment, again.snapshots.back(), std::make_shared<TrainingHistory>(again.history));
        EXPECT_TRUE(prior_at(kept) == prior_at(end));
    }
}

TEST(LearnedPriorOfARun, OfARunWithoutOneIsThatOfTheExperiment)
{
    const RunSnapshot end = snapshot_of(small_study("mean_field"));
    EXPECT_TRUE(prior_at(end) == end.experiment->prior);
    EXPECT_TRUE(end.history->back().prior.empty());
    EXPECT_TRUE(prior_at({end.experiment, nullptr, nullptr}) == end.experiment->prior);
}

}   // namespace
}   // namespace credence
