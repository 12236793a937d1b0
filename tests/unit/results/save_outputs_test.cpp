// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/save_outputs.h"

#include "chains/convergence.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "linter/evidence.h"
#include "outputs/outputs_file.h"
#include "posterior/sample_set.h"
#include "prediction/logit_samples.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"
#include "unit/runs/short_run.h"
#include "views/image_rows.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <atomic>
#include <cmath>

namespace credence {
namespace {

namespace fs = std::filesystem;

/// Scores without the baselines: these are learned from training rows, which an opened file does not have.
std::vector<std::vector<Cell>> scores_of_predictions(const RunSnapshot& run)
{
    auto rows = scores(run).rows;
    std::erase_if(rows, [](const auto& row) { return std::get<std::string>(row[0]).starts_with("Baseline"); });
    return rows;
}

/// Counts the weight samples that are drawn from another posterior.
class CountingPosterior : public Posterior {
public:
    explicit CountingPosterior(std::shared_ptr<const Posterior> of) : Posterior(of->layout()), of_(std::move(of)) {}
    NoiseIn noise_in() const override { return of_->noise_in(); }
    Draw<float> make_draw() const override { return of_->make_draw(); }
    void draw(NoiseKey key, Draw<float>& out) const override
    {
        ++count;
        of_->draw(key, out);
    }
    std::span<const float> means() const override { return of_->means(); }
    void moments(std::span<float> mean, std::span<float> sd) const override { of_->moments(mean, sd); }
    Covariance covariance() const override { return of_->covariance(); }
    LayerUncertainty describe() const override { return of_->describe(); }
    std::span<const float> numbers() const override { return of_->numbers(); }

    mutable std::atomic<int> count = 0;

private:
    std::shared_ptr<const Posterior> of_;
};

struct SaveOutputs : testing::Test {
    fs::path folder = fs::path(testing::TempDir()) / ("credence_save_outputs_" + std::to_string(::getpid()));
    fs::path file   = folder / "outputs.npz";
    SaveOutputs() { fs::create_directories(folder); }
    ~SaveOutputs() override { fs::remove_all(folder); }

    RunSnapshot saved_and_opened(const RunSnapshot& run) const
    {
        EXPECT_TRUE(save_outputs(run, file));
        return snapshot_of_outputs(*open_outputs(file));
    }
};

TEST_F(SaveOutputs, ScoresOfTheOpenedFileAreThoseOfTheRunBitForBit)
{
    for (const char* family : {"mean_field", "bernoulli_dropout", "point_estimate"}) {
        const auto run    = snapshot_of(small_study(family));
        const auto opened = saved_and_opened(run);
        const auto own = scores_of_predictions(run), again = scores_of_predictions(opened);
        ASSERT_GT(own.size(), 5u);
        EXPECT_EQ(own, again) << family;   // numbers as they are, not to some digits
        EXPECT_EQ(opened.experiment->data->test.labels, run.experiment->data->test.labels);
        const auto& inputs = opened.experiment->outputs->own;
        EXPECT_EQ(inputs.n_inputs, 2u);
        EXPECT_TRUE(std::equal(inputs.inputs.begin(), inputs.inputs.end(), run.experiment->data->test.inputs.begin()));
        EXPECT_EQ(opened.experiment->data->training.class_names, run.experiment->data->training.class_names);
    }
}

TEST_F(SaveOutputs, ProbabilitiesAreTheSoftmaxOfTheLogits)
{
    ASSERT_TRUE(save_outputs(snapshot_of(small_study("mean_field")), file));
    const NpzFile saved(file);
    const auto p = saved.read("probabilities"), z = saved.read("logits");
    ASSERT_EQ(p.shape, z.shape);
    ASSERT_EQ(p.shape.back(), 2u);
    for (std::size_t i = 0; i < p.size(); i += 2)
        EXPECT_NEAR(p.at(i), 1 / (1 + std::exp(z.at(i + 1) - z.at(i))), 1e-7);
}

TEST_F(SaveOutputs, SamplesAreOrderedByChainAndIteration)
{
    Study study = small_study("hmc");
    set_field(study, "posterior.chains=2");
    study.prediction.samples = 1000;
    set_field(study, "posterior.warmup=20");
    set_field(study, "posterior.draws=15");
    const auto experiment = prepare(study);
    const auto training   = train(*experiment);
    const RunSnapshot run{experiment, training.report.last, std::make_shared<const TrainingHistory>(training.history)};
    ASSERT_TRUE(save_outputs(run, file));
    const NpzFile file_of_run(file);
    std::vector<std::int32_t> chain;
    const auto iterations = std::get<std::vector<std::int64_t>>(file_of_run.read("iteration").values);
    for (std::int32_t c = 0; c < 2; ++c)
        chain.insert(chain.end(), 15, c);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(file_of_run.read("chain").values), chain);
    ASSERT_EQ(iterations.size(), 30u);
    for (const std::size_t c : {0u, 1u})
        EXPECT_TRUE(std::is_sorted(iterations.begin() + 15 * c, iterations.begin() + 15 * (c + 1)));

