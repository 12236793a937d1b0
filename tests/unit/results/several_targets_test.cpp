// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/table_schema.h"
#include "foundation/error.h"
#include "linter/lint.h"
#include "prediction/recalibration.h"
#include "results/predict_table.h"
#include "runs/archive.h"
#include "runs/derived_runs.h"
#include "runs/prediction_data.h"
#include "views/recalibration_fit.h"
#include "views/regression_rows.h"
#include "views/scores.h"
#include "views/view_support.h"
#include "views/views.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

// One network for several numeric targets, from the table to scores, views, archive and new rows.

namespace credence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

double length_of(int i) { return 0.25 * (i % 40); }
double noise_of(int i) { return 0.02 * std::sin(97.0 * i); }

/// 120 rows with the targets 3x + 5 in mm and 2000 − 400x in "price, EUR".
struct TargetsTable {
    TargetsTable()
    {
        fs::create_directories(folder);
        std::ofstream table(folder / "train.csv");
        table << "x,mm,\"price, EUR\",colour\n";
        for (int i = 0; i < 120; ++i)
            table << length_of(i) << ',' << 5 + 3 * (length_of(i) + noise_of(i)) << ','
                  << 2000 - 400 * (length_of(i) + noise_of(i + 1)) << ',' << (i % 2 ? "red" : "blue") << '\n';
    }
    ~TargetsTable() { fs::remove_all(folder); }

    Study study(const std::string& family = "point_estimate") const
    {
        Study study;
        study.name                            = "two targets";
        study.data.source                     = DataSource::csv;
        study.data.file                       = (folder / "train.csv").string();
        study.data.csv.target                 = "\"price, EUR\", mm";
        study.split.standardise_targets       = true;
        study.network.hidden                  = {};
        study.posterior.family                = family;
        study.training.steps                  = 400;
        study.training.schedule.learning_rate = 0.02;
        study.prediction.samples              = 8;
        return study;
    }
    RunSnapshot trained(const Study& study) const
    {
        const auto experiment = prepare(study);
        const auto training   = train(*experiment);
        return {experiment, training.report.last, std::make_shared<TrainingHistory>(training.history)};
    }
    std::string refusal(const Study& study) const
    {
        try {
            prepare(study);
        } catch (const Error& error) {
            return error.field() + ": " + error.what();
        }
        return "(no error)";
    }

    fs::path folder = fs::path(testing::TempDir()) / ("credence_several_targets_" + std::to_string(::getpid()));
};

double score_of(const Table& table, const std::string& name)
{
    for (const auto& row : table.rows)
        if (row[0] == Cell(name))
            return std::holds_alternative<long>(row[1]) ? static_cast<double>(std::get<long>(row[1]))
                                                        : std::get<double>(row[1]);
    ADD_FAILURE() << name << " is missing";
    return NAN;
}

TEST(SeveralTargetsOfATable, AreReadInOrderWithScalesOfTheirOwn)
{
    const TargetsTable known;
    const auto experiment = prepare(known.study());
    const auto& data      = *experiment->data;
    EXPECT_THAT(data.training.target_names(), ElementsAre("price, EUR", "mm"));
    EXPECT_THAT(data.training.feature_names, ElementsAre("x", "colour=blue", "colour=red"));
    EXPECT_EQ(experiment->model.architecture.outputs(), 2);
    const auto prices = with_one_target(data, 0), lengths = with_one_target(data, 1);
    EXPECT_THAT(lengths.training.target_names(), ElementsAre("mm"));
    EXPECT_EQ(lengths.training.schema->target.name, "mm");
    ASSERT_EQ(lengths.training.targets.size(), data.training.n_rows);
    for (std::size_t i = 0; i < data.training.n_rows; ++i) {
        EXPECT_NEAR(prices.training.targets[i], 2000 - 400 * data.training.row(i)[0], 9);
        EXPECT_NEAR(lengths.training.targets[i], 5 + 3 * data.training.row(i)[0], 0.07);
        EXPECT_NEAR(lengths.training_targets[i],
                    (lengths.training.targets[i] - lengths.target_mean) / lengths.target_sd, 1e-6);
    }
}

TEST(SeveralTargetsOfATable, AreRecalibratedFromCommonSamplesAsEachAlone)
{
    const TargetsTable known;
    Study study                      = known.study("mean_field");
    study.split.calibration_fraction = 0.3;
    study.prediction.recalibration   = RecalibrationKind::cdf;
    const auto run                   = known.trained(study);
    for (const std::size_t target : {1, 0}) {
        const auto one = run_of_target(run, target);
        const auto fit = recalibration_of(one, {});
        EXPECT_TRUE(*fit == fit_recalibration(RecalibrationKind::cdf, calibration_samples(one, {}).value())) << target;
        EXPECT_EQ(recalibration_of(one, {}), fit) << "one fit for all views";
    }
    EXPECT_NE(recalibration_of(run_of_target(run, 0), {})->factor, recalibration_of(run_of_target(run, 1), {})->factor);
}

