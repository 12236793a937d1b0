// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence.h"
#include "foundation/error.h"
#include "posterior/sample_set.h"
#include "results/results.h"
#include "study/fields.h"
#include "unit/views/chain_snapshots.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

// Predictions at the points of a table, from draws of chains and of other posteriors.

namespace credence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// A line w x + b through data of one input, its draws made by hand.
struct LineByHand {
    explicit LineByHand(const std::string& points, Task task = Task::regression)
    {
        fs::create_directories(folder);
        std::ofstream(folder / "train.csv")
            << (task == Task::regression ? "x,y\n0,0\n1,2.5\n2,4.25\n" : "x,y\n0,a\n1,b\n2,c\n");
        std::ofstream(folder / "points.csv") << points;
        Study study;
        study.data.source              = DataSource::csv;
        study.data.file                = (folder / "train.csv").string();
        study.data.csv.task            = task;
        study.split.test_fraction      = 0;
        study.split.standardise_inputs = false;
        study.network.hidden           = {};
        field("network.noise_sd").set(study, 1.0);
        study.prediction.points = (folder / "points.csv").string();
        experiment              = prepare(study);
    }
    ~LineByHand() { fs::remove_all(folder); }

    Table at_points(std::vector<float> draws, SampleOrigin origin) const
    {
        auto set = std::make_shared<SampleSet>(experiment->start->layout(),
                                               aligned_vector<float>(draws.begin(), draws.end()), std::move(origin));
        return posterior_at_points({experiment, std::make_shared<Snapshot>(Snapshot{std::move(set), {}}),
                                    std::make_shared<TrainingHistory>()})
            .value();
    }

    fs::path folder = fs::path(testing::TempDir()) / ("credence_points_" + std::to_string(::getpid()));
    std::shared_ptr<const Experiment> experiment;
};

std::vector<std::string> names_of_columns(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& column : table.columns)
        names.push_back(column.name);
    return names;
}
double number_at(const Table& table, std::size_t row, std::size_t column)
{
    return std::get<double>(table.rows.at(row).at(column));
}