    // Each draw of the set by itself, in the order of the chains.
    const auto& set  = dynamic_cast<const SampleSet&>(*run.snapshot->posterior);
    const auto& test = run.experiment->data->test;
    const auto saved = file_of_run.read("probabilities");
    for (std::size_t m = 0; m < set.n_draws(); ++m) {
        const auto draw  = set.draw_number(m);
        const auto alone = std::make_shared<const SampleSet>(set.layout(),
                                                             aligned_vector<float>(draw.begin(), draw.end()));
        const PosteriorPredictive predictive(run.experiment->model, alone, 1, study.seed);
        const auto set_of_rows = view_support::scored_set(*run.experiment);
        const auto outputs     = predictive.sample_outputs(set_of_rows.inputs, static_cast<int>(test.n_rows));
        const auto origin      = set.origin();
        const auto at          = static_cast<std::size_t>(
            std::find(iterations.begin() + 15 * origin.chains[m], iterations.end(), origin.steps[m])
            - iterations.begin());
        for (std::size_t i = 0; i < outputs.values.size(); ++i)
            EXPECT_NEAR(saved.at(at * outputs.values.size() + i), outputs.values[i], 1e-6) << m;
    }

    // R̂ of the probability of class 0, from the file alone and as the program shows it.
    const auto shown = lint_support::hamiltonian_chains({.run = run}, {});
    ASSERT_TRUE(shown);
    ASSERT_EQ(shown->summary.quantities.size(), test.n_rows);
    for (std::size_t row = 0; row < test.n_rows; ++row) {
        std::vector<double> draws;
        for (std::size_t s = 0; s < 30; ++s)
            draws.push_back(saved.at((s * test.n_rows + row) * 2));
        const auto of_file = convergence({draws, 2, 15}), of_run = shown->summary.quantities[row];
        ASSERT_TRUE(of_file.r_hat && of_run.r_hat) << row;
        EXPECT_NEAR(*of_file.r_hat, *of_run.r_hat, 1e-6) << row;
        EXPECT_NEAR(*of_file.bulk_ess, *of_run.bulk_ess, 1e-4) << row;
    }
}

TEST_F(SaveOutputs, TheNetworkIsEvaluatedOnce)
{
    auto run             = snapshot_of(small_study("mean_field"));
    const auto posterior = std::make_shared<const CountingPosterior>(run.snapshot->posterior);
    auto snapshot        = std::make_shared<Snapshot>(*run.snapshot);
    snapshot->posterior  = posterior;
    run.snapshot         = snapshot;
    const auto& study    = run.experiment->study;
    const auto rows      = view_support::scored_set(*run.experiment);
    sample_logits(run.experiment->model, *posterior, rows.inputs, static_cast<int>(rows.data->n_rows),
                  study.prediction.samples, study.seed);
    const int once = posterior->count;
    ASSERT_GE(once, study.prediction.samples);
    ASSERT_TRUE(save_outputs(run, file));
    EXPECT_EQ(posterior->count - once, once);
}

TEST_F(SaveOutputs, ImagesRoundTrip)
{
    Study study                       = small_study("mean_field");
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 20;
    study.data.images.test_images     = 10;
    study.training.steps              = 2;
    study.prediction.samples          = 3;
    const auto run                    = snapshot_of(study);
    const auto opened                 = saved_and_opened(run);
    EXPECT_EQ(scores_of_predictions(run), scores_of_predictions(opened));
    for (const std::size_t row : {0u, 5u})
        EXPECT_EQ(image_bytes(*opened.experiment, ImagePart::test, row),
                  image_bytes(*run.experiment, ImagePart::test, row));
    EXPECT_TRUE(save_outputs(opened, folder / "again.npz"));   // what was opened can be saved: the same draws
    EXPECT_EQ(NpzFile(folder / "again.npz").read("probabilities"), NpzFile(file).read("probabilities"));
}

TEST_F(SaveOutputs, WeightsHaveTheirMomentsAndBlocks)
{
    const auto run = snapshot_of(small_study("mean_field"));
    save_weights(run, folder / "weights.npz");
    const NpzFile weights(folder / "weights.npz");
    const auto& posterior = *run.snapshot->posterior;
    std::vector<float> mean(posterior.layout().size()), sd(mean.size());
    posterior.moments(mean, sd);
    EXPECT_EQ(std::get<std::vector<float>>(weights.read("mean").values), mean);
    EXPECT_EQ(std::get<std::vector<float>>(weights.read("sd").values), sd);
    EXPECT_EQ(weights.read("block_begins").size(), posterior.layout().blocks.size());
    EXPECT_THROW(save_weights(saved_and_opened(run), folder / "none.npz"), Error);
    EXPECT_FALSE(fs::exists(folder / "none.npz"));
}

TEST_F(SaveOutputs, ARegressionRunIsRejectedAndAStoppedOneLeavesNothing)
{
    const auto curve = snapshot_of(small_study("mean_field", ToyKind::cubic));
    try {
        save_outputs(curve, file);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "Outputs can only be saved for classification: the run \"small\" has a numeric target. Save its scores "
            "and figures as tables instead.");
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(save_outputs(snapshot_of(small_study("mean_field")), file, stop.get_token()));
    EXPECT_TRUE(fs::is_empty(folder));
}

}   // namespace
}   // namespace credence
