// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/method.h"

#include "foundation/error.h"
#include "prediction/regression.h"
#include "runs/experiment.h"
#include "study/field_makers.h"
#include "study/usual_settings.h"

#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

using namespace credence;

namespace {

class EveryMethod : public testing::TestWithParam<std::string> {
protected:
    const Method& it() const { return method(GetParam()); }
    Study study() const { return with_family_defaults(small_study("mean_field"), GetParam()).study; }
};

std::vector<std::string> ids()
{
    std::vector<std::string> all;
    for (const Method& m : methods())
        all.push_back(m.id);
    return all;
}

}   // namespace

TEST_P(EveryMethod, EndsWithAPosteriorWhoseNoiseIsWhereItClaims)
{
    const auto experiment = prepare(study());
    const auto run        = train(*experiment);
    ASSERT_TRUE(run.report.last) << run.report.message;
    EXPECT_EQ(run.report.stop, StopReason::steps_done) << run.report.message;
    EXPECT_EQ(run.report.last->posterior->noise_in(), it().posterior.noise);
    EXPECT_EQ(run.report.last->posterior->layout(), experiment->start->layout());
    EXPECT_EQ(experiment->start->noise_in(), it().training.noise);
}

TEST_P(EveryMethod, HasASentenceItsCostAndItsPaper)
{
    EXPECT_TRUE(it().hint.ends_with('.'));
    EXPECT_FALSE(it().cost.empty());
    EXPECT_FALSE(it().source.empty());
    EXPECT_NE(std::string(title_of(it().group)), "");
}

TEST_P(EveryMethod, PredictsUnderStudentTNoise)
{
    Study regression = with_family_defaults(small_study("mean_field", ToyKind::cubic), GetParam()).study;
    for (const char* setting : {"network.noise=student_t", "network.noise_scale=3", "network.noise_degrees=4",
                                "split.standardise_targets=true"})
        set_field(regression, setting);
    const auto experiment = prepare(regression);
    const auto run        = train(*experiment);
    ASSERT_TRUE(run.report.last) << run.report.message;
    const PosteriorPredictive predictive(experiment->model, run.report.last->posterior, 5, 1);
    const auto& data   = *experiment->data;
    const auto outputs = predictive.sample_outputs(data.test_inputs, static_cast<int>(data.test.n_rows));
    const auto scores  = regression_scores(
         regression_samples(view_of(outputs), experiment->model.likelihood, data.target_mean, data.target_sd),
         data.test.targets);
    EXPECT_NEAR(scores.mean_noise_sd, 3 * std::sqrt(2.0), 1e-5);   // √(ν/(ν − 2))
    EXPECT_TRUE(std::isfinite(scores.nll));
}

TEST_P(EveryMethod, HasAKlIfItStatesThis)
{
    const auto experiment = prepare(study());
    EXPECT_EQ(experiment->start->kl(experiment->prior).has_value(), it().has_kl());
}

TEST_P(EveryMethod, HasSettingsThatAreFieldsOfTheStudyAndApply)
{
    for (const Field& own : it().fields) {
        EXPECT_EQ(own.group(), "posterior");
        EXPECT_GT(own.help.size(), 40u) << own.path;
        EXPECT_EQ(field(own.path).applies(study()), own.applies(study())) << own.path;
    }
}

TEST_P(EveryMethod, HasUsualSettingsInTheirRanges)
{
    Study images       = study();
    images.data.source = DataSource::strokes;
    for (Study of : {study(), images})
        for (const auto& [path, value] : it().usual(of))
            EXPECT_NO_THROW(field(path).set(of, parse_value(field(path), value))) << path;
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

TEST(Methods, HaveAUniqueIdATitleAndAHint)
{
    std::set<std::string> seen;
    for (const Method& m : methods()) {
        EXPECT_TRUE(seen.insert(m.id).second) << m.id;
        EXPECT_FALSE(m.title.empty()) << m.id;
        EXPECT_GT(m.hint.size(), 20u) << m.id;
    }
}

TEST(Methods, AreTheChoicesOfTheFieldInTheirOrder)
{
    const auto& choices = field("posterior.family").choices;
    ASSERT_EQ(choices.size(), methods().size());
    for (std::size_t i = 0; i < choices.size(); ++i) {
        EXPECT_EQ(choices[i].name, methods()[i].id);
        EXPECT_EQ(choices[i].title, methods()[i].title);
        EXPECT_EQ(choices[i].help, methods()[i].hint);
    }
}

TEST(Methods, ASettingOfAnotherMethodDoesNotApply)
{
    const Study study = small_study("mean_field");
    EXPECT_TRUE(field("posterior.initial_sd").applies(study));
    for (const char* path :
         {"posterior.initial_tau", "posterior.initial_rho", "posterior.dropout_rate", "posterior.laplace_structure"})
        EXPECT_FALSE(field(path).applies(study)) << path;
}

TEST(Methods, AnUnknownNameListsTheAvailableOnes)
{
    try {
        method("sgd");
        FAIL() << "found a method sgd";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "posterior.family");
        std::string names;
        for (const Method& each : methods())
            names += (names.empty() ? "" : ", ") + each.id;
        EXPECT_EQ(error.what(), "posterior.family is \"sgd\", expected one of " + names + ".");
        EXPECT_NE(names.find("mean_field"), std::string::npos);
    }
}

TEST(Methods, OwnSettingsAreStoredInTheStudyAndHaveDefaults)
{
    const Field step = field_makers::own({.path     = "posterior.step_size",
                                          .label    = "Step size",
                                          .help     = "Of each step.",
                                          .min      = 0,
                                          .max      = 1,
                                          .min_open = true},
                                         1e-5);
    Study study;
    EXPECT_EQ(std::get<double>(step.get(study)), 1e-5);
    step.set(study, FieldValue{0.25});
    EXPECT_EQ(std::get<double>(step.get(study)), 0.25);
    EXPECT_EQ(std::get<double>(step.get(Study{})), 1e-5);
    EXPECT_THROW(step.set(study, FieldValue{2.0}), Error);
}
