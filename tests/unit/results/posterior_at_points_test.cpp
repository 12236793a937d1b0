// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/posterior_at_points.h"

#include "foundation/error.h"
#include "posterior/sample_set.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <unistd.h>

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
        study.network.noise_sd         = 1;
        study.prediction.points        = (folder / "points.csv").string();
        experiment                     = prepare(study);
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

TEST(PosteriorAtPoints, HasEachDrawOnceAndTheQuantilesOfTypeSeven)
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

}   // namespace
}   // namespace credence