class SeveralTargetsOfAMethod : public testing::TestWithParam<std::string> {};

TEST_P(SeveralTargetsOfAMethod, AreEachFittedInItsOwnUnit)
{
    const TargetsTable known;
    Study study = known.study(GetParam());
    if (GetParam() == "sghmc") {   // its steps are stable only where the likelihood is not steep
        set_field(study, "network.noise_sd_list=400, 3");
        study.training.schedule.learning_rate = 0.001;
    }
    const auto run    = known.trained(study);
    const auto scored = score_table(run);
    const double most = GetParam() == "sghmc" ? 3 : 0.35;   // standard deviations; a short chain is still far away
    EXPECT_LT(score_of(scored.table, "RMSE, mm"), most * 8.7);
    EXPECT_LT(score_of(scored.table, "RMSE, price, EUR"), most * 1150);
    EXPECT_NEAR(score_of(scored.table, "NLL, sum over independent targets"),
                score_of(scored.table, "NLL, mm") + score_of(scored.table, "NLL, price, EUR"), 1e-9);
    EXPECT_EQ(score_of(scored.table, "Inputs"), 24);
    const auto& tests = run.experiment->data->test;
    double relative   = 0;
    for (std::size_t t = 0; t < 2; ++t) {
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < tests.n_rows; ++i) {
            sum += tests.targets[2 * i + t];
            squares += tests.targets[2 * i + t] * tests.targets[2 * i + t];
        }
        const double n = static_cast<double>(tests.n_rows);
        relative += score_of(scored.table, t == 0 ? "RMSE, price, EUR" : "RMSE, mm") / 2
                    / std::sqrt(squares / n - sum / n * (sum / n));
    }
    EXPECT_NEAR(score_of(scored.table, relative_rmse_name), relative, 1e-9);
    const auto listed = final_score_in(scored.table).value();
    EXPECT_EQ(listed, (FinalScore{FinalScore::Metric::relative_rmse, score_of(scored.table, relative_rmse_name)}));
    EXPECT_THAT(score_text(listed), StartsWith("mean RMSE/SD "));
    EXPECT_EQ(scored.target, "price, EUR");
}

INSTANTIATE_TEST_SUITE_P(Methods, SeveralTargetsOfAMethod,
                         testing::Values("point_estimate", "mean_field", "bernoulli_dropout", "deep_ensemble", "swag",
                                         "sghmc"));

TEST(SeveralTargetsOfATable, HaveOneNoiseLevelEach)
{
    const TargetsTable known;
    Study study              = known.study();
    study.prediction.samples = 1;
    set_field(study, "network.noise_sd_list=50, 2");
    const auto run = known.trained(study);
    EXPECT_NEAR(score_of(scores(run), "Mean standard deviation of the noise, price, EUR"), 50, 1e-3);
    EXPECT_NEAR(score_of(scores(run), "Mean standard deviation of the noise, mm"), 2, 1e-4);
    set_field(study, "network.noise_sd_list=50, 2, 1");
    EXPECT_THAT(known.refusal(study), HasSubstr("network.noise_sd_list has 3 numbers, expected 2"));
    set_field(study, "network.noise=level");
    EXPECT_EQ(prepare(study)->model.architecture.outputs(), 4);
    const auto learned = scores(known.trained(study));   // from ln 2 standard deviations at the start
    EXPECT_LT(score_of(learned, "Mean standard deviation of the noise, mm"), 0.3 * 8.7);
    EXPECT_LT(score_of(learned, "Mean standard deviation of the noise, price, EUR"), 0.3 * 1150);
}

