// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "results/results.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <unistd.h>

// The files of a run when some results cannot be computed.
namespace credence {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
namespace fs = std::filesystem;

/// Two moons under a mean field whose means are all `mean`, but for the last bias: `last`.
struct RunByHand {
    RunByHand(float mean, float last)
    {
        Study study;
        study.name               = "by hand";
        study.data.toy.n         = 40;
        study.network.hidden     = {4};
        study.prediction.samples = 10;
        auto experiment          = prepare(study);
        auto posterior           = experiment->start->clone();
        const auto means         = posterior->parameters().first(posterior->layout().size());
        std::fill(means.begin(), means.end(), mean);
        means.back()  = last;
        run.name      = study.name;
        run.study     = study;
        run.snapshots = {std::make_shared<Snapshot>(Snapshot{std::move(posterior), {}})};
        end           = RunSnapshot(std::move(experiment), run.snapshots.back(), std::make_shared<TrainingHistory>());
        fs::create_directories(folder);
    }
    ~RunByHand() { fs::remove_all(folder); }

    nlohmann::json results() const
    {
        std::ifstream stream(folder / "results.json");
        return nlohmann::json::parse(stream);
    }

    SavedRun run;
    RunSnapshot end;
    fs::path folder = fs::path(testing::TempDir()) / ("credence_results_" + std::to_string(::getpid()));
};

TEST(Results, AViewThatCannotBeMadeIsReplacedByAMessageAndTheOthersAreWritten)
{
    const RunByHand made(0, 1e7f);   // logits for which no Dirichlet has finite parameters; probabilities 0 and 1
    const auto written = write_results(made.run, made.end, made.folder);
    EXPECT_TRUE(written.whole);
    EXPECT_EQ(written.no_scores, "");
    EXPECT_THAT(written.left_out, Contains(Pair("list_lengths", HasSubstr("Laplace bridge: ln alpha of class "))));
    const auto json = made.results();
    EXPECT_EQ(json.at("left_out").size(), written.left_out.size());
    EXPECT_THAT(json.at("left_out").at("list_lengths").get<std::string>(),
                HasSubstr("Laplace bridge: ln alpha of class "));
    EXPECT_FALSE(json.at("scores").empty());
    EXPECT_FALSE(fs::exists(made.folder / "data" / "list_lengths.csv"));
    for (const char* view : {"decision_map", "boxplots", "roc", "scores"})   // before and after it
        EXPECT_TRUE(fs::exists(made.folder / "data" / (std::string(view) + ".csv"))) << view;
}

TEST(Results, MissingScoresAreReplacedByAMessage)
{
    const RunByHand made(3e38f, 3e38f);   // finite weights, outputs that are not
    const auto written = write_results(made.run, made.end, made.folder);
    EXPECT_TRUE(written.whole);
    EXPECT_THAT(written.no_scores, HasSubstr("finite"));
    EXPECT_THAT(written.left_out, Not(IsEmpty()));
    EXPECT_EQ(made.results().at("no_scores"), written.no_scores);
    EXPECT_TRUE(made.results().at("scores").empty());
    EXPECT_TRUE(fs::exists(made.folder / "data" / "weights.csv"));
}

TEST(Results, WithoutErrorsHaveNoErrorEntry)
{
    const RunByHand made(0.1f, 0);
    const auto written = write_results(made.run, made.end, made.folder);
    EXPECT_TRUE(written.whole);
    EXPECT_THAT(written.left_out, IsEmpty());
    EXPECT_FALSE(made.results().contains("left_out"));
    EXPECT_FALSE(made.results().contains("no_scores"));
}

TEST(Results, ContainTheFindingsOfTheLinter)
{
    const RunByHand made(0.1f, 0);
    const auto written = write_results(made.run, made.end, made.folder);
    ASSERT_TRUE(written.findings);
    const auto found = made.results().at("findings");
    EXPECT_EQ(found.size(), written.findings->findings.size());
    const auto level = std::find_if(found.begin(), found.end(),
                                    [](const auto& finding) { return finding.at("rule") == "interval_level"; });
    ASSERT_NE(level, found.end()) << "ten draws do not resolve 95 %";
    EXPECT_EQ(level->at("severity"), "warning");
    EXPECT_EQ(level->at("remedy").at("settings").at("prediction.samples"), "200");
    EXPECT_FALSE(level->at("evidence").get<std::string>().empty());
}

TEST(Results, ContainTheLearnedPrior)
{
    RunByHand made(0.1f, 0);
    std::stop_source stop;   // results.json is written without the views
    stop.request_stop();
    const auto written = [&] {
        write_results(made.run, made.end, made.folder, {}, stop.get_token());
        return made.results();
    };
    EXPECT_FALSE(written().contains("learned_prior"));
    const auto with_prior = [&](std::vector<double> values) {
        Snapshot snapshot     = *made.run.snapshots.back();
        snapshot.point.layers = snapshot.posterior->describe();
        snapshot.point.prior  = std::move(values);
        made.end.snapshot     = std::make_shared<Snapshot>(snapshot);
        return written().at("learned_prior");
    };
    const auto blocks = with_prior({1, 2, 3, 4});
    EXPECT_EQ(blocks.at(1).at("block"), "dense 1 biases");
    EXPECT_EQ(blocks.at(1).at("sd"), 2);
    EXPECT_EQ(with_prior({0.25, 1, 0.5}).at("sigma_narrow"), 0.5);
}

TEST(Results, OfARunWithValidationImagesHaveTheScoresOfBothSets)
{
    Study study;
    study.name                          = "validated";
    study.data.source                   = DataSource::strokes;
    study.data.images.training_images   = 80;
    study.data.images.test_images       = 20;
    study.data.images.validation_images = 30;
    study.network.hidden                = {4};
    study.posterior.family              = "point_estimate";
    const auto experiment               = prepare(study);
    const auto start                    = std::make_shared<Snapshot>(Snapshot{experiment->start->clone(), {}});
    SavedRun run;
    run.name        = study.name;
    run.study       = study;
    run.snapshots   = {start};
    const auto path = fs::path(testing::TempDir()) / ("credence_validated_" + std::to_string(::getpid()));
    fs::create_directories(path);
    std::stop_source stop;   // the scores are there before the first view
    const auto written = write_results(
        run, RunSnapshot(experiment, start, std::make_shared<TrainingHistory>()), path,
        [&](const Chart&, const fs::path&) { stop.request_stop(); }, stop.get_token());
    std::ifstream stream(path / "results.json");
    const auto json = nlohmann::json::parse(stream);
    fs::remove_all(path);
    EXPECT_EQ(written.no_scores, "");
    EXPECT_EQ(json.at("data").at("training_rows"), 50);
    EXPECT_EQ(json.at("data").at("validation_rows"), 30);
    EXPECT_EQ(json.at("data").at("test_rows"), 20);
    EXPECT_EQ(json.at("scores").at(0).at("value"), 20);
    EXPECT_EQ(json.at("validation_scores").at(0).at("value"), 30);
    EXPECT_EQ(json.at("scores").at(1).at("score"), "Error");
    EXPECT_FALSE(RunByHand(0.1f, 0).end.experiment->data->final_test.n_rows);
}

}   // namespace
}   // namespace credence
