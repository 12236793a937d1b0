// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"
#include "runs/image_data.h"
#include "study/usual_settings.h"
#include "unit/refusal.h"
#include "unit/study/image_studies.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace credence {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Few digits, small net.
Study small(std::initializer_list<const char*> assignments = {})
{
    return with(with(Study{}, {"data.source=strokes", "data.training_images=200", "data.test_images=50",
                               "network.kind=lenet_caffe", "network.units=20", "posterior.family=layer_scale",
                               "training.batch_size=32", "training.steps=10"}),
                assignments);
}

std::string refused(const Study& study)
{
    return refusal([&] { prepare(study); });
}

template <class Kind>
int count(const Architecture& architecture)
{
    int n = 0;
    for (const Layer& layer : architecture.layers)
        n += std::holds_alternative<Kind>(layer);
    return n;
}

TEST(ImageStudy, GoesThroughItsFileUnchanged)
{
    const Study study = with(Study{}, {"data.source=images",       "data.set=fashion-mnist",
                                       "data.exchanged=true",      "data.only_classes=3,1,4",
                                       "data.per_class=7",         "data.first_images=20",
                                       "data.validation_images=5", "data.pixels=divide_126",
                                       "data.grey=true",           "data.local_normalisation=7",
                                       "data.alphabet=letters",    "data.training_images=300",
                                       "data.test_images=40",      "data.variation=0.5",
                                       "data.difficulty=0.3",      "network.kind=layers",
                                       "network.units=33",         "network.layers=conv 4 3, max 2, dense 9, tanh",
                                       "training.bias_rate=2",     "prediction.other_data=notmnist"});
    const Study again = study_from_text(to_text(study), "s.json");
    EXPECT_THAT(differences(study, again), IsEmpty());
    EXPECT_TRUE(again == study);
    EXPECT_EQ(again.data, study.data);
    EXPECT_EQ(again.network, study.network);
    EXPECT_EQ(to_json(study)["data"]["only_classes"], nlohmann::json({3, 1, 4}));
}

TEST(ImageStudy, StrokesBecomeScaledInputsWithoutASecondCopy)
{
    const auto experiment = prepare(small());
    const SplitData& data = *experiment->data;
    EXPECT_EQ(data.training.n_rows, 200u);
    EXPECT_EQ(data.test.n_rows, 50u);
    EXPECT_EQ(data.training.n_classes(), 10u);
    EXPECT_TRUE(data.training.inputs.empty());
    ASSERT_EQ(data.training_inputs.size(), 200u * 784);
    EXPECT_EQ(data.image, (ImageShape{1, 28, 28}));
    const ImageData images = study_images(experiment->study.data, 1);
    EXPECT_EQ(data.test_inputs[300], static_cast<float>(images.test.pixels[300]) / 256);
    EXPECT_EQ(experiment->model.architecture.image, data.image);
    EXPECT_EQ(experiment->model.architecture.outputs(), 10);
    EXPECT_EQ(experiment->start->layout().blocks.size(), 8u);
}

TEST(ImageStudy, EqualDataAreSharedAndOtherDataAreNot)
{
    const auto first = prepare(small());
    EXPECT_EQ(prepare(small({"posterior.family=tridiagonal", "network.units=30", "training.steps=3", "seed=5",
                             "split.seed=8"}))
                  ->data,
              first->data);
    const auto other = prepare(small({"data.seed=2"}));
    EXPECT_NE(other->data, first->data);
    EXPECT_EQ(prepare(small())->data, first->data) << "also after others";
    EXPECT_NE(prepare(small({"data.pixels=divide_255"}))->data, first->data);
    EXPECT_NE(prepare(small({"data.only_classes=0,1"}))->data, first->data);
}

TEST(ImageStudy, DataAreReleasedWithTheLastExperimentThatUsesThem)
{
    auto experiment                           = prepare(small());
    const std::weak_ptr<const SplitData> data = experiment->data;
    experiment.reset();
    EXPECT_TRUE(data.expired());
}

TEST(ImageStudy, OnlyTheSelectedClassesAreUsed)
{
    const auto experiment = prepare(small({"data.only_classes=7,2,5"}));
    EXPECT_EQ(experiment->data->training.n_rows, 60u);
    EXPECT_EQ(experiment->data->test.n_rows, 15u);
    EXPECT_THAT(experiment->data->training.class_names, ElementsAre("7", "2", "5"));
    EXPECT_EQ(experiment->model.architecture.outputs(), 3);
}

