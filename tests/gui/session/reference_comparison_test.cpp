// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/reference_comparison.h"

#include "session/document/study_document.h"
#include "session/run_opener.h"
#include "session/saved_runs.h"
#include "session/settings.h"

#include "foundation/error.h"
#include "runs/experiment.h"
#include "study/presets.h"
#include "study/usual_settings.h"

#include "gui/wait_until.h"

#include <QDir>
#include <QTest>
#include <gmock/gmock.h>

using namespace credence;
using namespace testing;

namespace {

Study shortStudy(const std::string& family, long steps = 30)
{
    Study study          = with_family_defaults(default_study(), family).study;
    study.name           = family;
    study.training.steps = steps;
    return study;
}

MethodComparison listed(std::vector<Study> studies)
{
    return {.id = "listed", .title = "Listed", .help = "", .studies = [all = std::move(studies)] { return all; }};
}

/// A comparison without a window. Point estimates break.
class ReferenceComparisonOf : public Test {
protected:
    ReferenceComparisonOf()
        : session(nullptr, [](const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                              const TrainingEvents& events) {
              auto report = train(experiment, std::move(stop), control, events).report;
              if (experiment.study.posterior.family == "point_estimate")
                  throw Error("There is no room.");
              return report;
          })
    {
        QDir(runsFolder()).removeRecursively();
        QObject::connect(&reference, &ReferenceComparison::warned, &reference,
                         [this](const QString& sentence) { warnings.push_back(sentence.toStdString()); });
        QObject::connect(&reference, &ReferenceComparison::finished, &reference,
                         [this](bool was) { shown.push_back(was); });
        EXPECT_TRUE(reach([&] { return session.state() == Session::State::ready; }));
    }
    static bool reach(const std::function<bool()>& condition) { return waitUntil(condition, 30000); }
    bool end()
    {
        return reach([&] { return !reference.active(); });
    }
    std::vector<std::string> ticked() const
    {
        std::vector<std::string> names;
        for (const auto& entry : runs.checked())
            names.push_back(entry->run.name);
        return names;
    }

    Session session;
    SavedRuns runs;
    StudyDocument document{session};
    RunOpener opener{session, document, runs};
    ReferenceComparison reference{session, runs, opener};
    std::vector<std::string> warnings;
    std::vector<bool> shown;
};

}   // namespace

TEST_F(ReferenceComparisonOf, MethodsContinuesWithoutAFailedMethod)
{
    reference.begin(listed({shortStudy("mean_field"), shortStudy("point_estimate"), shortStudy("layer_scale")}));
    ASSERT_TRUE(end());
    EXPECT_THAT(ticked(), UnorderedElementsAre("mean_field", "layer_scale"));
    EXPECT_THAT(warnings, ElementsAre("These runs did not finish and are omitted: point_estimate."));
    EXPECT_THAT(shown, ElementsAre(true));
    EXPECT_TRUE(reach([&] { return session.run().experiment->study.name == "mean_field"; }))
        << "the first is displayed";
    EXPECT_TRUE(session.study() == default_study());
}

TEST_F(ReferenceComparisonOf, MethodsEndsWithTheRunThatIsCancelledAndTicksThoseBeforeIt)
{
    reference.begin(
        listed({shortStudy("mean_field"), shortStudy("layer_scale", 1'000'000'000), shortStudy("tridiagonal")}));
    ASSERT_TRUE(reach([&] { return reference.progress().number == 2 && session.active(); }));
    session.stop();
    ASSERT_TRUE(end());
    EXPECT_FALSE(session.active());
    EXPECT_THAT(ticked(), ElementsAre("mean_field"));
    EXPECT_THAT(shown, ElementsAre(true));
}

TEST_F(ReferenceComparisonOf, MethodsYieldsToAManuallyStartedRun)
{
    reference.begin(listed({shortStudy("mean_field", 1'000'000'000), shortStudy("layer_scale")}));
    ASSERT_TRUE(reach([&] { return session.active(); }));
    session.restart();   // of the Study under edit
    ASSERT_TRUE(end());
    EXPECT_THAT(ticked(), IsEmpty());
    EXPECT_THAT(shown, ElementsAre(false));
    EXPECT_TRUE(session.run().experiment->study == default_study());
    session.stop();
}

TEST_F(ReferenceComparisonOf, MethodsReusesSavedRunsUnderAnyNameAndUnticksOthers)
{
    reference.begin(listed({shortStudy("mean_field"), shortStudy("layer_scale")}));
    ASSERT_TRUE(end());
    ASSERT_EQ(runs.rowCount(), 2);
    runs.setData(runs.index(1, SavedRuns::name), QStringLiteral("mine"), Qt::EditRole);
    reference.begin(listed({shortStudy("mean_field"), shortStudy("tridiagonal")}));
    ASSERT_TRUE(end());
    EXPECT_EQ(runs.rowCount(), 3);
    EXPECT_THAT(ticked(), UnorderedElementsAre("mine", "tridiagonal"));
}

TEST_F(ReferenceComparisonOf, MethodsThatCannotBeMadeStatesWhy)
{
    reference.begin({.id = "none", .title = "None", .help = "", .studies = []() -> std::vector<Study> {
                         throw Error("The prior has two scales.");
                     }});
    ASSERT_TRUE(end());
    EXPECT_THAT(warnings, ElementsAre("The prior has two scales."));
    EXPECT_THAT(shown, ElementsAre(false));
}
