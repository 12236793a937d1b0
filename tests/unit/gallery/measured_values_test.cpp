// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/measured_values.h"

#include <gtest/gtest.h>

namespace credence {
namespace {

CellScores error_of(double error)
{
    CellScores scores;
    scores.scores = {{{.name = "Error", .unit = {}}, error}, {{.validation = true, .name = "Error", .unit = {}}, 0.5}};
    return scores;
}

SweepAxis axis_of(const std::string& name, const std::vector<std::string>& labels)
{
    SweepAxis axis;
    axis.name = name;
    for (const auto& label : labels) {
        SweepValue value;
        value.label = label;
        axis.values.push_back(std::move(value));
    }
    return axis;
}

/// Two methods with two seeds; the last cell is not done.
SweepResults two_methods()
{
    SweepResults results;
    results.sweep.axes    = {axis_of("method", {"one τ", "plain"}), axis_of("seed", {"1", "2"})};
    const double errors[] = {0.006, 0.010, 0.020};
    for (std::size_t i = 0; i < 4; ++i) {
        SweepCell cell;
        cell.index = i;
        cell.at    = {i / 2, i % 2};
        results.cells.push_back(cell);
        results.scores.push_back(i < 3 ? std::optional(error_of(errors[i])) : std::nullopt);
        results.states.push_back({.state = i < 3 ? CellState::done : CellState::waiting});
    }
    return results;
}

TEST(MeasuredValues, HaveTheDecimalsAndTheUnitOfThePrintedOne)
{
    const auto scores = error_of(0.00804);
    EXPECT_EQ(measured_text({.name = "Error (%)", .printed = "0.70", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.80");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "0.00700", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.00804");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "-", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.00804");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "0.7", .ours = {}, .score = {}, .cell = {}}, scores), "");
    EXPECT_EQ(measured_text({.name = "A", .printed = "0.7", .ours = {}, .score = "AUROC", .cell = {}}, scores), "");
}

TEST(MeasuredValues, OfASweepAreMeansOverTheSeedsOfTheMatchingCells)
{
    const auto results = two_methods();
    const auto of      = [&](std::vector<std::pair<std::string, std::string>> cell) {
        return measured_text(
                 PrintedValue{.name = "Error (%)", .printed = "0.70", .ours = {}, .score = "Error", .cell = std::move(cell)},
                 results);
    };
    EXPECT_EQ(of({{"method", "one τ"}}), "0.80 ± 0.28 (2 seeds)");   // sd of 0.6 and 1.0 is 0.4/√2
    EXPECT_EQ(of({{"method", "plain"}}), "2.00 (1 seed)");
    EXPECT_EQ(of({}), "");   // which method?
    EXPECT_EQ(of({{"method", "another"}}), "");
    EXPECT_EQ(of({{"method", "plain"}, {"rate", "0.1"}}), "");
}

}   // namespace
}   // namespace credence