TEST(ImageStudy, ValidationImagesComeFromTheTrainingPart)
{
    const auto experiment = prepare(small({"data.validation_images=40"}));
    EXPECT_EQ(experiment->data->training.n_rows, 160u);
    EXPECT_EQ(experiment->data->test.n_rows, 40u);
    EXPECT_EQ(experiment->data->test_name, "validation set");
    EXPECT_EQ(experiment->data->final_test.n_rows, 50u);
    EXPECT_EQ(experiment->data->final_test_inputs, prepare(small())->data->test_inputs) << "the test set itself";
    EXPECT_EQ(prepare(small())->data->final_test.n_rows, 0u);
    EXPECT_NE(prepare(small({"data.validation_images=40", "split.seed=2"}))->data->test_inputs,
              experiment->data->test_inputs);
}

TEST(ImageStudy, ADataSetCanBeUsedInPart)
{
    const auto base = with(small(), {"data.source=images", "data.set=stroke-digits"});
    EXPECT_EQ(prepare(base)->data->training.n_rows, 10000u);
    const auto few = prepare(with(base, {"data.per_class=30", "data.first_images=100"}));
    EXPECT_EQ(few->data->training.n_rows, 100u);
    EXPECT_EQ(few->data->test.n_rows, 2000u);
    const auto exchanged = prepare(with(base, {"data.exchanged=true"}));
    EXPECT_EQ(exchanged->data->training.n_rows, 2000u);
    EXPECT_EQ(exchanged->data->test.n_rows, 10000u);
    EXPECT_EQ(exchanged->data->training.name, "Stroke digits, exchanged");
}

