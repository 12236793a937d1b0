// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "prediction/scores.h"
#include "views/decision_map.h"
#include "views/scores.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

using namespace credence;
using testing::HasSubstr;

namespace {

const RunSnapshot& run_of_curve()
{
    static const auto run = snapshot_of(small_study("mean_field", ToyKind::blundell_curve));
    return run;
}

std::vector<std::string> applying(const Experiment& experiment)
{
    std::vector<std::string> ids;
    for (const auto& v : views())
        if (v.applies(experiment))
            ids.push_back(v.id);
    return ids;
}

}   // namespace

TEST(Views, HaveAUniqueIdATitleAndHelp)
{
    std::vector<std::string> ids;
    for (const auto& v : views()) {
        ids.push_back(v.id);
        EXPECT_FALSE(v.title.empty()) << v.id;
        EXPECT_GT(v.help.size(), 80u) << v.id;
    }
    EXPECT_EQ(ids.front(), "decision_map");
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Views, BelongToGroupsThatHaveATitleAndMoreThanOneView)
{
    std::map<ViewGroup, int> sizes;
    for (const auto& view : views())
        ++sizes[view.group];
    std::set<std::string> titles;
    for (const auto& [group, size] : sizes) {
        EXPECT_GT(size, 1) << title_of(group);
        EXPECT_FALSE(title_of(group).empty());
        EXPECT_TRUE(titles.insert(title_of(group)).second) << title_of(group);
    }
    EXPECT_EQ(view("chain_traces").group, ViewGroup::chains);
    EXPECT_EQ(view("attack_input").group, ViewGroup::attacks) << "although it needs an input";
}

TEST(Views, AnUnknownNameListsTheAvailableOnes)
{
    EXPECT_EQ(view("boxplots").title, "Boxplots");
    EXPECT_THAT([] { view("boxplot"); },
                testing::ThrowsMessage<Error>(testing::StartsWith(
                    "There is no view \"boxplot\", expected one of decision_map, regression_band, prior_predictive")));
}

TEST(Views, EveryOneThatAppliesMakesAChartThatNamesDataMethodSeedAndStep)
{
    for (const std::string family : {"point_estimate", "bernoulli_dropout", "mean_field", "layer_scale", "tridiagonal"})
        for (const auto kind : {ToyKind::two_moons, ToyKind::blundell_curve}) {
            const auto run = snapshot_of(small_study(family, kind));
            int made       = 0;
            for (const auto& v : views()) {
                if (!v.applies(*run.experiment))
                    continue;
                const auto chart = drawn(v.id, run, coarse());
                SCOPED_TRACE(v.id + " of family " + family);
                EXPECT_EQ(chart.id, v.id);
                EXPECT_TRUE(!chart.panels.empty() || chart.table || !chart.message.empty());
                if (!chart.message.empty())
                    continue;
                ++made;
                EXPECT_THAT(chart.caption, HasSubstr("Data: " + run.experiment->data->training.name));
                EXPECT_THAT(chart.caption, HasSubstr("Posterior: "));
                EXPECT_THAT(chart.caption, HasSubstr("Seed 1, step 20"));
                EXPECT_FALSE(data_table(chart).columns.empty());
                EXPECT_FALSE(to_latex(chart).empty());
            }
            EXPECT_GE(made, 5) << family << " has almost no views";
        }
}

TEST(Views, OfPlaneClassesExcludeBandLaplaceAndImageViews)
{
    const auto ids = applying(*moons().experiment);
    for (const char* id : {"decision_map", "boxplots", "simplex", "weights", "roc", "bridge_scores", "scores"})
        EXPECT_THAT(ids, testing::Contains(id));
    for (const char* id : {"regression_band", "laplace_evidence", "laplace_maps", "nearest_images", "disturbance_curve",
                           "kernels", "certain_but_wrong", "image_list"})
        EXPECT_THAT(ids, testing::Not(testing::Contains(id)));
}

TEST(Views, OfARegressionHaveTheBandAndNoClassViews)
{
    const auto ids = applying(*run_of_curve().experiment);
    EXPECT_THAT(ids, testing::Contains("regression_band"));
    for (const char* id : {"decision_map", "intervals", "nearest_images", "certainty", "confusion"})
        EXPECT_THAT(ids, testing::Not(testing::Contains(id)));
}

