// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "prediction/linearised_logits.h"
#include "runs/other_data.h"
#include "views/chosen_logits.h"
#include "views/decision_map.h"
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {

Study moons_study(const std::string& family, std::vector<int> hidden = {8}, int n = 60)
{
    Study study;
    study.data.toy.n         = n;
    study.network.hidden     = std::move(hidden);
    study.posterior.family   = family;
    study.training.steps     = 60;
    study.prediction.samples = 20;
    return study;
}

/// Trained, and with its curvature fitted.
RunSnapshot fitted(const Study& study, CurvatureOptions options, double precision)
{
    auto run = snapshot_of(study);
    std::vector<float> map(run.snapshot->posterior->layout().size()), sd(map.size());
    run.snapshot->posterior->moments(map, sd);
    const auto curvature = fit_curvature(run.experiment->model, map, *run.experiment->data, options);
    run.snapshot         = std::make_shared<Snapshot>(
        Snapshot{std::make_shared<LaplaceGaussian<float>>(curvature, precision), run.snapshot->point});
    return run;
}

double number(const Table& table, const std::string& row, std::size_t column)
{
    for (const auto& cells : table.rows)
        if (std::get<std::string>(cells[0]) == row)
            return std::get<double>(cells[column]);
    ADD_FAILURE() << "no row " << row;
    return 0;
}

}   // namespace

TEST(LaplaceMapsView, IsEachStructureAtTheSameWeightsAndPrecision)
{
    const auto run   = fitted(moons_study("laplace"), {.structure = CurvatureStructure::kronecker}, 0.5);
    const auto chart = drawn("laplace_maps", run, coarse());
    ASSERT_EQ(chart.panels.size(), 8u);
    const auto& own = dynamic_cast<const LaplaceGaussian<float>&>(*run.snapshot->posterior);
    const auto& map = own.curvature()->data().map;
    const auto& z   = map_of(chart.panels[0]);
    std::vector<double> places;
    for (int iy = 0; iy < 6; ++iy)
        for (int ix = 0; ix < 6; ++ix) {
            places.push_back(z.x.first + (z.x.second - z.x.first) * ix / 5);
            places.push_back(z.y.first + (z.y.second - z.y.first) * iy / 5);
        }
    const auto inputs = run.experiment->data->inputs.standardised(places);
    std::size_t panel = 1;
    for (const auto structure :
         {CurvatureStructure::diagonal, CurvatureStructure::kronecker, CurvatureStructure::full}) {
        const auto curvature = fit_curvature(run.experiment->model, std::vector<float>(map.begin(), map.end()),
                                             *run.experiment->data, {.structure = structure});
        const auto logits    = linearised_logits(run.experiment->model, LaplaceGaussian<float>(curvature, 0.5), inputs,
                                                 36);
        const auto wanted    = entropies_by_draws(logits, 1000, run.experiment->study.seed);
        for (std::size_t i = 0; i < 36; ++i)
            EXPECT_NEAR(map_of(chart.panels[panel]).z[i], wanted[i], 1e-4)
                << chart.panels[panel].title << ", cell " << i;
        ++panel;
        if (structure == CurvatureStructure::kronecker) {
            const auto b = bridge_maps(logits, BridgeVariant::projected);
            for (std::size_t i = 0; i < 36; ++i)
                EXPECT_NEAR(map_of(chart.panels[4]).z[i], b.mean_entropy[i], 1e-4);
        }
    }
    EXPECT_THAT(chart.caption, HasSubstr("for the structure Kronecker"));
    EXPECT_THAT(chart.caption, HasSubstr("λ = 0.5"));
}

TEST(LaplaceMapsView, UnderAFirmPriorAllStructuresAreThePointEstimate)
{
    const auto chart = drawn(
        "laplace_maps", fitted(moons_study("laplace"), {.structure = CurvatureStructure::diagonal}, 1e7), coarse());
    for (std::size_t panel = 1; panel < 5; ++panel)
        for (std::size_t i = 0; i < 36; ++i)
            EXPECT_NEAR(map_of(chart.panels[panel]).z[i], map_of(chart.panels[0]).z[i], 2e-3)
                << chart.panels[panel].title;
}

TEST(LaplaceMapsView, AFullCurvatureAboveItsLimitHasATileWithAMessage)
{
    const auto chart = drawn(
        "laplace_maps", fitted(moons_study("laplace", {60, 60}, 3000), {.structure = CurvatureStructure::diagonal}, 1),
        coarse());
    ASSERT_EQ(chart.panels.size(), 8u);
    EXPECT_EQ(chart.panels[3].title, "Full:\ntoo large");
    EXPECT_THAT(chart.caption, testing::AllOf(HasSubstr("Full: The network has 3962 weights"), HasSubstr("2000")));
}