TEST(ImageStudy, NetworksAreFoundByTheirNames)
{
    EXPECT_EQ(count<Conv2d>(prepare(small({"network.kind=lenet5"}))->model.architecture), 3);
    EXPECT_EQ(count<Dense>(prepare(small({"network.kind=bridge_cnn"}))->model.architecture), 2);
    EXPECT_EQ(count<ResponseNorm>(prepare(small({"network.kind=cifar10_full"}))->model.architecture), 2);
    EXPECT_EQ(count<Add>(prepare(small({"network.kind=resnet", "network.blocks=2"}))->model.architecture), 6);
    const auto written = prepare(
                             small({"network.kind=layers", "network.layers=conv 4 5, relu, max 3 2, dense 12, tanh"}))
                             ->model.architecture;
    EXPECT_EQ(written.layers.size(), 6u);
    EXPECT_EQ(written.outputs(), 10);
    const auto dense = prepare(small({"network.kind=mlp", "network.hidden=30"}))->model.architecture;
    EXPECT_EQ(dense.image, (ImageShape{1, 28, 28}));
    EXPECT_EQ(layout_of(dense).size(), 785u * 30 + 31 * 10);
    EXPECT_EQ(layout_of(prepare(small({"network.units=100"}))->model.architecture).size(), 106'680u);
}

/// Two residual blocks with stride 2, the second one with a projection.
Study residual(std::initializer_list<const char*> assignments)
{
    return with(small({"network.kind=layers",
                       "network.layers=average 2, conv 8 3 pad 1, save, frn, relu, conv 8 3 stride 2 pad 1, frn, "
                       "relu, conv 8 3 pad 1, add, save, frn, relu, conv 16 3 stride 2 pad 1, swap, conv 16 1, add, "
                       "frn, relu",
                       "data.pixels=divide_255", "training.optimizer=adam", "training.learning_rate=0.01",
                       "training.schedule=constant", "training.l2=0", "posterior.family=point_estimate"}),
                assignments);
}

TEST(ImageStudy, AResidualNetworkLearnsDrawnDigits)
{
    const auto experiment = prepare(residual({"training.steps=60"}));
    const auto report     = train(*experiment).report;
    ASSERT_EQ(report.stop, StopReason::steps_done) << report.message;
    EXPECT_LT(report.last->point.training_error.value_or(1), 0.1);
}

TEST(ImageStudy, EveryKindOfMethodTrainsAResidualNetwork)
{
    const auto expect_predictions = [](const Study& study) {
        const auto experiment = prepare(study);
        const auto report     = train(*experiment).report;
        ASSERT_EQ(report.stop, StopReason::steps_done) << report.message;
        const PosteriorPredictive predictive(experiment->model, report.last->posterior, 4, 1);
        const auto samples = predictive.sample_outputs(std::span(experiment->data->test_inputs).first(3 * 784), 3);
        EXPECT_EQ(samples.values.size(), static_cast<std::size_t>(samples.n_samples) * 3 * 10);
        EXPECT_TRUE(
            std::all_of(samples.values.begin(), samples.values.end(), [](float z) { return std::isfinite(z); }));
    };
    for (const char* family : {"bernoulli_dropout", "mean_field", "tridiagonal", "deep_ensemble", "sghmc", "laplace"}) {
        SCOPED_TRACE(family);
        Study study = with(
            with_family_defaults(residual({}), family).study,
            {"training.steps=10", "training.batch_size=8", "posterior.chains=2", "posterior.kept_draws=3"});
        if (study.posterior.family != "laplace") {
            expect_predictions(study);
            continue;
        }
        for (const char* layers : {"posterior.laplace_layers=last", "posterior.laplace_layers=all"})
            expect_predictions(with(study, {"posterior.laplace_structure=diagonal", layers}));
    }
}

TEST(ImageStudy, BernoulliDropsBeforeEveryWeightLayerAndSDropsAfterTheFirstDenseLayer)
{
    const auto bernoulli = prepare(small({"posterior.family=bernoulli_dropout", "posterior.dropout_rate=0.2"}));
    EXPECT_EQ(count<Dropout>(bernoulli->model.architecture), 4);
    EXPECT_TRUE(std::holds_alternative<Dropout>(bernoulli->model.architecture.layers.front()));
    const auto bayesian = prepare(small({"network.dropout=0.5"}));
    EXPECT_EQ(count<Dropout>(bayesian->model.architecture), 1);
    EXPECT_TRUE(bayesian->model.dropout_at_prediction);
    const auto frequentist = prepare(small({"network.dropout=0.5", "posterior.family=point_estimate"}));
    EXPECT_EQ(frequentist->model.architecture, bayesian->model.architecture);
    EXPECT_FALSE(frequentist->model.dropout_at_prediction);
}

TEST(ImageStudy, MeaninglessSettingsAreRejectedAtTheirField)
{
    EXPECT_THAT(refused(with(Study{}, {"network.kind=lenet5"})),
                "network.kind | network.kind is lenet5, a network for images, but data.source is toy: expected mlp or "
                "layers, or images.");
    EXPECT_THAT(refused(with(Study{}, {"network.kind=layers"})),
                AllOf(StartsWith("network.layers | Layer 1"), HasSubstr("needs an image")));
    EXPECT_THAT(refused(small({"network.kind=layers", "network.layers=conv 4 5, pool 2"})),
                StartsWith("network.layers | Layer 2 of the network: found 'pool 2'"));
    EXPECT_THAT(refused(small({"network.kind=layers", "network.layers=conv 4 50"})),
                StartsWith("network.layers | Layer 1 of the network: the kernel 50×50"));
    EXPECT_THAT(refused(small({"data.only_classes=3"})),
                "data.only_classes | data.only_classes names 1 class, expected at least 2, or none for all.");
    EXPECT_THAT(refused(small({"data.only_classes=3,4,3"})),
                "data.only_classes | data.only_classes names a class twice, expected different classes.");
    EXPECT_THAT(refused(small({"data.only_classes=3,10"})),
                "data.only_classes | data.only_classes has 10, expected classes 0 to 9 of the strokes.");
    EXPECT_THAT(refused(small({"data.validation_images=200"})),
                StartsWith("data.validation_images | Stroke digits has 200 images, expected more than the 200"));
    EXPECT_THAT(refused(small({"posterior.initial_tau=1,2,3,4,5,6,7,8,9"})),
                HasSubstr("posterior.initial_tau has 9 numbers, expected 1 to 8"));
    const auto set = with(small(), {"data.source=images", "data.set=stroke-digits"});
    EXPECT_THAT(refused(with(set, {"data.only_classes=3,12"})),
                HasSubstr("data.only_classes | Stroke digits: class 12 was selected, expected 0 to 9."));
    EXPECT_THAT(refused(with(set, {"data.per_class=5000"})),
                StartsWith("data.per_class | Stroke digits has 1000 images of class 0, expected at least 5000."));
    EXPECT_THAT(refused(with(set, {"data.first_images=50000"})),
                "data.first_images | Stroke digits has 10000 images, expected at least 50000.");
    EXPECT_THAT(refused(with(set, {"data.set=mnits"})),
                StartsWith("data.set | There is no data set “mnits” installed"));
    EXPECT_THAT(refused(with(set, {"data.set="})), StartsWith("data.set | data.set is empty"));
}

TEST(ImageStudy, ListsOfBlocksFollowTheNetwork)
{
    EXPECT_EQ(refused(small({"posterior.initial_tau=1,2,3,4,5,6,7,8"})), "");
    EXPECT_EQ(refused(small({"network.kind=lenet5", "posterior.initial_tau=1,2,3,4,5,6,7,8,9,10"})), "");
    EXPECT_EQ(refused(small(
                  {"network.kind=layers", "network.layers=flatten, dense 5, relu", "posterior.initial_tau=1,2,3,4"})),
              "");
}

TEST(ImageStudy, SettingsOfTheSplitDoNotApplyToImages)
{
    for (const auto& f : study_fields())
        if (f.group() == "split") {
            EXPECT_FALSE(f.applies(small())) << f.path;
        }
    EXPECT_TRUE(field("split.seed").applies(small({"data.validation_images=5"})));
    EXPECT_FALSE(field("network.noise").applies(small()));
    EXPECT_FALSE(field("network.hidden").applies(small()));
    EXPECT_TRUE(field("network.units").applies(small()));
    EXPECT_FALSE(field("network.kind").applies(Study{}));
    EXPECT_FALSE(field("data.set").applies(small()));
}

TEST(ImageStudy, PathsCountFromTheStudysFolderAndNamesStay)
{
    Study study;
    study.data.images.set       = "sets/runes";
    study.prediction.other_data = "stroke-letters";
    resolve_paths(study, "/home/ada");
    EXPECT_EQ(study.data.images.set, "/home/ada/sets/runes");
    EXPECT_EQ(study.prediction.other_data, "stroke-letters");
    resolve_paths(study, "/elsewhere");
    EXPECT_EQ(study.data.images.set, "/home/ada/sets/runes");
    study.data.images.set = "runes.npz";   // of a data folder: there is no such file next to the study
    resolve_paths(study, "/home/ada");
    EXPECT_EQ(study.data.images.set, "runes.npz");
}

// ---- training

struct TrainedImages {
    std::vector<float> parameters;
    TrainingHistory history;
    bool operator==(const TrainedImages& other) const
    {
        const auto same = [](const TrainingPoint& a, const TrainingPoint& b) {
            return a.data_loss == b.data_loss && a.training_error == b.training_error && a.test_error == b.test_error;
        };
        return parameters == other.parameters
               && std::equal(history.begin(), history.end(), other.history.begin(), other.history.end(), same);
    }
};

TrainedImages trained_images(const Study& study, int threads)
{
    TrainedImages run;
    Threads pool(threads);
    pool.run([&] {
        const auto trainer = prepare(study)->make_trainer();
        const auto report  = trainer->run();
        EXPECT_EQ(report.stop, StopReason::steps_done) << report.message;
        const auto parameters = trainer->posterior().parameters();
        run.parameters.assign(parameters.begin(), parameters.end());
        run.history = trainer->history();
    });
    return run;
}

TEST(ImageTraining, OneAndTwoThreadsGiveTheSameBits)
{
    for (const std::string family : {"point_estimate", "bernoulli_dropout", "tridiagonal"}) {
        const Study study       = with(strokes_of(family), {"data.training_images=200", "data.test_images=50",
                                                            "training.steps=8", "training.batch_size=40"});
        const TrainedImages one = trained_images(study, 1);
        EXPECT_TRUE(trained_images(study, 2) == one) << family;
        EXPECT_FALSE(trained_images(with(study, {"seed=2"}), 2) == one) << family;
    }
}

TEST(ImageTraining, LearnsAFewDigits)
{
    const Study study = small({"data.only_classes=0,1", "training.optimizer=momentum", "training.learning_rate=0.01",
                               "training.steps=60", "training.bias_rate=2", "network.initialisation=caffe",
                               "posterior.family=point_estimate"});
    const TrainedImages run = trained_images(study, 2);
    ASSERT_TRUE(run.history.back().test_error);
    EXPECT_LE(*run.history.back().test_error, 0.1);
}

TEST(ImageTraining, ErrorsOfShortRunsAreComputedOccasionally)
{
    const TrainedImages run = trained_images(small({"training.steps=60"}), 2);
    ASSERT_EQ(run.history.size(), 61u);
    std::size_t known = 0;
    for (const TrainingPoint& point : run.history)
        known += point.test_error.has_value();
    EXPECT_LE(known, 5u);
    EXPECT_TRUE(run.history.front().test_error);
    EXPECT_TRUE(run.history.back().test_error);
    const TrainedImages asked = trained_images(
        small({"training.steps=60", "training.error_images=0", "training.error_draws=1"}), 2);
    for (const TrainingPoint& point : asked.history)
        EXPECT_TRUE(point.test_error) << "requesting all gives them at each recorded step";
    EXPECT_EQ(asked.parameters, run.parameters) << "and trains no other net";
}

TEST(ImageTraining, BiasesHaveTheirOwnLearningRate)
{
    const auto moved = [](const char* rate) {
        const auto study      = small({"training.steps=1", "training.optimizer=sgd", "posterior.family=tridiagonal",
                                       "training.learning_rate=0.01", "training.kl_weight=0", rate});
        const auto experiment = prepare(study);
        const auto trainer    = experiment->make_trainer();
        trainer->step();
        std::vector<float> change;
        for (std::size_t i = 0; i < experiment->start->parameters().size(); ++i)
            change.push_back(trainer->posterior().parameters()[i] - experiment->start->parameters()[i]);
        return change;
    };
    const auto once = moved("training.bias_rate=1"), twice = moved("training.bias_rate=2"),
               never  = moved("training.bias_rate=0");
    const auto layout = prepare(small())->start->layout();
    float largest     = 0;
    for (const Block& block : layout.blocks)
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            const bool bias = block.kind == BlockKind::biases;
            ASSERT_NEAR(twice[i], (bias ? 2 : 1) * once[i], 2e-7) << block.name;
            ASSERT_NEAR(never[i], (bias ? 0 : 1) * once[i], 2e-7) << block.name;
            largest = bias ? std::max(largest, std::fabs(once[i])) : largest;
        }
    EXPECT_GT(largest, 1e-4);
    for (std::size_t i = layout.size(); i < once.size(); ++i)   // δ and γ
        EXPECT_EQ(once[i], twice[i]);
}

