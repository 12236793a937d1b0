// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/prediction_data.h"

#include "data/table_schema.h"
#include "foundation/error.h"
#include "runs/archive.h"
#include "runs/experiment.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>

// A saved run predicts new rows without its table.

namespace credence {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A table of 40 rows, and a run on it that is saved without training.
struct PredictionDataCase {
    explicit PredictionDataCase(Task task, double calibration = 0.25)
    {
        fs::create_directories(folder);
        std::ofstream table(folder / "train.csv");
        table << "size,colour,y\n";
        for (int i = 0; i < 40; ++i)
            table << 1000.1 + 0.3 * i << ',' << (i % 3 ? "red" : "blue") << ','
                  << (task == Task::regression ? std::to_string(5 * i % 17)
                      : i % 4                  ? "yes"
                                               : "no")
                  << '\n';
        table.close();
        study.name                       = "Sizes";
        study.data.source                = DataSource::csv;
        study.data.file                  = (folder / "train.csv").string();
        study.data.csv.task              = task;
        study.split.calibration_fraction = calibration;
        study.split.standardise_targets  = true;
        study.network.hidden             = {4};
        experiment                       = prepare(study);
        run.name                         = study.name;
        run.study                        = study;
        run.table                        = experiment->table;
        run.data                         = data_for_prediction(*experiment);
        TrainingPoint point;
        point.layers = experiment->start->describe();
        run.history.push_back(point);
        run.snapshots.push_back(std::make_shared<const Snapshot>(Snapshot{experiment->start, point}));
    }
    ~PredictionDataCase() { fs::remove_all(folder); }

    SavedRun saved_and_loaded() const
    {
        save_run(run, folder / "run.credence");
        return load_run(folder / "run.credence");
    }