TEST(SeveralTargetsOfATable, AreRefusedBeforeTrainingWhereAMethodHasFormulasForOne)
{
    const TargetsTable known;
    for (const char* family : {"laplace", "nuts", "hmc"})
        EXPECT_THAT(known.refusal(known.study(family)), HasSubstr("data.target: The data have 2 targets, but "));
    EXPECT_THAT(known.refusal(known.study("nuts")), HasSubstr("Train one network per target"));
    Study study                     = known.study();
    study.split.standardise_targets = false;
    EXPECT_THAT(known.refusal(study), HasSubstr("split.standardise_targets is false; expected true"));
    study                 = known.study();
    study.data.csv.target = "mm, mm";
    EXPECT_THAT(known.refusal(study), HasSubstr("is listed twice"));
    study.data.csv.target = "mm, colour";
    EXPECT_THAT(known.refusal(study), HasSubstr("expected a number for regression"));
    study.data.csv.target = "mm, 3";
    EXPECT_EQ(prepare(study)->data->training.n_targets(), 2u);
    study.data.csv.target = "price, EUR";   // a name with a comma is one column
    EXPECT_EQ(prepare(study)->data->training.n_targets(), 1u);
    study.data.csv.target = "price, mm";
    EXPECT_THAT(known.refusal(study), HasSubstr("found no column"));
    study.data.csv.target = "mm, 3";
    study.data.csv.task   = Task::classification;
    EXPECT_THAT(known.refusal(study), HasSubstr("data.task is classification, but data.target lists 2 columns"));
}

TEST(SeveralTargetsOfATable, AreShownOneAtATimeOrRefusedByAView)
{
    const TargetsTable known;
    const auto run     = known.trained(known.study("mean_field"));
    const auto charted = [&](const char* id, std::size_t target) {
        ViewOptions options;
        options.target = target;
        return *view(id).make(run, options, {});
    };
    const auto prices = charted("test_rows", 0), lengths = charted("test_rows", 1);
    EXPECT_THAT(prices.caption, HasSubstr("Target: price, EUR, one of 2"));
    EXPECT_THAT(lengths.caption, HasSubstr("Target: mm, one of 2"));
    const auto& test = run.experiment->data->test;
    for (std::size_t i = 0; i < test.n_rows; ++i)
        EXPECT_EQ(lengths.table->rows[i][1], Cell(test.targets[2 * i + 1]));
    for (const char* id : {"loo", "landscape", "gp_reference"})
        EXPECT_THAT(view(id).why_not(*run.experiment).value_or(""),
                    HasSubstr("needs one target, the run has 2. Train one network per target."));
    EXPECT_THAT(charted("training_curves", 0).panels.back().y.unit, HasSubstr("standard deviations"));
    ViewOptions few;
    few.samples = 4;
    for (const auto& one : views())
        if (!one.why_not(*run.experiment) && one.cost != Cost::slow)
            try {
                one.make(run, few, {});
            } catch (const Error& error) {
                EXPECT_FALSE(std::string(error.what()).empty()) << one.id;   // a sentence, such as a missing setting
            }
    EXPECT_TRUE(lint({.run = run}));
}

TEST(SeveralTargetsOfATable, ArePredictedFromOneSetOfSamplesWithTheBitsOfEachTargetAlone)
{
    const TargetsTable known;
    Study study                      = known.study("mean_field");
    study.split.calibration_fraction = 0.25;
    study.prediction.recalibration   = RecalibrationKind::sigma;
    const auto run                   = known.trained(study);
    const auto& test                 = run.experiment->data->test;
    const auto scores_of_all         = scores(run);
    NewRows rows;
    rows.n      = test.n_rows;
    rows.inputs = test.inputs;
    rows.notes.resize(test.n_rows);
    predict_rows(run, rows, {}, {}, [&](const PredictedRows& block) {
        for (std::size_t t = 0; t < 2; ++t) {
            const auto one     = run_of_target(run, t);
            const auto& data   = *one.experiment->data;
            const auto outputs = view_support::predictive_of(one, {}).sample_outputs(data.test_inputs,
                                                                                     static_cast<int>(rows.n));
            const auto samples = regression_samples(view_of(outputs), one.experiment->model.likelihood,
                                                    data.target_mean, data.target_sd);
            const auto mean    = mean_function(samples);
            const auto alone   = regression_scores(samples, data.test.targets, study.prediction.level);
            const auto name    = ", " + data.test.target_name;
            EXPECT_EQ(score_of(scores_of_all, "NLL" + name), alone.n * alone.nll / alone.n);
            EXPECT_EQ(score_of(scores_of_all, "CRPS" + name), alone.n * alone.crps / alone.n);
            for (std::size_t i = 0; i < rows.n; ++i) {
                EXPECT_EQ(block.table.rows[i][1 + 6 * t], Cell(mean[i]));
                EXPECT_EQ(block.table.rows[i][2 + 6 * t], Cell(spread_at(samples, mean[i], i).y));
            }
            RegressionRows rows_alone{.level = study.prediction.level};
            std::vector<std::uint32_t> numbers(rows.n);
            std::iota(numbers.begin(), numbers.end(), 0U);
            append(rows_alone, samples, numbers, data.test.targets);
            const auto shared = regression_rows(one, {}, {});
            EXPECT_EQ(shared->mean, rows_alone.mean);
            EXPECT_EQ(shared->upper, rows_alone.upper);
            EXPECT_EQ(shared->pit, rows_alone.pit);
        }
    });
}