TEST(LaplaceMapsView, OfThePointEstimateOrOtherFamiliesStatesWhatIsMissing)
{
    EXPECT_THAT(refusal_of("laplace_maps", snapshot_of(moons_study("laplace")), coarse()),
                HasSubstr("no curvature yet"));
    const auto other = snapshot_of(moons_study("mean_field"));
    EXPECT_FALSE(view("laplace_maps").applies(*other.experiment));
    EXPECT_THAT(refusal_of("laplace_maps", other, coarse()), HasSubstr("Laplace approximation"));
}

TEST(LaplaceMapsView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    const auto run = fitted(moons_study("laplace"), {.structure = CurvatureStructure::kronecker}, 0.7);
    EXPECT_FALSE(view("laplace_maps").make(run, coarse(), source.get_token()));
    EXPECT_FALSE(view("bridge_scores").make(run, coarse(), source.get_token()));
}

TEST(BridgeScoresView, ComparesSamplingWithTheBridgeOnTestAndOodInputs)
{
    const auto run    = fitted(moons_study("laplace"), {.structure = CurvatureStructure::kronecker}, 0.5);
    const auto scores = bridge_scores_of(run, {}, {});
    ASSERT_TRUE(scores);
    ASSERT_EQ(scores->sets.size(), 2u);
    EXPECT_THAT(scores->sets[0], HasSubstr("test set"));
    EXPECT_EQ(scores->sets[1], "points beyond the data");
    std::vector<std::string> names;
    for (const auto& method : scores->methods)
        names.push_back(method.name);
    EXPECT_THAT(names,
                testing::ElementsAre("Mean weights alone (MAP)", "1,000 samples of the logits",
                                     "20 samples of the weights", "Probit approximation", "Laplace Bridge, plain",
                                     "Laplace Bridge, conditioned", "Laplace Bridge, projected",
                                     "Laplace Bridge, conditioned normalised", "Laplace Bridge, projected normalised"));
    EXPECT_LT(scores->methods[1].mmc[1],
              scores->methods[0].mmc[1]);   // draws are less confident about OOD points than the mean weights
    EXPECT_NEAR(scores->methods[1].mmc[0], scores->methods[3].mmc[0], 0.1);
    const auto chart = drawn("bridge_scores", run);
    EXPECT_THAT(chart.caption, testing::AllOf(HasSubstr("by linearisation"), HasSubstr("20 samples")));
    EXPECT_DOUBLE_EQ(number(*chart.table, "1,000 samples of the logits", 1), scores->methods[1].mmc[0]);
}

TEST(BridgeScoresView, OfDropoutUsesTheMomentsOfSamples)
{
    auto study                   = moons_study("bernoulli_dropout");
    study.posterior.dropout_rate = 0.3;
    const auto chart             = drawn("bridge_scores", snapshot_of(study));
    EXPECT_THAT(chart.message, "");
    EXPECT_THAT(chart.caption, HasSubstr("by moments of 20 samples of the weights"));
}

TEST(BridgeScoresView, OfAPointEstimateStatesThatNothingVaries)
{
    EXPECT_THAT(refusal_of("bridge_scores", snapshot_of(moons_study("point_estimate"))),
                HasSubstr("Train a family other than the point estimate"));
    EXPECT_THAT(refusal_of("bridge_scores", snapshot_of(moons_study("laplace"))),
                HasSubstr("until its curvature is fitted"));
}

TEST(BridgeScoresView, OfImagesShowsTheClassesOfOodImages)
{
    Study study                       = moons_study("layer_scale", {16});
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 200;
    study.data.images.test_images     = 60;
    const auto run                    = snapshot_of(study);
    ViewOptions options;
    options.rows      = 40;
    const auto scores = bridge_scores_of(run, options, {});
    ASSERT_TRUE(scores);
    EXPECT_THAT(scores->sets[0], HasSubstr("40 of 60"));
    ASSERT_EQ(scores->by_true.size(), 2u);
    EXPECT_EQ(scores->by_true[1].classes, other_data(run.experiment)->class_names);
    EXPECT_TRUE(further_data(*run.experiment).empty());   // its only relative is the other data already
}

TEST(FurtherData, OfStrokesAreTheOtherStrokeSet)
{
    Study study                       = moons_study("point_estimate", {8});
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 60;
    study.data.images.test_images     = 30;
    study.prediction.other_data       = "stroke-digits";
    const auto experiment             = prepare(study);
    EXPECT_THAT(further_data(*experiment), testing::ElementsAre("stroke-letters"));
    const auto letters = load_further_data(*experiment, "stroke-letters");
    EXPECT_EQ(letters.labels.size(), letters.n);
    EXPECT_EQ(letters.inputs.size(), letters.n * experiment->data->training.n_features);
}
