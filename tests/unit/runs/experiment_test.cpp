// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "runs/experiment.h"
#include "sources/image_sources.h"
#include "study/presets.h"
#include "unit/network/likelihood_properties.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <unistd.h>

namespace credence {
namespace {

Study study_with(std::initializer_list<const char*> assignments)
{
    Study study;
    for (const char* assignment : assignments)
        set_field(study, assignment);
    return study;
}

TEST(Experiment, AStoppedPreparationGivesNothing)
{
    std::stop_source stop;
    stop.request_stop();
    for (const char* source : {"data.source=toy", "data.source=strokes"}) {
        const Study study = study_with({source});
        EXPECT_EQ(prepare(study, stop.get_token()), nullptr) << source;
        EXPECT_NE(prepare(study), nullptr) << source;
    }
}

TEST(Experiment, SharesTheRowsOfAnotherWithTheSameDataAndSplit)
{
    const auto first  = prepare(study_with({"network.hidden=4"}));
    const Study other = study_with({"network.hidden=5", "posterior.family=point_estimate", "seed=2"});
    const auto shared = prepare_on_data_of(*first, other);
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->data, first->data);
    const auto own = prepare(other);
    EXPECT_EQ(shared->data->training_inputs, own->data->training_inputs);
    EXPECT_EQ(shared->model, own->model);
    EXPECT_EQ(prepare_on_data_of(*first, study_with({"split.seed=2"})), nullptr);
    EXPECT_EQ(prepare_on_data_of(*first, study_with({"data.noise=0.3"})), nullptr);
}

TEST(Experiment, SharedRowsWithoutCalibrationRowsAreRefusedForRecalibration)
{
    const auto first = prepare(study_with({"split.calibration_fraction=0.001"}));   // of 200 rows: none
    ASSERT_EQ(first->data->calibration.n_rows, 0u);
    const Study study = study_with({"split.calibration_fraction=0.001", "prediction.recalibration=temperature"});
    EXPECT_THROW(prepare(study), Error);
    EXPECT_THROW(prepare_on_data_of(*first, study), Error);
}

TEST(Experiment, EveryPresetCanBePrepared)
{
    std::shared_ptr<const Experiment> before;   // kept, since consecutive presets share their images
    for (const auto& p : presets()) {
        if (p.study.data.source == DataSource::images && !find_image_source(p.study.data.images.set))
            continue;   // to be fetched first
        const auto experiment = prepare(p.study);
        const auto layout     = layout_of(experiment->model.architecture);
        EXPECT_EQ(experiment->prior.blocks.size(), layout.blocks.size()) << p.id;
        EXPECT_EQ(experiment->start->layout(), layout) << p.id;
        EXPECT_GT(experiment->data->test.n_rows, 0u) << p.id;
        EXPECT_TRUE(experiment->study == p.study) << p.id;
        before = experiment;
    }
}

TEST(Experiment, ClassificationHasOneLogitAClass)
{
    const auto experiment = prepare(study_with({"data.kind=blobs", "data.classes=5"}));
    EXPECT_EQ(experiment->model.likelihood, Likelihood::categorical());
    EXPECT_EQ(experiment->model.architecture.outputs(), 5);
    EXPECT_TRUE(experiment->model.dropout_at_prediction);
}

TEST(Experiment, GivenNoiseIsMeasuredInTheUnitsOfTheNetwork)
{
    const auto plain = prepare(study_with({"data.kind=cubic", "data.noise=3", "network.noise_sd=3"}));
    EXPECT_EQ(plain->model.architecture.outputs(), 1);
    EXPECT_EQ(plain->model.likelihood, Likelihood::gaussian(3));
    const auto scaled = prepare(
        study_with({"data.kind=cubic", "data.noise=3", "network.noise_sd=3", "split.standardise_targets=true"}));
    EXPECT_NE(scaled->data->target_sd, 1);
    EXPECT_DOUBLE_EQ(scaled->model.likelihood->constant_scale().value() * scaled->data->target_sd, 3);
}

TEST(Experiment, StudentTNoiseHasAScaleInTheUnitsOfTheNetworkAndItsDegreesOfFreedom)
{
    const auto experiment = prepare(
        study_with({"data.kind=cubic", "split.standardise_targets=true", "network.noise=student_t",
                    "network.noise_scale=3", "network.noise_degrees=5"}));
    EXPECT_EQ(experiment->model.architecture.outputs(), 1);
    EXPECT_EQ(experiment->model.likelihood, student_t(3 / experiment->data->target_sd, 5));
}

TEST(Experiment, LearnedNoiseHasASecondOutput)
{
    const auto experiment = prepare(study_with({"data.kind=heteroscedastic", "network.noise=learned"}));
    EXPECT_EQ(experiment->model.likelihood, learned_noise());
    EXPECT_EQ(experiment->model.architecture.outputs(), 2);
}

TEST(Experiment, ALearnedNoiseLevelIsTheSameForEveryInput)
{
    const auto experiment = prepare(study_with({"data.kind=cubic", "network.noise=level", "network.hidden=5",
                                                "training.steps=300", "posterior.family=point_estimate"}));
    EXPECT_EQ(experiment->model.likelihood, learned_level());
    EXPECT_EQ(std::get<Dense>(experiment->model.architecture.layers.back()), (Dense{.units = 2, .constant = 1}));
    const auto trained = experiment->make_trainer()->run().last;
    const PosteriorPredictive predictive(experiment->model, trained->posterior, 1, 1);
    const auto outputs = predictive.sample_outputs(experiment->data->test_inputs,
                                                   static_cast<int>(experiment->data->test.n_rows));
    const float start  = PosteriorPredictive(experiment->model, experiment->start, 1, 1)
                            .sample_outputs(experiment->data->test_inputs, 1)
                            .at(0, 0, 1);
    for (int i = 0; i < outputs.n_inputs; ++i)
        EXPECT_EQ(outputs.at(0, i, 1), outputs.at(0, 0, 1));
    EXPECT_NE(outputs.at(0, 0, 1), start) << "learned";
}

TEST(Experiment, BalancedClassesHaveTheSameTotalWeight)
{
    const auto experiment = prepare(study_with({"data.n=101", "network.class_weights=balanced"}));
    const auto& labels    = experiment->data->training.labels;
    const auto weights    = experiment->model.likelihood->parameters();
    ASSERT_EQ(weights.size(), 2u);
    for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(weights[static_cast<std::size_t>(k)]
                        * static_cast<double>(std::count(labels.begin(), labels.end(), k)),
                    static_cast<double>(labels.size()) / 2, 1e-9);
    const Study listed = study_with({"network.class_weights=list", "network.class_weight_list=1,4"});
    EXPECT_EQ(prepare(listed)->model.likelihood, Likelihood::weighted_categorical({1, 4}));
    EXPECT_TRUE(study_from_text(to_text(listed), "test") == listed);
    EXPECT_THAT(to_text(Study()), testing::Not(testing::HasSubstr("class_weight")));
}

TEST(Experiment, MethodsThatNeedALikelihoodRefuseWeightedRows)
{
    const auto refusal = [](const Study& study) -> std::string {
        try {
            prepare(study);
        } catch (const Error& error) {
            return error.field() + " | " + error.what();
        }
        return {};
    };
    EXPECT_EQ(refusal(study_with({"posterior.family=nuts", "network.class_weights=balanced"})),
              "network.class_weights | network.class_weights is balanced, but NUTS samples from the posterior, which "
              "needs an unweighted likelihood; expected none.");
    EXPECT_EQ(refusal(study_with({"posterior.family=laplace", "data.kind=heteroscedastic", "network.noise=learned",
                                  "network.noise_beta=0.5"})),
              "network.noise_beta | network.noise_beta is 0.5, but Laplace approximation uses the curvature of the "
              "loss, which needs an unweighted likelihood; expected 0.");
    EXPECT_EQ(refusal(study_with({"posterior.family=laplace", "data.kind=cubic", "network.noise=level"})),
              "network.noise | network.noise is level, but Laplace approximation has no curvature for this likelihood; "
              "expected one of given, learned, student_t.");
    EXPECT_EQ(refusal(study_with({"network.class_weights=list", "network.class_weight_list=1,2,3"})),
              "network.class_weight_list | network.class_weight_list has 3 numbers, expected 2: one for each class.");
    for (const char* family : {"posterior.family=point_estimate", "posterior.family=swag"})
        EXPECT_EQ(refusal(study_with({family, "network.class_weights=balanced"})), "");
    EXPECT_EQ(prepare(study_with({"data.kind=heteroscedastic", "network.noise=learned", "network.noise_beta=0.5"}))
                  ->model.likelihood,
              learned_noise(0.5));
}

TEST(Experiment, DropoutStaysActiveAtPredictionUnlessTheFamilyIsAPointEstimate)
{
    EXPECT_FALSE(
        prepare(study_with({"posterior.family=point_estimate", "network.dropout=0.5"}))->model.dropout_at_prediction);
    const auto experiment = prepare(
        study_with({"posterior.family=bernoulli_dropout", "posterior.dropout_rate=0.25", "network.hidden=4,3"}));
    EXPECT_TRUE(experiment->model.dropout_at_prediction);
    int dropouts = 0;
    for (const auto& layer : experiment->model.architecture.layers)
        if (const auto* dropout = std::get_if<Dropout>(&layer)) {
            EXPECT_EQ(dropout->rate, 0.25);
            ++dropouts;
        }
    EXPECT_EQ(dropouts, 3);   // before each of three weight layers
}

TEST(Experiment, InputsAreDroppedBeforeTheFirstLayerAndAtPredictionLikeHiddenUnits)
{
    const auto experiment = prepare(
        study_with({"network.input_dropout=0.2", "network.dropout=0.5", "network.hidden=4", "training.steps=3"}));
    EXPECT_EQ(experiment->model.architecture.layers.front(), Layer(Dropout{0.2}));
    EXPECT_TRUE(experiment->model.dropout_at_prediction);
    EXPECT_FALSE(prepare(study_with({"posterior.family=point_estimate", "network.input_dropout=0.2"}))
                     ->model.dropout_at_prediction);
    EXPECT_EQ(experiment->make_trainer()->run().stop, StopReason::steps_done);
}

TEST(Experiment, OneTauPerBlockLearnsUnderAScaleMixtureToo)
{
    for (const char* family : {"posterior.family=layer_scale", "posterior.family=tridiagonal"}) {
        const auto experiment = prepare(
            study_with({family, "prior.kind=scale_mixture", "training.complexity=sampled", "training.kl_weight=0.01",
                        "training.steps=300", "training.learning_rate=0.01"}));
        const auto trainer = experiment->make_trainer();
        EXPECT_EQ(trainer->run().stop, StopReason::steps_done) << family;
        const auto& history = trainer->history();
        ASSERT_TRUE(history[2].data_loss && history.back().kl) << family;
        EXPECT_LT(*history.back().data_loss, 0.8 * *history[2].data_loss) << family;
        EXPECT_TRUE(std::isfinite(*history.back().kl)) << family;
        EXPECT_NE(history.back().layers[0].tau, history.front().layers[0].tau) << family;
    }
}

TEST(Experiment, PriorListsHoldOneNumberALayerAndRepeatTheLast)
{
    const auto experiment = prepare(
        study_with({"network.hidden=4,3", "prior.weight_sd=1,2", "prior.bias_sd=5", "prior.weight_mean=0,0.5,0.25"}));
    const auto gaussian = [&](std::size_t block) {
        return std::get<GaussianPrior>(experiment->prior.blocks.at(block));
    };
    EXPECT_EQ(gaussian(0), (GaussianPrior{0, 1}));
    EXPECT_EQ(gaussian(2), (GaussianPrior{0.5, 2}));
    EXPECT_EQ(gaussian(4), (GaussianPrior{0.25, 2}));
    for (const std::size_t biases : {1, 3, 5})
        EXPECT_EQ(gaussian(biases), (GaussianPrior{0, 5}));
}

TEST(Experiment, DrawnPointsBecomeData)
{
    Study study        = study_with({"data.source=drawn", "split.test_fraction=0"});
    study.data.points  = {{0, 1, 0}, {2, 3, 2}, {4, 5, 1}};
    const Dataset data = load_data(study.data);
    EXPECT_EQ(data.n_classes(), 3u);
    EXPECT_THAT(data.inputs, testing::ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(data.labels, testing::ElementsAre(0, 2, 1));
    EXPECT_EQ(prepare(study)->model.architecture.outputs(), 3);
    set_field(study, "data.drawn_task=regression");
    const Dataset curve = load_data(study.data);
    EXPECT_EQ(curve.n_features, 1u);
    EXPECT_THAT(curve.targets, testing::ElementsAre(1, 3, 5));
}

TEST(Experiment, TheSplitColumnDeterminesTheTestRowsAndIsNotAnInput)
{
    const auto file = std::filesystem::path(testing::TempDir())
                      / ("credence_split_" + std::to_string(::getpid()) + ".csv");
    std::ofstream(file) << "x,part,y\n1.5,train,1.5\n2.5,test,2.5\n3.5,train,3.5\n4.5,test,4.5\n";
    Study study           = study_with({"data.source=csv", "split.kind=column", "split.column=part"});
    study.data.file       = file.string();
    const auto experiment = prepare(study);
    EXPECT_THAT(experiment->data->test.targets, testing::ElementsAre(2.5, 4.5));
    EXPECT_THAT(experiment->data->training.feature_names, testing::ElementsAre("x"));
    set_field(study, "prediction.conformal=absolute");
    try {
        prepare(study);
        FAIL() << "no row is marked as validation";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "split.column");
        EXPECT_THAT(error.what(), testing::HasSubstr("No row is marked as validation in column part"));
    }
    std::filesystem::remove(file);
}

TEST(Experiment, AnErrorNamesItsField)
{
    const auto field_of = [](const Study& study) {
        try {
            prepare(study);
        } catch (const Error& e) {
            return e.field();
        }
        return std::string("(no error)");
    };
    EXPECT_EQ(field_of(study_with({"data.source=csv"})), "data.file");
    EXPECT_EQ(field_of(study_with({"network.hidden=10000,10000"})), "network.hidden");
}

// ---- same Study, same bits

std::vector<float> trained_weights(const Study& study, int threads)
{
    Threads pool(threads);
    std::vector<float> parameters;
    pool.run([&] {
        const auto trainer = prepare(study)->make_trainer();
        const auto report  = trainer->run();
        EXPECT_EQ(report.stop, StopReason::steps_done) << report.message;
        const auto final_parameters = trainer->posterior().parameters();
        parameters.assign(final_parameters.begin(), final_parameters.end());
    });
    return parameters;
}

class Determinism : public testing::TestWithParam<const char*> {};

TEST_P(Determinism, OneTwoAndSevenThreadsGiveTheSameBits)
{
    Study study = preset(GetParam());
    // Wide enough that products, sampling and updates are really cut into pieces.
    for (const char* assignment :
         {"training.steps=25", "network.hidden=300,300", "training.batch_size=64", "data.n=300"})
        set_field(study, assignment);
    const auto one = trained_weights(study, 1);
    ASSERT_GT(one.size(), 90'000u);
    EXPECT_TRUE(trained_weights(study, 2) == one);
    EXPECT_TRUE(trained_weights(study, 7) == one);
    EXPECT_TRUE(trained_weights(study, 2) == one) << "twice the same";
    study.seed += 1;
    EXPECT_FALSE(trained_weights(study, 2) == one) << "the seed has no effect";
}

INSTANTIATE_TEST_SUITE_P(EveryFamily, Determinism,
                         testing::Values("two_moons_point_estimate", "two_moons_bernoulli_dropout",
                                         "two_moons_mean_field", "two_moons_layer_scale", "two_moons_tridiagonal",
                                         "blundell_scale_mixture", "heteroscedastic"));

}   // namespace
}   // namespace credence