TEST(PosteriorAtPoints, HasEachSampleOnceAndTheQuantilesOfTypeSeven)
{
    const LineByHand line("x\n0\n2\n");
    // weights [draw × (w, b)]: f(0) = 1, 2, 3, 4, 5; f(2) = 1, 4, 7, 10, 13
    const auto table = line.at_points({0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, {});
    EXPECT_THAT(names_of_columns(table), ElementsAre("row", "output", "mean", "sd", "q05", "q25", "q50", "q75", "q95"));
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(std::get<long>(table.rows[1][0]), 1);
    EXPECT_NEAR(number_at(table, 0, 2), 3, 1e-6);
    EXPECT_NEAR(number_at(table, 0, 3), std::sqrt(2.5), 1e-6);
    EXPECT_NEAR(number_at(table, 0, 4), 1.2, 1e-6);
    EXPECT_NEAR(number_at(table, 1, 2), 7, 1e-6);
    EXPECT_NEAR(number_at(table, 1, 5), 4, 1e-6);
    EXPECT_NEAR(number_at(table, 1, 8), 12.4, 1e-6);
}

TEST(PosteriorAtPoints, OfChainsReportsTheirAgreement)
{
    const LineByHand line("x\n0\n");
    std::vector<float> draws;
    SampleOrigin origin;
    for (int t = 0; t < 40; ++t)
        for (int c = 0; c < 2; ++c) {   // draw by draw, chain by chain; the second chain is far from the first
            draws.insert(draws.end(), {0, static_cast<float>((t * 7) % 40 + 100 * c)});
            origin.chains.push_back(c);
            origin.steps.push_back(t + 1);
        }
    const auto table = line.at_points(draws, origin);
    EXPECT_EQ(names_of_columns(table).size(), 13u);
    EXPECT_EQ(names_of_columns(table).back(), "rhat");
    EXPECT_NEAR(number_at(table, 0, 2), 69.5, 1e-5);
    EXPECT_GT(number_at(table, 0, 12), 1.5) << "chains at different positions";
    EXPECT_LT(number_at(table, 0, 10), 20);
}

TEST(PosteriorAtPoints, OfClassesHasALineForEach)
{
    const LineByHand line("x\n0\n1\n", Task::classification);
    const auto table = line.at_points({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}, {});
    ASSERT_EQ(table.rows.size(), 6u);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(std::get<long>(table.rows[k][1]), static_cast<long>(k));
        sum += number_at(table, k, 2);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(number_at(table, 0, 2), (1.0 / 3 + std::exp(1.0) / (std::exp(1.0) + 2)) / 2, 1e-6);
}

TEST(PosteriorAtPoints, ATableThatDoesNotFitIsRejectedBeforeAnyTraining)
{
    EXPECT_THAT([] { LineByHand("z\n0\n"); }, testing::Throws<Error>(testing::Property(
                                                  &Error::what, HasSubstr("points.csv: found no column \"x\""))));
}

Study study_with_points(const std::string& family, ToyKind kind, const std::string& rows)
{
    static int count = 0;
    const auto file  = std::filesystem::path(testing::TempDir())
                      / ("points_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ".csv");
    std::ofstream(file) << rows;
    auto study              = family == "nuts" ? study_of_chains(family, kind) : small_study(family, kind);
    study.prediction.points = file.string();
    return study;
}

std::string joined_names(const Table& table)
{
    std::string out;
    for (const auto& column : table.columns)
        out += (out.empty() ? "" : " ") + column.name;
    return out;
}

double points_cell(const Table& table, std::size_t row, std::size_t column)
{
    return std::get<double>(table.rows.at(row).at(column));
}

TEST(PointsOfRuns, OfChainsFollowTheDrawsOfEachChain)
{
    const auto run   = snapshot_of_chains(study_with_points("nuts", ToyKind::blundell_curve, "x\n0.1\n0.4\n"));
    const auto table = posterior_at_points(run).value();
    EXPECT_EQ(joined_names(table), "row output mean sd q05 q25 q50 q75 q95 mcse ess_bulk ess_tail rhat");
    ASSERT_EQ(table.rows.size(), 2u);
    // The same by hand: each draw of the set on its own, put into the order of the chains.
    const auto& set   = dynamic_cast<const SampleSet&>(*run.snapshot->posterior);
    const auto inputs = run.experiment->data->inputs.standardised(std::vector<double>{0.1, 0.4});
    for (std::size_t row = 0; row < 2; ++row) {
        std::vector<double> values(set.n_draws());
        for (std::size_t s = 0; s < set.n_draws(); ++s) {
            const auto weights = set.draw_number(s);
            const auto one     = std::make_shared<SampleSet>(set.layout(),
                                                         aligned_vector<float>(weights.begin(), weights.end()));
            const PosteriorPredictive predictive(run.experiment->model, one, 1, 1);
            values[s % 2 * 100 + s / 2] = run.experiment->data->target_mean
                                          + run.experiment->data->target_sd
                                                * static_cast<double>(predictive.sample_outputs(inputs, 2).at(
                                                    0, static_cast<int>(row), 0));
        }
        EXPECT_NEAR(points_cell(table, row, 2), std::accumulate(values.begin(), values.end(), 0.0) / 200, 1e-9);
        const auto agreed = convergence({values, 2, 100});
        EXPECT_NEAR(points_cell(table, row, 10), *agreed.bulk_ess, 1e-6);
        EXPECT_NEAR(points_cell(table, row, 12), *agreed.r_hat, 1e-9);
    }
}

TEST(PointsOfRuns, OfClassesHasARowForEachOfThem)
{
    const auto table = posterior_at_points(snapshot_of_chains(study_with_points("nuts", ToyKind::two_moons,
                                                                                "x1,x2\n0,0\n1,0.5\n0,1\n")))
                           .value();
    ASSERT_EQ(table.rows.size(), 6u);
    for (std::size_t row = 0; row < 6; row += 2) {
        EXPECT_EQ(table.rows[row][0], Cell(static_cast<long>(row / 2)));
        EXPECT_EQ(table.rows[row + 1][1], Cell(1L));
        EXPECT_NEAR(points_cell(table, row, 2) + points_cell(table, row + 1, 2), 1, 1e-6);
    }
}

TEST(PointsOfRuns, OfOtherPosteriorsHasNoChainColumns)
{
    const auto run = snapshot_of(study_with_points("mean_field", ToyKind::blundell_curve, "x\n0.1\n"));
    EXPECT_EQ(joined_names(posterior_at_points(run).value()), "row output mean sd q05 q25 q50 q75 q95");
}

}   // namespace

}   // namespace credence