TEST(SeveralTargetsOfATable, KeepTheirCachedResultsWhileManyOtherTargetsAreUsed)
{
    const TargetsTable known;
    const auto run  = known.trained(known.study());
    const auto rows = regression_rows(run_of_target(run, 1), {}, {});
    std::vector<RunSnapshot> others;
    for (int i = 0; i < 9; ++i) {
        others.emplace_back(with_study(*run.experiment, run.experiment->study), run.snapshot, run.history);
        run_of_target(others.back(), 0);
        run_of_target(others.back(), 1);
    }
    EXPECT_EQ(regression_rows(run_of_target(run, 1), {}, {}), rows);
    EXPECT_NE(regression_rows(run_of_target(run, 0), {}, {})->observed, rows->observed);
    EXPECT_NE(regression_rows(run_of_target(others.back(), 1), {}, {}), rows);
}

TEST(SeveralTargetsOfATable, HaveNoRelativeErrorIfOneIsConstantInTheScoredRows)
{
    const TargetsTable known;
    auto run        = known.trained(known.study());
    auto experiment = std::make_shared<Experiment>(*run.experiment);
    auto data       = std::make_shared<SplitData>(*experiment->data);
    for (std::size_t i = 0; i < data->test.n_rows; ++i)
        data->test.targets[2 * i + 1] = 0.1;   // the mean of 24 has a rounding error
    experiment->data = data;
    run.experiment   = experiment;
    const auto table = scores(run);
    EXPECT_GT(score_of(table, "RMSE, mm"), 0);
    EXPECT_EQ(final_score_in(table), std::nullopt);
}

TEST(SeveralTargetsOfATable, ArePredictedForNewRowsWithoutTheTable)
{
    const TargetsTable known;
    Study study                      = known.study("mean_field");
    study.split.calibration_fraction = 0.25;
    study.prediction.recalibration   = RecalibrationKind::sigma;
    const auto run                   = known.trained(study);
    SavedRun saved;
    saved.name    = study.name;
    saved.study   = study;
    saved.table   = run.experiment->table;
    saved.data    = data_for_prediction(*run.experiment);
    saved.history = *run.history;
    saved.snapshots.push_back(run.snapshot);
    save_run(saved, known.folder / "run.credence");
    const SavedRun read  = load_run(known.folder / "run.credence");
    const auto elsewhere = experiment_for_prediction(read);
    EXPECT_EQ(*elsewhere->data->training.schema, *run.experiment->data->training.schema);
    EXPECT_EQ(elsewhere->data->calibration_targets, run.experiment->data->calibration_targets);

    std::ofstream(known.folder / "new.csv") << "colour,x,mm\nred,1,8.1\nblue,2,\n";
    const auto predicted = [&](const RunSnapshot& by, bool conformal) {
        const auto rows = read_new_rows(*by.experiment, known.folder / "new.csv");
        EXPECT_EQ(rows.targets.size(), 4u);
        Table table;
        const auto summary = predict_rows(by, rows, {.conformal = conformal}, {},
                                          [&](const PredictedRows& block) { table = block.table; });
        EXPECT_EQ(score_of(summary->scores, "Rows, mm"), 1);
        return table;
    };
    const auto table = predicted(run, false);
    std::vector<std::string> names;
    for (const auto& column : table.columns)
        names.push_back(column.name);
    EXPECT_EQ(names, (std::vector<std::string>{"row", "price, EUR_mean", "price, EUR_sd", "price, EUR_sd_epistemic",
                                               "price, EUR_sd_aleatoric", "price, EUR_lower", "price, EUR_upper",
                                               "mm_mean", "mm_sd", "mm_sd_epistemic", "mm_sd_aleatoric", "mm_lower",
                                               "mm_upper", "price, EUR_observed", "mm_observed", "note"}));
    EXPECT_NEAR(std::get<double>(table.rows[0][1]), 1600, 300);
    EXPECT_NEAR(std::get<double>(table.rows[0][7]), 8, 2);
    EXPECT_EQ(table.rows[0][13], Cell(std::string()));
    EXPECT_EQ(table.rows[0][14], Cell(8.1));
    EXPECT_EQ(predicted(snapshot_of(read, 0, elsewhere), false).rows, table.rows);
    EXPECT_NE(predicted(run, true).rows, table.rows);
}

}   // namespace
}   // namespace credence
