// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/posterior_at_points.h"

#include "chains/convergence.h"

#include "unit/views/chain_moments.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <unistd.h>

// Predictions at the points of a table, from draws of chains and of other posteriors.
namespace credence {
namespace {

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
    const auto moment = moment_of_chains(study_with_points("nuts", ToyKind::blundell_curve, "x\n0.1\n0.4\n"));
    const auto table  = posterior_at_points(moment).value();
    EXPECT_EQ(joined_names(table), "row output mean sd q05 q25 q50 q75 q95 mcse ess_bulk ess_tail rhat");
    ASSERT_EQ(table.rows.size(), 2u);
    // The same by hand: each draw of the set on its own, put into the order of the chains.
    const auto& set   = dynamic_cast<const SampleSet&>(*moment.snapshot->posterior);
    const auto inputs = moment.experiment->data->inputs.standardised(std::vector<double>{0.1, 0.4});
    for (std::size_t row = 0; row < 2; ++row) {
        std::vector<double> values(set.n_draws());
        for (std::size_t s = 0; s < set.n_draws(); ++s) {
            const auto weights = set.draw_number(s);
            const auto one     = std::make_shared<SampleSet>(set.layout(),
                                                         aligned_vector<float>(weights.begin(), weights.end()));
            const PosteriorPredictive predictive(moment.experiment->model, one, 1, 1);
            values[s % 2 * 100 + s / 2] = moment.experiment->data->target_mean
                                          + moment.experiment->data->target_sd
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
    const auto table = posterior_at_points(
                           moment_of_chains(study_with_points("nuts", ToyKind::two_moons, "x1,x2\n0,0\n1,0.5\n0,1\n")))
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
    const auto moment = moment_of(study_with_points("mean_field", ToyKind::blundell_curve, "x\n0.1\n"));
    EXPECT_EQ(joined_names(posterior_at_points(moment).value()), "row output mean sd q05 q25 q50 q75 q95");
}

}   // namespace
}   // namespace credence