TEST(Views, ThatDoNotApplyGiveAMessage)
{
    EXPECT_EQ(refusal_of("decision_map", run_of_curve(), coarse()), "A decision map needs two inputs and classes.");
    EXPECT_EQ(refusal_of("regression_band", moons(), coarse()),
              "A regression band needs one input and a numeric target.");
    EXPECT_THAT(refusal_of("intervals", run_of_curve(), coarse()), HasSubstr("need classes"));
    EXPECT_EQ(refusal_of("nearest_images", moons(), coarse()), "Nearest images need image data.");
    for (const char* id : {"certainty", "confusion", "roc"})
        EXPECT_THAT(refusal_of(id, run_of_curve(), coarse()), HasSubstr("needs classes")) << id;
}

TEST(Views, ThatPredictStopOnRequest)
{
    std::stop_source source;
    source.request_stop();
    for (const char* id : {"decision_map", "boxplots", "intervals", "verdict", "certainty", "confusion", "roc",
                           "calibration", "out_of_distribution", "test_rows", "scores"})
        EXPECT_FALSE(view(id).make(moons(), coarse(), source.get_token())) << id;
    EXPECT_FALSE(view("regression_band").make(run_of_curve(), coarse(), source.get_token()));
}

TEST(InputViews, FollowTheTestRowOrTheGivenInput)
{
    auto options      = coarse();
    options.input.row = 3;
    const auto by_row = drawn("boxplots", moons(), options);
    EXPECT_THAT(by_row.caption, HasSubstr("test row 3"));
    const auto row = moons().experiment->data->test.row(3);
    options.input.values.assign(row.begin(), row.end());
    const auto by_input = drawn("boxplots", moons(), options);
    const auto boxes    = [](const Chart& chart) { return std::get<Boxes>(chart.panels.at(0).series.at(0)).boxes; };
    for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(boxes(by_row)[k].median, boxes(by_input)[k].median, 1e-6);
    EXPECT_THAT(by_input.panels[0].x.categories,
                testing::Not(testing::Contains(HasSubstr("true"))));   // its class is unknown
}

TEST(InputViews, RejectInputsThatDoNotFit)
{
    auto options         = coarse();
    options.input.values = {1};
    EXPECT_THAT([&] { drawn("boxplots", moons(), options); },
                testing::ThrowsMessage<Error>("The selected input has 1 numbers, expected 2."));
    options.input.values = {};
    options.input.row    = 5000;
    EXPECT_THAT([&] { drawn("intervals", moons(), options); },
                testing::ThrowsMessage<Error>("Row 5000 was requested, the test set has rows 0 to 11."));
}

TEST(InputViews, AnInputWithANameAndAKnownClassCarriesBoth)
{
    ViewOptions options;
    options.input.values = {0.5, 0.25};
    options.input.name   = "test row 3, moved";
    options.input.label  = 1;
    const auto chart     = drawn("boxplots", moons(), options);
    EXPECT_EQ(chart.panels[0].title, "test row 3, moved");
    EXPECT_THAT(chart.panels[0].x.categories[1], HasSubstr("true"));
    options.input.label = 7;   // no class of these data
    const auto unknown  = drawn("boxplots", moons(), options);
    EXPECT_THAT(unknown.panels[0].x.categories, testing::Each(testing::Not(HasSubstr("true"))));
}

TEST(Views, UseTheTrainingSetWhereThereIsNoTestSetAndStateThis)
{
    auto study                = small_study("mean_field");
    study.split.test_fraction = 0;
    const auto run            = snapshot_of(study);
    EXPECT_THAT(drawn("confusion", run, coarse()).caption, HasSubstr("training set (there is no test set)"));
    EXPECT_THAT(drawn("boxplots", run, coarse()).caption, HasSubstr("training row 0"));
    EXPECT_EQ(scores(run).rows.at(0).at(1), Cell(60L));
}

TEST(Scores, AreThoseOfThePredictionsOnTheTestSet)
{
    const auto& experiment = *moons().experiment;
    const PosteriorPredictive predictive(experiment.model, moons().snapshot->posterior, 30, experiment.study.seed);
    const auto samples  = predictive.sample_outputs(experiment.data->test_inputs,
                                                    static_cast<int>(experiment.data->test.n_rows));
    const auto expected = classification_scores(class_predictions(view_of(samples)), experiment.data->test.labels);
    const auto table    = scores(moons());
    const auto value    = [&](const std::string& name) {
        for (const auto& row : table.rows)
            if (std::get<std::string>(row[0]) == name)
                return std::get<double>(row[1]);
        return std::nan("");
    };
    EXPECT_NEAR(value("Error"), expected.error, 1e-12);
    EXPECT_NEAR(value("NLL"), expected.nll, 1e-6);
    EXPECT_NEAR(value("Brier score, summed over classes"), expected.brier, 1e-6);
    EXPECT_NEAR(value("Expected calibration error, 15 bins"), expected.ece, 1e-6);
    EXPECT_NEAR(value("Mean epistemic part"), expected.mean_mutual_information, 1e-6);
}