    fs::path folder = fs::path(testing::TempDir()) / ("credence_prediction_data_" + std::to_string(::getpid()));
    Study study;
    std::shared_ptr<const Experiment> experiment;
    SavedRun run;
};

std::vector<float> sampled_at_test_rows(const RunSnapshot& run, const SplitData& rows)
{
    const PosteriorPredictive predictive(run.experiment->model, run.snapshot->posterior, 7, run.experiment->study.seed);
    return predictive
        .sample_outputs(run.experiment->data->inputs.standardised(rows.test.inputs), static_cast<int>(rows.test.n_rows))
        .values;
}

class PredictionData : public testing::TestWithParam<Task> {};

TEST_P(PredictionData, OfASavedRunPredictsTheSameBitsWithoutTheTable)
{
    const PredictionDataCase saved(GetParam());
    const SavedRun read = saved.saved_and_loaded();
    fs::remove(saved.folder / "train.csv");
    ASSERT_TRUE(read.data);
    const SplitData &was = *saved.experiment->data, &is = *read.data;
    EXPECT_EQ(is.training.n_rows, 0u);
    EXPECT_EQ(is.training.feature_names, was.training.feature_names);
    EXPECT_EQ(is.training.class_names, was.training.class_names);
    EXPECT_EQ(is.training.target_name, "y");
    ASSERT_TRUE(is.training.schema && was.training.schema);
    EXPECT_EQ(*is.training.schema, *was.training.schema);
    EXPECT_EQ(is.inputs, was.inputs);
    EXPECT_EQ(is.target_mean, was.target_mean);
    EXPECT_EQ(is.target_sd, was.target_sd);
    EXPECT_EQ(is.calibration.n_rows, 8u);
    EXPECT_EQ(is.calibration.inputs, was.calibration.inputs);
    EXPECT_EQ(is.calibration.labels, was.calibration.labels);
    EXPECT_EQ(is.calibration_inputs, was.calibration_inputs);
    EXPECT_EQ(is.calibration_targets, was.calibration_targets);

    const auto elsewhere = experiment_for_prediction(read);
    EXPECT_EQ(
        sampled_at_test_rows(snapshot_of(read, 0, elsewhere), was),
        sampled_at_test_rows({saved.experiment, saved.run.snapshots[0], std::make_shared<TrainingHistory>()}, was));
}

TEST_P(PredictionData, KeepTheGroupsOfCalibrationRows)
{
    PredictionDataCase saved(GetParam());
    auto data = *saved.run.data;
    for (std::uint32_t i = 0; i < data.calibration.n_rows; ++i)
        data.calibration_groups.push_back(i * i % 5);
    saved.run.data      = std::make_shared<const SplitData>(data);
    const SavedRun read = saved.saved_and_loaded();
    ASSERT_TRUE(read.data);
    EXPECT_EQ(read.data->calibration_groups, data.calibration_groups);
    EXPECT_EQ(read.data->calibration.labels, data.calibration.labels);
    EXPECT_EQ(read.data->calibration.targets, data.calibration.targets);
}

INSTANTIATE_TEST_SUITE_P(Tasks, PredictionData, testing::Values(Task::regression, Task::classification));

TEST(PredictionDataOfOlderRuns, NeedsTheUnchangedTable)
{
    PredictionDataCase older(Task::regression);
    older.run.data      = nullptr;
    const SavedRun read = older.saved_and_loaded();
    EXPECT_FALSE(read.data);
    EXPECT_EQ(experiment_for_prediction(read)->data->training.n_rows, older.experiment->data->training.n_rows);
    const auto refusal = [&]() -> std::string {
        try {
            experiment_for_prediction(read);
        } catch (const Error& error) {
            return error.what();
        }
        return "(no error)";
    };
    std::ofstream(older.folder / "train.csv", std::ios::app) << "1,red,2\n";
    EXPECT_THAT(refusal(), HasSubstr("The run \"Sizes\" was saved without its columns and scales, so its table is "
                                     "needed to predict: "));
    EXPECT_THAT(refusal(), HasSubstr("as in training."));
    fs::remove(older.folder / "train.csv");
    EXPECT_THAT(refusal(), HasSubstr("train.csv"));
}

TEST(PredictionDataOfGeneratedData, IsMadeAgainInsteadOfStored)
{
    Study study;
    study.data.toy.n     = 40;
    study.network.hidden = {4};
    EXPECT_EQ(data_for_prediction(*prepare(study)), nullptr);
}

TEST(PredictionDataFromJson, RefusesValuesThatDoNotFit)
{
    const PredictionDataCase saved(Task::regression);
    const auto refusal = [&](const char* key, const nlohmann::json& value, std::size_t missing = 0) -> std::string {
        auto head = prediction_data_head(*saved.run.data);
        head[key] = value;
        try {
            prediction_data_from(head, [&](std::size_t bytes) { return std::string(bytes - missing, '\0'); });
        } catch (const Error& error) {
            return error.what();
        } catch (const nlohmann::json::exception&) {
            return "json";
        }
        return "(no error)";
    };
    EXPECT_THAT(refusal("mean", nlohmann::json::array({1.0})), HasSubstr("expected 3"));
    EXPECT_THAT(refusal("sd", {1.0, 0.0, 1.0}), HasSubstr("not a positive number"));
    EXPECT_THAT(refusal("target_sd", -1.0), HasSubstr("not a positive number"));
    EXPECT_THAT(refusal("calibration_rows", std::uint64_t{1} << 62), HasSubstr("a whole number cannot be read"));
    EXPECT_THAT(refusal("name", "Sizes", 8), HasSubstr("its calibration rows have 248 bytes, expected 256"));
    EXPECT_EQ(refusal("inputs", 3), "json");
    auto schema                  = prediction_data_head(*saved.run.data).at("schema");
    schema["columns"][1]["fill"] = 5;
    EXPECT_THAT(refusal("schema", schema), HasSubstr("the most frequent category"));
    schema["columns"][1]["fill"]       = 0;
    schema["columns"][1]["categories"] = {"red"};
    EXPECT_THAT(refusal("schema", schema), HasSubstr("give 2 inputs, expected 3"));
    EXPECT_EQ(refusal("name", "Sizes"), "(no error)");
}

}   // namespace
}   // namespace credence