bool mnist_is_installed()
{
    const char* folder = std::getenv("CREDENCE_DATA_DIR");
    return folder && std::filesystem::exists(std::filesystem::path(folder) / "mnist");
}

TEST(ImageTraining, MnistItselfIsReady)
{
    if (!mnist_is_installed())
        GTEST_SKIP() << "MNIST is not in CREDENCE_DATA_DIR";
    const auto experiment = prepare(preset("mnist_lenet_tridiagonal"));
    EXPECT_EQ(experiment->data->training.n_rows, 60000u);
    EXPECT_EQ(experiment->data->test.n_rows, 10000u);
    EXPECT_EQ(prepare(preset("mnist_lenet_point"))->data, experiment->data);
    EXPECT_EQ(prepare(preset("mnist_digits_0_2"))->model.architecture.outputs(), 3);
}

TEST(ImageTraining, ASetWithOnlyTestImagesCannotBeTrainedOn)
{
    if (const char* folder = std::getenv("CREDENCE_DATA_DIR");
        !folder || !std::filesystem::exists(std::filesystem::path(folder) / "notmnist"))
        GTEST_SKIP() << "notMNIST is not in CREDENCE_DATA_DIR";
    EXPECT_EQ(refused(with(small(), {"data.source=images", "data.set=notmnist"})),
              "data.set | notMNIST has test images only, expected training images as well: it can serve as "
              "prediction.other_data.");
}

}   // namespace
}   // namespace credence