TEST(Scores, ShowTheBaselines)
{
    const auto names_of = [](const RunSnapshot& run) {
        std::vector<std::string> names;
        for (const auto& row : scores(run).rows)
            if (const auto& name = std::get<std::string>(row[0]); name.starts_with("Baseline"))
                names.push_back(name);
        return names;
    };
    EXPECT_THAT(names_of(moons()), testing::ElementsAre("Baseline: accuracy of the majority class",
                                                        "Baseline: NLL of the class frequencies"));
    EXPECT_THAT(names_of(run_of_curve()),
                testing::ElementsAre("Baseline: RMSE of the mean", "Baseline: NLL of the mean",
                                     "Baseline: RMSE of least squares", "Baseline: NLL of least squares"));
}

TEST(Scores, OfARegressionAreInTheUnitsOfTheTarget)
{
    const auto table = scores(run_of_curve());
    std::set<std::string> names;
    for (const auto& row : table.rows)
        names.insert(std::get<std::string>(row[0]));
    for (const char* name : {"RMSE", "NLL", "Coverage of the 95 % predictive interval", "Mean standard deviation of f"})
        EXPECT_THAT(names, testing::Contains(name));
    EXPECT_EQ(table.rows.at(1).at(2), Cell("units of y"));
}

TEST(Compare, MapsAreSideBySideOnOneScaleAndOneRegion)
{
    auto other = small_study("point_estimate");
    other.name = "point";
    const std::vector<RunSnapshot> runs{moons(), snapshot_of(other)};
    auto options         = coarse();
    options.map.quantity = MapQuantity::epistemic;
    const auto chart     = compare_decision_maps(runs, options).value();
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].title, "small");
    EXPECT_EQ(chart.panels[1].title, "point");
    EXPECT_EQ(map_of(chart.panels[0]).z_range, map_of(chart.panels[1]).z_range);
    EXPECT_EQ(chart.panels[0].x.range, chart.panels[1].x.range);
    EXPECT_THAT(map_of(chart.panels[1]).z,
                testing::Each(testing::Lt(1e-6f)));   // a point estimate has no epistemic part, but float probabilities
}

TEST(Compare, RunsWithoutAMapAndNoRunsGiveAMessage)
{
    const std::vector<RunSnapshot> runs{moons(), run_of_curve()};
    EXPECT_EQ(compare_decision_maps(runs, coarse())->message,
              "Run \"small\" has no decision map: it needs two inputs and classes.");
    EXPECT_EQ(compare_decision_maps({}, coarse())->message, "No run is selected. Tick two runs to compare.");
    for (const char* id : {"training_curves", "overlay_training_curves"}) {
        EXPECT_THAT(view(id).compare(runs, {}, {})->message, HasSubstr("Choose runs of one kind"));
        EXPECT_EQ(view(id).compare({}, {}, {})->message, "No run is selected. Tick the runs to overlay.");
    }
}

TEST(Compare, RunsWithTheSameNameAreDistinguishedByTheirFamily)
{
    const std::vector<RunSnapshot> runs{moons(), snapshot_of(small_study("point_estimate"))};
    const auto maps = compare_decision_maps(runs, coarse()).value();
    ASSERT_EQ(maps.panels.size(), 2u);
    EXPECT_EQ(maps.panels[0].title, "Mean field");
    EXPECT_EQ(maps.panels[1].title, "Point estimate");
    for (const auto& panel : maps.panels)
        for (const auto& series : panel.series) {
            const auto* points = std::get_if<Points>(&series);
            EXPECT_TRUE(!points || points->size < Points().size) << "two maps are smaller than one";
        }
    EXPECT_THAT(maps.caption, ::testing::AllOf(HasSubstr(" All: Data: "), HasSubstr(" Point estimate: Posterior: ")));
}

TEST(Compare, RunsOnOtherDataAreShownWhereMoreThanOutputsIsCompared)
{
    std::vector<std::string> ids;
    for (const View& view : views()) {
        if (view.compares_any_data)
            ids.push_back(view.id);
        EXPECT_TRUE(view.compare || !view.compares_any_data) << view.id;
    }
    EXPECT_THAT(ids, testing::ElementsAre("weights", "compare_distances", "compare_truth", "truth_boxplots"));
}

TEST(Overlay, GivesRunsOfOneNameNumbers)
{
    const std::vector<RunSnapshot> runs{moons(), moons()};
    const auto chart = view("training_curves").compare(runs, {}, {}).value();
    std::set<std::string> names;
    for (const auto& series : chart.panels.at(0).series)
        names.insert(std::get<Line>(series).name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("small", "small (2)"));
}
